#include "cr_http.h"

enum chunk_state { CHUNK_SIZE, CHUNK_EXTENSION, CHUNK_SIZE_LF, CHUNK_DATA, CHUNK_DATA_CR, CHUNK_DATA_LF };

/* The longest chunk-size line with extensions, and the most excess bytes of such lines: a chunk allows 16 bytes and
 * twice its data. */
enum { LINE_LIMIT = 4096, EXCESS_LIMIT = 16 * 1024 };

void cr_chunks_init(cr_chunks *chunks) {
    *chunks = (cr_chunks){.state = CHUNK_SIZE};
}

uint64_t cr_chunks_announced(const cr_chunks *chunks) {
    return chunks->state == CHUNK_DATA ? chunks->left : 0;
}

static int hex_value(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Parses one byte of a chunk-size line. Returns CR_OK or the error. */
static cr_request_error read_size_byte(cr_chunks *chunks, uint8_t c) {
    if (++chunks->line_length > LINE_LIMIT) return CR_BAD_CHUNK_SIZE;
    if (chunks->state == CHUNK_EXTENSION) {
        if (c == '\r') {
            chunks->state = CHUNK_SIZE_LF;
            return CR_OK;
        }
        return (c < 0x20 && c != '\t') || c == 0x7f ? CR_BAD_CHUNK_SIZE : CR_OK;
    }
    int digit = hex_value(c);
    if (digit >= 0) {
        /* No limit is near 2^60, and one more digit cannot overflow below that. */
        if (chunks->left >> 60) return CR_BODY_TOO_LARGE;
        chunks->left = chunks->left << 4 | (uint64_t)digit;
        if (chunks->digits < UINT8_MAX) chunks->digits++;
        return CR_OK;
    }
    if (chunks->digits == 0) return CR_BAD_CHUNK_SIZE;
    if (c == '\r') {
        chunks->state = CHUNK_SIZE_LF;
    } else if (c == ';') {
        chunks->state = CHUNK_EXTENSION;
    } else {
        return CR_BAD_CHUNK_SIZE;
    }
    return CR_OK;
}

/* Charges a complete chunk-size line against its data. */
static cr_request_error charge_line(cr_chunks *chunks) {
    uint64_t credit = 16 + 2 * (chunks->left < EXCESS_LIMIT ? chunks->left : EXCESS_LIMIT);
    uint64_t excess = (uint64_t)chunks->excess + chunks->line_length;
    chunks->excess = excess > credit ? (uint32_t)(excess - credit) : 0;
    return chunks->excess > EXCESS_LIMIT ? CR_TOO_MUCH_CHUNK_TEXT : CR_OK;
}

cr_chunk_event cr_chunks_next(cr_chunks *chunks, uint64_t limit, const uint8_t **bytes, const uint8_t *end,
    const uint8_t **data, size_t *length, cr_request_error *error) {
    while (*bytes < end) {
        switch (chunks->state) {
        case CHUNK_SIZE:
        case CHUNK_EXTENSION:
            *error = read_size_byte(chunks, *(*bytes)++);
            if (*error) return CR_CHUNK_REFUSED;
            break;
        case CHUNK_SIZE_LF:
            if (*(*bytes)++ != '\n') {
                *error = CR_BAD_CHUNK_SIZE;
                return CR_CHUNK_REFUSED;
            }
            *error = charge_line(chunks);
            if (*error) return CR_CHUNK_REFUSED;
            if (chunks->left == 0) return CR_CHUNK_LAST;
            if (chunks->left > limit) {
                *error = CR_BODY_TOO_LARGE;
                return CR_CHUNK_REFUSED;
            }
            chunks->state = CHUNK_DATA;
            break;
        case CHUNK_DATA: {
            size_t here = (size_t)(end - *bytes);
            *data = *bytes;
            *length = here < chunks->left ? here : (size_t)chunks->left;
            *bytes += *length;
            chunks->left -= *length;
            if (chunks->left == 0) chunks->state = CHUNK_DATA_CR;
            return CR_CHUNK_DATA;
        }
        case CHUNK_DATA_CR:
        case CHUNK_DATA_LF:
            if (*(*bytes)++ != (chunks->state == CHUNK_DATA_CR ? '\r' : '\n')) {
                *error = CR_BAD_CHUNK_END;
                return CR_CHUNK_REFUSED;
            }
            if (chunks->state == CHUNK_DATA_CR) {
                chunks->state = CHUNK_DATA_LF;
            } else {
                *chunks = (cr_chunks){.state = CHUNK_SIZE, .excess = chunks->excess};
            }
            break;
        }
    }
    return CR_CHUNK_MORE;
}
