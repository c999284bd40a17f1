/* How much of its body a stream has sent, without the framing: asked once, of an answer that was cut. */
#include "framing.h"
#include "stream.h"

static bool is_of_body(const cr_step *step) {
    return step->kind == CR_STEP_BODY || step->kind == CR_STEP_FILE;
}

static uint64_t payload_length(const cr_step *step) {
    return step->length - step->lead - step->trail;
}

uint64_t cr_body_length(const cr_step *script, uint32_t count) {
    uint64_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_of_body(&script[i])) length += payload_length(&script[i]);
    }
    return length;
}

/* The bytes of a part that lie in a range of memory. */
static uint64_t shared(const struct iovec *part, uintptr_t start, uint64_t length) {
    uintptr_t first = (uintptr_t)part->iov_base, last = first + part->iov_len, end = start + length;
    if (first < start) first = start;
    if (last > end) last = end;
    return first < last ? last - first : 0;
}

/* What is left of the payload of the step at which the stream is: the framing lays out all that has not been sent. */
static uint64_t payload_left(cr_stream *stream) {
    const cr_step *step = &stream->script[stream->step];
    cr_parts parts;
    cr_parts_init(&parts, stream->step_sent);
    uintptr_t payload = cr_parts_lay_payload(&parts, step, stream);
    uint64_t left = 0;
    for (int i = 0; i < parts.count; i++) left += shared(&parts.at[i], payload, payload_length(step));
    return left;
}

uint64_t cr_stream_body_sent(cr_stream *stream) {
    const cr_step *script = stream->script;
    uint64_t sent = stream->body_before;
    if (!script) return sent;
    sent += cr_body_length(script, stream->step);
    const cr_step *step = &script[stream->step];
    if (stream->step_sent && is_of_body(step)) sent += payload_length(step) - payload_left(stream);
    return sent;
}
