/* The bytes of steps, wherever they are: those of files are read a window at a time when they are sent, so that a slow
 * client costs no memory. Bytes that a client did not take are read again, from the system's cache. */
#include "conn.h"
#include "relay.h"

#include <stdlib.h>
#include <unistd.h>

static ssize_t read_at(const cr_file *file, uint8_t *to, size_t length, uint64_t place) {
    for (;;) {
        ssize_t got = pread(file->fd, to, length, (off_t)(file->offset + place));
        if (got >= 0 || errno != EINTR) return got;
    }
}

/* The first flip at or behind a place of the file; `flip_count` if there is none. */
static size_t first_flip(const cr_file *file, uint64_t place) {
    size_t low = 0, high = file->flip_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->flips[middle].place < place) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Changes the bytes that were read from a place of the file on. */
static void flip(const cr_file *file, uint8_t *bytes, size_t length, uint64_t place) {
    for (size_t i = first_flip(file, place); i < file->flip_count && file->flips[i].place - place < length; i++) {
        bytes[file->flips[i].place - place] ^= file->flips[i].mask;
    }
}

bool cr_file_changes(const cr_step *step, uint64_t place, size_t length) {
    const cr_file *file = cr_file_of(step);
    place += file->offset;
    size_t first = first_flip(file, place);
    return first < file->flip_count && file->flips[first].place - place < length;
}

static uint8_t *window(cr_loop *loop) {
    if (!cr_service_of(loop)->file_window) cr_service_of(loop)->file_window = malloc(CR_FILE_WINDOW);
    return cr_service_of(loop)->file_window;
}

cr_span cr_payload_at(cr_loop *loop, const cr_step *step, uint64_t place, uint64_t limit) {
    if (step->kind == CR_STEP_RELAY) {
        const cr_relay *relay = cr_relay_of(step);
        return (cr_span){cr_relay_bytes(relay), (size_t)cr_relay_ready(relay, step, limit)};
    }
    cr_span payload = cr_payload(step);
    uint64_t left = payload.length - place;
    size_t length = left < limit ? (size_t)left : (size_t)limit;
    if (step->kind != CR_STEP_FILE) return (cr_span){payload.bytes + place, length};
    static const cr_span none = {NULL, 0};
    uint8_t *to = window(loop);
    if (!to) return none;
    const cr_file *file = cr_file_of(step);
    ssize_t got = read_at(file, to, length < CR_FILE_WINDOW ? length : CR_FILE_WINDOW, place);
    if (got <= 0) return none;
    flip(file, to, (size_t)got, file->offset + place);
    return (cr_span){to, (size_t)got};
}
