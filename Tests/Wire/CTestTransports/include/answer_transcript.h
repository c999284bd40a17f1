/* What the reader of answers finds in bytes, as one line of text, for tables of cases. */
#ifndef ANSWER_TRANSCRIPT_H
#define ANSWER_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct answer_case {
    bool head_alone, to_switch; /* what was asked for */
    bool ends;                  /* the connection ends behind the bytes */
    size_t cut;                 /* the bytes come in pieces of so many; 0 for one piece */
} answer_case;

/* Writes at most `room` bytes with a NUL, the parts with ` | ` between them:
 *
 *   103 [Link=a] | 200 OK keep length=5 [Content-Length=5] | <hello> | end [X-T=1] +3
 *
 * An answer after which the connection cannot be kept has `close`; its body is as `length=N`, `chunks`, `none`, `until-end` or
 * `switched`; `+3` are bytes behind it. What is refused ends with `refused: why`, what is not complete with `more`. */
void answer_transcript(const uint8_t *bytes, size_t length, answer_case how, char *text, size_t room);

#endif
