/* The parts of a write, and HTTP/1.1's framing of a body. They share one file, so that the compiler makes one function
 * of both. */
#include "framing.h"
#include "stream.h"

#include <string.h>

/* Skips bytes that were sent earlier; returns whether that was all of them. */
static bool skip(cr_parts *parts, size_t length) {
    parts->laid += length;
    if (parts->skip < length) return false;
    parts->skip -= length;
    return true;
}

static void take(cr_parts *parts, const void *bytes, size_t length) {
    uint8_t *start = (uint8_t *)bytes + parts->skip;
    length -= parts->skip;
    parts->skip = 0;
    if (parts->full) return;
    struct iovec *next = &parts->at[parts->count];
    if (parts->count && (uint8_t *)next[-1].iov_base + next[-1].iov_len == start) {
        next[-1].iov_len += length;
    } else if (parts->count < CR_PARTS) {
        *next = (struct iovec){start, length};
        parts->count++;
    } else {
        parts->full = true;
        return;
    }
    parts->total += length;
}

void cr_parts_add(cr_parts *parts, const void *bytes, size_t length) {
    if (!skip(parts, length)) take(parts, bytes, length);
}

void cr_parts_copy(cr_parts *parts, const void *bytes, size_t length) {
    if (skip(parts, length)) return;
    uint8_t *copy = parts->copies + parts->copied;
    if (parts->copied + length > sizeof parts->copies) {
        parts->full = true;
    } else {
        memcpy(copy, bytes, length);
        parts->copied += length;
    }
    take(parts, copy, length);
}

void cr_parts_limit(cr_parts *parts, size_t length) {
    parts->total = length;
    parts->count = 0;
    while (length) {
        struct iovec *part = &parts->at[parts->count++];
        if (part->iov_len > length) part->iov_len = length;
        length -= part->iov_len;
    }
}

/* ---- HTTP/1.1's framing of a body ----------------------------------------------------------------------------- */

static size_t put(uint8_t *at, const void *bytes, size_t length) {
    memcpy(at, bytes, length);
    return length;
}

/* Writes a number in hexadecimal and a line end; returns the number of bytes. */
static size_t put_size(uint8_t *at, uint64_t number) {
    size_t digits = 1;
    for (uint64_t rest = number >> 4; rest; rest >>= 4) digits++;
    for (size_t place = digits; place > 0; number >>= 4) at[--place] = (uint8_t) "0123456789ABCDEF"[number & 15];
    return digits + put(at + digits, "\r\n", 2);
}

/* The bytes around the payload of a step. */
typedef struct frame {
    uint8_t lead[CR_CHUNK_LEAD_ROOM];
    size_t lead_length;
    const char *trail;
    bool left_out; /* whether the payload is not sent */
} frame;

static frame frame_of(const cr_step *step, bool chunked) {
    frame frame = {.lead_length = 0, .trail = ""};
    if (step->lead) return frame;
    if (step->kind == CR_STEP_BODY && chunked && step->length) {
        frame.lead_length = put_size(frame.lead, step->length + (step->torn ? 1 : 0));
        if (!step->torn) frame.trail = "\r\n";
    } else if (step->kind == CR_STEP_END && chunked) {
        frame.lead_length = put(frame.lead, "0\r\n", 3);
        frame.trail = "\r\n";
    } else if (step->kind == CR_STEP_END) {
        /* Without chunks there is no place for trailers. */
        frame.left_out = true;
    }
    return frame;
}

size_t cr_rendered_length(const cr_step *step, bool chunked) {
    frame frame = frame_of(step, chunked);
    return frame.lead_length + step->length + strlen(frame.trail);
}

size_t cr_render(cr_step *step, bool chunked, uint8_t *at) {
    frame frame = frame_of(step, chunked);
    uint8_t *start = at;
    at += put(at, frame.lead, frame.lead_length);
    if (step->length) at += put(at, step->bytes, step->length);
    at += put(at, frame.trail, strlen(frame.trail));
    step->bytes = start;
    step->length = (uint64_t)(at - start);
    step->lead += (uint8_t)frame.lead_length;
    step->trail += (uint8_t)strlen(frame.trail);
    return step->length;
}

static void lay(cr_stream *stream, const cr_step *step, cr_parts *parts) {
    if (step->kind == CR_STEP_HEAD) stream->chunked = step->chunked;
    if (step->lead || step->kind == CR_STEP_HEAD || step->kind == CR_STEP_RAW) {
        cr_parts_add(parts, step->bytes, step->length);
        return;
    }
    frame frame = frame_of(step, stream->chunked);
    if (frame.left_out) return;
    cr_parts_copy(parts, frame.lead, frame.lead_length);
    cr_parts_add(parts, step->bytes, step->length);
    cr_parts_add(parts, frame.trail, strlen(frame.trail));
}

const cr_framing cr_http1_framing = {.lay = lay};
