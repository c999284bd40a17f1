/* permessage-deflate (RFC 7692). No zlib state is kept between messages, so that open channels cost no memory. */
#include "cr_websocket.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Removed from the end of a compressed message by the sender, and restored by the receiver (section 7.2.1). */
static const uint8_t tail[4] = {0, 0, 0xff, 0xff};

/* Most bytes of one zlib call; initial output capacity; longer messages are compressed fast. */
enum { MAX_CALL_BYTES = 1 << 30, INITIAL_CAPACITY = 512, FAST_ABOVE = 65536 };

void cr_ws_bytes_free(cr_ws_bytes *bytes) {
    free(bytes->bytes);
    *bytes = (cr_ws_bytes){0};
}

/* Chooses zlib's window and memory level for a message of this length: the defaults clear 256 KiB. */
static void choose_window(size_t length, unsigned window_bits, int *window, int *memory) {
    *window = 9;
    while (*window < 15 && (size_t)1 << *window < length) ++*window;
    /* zlib has no 256-byte window; its 512-byte window never uses more than 250. */
    int max = window_bits < 9 ? 9 : (int)window_bits;
    if (*window > max) *window = max;
    *memory = *window > 13 ? 8 : *window - 8 > 1 ? *window - 6 : 1;
}

bool cr_ws_deflate(const uint8_t *bytes, size_t length, unsigned window_bits, cr_ws_bytes *to) {
    z_stream stream = {0};
    int window, memory;
    choose_window(length, window_bits, &window, &memory);
    int level = length > FAST_ABOVE ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION;
    if (deflateInit2(&stream, level, Z_DEFLATED, -window, memory, Z_DEFAULT_STRATEGY) != Z_OK) return false;
    to->capacity = deflateBound(&stream, length) + 16;
    to->bytes = malloc(to->capacity);
    int status = to->bytes ? Z_OK : Z_MEM_ERROR;
    while (status == Z_OK && to->bytes) {
        size_t some = length < MAX_CALL_BYTES ? length : MAX_CALL_BYTES, room = to->capacity - to->length;
        stream.next_in = (uint8_t *)(uintptr_t)bytes; /* zlib only reads it */
        stream.avail_in = (uInt)some;
        stream.next_out = to->bytes + to->length;
        stream.avail_out = (uInt)(room < MAX_CALL_BYTES ? room : MAX_CALL_BYTES);
        status = deflate(&stream, some == length ? Z_SYNC_FLUSH : Z_NO_FLUSH);
        bytes += some - stream.avail_in;
        length -= some - stream.avail_in;
        to->length = (size_t)(stream.next_out - to->bytes);
        if (status == Z_OK && length == 0 && stream.avail_out) break;
        if (to->length < to->capacity) continue;
        uint8_t *wider = realloc(to->bytes, to->capacity * 2);
        if (!wider) {
            status = Z_MEM_ERROR;
            break;
        }
        to->bytes = wider;
        to->capacity *= 2;
    }
    deflateEnd(&stream);
    if (status != Z_OK || to->length < sizeof tail) {
        cr_ws_bytes_free(to);
        return false;
    }
    to->length -= sizeof tail;
    return true;
}

/* Grows the output, to at most one byte beyond the limit. */
static bool grow(cr_ws_bytes *to, uint64_t limit) {
    uint64_t max = limit < SIZE_MAX - 1 ? limit + 1 : SIZE_MAX;
    uint64_t wanted = to->capacity ? (uint64_t)to->capacity * 2 : INITIAL_CAPACITY;
    if (wanted > max) wanted = max;
    uint8_t *wider = realloc(to->bytes, (size_t)wanted);
    if (!wider) return false;
    to->bytes = wider;
    to->capacity = (size_t)wanted;
    return true;
}

/* zlib's data_type bit for a state between two blocks. */
enum { BETWEEN_BLOCKS = 128 };

/* Inflates a part of a message. `*is_over`: it ended with the sender's last block. */
static cr_ws_error inflate_part(
    z_stream *stream, const uint8_t *bytes, size_t length, uint64_t limit, cr_ws_bytes *to, bool *is_over
) {
    for (;;) {
        if (to->length == to->capacity && !grow(to, limit)) return CR_WS_NO_MEMORY;
        size_t some = length < MAX_CALL_BYTES ? length : MAX_CALL_BYTES, room = to->capacity - to->length;
        stream->next_in = (uint8_t *)(uintptr_t)bytes;
        stream->avail_in = (uInt)some;
        stream->next_out = to->bytes + to->length;
        stream->avail_out = (uInt)(room < MAX_CALL_BYTES ? room : MAX_CALL_BYTES);
        int status = inflate(stream, Z_SYNC_FLUSH);
        bytes += some - stream->avail_in;
        length -= some - stream->avail_in;
        to->length = (size_t)(stream->next_out - to->bytes);
        if (to->length > limit) return CR_WS_INFLATES_TOO_LARGE;
        /* A sender may end its last block and begin another (section 7.2.3.5). */
        if (status == Z_STREAM_END) {
            *is_over = length == 0;
            if (*is_over) return CR_WS_OK;
            if (inflateReset(stream) != Z_OK) return CR_WS_NO_MEMORY;
            continue;
        }
        if (status == Z_MEM_ERROR) return CR_WS_NO_MEMORY;
        if (status != Z_OK && status != Z_BUF_ERROR) return CR_WS_NOT_DEFLATED;
        if (length == 0 && stream->avail_out) return CR_WS_OK;
        if (status == Z_BUF_ERROR && stream->avail_out) return CR_WS_NOT_DEFLATED;
    }
}

cr_ws_error cr_ws_inflate(const uint8_t *bytes, size_t length, uint64_t limit, cr_ws_bytes *to) {
    z_stream stream = {0};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return CR_WS_NO_MEMORY;
    bool is_over = false;
    cr_ws_error error = inflate_part(&stream, bytes, length, limit, to, &is_over);
    if (!error && !is_over) {
        error = inflate_part(&stream, tail, sizeof tail, limit, to, &is_over);
        /* The tail must be a block of its own, not the rest of a cut one. */
        if (!error && !is_over && !(stream.data_type & BETWEEN_BLOCKS)) error = CR_WS_NOT_DEFLATED;
    }
    inflateEnd(&stream);
    return error;
}
