/* Relays, as the interpreter and the protocols see them: bytes that are there to be sent, and taken once they are. */
#ifndef CR_RELAY_H
#define CR_RELAY_H

#include "stream.h"

enum {
    CR_RELAY_ROOM = 64 * 1024,         /* bytes that are kept while the client takes none */
    CR_RELAY_GRANT = CR_RELAY_ROOM / 2 /* bytes that are sent before the producer may go on */
};

struct cr_relay {
    cr_relay_hooks hooks;
    void *context;
    cr_stream *stream;  /* the one that it goes to, until that ends; or NULL */
    bool waiting;       /* that stream is HELD at a step of it, until something comes */
    bool closed;        /* nothing more comes */
    bool left;          /* nothing more is taken: its stream has ended */
    bool broken;        /* memory was short for some of it */
    bool full;          /* its producer is to wait for `room` */
    cr_span given;      /* what is being added, to be sent from its place; nothing is kept then */
    cr_buffer kept;     /* what was copied, to be sent from `at` on */
    size_t at;
    uint64_t passed;    /* bytes that were sent by the stream's present step */
    uint64_t piece;     /* the length of the piece (a chunk) that is being sent in a framing for that length; 0 for none */
    bool piece_torn;
    size_t counted;     /* memory of `kept` of which the hook knows */
};

static inline cr_relay *cr_relay_of(const cr_step *step) {
    return (cr_relay *)(void *)step->bytes;
}

/* The number of bytes that are there. */
static inline uint64_t cr_relay_count(const cr_relay *relay) {
    return relay->given.length + relay->kept.length - relay->at;
}

/* The number of bytes that the stream's step may send of them, at most `limit`. */
static inline uint64_t cr_relay_ready(const cr_relay *relay, const cr_step *step, uint64_t limit) {
    uint64_t count = cr_relay_count(relay), left = step->length - relay->passed;
    if (count > left) count = left;
    return count < limit ? count : limit;
}

/* Whether the stream's step ends once `count` bytes more are sent. */
static inline bool cr_relay_ends_after(const cr_relay *relay, const cr_step *step, uint64_t count) {
    return relay->passed + count == step->length || (relay->closed && count == cr_relay_count(relay));
}

/* The bytes that are there, which lie in one piece. */
static inline const uint8_t *cr_relay_bytes(const cr_relay *relay) {
    return relay->given.length ? relay->given.bytes : relay->kept.bytes + relay->at;
}

/* Tells how much memory is taken, if that has changed. */
static inline void cr_relay_count_memory(cr_relay *relay) {
    if (relay->kept.capacity == relay->counted) return;
    int64_t change = (int64_t)relay->kept.capacity - (int64_t)relay->counted;
    relay->counted = relay->kept.capacity;
    if (relay->hooks.memory) relay->hooks.memory(relay->context, change);
}

/* Frees what is kept. */
static inline void cr_relay_clear(cr_relay *relay) {
    cr_buffer_clear(&relay->kept);
    relay->at = 0;
    cr_relay_count_memory(relay);
}

/* Drops bytes that were sent. */
static inline void cr_relay_take(cr_relay *relay, uint64_t count) {
    relay->passed += count;
    if (relay->given.length) {
        relay->given.bytes += count;
        relay->given.length -= count;
        return;
    }
    relay->at += count;
    if (relay->at == relay->kept.length) relay->at = relay->kept.length = 0;
}

/* Ends the way to a stream, which has ended or goes on with another relay. Cold, so that the end of a stream without one is no
 * longer for it. */
__attribute__((cold)) static inline void cr_relay_leave(cr_stream *stream) {
    cr_relay *relay = stream->relay;
    stream->relay = NULL;
    relay->stream = NULL;
    relay->waiting = false;
    relay->left = true;
    relay->full = false;
    bool is_over = relay->closed && !cr_relay_count(relay);
    relay->given = (cr_span){NULL, 0};
    cr_relay_clear(relay);
    if (!is_over) relay->hooks.gone(relay->context);
}

/* Lets a stream be the one to which the relay goes. */
static inline void cr_relay_go_to(cr_relay *relay, cr_stream *stream) {
    if (relay->stream == stream || relay->left) return;
    if (stream->relay) cr_relay_leave(stream);
    relay->stream = stream;
    stream->relay = relay;
}

/* Lets the producer go on, if there is room again. Not where bytes of the relay are about to be written. */
static inline void cr_relay_tell_room(cr_relay *relay) {
    if (!relay->full || cr_relay_count(relay) > CR_RELAY_ROOM / 2 || relay->closed) return;
    relay->full = false;
    relay->hooks.room(relay->context);
}

#endif
