/* The producer's side of relays. Bytes that arrive while the stream waits are sent in place; only what the client does
 * not take is copied. */
#include "relay.h"

#include <stdlib.h>
#include <string.h>

cr_relay *cr_relay_new(const cr_relay_hooks *hooks) {
    cr_relay *relay = calloc(1, sizeof *relay);
    if (!relay) return NULL;
    relay->hooks = *hooks;
    return relay;
}

void cr_relay_free(cr_relay *relay) {
    if (relay->stream) relay->stream->relay = NULL;
    cr_buffer_clear(&relay->buffered);
    free(relay);
}

void cr_relay_set_context(cr_relay *relay, void *context) {
    relay->context = context;
}

void *cr_relay_context(const cr_relay *relay) {
    return relay->context;
}

void cr_relay_attach(cr_relay *relay, cr_stream *stream) {
    cr_relay_bind(relay, stream);
}

/* Appends bytes to the buffer. */
static void buffer(cr_relay *relay, const uint8_t *bytes, size_t length) {
    if (!length || relay->detached) return;
    if (relay->at > relay->buffered.length / 2) {
        relay->buffered.length -= relay->at;
        memmove(relay->buffered.bytes, relay->buffered.bytes + relay->at, relay->buffered.length);
        relay->at = 0;
    }
    if (!cr_buffer_append(&relay->buffered, bytes, length)) relay->broken = true;
    cr_relay_count_memory(relay);
}

/* Buffers the rest of the bytes being added. */
static void buffer_rest(cr_relay *relay) {
    cr_span given = relay->given;
    relay->given = (cr_span){NULL, 0};
    buffer(relay, given.bytes, given.length);
}

/* Resumes the waiting stream. */
static void resume_stream(cr_relay *relay) {
    relay->waiting = false;
    cr_stream_resume(relay->stream);
}

bool cr_relay_add(cr_relay *relay, const uint8_t *bytes, size_t length) {
    /* The end of a stream may have made the producer call this recursively. */
    buffer_rest(relay);
    if (relay->waiting && length) {
        relay->given = (cr_span){bytes, length};
        resume_stream(relay);
        buffer_rest(relay);
    } else {
        buffer(relay, bytes, length);
    }
    if (cr_relay_count(relay) >= CR_RELAY_ROOM) relay->full = true;
    return !relay->full;
}

bool cr_relay_has_room(const cr_relay *relay) {
    return !relay->full;
}

void cr_relay_close(cr_relay *relay) {
    relay->closed = true;
    if (relay->waiting) resume_stream(relay);
}

size_t cr_relay_buffered(const cr_relay *relay) {
    return relay->buffered.length - relay->at;
}

void cr_relay_copy(const cr_relay *relay, size_t offset, uint8_t *to, size_t length) {
    memcpy(to, relay->buffered.bytes + relay->at + offset, length);
}

void cr_relay_flip(cr_relay *relay, size_t offset, uint8_t mask) {
    relay->buffered.bytes[relay->at + offset] ^= mask;
}
