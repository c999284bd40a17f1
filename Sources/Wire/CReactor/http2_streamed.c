/* Bodies of HTTP/2 that the handler takes while they come. What it does not want yet is limited by the stream's window, which
 * is given as it is handed over. */
#include "http2.h"

uint64_t cr_http2_body_length(const cr_stream *stream) {
    return ((const cr_http2_stream *)stream)->body_length;
}

void cr_http2_end_body(cr_http2_stream *stream) {
    cr_http2_note_body(stream, false);
    if (!stream->stream.body_coming) return;
    stream->body_over = true;
    stream->deadline_ns = UINT64_MAX;
    cr_conn_clear(stream->stream.conn, &stream->body);
    cr_stream_end_body(&stream->stream, NULL);
}

void cr_http2_give_up_body(cr_http2_stream *stream, cr_fault fault) {
    cr_conn *conn = stream->stream.conn;
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    handler->on_refusal(handler->context, cr_fault_status(fault), cr_fault_text(fault), conn->peer);
    stream->deadline_ns = UINT64_MAX;
    stream->stream.refused = true;
    cr_http2_reset(stream, NGHTTP2_CANCEL);
}

/* Lets the client send as much again as was handed over. */
static void acknowledge(cr_http2_stream *stream) {
    nghttp2_session *session = cr_http2_of(stream->stream.conn)->session;
    size_t length = stream->unacknowledged;
    stream->unacknowledged = 0;
    if (length && !stream->input_ended && stream->open) {
        cr_nghttp2.nghttp2_session_consume_stream(session, stream->id, length);
    }
}

/* The client has sent all, and the handler has it. */
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

static void give(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    cr_http2 *http2 = cr_http2_of(conn);
    if (!stream->stream.body_coming || !stream->stream.body_reads) return;
    size_t length = stream->body.length;
    uint8_t *bytes = cr_conn_take(conn, &stream->body);
    http2->giving = stream;
    cr_stream_give_body(&stream->stream, bytes, length);
    free(bytes);
    /* The handler may have ended the stream. */
    bool goes_on = conn->state == CR_CONN_OPEN && http2->giving == stream && stream->stream.body_coming;
    http2->giving = NULL;
    if (!goes_on) return;
    acknowledge(stream);
    if (stream->input_ended) finish(stream);
}

void cr_http2_give_bodies(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    while (conn->state == CR_CONN_OPEN && !http2->yields && (stream = TAILQ_FIRST(&http2->bodies))) {
        cr_http2_note_body(stream, false);
        give(stream);
        cr_http2_watch_turn(conn);
    }
}

void cr_http2_read_body_on(cr_stream *stream) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    cr_conn *conn = stream->conn;
    if (!stream->body_reads) {
        http2_stream->deadline_ns = UINT64_MAX;
        return;
    }
    /* In a call that is answered while it asks, the client may rest. */
    if (!http2_stream->input_ended && !http2_stream->announced) {
        http2_stream->deadline_ns = conn->loop->now_ns + cr_service_of(conn->loop)->config.body_timeout_ms * 1000000ull;
    }
    bool is_silent = !http2_stream->body.length && !http2_stream->input_ended && !http2_stream->announced;
    if (http2_stream->expects_continue && is_silent) cr_http2_send_continue(http2_stream);
    http2_stream->expects_continue = false;
    cr_http2_note_body(http2_stream, true);
    cr_http2_work(conn);
}
