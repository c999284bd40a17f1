/* The parts of one write, as the framings fill them and the interpreter sends them. */
#ifndef CR_FRAMING_H
#define CR_FRAMING_H

#include "cr_script.h"

#include <sys/uio.h>

enum { CR_PARTS = 16 };

/* Bytes of one or several steps, in order, less the first `skip` ones. Neighbours in memory are one part, so that a response
 * that was rendered in advance goes out as one. */
struct cr_parts {
    int count;
    size_t skip;      /* bytes that are on the wire already, and still to be left out */
    size_t total;     /* bytes in the parts */
    uint64_t laid;    /* bytes that were added, whether they were left out, taken, or found no room */
    bool full;        /* not everything found room */
    size_t copied;    /* of `copies` */
    struct iovec at[CR_PARTS];
    uint8_t copies[CR_PARTS * CR_CHUNK_LEAD_ROOM];
};

static inline void cr_parts_init(cr_parts *parts, size_t skip) {
    parts->count = 0;
    parts->skip = skip;
    parts->total = 0;
    parts->laid = 0;
    parts->full = false;
    parts->copied = 0;
}

/* Leaves the first `length` bytes of the parts, of which there are as many at least. */
void cr_parts_limit(cr_parts *parts, size_t length);

#endif
