/* HTTP/2 as a connection's protocol: many streams, and the nghttp2 session between them and the bytes. */
#include "http2.h"

#include <stdio.h>
#include <string.h>

enum { CHECKED_STREAMS = 8 /* streams that run between two readings of the clock */ };

static void free_state(cr_conn *conn);

static bool open_state(cr_conn *conn) {
    cr_http2 *http2 = calloc(1, sizeof *http2);
    if (!http2) return false;
    conn->protocol_state = http2;
    http2->memory = sizeof *conn + conn->room_size + sizeof *http2;
    http2->frame_left = NGHTTP2_CLIENT_MAGIC_LEN;
    TAILQ_INIT(&http2->streams);
    TAILQ_INIT(&http2->spare);
    TAILQ_INIT(&http2->scheduled);
    TAILQ_INIT(&http2->runnable);
    TAILQ_INIT(&http2->granted);
    TAILQ_INIT(&http2->bodies);
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    if (handler->http2_server_preface) {
        http2->server_preface =
            handler->http2_server_preface(handler->context, &conn->accept_config->origin, cr_conn_server_name(conn));
    }
    if (http2->server_preface != CR_HTTP2_PREFACE_NORMAL) return true;
    http2->session = cr_http2_session_new(conn);
    if (http2->session && cr_http2_adopt_upgrade(conn)) return true;
    free_state(conn);
    return false;
}

static void free_state(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (!http2) return;
    cr_http2_streams_free(http2);
    if (http2->session) cr_nghttp2.nghttp2_session_del(http2->session);
    cr_http2_uncount_memory(conn);
    free(http2);
    conn->protocol_state = NULL;
}

/* ---- What is waited for -------------------------------------------------------------------------------------- */

/* What a connection with only this stream waits for. */
static cr_waiting waiting_of(const cr_http2_stream *stream) {
    if (!stream->dispatched) return CR_WAITING_STEP;
    switch (stream->stream.state) {
    case CR_STREAM_DETACHED:
        return CR_WAITING_REQUEST;
    case CR_STREAM_DISPATCHING:
    case CR_STREAM_AWAITING_REPLY:
        return CR_WAITING_REPLY;
    case CR_STREAM_HOLDING:
    case CR_STREAM_HELD:
        return CR_WAITING_HOLD;
    default:
        return CR_WAITING_STEP;
    }
}

/* What the streams wait for; of several kinds, one with a time-out. */
static cr_waiting waiting(const cr_conn *conn, uint64_t *deadline_ns) {
    const cr_http2 *http2 = cr_http2_of(conn);
    const cr_http2_stream *stream;
    cr_waiting waiting = CR_WAITING_REQUEST;
    *deadline_ns = UINT64_MAX;
    if (http2->reading_head || (http2->session && !http2->settings_received)) return CR_WAITING_HEAD;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        cr_waiting own = waiting_of(stream);
        if (stream->deadline_ns < *deadline_ns) *deadline_ns = stream->deadline_ns;
        if (own > waiting) waiting = own;
    }
    return *deadline_ns == UINT64_MAX ? waiting : CR_WAITING_BODY;
}

/* Waits for what the streams wait for, unless the connection does already. */
static void update_waiting(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_count_memory(conn);
    if (conn->output.length) {
        if (conn->waiting != CR_WAITING_WRITE) cr_conn_wait_to_write(conn);
        return;
    }
    if (http2->slice_over) {
        /* Input must neither pile up nor begin another time slice. */
        cr_conn_set_reading(conn, false);
        cr_conn_yield(conn);
        return;
    }
    uint64_t deadline_ns;
    cr_waiting kind = waiting(conn, &deadline_ns);
    /* An idle connection is so from its last answer on. */
    if (conn->waiting != kind || http2->answered) cr_conn_wait_for(conn, kind);
    http2->answered = false;
    if (kind == CR_WAITING_BODY) conn->deadline_ns = deadline_ns;
    /* The client's windows do not admit what these have granted. */
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->granted, granted_link) {
        if (!stream->stream.write_limited) {
            cr_stream_limit_wait(&stream->stream, cr_service_of(conn->loop)->timeout_ns[CR_WAITING_WRITE]);
        }
    }
}

/* One stream does not block the others; cr_http2_process decides what the connection waits for. A stream whose client
 * has ended its input must not be held. */
static void stream_waits(cr_stream *stream) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    if (http2_stream->accepts_input && http2_stream->input_ended) cr_http2_schedule_body(http2_stream, true);
}

/* ---- Work ---------------------------------------------------------------------------------------------------- */

static void detach(cr_http2_stream *stream) {
    cr_http2_schedule(stream, CR_HTTP2_NOTHING);
    cr_http2_end_body(stream);
    cr_stream_detach(&stream->stream, stream->broken ? CR_ABORTED : CR_CLIENT_DISCONNECTED);
    if (stream->stream.state == CR_STREAM_DETACHED) return;
    stream->dispatched = false;
    cr_http2_stream_release(stream);
}

/* Dispatches complete requests and detaches reset streams, within the time slice. */
static void run_scheduled(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    while (conn->state == CR_CONN_OPEN && !http2->slice_over && (stream = TAILQ_FIRST(&http2->scheduled))) {
        if (stream->event == CR_HTTP2_DETACH || http2->failed) {
            detach(stream);
            continue;
        }
        cr_http2_schedule(stream, CR_HTTP2_NOTHING);
        cr_http2_dispatch(stream);
        cr_http2_check_slice(conn);
    }
    cr_http2_deliver_bodies(conn);
}

/* Resumes each script whose output so far has been sent. Returns whether there were any. */
static bool resume_scripts(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    uint32_t count = 0;
    while (conn->state == CR_CONN_OPEN && !conn->output.length && !http2->slice_over &&
        (stream = TAILQ_FIRST(&http2->runnable))) {
        cr_http2_schedule(stream, CR_HTTP2_NOTHING);
        if (stream->stream.state != CR_STREAM_WRITING) continue;
        cr_stream_wake(&stream->stream);
        cr_stream_run(&stream->stream);
        if (++count % CHECKED_STREAMS == 0) cr_http2_check_slice(conn);
    }
    return count;
}

/* Whether the connection is done. */
static bool is_over(const cr_conn *conn) {
    const cr_http2 *http2 = cr_http2_of(conn);
    if (cr_nghttp2.nghttp2_session_want_write(http2->session) || !TAILQ_EMPTY(&http2->runnable)) return false;
    if (!cr_nghttp2.nghttp2_session_want_read(http2->session)) return true;
    return (http2->closing || conn->loop->draining) && TAILQ_EMPTY(&http2->streams);
}

void cr_http2_process(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (conn->state != CR_CONN_OPEN || http2->processing || !http2->session) return;
    /* The time slice is over, whatever is ready. */
    if (conn->waiting == CR_WAITING_READY) return;
    http2->processing = true;
    http2->slice_over = false;
    http2->slice_start_ns = conn->loop->now_ns;
    http2->slice_start_written = conn->written;
    bool continues = true;
    while (continues && conn->state == CR_CONN_OPEN && !http2->slice_over) {
        if (conn->loop->draining) cr_http2_graceful_shutdown(conn);
        run_scheduled(conn);
        cr_http2_flush(conn);
        continues = resume_scripts(conn) || !TAILQ_EMPTY(&http2->scheduled) || !TAILQ_EMPTY(&http2->bodies);
    }
    http2->processing = false;
    if (conn->state != CR_CONN_OPEN) return;
    if (is_over(conn)) {
        cr_conn_linger(conn);
    } else {
        update_waiting(conn);
    }
}

static void resume_input(cr_conn *conn) {
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_conn_set_reading(conn, true);
    cr_http2_process(conn);
    cr_conn_unref(conn);
}

static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    cr_stream_run(stream);
    cr_http2_process(conn);
    cr_conn_unref(conn);
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
    cr_service_of(conn->loop)->handler.on_log(cr_service_of(conn->loop)->handler.context, text);
    if (cr_http2_put_goaway(conn, cr_http2_of(conn)->last_processed_id, code, reason)) cr_conn_linger(conn);
}

static void feed_input(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http2 *http2 = cr_http2_of(conn);
    bool outermost = !http2->processing;
    http2->processing = http2->in_library = true;
    ssize_t consumed = cr_http2_feed(http2, bytes, length);
    http2->in_library = false;
    if (outermost) http2->processing = false;
    if (conn->state != CR_CONN_OPEN || consumed >= 0) return;
    if (http2->flood_cause) {
        cr_http2_flood_close(conn);
    } else {
        uint32_t code = consumed == NGHTTP2_ERR_BAD_CLIENT_MAGIC ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_ENHANCE_YOUR_CALM;
        cr_http2_fail(conn, code, cr_nghttp2.nghttp2_strerror((int)consumed));
    }
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http2 *http2 = cr_http2_of(conn);
    switch (http2->server_preface) {
    case CR_HTTP2_PREFACE_NORMAL:
        if (length) feed_input(conn, bytes, length);
        cr_http2_process(conn);
        break;
    case CR_HTTP2_PREFACE_NO_SETTINGS:
        break;
    case CR_HTTP2_PREFACE_GARBAGE:
        if (cr_conn_send_garbage(conn)) cr_conn_linger(conn);
        break;
    }
}

/* HTTP/2 has no half-closed connections: the client has disconnected. */
static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (!http2) return;
    http2->ending = true;
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        cr_http2_revoke_grant(stream);
        cr_http2_schedule(stream, CR_HTTP2_NOTHING);
        cr_http2_end_body(stream);
        cr_http2_stream_free_request(stream);
        if (!stream->dispatched) continue;
        cr_stream_detach(&stream->stream, outcome);
        stream->dispatched = stream->stream.state == CR_STREAM_DETACHED;
    }
}

static void *extract_body(cr_stream *stream, const cr_request *request) {
    cr_buffer *body = &cr_http2_stream_of(stream)->body;
    return body->bytes && body->bytes == request->body ? cr_conn_extract(stream->conn, body) : NULL;
}

const cr_protocol cr_http2_protocol = {
    .open = open_state,
    .free = free_state,
    .received = received,
    .input_ended = input_ended,
    .resume_input = resume_input,
    .body_due = cr_http2_body_due,
    .refuse = cr_http2_refuse_slow,
    .ended = ended,
    .send = cr_http2_send,
    .extract_body = extract_body,
    .body_length = cr_http2_body_length,
    .set_body_reading = cr_http2_set_body_reading,
    .accept_input = cr_http2_accept_input,
    .set_input_reading = cr_http2_set_input_reading,
    .stream_waits = stream_waits,
    .resume = resume,
    .stream_ended = cr_http2_stream_ended,
    .shutdown_notice = cr_http2_shutdown_notice,
    .drop = cr_http2_drop,
    .shrink = cr_http2_shrink,
};
