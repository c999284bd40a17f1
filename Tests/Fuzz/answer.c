/* Fuzzes the reader of other servers' answers. The first byte says what was asked for, whether the connection ends behind the
 * bytes, and seeds the cuts; a server sends the others. Asserts that every offset is within the head, that the body, the trailers
 * and the end do not depend on how the bytes are cut, and that no answer that is kept alive contradicts itself. */
#include "cr_answer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* What was read of an answer. */
typedef struct reading {
    uint64_t sum; /* of all that was told, in its order */
    uint64_t body_length;
    size_t behind;
    uint16_t status;
    bool keep_alive;
    cr_framing framing;
    cr_answer_event event;
    cr_fault fault;
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

static void take(reading *to, cr_answer_event event, const cr_answer_piece *piece) {
    to->event = event;
    switch (event) {
    case CR_ANSWER_HEAD:
        to->status = piece->answer.status;
        to->framing = piece->answer.framing;
        to->keep_alive = piece->answer.keep_alive;
        assert(to->status >= 200 || to->status == 101);
        assert(!to->keep_alive || (to->framing != CR_BY_END && to->framing != CR_SWITCHED));
        if (to->framing == CR_BY_LENGTH) assert(piece->answer.length <= INT64_MAX);
        add_answer(to, &piece->answer);
        break;
    case CR_ANSWER_INFORMS:
        assert(piece->answer.status >= 100 && piece->answer.status < 200);
        add_answer(to, &piece->answer);
        break;
    case CR_ANSWER_DATA:
        assert(piece->length > 0 && to->framing != CR_NO_BODY);
        to->body_length += piece->length;
        add(to, piece->data, piece->length);
        break;
    case CR_ANSWER_END: add_answer(to, &piece->answer); break;
    case CR_ANSWER_REFUSED:
        to->fault = piece->fault;
        assert(piece->fault && cr_fault_text(piece->fault)[0]);
        break;
    case CR_ANSWER_MORE: break;
    }
}

static bool is_over(cr_answer_event event) {
    return event == CR_ANSWER_END || event == CR_ANSWER_REFUSED;
}

static reading read_answer(const uint8_t *bytes, size_t length, cr_asked asked, bool ends, uint32_t cuts) {
    reading found = {0};
    cr_answer_reader reader;
    cr_answer_piece piece;
    cr_answer_reader_init(&reader, asked);
    for (size_t at = 0; at < length && !is_over(found.event);) {
        size_t left = length - at, count = cuts ? 1 + next_random(&cuts) % left : left;
        uint8_t *block = malloc(count);
        memcpy(block, bytes + at, count);
        const uint8_t *from = block, *end = block + count;
        do {
            const uint8_t *before = from;
            take(&found, cr_answer_next(&reader, &from, end, &piece), &piece);
            assert(from >= before && from <= end);
        } while (found.event != CR_ANSWER_MORE && !is_over(found.event));
        if (found.event == CR_ANSWER_MORE) assert(from == end);
        if (found.event == CR_ANSWER_END) found.behind = length - at - (size_t)(from - block);
        free(block);
        at += count;
    }
    if (ends && !is_over(found.event)) {
        take(&found, cr_answer_ended(&reader, &piece), &piece);
        assert(is_over(found.event));
    }
    cr_answer_reader_clear(&reader);
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size < 1) return 0;
    cr_asked asked = {.head_alone = input[0] & 1, .to_switch = input[0] & 2};
    bool ends = input[0] & 4;
    reading whole = read_answer(input + 1, size - 1, asked, ends, 0);
    reading cut = read_answer(input + 1, size - 1, asked, ends, 1u + input[0]);
    bool is_same = whole.event == cut.event && whole.fault == cut.fault && whole.sum == cut.sum;
    /* A frame of HTTP/2 is known by its fourth byte, if that is there. */
    if (whole.fault != CR_IS_HTTP2) assert(is_same && whole.body_length == cut.body_length && whole.behind == cut.behind);
    assert(whole.status == cut.status && whole.keep_alive == cut.keep_alive && whole.framing == cut.framing);
    return 0;
}
