/* A connection: a socket with its transport, its protocol and what both wait for. */
#ifndef CR_CONN_H
#define CR_CONN_H

#include "service.h"

#include <errno.h>
#include "stream.h"
#include "transport.h"

typedef enum cr_conn_state {
    CR_CONN_HANDSHAKE, /* the transport shakes hands */
    CR_CONN_OPEN,      /* the protocol reads and writes */
    CR_CONN_LINGER,    /* our side is closed; reads until the client closes its own */
    CR_CONN_CLOSED     /* the socket is closed; the struct waits for owed replies */
} cr_conn_state;

/* The protocol of a connection. It owns the streams, of which a connection may have many, and decides what their steps
 * and ends mean for the connection. */
struct cr_protocol {
    /* Bytes of connection memory (`room`) for the protocol's state, zero before `open`. The first protocol of a
     * listener's connections may use any number; a later one at most as many. */
    size_t room;
    /* Starts the protocol on a connection whose transport is ready or shakes hands. Returns false if memory is short:
     * the connection is then closed. */
    bool (*open)(cr_conn *conn);
    /* Frees what `open` made, once all streams have ended and the connection is closed or speaks another protocol. NULL
     * if there is nothing to free. */
    void (*free)(cr_conn *conn);
    /* Parses received bytes, valid until it returns. Called while the connection is open. */
    void (*received)(cr_conn *conn, const uint8_t *bytes, size_t length);
    /* The client has closed its side. Called while the connection is open. */
    void (*input_ended)(cr_conn *conn);
    /* Continues with buffered input after cr_conn_yield. NULL if the protocol does not call that. */
    void (*resume_input)(cr_conn *conn);
    /* Continues with input that a throttle has held back. NULL without throttles. */
    void (*body_due)(cr_conn *conn);
    /* Whether a client that is not read may have sent the rest of its request and closed its side, so that only a reset
     * means a disconnect. NULL for never. */
    bool (*awaits_rest)(const cr_conn *conn);
    /* Bytes of the output were written while coalesced answers lie in it (`has_coalesced`). May close the connection.
     * NULL if the protocol coalesces nothing. */
    void (*output_written)(cr_conn *conn, size_t length);
    /* Answers an invalid request, if the protocol can, and ends the connection. NULL if the protocol never waits for
     * HEAD or BODY. */
    void (*refuse)(cr_conn *conn, cr_request_error error);
    /* The connection lingers or was closed: drops unconsumed input and detaches all streams with `outcome`. The end of
     * one stream may let the handler answer or end another first. */
    void (*ended)(cr_conn *conn, cr_outcome outcome);
    /* Sends from the stream's script: first at most `limit` of the HEAD, BODY, FILE, RAW or END at `step`, after its
     * first `step_sent`. Without a limit (UINT64_MAX), the following immediate steps may go with it. Advances `step`
     * (cr_stream_next_step) and `step_sent`, both in the protocol's own unit like `limit`, and counts `bytes_sent`
     * (cr_stream_count_sent) and `body_sent`. Each byte is requested once: the protocol keeps what it rendered and
     * could not send. */
    cr_send (*send)(cr_stream *stream, uint64_t limit);
    /* See cr_stream_extract_body. */
    void *(*extract_body)(cr_stream *stream, const cr_request *request);
    /* See cr_stream_accept_body. */
    uint64_t (*body_length)(const cr_stream *stream);
    /* `body_reading` of a stream with a streamed body has changed. */
    void (*set_body_reading)(cr_stream *stream);
    /* See cr_stream_accept_input and cr_stream_set_input_reading. NULL if no stream can. */
    bool (*accept_input)(cr_stream *stream);
    void (*set_input_reading)(cr_stream *stream, bool reads);
    /* See cr_stream_upgrade, and with `force` cr_stream_upgrade_forced. NULL if no connection can. */
    bool (*upgrade)(cr_stream *stream, const cr_protocol *protocol, bool force);
    /* The stream starts to wait; its state says for what. A WRITING stream must be woken and resumed when more of it
     * can be sent. */
    void (*stream_waits)(cr_stream *stream);
    /* Runs a stream whose wait is over, then what follows it on the connection. Called while the connection is open. */
    void (*resume)(cr_stream *stream);
    /* The stream's script has ended or was cancelled, and on_end was called; the connection may be closed. The protocol
     * may reuse or free the stream. */
    void (*stream_ended)(cr_stream *stream, cr_ending ending);
    /* Tells the client that the connection will end, if the protocol can: an idle one is closed next, another once it
     * is idle. May close the connection, nothing more. NULL if the protocol has no such notice. */
    void (*shutdown_notice)(cr_conn *conn);
    /* Ends a stream that cannot end by itself, and as little else as possible: it is held while its loop drains or its
     * client has closed, or it is cancelled (CR_CANCELLED) within its answer. Calls on_end. */
    void (*drop)(cr_stream *stream, cr_outcome outcome);
    /* The transport's handshake is complete. NULL if the protocol does not wait for it. */
    void (*ready)(cr_conn *conn);
    /* Bytes that the transport had refused were written. NULL if the protocol does not wait for that. */
    void (*drained)(cr_conn *conn);
    /* The transport cannot write any more, since the peer closed or reset the connection; what the peer sent before may
     * still be read. Returns false to close the connection, as NULL does. */
    bool (*output_failed)(cr_conn *conn);
    /* Frees what an idle connection keeps for its next requests. NULL if that is little. */
    void (*shrink)(cr_conn *conn);
};

/* State that follows a reply and lives as long as its connection: the first member of tunnels and intercepts. */
typedef struct cr_continuation {
    void (*free)(cr_conn *conn);
} cr_continuation;

typedef struct cr_intercept cr_intercept;

typedef struct cr_throttle cr_throttle;

TAILQ_HEAD(cr_writer_list, cr_stream);

struct cr_conn {
    TAILQ_ENTRY(cr_conn) link;            /* in the list of `waiting` */
    LIST_ENTRY(cr_conn) half_closed_link; /* while `client_closed` */
    TAILQ_ENTRY(cr_conn) read_link;       /* while `read_queued` */
    TAILQ_ENTRY(cr_conn) handshake_link;  /* while `handshake_queued` */
    cr_loop *loop;
    cr_accept_config *accept_config;
    const cr_transport *transport;
    void *transport_state;
    const cr_protocol *protocol; /* NULL until the transport's handshake has chosen one */
    int fd;
    cr_conn_state state;
    cr_waiting waiting;
    uint64_t deadline_ns;
    uint32_t refs;          /* calls on the stack that use the connection, which must not be freed meanwhile */
    uint32_t owed_replies;  /* replies that the handler owes; the connection must not be freed before */
    bool reading;           /* the client's bytes are read */
    bool served;            /* a request was answered, and the connection stayed open */
    bool read_queued;       /* the transport holds bytes that the socket does not report; a read is queued */
    bool client_closed;     /* end of file came after a complete request; nothing more is read */
    bool reset;             /* close with RST */
    bool skip_close_notify; /* close without a TLS close_notify */
    bool write_closed;      /* our sending side is closed */
    int error;              /* errno of the transport call that ended the connection, or 0 */
    bool handshake_queued;  /* its handshake continues in a later loop iteration */
    bool has_coalesced;     /* the output begins with coalesced answers */
    uint8_t read_wants;     /* CR_READABLE or CR_WRITABLE: what the next read waits for */
    uint8_t write_wants;    /* likewise for the next write, or the handshake; 0 for no wait */
    bool watching_readable, watching_writable; /* whether the event is added */
    struct event readable, writable;
    struct cr_writer_list writers; /* streams that wait for the socket to take bytes */
    cr_buffer output;              /* coalesced answers, then bytes of no stream, such as a refusal */
    uint64_t written;              /* bytes taken by the transport */
    void *upgrade_request;         /* what HTTP/1.1 hands to HTTP/2, which frees it */
    cr_continuation *tunnel;       /* the tunnel to a server (tunnel.h), now or after the reply; or NULL */
    cr_intercept *intercept;       /* of an intercepted CONNECT, now or after the reply; or NULL */
    uint32_t unsent;               /* bytes in the kernel when the wait for the client to take some began */
    cr_client_cert *client;        /* the client's certificate, owned by the transport; or NULL */
    uint16_t peer_port;
    char peer[INET6_ADDRSTRLEN];
    uint8_t peer_length;
    void *protocol_state;  /* of a protocol that allocates its state */
    size_t room_size;
    _Alignas(max_align_t) uint8_t room[]; /* of one that does not: an allocation per connection would cost too much */
};

/* Waits for something, with its time-out. The connection is not closed. */
static inline void cr_conn_wait_for(cr_conn *conn, cr_waiting waiting) {
    struct cr_conn_list *lists = cr_service_of(conn->loop)->waiting;
    if (conn->waiting != CR_WAITING_KINDS) TAILQ_REMOVE(&lists[conn->waiting], conn, link);
    TAILQ_INSERT_TAIL(&lists[waiting], conn, link);
    conn->waiting = waiting;
    uint64_t timeout = cr_service_of(conn->loop)->timeout_ns[waiting];
    conn->deadline_ns = timeout == UINT64_MAX ? UINT64_MAX : conn->loop->now_ns + timeout;
}

/* Extends the deadline of a body by one second for each KiB received, up to body_idle_timeout_ms from now. */
static inline void cr_conn_extend_body(cr_conn *conn, size_t length) {
    const cr_loop *loop = conn->loop;
    uint64_t earned = conn->deadline_ns + length * 1000000000ull / 1024;
    uint64_t furthest = loop->now_ns + cr_service_of(loop)->config.body_idle_timeout_ms * 1000000ull;
    uint64_t deadline = earned < furthest ? earned : furthest;
    if (deadline > conn->deadline_ns) conn->deadline_ns = deadline;
}

/* ---- conn.c ---- */

/* Takes over an accepted socket. If memory is short, closes it and returns NULL. */
cr_conn *cr_conn_open(cr_loop *loop, int fd, const struct sockaddr *peer, cr_accept_config *accept_config);
/* Starts the protocol on a transport that is ready. Returns false if the connection was closed. */
bool cr_conn_begin(cr_conn *conn);
/* Makes the connection speak a protocol from now on: at its begin, during the transport's handshake (with `length` 0),
 * or later. Then the old protocol has no streams left, and none of its functions on the stack uses its state
 * afterwards. The protocol gets the `leftover` bytes. Returns false if the connection was closed. */
bool cr_conn_set_protocol(cr_conn *conn, const cr_protocol *protocol, const uint8_t *leftover, size_t length);
/* Ends the present protocol, under the same conditions. */
void cr_conn_clear_protocol(cr_conn *conn);
/* Closes the socket and ends the streams. May be followed by cr_conn_free_if_done. */
void cr_conn_close(cr_conn *conn, cr_outcome outcome);
/* Closes an idle connection after a shutdown notice (GOAWAY). */
void cr_conn_close_idle(cr_conn *conn, cr_outcome outcome);
/* Frees a connection and the state of its protocol. */
void cr_conn_free(cr_conn *conn);
/* Frees a closed connection without references or owed replies. The last call of each entry point that did not use
 * cr_conn_ref. */
static inline void cr_conn_free_if_done(cr_conn *conn) {
    if (conn->state == CR_CONN_CLOSED && !conn->refs && !conn->owed_replies) cr_conn_free(conn);
}
/* Keeps the struct alive until the matching cr_conn_unref. */
static inline void cr_conn_ref(cr_conn *conn) {
    conn->refs++;
}
static inline void cr_conn_unref(cr_conn *conn) {
    conn->refs--;
    cr_conn_free_if_done(conn);
}
/* Closes our sending side and reads until the client closes its own, so that unread bytes do not reset the answer on
 * its way. */
void cr_conn_linger(cr_conn *conn);
/* Ends the connection's time slice, though it has more input, and puts it into the ready queue. */
void cr_conn_yield(cr_conn *conn);
/* Records that the client closed its side while it is being answered: nothing more is read. */
void cr_conn_close_input(cr_conn *conn);
/* Waits for the client to take bytes. */
static inline void cr_conn_wait_to_write(cr_conn *conn) {
    conn->unsent = conn->transport->unsent(conn);
    cr_conn_wait_for(conn, CR_WAITING_WRITE);
}
/* Counts bytes of a stream that were written. */
static inline void cr_stream_count_sent(cr_stream *stream, size_t bytes) {
    if (bytes && !stream->first_byte_ns) stream->first_byte_ns = cr_loop_read_clock(stream->conn->loop);
    stream->bytes_sent += bytes;
}
/* Whether a client that closed its sending side has disconnected altogether. */
static inline bool cr_conn_has_disconnected(const cr_conn *conn) {
    return conn->client_closed && conn->transport->was_reset(conn);
}

/* The SNI name of the client, in lower case; NULL if there is none. */
const char *cr_conn_server_name(const cr_conn *conn);

/* ---- stream.c ---- */

/* Like cr_stream_upgrade, but keeps the connection open even if the client sent `Connection: close`. */
bool cr_stream_upgrade_forced(cr_stream *stream, const cr_protocol *protocol);

/* ---- accept_config.c ---- */

/* Prepares the connection's first transport. Returns false if memory is short. */
bool cr_conn_use_first_transport(cr_conn *conn);

/* ---- conn_io.c ---- */

/* Pauses or resumes reading. */
void cr_conn_change_reading(cr_conn *conn, bool reading);
/* Pauses or resumes reading, if that is a change. */
static inline void cr_conn_set_reading(cr_conn *conn, bool reading) {
    if (conn->reading != reading) cr_conn_change_reading(conn, reading);
}
/* Whether bytes of the client wait to be read. */
bool cr_conn_has_unread(const cr_conn *conn);
/* Queues a read if the transport holds bytes that the socket does not report. */
void cr_conn_queue_pending_read(cr_conn *conn);
static inline ssize_t cr_conn_transmit(cr_conn *conn, const struct iovec *parts, int count) {
    ssize_t n = conn->transport->write(conn, parts, count);
    if (conn->transport->pending) cr_conn_queue_pending_read(conn);
    if (n > 0) conn->written += (size_t)n;
    return n;
}
/* Writes the output, unless the transport waits, and reports the ends of coalesced answers. Returns false with errno:
 * EAGAIN if some output is left, which is written later; EPIPE if the connection is closed. */
bool cr_conn_flush(cr_conn *conn);
/* Writes through the transport, after the connection's output. If that closes the connection, errno is not EAGAIN. */
static inline ssize_t cr_conn_write(cr_conn *conn, const struct iovec *parts, int count) {
    if (conn->output.length && !cr_conn_flush(conn)) return -1;
    if (conn->state == CR_CONN_CLOSED) {
        errno = EPIPE;
        return -1;
    }
    return cr_conn_transmit(conn, parts, count);
}
/* Resumes the stream when the transport, which just refused bytes, takes some again. */
void cr_conn_add_writer(cr_conn *conn, cr_stream *stream);
void cr_conn_remove_writer(cr_conn *conn, cr_stream *stream);
/* Sends bytes now, or as soon as the transport takes them. Returns false if that closed the connection. */
bool cr_conn_send(cr_conn *conn, const void *bytes, size_t length);
/* The same with several parts, which are copied. */
bool cr_conn_send_parts(cr_conn *conn, const struct iovec *parts, int count);
/* Sends bytes of no protocol, after the output. Returns false if the connection is closed. */
bool cr_conn_send_garbage(cr_conn *conn);
/* Waits for the transport's handshake. */
void cr_conn_begin_handshake(cr_conn *conn);
/* Removes the connection from the queued handshakes. */
void cr_conn_unqueue_handshake(cr_conn *conn);
/* Closes our side of a lingering connection once its output is sent. */
void cr_conn_shutdown_write(cr_conn *conn);
/* Event callbacks. */
void cr_conn_on_readable(evutil_socket_t fd, short what, void *argument);
void cr_conn_on_writable(evutil_socket_t fd, short what, void *argument);

/* ---- conn_memory.c ---- */

/* Like the functions of cr_buffer, for buffers of client input: large ones are counted. */
bool cr_conn_append(cr_conn *conn, cr_buffer *buffer, const void *bytes, size_t length);
void cr_conn_consume(cr_conn *conn, cr_buffer *buffer, size_t length);
void cr_conn_clear(cr_conn *conn, cr_buffer *buffer);
/* Empties the buffer and returns its block, which the caller frees. */
uint8_t *cr_conn_extract(cr_conn *conn, cr_buffer *buffer);
/* Whether a body may take `bytes` more. */
bool cr_conn_has_room(const cr_conn *conn, uint64_t bytes);
/* Appends to a body if there is room. The buffer grows no further than `max` if that is enough. */
cr_request_error cr_conn_append_body(cr_conn *conn, cr_buffer *body, const void *bytes, size_t length, uint64_t max);

/* ---- throttle.c ---- */

/* Throttles a body to `rate` bytes per second, above 0; UINT64_MAX reads nothing. Returns NULL if memory is short. */
cr_throttle *cr_throttle_new(cr_conn *conn, uint64_t rate);
/* Frees a throttle, which may be NULL. */
void cr_throttle_free(cr_throttle *throttle);
/* How many of `length` available bytes may be read now. */
size_t cr_throttle_allowance(const cr_throttle *throttle, size_t length);
/* Counts bytes that were read. */
void cr_throttle_consume(cr_throttle *throttle, size_t length);
/* Arms a timer that calls the protocol's `body_due` when more may be read; no timer if nothing ever may. */
void cr_throttle_arm(cr_throttle *throttle);
/* Waits until more may be read, or reads on. */
void cr_throttle_wait(cr_throttle *throttle, bool has_more);

/* ---- http2_conn.c ---- */

/* Only if cr_http2_is_available. */
extern const cr_protocol cr_http2_protocol;

/* ---- http2_upgrade.c ---- */

/* Answers `Upgrade: h2c` with a 101 and keeps the request for HTTP/2 (`conn->upgrade_request`). Returns false if the
 * connection cannot speak HTTP/2 in the clear or the request's upgrade fields are wrong: HTTP/1.1 continues. */
bool cr_http2_upgrade(cr_conn *conn, const cr_request *request);
/* Whether the connection may switch to HTTP/2, with whose preface the client began. Returns CR_OK or the error. */
cr_request_error cr_http2_check_preface(cr_conn *conn);

#endif
