/* HTTP/1.1 as the protocol of a connection: one stream for one request and reply at a time. */
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

/* Whether the requests behind the last one have to wait: for its reply, for the client to take what was gathered, or for
 * the connection's turn. */
static bool is_busy(const cr_conn *conn) {
    return cr_http1_of(conn)->phase >= CR_HTTP1_REPLYING || conn->waiting == CR_WAITING_TURN || conn->waiting == CR_WAITING_WRITE;
}

/* Stops reading ahead once enough of the following requests is buffered. */
static void pause_full_pipeline(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (conn->state != CR_CONN_OPEN || !is_busy(conn)) return;
    if (http1->input.length < CR_PIPELINE_LIMIT) return;
    cr_conn_set_reading(conn, false);
    if (conn->waiting == CR_WAITING_HOLD) cr_conn_wait_for(conn, CR_WAITING_UNREAD);
}

/* Whether what comes is for the stream that is being answered. */
static bool is_for_stream(const cr_conn *conn) {
    const cr_http1 *http1 = cr_http1_of(conn);
    return conn->state == CR_CONN_OPEN && http1->takes_input && http1->stream.state >= CR_STREAM_RUNNING;
}

static void read_input(cr_stream *stream, bool reads);

static void give_to_stream(cr_conn *conn, const uint8_t *bytes, size_t length) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    cr_stream *stream = &cr_http1_of(conn)->stream;
    handler->on_input(handler->context, stream, stream->observer, bytes, length);
}

/* Goes on with the protocol that the last answer has promised. */
static void leave(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    cr_head_reset(&http1->head);
    cr_conn_clear(conn, &http1->head_block);
    cr_conn_clear(conn, &http1->body);
    conn->served = true;
    cr_conn_speak(conn, http1->next, bytes, length);
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
    uint8_t *bytes = cr_conn_take(conn, &http1->input);
    if (leaves) {
        leave(conn, bytes, length);
    } else {
        /* It was not read on while so much of it was kept. */
        read_input(&http1->stream, true);
        give_to_stream(conn, bytes, length);
    }
    free(bytes);
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    if (is_for_stream(conn)) {
        give_to_stream(conn, bytes, length);
    } else if (cr_http1_of(conn)->stream.body_coming) {
        cr_http1_receive_body(conn, bytes, length);
    } else if (!is_busy(conn)) {
        cr_http1_feed(conn, bytes, length);
    } else if (cr_conn_append(conn, &cr_http1_of(conn)->input, bytes, length)) {
        pause_full_pipeline(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_GONE);
    }
}

/* After a whole request, the client may have closed only its sending side, so it still gets its reply; if it has closed
 * the whole connection, a reset shows that, at the latest when bytes are sent to it. A held stream is closed at once,
 * since its end may never come, and so is one whose relay still brings more, or behind which another server waits: that would
 * go on for nobody. */
static void input_ended(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    const cr_relay *relay = http1->stream.relay;
    bool has_producer = (relay && !relay->closed) || conn->tunnel;
    bool may_go_on = http1->stream.state != CR_STREAM_HELD && !http1->stream.body_coming && !has_producer;
    if (is_busy(conn) && may_go_on) {
        cr_conn_close_input(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_GONE);
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
    case CR_STREAM_ASKED:
        cr_conn_wait_for(conn, CR_WAITING_REPLY);
        break;
    case CR_STREAM_WRITING:
        cr_conn_wait_to_write(conn);
        cr_conn_add_writer(conn, stream);
        break;
    case CR_STREAM_HELD:
        cr_conn_wait_for(conn, conn->reading ? CR_WAITING_HOLD : CR_WAITING_UNREAD);
        break;
    default:
        cr_conn_wait_for(conn, CR_WAITING_STEP);
        break;
    }
}

void cr_http1_go_on(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->feeding) return;
    cr_http1_pass_input(conn);
    if (conn->protocol != &cr_http1_protocol) return;
    if (conn->state == CR_CONN_OPEN && http1->phase == CR_HTTP1_HEAD && http1->input.length) cr_http1_feed_input(conn);
    if (conn->protocol != &cr_http1_protocol) return;
    /* All requests that the client sent before it closed its side are answered. */
    if (conn->state == CR_CONN_OPEN && conn->client_closed && !is_busy(conn)) cr_conn_close(conn, CR_SENT);
    pause_full_pipeline(conn);
}

static void take_turn(cr_conn *conn) {
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, !conn->client_closed);
    cr_http1_go_on(conn);
    /* Answers that the client was slow to take may have been the last ones. */
    bool is_idle = conn->state == CR_CONN_OPEN && conn->waiting == CR_WAITING_REQUEST;
    if (is_idle && conn->loop->draining) cr_conn_linger(conn);
    cr_conn_leave(conn);
}

/* Runs the stream further, and then the requests after it. */
static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_stream_run(stream);
    cr_http1_go_on(conn);
    cr_conn_leave(conn);
}

static void stream_ended(cr_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->conn;
    bool is_kept = cr_http1_of(conn)->keep_alive && !cr_http1_of(conn)->takes_input && !stream->body_coming;
    if (ending == CR_RST || ending == CR_RESET_STREAM) {
        conn->reset = true;
        cr_conn_close(conn, CR_ABORTED);
    } else if (ending == CR_KEEP_ALIVE && is_kept && !conn->loop->draining) {
        /* What calls this may go on to use the state of HTTP/1.1, and has the bytes behind the request. */
        if (cr_http1_of(conn)->next) cr_http1_of(conn)->phase = CR_HTTP1_LEAVING;
        else next_request(conn);
    } else if (ending != CR_GARBAGE || cr_conn_send_garbage(conn)) {
        conn->cut = ending == CR_CUT;
        cr_conn_linger(conn);
    }
}

static void drop(cr_stream *stream, cr_outcome outcome) {
    /* A partial answer must not look complete; where there is none, the connection ends in order. */
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

static void refuse(cr_conn *conn, cr_fault fault) {
    /* The answers before it are told first. */
    if (conn->holds_answers) cr_conn_flush(conn);
    if (conn->state == CR_CONN_CLOSED) return;
    cr_handler *handler = &cr_service_of(conn->loop)->handler;
    int status = cr_fault_status(fault);
    const char *text = cr_fault_text(fault);
    if (fault == CR_SECURED_HELLO) {
        /* No answer can be read. */
        char line[200];
        snprintf(line, sizeof line, "%s %s (port %u)", conn->peer, text, (unsigned)conn->beginning->origin.port);
        if (handler->on_failed_handshake) {
            handler->on_failed_handshake(handler->context, line, &conn->beginning->origin, NULL);
        } else {
            handler->on_trouble(handler->context, line);
        }
        cr_conn_linger(conn);
        return;
    }
    handler->on_refusal(handler->context, status, text, conn->peer);
    cr_stream *stream = &cr_http1_of(conn)->stream;
    stream->refused = stream->body_coming;
    if (stream->refused && stream->bytes_sent) {
        /* The answer has begun before the end of the body, and must not look complete. */
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_GONE);
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
        cr_http1_lose_gathered(conn, outcome);
        cr_head_reset(&http1->head);
    }
    cr_conn_clear(conn, &http1->input);
    cr_conn_clear(conn, &http1->head_block);
    cr_conn_clear(conn, &http1->body);
    cr_throttle_free(http1->throttle);
    http1->throttle = NULL;
    cr_stream_end_body(&http1->stream, NULL);
    cr_stream_lose(&http1->stream, outcome);
}

static void *take_body(cr_stream *stream, const cr_request *request) {
    cr_buffer *body = &cr_http1_of(stream->conn)->body;
    return body->bytes && body->bytes == request->body ? cr_conn_take(stream->conn, body) : NULL;
}

static uint64_t body_length(const cr_stream *stream) {
    const cr_head *head = &cr_http1_of(stream->conn)->head;
    return head->chunked ? UINT64_MAX : head->content_length;
}

static void read_body(cr_stream *stream) {
    cr_http1_feed_body(stream->conn);
}

/* ---- What follows a request ------------------------------------------------------------------------------------ */

static bool take_input(cr_stream *stream) {
    cr_http1_of(stream->conn)->takes_input = true;
    return true;
}

static void read_input(cr_stream *stream, bool reads) {
    cr_conn *conn = stream->conn;
    cr_conn_set_reading(conn, reads && !conn->client_closed);
    if (stream->state == CR_STREAM_HELD) stream_waits(stream);
}

static bool upgrade(cr_stream *stream, const cr_protocol *protocol, bool kept) {
    cr_http1 *http1 = cr_http1_of(stream->conn);
    http1->next = protocol;
    if (kept) http1->keep_alive = true;
    return true;
}

/* One in the middle of a body may have sent the rest. */
static bool awaits_rest(const cr_conn *conn) {
    return cr_http1_of(conn)->stream.body_coming;
}

const cr_protocol cr_http1_protocol = {
    .room = sizeof(cr_http1),
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .take_turn = take_turn,
    .body_due = cr_http1_feed_input,
    .awaits_rest = awaits_rest,
    .wrote = cr_http1_note_gathered,
    .refuse = refuse,
    .ended = ended,
    .send = cr_http1_send,
    .take_body = take_body,
    .body_length = body_length,
    .read_body = read_body,
    .take_input = take_input,
    .read_input = read_input,
    .upgrade = upgrade,
    .stream_waits = stream_waits,
    .resume = resume,
    .stream_ended = stream_ended,
    .drop = drop,
};

const cr_protocol *cr_protocol_http1(void) {
    return &cr_http1_protocol;
}
