#include "loop.h"

#include <errno.h>

/* What reading brought. */
typedef enum feed_result {
    FEED_MORE,   /* all is consumed, or waits for more bytes */
    FEED_STOPPED /* a request is being answered, or the connection is ending */
} feed_result;

static feed_result refuse(cr_conn *conn, cr_fault fault) {
    cr_stream_refuse(&conn->stream, fault);
    return FEED_STOPPED;
}

/* Hands the request to the handler, and runs the script if the handler answers at once. */
static feed_result dispatch(cr_conn *conn, const uint8_t *head, const uint8_t *body, size_t body_length) {
    cr_loop *loop = conn->loop;
    const cr_head *parsed = &conn->head;
    cr_request request = {
        .head = head,
        .head_length = parsed->position,
        .method = parsed->method,
        .method_length = parsed->method_length,
        .target = parsed->target,
        .target_length = parsed->target_length,
        .version_minor = parsed->version_minor,
        .fields = parsed->fields,
        .field_count = parsed->field_count,
        .trailer_count = parsed->trailer_count,
        .body = body,
        .body_length = body_length,
        .peer = conn->peer,
        .peer_port = conn->peer_port,
        .local_port = conn->local_port,
        .listener_tag = conn->listener_tag,
    };
    cr_fault fault = cr_target_split(&request);
    if (fault) return refuse(conn, fault);
    conn->keep_alive = parsed->version_minor == 1 ? !parsed->close_wanted : parsed->keep_wanted && !parsed->close_wanted;
    request.keep_alive = conn->keep_alive && !loop->draining;
    request.wall_ns = loop->now_ns + loop->wall_offset_ns;
    request.clock_ns = loop->now_ns;

    conn->state = CR_CONN_REPLYING;
    conn->stream.reply_owed = true;
    loop->handler.on_request(loop->handler.context, &conn->stream, &request);
    /* The handler has its copy, and the reply may take its time. */
    cr_buffer_clear(&conn->head_block);
    cr_buffer_clear(&conn->body);
    if (conn->stream.reply_owed) {
        cr_conn_wait_for(conn, CR_WAITING_REPLY);
        return FEED_STOPPED;
    }
    cr_stream_run(&conn->stream);
    return conn->state == CR_CONN_HEAD ? FEED_MORE : FEED_STOPPED;
}

void cr_conn_next_request(cr_conn *conn) {
    conn->state = CR_CONN_HEAD;
    cr_head_reset(&conn->head);
    cr_buffer_clear(&conn->head_block);
    cr_buffer_clear(&conn->body);
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, !conn->client_closed);
}

/* The head is complete and its body is not: moves the head out of the reading buffer and asks for the body. */
static feed_result begin_body(cr_conn *conn, const uint8_t *head) {
    if (!cr_buffer_append(&conn->head_block, head, conn->head.position)) return refuse(conn, CR_NO_MEMORY);
    conn->state = CR_CONN_BODY;
    conn->body_began_ns = conn->loop->now_ns;
    conn->body_received = 0;
    conn->continue_owed = conn->head.expects_continue && conn->head.version_minor == 1;
    cr_chunks_init(&conn->chunks);
    cr_conn_wait_for(conn, CR_WAITING_BODY);
    return FEED_MORE;
}

/* Reads a head at `*bytes`. With all of the body right behind it, the request is served without a copy. */
static feed_result feed_head(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    size_t here = (size_t)(end - *bytes);
    cr_fault fault;
    cr_progress progress = cr_head_feed(&conn->head, *bytes, here, &conn->loop->config, &fault);
    if (progress == CR_REFUSED) return refuse(conn, fault);
    if (progress == CR_MORE) {
        if (conn->waiting == CR_WAITING_REQUEST && here) cr_conn_wait_for(conn, CR_WAITING_HEAD);
        return FEED_MORE;
    }
    const uint8_t *head = *bytes, *body = head + conn->head.position;
    uint64_t length = conn->head.has_length ? conn->head.content_length : 0;
    if (length > conn->loop->config.body_limit) return refuse(conn, CR_BODY_TOO_LARGE);
    if (!conn->head.chunked && length <= (uint64_t)(end - body)) {
        *bytes = body + length;
        return dispatch(conn, head, body, (size_t)length);
    }
    *bytes = body;
    return begin_body(conn, head);
}

static feed_result dispatch_collected(cr_conn *conn) {
    return dispatch(conn, conn->head_block.bytes, conn->body.bytes, conn->body.length);
}

/* Adds to the body, whose announced length was found to be within the limit; CR_OK or why not. */
static cr_fault collect(cr_conn *conn, const uint8_t *bytes, size_t length) {
    conn->body_received += length;
    return cr_buffer_append(&conn->body, bytes, length) ? CR_OK : CR_NO_MEMORY;
}

static feed_result feed_sized_body(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    uint64_t left = conn->head.content_length - conn->body.length;
    size_t here = (size_t)(end - *bytes);
    size_t take = here < left ? here : (size_t)left;
    cr_fault fault = collect(conn, *bytes, take);
    if (fault) return refuse(conn, fault);
    *bytes += take;
    return take == left ? dispatch_collected(conn) : FEED_MORE;
}

/* Trailer fields are collected behind the head, in the same block, so that all offsets count from one place. */
static feed_result feed_trailers(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    size_t before = conn->head_block.length;
    if (!cr_buffer_append(&conn->head_block, *bytes, (size_t)(end - *bytes))) return refuse(conn, CR_NO_MEMORY);
    cr_fault fault;
    cr_progress progress =
        cr_head_feed(&conn->head, conn->head_block.bytes, conn->head_block.length, &conn->loop->config, &fault);
    if (progress == CR_REFUSED) return refuse(conn, fault);
    *bytes += conn->head.position - before;
    conn->head_block.length = conn->head.position;
    return progress == CR_DONE ? dispatch_collected(conn) : FEED_MORE;
}

static feed_result feed_chunked_body(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    if (conn->head.in_trailers) return feed_trailers(conn, bytes, end);
    for (;;) {
        const uint8_t *data;
        size_t length;
        cr_fault fault;
        uint64_t room = conn->loop->config.body_limit - conn->body.length;
        switch (cr_chunks_next(&conn->chunks, room, bytes, end, &data, &length, &fault)) {
        case CR_CHUNK_MORE:
            return FEED_MORE;
        case CR_CHUNK_REFUSED:
            return refuse(conn, fault);
        case CR_CHUNK_DATA:
            fault = collect(conn, data, length);
            if (fault) return refuse(conn, fault);
            break;
        case CR_CHUNK_LAST:
            cr_head_begin_trailers(&conn->head, (uint32_t)conn->head_block.length);
            return *bytes < end ? feed_trailers(conn, bytes, end) : FEED_MORE;
        }
    }
}

/* The client waits before it sends the body: tell it to go on. */
static void send_continue(cr_conn *conn) {
    static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    conn->continue_owed = false;
    if (conn->body_received) return;
    struct iovec part = {text, sizeof text - 1};
    if (cr_io_write(conn, &part, 1) < 0) cr_conn_close(conn, CR_CLIENT_GONE);
}

/* Reads as many requests as there are. Returns where it stopped. */
static const uint8_t *feed(cr_conn *conn, const uint8_t *bytes, const uint8_t *end) {
    feed_result result = FEED_MORE;
    while (result == FEED_MORE && bytes < end) {
        const uint8_t *before = bytes;
        if (conn->state == CR_CONN_HEAD) {
            result = feed_head(conn, &bytes, end);
        } else if (conn->head.chunked) {
            result = feed_chunked_body(conn, &bytes, end);
        } else {
            result = feed_sized_body(conn, &bytes, end);
        }
        if (bytes == before) break;
    }
    if (conn->state == CR_CONN_BODY && conn->continue_owed) send_continue(conn);
    return bytes;
}

/* Reads what stands in `input`, and keeps what is left of it. */
static void feed_input(cr_conn *conn) {
    const uint8_t *from = conn->input.bytes;
    const uint8_t *to = feed(conn, from, from + conn->input.length);
    /* An ending connection has dropped its input. */
    if (conn->input.bytes) cr_buffer_consume(&conn->input, (size_t)(to - from));
}

/* Stops reading ahead of a request that is being answered where enough of that is here. */
static void pause_full_pipeline(cr_conn *conn) {
    if (conn->state != CR_CONN_REPLYING || conn->input.length < CR_PIPELINE_LIMIT) return;
    cr_conn_set_reading(conn, false);
    if (conn->waiting == CR_WAITING_HOLD) cr_conn_wait_for(conn, CR_WAITING_UNREAD);
}

void cr_conn_resume(cr_conn *conn) {
    conn->busy = true;
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_stream_run(&conn->stream);
    if (conn->state == CR_CONN_HEAD && conn->input.length) feed_input(conn);
    /* All that a client sent before it closed its side is answered. */
    if (conn->client_closed && (conn->state == CR_CONN_HEAD || conn->state == CR_CONN_BODY)) {
        cr_conn_close(conn, CR_SENT);
    }
    pause_full_pipeline(conn);
    conn->busy = false;
    cr_conn_settle(conn);
}

static void read_requests(cr_conn *conn, size_t length) {
    cr_loop *loop = conn->loop;
    if (conn->input.length) {
        if (!cr_buffer_append(&conn->input, loop->scratch, length)) {
            cr_stream_refuse(&conn->stream, CR_NO_MEMORY);
            return;
        }
        feed_input(conn);
    } else {
        const uint8_t *end = loop->scratch + length;
        const uint8_t *rest = feed(conn, loop->scratch, end);
        bool ending = conn->state == CR_CONN_CLOSED || conn->state == CR_CONN_LINGER;
        if (!ending && rest < end && !cr_buffer_append(&conn->input, rest, (size_t)(end - rest))) {
            cr_conn_close(conn, CR_CLIENT_GONE);
        }
    }
}

/* Keeps what a client sends behind a request that is being answered, up to a limit. */
static void keep_pipelined(cr_conn *conn, size_t length) {
    if (!cr_buffer_append(&conn->input, conn->loop->scratch, length)) {
        cr_conn_close(conn, CR_CLIENT_GONE);
    } else {
        pause_full_pipeline(conn);
    }
}

/* End of file. Behind a whole request it may be the end of the sending side alone, and the client gets what is scripted
 * for it. That it has gone altogether is told by a reset, at the latest when bytes are sent to it. A held stream has no end
 * that could be waited for. */
static void client_closed(cr_conn *conn) {
    if (conn->state != CR_CONN_REPLYING || conn->stream.held) {
        cr_conn_close(conn, CR_CLIENT_GONE);
        return;
    }
    conn->client_closed = true;
    LIST_INSERT_HEAD(&conn->loop->half_closed, conn, half_closed_link);
    cr_conn_set_reading(conn, false);
    cr_io_probe(conn);
}

static void read_once(cr_conn *conn) {
    ssize_t n = cr_io_read(conn, conn->loop->scratch, CR_SCRATCH_SIZE);
    if (n < 0) {
        if (errno != EAGAIN && errno != EWOULDBLOCK) cr_conn_close(conn, CR_CLIENT_GONE);
    } else if (n == 0) {
        client_closed(conn);
    } else if (conn->state == CR_CONN_HEAD || conn->state == CR_CONN_BODY) {
        read_requests(conn, (size_t)n);
    } else if (conn->state == CR_CONN_REPLYING) {
        keep_pipelined(conn, (size_t)n);
    } /* else it lingers: what comes is dropped. */
}

void cr_conn_on_readable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_conn *conn = argument;
    conn->busy = true;
    cr_loop_read_clock(conn->loop);
    read_once(conn);
    conn->busy = false;
    cr_conn_settle(conn);
}
