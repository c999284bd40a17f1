/* HTTP/2 as the protocol of a connection: many streams, and the library's session between them and the bytes. */
#include "http2.h"

#include <stdio.h>
#include <string.h>

enum { CHECKED_STREAMS = 8 /* that go on before the clock is read */ };

static void free_state(cr_conn *conn);

static bool open_state(cr_conn *conn) {
    cr_http2 *http2 = calloc(1, sizeof *http2);
    if (!http2) return false;
    conn->protocol_state = http2;
    http2->memory = sizeof *conn + conn->room_size + sizeof *http2;
    http2->frame_left = NGHTTP2_CLIENT_MAGIC_LEN;
    TAILQ_INIT(&http2->streams);
    TAILQ_INIT(&http2->spare);
    TAILQ_INIT(&http2->due);
    TAILQ_INIT(&http2->taken);
    TAILQ_INIT(&http2->granted);
    TAILQ_INIT(&http2->bodies);
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    if (handler->http2_greeting) {
        http2->greeting = handler->http2_greeting(handler->context, &conn->beginning->origin, cr_conn_server_name(conn));
    }
    if (http2->greeting != CR_GREETING_NORMAL) return true;
    http2->session = cr_http2_session_new(conn);
    if (http2->session && cr_http2_take_carried(conn)) return true;
    free_state(conn);
    return false;
}

static void free_state(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (!http2) return;
    cr_http2_streams_free(http2);
    if (http2->session) cr_nghttp2.nghttp2_session_del(http2->session);
    cr_http2_count_nothing(conn);
    free(http2);
    conn->protocol_state = NULL;
}

/* ---- What is waited for -------------------------------------------------------------------------------------- */

/* What a connection waits for that has only this stream. */
static cr_waiting waiting_of(const cr_http2_stream *stream) {
    if (!stream->asked) return CR_WAITING_STEP;
    switch (stream->stream.state) {
    case CR_STREAM_LOST:
        return CR_WAITING_REQUEST;
    case CR_STREAM_ASKING:
    case CR_STREAM_ASKED:
        return CR_WAITING_REPLY;
    case CR_STREAM_HOLDING:
    case CR_STREAM_HELD:
        return CR_WAITING_HOLD;
    default:
        return CR_WAITING_STEP;
    }
}

/* What the streams wait for: of several kinds, one with a time-out. */
static cr_waiting waiting(const cr_conn *conn, uint64_t *deadline_ns) {
    const cr_http2 *http2 = cr_http2_of(conn);
    const cr_http2_stream *stream;
    cr_waiting waiting = CR_WAITING_REQUEST;
    *deadline_ns = UINT64_MAX;
    if (http2->heading || (http2->session && !http2->ready)) return CR_WAITING_HEAD;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        cr_waiting own = waiting_of(stream);
        if (stream->deadline_ns < *deadline_ns) *deadline_ns = stream->deadline_ns;
        if (own > waiting) waiting = own;
    }
    return *deadline_ns == UINT64_MAX ? waiting : CR_WAITING_BODY;
}

/* Begins to wait for what the connection waits for, unless it does so already. */
static void wait_on(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_count_memory(conn);
    if (conn->output.length) {
        if (conn->waiting != CR_WAITING_WRITE) cr_conn_wait_to_write(conn);
        return;
    }
    if (http2->yields) {
        /* What comes meanwhile must neither pile up nor begin another turn. */
        cr_conn_set_reading(conn, false);
        cr_conn_yield(conn);
        return;
    }
    uint64_t deadline_ns;
    cr_waiting kind = waiting(conn, &deadline_ns);
    /* An idle one is so from its last answer on. */
    if (conn->waiting != kind || http2->answered) cr_conn_wait_for(conn, kind);
    http2->answered = false;
    if (kind == CR_WAITING_BODY) conn->deadline_ns = deadline_ns;
    /* What these have granted, the client's windows do not let through. */
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->granted, granted_link) {
        if (!stream->stream.limited) cr_stream_limit_wait(&stream->stream, cr_service_of(conn->loop)->timeout_ns[CR_WAITING_WRITE]);
    }
}

/* A stream alone keeps none of the others waiting: what the connection waits for, `cr_http2_work` finds out. */
static void stream_waits(cr_stream *stream) {
    (void)stream;
}

/* ---- Work ---------------------------------------------------------------------------------------------------- */

static void lose(cr_http2_stream *stream) {
    cr_http2_note(stream, CR_HTTP2_NOTHING);
    cr_http2_end_body(stream);
    cr_stream_lose(&stream->stream, stream->broken ? CR_ABORTED : CR_CLIENT_GONE);
    if (stream->stream.state == CR_STREAM_LOST) return;
    stream->asked = false;
    cr_http2_stream_release(stream);
}

/* Asks what is complete and loses what is gone, as long as the connection's turn lasts. */
static void serve(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    while (conn->state == CR_CONN_OPEN && !http2->yields && (stream = TAILQ_FIRST(&http2->due))) {
        if (stream->event == CR_HTTP2_LOSE || http2->failed) {
            lose(stream);
            continue;
        }
        cr_http2_note(stream, CR_HTTP2_NOTHING);
        cr_http2_ask(stream);
        cr_http2_watch_turn(conn);
    }
    cr_http2_give_bodies(conn);
}

/* Lets the scripts go on of which everything so far is sent. Returns whether there were any. */
static bool go_on(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    uint32_t count = 0;
    while (conn->state == CR_CONN_OPEN && !conn->output.length && !http2->yields && (stream = TAILQ_FIRST(&http2->taken))) {
        cr_http2_note(stream, CR_HTTP2_NOTHING);
        if (stream->stream.state != CR_STREAM_WRITING) continue;
        cr_stream_wake(&stream->stream);
        cr_stream_run(&stream->stream);
        if (++count % CHECKED_STREAMS == 0) cr_http2_watch_turn(conn);
    }
    return count;
}

/* Whether nothing can follow on the connection. */
static bool is_over(const cr_conn *conn) {
    const cr_http2 *http2 = cr_http2_of(conn);
    if (cr_nghttp2.nghttp2_session_want_write(http2->session) || !TAILQ_EMPTY(&http2->taken)) return false;
    if (!cr_nghttp2.nghttp2_session_want_read(http2->session)) return true;
    return (http2->closing || conn->loop->draining) && TAILQ_EMPTY(&http2->streams);
}

void cr_http2_work(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (conn->state != CR_CONN_OPEN || http2->working || !http2->session) return;
    /* Its turn is over, whatever is ready meanwhile. */
    if (conn->waiting == CR_WAITING_TURN) return;
    http2->working = true;
    http2->yields = false;
    http2->turn_ns = conn->loop->now_ns;
    http2->turn_written = conn->written;
    bool goes_on = true;
    while (goes_on && conn->state == CR_CONN_OPEN && !http2->yields) {
        if (conn->loop->draining) cr_http2_close_soon(conn);
        serve(conn);
        cr_http2_pump(conn);
        goes_on = go_on(conn) || !TAILQ_EMPTY(&http2->due) || !TAILQ_EMPTY(&http2->bodies);
    }
    http2->working = false;
    if (conn->state != CR_CONN_OPEN) return;
    if (is_over(conn)) {
        cr_conn_linger(conn);
    } else {
        wait_on(conn);
    }
}

static void take_turn(cr_conn *conn) {
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_conn_set_reading(conn, true);
    cr_http2_work(conn);
    cr_conn_leave(conn);
}

static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    cr_stream_run(stream);
    cr_http2_work(conn);
    cr_conn_leave(conn);
}

/* ---- Input --------------------------------------------------------------------------------------------------- */

bool cr_http2_put_goaway(cr_conn *conn, uint32_t last_stream, uint32_t code, const char *text) {
    uint8_t frame[17 + 200];
    size_t length = strlen(text) < 200 ? strlen(text) : 200;
    uint32_t words[] = {(uint32_t)(8 + length) << 8 | NGHTTP2_GOAWAY, 0, last_stream, code};
    size_t at = 0;
    for (int shift = 24; shift >= 0; shift -= 8) frame[at++] = (uint8_t)(words[0] >> shift);
    frame[at++] = 0;
    for (int word = 1; word < 4; word++) {
        for (int shift = 24; shift >= 0; shift -= 8) frame[at++] = (uint8_t)(words[word] >> shift);
    }
    memcpy(frame + at, text, length);
    return cr_conn_send(conn, frame, at + length);
}

void cr_http2_fail(cr_conn *conn, uint32_t code, const char *reason) {
    char text[256];
    snprintf(text, sizeof text, "the HTTP/2 connection of %s:%u ends: %s", conn->peer, conn->peer_port, reason);
    cr_service_of(conn->loop)->handler.on_trouble(cr_service_of(conn->loop)->handler.context, text);
    if (cr_http2_put_goaway(conn, cr_http2_of(conn)->last_acted, code, reason)) cr_conn_linger(conn);
}

static void take_input(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http2 *http2 = cr_http2_of(conn);
    bool outermost = !http2->working;
    http2->working = http2->inside = true;
    ssize_t taken = cr_http2_take(http2, bytes, length);
    http2->inside = false;
    if (outermost) http2->working = false;
    if (conn->state != CR_CONN_OPEN || taken >= 0) return;
    if (http2->calm) {
        cr_http2_calm_down(conn);
    } else {
        uint32_t code = taken == NGHTTP2_ERR_BAD_CLIENT_MAGIC ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_ENHANCE_YOUR_CALM;
        cr_http2_fail(conn, code, cr_nghttp2.nghttp2_strerror((int)taken));
    }
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http2 *http2 = cr_http2_of(conn);
    switch (http2->greeting) {
    case CR_GREETING_NORMAL:
        if (length) take_input(conn, bytes, length);
        cr_http2_work(conn);
        break;
    case CR_GREETING_NO_SETTINGS:
        break;
    case CR_GREETING_GARBAGE:
        if (cr_conn_send_garbage(conn)) cr_conn_linger(conn);
        break;
    }
}

/* There is no half-closed connection in HTTP/2: what comes behind the last frame of a client is its end. */
static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_GONE);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (!http2) return;
    http2->ending = true;
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        cr_http2_withdraw(stream);
        cr_http2_note(stream, CR_HTTP2_NOTHING);
        cr_http2_end_body(stream);
        cr_http2_stream_forget_request(stream);
        if (!stream->asked) continue;
        cr_stream_lose(&stream->stream, outcome);
        stream->asked = stream->stream.state == CR_STREAM_LOST;
    }
}

static void *take_body(cr_stream *stream, const cr_request *request) {
    cr_buffer *body = &cr_http2_stream_of(stream)->body;
    return body->bytes && body->bytes == request->body ? cr_conn_take(stream->conn, body) : NULL;
}

const cr_protocol cr_http2_protocol = {
    .open = open_state,
    .free = free_state,
    .received = received,
    .input_ended = input_ended,
    .take_turn = take_turn,
    .body_due = cr_http2_body_due,
    .refuse = cr_http2_refuse_slow,
    .ended = ended,
    .send = cr_http2_send,
    .take_body = take_body,
    .body_length = cr_http2_body_length,
    .read_body = cr_http2_read_body_on,
    .stream_waits = stream_waits,
    .resume = resume,
    .stream_ended = cr_http2_stream_ended,
    .say_goodbye = cr_http2_say_goodbye,
    .drop = cr_http2_drop,
    .shrink = cr_http2_shrink,
};
