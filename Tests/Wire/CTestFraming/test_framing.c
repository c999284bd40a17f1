#include "test_framing.h"

#include <stdio.h>

static void begin_frame(cr_parts *parts, char kind, size_t length) {
    uint8_t opening[5] = {(uint8_t)kind, (uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8),
                          (uint8_t)length};
    cr_parts_copy(parts, opening, sizeof opening);
}

static void frame(cr_parts *parts, char kind, cr_span payload) {
    begin_frame(parts, kind, payload.length);
    cr_parts_add(parts, payload.bytes, payload.length);
}

static void frame_fields(cr_parts *parts, cr_span fields) {
    cr_span name, value;
    while (cr_next_field(&fields, &name, &value)) {
        frame(parts, 'N', name);
        frame(parts, 'V', value);
    }
}

static void lay(cr_stream *stream, const cr_step *step, cr_parts *parts) {
    (void)stream;
    if (step->kind == CR_STEP_HEAD) {
        int64_t status;
        cr_span reason, fields = cr_head_read(step, &status, &reason);
        char digits[CR_CHUNK_LEAD_ROOM];
        size_t length = (size_t)snprintf(digits, sizeof digits, "%d", (int)status);
        begin_frame(parts, 'H', length);
        cr_parts_copy(parts, digits, length);
        frame_fields(parts, fields);
    } else if (step->kind == CR_STEP_END) {
        frame_fields(parts, cr_payload(step));
        frame(parts, 'E', (cr_span){NULL, 0});
    } else {
        frame(parts, step->kind == CR_STEP_BODY ? 'D' : 'R', cr_payload(step));
    }
}

const cr_framing *test_framing(void) {
    static const cr_framing framing = {.lay = lay};
    return &framing;
}
