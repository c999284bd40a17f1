#ifndef CHIREDIS_H
#define CHIREDIS_H

#include <stddef.h>
#include <stdint.h>

/* The Redis protocol (RESP2), parsed and written by hiredis, which is loaded by the first call and never linked. It
 * knows nothing of sockets. A server's reply is bounded: its bytes and memory, a line, and the depth of arrays. */

/* Why hiredis cannot be used, as a sentence; NULL if it can. Any thread. */
const char *ch_unavailable(void);

enum ch_kind { CH_NULL, CH_STATUS, CH_INTEGER, CH_BYTES, CH_ARRAY, CH_ERROR };

/* A value of a reply. The items of an array follow it, recursively. */
struct ch_item {
    enum ch_kind kind;
    int64_t number; /* an INTEGER, or the number of an ARRAY's items */
    size_t offset;  /* of STATUS, BYTES and ERROR, in the reply's bytes */
    size_t length;  /* likewise */
};

/* A complete reply, valid until the decoder's next call. */
struct ch_reply {
    const struct ch_item *items;
    size_t count;
    const uint8_t *bytes;
};

enum ch_result {
    CH_INCOMPLETE, /* the reply is incomplete */
    CH_COMPLETE,
    CH_MALFORMED, /* permanent; see ch_decoder_problem */
    CH_TOO_LARGE, /* permanent */
    CH_NO_MEMORY  /* permanent */
};

/* Parses the replies of one connection. */
struct ch_decoder;

/* The maximum depth of nested arrays. */
enum { CH_DEPTH = 7 };

/* Call it only if ch_unavailable returns NULL. Returns NULL if memory is short. `max` bounds the bytes of a reply, and
 * the memory that it takes. */
struct ch_decoder *ch_decoder_new(size_t max_size);
void ch_decoder_free(struct ch_decoder *decoder);
/* Adds received bytes. Returns CH_INCOMPLETE or CH_NO_MEMORY. */
enum ch_result ch_decoder_feed(struct ch_decoder *decoder, const uint8_t *bytes, size_t length);
/* Parses the next reply; sets `*reply` if it returns CH_COMPLETE. */
enum ch_result ch_decoder_next(struct ch_decoder *decoder, struct ch_reply *reply);
/* Details of CH_MALFORMED. */
const char *ch_decoder_problem(const struct ch_decoder *decoder);

/* Formats a command. `bytes` holds its arguments one after the other, with these lengths. Returns text to be freed by
 * ch_release, and sets `*length`; NULL if memory is short. */
char *ch_command(const uint8_t *bytes, const size_t *lengths, size_t count, size_t *length);
void ch_release(char *command);

#endif
