/* Streamed request bodies of HTTP/2, and the input of WebSockets. What the handler does not read yet is bounded by the
 * stream's window, which grows as bytes are delivered. */
#include "http2.h"

uint64_t cr_http2_body_length(const cr_stream *stream) {
    return ((const cr_http2_stream *)stream)->body_length;
}

void cr_http2_end_body(cr_http2_stream *stream) {
    cr_http2_schedule_body(stream, false);
    if (stream->is_websocket) {
        stream->body_discarded = true;
        cr_conn_clear(stream->stream.conn, &stream->body);
    }
    if (!stream->stream.body_coming) return;
    stream->body_discarded = true;
    stream->deadline_ns = UINT64_MAX;
    cr_conn_clear(stream->stream.conn, &stream->body);
    cr_stream_end_body(&stream->stream, NULL);
}

void cr_http2_abort_body(cr_http2_stream *stream, cr_request_error error) {
    cr_conn *conn = stream->stream.conn;
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    handler->on_refusal(handler->context, cr_request_error_status(error), cr_request_error_text(error), conn->peer);
    stream->deadline_ns = UINT64_MAX;
    stream->stream.refused = true;
    cr_http2_reset(stream, NGHTTP2_CANCEL);
}

/* Extends the client's window by the delivered bytes. */
static void acknowledge(cr_http2_stream *stream) {
    nghttp2_session *session = cr_http2_of(stream->stream.conn)->session;
    size_t length = stream->window_owed;
    stream->window_owed = 0;
    if (length && !stream->input_ended && stream->open) {
        cr_nghttp2.nghttp2_session_consume_stream(session, stream->id, length);
    }
}

/* The handler has the whole body. */
static void finish(cr_http2_stream *stream) {
    const cr_request end = {
        .head = stream->head.bytes,
        .fields = stream->fields,
        .field_count = stream->request.field_count,
        .trailer_count = stream->request.trailer_count,
    };
    stream->deadline_ns = UINT64_MAX;
    cr_stream_end_body(&stream->stream, &end);
}

/* Delivers the input of a WebSocket whose answer has begun. Once the client has ended its input, the stream ends as
 * soon as it is held, since its wait may never end. */
static void deliver_input(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    cr_http2 *http2 = cr_http2_of(conn);
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    if (!stream->accepts_input || stream->input_paused || !stream->dispatched ||
        stream->stream.state <= CR_STREAM_DETACHED) {
        return;
    }
    if (stream->body.length) {
        size_t length = stream->body.length;
        uint8_t *bytes = cr_conn_extract(conn, &stream->body);
        http2->delivering = stream;
        handler->on_input(handler->context, &stream->stream, stream->stream.observer, bytes, length);
        free(bytes);
        /* The handler may have ended the stream. */
        bool continues = conn->state == CR_CONN_OPEN && http2->delivering == stream && stream->dispatched;
        http2->delivering = NULL;
        if (!continues) return;
        acknowledge(stream);
    }
    bool is_held = stream->stream.state == CR_STREAM_HELD;
    if (stream->input_ended && !stream->body.length && is_held) cr_http2_drop(&stream->stream, CR_CLIENT_DISCONNECTED);
}

bool cr_http2_accept_input(cr_stream *stream) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    if (!http2_stream->is_websocket) return false;
    http2_stream->accepts_input = true;
    cr_http2_schedule_body(http2_stream, true);
    return true;
}

void cr_http2_set_input_reading(cr_stream *stream, bool reads) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    http2_stream->input_paused = !reads;
    if (!reads) return;
    cr_conn_ref(stream->conn);
    cr_http2_schedule_body(http2_stream, true);
    cr_http2_process(stream->conn);
    cr_conn_unref(stream->conn);
}

static void deliver(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    cr_http2 *http2 = cr_http2_of(conn);
    if (stream->is_websocket) {
        deliver_input(stream);
        return;
    }
    if (!stream->stream.body_coming || !stream->stream.body_reading) return;
    size_t length = stream->body.length;
    uint8_t *bytes = cr_conn_extract(conn, &stream->body);
    http2->delivering = stream;
    cr_stream_deliver_body(&stream->stream, bytes, length);
    free(bytes);
    /* The handler may have ended the stream. */
    bool continues = conn->state == CR_CONN_OPEN && http2->delivering == stream && stream->stream.body_coming;
    http2->delivering = NULL;
    if (!continues) return;
    acknowledge(stream);
    if (stream->input_ended) finish(stream);
}

void cr_http2_deliver_bodies(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    while (conn->state == CR_CONN_OPEN && !http2->slice_over && (stream = TAILQ_FIRST(&http2->bodies))) {
        cr_http2_schedule_body(stream, false);
        deliver(stream);
        cr_http2_check_slice(conn);
    }
}

void cr_http2_set_body_reading(cr_stream *stream) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    cr_conn *conn = stream->conn;
    if (!stream->body_reading) {
        http2_stream->deadline_ns = UINT64_MAX;
        return;
    }
    /* While an answer is sent, the client may pause its body. */
    if (!http2_stream->input_ended && !http2_stream->head_sent) {
        http2_stream->deadline_ns = conn->loop->now_ns + cr_service_of(conn->loop)->config.body_timeout_ms * 1000000ull;
    }
    bool is_silent = !http2_stream->body.length && !http2_stream->input_ended && !http2_stream->head_sent;
    if (http2_stream->expects_continue && is_silent) cr_http2_send_continue(http2_stream);
    http2_stream->expects_continue = false;
    cr_http2_schedule_body(http2_stream, true);
    cr_http2_process(conn);
}
