#include "framing.h"

#include <string.h>

/* Leaves bytes out that were sent before; whether that was all of them. */
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
