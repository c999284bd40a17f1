/* Fuzzes the reader of servers' answers. The first byte selects the request and whether the connection ends after the
 * bytes, and seeds how they are split; the other bytes come from a server. Asserts that every offset is within the
 * head, that body, trailers and end do not depend on the split, and that no reusable connection has contradictory
 * framing. */
#include "cr_answer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* The result of reading an answer. */
typedef struct reading {
    uint64_t sum; /* checksum of all events, in order */
    uint64_t body_length;
    size_t behind;
    uint16_t status;
    bool keep_alive;
    cr_framing framing;
    cr_answer_event event;
    cr_request_error error;
} reading;

static void add(reading *to, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) to->sum = to->sum * 1099511628211ull + bytes[i] + 1;
}

static void add_answer(reading *to, const cr_answer *answer) {
    assert(answer->reason <= answer->head_length && answer->reason_length <= answer->head_length - answer->reason);
    if (answer->reason_length) add(to, answer->head + answer->reason, answer->reason_length);
    uint32_t last = 0;
    for (size_t i = 0; i < answer->field_count; i++) {
        const cr_field *field = &answer->fields[i];
        assert(field->name >= last && field->name_length > 0 && field->value > field->name + field->name_length - 1);
        last = field->value + field->value_length;
        assert(last <= answer->head_length);
        for (uint32_t at = field->name; at < last; at++) {
            uint8_t c = answer->head[at];
            assert(c == '\t' || (c >= 0x20 && c != 0x7f));
        }
        add(to, answer->head + field->name, field->name_length);
        if (field->value_length) add(to, answer->head + field->value, field->value_length);
    }
}

static void record(reading *to, cr_answer_event event, const cr_answer_details *details) {
    to->event = event;
    switch (event) {
    case CR_ANSWER_HEAD:
        to->status = details->answer.status;
        to->framing = details->answer.framing;
        to->keep_alive = details->answer.keep_alive;
        assert(to->status >= 200 || to->status == 101);
        assert(!to->keep_alive || (to->framing != CR_BY_END && to->framing != CR_SWITCHED));
        if (to->framing == CR_BY_LENGTH) assert(details->answer.length <= INT64_MAX);
        add_answer(to, &details->answer);
        break;
    case CR_ANSWER_INFORMATIONAL:
        assert(details->answer.status >= 100 && details->answer.status < 200);
        add_answer(to, &details->answer);
        break;
    case CR_ANSWER_DATA:
        assert(details->length > 0 && to->framing != CR_NO_BODY);
        to->body_length += details->length;
        add(to, details->data, details->length);
        break;
    case CR_ANSWER_END: add_answer(to, &details->answer); break;
    case CR_ANSWER_REFUSED:
        to->error = details->error;
        assert(details->error && cr_request_error_text(details->error)[0]);
        break;
    case CR_ANSWER_MORE: break;
    }
}

static bool is_over(cr_answer_event event) {
    return event == CR_ANSWER_END || event == CR_ANSWER_REFUSED;
}

static reading read_answer(const uint8_t *bytes, size_t length, cr_expected_answer expected, bool ends, uint32_t cuts) {
    reading found = {0};
    cr_answer_reader reader;
    cr_answer_details details;
    cr_answer_reader_init(&reader, expected);
    for (size_t at = 0; at < length && !is_over(found.event);) {
        size_t left = length - at, count = cuts ? 1 + next_random(&cuts) % left : left;
        uint8_t *block = malloc(count);
        memcpy(block, bytes + at, count);
        const uint8_t *from = block, *end = block + count;
        do {
            const uint8_t *before = from;
            record(&found, cr_answer_next(&reader, &from, end, &details), &details);
            assert(from >= before && from <= end);
        } while (found.event != CR_ANSWER_MORE && !is_over(found.event));
        if (found.event == CR_ANSWER_MORE) assert(from == end);
        if (found.event == CR_ANSWER_END) found.behind = length - at - (size_t)(from - block);
        free(block);
        at += count;
    }
    if (ends && !is_over(found.event)) {
        record(&found, cr_answer_ended(&reader, &details), &details);
        assert(is_over(found.event));
    }
    cr_answer_reader_clear(&reader);
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size < 1) return 0;
    cr_expected_answer expected = {.is_head = input[0] & 1, .may_switch = input[0] & 2};
    bool ends = input[0] & 4;
    reading whole = read_answer(input + 1, size - 1, expected, ends, 0);
    reading cut = read_answer(input + 1, size - 1, expected, ends, 1u + input[0]);
    bool is_same = whole.event == cut.event && whole.error == cut.error && whole.sum == cut.sum;
    /* A frame of HTTP/2 is recognized by its fourth byte, which may be missing in a split. */
    if (whole.error != CR_IS_HTTP2) {
        assert(is_same && whole.body_length == cut.body_length && whole.behind == cut.behind);
    }
    assert(whole.status == cut.status && whole.keep_alive == cut.keep_alive && whole.framing == cut.framing);
    return 0;
}
