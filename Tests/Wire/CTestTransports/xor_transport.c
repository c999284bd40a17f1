#include "xor_transport.h"

#include "conn.h"
#include "mux_protocol.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    RECORD_HEAD = 3,
    RECORD_LIMIT = 3000, /* data bytes per sent record */
    PREAMBLE = 4
};

typedef struct xor_state {
    uint32_t random;
    int wants;
    size_t preamble_bytes; /* bytes of both preambles that were received and sent */
    cr_buffer in;          /* received records, the first one possibly read in part */
    size_t in_read;        /* data bytes of the first record that were returned */
    uint64_t read_place, write_place;
    uint8_t out[RECORD_HEAD + RECORD_LIMIT]; /* the record that is being sent */
    size_t out_length, out_sent;
    size_t out_data;   /* its data bytes, which count as written when the whole record is sent */
    bool input_ended;  /* by `F` or the socket */
    bool pong_awaited; /* a `P` was sent, its `R` has not arrived */
    bool update_owed;  /* a read waits until a `U` is sent */
    bool end_sent;     /* `F` was made */
} xor_state;

typedef struct xor_seed {
    _Atomic uint32_t next;
} xor_seed;

static struct {
    _Atomic uint64_t reads, writes, parts, pending;
} counts;

xor_counts xor_count_waits(void) {
    return (xor_counts){counts.reads, counts.writes, counts.parts, counts.pending};
}

uint8_t xor_key(uint64_t place) {
    return (uint8_t)(place * 31 + place / 251 + 7);
}

static uint32_t draw(xor_state *state, uint32_t below) {
    state->random = state->random * 1664525u + 1013904223u;
    return (state->random >> 8) % below;
}

static int wait_for(xor_state *state, int direction) {
    state->wants = direction;
    errno = EAGAIN;
    return -1;
}

/* ---- Records out --------------------------------------------------------------------------------------------- */

/* Sends the rest of the record. Returns 0 when it is sent, -1 with errno. */
static int flush_record(cr_conn *conn) {
    xor_state *state = conn->transport_state;
    while (state->out_sent < state->out_length) {
        struct iovec part = {state->out + state->out_sent, state->out_length - state->out_sent};
        ssize_t n = cr_socket_write(conn, &part, 1);
        if (n < 0) {
            state->wants = CR_WRITABLE;
            return -1;
        }
        state->out_sent += (size_t)n;
    }
    state->out_length = state->out_sent = 0;
    return 0;
}

static void make_record(xor_state *state, char kind, size_t length) {
    state->out[0] = (uint8_t)kind;
    state->out[1] = (uint8_t)length;
    state->out[2] = (uint8_t)(length >> 8);
    state->out_length = RECORD_HEAD + length;
    state->out_sent = 0;
    state->out_data = length;
}

/* Copies and encrypts data of the parts, starting at `from`. Returns the number of bytes. */
static size_t encrypt(xor_state *state, const struct iovec *parts, int count, size_t from, size_t limit) {
    size_t taken = 0;
    for (int i = 0; i < count && taken < limit; i++) {
        size_t length = parts[i].iov_len, skipped = from < length ? from : length;
        from -= skipped;
        for (size_t j = skipped; j < length && taken < limit; j++, taken++) {
            state->out[RECORD_HEAD + taken] = ((uint8_t *)parts[i].iov_base)[j] ^ xor_key(state->write_place + taken);
        }
    }
    return taken;
}

/* A blocked record is sent again: the bytes passed now must begin with its data. */
static void check_repeated(xor_state *state, const struct iovec *parts, int count) {
    uint8_t sent[RECORD_LIMIT];
    memcpy(sent, state->out + RECORD_HEAD, state->out_data);
    size_t taken = encrypt(state, parts, count, 0, state->out_data);
    if (taken != state->out_data || memcmp(sent, state->out + RECORD_HEAD, taken) != 0) abort();
}

/* ---- Records in ---------------------------------------------------------------------------------------------- */

static size_t first_length(const xor_state *state) {
    return state->in.bytes[1] | (size_t)state->in.bytes[2] << 8;
}

static bool has_record(const xor_state *state) {
    return state->in.length >= RECORD_HEAD && state->in.length >= RECORD_HEAD + first_length(state);
}

static void drop_record(xor_state *state) {
    cr_buffer_consume(&state->in, RECORD_HEAD + first_length(state));
    state->in_read = 0;
}

/* Removes `R` records from the input, wherever they are. */
static void find_answer(xor_state *state) {
    for (size_t at = 0; state->pong_awaited && at + RECORD_HEAD <= state->in.length;) {
        if (state->in.bytes[at] == 'R' || state->in.bytes[at] == 'F') state->pong_awaited = false;
        at += RECORD_HEAD + (state->in.bytes[at + 1] | (size_t)state->in.bytes[at + 2] << 8);
    }
}

/* Reads from the socket once. Returns 1 if there are bytes or the end, -1 with errno. */
static int fill(cr_conn *conn) {
    xor_state *state = conn->transport_state;
    uint8_t bytes[8192];
    ssize_t n = cr_socket_read(conn, bytes, 1 + draw(state, sizeof bytes));
    if (n < 0) {
        state->wants = CR_READABLE;
        return -1;
    }
    if (n == 0) {
        state->input_ended = true;
        state->pong_awaited = false;
    }
    if (!cr_buffer_append(&state->in, bytes, (size_t)n)) abort();
    find_answer(state);
    return 1;
}

/* Makes the connection read while a write waits for `R`. */
static void await_input(const cr_conn *conn) {
    struct pollfd input = {.fd = conn->fd, .events = POLLIN};
    poll(&input, 1, 5);
}

/* ---- The vtable ---------------------------------------------------------------------------------------------- */

static bool open_state(cr_conn *conn, void *context) {
    xor_seed *seed = context;
    xor_state *state = calloc(1, sizeof *state);
    if (!state) return false;
    state->random = atomic_fetch_add(&seed->next, 1) * 2654435761u;
    conn->transport_state = state;
    return true;
}

/* Reads the client's preamble as it arrives, and answers one byte at a time. */
static int handshake(cr_conn *conn) {
    xor_state *state = conn->transport_state;
    while (state->preamble_bytes < PREAMBLE) {
        uint8_t byte;
        ssize_t n = cr_socket_read(conn, &byte, 1);
        if (n < 0) {
            state->wants = CR_READABLE;
            return -1;
        }
        if (n == 0 ||
            (byte != (uint8_t)"XOR?"[state->preamble_bytes] &&
                !(byte == 'M' && state->preamble_bytes == PREAMBLE - 1))) {
            errno = EPROTO;
            return -1;
        }
        state->preamble_bytes++;
        if (byte == 'M' && !cr_conn_set_protocol(conn, mux_protocol(), NULL, 0)) return -1;
    }
    struct iovec part = {(void *)&"XOR!"[state->preamble_bytes - PREAMBLE], 1};
    ssize_t n = cr_socket_write(conn, &part, 1);
    if (n < 0) {
        state->wants = CR_WRITABLE;
        return -1;
    }
    if (++state->preamble_bytes < 2 * PREAMBLE) return wait_for(state, CR_WRITABLE);
    if (draw(state, 2)) fill(conn); /* bytes that follow the preamble are then pending */
    return 0;
}

/* Sends a `U` if a read waits for one. Returns 0 when it is sent. */
static int update(cr_conn *conn) {
    xor_state *state = conn->transport_state;
    if (state->out_length == 0) make_record(state, 'U', 0);
    if (flush_record(conn) < 0) return -1;
    state->update_owed = false;
    return 0;
}

static ssize_t xor_read(cr_conn *conn, void *bytes, size_t length) {
    xor_state *state = conn->transport_state;
    if (state->update_owed) {
        if (state->out_length && state->out_data) {
            state->update_owed = false; /* a write's record goes first */
        } else if (update(conn) < 0) {
            return -1;
        }
    } else if (draw(state, 5) == 0) {
        counts.reads++;
        state->update_owed = true;
        return wait_for(state, CR_WRITABLE);
    }
    for (;;) {
        while (has_record(state) && state->in.bytes[0] != 'D' && state->in.bytes[0] != 'F') drop_record(state);
        if (has_record(state) || state->input_ended) break;
        if (state->pong_awaited && draw(state, 2)) await_input(conn);
        if (fill(conn) < 0) return -1;
    }
    if (!has_record(state) || state->in.bytes[0] == 'F') {
        state->input_ended = true;
        return 0;
    }
    size_t left = first_length(state) - state->in_read, count = 1 + draw(state, 2000);
    if (count > left) count = left;
    if (count > length) count = length;
    for (size_t i = 0; i < count; i++) {
        ((uint8_t *)bytes)[i] = state->in.bytes[RECORD_HEAD + state->in_read + i] ^ xor_key(state->read_place++);
    }
    state->in_read += count;
    if (state->in_read == first_length(state)) drop_record(state);
    return (ssize_t)count;
}

static bool pending(const cr_conn *conn) {
    const xor_state *state = conn->transport_state;
    if (!has_record(state)) return false;
    counts.pending++;
    return true;
}

static ssize_t xor_write(cr_conn *conn, const struct iovec *parts, int count) {
    xor_state *state = conn->transport_state;
    size_t total = 0, taken = 0;
    for (int i = 0; i < count; i++) total += parts[i].iov_len;
    if (state->out_length && state->out_data) check_repeated(state, parts, count);
    if (draw(state, 3) == 0) fill(conn); /* bytes that have arrived are then pending */
    while (taken < total) {
        while (state->pong_awaited) {
            if (fill(conn) > 0) continue;
            if (errno != EAGAIN) return -1;
            counts.writes++;
            return taken ? (ssize_t)taken : wait_for(state, CR_READABLE);
        }
        if (state->out_length == 0) {
            size_t here = 1 + draw(state, RECORD_LIMIT);
            here = encrypt(state, parts, count, taken, here);
            make_record(state, 'D', here);
        }
        if (flush_record(conn) < 0) return taken && errno == EAGAIN ? (ssize_t)taken : -1;
        taken += state->out_data;
        state->write_place += state->out_data;
        state->out_data = 0;
        if (taken == total) break;
        uint32_t how = draw(state, 8);
        if (how == 0) {
            counts.parts++;
            state->wants = CR_WRITABLE;
            return (ssize_t)taken;
        }
        if (how == 1 && !state->input_ended && !state->pong_awaited) {
            make_record(state, 'P', 0);
            if (flush_record(conn) < 0) return taken && errno == EAGAIN ? (ssize_t)taken : -1;
            state->pong_awaited = true;
        }
    }
    return (ssize_t)taken;
}

static int wants(const cr_conn *conn) {
    return ((xor_state *)conn->transport_state)->wants;
}

static uint32_t unsent(const cr_conn *conn) {
    const xor_state *state = conn->transport_state;
    return cr_socket_unsent(conn) + (uint32_t)(state->out_length - state->out_sent);
}

static int shutdown_write(cr_conn *conn) {
    xor_state *state = conn->transport_state;
    if (flush_record(conn) < 0) return -1;
    if (!state->end_sent) make_record(state, 'F', 0);
    state->end_sent = true;
    if (flush_record(conn) < 0) return -1;
    return cr_socket_shutdown_write(conn);
}

static void close_state(cr_conn *conn, bool reset) {
    xor_state *state = conn->transport_state;
    if (!reset && !conn->write_closed && state->preamble_bytes == 2 * PREAMBLE) shutdown_write(conn);
    cr_buffer_clear(&state->in);
    free(state);
    conn->transport_state = NULL;
    cr_socket_close(conn, reset);
}

static bool is_first(uint8_t byte) {
    return byte == 'X';
}

static const cr_transport xor_transport = {
    .secure = true,
    .open = open_state,
    .is_first = is_first,
    .handshake = handshake,
    .read = xor_read,
    .write = xor_write,
    .wants = wants,
    .pending = pending,
    .unsent = unsent,
    .has_disconnected = cr_socket_has_disconnected,
    .was_reset = cr_socket_was_reset,
    .shutdown_write = shutdown_write,
    .close = close_state,
};

static void free_seed(void *seed) {
    free(seed);
}

int xor_listen(cr_loop *loop, uint32_t seed, cr_security security, uint64_t tag) {
    xor_seed *seeds = malloc(sizeof *seeds);
    if (!seeds) return -1;
    atomic_init(&seeds->next, seed);
    cr_listener *listener = cr_listen_tagged(loop, "127.0.0.1", 0, tag, cr_protocol_http1(), NULL, NULL);
    if (!listener) {
        free(seeds);
        return -1;
    }
    cr_listener_secure(listener, security, &xor_transport, seeds, free_seed);
    return cr_listener_port(listener);
}
