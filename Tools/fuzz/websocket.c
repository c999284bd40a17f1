/* Fuzzes the reader of WebSocket frames. The first byte selects the side, the negotiated extension and the limits, and
 * seeds how the bytes are split. Asserts that the events do not depend on the split, that no message exceeds its limit,
 * that texts are UTF-8, and that a written message is read back. After a zero byte the input is the fields of a
 * handshake instead. */
#include "cr_websocket.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

typedef struct reading {
    uint64_t sum; /* checksum of all events, in order */
    uint32_t events;
    cr_ws_event last;
    cr_ws_error error;
} reading;

static void add(reading *to, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) to->sum = to->sum * 1099511628211ull + bytes[i] + 1;
}

static bool is_utf8(const uint8_t *bytes, size_t length) {
    cr_ws_utf8 at = {0};
    for (size_t i = 0; i < length; i++) {
        if (!cr_ws_utf8_feed(&at, bytes + i, 1)) return false;
    }
    return !at.left;
}

/* Writes a message as the other side would, and reads it back. */
static void write_and_read(const cr_ws_settings *settings, const cr_ws_details *told) {
    cr_ws_bytes packed = {0};
    cr_ws_frame frame = {.opcode = told->is_text ? CR_WS_TEXT : CR_WS_BINARY,
        .final = true,
        .masked = !settings->reads_server,
        .mask = {1, 200, 3, 0}};
    const uint8_t *payload = told->bytes;
    size_t length = told->length;
    if (settings->deflate && cr_ws_deflate(told->bytes, told->length, 8 + told->length % 8, &packed)) {
        payload = packed.bytes;
        length = packed.length;
        frame.compressed = true;
    }
    uint8_t *block = malloc(CR_WS_HEADER_ROOM + length);
    size_t begin = cr_ws_put_header(block, &frame, length);
    if (length) memcpy(block + begin, payload, length);
    if (frame.masked) cr_ws_mask(block + begin, length, frame.mask, 0);
    cr_ws_settings wide = *settings;
    wide.text_limit = wide.binary_limit = told->length > length ? told->length : length;
    wide.fragment_limit = 1;
    cr_ws_reader reader;
    cr_ws_reader_init(&reader, &wide);
    cr_ws_details details;
    uint8_t *at = block, *end = block + begin + length;
    assert(cr_ws_next(&reader, &at, end, &details) == CR_WS_MESSAGE && at == end);
    assert(details.length == told->length && details.is_text == told->is_text);
    assert(!details.length || memcmp(details.bytes, told->bytes, details.length) == 0);
    cr_ws_reader_clear(&reader);
    cr_ws_bytes_free(&packed);
    free(block);
}

static void record(
    reading *to, cr_ws_event event, const cr_ws_details *details, const cr_ws_settings *settings, bool writes) {
    assert(to->last != CR_WS_CLOSED && to->last != CR_WS_REFUSED);
    to->last = event;
    to->events++;
    uint8_t kind[3] = {(uint8_t)event, details->is_text, details->was_compressed};
    add(to, kind, sizeof kind);
    add(to, (const uint8_t *)&details->fragments, sizeof details->fragments);
    add(to, (const uint8_t *)&details->code, sizeof details->code);
    if (details->length) add(to, details->bytes, details->length);
    switch (event) {
    case CR_WS_MESSAGE:
        assert(details->length <= (details->is_text ? settings->text_limit : settings->binary_limit));
        assert(details->fragments > 0 && details->fragments <= settings->fragment_limit);
        assert(!details->was_compressed || settings->deflate);
        assert(!details->is_text || is_utf8(details->bytes, details->length));
        if (writes) write_and_read(settings, details);
        break;
    case CR_WS_PINGED:
    case CR_WS_PONGED: assert(details->length <= CR_WS_CONTROL_LIMIT); break;
    case CR_WS_CLOSED:
        assert(details->code == 1005 ? details->length == 0 : cr_ws_code_is_valid(details->code));
        assert(is_utf8(details->bytes, details->length));
        break;
    case CR_WS_REFUSED:
        to->error = details->error;
        assert(
            details->error && cr_ws_error_text(details->error)[0] && details->code == cr_ws_error_code(details->error));
        break;
    case CR_WS_MORE: break;
    }
}

static reading read_frames(const cr_ws_settings *settings, const uint8_t *bytes, size_t length, uint32_t cuts) {
    reading found = {0};
    cr_ws_reader reader;
    cr_ws_details details;
    cr_ws_reader_init(&reader, settings);
    uint64_t limit = settings->text_limit > settings->binary_limit ? settings->text_limit : settings->binary_limit;
    for (size_t at = 0; at < length;) {
        size_t left = length - at, count = cuts ? 1 + next_random(&cuts) % left : left;
        if (cuts & 1) count = 1;
        uint8_t *block = malloc(count);
        memcpy(block, bytes + at, count);
        uint8_t *from = block, *end = block + count;
        for (;;) {
            uint8_t *before = from;
            cr_ws_event event = cr_ws_next(&reader, &from, end, &details);
            assert(from >= before && from <= end);
            /* The initial buffer, and growth by doubling. */
            assert(cr_ws_reader_memory(&reader) <= 2 * limit + 1024);
            if (event == CR_WS_MORE) break;
            record(&found, event, &details, settings, !cuts);
        }
        assert(from == end);
        free(block);
        at += count;
    }
    cr_ws_reader_clear(&reader);
    return found;
}

static void read_fields(const uint8_t *bytes, size_t length) {
    char accept[CR_WS_ACCEPT_LENGTH], text[CR_WS_DEFLATE_ANSWER_ROOM];
    if (cr_ws_accept(accept, bytes, length)) assert(length == 24);
    cr_ws_deflate_params terms = {0}, answer;
    if (cr_ws_parse_deflate_offers(&terms, bytes, length) && terms.agreed) {
        assert(terms.server_window_bits >= 8 && terms.server_window_bits <= 15);
        size_t written = cr_ws_put_deflate_answer(text, &terms);
        assert(written < CR_WS_DEFLATE_ANSWER_ROOM);
        assert(cr_ws_parse_deflate_answer(&answer, (const uint8_t *)text, written) && answer.agreed);
        assert(answer.server_window_bits == terms.server_window_bits);
    }
    cr_ws_parse_deflate_answer(&answer, bytes, length);
    const uint8_t *at = bytes, *end = bytes + length, *token;
    size_t count;
    while (cr_ws_next_token(&at, end, &token, &count) > 0) assert(count > 0 && token >= bytes && token + count <= at);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size < 2) return 0;
    uint8_t *bytes = malloc(size - 1);
    memcpy(bytes, input + 1, size - 1);
    if (!input[0]) {
        read_fields(bytes, size - 1);
    } else {
        cr_ws_settings settings = {
            .reads_server = input[0] & 1,
            .deflate = input[0] & 2,
            .fragment_limit = input[0] & 4 ? 3 : 100000,
            .text_limit = input[0] & 8 ? 50 : 100000,
            .binary_limit = input[0] & 16 ? 40 : 200000,
        };
        reading whole = read_frames(&settings, bytes, size - 1, 0);
        reading cut = read_frames(&settings, bytes, size - 1, 2u * input[0]);
        reading crumbs = read_frames(&settings, bytes, size - 1, 2u * input[0] + 1);
        assert(
            whole.sum == cut.sum && whole.events == cut.events && whole.last == cut.last && whole.error == cut.error);
        assert(whole.sum == crumbs.sum && whole.events == crumbs.events && whole.error == crumbs.error);
    }
    free(bytes);
    return 0;
}
