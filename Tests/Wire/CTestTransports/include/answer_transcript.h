/* Runs bytes through the answer reader and writes what it returns as one line of text, for tables of cases. */
#ifndef ANSWER_TRANSCRIPT_H
#define ANSWER_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct answer_case {
    bool is_head, may_switch; /* the request was HEAD, or offered an upgrade */
    bool ends;                /* the connection ends after the bytes */
    size_t cut;               /* how many bytes are fed at a time; 0 for all at once */
} answer_case;

/* Writes at most `room` bytes including a NUL, the parts separated by ` | `:
 *
 *   103 [Link=a] | 200 OK keep length=5 [Content-Length=5] | <hello> | end [X-T=1] +3
 *
 * `close` in place of `keep` means that the connection cannot be reused. The body is `length=N`, `chunks`, `none`,
 * `until-end` or `switched`. `+3` counts the bytes after the answer. A malformed answer ends with `refused: ` and the
 * reason, an incomplete one with `more`. */
void answer_transcript(const uint8_t *bytes, size_t length, answer_case how, char *text, size_t room);

#endif
