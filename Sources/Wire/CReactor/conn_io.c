#include "conn.h"

static bool would_block(int error) {
    return error == EAGAIN || error == EWOULDBLOCK;
}

/* ---- What is waited for -------------------------------------------------------------------------------------- */

/* Adds and removes events for what reading and writing wait for. */
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

/* What the transport waits for after an incomplete call. */
static uint8_t wanted_readiness(const cr_conn *conn, uint8_t own_direction) {
    return conn->transport->wants ? (uint8_t)conn->transport->wants(conn) : own_direction;
}

static bool has_pending(const cr_conn *conn) {
    return conn->transport->pending && conn->transport->pending(conn);
}

bool cr_conn_has_unread(const cr_conn *conn) {
    return has_pending(conn) || cr_socket_has_unread(conn);
}

static void queue_read(cr_conn *conn) {
    if (conn->read_queued) return;
    conn->read_queued = true;
    TAILQ_INSERT_TAIL(&cr_service_of(conn->loop)->queued_reads, conn, read_link);
    cr_loop_schedule_ready(conn->loop);
}

void cr_conn_queue_pending_read(cr_conn *conn) {
    if (!conn->reading || conn->read_wants != CR_READABLE || conn->read_queued) return;
    int error = errno;
    if (has_pending(conn)) queue_read(conn);
    errno = error;
}

void cr_conn_change_reading(cr_conn *conn, bool reading) {
    conn->reading = reading;
    update_events(conn);
    cr_conn_queue_pending_read(conn);
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static void read_end(cr_conn *conn) {
    if (conn->state == CR_CONN_OPEN) {
        conn->protocol->input_ended(conn);
    } else if (conn->output.length) {
        /* The client may still read, so it gets its answer first. */
        cr_conn_close_input(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
}

/* Reads once. Returns the number of bytes. */
static size_t read_once(cr_conn *conn) {
    ssize_t n = conn->transport->read(conn, cr_service_of(conn->loop)->scratch, CR_SCRATCH_SIZE);
    if (n > 0) {
        /* The input of a lingering connection is dropped. */
        if (conn->state == CR_CONN_OPEN) conn->protocol->received(conn, cr_service_of(conn->loop)->scratch, (size_t)n);
    } else if (n == 0) {
        read_end(conn);
    } else if (would_block(errno)) {
        conn->read_wants = wanted_readiness(conn, CR_READABLE);
    } else {
        conn->error = errno;
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
    return n > 0 ? (size_t)n : 0;
}

/* Reads once if the socket reports everything that has arrived; otherwise until the transport is drained, or one plain
 * read's worth of bytes or a time slice has passed. */
static void read_available(cr_conn *conn) {
    const uint64_t began_ns = conn->loop->now_ns;
    size_t left = CR_SCRATCH_SIZE;
    conn->read_wants = CR_READABLE;
    for (;;) {
        size_t length = read_once(conn);
        if (!length || !conn->reading || !has_pending(conn)) return;
        if (length >= left || cr_loop_read_clock(conn->loop) - began_ns >= CR_SLICE_NS) {
            queue_read(conn);
            return;
        }
        left -= length;
    }
}

/* ---- Writing ------------------------------------------------------------------------------------------------- */

static void block_writing(cr_conn *conn) {
    if (!conn->write_wants) conn->write_wants = wanted_readiness(conn, CR_WRITABLE);
    update_events(conn);
}

/* Discards the output after a transport error. */
static void discard_output(cr_conn *conn) {
    const cr_protocol *protocol = conn->protocol;
    if (!conn->error) conn->error = errno;
    cr_buffer_clear(&conn->output);
    if (!protocol || !protocol->output_failed || !protocol->output_failed(conn)) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
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
            discard_output(conn);
            errno = EPIPE;
            return false;
        }
        if (n > 0) cr_buffer_consume(&conn->output, (size_t)n);
        if (conn->output.length) block_writing(conn);
        if (n > 0 && conn->has_coalesced) conn->protocol->output_written(conn, (size_t)n);
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

/* Buffers the parts after the first `sent` bytes. Returns false if memory is short. */
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
        discard_output(conn);
        return conn->state != CR_CONN_CLOSED;
    }
    if (!keep_rest(conn, parts, count, n > 0 ? (size_t)n : 0)) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
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
    /* As an HTTP/2 frame it would exceed the length limit. */
    static const char garbage[] = "lskdu018973t09sylgasjkfg1][]'./.sdlv";
    return conn->state != CR_CONN_CLOSED && cr_conn_send(conn, garbage, sizeof garbage - 1);
}

void cr_conn_shutdown_write(cr_conn *conn) {
    if (conn->output.length) {
        cr_conn_set_reading(conn, !conn->client_closed);
        return;
    }
    if (conn->client_closed) {
        cr_conn_close(conn, CR_SENT);
        return;
    }
    conn->write_wants = 0;
    if (!conn->write_closed) {
        conn->write_closed = conn->transport->shutdown_write(conn) == 0 || !would_block(errno);
        if (!conn->write_closed) conn->write_wants = wanted_readiness(conn, CR_WRITABLE);
    }
    cr_conn_set_reading(conn, true);
    update_events(conn);
}

/* ---- The handshake ------------------------------------------------------------------------------------------- */

void cr_conn_begin_handshake(cr_conn *conn) {
    conn->state = CR_CONN_HANDSHAKE;
    /* On a port that accepts both, a silent client counts as idle. */
    bool is_decided = conn->accept_config->origin.security == CR_SECURED;
    cr_conn_wait_for(conn, is_decided ? CR_WAITING_HANDSHAKE : CR_WAITING_REQUEST);
    conn->write_wants = conn->transport->begins ? CR_WRITABLE : CR_READABLE;
    update_events(conn);
}

/* A handshake takes a fraction of a millisecond, and many clients may come at once. */
static bool may_handshake(cr_conn *conn) {
    cr_loop *loop = conn->loop;
    if (cr_service_of(loop)->handshake_ns < CR_SLICE_NS) return true;
    conn->handshake_queued = true;
    TAILQ_INSERT_TAIL(&cr_service_of(loop)->handshakes, conn, handshake_link);
    cr_loop_schedule_ready(loop);
    return false;
}

void cr_conn_unqueue_handshake(cr_conn *conn) {
    if (conn->handshake_queued) TAILQ_REMOVE(&cr_service_of(conn->loop)->handshakes, conn, handshake_link);
    conn->handshake_queued = false;
}

static bool continue_handshake(cr_conn *conn) {
    cr_loop *loop = conn->loop;
    const uint64_t began_ns = loop->now_ns;
    bool is_complete = conn->transport->handshake(conn) == 0;
    int error = errno;
    cr_service_of(loop)->handshake_ns += cr_loop_read_clock(loop) - began_ns;
    errno = error;
    return is_complete;
}

static void handshake(cr_conn *conn) {
    if (conn->handshake_queued || !may_handshake(conn)) return;
    bool is_complete = continue_handshake(conn);
    /* It may have closed the connection or let it linger. */
    if (conn->state != CR_CONN_HANDSHAKE) return;
    if (is_complete) {
        if (cr_conn_begin(conn) && conn->protocol->ready) conn->protocol->ready(conn);
    } else if (would_block(errno)) {
        conn->write_wants = wanted_readiness(conn, CR_READABLE);
    } else {
        conn->error = errno;
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

/* Continues what waited for the transport to take bytes. */
static void continue_writing(cr_conn *conn) {
    conn->write_wants = 0;
    if (conn->state == CR_CONN_HANDSHAKE) {
        handshake(conn);
        return;
    }
    const bool had_output = conn->output.length != 0;
    if (!cr_conn_flush(conn)) return;
    if (had_output && conn->protocol && conn->protocol->drained) conn->protocol->drained(conn);
    if (conn->state == CR_CONN_LINGER) {
        cr_conn_shutdown_write(conn);
        return;
    }
    /* The connection itself waited, with input after the coalesced answers. */
    if (conn->waiting == CR_WAITING_WRITE && TAILQ_EMPTY(&conn->writers)) conn->protocol->resume_input(conn);
    while (conn->state == CR_CONN_OPEN && !conn->write_wants && !TAILQ_EMPTY(&conn->writers)) {
        cr_stream *stream = TAILQ_FIRST(&conn->writers);
        cr_stream_wake(stream);
        conn->protocol->resume(stream);
    }
}

/* Continues what waited for the socket: reading, writing or both. */
static void resume_io(cr_conn *conn, uint8_t ready) {
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    bool reads = conn->reading && conn->read_wants == ready;
    if (conn->write_wants == ready) continue_writing(conn);
    if (reads && conn->reading) {
        read_available(conn);
        /* The read may have made the transport ready to write. */
        if (conn->write_wants == CR_READABLE && conn->state != CR_CONN_CLOSED) continue_writing(conn);
    }
    if (conn->state != CR_CONN_CLOSED) update_events(conn);
    cr_conn_unref(conn);
}

void cr_conn_run_handshakes(cr_loop *loop) {
    cr_service_of(loop)->handshake_ns = 0;
    while (!TAILQ_EMPTY(&cr_service_of(loop)->handshakes) && cr_service_of(loop)->handshake_ns < CR_SLICE_NS) {
        cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->handshakes);
        cr_conn_unqueue_handshake(conn);
        conn->write_wants = CR_READABLE;
        resume_io(conn, CR_READABLE);
    }
}

void cr_conn_on_readable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_conn *conn = argument;
    if (!conn->read_queued) resume_io(conn, CR_READABLE);
}

void cr_conn_run_reads(cr_loop *loop) {
    const uint64_t began_ns = cr_loop_read_clock(loop);
    const cr_conn *last = TAILQ_LAST(&cr_service_of(loop)->queued_reads, cr_conn_list), *conn = NULL;
    while (!TAILQ_EMPTY(&cr_service_of(loop)->queued_reads) && conn != last && loop->now_ns - began_ns < CR_SLICE_NS) {
        cr_conn *next = TAILQ_FIRST(&cr_service_of(loop)->queued_reads);
        conn = next; /* compared only: it may be freed afterwards */
        TAILQ_REMOVE(&cr_service_of(loop)->queued_reads, next, read_link);
        next->read_queued = false;
        resume_io(next, CR_READABLE);
    }
}

void cr_conn_on_writable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_conn *conn = argument;
    conn->watching_writable = false;
    resume_io(conn, CR_WRITABLE);
}
