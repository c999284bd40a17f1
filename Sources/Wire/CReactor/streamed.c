/* Streamed request bodies, for any protocol. */
#include "conn.h"

bool cr_conn_streams_short(const cr_conn *conn) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    return handler->streams_short && handler->streams_short(handler->context);
}

bool cr_conn_streams_body(cr_conn *conn, const cr_request *head, bool is_long) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    if (!handler->streams_body || !handler->streams_body(handler->context, head, is_long)) return false;
    /* A throttled body is buffered. */
    return !handler->limits_uploads || !handler->limits_uploads(handler->context) ||
        !handler->read_rate(handler->context, head);
}

void cr_stream_begin_body(cr_stream *stream) {
    stream->body = NULL;
    stream->body_coming = true;
    stream->body_reading = false;
}

void cr_stream_deliver_body(cr_stream *stream, const uint8_t *bytes, size_t length) {
    const cr_handler *handler = &cr_service_of(stream->conn->loop)->handler;
    if (length && stream->body) handler->on_body(handler->context, stream->body, bytes, length);
}

void cr_stream_end_body(cr_stream *stream, const cr_request *request) {
    const cr_handler *handler = &cr_service_of(stream->conn->loop)->handler;
    void *body = stream->body;
    stream->body = NULL;
    stream->body_coming = stream->body_reading = false;
    if (body) handler->on_body_end(handler->context, body, request);
}

uint64_t cr_stream_accept_body(cr_stream *stream, void *body) {
    stream->body = body;
    return stream->conn->protocol->body_length(stream);
}

void cr_stream_set_body_reading(cr_stream *stream, bool reads) {
    cr_conn *conn = stream->conn;
    if (!stream->body_coming || stream->body_reading == reads) return;
    stream->body_reading = reads;
    if (conn->state != CR_CONN_OPEN) return;
    cr_conn_ref(conn);
    conn->protocol->set_body_reading(stream);
    cr_conn_unref(conn);
}
