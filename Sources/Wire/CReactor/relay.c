/* What the producer of a relay does. What comes while the stream waits for it is sent from where it lies; only what the
 * client does not take is copied. */
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
    cr_buffer_clear(&relay->kept);
    free(relay);
}

void cr_relay_set_context(cr_relay *relay, void *context) {
    relay->context = context;
}

void *cr_relay_context(const cr_relay *relay) {
    return relay->context;
}

void cr_relay_attach(cr_relay *relay, cr_stream *stream) {
    cr_relay_go_to(relay, stream);
}

/* Copies bytes behind those that are kept. */
static void keep(cr_relay *relay, const uint8_t *bytes, size_t length) {
    if (!length || relay->left) return;
    if (relay->at > relay->kept.length / 2) {
        relay->kept.length -= relay->at;
        memmove(relay->kept.bytes, relay->kept.bytes + relay->at, relay->kept.length);
        relay->at = 0;
    }
    if (!cr_buffer_append(&relay->kept, bytes, length)) relay->broken = true;
    cr_relay_count_memory(relay);
}

/* Copies what is left of bytes that are being added. */
static void keep_given(cr_relay *relay) {
    cr_span given = relay->given;
    relay->given = (cr_span){NULL, 0};
    keep(relay, given.bytes, given.length);
}

/* Lets the stream go on that has waited. */
static void wake(cr_relay *relay) {
    relay->waiting = false;
    cr_stream_go_on(relay->stream);
}

bool cr_relay_add(cr_relay *relay, const uint8_t *bytes, size_t length) {
    /* Where an end of a stream lets the producer add more within this. */
    keep_given(relay);
    if (relay->waiting && length) {
        relay->given = (cr_span){bytes, length};
        wake(relay);
        keep_given(relay);
    } else {
        keep(relay, bytes, length);
    }
    if (cr_relay_count(relay) >= CR_RELAY_ROOM) relay->full = true;
    return !relay->full;
}

bool cr_relay_has_room(const cr_relay *relay) {
    return !relay->full;
}

void cr_relay_close(cr_relay *relay) {
    relay->closed = true;
    if (relay->waiting) wake(relay);
}

size_t cr_relay_kept(const cr_relay *relay) {
    return relay->kept.length - relay->at;
}

void cr_relay_copy(const cr_relay *relay, size_t place, uint8_t *to, size_t length) {
    memcpy(to, relay->kept.bytes + relay->at + place, length);
}

void cr_relay_flip(cr_relay *relay, size_t place, uint8_t mask) {
    relay->kept.bytes[relay->at + place] ^= mask;
}
