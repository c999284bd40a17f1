#ifndef CHIREDIS_H
#define CHIREDIS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The protocol of Redis (RESP2), read and written with hiredis, which is never linked: the first call loads it. Nothing here
 * knows of sockets. What a server sends is bounded: a reply in bytes with all it takes in memory, a line, and arrays in arrays.
 */

/* Why hiredis cannot be used, as a sentence; NULL if it can. Any thread. */
const char *ch_unavailable(void);

enum ch_kind { CH_NULL, CH_STATUS, CH_INTEGER, CH_BYTES, CH_ARRAY, CH_ERROR };

/* A value of a reply. The items of an array follow it, each with its own. */
struct ch_item {
    enum ch_kind kind;
    int64_t number; /* an INTEGER, or the count of an ARRAY's items */
    size_t offset;  /* of STATUS, BYTES and ERROR: where they begin in the reply's bytes, */
    size_t length;  /* and how many they are */
};

/* A whole reply, good until the next call with its decoder. */
struct ch_reply {
    const struct ch_item *items;
    size_t count;
    const uint8_t *bytes;
};

enum ch_result {
    CH_INCOMPLETE, /* no reply is whole yet */
    CH_COMPLETE,
    CH_MALFORMED,  /* for good; `ch_decoder_problem` says what was found */
    CH_TOO_LARGE,  /* for good */
    CH_NO_MEMORY   /* for good */
};

/* Reads the replies of one connection. */
struct ch_decoder;

/* The depth of arrays in arrays that is read. */
enum { CH_DEPTH = 7 };

/* Only where `ch_unavailable` returns NULL. NULL if memory is short. `most` is the most bytes of a reply, and of what it takes in
 * memory. */
struct ch_decoder *ch_decoder_new(size_t most);
void ch_decoder_free(struct ch_decoder *decoder);
/* Takes bytes that came. Returns INCOMPLETE, or NO_MEMORY. */
enum ch_result ch_decoder_feed(struct ch_decoder *decoder, const uint8_t *bytes, size_t length);
/* Reads the next reply; `*reply` is set if it is COMPLETE. */
enum ch_result ch_decoder_next(struct ch_decoder *decoder, struct ch_reply *reply);
/* What was found where the result is MALFORMED. */
const char *ch_decoder_problem(const struct ch_decoder *decoder);

/* A command as it is sent. `bytes` has its words, one behind the other, with these lengths. Returns memory for `ch_release`, and sets
 * `*length`; NULL if memory is short. */
char *ch_command(const uint8_t *bytes, const size_t *lengths, size_t count, size_t *length);
void ch_release(char *command);

#endif
