/* The parts of one write, which framings fill and the interpreter sends. */
#ifndef CR_FRAMING_H
#define CR_FRAMING_H

#include "cr_script.h"

#include <sys/uio.h>

enum { CR_PARTS = 16 };

/* The bytes of one or several steps, in order, without the first `skip` ones. Bytes adjacent in memory are one part, so
 * that a response rendered in advance is sent as one. */
struct cr_parts {
    int count;
    size_t skip;      /* bytes still to be left out, since they were sent already */
    size_t total;     /* bytes in the parts */
    uint64_t laid;    /* bytes that were added, whether they were left out, taken or did not fit */
    bool full;        /* whether something did not fit */
    size_t copied;    /* bytes used of `copies` */
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

/* Limits the parts to their first `length` bytes; there are at least that many. */
void cr_parts_limit(cr_parts *parts, size_t length);

/* ---- file_step.c ---- */

/* Adds the bytes of a FILE step on the wire to `parts`, with a window of the file that is read into `loop`: only its
 * beginning if not all of it fits, and at most about `limit` bytes. Returns false if the file is shorter than it should
 * be, or cannot be read. */
bool cr_parts_lay_file(cr_parts *parts, const cr_step *step, cr_stream *stream, size_t limit);

/* Lays out a BODY or FILE step, the payload of a FILE at addresses that nothing uses. Returns where the payload begins. */
uintptr_t cr_parts_lay_payload(cr_parts *parts, const cr_step *step, cr_stream *stream);

/* The most bytes of a file that are sent at once without a copy: other streams get their turn. */
enum { CR_FILE_DIRECT = 1 << 20 };

/* Sends the next bytes of a FILE step without a copy, at most `limit`. Returns their number; 0 if the step has no bytes
 * of the file there, and what comes must be laid out; -1 with errno, which is 0 if the file is too short. */
ssize_t cr_stream_send_file(cr_stream *stream, const cr_step *step, uint64_t limit);

#endif
