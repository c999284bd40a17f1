/* A connection: a socket with its transport, its protocol, and the waiting of both. */
#ifndef CR_CONN_H
#define CR_CONN_H

#include "service.h"

#include <errno.h>
#include "stream.h"
#include "transport.h"

typedef enum cr_conn_state {
    CR_CONN_HANDSHAKE, /* of the transport */
    CR_CONN_OPEN,      /* the protocol reads and writes */
    CR_CONN_LINGER,    /* our side is closed; reading until the client closes its own */
    CR_CONN_CLOSED     /* the socket is closed; the struct waits for the replies that are owed */
} cr_conn_state;

/* The protocol of a connection. It owns the streams, of which a connection may have many at a time, and decides what
 * their steps and ends mean for the connection. */
struct cr_protocol {
    /* The bytes of the connection's own memory that hold the state of the protocol (`room`), zero before `open`. The protocol
     * with which a listener's connections begin may have any, another no more than that. */
    size_t room;
    /* Prepares a connection that begins to speak it, whose transport is ready or shakes hands. Returns false if memory is
     * short: the connection is then closed. */
    bool (*open)(cr_conn *conn);
    /* Frees what `open` made, once all of the streams have ended and the connection is closed, which may be long before,
     * or speaks another protocol. NULL if there is nothing to free. */
    void (*free)(cr_conn *conn);
    /* Takes bytes of the client, valid until it returns. Called while the connection is open. */
    void (*received)(cr_conn *conn, const uint8_t *bytes, size_t length);
    /* Called when the client has closed its side, while the connection is open. */
    void (*input_ended)(cr_conn *conn);
    /* Continues with the input that was left over when the connection's turn ended. NULL if the protocol does not call
     * cr_conn_yield. */
    void (*take_turn)(cr_conn *conn);
    /* Continues with the input that a throttle has held back. NULL if the protocol has none. */
    void (*body_due)(cr_conn *conn);
    /* Whether a client that is not read may have sent the rest of its request and closed its side, so that only a reset
     * says that it has left. NULL if that cannot be. */
    bool (*awaits_rest)(const cr_conn *conn);
    /* Called when bytes of the connection's output were written, while answers lie in it (`holds_answers`). This may close
     * the connection. NULL if answers never do. */
    void (*wrote)(cr_conn *conn, size_t length);
    /* Answers an invalid request, if the protocol can, and ends the connection. NULL if the protocol waits for neither
     * HEAD nor BODY. */
    void (*refuse)(cr_conn *conn, cr_fault fault);
    /* Called when the connection lingers or was closed: drops unconsumed input, and loses all streams (cr_stream_lose)
     * with `outcome`. The end of one stream may let the handler answer another, or end it, before its turn. */
    void (*ended)(cr_conn *conn, cr_outcome outcome);
    /* Sends of the stream's script: first of the HEAD, BODY, FILE, RAW or END at `step`, of which `step_sent` went before,
     * at most `limit` more. Without a limit (UINT64_MAX), as many of the steps behind it as go at once may follow. Moves
     * `step` (cr_stream_next_step) and `step_sent`, which is in a unit of the protocol's own as the limit is, and counts
     * `bytes_sent` (cr_stream_note_sent) and `body_sent`. It is asked once for each byte: what was made and could not be
     * sent, it keeps. */
    cr_send (*send)(cr_stream *stream, uint64_t limit);
    /* See cr_stream_take_body. */
    void *(*take_body)(cr_stream *stream, const cr_request *request);
    /* See cr_stream_accept_body. */
    uint64_t (*body_length)(const cr_stream *stream);
    /* Called when `body_reads` of the stream, whose body is coming, has changed. */
    void (*read_body)(cr_stream *stream);
    /* See cr_stream_take_input and cr_stream_read_input. NULL if no stream can. */
    bool (*take_input)(cr_stream *stream);
    void (*read_input)(cr_stream *stream, bool reads);
    /* See cr_stream_upgrade, and cr_stream_upgrade_kept if the connection is `kept`. NULL if no connection can. */
    bool (*upgrade)(cr_stream *stream, const cr_protocol *protocol, bool kept);
    /* Called when the stream begins to wait, for what its state says. A WRITING stream must be woken and resumed when more
     * of it may be sent. */
    void (*stream_waits)(cr_stream *stream);
    /* Runs a stream whose wait is over, and then what follows it on the connection. Called while the connection is open. */
    void (*resume)(cr_stream *stream);
    /* Called when the stream's script has ended or was cancelled, and its observer was told; the connection may be closed.
     * The stream belongs to the protocol again, which uses it for the next request or frees it. */
    void (*stream_ended)(cr_stream *stream, cr_ending ending);
    /* Tells the client that the connection will end, if there is a word for that: an idle one is closed next, another when
     * it is idle. Closes the connection at the most. NULL if there is none. */
    void (*say_goodbye)(cr_conn *conn);
    /* Ends a stream that cannot end by itself, and as little else as the protocol can: the stream is held while its loop
     * drains, its client has closed, or it is cancelled (CR_CANCELLED) in the middle of its answer. Its observer is told. */
    void (*drop)(cr_stream *stream, cr_outcome outcome);
    /* Called when the transport, whose handshake was waited for, is ready. NULL if nothing waits for that. */
    void (*ready)(cr_conn *conn);
    /* Called when bytes that the transport had refused have left. NULL if nobody waits for that. */
    void (*drained)(cr_conn *conn);
    /* Called when the transport takes nothing any more, as the other side has closed or reset the connection; what that has
     * said before may still be read. Returns false, as NULL does, if the connection is to be closed. */
    bool (*output_lost)(cr_conn *conn);
    /* Frees what the connection has only for its next requests, since it has been idle for a while. NULL if that is
     * little. */
    void (*shrink)(cr_conn *conn);
};

/* What follows a reply, and lives as long as its connection: the first member of both. */
typedef struct cr_sequel {
    void (*free)(cr_conn *conn);
} cr_sequel;

typedef struct cr_opening cr_opening;

typedef struct cr_throttle cr_throttle;

TAILQ_HEAD(cr_writer_list, cr_stream);

struct cr_conn {
    TAILQ_ENTRY(cr_conn) link; /* of the list of `waiting` */
    LIST_ENTRY(cr_conn) half_closed_link; /* while `client_closed` */
    TAILQ_ENTRY(cr_conn) unread_link; /* while `unread` */
    TAILQ_ENTRY(cr_conn) shaking_link; /* while `awaits_shaking` */
    cr_loop *loop;
    cr_beginning *beginning;
    const cr_transport *transport;
    void *transport_state;
    const cr_protocol *protocol; /* NULL while the transport shakes hands and has not chosen one */
    int fd;
    cr_conn_state state;
    cr_waiting waiting;
    uint64_t deadline_ns;
    uint32_t busy;       /* calls on the stack that use the connection, which must not be freed meanwhile */
    uint32_t owed;       /* replies that the handler owes; the connection must not be freed before they are given */
    bool reading;        /* the client's bytes are wanted */
    bool served;         /* a request was answered, and the connection kept */
    bool unread;         /* the transport holds bytes that the socket does not report: they are read in a turn */
    bool client_closed;  /* end of file was read after a whole request: nothing more is read */
    bool reset;          /* close with RST */
    bool cut;            /* close without what the transport says at the end */
    bool shut;           /* our side is closed */
    int error;           /* the errno of the call of the transport that ended the connection, or 0 */
    bool awaits_shaking; /* its handshake goes on in one of the next turns */
    bool holds_answers;  /* answers, of which the protocol knows, lie at the beginning of the output */
    uint8_t read_wants;  /* CR_READABLE or CR_WRITABLE: what the next read waits for */
    uint8_t write_wants; /* the same of the next write, or the handshake; 0 while it need not wait */
    bool watching_readable, watching_writable; /* whether the event is added */
    struct event readable, writable;
    struct cr_writer_list writers; /* streams that wait for the socket to take bytes */
    cr_buffer output;    /* answers that leave together, then bytes of no stream, such as a refusal */
    uint64_t written;    /* bytes that the transport took */
    void *carried;       /* what the last protocol leaves to the next, which frees it */
    cr_sequel *tunnel;   /* to a server (tunnel.h) whose client is the connection, now or after the reply; or NULL */
    cr_opening *opening; /* of a tunnel that is opened here, now or after the reply; or NULL */
    uint32_t unsent;     /* bytes in the kernel when the wait for the client to take some began */
    cr_client *client;   /* the certificate that the client has shown, which belongs to the transport; or NULL */
    uint16_t peer_port;
    char peer[INET6_ADDRSTRLEN];
    uint8_t peer_length;
    void *protocol_state;  /* of a protocol that has its own memory */
    size_t room_size;
    _Alignas(max_align_t) uint8_t room[]; /* of one that has none, since an allocation for each connection would be felt */
};

/* Begins to wait, with the time-out of that kind. The connection is not closed. */
static inline void cr_conn_wait_for(cr_conn *conn, cr_waiting waiting) {
    struct cr_conn_list *lists = cr_service_of(conn->loop)->waiting;
    if (conn->waiting != CR_WAITING_KINDS) TAILQ_REMOVE(&lists[conn->waiting], conn, link);
    TAILQ_INSERT_TAIL(&lists[waiting], conn, link);
    conn->waiting = waiting;
    uint64_t timeout = cr_service_of(conn->loop)->timeout_ns[waiting];
    conn->deadline_ns = timeout == UINT64_MAX ? UINT64_MAX : conn->loop->now_ns + timeout;
}

/* Extends the deadline of a body by a second for each KiB received, as far as a silent one may wait. */
static inline void cr_conn_extend_body(cr_conn *conn, size_t length) {
    const cr_loop *loop = conn->loop;
    uint64_t earned = conn->deadline_ns + length * 1000000000ull / 1024;
    uint64_t furthest = loop->now_ns + cr_service_of(loop)->config.body_idle_timeout_ms * 1000000ull;
    uint64_t deadline = earned < furthest ? earned : furthest;
    if (deadline > conn->deadline_ns) conn->deadline_ns = deadline;
}

/* ---- conn.c ---- */

/* Takes over an accepted socket; if memory is short, closes it and returns NULL. */
cr_conn *cr_conn_open(cr_loop *loop, int fd, const struct sockaddr *peer, cr_beginning *beginning);
/* Hands the connection over to its protocol, since the transport is ready. Returns false if it was closed. */
bool cr_conn_begin(cr_conn *conn);
/* Lets the connection speak a protocol from now on: when it begins, while its transport shakes hands (where `length` is 0),
 * or in the middle. Then no stream of the protocol before may be left, and none of its functions may be on the stack that
 * goes on to use its state; the protocol is given the bytes that have come already. Returns false if the connection was
 * closed. */
bool cr_conn_speak(cr_conn *conn, const cr_protocol *protocol, const uint8_t *leftover, size_t length);
/* Speaks no protocol any more, under the same conditions. */
void cr_conn_fall_silent(cr_conn *conn);
/* Closes the socket and ends the streams. The struct may be freed afterwards, unless it is busy. */
void cr_conn_close(cr_conn *conn, cr_outcome outcome);
/* The same for a connection that is idle, whose client is told. */
void cr_conn_close_idle(cr_conn *conn, cr_outcome outcome);
/* Frees a connection and the state of its protocol. */
void cr_conn_free(cr_conn *conn);
/* Frees a closed connection that owes nothing and is not busy. The last call of every entry point that did not enter.
 */
static inline void cr_conn_settle(cr_conn *conn) {
    if (conn->state == CR_CONN_CLOSED && !conn->busy && !conn->owed) cr_conn_free(conn);
}
/* Keeps the struct alive until the connection has been left as often as it was entered. */
static inline void cr_conn_enter(cr_conn *conn) {
    conn->busy++;
}
static inline void cr_conn_leave(cr_conn *conn) {
    conn->busy--;
    cr_conn_settle(conn);
}
/* Shuts our side and reads until the client shuts its own, so that unread bytes of the client do not reset the answer
 * on its way. */
void cr_conn_linger(cr_conn *conn);
/* Ends the connection's turn, though it has more input, and waits for the next. */
void cr_conn_yield(cr_conn *conn);
/* Records that the client closed its side and is still being answered: nothing more is read. */
void cr_conn_close_input(cr_conn *conn);
/* Waits for the client to take bytes. */
static inline void cr_conn_wait_to_write(cr_conn *conn) {
    conn->unsent = conn->transport->unsent(conn);
    cr_conn_wait_for(conn, CR_WAITING_WRITE);
}
/* Counts bytes of a stream that are on the wire. */
static inline void cr_stream_note_sent(cr_stream *stream, size_t bytes) {
    if (bytes && !stream->first_byte_ns) stream->first_byte_ns = cr_loop_read_clock(stream->conn->loop);
    stream->bytes_sent += bytes;
}
/* Whether a client that closed its sending side has closed the whole connection. */
static inline bool cr_conn_is_left(const cr_conn *conn) {
    return conn->client_closed && conn->transport->was_reset(conn);
}

/* The name of the server that the client has asked for in the handshake, in lower case; NULL if it named none. */
const char *cr_conn_server_name(const cr_conn *conn);

/* ---- stream.c ---- */

/* Like cr_stream_upgrade, whatever the client says of the connection. */
bool cr_stream_upgrade_kept(cr_stream *stream, const cr_protocol *protocol);

/* ---- beginning.c ---- */

/* Prepares the transport that the connection begins with; returns false if memory is short. */
bool cr_conn_use_first_transport(cr_conn *conn);

/* ---- conn_io.c ---- */

/* Begins or stops to read the client's bytes. */
void cr_conn_change_reading(cr_conn *conn, bool reading);
/* Changes whether the client's bytes are read, unless it is so already. */
static inline void cr_conn_set_reading(cr_conn *conn, bool reading) {
    if (conn->reading != reading) cr_conn_change_reading(conn, reading);
}
/* Whether bytes of the client wait to be read. */
bool cr_conn_has_unread(const cr_conn *conn);
/* Reads in the connection's next turn what the transport holds, which the socket does not report. */
void cr_conn_notice_pending(cr_conn *conn);
static inline ssize_t cr_conn_transmit(cr_conn *conn, const struct iovec *parts, int count) {
    ssize_t n = conn->transport->write(conn, parts, count);
    if (conn->transport->pending) cr_conn_notice_pending(conn);
    if (n > 0) conn->written += (size_t)n;
    return n;
}
/* Writes the output, unless the transport is waited for, and tells the ends of the answers in it. Returns false with errno
 * if some of it is left (EAGAIN), which is written later, or the connection is closed. */
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
/* Resumes a stream when the transport, which just refused bytes, takes some again. */
void cr_conn_add_writer(cr_conn *conn, cr_stream *stream);
void cr_conn_remove_writer(cr_conn *conn, cr_stream *stream);
/* Sends the connection's own bytes, now or as soon as the transport takes them. Returns false if that closed the
 * connection. */
bool cr_conn_send(cr_conn *conn, const void *bytes, size_t length);
/* The same with parts, which need not stay. */
bool cr_conn_send_parts(cr_conn *conn, const struct iovec *parts, int count);
/* Sends bytes that are of no protocol, after the connection's output. Returns false if the connection is closed. */
bool cr_conn_send_garbage(cr_conn *conn);
/* Begins to wait for the handshake of the transport. */
void cr_conn_begin_handshake(cr_conn *conn);
/* Waits for no turn any more. */
void cr_conn_forgo_shaking(cr_conn *conn);
/* Closes our side of a lingering connection once its output is sent. */
void cr_conn_shut(cr_conn *conn);
/* Event callbacks. */
void cr_conn_on_readable(evutil_socket_t fd, short what, void *argument);
void cr_conn_on_writable(evutil_socket_t fd, short what, void *argument);

/* ---- conn_memory.c ---- */

/* Like the functions of cr_buffer, for buffers of what the client has sent: large ones are counted. */
bool cr_conn_append(cr_conn *conn, cr_buffer *buffer, const void *bytes, size_t length);
void cr_conn_consume(cr_conn *conn, cr_buffer *buffer, size_t length);
void cr_conn_clear(cr_conn *conn, cr_buffer *buffer);
/* Empties the buffer and hands its block over, which the caller frees. */
uint8_t *cr_conn_take(cr_conn *conn, cr_buffer *buffer);
/* Whether a body may take `bytes` more. */
bool cr_conn_has_room(const cr_conn *conn, uint64_t bytes);
/* Appends to a body, if there is room for it; the buffer grows no further than `most` if that is enough. */
cr_fault cr_conn_append_body(cr_conn *conn, cr_buffer *body, const void *bytes, size_t length, uint64_t most);

/* ---- throttle.c ---- */

/* Begins to read a body at a rate above 0, in bytes a second, or never (UINT64_MAX); NULL if memory is short. */
cr_throttle *cr_throttle_new(cr_conn *conn, uint64_t rate);
/* Ends a throttle, which may be NULL. */
void cr_throttle_free(cr_throttle *throttle);
/* The number of bytes, of `length` that are there, that may be taken now. */
size_t cr_throttle_due(const cr_throttle *throttle, size_t length);
/* Counts bytes that were taken. */
void cr_throttle_take(cr_throttle *throttle, size_t length);
/* Calls the protocol's `body_due` when it is time to take what is left; never if that is never read. */
void cr_throttle_plan(cr_throttle *throttle);
/* Waits with the connection for the time to take what is left, or reads on. */
void cr_throttle_wait(cr_throttle *throttle, bool has_more);

/* ---- http2_conn.c ---- */

/* Only where cr_http2_is_available. */
extern const cr_protocol cr_http2_protocol;

/* ---- http2_upgrade.c ---- */

/* Promises a client of HTTP/1.1 that its request is answered in HTTP/2 (`conn->carried`). Returns false if the connection
 * cannot speak it in the clear or the request does not ask for it as it should: HTTP/1.1 goes on. */
bool cr_http2_upgrade(cr_conn *conn, const cr_request *request);
/* Whether a connection of HTTP/1.1 may go on with HTTP/2, with which its client has begun: CR_OK, or why not. */
cr_fault cr_http2_check_preface(cr_conn *conn);

#endif
