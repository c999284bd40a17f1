/* FILE steps: pieces of the body that are sent from a file, without a copy where the transport can do that, and otherwise
 * read a window at a time when the connection takes bytes, so that a slow client costs no memory. Bytes that a client
 * did not take are read again, from the system's cache. Where bytes are changed, windows are read. */
#include "conn.h"
#include "framing.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Framings are given a payload at addresses that nothing uses, so that its parts can be recognized. */
_Static_assert(sizeof(uintptr_t) == 8, "a file needs a range of addresses for itself");
static const uintptr_t NOWHERE = (uintptr_t)1 << 61;

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

static bool has_flips(const cr_file *file, uint64_t place, size_t length) {
    size_t first = first_flip(file, place);
    return first < file->flip_count && file->flips[first].place - place < length;
}

static uint8_t *window(cr_loop *loop) {
    if (!loop->file_window) loop->file_window = malloc(CR_FILE_WINDOW);
    return loop->file_window;
}

/* Reads the payload's parts, as far as they fit; parts after them are left out. */
static bool fill(cr_parts *parts, const cr_step *step, uint8_t *to, size_t room) {
    const cr_file *file = (const cr_file *)(const void *)step->bytes;
    size_t total = 0;
    for (int i = 0; i < parts->count; i++) {
        struct iovec *part = &parts->at[i];
        uintptr_t at = (uintptr_t)part->iov_base;
        if (at - NOWHERE < step->length) {
            size_t wanted = part->iov_len < room ? part->iov_len : room;
            ssize_t got = wanted ? read_at(file, to, wanted, at - NOWHERE) : 0;
            if (got < 0 || (wanted && got == 0)) return false;
            flip(file, to, (size_t)got, file->offset + (at - NOWHERE));
            if ((size_t)got < part->iov_len) parts->count = i + 1;
            *part = (struct iovec){to, (size_t)got};
            to += got;
            room -= (size_t)got;
        }
        total += part->iov_len;
    }
    parts->total = total;
    return true;
}

uintptr_t cr_parts_lay_payload(cr_parts *parts, const cr_step *step, cr_stream *stream) {
    cr_step body = *step;
    if (step->kind == CR_STEP_FILE) {
        body.kind = CR_STEP_BODY;
        body.bytes = (const uint8_t *)NOWHERE;
    }
    stream->framing->lay(stream, &body, parts);
    return (uintptr_t)cr_payload(&body).bytes;
}

ssize_t cr_stream_send_file(cr_stream *stream, const cr_step *step, uint64_t limit) {
    const cr_conn *conn = stream->conn;
    if (!conn->protocol->send_file || !conn->transport->send_file) return 0;
    cr_parts parts;
    cr_parts_init(&parts, stream->step_sent);
    cr_parts_lay_payload(&parts, step, stream);
    if (parts.count == 0) return 0;
    uint64_t place = (uintptr_t)parts.at[0].iov_base - NOWHERE;
    if (place >= step->length) return 0;
    size_t length = parts.at[0].iov_len;
    if (length > CR_FILE_DIRECT) length = CR_FILE_DIRECT;
    if (length > limit) length = (size_t)limit;
    const cr_file *file = (const cr_file *)(const void *)step->bytes;
    if (has_flips(file, file->offset + place, length)) return 0;
    ssize_t sent = conn->protocol->send_file(stream, file->fd, file->offset + place, length);
    /* A file that cannot be sent like this is read instead. */
    if (sent < 0 && (errno == EINVAL || errno == ENOSYS)) return 0;
    if (sent == 0) errno = 0;
    return sent == 0 ? -1 : sent;
}

bool cr_parts_lay_file(cr_parts *parts, const cr_step *step, cr_stream *stream, size_t limit) {
    uint8_t *to = window(cr_stream_loop(stream));
    if (!to) return false;
    cr_parts_lay_payload(parts, step, stream);
    return fill(parts, step, to, limit < CR_FILE_WINDOW ? limit : CR_FILE_WINDOW);
}
