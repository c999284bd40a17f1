/* Relays, as the interpreter and the protocols use them: bytes available to be sent, and consumed once they are. */
#ifndef CR_RELAY_H
#define CR_RELAY_H

#include "stream.h"

enum {
    CR_RELAY_ROOM = 64 * 1024,         /* buffered bytes past which the producer pauses */
    CR_RELAY_GRANT = CR_RELAY_ROOM / 2 /* bytes granted at once, before the producer may add more */
};

struct cr_relay {
    cr_relay_hooks hooks;
    void *context;
    cr_stream *stream;  /* its stream until that ends; or NULL */
    bool waiting;       /* the stream is HELD at a step of this relay and waits for bytes */
    bool closed;        /* no more bytes come */
    bool detached;      /* its stream has ended: bytes are dropped */
    bool broken;        /* memory was short for some bytes */
    bool full;          /* the producer waits for `room` */
    cr_span given;      /* bytes of the current cr_relay_add; nothing is buffered then */
    cr_buffer buffered; /* copied bytes, to be sent from `at` on */
    size_t at;
    uint64_t passed; /* bytes sent by the stream's present step */
    uint64_t chunk;  /* length of the chunk being sent; 0 for none */
    bool chunk_torn;
    size_t counted;     /* bytes of memory reported to the callback */
};

static inline cr_relay *cr_relay_of(const cr_step *step) {
    return (cr_relay *)(void *)step->bytes;
}

/* The number of available bytes. */
static inline uint64_t cr_relay_count(const cr_relay *relay) {
    return relay->given.length + relay->buffered.length - relay->at;
}

/* How many of them the stream's step may send, at most `limit`. */
static inline uint64_t cr_relay_ready(const cr_relay *relay, const cr_step *step, uint64_t limit) {
    uint64_t count = cr_relay_count(relay), left = step->length - relay->passed;
    if (count > left) count = left;
    return count < limit ? count : limit;
}

/* Whether the stream's step ends once `count` bytes more are sent. */
static inline bool cr_relay_ends_after(const cr_relay *relay, const cr_step *step, uint64_t count) {
    return relay->passed + count == step->length || (relay->closed && count == cr_relay_count(relay));
}

/* The available bytes, which are contiguous. */
static inline const uint8_t *cr_relay_bytes(const cr_relay *relay) {
    return relay->given.length ? relay->given.bytes : relay->buffered.bytes + relay->at;
}

/* Reports the buffer's memory, if it changed. */
static inline void cr_relay_count_memory(cr_relay *relay) {
    if (relay->buffered.capacity == relay->counted) return;
    int64_t change = (int64_t)relay->buffered.capacity - (int64_t)relay->counted;
    relay->counted = relay->buffered.capacity;
    if (relay->hooks.memory) relay->hooks.memory(relay->context, change);
}

/* Frees the buffer. */
static inline void cr_relay_clear(cr_relay *relay) {
    cr_buffer_clear(&relay->buffered);
    relay->at = 0;
    cr_relay_count_memory(relay);
}

/* Drops bytes that were sent. */
static inline void cr_relay_consume(cr_relay *relay, uint64_t count) {
    relay->passed += count;
    if (relay->given.length) {
        relay->given.bytes += count;
        relay->given.length -= count;
        return;
    }
    relay->at += count;
    if (relay->at == relay->buffered.length) relay->at = relay->buffered.length = 0;
}

/* Disconnects a stream, which has ended or uses another relay. Cold, to keep the end of a stream without a relay
 * short. */
__attribute__((cold)) static inline void cr_relay_unbind(cr_stream *stream) {
    cr_relay *relay = stream->relay;
    stream->relay = NULL;
    relay->stream = NULL;
    relay->waiting = false;
    relay->detached = true;
    relay->full = false;
    bool is_over = relay->closed && !cr_relay_count(relay);
    relay->given = (cr_span){NULL, 0};
    cr_relay_clear(relay);
    if (!is_over) relay->hooks.detached(relay->context);
}

/* Connects the relay to a stream. */
static inline void cr_relay_bind(cr_relay *relay, cr_stream *stream) {
    if (relay->stream == stream || relay->detached) return;
    if (stream->relay) cr_relay_unbind(stream);
    relay->stream = stream;
    stream->relay = relay;
}

/* Calls `room` if there is room again. Not while bytes of the relay are about to be written. */
static inline void cr_relay_notify_room(cr_relay *relay) {
    if (!relay->full || cr_relay_count(relay) > CR_RELAY_ROOM / 2 || relay->closed) return;
    relay->full = false;
    relay->hooks.room(relay->context);
}

#endif
