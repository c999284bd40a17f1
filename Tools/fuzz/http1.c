/* Fuzzes the parser of heads, targets and chunked bodies. The first byte seeds the cuts; a client sends the others.
 * Asserts that every offset is within the head, that a parse does not depend on how the bytes are cut, and that a
 * refusal has the same position and reason. Each buffer has its own block, so that AddressSanitizer detects reads
 * beyond the bytes that have arrived. */
#include "cr_http.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const cr_head_limits limits = {.length = 2048, .target = 256};
enum { BODY_LIMIT = 4096 };

typedef struct parse {
    cr_head head;
    cr_progress progress;
    cr_request_error error;
} parse;

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Copies bytes into a block of exactly their size. */
static uint8_t *exact_copy(const uint8_t *bytes, size_t length) {
    uint8_t *copy = malloc(length ? length : 1);
    if (length) memcpy(copy, bytes, length);
    return copy;
}

/* Feeds a head, each time from a new block, because a growing buffer moves. */
static void feed_head(parse *parse, const uint8_t *bytes, size_t length, size_t from, uint32_t cuts) {
    size_t arrived = from;
    do {
        size_t left = length - arrived;
        arrived += cuts && left ? 1 + next_random(&cuts) % left : left;
        uint8_t *block = exact_copy(bytes, arrived);
        parse->error = CR_OK;
        parse->progress = cr_head_feed(&parse->head, block, arrived, &limits, &parse->error);
        assert(parse->head.position <= arrived);
        assert((parse->progress == CR_REFUSED) == (parse->error != CR_OK));
        if (parse->progress == CR_MORE) assert(parse->head.position == arrived);
        free(block);
    } while (parse->progress == CR_MORE && arrived < length);
}

static void check_range(uint32_t from, uint32_t length, size_t end) {
    assert(from <= end && length <= end - from);
}

static void check_fields(const cr_head *head, const uint8_t *bytes) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < head->field_count + head->trailer_count; i++) {
        const cr_field *field = &head->fields[i];
        check_range(field->name, field->name_length, head->position);
        check_range(field->value, field->value_length, head->position);
        assert(field->name_length > 0);
        assert(field->name >= last && field->value > field->name + field->name_length - 1);
        last = field->value + field->value_length;
        for (uint32_t j = 0; j < field->value_length; j++) {
            uint8_t c = bytes[field->value + j];
            assert(c == '\t' || (c >= 0x20 && c != 0x7f));
        }
        if (field->value_length) {
            uint8_t first = bytes[field->value], end = bytes[field->value + field->value_length - 1];
            assert(first != ' ' && first != '\t' && end != ' ' && end != '\t');
        }
    }
}

static void check_target(const cr_head *head, const uint8_t *bytes) {
    cr_request request = {.head = bytes, .head_length = head->position, .method = head->method,
                          .method_length = head->method_length, .target = head->target,
                          .target_length = head->target_length};
    assert(head->target_length > 0 && head->target_length <= limits.target);
    if (cr_target_split(&request)) return;
    uint32_t end = request.target + request.target_length;
    assert(request.url >= request.target);
    check_range(request.url, request.url_length, end);
    check_range(request.authority, request.authority_length, end);
    assert(request.path_length <= request.url_length);
    if (request.url_length > request.path_length) {
        assert(bytes[request.url + request.path_length] == '?' && request.url_length > request.path_length + 1);
    }
}

static void check_same(const parse *one, const parse *other) {
    assert(one->progress == other->progress && one->error == other->error);
    assert(one->head.state == other->head.state);
    if (one->progress == CR_REFUSED) return;
    assert(one->head.position == other->head.position);
    assert(one->head.field_count == other->head.field_count && one->head.trailer_count == other->head.trailer_count);
    size_t size = (one->head.field_count + one->head.trailer_count) * sizeof(cr_field);
    assert(memcmp(one->head.fields, other->head.fields, size) == 0);
    assert(one->head.content_length == other->head.content_length && one->head.chunked == other->head.chunked);
    assert(one->head.close_wanted == other->head.close_wanted && one->head.keep_wanted == other->head.keep_wanted);
}

typedef struct body {
    uint8_t bytes[8192];
    size_t length;
    size_t consumed;
    cr_chunk_event event;
    cr_request_error error;
} body;

/* Decodes a chunked body from blocks that end with the bytes that have arrived. */
static void feed_chunks(body *body, const uint8_t *bytes, size_t length, uint32_t cuts) {
    cr_chunks chunks;
    cr_chunks_init(&chunks);
    memset(body, 0, sizeof *body);
    for (size_t arrived = 0; arrived < length;) {
        size_t left = length - arrived, count = cuts ? 1 + next_random(&cuts) % left : left;
        uint8_t *block = exact_copy(bytes + arrived, count);
        const uint8_t *at = block, *end = block + count;
        do {
            const uint8_t *data = NULL, *before = at;
            size_t data_length = 0;
            body->event = cr_chunks_next(&chunks, UINT64_MAX, &at, end, &data, &data_length, &body->error);
            assert(at >= before && at <= end);
            if (body->event != CR_CHUNK_DATA) continue;
            assert(data_length > 0 && data >= before && data + data_length <= end && at == data + data_length);
            if (body->length + data_length <= sizeof body->bytes) {
                memcpy(body->bytes + body->length, data, data_length);
                body->length += data_length;
            }
        } while (body->event == CR_CHUNK_DATA);
        body->consumed = arrived + (size_t)(at - block);
        free(block);
        arrived += count;
        if (body->event != CR_CHUNK_MORE) return;
        assert(body->consumed == arrived);
    }
}

/* Parses trailer fields after the head, in one block with it, as a connection collects them. */
static void check_trailers(
    parse *whole, parse *cut, const uint8_t *head, const uint8_t *bytes, size_t length, uint32_t cuts) {
    size_t start = whole->head.position, total = start + length;
    uint8_t *block = malloc(total);
    memcpy(block, head, start);
    memcpy(block + start, bytes, length);
    cr_head_begin_trailers(&whole->head, (uint32_t)start);
    cr_head_begin_trailers(&cut->head, (uint32_t)start);
    feed_head(whole, block, total, start, 0);
    feed_head(cut, block, total, start, cuts);
    check_same(whole, cut);
    if (whole->progress == CR_DONE) check_fields(&whole->head, block);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size < 1) return 0;
    uint32_t cuts = 1u + input[0];
    const uint8_t *bytes = input + 1;
    size_t length = size - 1;

    parse whole, cut;
    cr_head_init(&whole.head);
    cr_head_init(&cut.head);
    feed_head(&whole, bytes, length, 0, 0);
    feed_head(&cut, bytes, length, 0, cuts);
    check_same(&whole, &cut);
    if (whole.progress == CR_DONE) {
        check_fields(&whole.head, bytes);
        check_target(&whole.head, bytes);
        assert(!(whole.head.chunked && whole.head.has_length));
        size_t rest = length - whole.head.position;
        if (whole.head.chunked && rest) {
            static body at_once, in_parts;
            const uint8_t *from = bytes + whole.head.position;
            feed_chunks(&at_once, from, rest, 0);
            feed_chunks(&in_parts, from, rest, cuts);
            assert(at_once.event == in_parts.event && at_once.error == in_parts.error);
            assert(at_once.consumed == in_parts.consumed && at_once.length == in_parts.length);
            assert(memcmp(at_once.bytes, in_parts.bytes, at_once.length) == 0);
            if (at_once.event == CR_CHUNK_LAST && at_once.consumed < rest) {
                check_trailers(&whole, &cut, bytes, from + at_once.consumed, rest - at_once.consumed, cuts);
            }
        }
    }
    cr_head_reset(&whole.head);
    cr_head_reset(&cut.head);
    assert(whole.head.field_count == 0 && whole.head.fields == whole.head.inline_fields);
    return 0;
}
