#include "conn.h"

static bool would_block(int error) {
    return error == EAGAIN || error == EWOULDBLOCK;
}

/* ---- What is waited for -------------------------------------------------------------------------------------- */

/* Adds and removes the events according to what reading and writing wait for. */
static void update_events(cr_conn *conn) {
    int wanted = (conn->reading ? conn->read_wants : 0) | conn->write_wants;
    bool readable = wanted & CR_READABLE, writable = wanted & CR_WRITABLE;
    if (readable != conn->watching_readable) {
        conn->watching_readable = readable;
        if (readable) event_add(&conn->readable, NULL);
        else event_del(&conn->readable);
    }
    if (writable != conn->watching_writable) {
        conn->watching_writable = writable;
        if (writable) event_add(&conn->writable, NULL);
        else event_del(&conn->writable);
    }
}

/* The readiness that the transport waits for after an incomplete call. */
static uint8_t wish(const cr_conn *conn, uint8_t own_direction) {
    return conn->transport->wants ? (uint8_t)conn->transport->wants(conn) : own_direction;
}

static bool has_pending(const cr_conn *conn) {
    return conn->transport->pending && conn->transport->pending(conn);
}

bool cr_conn_has_unread(const cr_conn *conn) {
    return has_pending(conn) || cr_socket_has_unread(conn);
}

static void read_in_turn(cr_conn *conn) {
    if (conn->unread) return;
    conn->unread = true;
    TAILQ_INSERT_TAIL(&cr_service_of(conn->loop)->unread, conn, unread_link);
    cr_loop_plan_turns(conn->loop);
}

void cr_conn_notice_pending(cr_conn *conn) {
    if (!conn->reading || conn->read_wants != CR_READABLE || conn->unread) return;
    int error = errno;
    if (has_pending(conn)) read_in_turn(conn);
    errno = error;
}

void cr_conn_change_reading(cr_conn *conn, bool reading) {
    conn->reading = reading;
    update_events(conn);
    cr_conn_notice_pending(conn);
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static void read_end(cr_conn *conn) {
    if (conn->state == CR_CONN_OPEN) {
        conn->protocol->input_ended(conn);
    } else if (conn->output.length) {
        /* The client may still read, so it gets its answer first. */
        cr_conn_close_input(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_GONE);
    }
}

/* Reads once; returns the number of bytes that came. */
static size_t read_once(cr_conn *conn) {
    ssize_t n = conn->transport->read(conn, cr_service_of(conn->loop)->scratch, CR_SCRATCH_SIZE);
    if (n > 0) {
        /* The input of a lingering connection is dropped. */
        if (conn->state == CR_CONN_OPEN) conn->protocol->received(conn, cr_service_of(conn->loop)->scratch, (size_t)n);
    } else if (n == 0) {
        read_end(conn);
    } else if (would_block(errno)) {
        conn->read_wants = wish(conn, CR_READABLE);
    } else {
        conn->error = errno;
        cr_conn_close(conn, CR_CLIENT_GONE);
    }
    return n > 0 ? (size_t)n : 0;
}

/* Reads once if the socket reports everything that has arrived, otherwise until the transport is drained or the turn is
 * over: as many bytes as a plain read takes, and a transport may yield few of them at a time. */
static void read_on(cr_conn *conn) {
    const uint64_t began_ns = conn->loop->now_ns;
    size_t left = CR_SCRATCH_SIZE;
    conn->read_wants = CR_READABLE;
    for (;;) {
        size_t length = read_once(conn);
        if (!length || !conn->reading || !has_pending(conn)) return;
        if (length >= left || cr_loop_read_clock(conn->loop) - began_ns >= CR_TURN_NS) {
            read_in_turn(conn);
            return;
        }
        left -= length;
    }
}

/* ---- Writing ------------------------------------------------------------------------------------------------- */

static void block_writing(cr_conn *conn) {
    if (!conn->write_wants) conn->write_wants = wish(conn, CR_WRITABLE);
    update_events(conn);
}

/* Drops the output after an error of the transport. */
static void lose_output(cr_conn *conn) {
    const cr_protocol *protocol = conn->protocol;
    if (!conn->error) conn->error = errno;
    cr_buffer_clear(&conn->output);
    if (!protocol || !protocol->output_lost || !protocol->output_lost(conn)) cr_conn_close(conn, CR_CLIENT_GONE);
}

void cr_conn_add_writer(cr_conn *conn, cr_stream *stream) {
    stream->queued = true;
    TAILQ_INSERT_TAIL(&conn->writers, stream, writers_link);
    block_writing(conn);
}

void cr_conn_remove_writer(cr_conn *conn, cr_stream *stream) {
    stream->queued = false;
    TAILQ_REMOVE(&conn->writers, stream, writers_link);
}

bool cr_conn_flush(cr_conn *conn) {
    if (conn->output.length == 0) return true;
    if (!conn->write_wants) {
        struct iovec part = {conn->output.bytes, conn->output.length};
        ssize_t n = cr_conn_transmit(conn, &part, 1);
        if (n < 0 && !would_block(errno)) {
            lose_output(conn);
            errno = EPIPE;
            return false;
        }
        if (n > 0) cr_buffer_consume(&conn->output, (size_t)n);
        if (conn->output.length) block_writing(conn);
        if (n > 0 && conn->holds_answers) conn->protocol->wrote(conn, (size_t)n);
    }
    if (conn->state == CR_CONN_CLOSED) {
        errno = EPIPE;
    } else if (conn->output.length) {
        errno = EAGAIN;
    } else {
        return true;
    }
    return false;
}

/* Keeps what is left of parts of which the first `sent` bytes were taken. Returns false if memory is short. */
static bool keep_rest(cr_conn *conn, const struct iovec *parts, int count, size_t sent) {
    for (int i = 0; i < count; i++) {
        size_t here = sent < parts[i].iov_len ? sent : parts[i].iov_len;
        sent -= here;
        size_t left = parts[i].iov_len - here;
        if (left && !cr_buffer_append(&conn->output, (const uint8_t *)parts[i].iov_base + here, left)) return false;
    }
    return true;
}

bool cr_conn_send_parts(cr_conn *conn, const struct iovec *parts, int count) {
    size_t length = 0;
    for (int i = 0; i < count; i++) length += parts[i].iov_len;
    ssize_t n = cr_conn_write(conn, parts, count);
    if (n == (ssize_t)length) return true;
    if (conn->state == CR_CONN_CLOSED) return false;
    if (n < 0 && !would_block(errno)) {
        lose_output(conn);
        return conn->state != CR_CONN_CLOSED;
    }
    if (!keep_rest(conn, parts, count, n > 0 ? (size_t)n : 0)) {
        cr_conn_close(conn, CR_CLIENT_GONE);
        return false;
    }
    block_writing(conn);
    return true;
}

bool cr_conn_send(cr_conn *conn, const void *bytes, size_t length) {
    struct iovec part = {(void *)bytes, length};
    return cr_conn_send_parts(conn, &part, 1);
}

bool cr_conn_send_garbage(cr_conn *conn) {
    /* As a frame of HTTP/2, it would be longer than any may be. */
    static const char garbage[] = "lskdu018973t09sylgasjkfg1][]'./.sdlv";
    return conn->state != CR_CONN_CLOSED && cr_conn_send(conn, garbage, sizeof garbage - 1);
}

void cr_conn_shut(cr_conn *conn) {
    if (conn->output.length) {
        cr_conn_set_reading(conn, !conn->client_closed);
        return;
    }
    if (conn->client_closed) {
        cr_conn_close(conn, CR_SENT);
        return;
    }
    conn->write_wants = 0;
    if (!conn->shut) {
        conn->shut = conn->transport->shut(conn) == 0 || !would_block(errno);
        if (!conn->shut) conn->write_wants = wish(conn, CR_WRITABLE);
    }
    cr_conn_set_reading(conn, true);
    update_events(conn);
}

/* ---- The handshake ------------------------------------------------------------------------------------------- */

void cr_conn_begin_handshake(cr_conn *conn) {
    conn->state = CR_CONN_HANDSHAKE;
    /* Where it may be plain, a silent client is as idle as on a plain port. */
    bool is_decided = conn->beginning->origin.security == CR_SECURED;
    cr_conn_wait_for(conn, is_decided ? CR_WAITING_HANDSHAKE : CR_WAITING_REQUEST);
    conn->write_wants = conn->transport->begins ? CR_WRITABLE : CR_READABLE;
    update_events(conn);
}

/* Handshakes take a fraction of a millisecond each, and many clients may come at once. */
static bool has_turn(cr_conn *conn) {
    cr_loop *loop = conn->loop;
    if (cr_service_of(loop)->shaken_ns < CR_TURN_NS) return true;
    conn->awaits_shaking = true;
    TAILQ_INSERT_TAIL(&cr_service_of(loop)->shaking, conn, shaking_link);
    cr_loop_plan_turns(loop);
    return false;
}

void cr_conn_forgo_shaking(cr_conn *conn) {
    if (conn->awaits_shaking) TAILQ_REMOVE(&cr_service_of(conn->loop)->shaking, conn, shaking_link);
    conn->awaits_shaking = false;
}

static bool shake(cr_conn *conn) {
    cr_loop *loop = conn->loop;
    const uint64_t began_ns = loop->now_ns;
    bool is_complete = conn->transport->handshake(conn) == 0;
    int error = errno;
    cr_service_of(loop)->shaken_ns += cr_loop_read_clock(loop) - began_ns;
    errno = error;
    return is_complete;
}

static void shake_hands(cr_conn *conn) {
    if (conn->awaits_shaking || !has_turn(conn)) return;
    bool is_complete = shake(conn);
    /* It may have closed the connection, or begun to end it. */
    if (conn->state != CR_CONN_HANDSHAKE) return;
    if (is_complete) {
        if (cr_conn_begin(conn) && conn->protocol->ready) conn->protocol->ready(conn);
    } else if (would_block(errno)) {
        conn->write_wants = wish(conn, CR_READABLE);
    } else {
        conn->error = errno;
        cr_conn_close(conn, CR_CLIENT_GONE);
    }
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

/* Continues what waited for the transport to take bytes. */
static void write_on(cr_conn *conn) {
    conn->write_wants = 0;
    if (conn->state == CR_CONN_HANDSHAKE) {
        shake_hands(conn);
        return;
    }
    const bool had_output = conn->output.length != 0;
    if (!cr_conn_flush(conn)) return;
    if (had_output && conn->protocol && conn->protocol->drained) conn->protocol->drained(conn);
    if (conn->state == CR_CONN_LINGER) {
        cr_conn_shut(conn);
        return;
    }
    /* The connection alone has waited, with its input behind the answers. */
    if (conn->waiting == CR_WAITING_WRITE && TAILQ_EMPTY(&conn->writers)) conn->protocol->take_turn(conn);
    while (conn->state == CR_CONN_OPEN && !conn->write_wants && !TAILQ_EMPTY(&conn->writers)) {
        cr_stream *stream = TAILQ_FIRST(&conn->writers);
        cr_stream_wake(stream);
        conn->protocol->resume(stream);
    }
}

/* Continues whatever waited for the socket: reading, writing or both. */
static void go_on(cr_conn *conn, uint8_t ready) {
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    bool reads = conn->reading && conn->read_wants == ready;
    if (conn->write_wants == ready) write_on(conn);
    if (reads && conn->reading) {
        read_on(conn);
        /* The read may have taken in what the write waits for. */
        if (conn->write_wants == CR_READABLE && conn->state != CR_CONN_CLOSED) write_on(conn);
    }
    if (conn->state != CR_CONN_CLOSED) update_events(conn);
    cr_conn_leave(conn);
}

void cr_conn_shake_on(cr_loop *loop) {
    cr_service_of(loop)->shaken_ns = 0;
    while (!TAILQ_EMPTY(&cr_service_of(loop)->shaking) && cr_service_of(loop)->shaken_ns < CR_TURN_NS) {
        cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->shaking);
        cr_conn_forgo_shaking(conn);
        conn->write_wants = CR_READABLE;
        go_on(conn, CR_READABLE);
    }
}

void cr_conn_on_readable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_conn *conn = argument;
    if (!conn->unread) go_on(conn, CR_READABLE);
}

void cr_conn_read_unread(cr_loop *loop) {
    const uint64_t began_ns = cr_loop_read_clock(loop);
    const cr_conn *last = TAILQ_LAST(&cr_service_of(loop)->unread, cr_conn_list), *conn = NULL;
    while (!TAILQ_EMPTY(&cr_service_of(loop)->unread) && conn != last && loop->now_ns - began_ns < CR_TURN_NS) {
        cr_conn *next = TAILQ_FIRST(&cr_service_of(loop)->unread);
        conn = next; /* compared only: it may be gone afterwards */
        TAILQ_REMOVE(&cr_service_of(loop)->unread, next, unread_link);
        next->unread = false;
        go_on(next, CR_READABLE);
    }
}

void cr_conn_on_writable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_conn *conn = argument;
    conn->watching_writable = false;
    go_on(conn, CR_WRITABLE);
}
