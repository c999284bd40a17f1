/* HTTP/1.1 as a connection's protocol. */
#include "http1.h"
#include "relay.h"

#include <stdio.h>
#include <string.h>

static bool open_state(cr_conn *conn) {
    cr_stream_init(&cr_http1_of(conn)->stream, conn);
    cr_head_init(&cr_http1_of(conn)->head);
    return true;
}

/* ---- Input --------------------------------------------------------------------------------------------------- */

/* Whether further requests have to wait: for the present reply, for the client to take coalesced answers, or in the
 * ready queue. */
static bool is_busy(const cr_conn *conn) {
    return cr_http1_of(conn)->phase >= CR_HTTP1_REPLYING || conn->waiting == CR_WAITING_READY ||
        conn->waiting == CR_WAITING_WRITE;
}

/* Pauses reading once enough pipelined input is buffered. */
static void pause_full_pipeline(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (conn->state != CR_CONN_OPEN || !is_busy(conn)) return;
    if (http1->input.length < CR_PIPELINE_LIMIT) return;
    cr_conn_set_reading(conn, false);
    if (conn->waiting == CR_WAITING_HOLD) cr_conn_wait_for(conn, CR_WAITING_PAUSED);
}

/* Whether received bytes are input for the running stream. */
static bool is_for_stream(const cr_conn *conn) {
    const cr_http1 *http1 = cr_http1_of(conn);
    return conn->state == CR_CONN_OPEN && http1->accepts_input && http1->stream.state >= CR_STREAM_RUNNING;
}

static void set_input_reading(cr_stream *stream, bool reads);

static void deliver_input(cr_conn *conn, const uint8_t *bytes, size_t length) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    cr_stream *stream = &cr_http1_of(conn)->stream;
    handler->on_input(handler->context, stream, stream->observer, bytes, length);
}

/* Switches to the protocol that the last answer promised. */
static void leave(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    cr_head_reset(&http1->head);
    cr_conn_clear(conn, &http1->head_block);
    cr_conn_clear(conn, &http1->body);
    conn->served = true;
    cr_conn_set_protocol(conn, http1->next, bytes, length);
}

void cr_http1_hand_over(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->feeding) return;
    if (http1->stream.body_coming) {
        cr_http1_feed_body(conn);
        return;
    }
    bool leaves = conn->state == CR_CONN_OPEN && http1->phase == CR_HTTP1_LEAVING;
    if (!leaves && !(is_for_stream(conn) && http1->input.length)) return;
    size_t length = http1->input.length;
    uint8_t *bytes = cr_conn_extract(conn, &http1->input);
    if (leaves) {
        leave(conn, bytes, length);
    } else {
        /* Reading was paused while the pipeline buffer was full. */
        set_input_reading(&http1->stream, true);
        deliver_input(conn, bytes, length);
    }
    free(bytes);
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    if (is_for_stream(conn)) {
        deliver_input(conn, bytes, length);
    } else if (cr_http1_of(conn)->stream.body_coming) {
        cr_http1_receive_body(conn, bytes, length);
    } else if (!is_busy(conn)) {
        cr_http1_feed(conn, bytes, length);
    } else if (cr_conn_append(conn, &cr_http1_of(conn)->input, bytes, length)) {
        pause_full_pipeline(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
}

/* After a complete request, the client may have closed its sending side only, so it still gets the reply. If it has
 * disconnected, a reset shows that, at the latest when bytes are sent. The connection closes at once if the reply might
 * never end without a reader: a held stream, a relay that is still open, a tunnel, or a stream with input that
 * waits. */
static void input_ended(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    const cr_relay *relay = http1->stream.relay;
    bool has_producer = (relay && !relay->closed) || conn->tunnel;
    bool waits =
        http1->stream.state == CR_STREAM_HELD || (http1->accepts_input && http1->stream.state == CR_STREAM_TIMED);
    bool may_continue = !waits && !http1->stream.body_coming && !has_producer;
    if (is_busy(conn) && may_continue) {
        cr_conn_close_input(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
}

static void next_request(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    http1->phase = CR_HTTP1_HEAD;
    conn->served = true;
    cr_head_reset(&http1->head);
    cr_conn_clear(conn, &http1->head_block);
    cr_conn_clear(conn, &http1->body);
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, !conn->client_closed);
}

/* ---- Streams ------------------------------------------------------------------------------------------------- */

static void stream_waits(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    if (stream->body_coming && stream->state != CR_STREAM_WRITING) {
        cr_http1_wait_for_body(conn);
        return;
    }
    switch (stream->state) {
    case CR_STREAM_AWAITING_REPLY:
        cr_conn_wait_for(conn, CR_WAITING_REPLY);
        break;
    case CR_STREAM_WRITING:
        cr_conn_wait_to_write(conn);
        cr_conn_add_writer(conn, stream);
        break;
    case CR_STREAM_HELD:
        cr_conn_wait_for(conn, conn->reading ? CR_WAITING_HOLD : CR_WAITING_PAUSED);
        break;
    default:
        cr_conn_wait_for(conn, CR_WAITING_STEP);
        break;
    }
}

void cr_http1_resume(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->feeding) return;
    cr_http1_pass_input(conn);
    if (conn->protocol != &cr_http1_protocol) return;
    if (conn->state == CR_CONN_OPEN && http1->phase == CR_HTTP1_HEAD && http1->input.length) cr_http1_feed_input(conn);
    if (conn->protocol != &cr_http1_protocol) return;
    /* All requests sent before the client closed its side are answered. */
    if (conn->state == CR_CONN_OPEN && conn->client_closed && !is_busy(conn)) cr_conn_close(conn, CR_SENT);
    pause_full_pipeline(conn);
}

static void resume_input(cr_conn *conn) {
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, !conn->client_closed);
    cr_http1_resume(conn);
    /* The client was slow to take the last answers. */
    bool is_idle = conn->state == CR_CONN_OPEN && conn->waiting == CR_WAITING_REQUEST;
    if (is_idle && conn->loop->draining) cr_conn_linger(conn);
    cr_conn_unref(conn);
}

/* Runs the stream, then the requests after it. */
static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_stream_run(stream);
    cr_http1_resume(conn);
    cr_conn_unref(conn);
}

static void stream_ended(cr_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->conn;
    bool keeps = cr_http1_of(conn)->keep_alive && !cr_http1_of(conn)->accepts_input && !stream->body_coming;
    if (ending == CR_RST || ending == CR_RESET_STREAM) {
        conn->reset = true;
        cr_conn_close(conn, CR_ABORTED);
    } else if (ending == CR_KEEP_ALIVE && keeps && !conn->loop->draining) {
        /* The callers may still use the HTTP/1.1 state, and hold the bytes after the request. */
        if (cr_http1_of(conn)->next) cr_http1_of(conn)->phase = CR_HTTP1_LEAVING;
        else next_request(conn);
    } else if (ending != CR_GARBAGE || cr_conn_send_garbage(conn)) {
        conn->skip_close_notify = ending == CR_NO_CLOSE_NOTIFY;
        cr_conn_linger(conn);
    }
}

static void drop(cr_stream *stream, cr_outcome outcome) {
    /* A partial answer must not look complete. Without one, the connection ends in order. */
    if (outcome == CR_CANCELLED && !stream->bytes_sent) {
        cr_stream_end(stream, outcome);
        stream_ended(stream, CR_FIN);
        return;
    }
    if (outcome == CR_CANCELLED) stream->conn->reset = true;
    cr_conn_close(stream->conn, outcome);
}

/* ---- The connection ------------------------------------------------------------------------------------------ */

static size_t put_status_line(uint8_t *at, int status, const char *reason) {
    return cr_put_status_line(at, status, (const uint8_t *)reason, strlen(reason));
}

static size_t put_field(uint8_t *at, const char *name, const char *value) {
    return cr_put_field(at, (const uint8_t *)name, strlen(name), (const uint8_t *)value, strlen(value));
}

static void refuse(cr_conn *conn, cr_request_error error) {
    /* Earlier answers go first. */
    if (conn->has_coalesced) cr_conn_flush(conn);
    if (conn->state == CR_CONN_CLOSED) return;
    cr_handler *handler = &cr_service_of(conn->loop)->handler;
    int status = cr_request_error_status(error);
    const char *text = cr_request_error_text(error);
    if (error == CR_TLS_ON_PLAIN_PORT) {
        /* The client could not read an answer. */
        char line[200];
        snprintf(line, sizeof line, "%s %s (port %u)", conn->peer, text, (unsigned)conn->accept_config->origin.port);
        if (handler->on_failed_handshake) {
            handler->on_failed_handshake(handler->context, line, &conn->accept_config->origin, NULL);
        } else {
            handler->on_log(handler->context, line);
        }
        cr_conn_linger(conn);
        return;
    }
    handler->on_refusal(handler->context, status, text, conn->peer);
    cr_stream *stream = &cr_http1_of(conn)->stream;
    stream->refused = stream->body_coming;
    if (stream->refused && stream->bytes_sent) {
        /* The answer began before the body ended, and must not look complete. */
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return;
    }

    if (stream->refused) stream->refusal = status;
    uint8_t answer[512], *at = answer;
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", strlen(text) + 1);
    at += put_status_line(at, status, cr_status_phrase(status));
    at += put_field(at, "Content-Type", "text/plain;charset=utf-8");
    at += put_field(at, "Content-Length", digits);
    at += put_field(at, "Connection", "close");
    at += snprintf((char *)at, sizeof answer - (size_t)(at - answer), "\r\n%s\n", text);
    if (cr_conn_send(conn, answer, (size_t)(at - answer))) cr_conn_linger(conn);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (conn->state == CR_CONN_CLOSED) {
        cr_http1_fail_coalesced(conn, outcome);
        cr_head_reset(&http1->head);
    }
    cr_conn_clear(conn, &http1->input);
    cr_conn_clear(conn, &http1->head_block);
    cr_conn_clear(conn, &http1->body);
    cr_throttle_free(http1->throttle);
    http1->throttle = NULL;
    cr_stream_end_body(&http1->stream, NULL);
    cr_stream_detach(&http1->stream, outcome);
}

static void *extract_body(cr_stream *stream, const cr_request *request) {
    cr_buffer *body = &cr_http1_of(stream->conn)->body;
    return body->bytes && body->bytes == request->body ? cr_conn_extract(stream->conn, body) : NULL;
}

static uint64_t body_length(const cr_stream *stream) {
    const cr_head *head = &cr_http1_of(stream->conn)->head;
    return head->chunked ? UINT64_MAX : head->content_length;
}

static void set_body_reading(cr_stream *stream) {
    cr_http1_feed_body(stream->conn);
}

/* ---- What follows a request ------------------------------------------------------------------------------------ */

static bool accept_input(cr_stream *stream) {
    cr_http1_of(stream->conn)->accepts_input = true;
    return true;
}

static void set_input_reading(cr_stream *stream, bool reads) {
    cr_conn *conn = stream->conn;
    cr_conn_set_reading(conn, reads && !conn->client_closed);
    if (stream->state == CR_STREAM_HELD) stream_waits(stream);
}

static bool upgrade(cr_stream *stream, const cr_protocol *protocol, bool force) {
    cr_http1 *http1 = cr_http1_of(stream->conn);
    http1->next = protocol;
    if (force) http1->keep_alive = true;
    return true;
}

/* A client within a streamed body may have sent the rest. */
static bool awaits_rest(const cr_conn *conn) {
    return cr_http1_of(conn)->stream.body_coming;
}

const cr_protocol cr_http1_protocol = {
    .room = sizeof(cr_http1),
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .resume_input = resume_input,
    .body_due = cr_http1_feed_input,
    .awaits_rest = awaits_rest,
    .output_written = cr_http1_coalesced_written,
    .refuse = refuse,
    .ended = ended,
    .send = cr_http1_send,
    .extract_body = extract_body,
    .body_length = body_length,
    .set_body_reading = set_body_reading,
    .accept_input = accept_input,
    .set_input_reading = set_input_reading,
    .upgrade = upgrade,
    .stream_waits = stream_waits,
    .resume = resume,
    .stream_ended = stream_ended,
    .drop = drop,
};

const cr_protocol *cr_protocol_http1(void) {
    return &cr_http1_protocol;
}
