/* The payload of steps. Files are read a window at a time when they are sent, so that a slow client costs no memory;
 * bytes that a client did not take are read again, from the page cache. */
#include "conn.h"
#include "relay.h"

#include <stdlib.h>
#include <unistd.h>

static ssize_t read_at(const cr_file *file, uint8_t *to, size_t length, uint64_t offset) {
    for (;;) {
        ssize_t got = pread(file->fd, to, length, (off_t)(file->offset + offset));
        if (got >= 0 || errno != EINTR) return got;
    }
}

/* The index of the first flip at or after an offset of the file; `flip_count` if there is none. */
static size_t first_flip(const cr_file *file, uint64_t offset) {
    size_t low = 0, high = file->flip_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->flips[middle].offset < offset) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Applies the flips to bytes read from this offset of the file. */
static void flip(const cr_file *file, uint8_t *bytes, size_t length, uint64_t offset) {
    for (size_t i = first_flip(file, offset); i < file->flip_count && file->flips[i].offset - offset < length; i++) {
        bytes[file->flips[i].offset - offset] ^= file->flips[i].mask;
    }
}

bool cr_file_has_flips(const cr_step *step, uint64_t offset, size_t length) {
    const cr_file *file = cr_file_of(step);
    offset += file->offset;
    size_t first = first_flip(file, offset);
    return first < file->flip_count && file->flips[first].offset - offset < length;
}

static uint8_t *window(cr_loop *loop) {
    if (!cr_service_of(loop)->file_window) cr_service_of(loop)->file_window = malloc(CR_FILE_WINDOW);
    return cr_service_of(loop)->file_window;
}

cr_span cr_payload_at(cr_loop *loop, const cr_step *step, uint64_t offset, uint64_t limit) {
    if (step->kind == CR_STEP_RELAY) {
        const cr_relay *relay = cr_relay_of(step);
        return (cr_span){cr_relay_bytes(relay), (size_t)cr_relay_ready(relay, step, limit)};
    }
    cr_span payload = cr_payload(step);
    uint64_t left = payload.length - offset;
    size_t length = left < limit ? (size_t)left : (size_t)limit;
    if (step->kind != CR_STEP_FILE) return (cr_span){payload.bytes + offset, length};
    static const cr_span none = {NULL, 0};
    uint8_t *to = window(loop);
    if (!to) return none;
    const cr_file *file = cr_file_of(step);
    ssize_t got = read_at(file, to, length < CR_FILE_WINDOW ? length : CR_FILE_WINDOW, offset);
    if (got <= 0) return none;
    flip(file, to, (size_t)got, file->offset + offset);
    return (cr_span){to, (size_t)got};
}
