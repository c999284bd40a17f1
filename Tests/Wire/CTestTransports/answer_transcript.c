#include "answer_transcript.h"

#include "cr_answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct transcript {
    char *text;
    size_t room, length;
    bool in_data;
} transcript;

__attribute__((format(printf, 2, 3))) static void put(transcript *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->length, to->room - to->length, format, arguments);
    va_end(arguments);
    size_t left = to->room - to->length - 1;
    to->length += (size_t)length < left ? (size_t)length : left;
}

/* Ends a run of data, and starts the next part. */
static void begin(transcript *to) {
    if (to->in_data) put(to, ">");
    if (to->length) put(to, " | ");
    to->in_data = false;
}

static void put_fields(transcript *to, const cr_answer *answer) {
    for (size_t i = 0; i < answer->field_count; i++) {
        const cr_field *field = &answer->fields[i];
        put(to, " [%.*s=%.*s]", (int)field->name_length, (const char *)answer->head + field->name,
            (int)field->value_length, (const char *)answer->head + field->value);
    }
}

static void put_head(transcript *to, const cr_answer *answer) {
    begin(to);
    put(to, "%u", answer->status);
    if (answer->reason_length) {
        put(to, " %.*s", (int)answer->reason_length, (const char *)answer->head + answer->reason);
    }
    if (answer->status >= 200 || answer->status == 101) {
        static const char *const framings[] = {"none", "length", "chunks", "until-end", "switched"};
        put(to, "%s %s %s", answer->version_minor ? "" : " 1.0", answer->keep_alive ? "keep" : "close",
            framings[answer->framing]);
        if (answer->framing == CR_BY_LENGTH) put(to, "=%llu", (unsigned long long)answer->length);
    }
    put_fields(to, answer);
}

static void put_data(transcript *to, const cr_answer_details *details) {
    if (!to->in_data) {
        begin(to);
        put(to, "<");
        to->in_data = true;
    }
    put(to, "%.*s", (int)details->length, (const char *)details->data);
}

static void put_end(transcript *to, const cr_answer_details *details, size_t behind) {
    begin(to);
    put(to, "end");
    put_fields(to, &details->answer);
    if (behind) put(to, " +%zu", behind);
}

/* Returns whether the answer continues. */
static bool put_event(transcript *to, cr_answer_event event, const cr_answer_details *details, size_t behind) {
    switch (event) {
    case CR_ANSWER_INFORMATIONAL:
    case CR_ANSWER_HEAD: put_head(to, &details->answer); return true;
    case CR_ANSWER_DATA: put_data(to, details); return true;
    case CR_ANSWER_END: put_end(to, details, behind); return false;
    case CR_ANSWER_REFUSED:
        begin(to);
        put(to, "refused: %s", cr_request_error_text(details->error));
        return false;
    case CR_ANSWER_MORE: break;
    }
    return true;
}

void answer_transcript(const uint8_t *bytes, size_t length, answer_case how, char *text, size_t room) {
    transcript to = {.text = text, .room = room};
    cr_answer_reader reader;
    cr_answer_details details = {0};
    cr_answer_reader_init(&reader, (cr_expected_answer){.is_head = how.is_head, .may_switch = how.may_switch});
    bool goes_on = true;
    text[0] = 0;
    for (size_t at = 0; goes_on && at < length;) {
        size_t count = how.cut && how.cut < length - at ? how.cut : length - at;
        /* A block of the exact size, so that AddressSanitizer detects reads beyond it. */
        uint8_t *block = malloc(count);
        memcpy(block, bytes + at, count);
        const uint8_t *from = block;
        cr_answer_event event = CR_ANSWER_DATA;
        while (goes_on && event != CR_ANSWER_MORE) {
            event = cr_answer_next(&reader, &from, block + count, &details);
            goes_on = put_event(&to, event, &details, length - at - (size_t)(from - block));
        }
        free(block);
        at += count;
    }
    if (goes_on && how.ends) goes_on = put_event(&to, cr_answer_ended(&reader, &details), &details, 0);
    if (goes_on) {
        begin(&to);
        put(&to, "more");
    }
    cr_answer_reader_clear(&reader);
}
