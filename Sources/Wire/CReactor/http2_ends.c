/* The ends of streams, and what they mean for the connection. */
#include "http2.h"

void cr_http2_reset(cr_http2_stream *stream, uint32_t code) {
    nghttp2_session *session = cr_http2_of(stream->stream.conn)->session;
    stream->reset_locally = true;
    if (stream->open) cr_nghttp2.nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream->id, code);
}

bool cr_http2_graceful_shutdown(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (http2->closing || !http2->session) return false;
    http2->closing = true;
    int32_t last = cr_nghttp2.nghttp2_session_get_last_proc_stream_id(http2->session);
    cr_nghttp2.nghttp2_submit_goaway(http2->session, NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, NULL, 0);
    return true;
}

void cr_http2_shutdown_notice(cr_conn *conn) {
    if (!cr_http2_graceful_shutdown(conn)) return;
    if (TAILQ_EMPTY(&cr_http2_of(conn)->streams)) cr_http2_flush(conn);
    else cr_http2_process(conn);
}

int cr_http2_on_stream_close(nghttp2_session *session, int32_t id, uint32_t code, void *context) {
    (void)code;
    cr_http2_stream *stream = cr_nghttp2.nghttp2_session_get_stream_user_data(session, id);
    if (!stream) return 0;
    stream->open = false;
    if (!stream->input_ended && !stream->client_reset) cr_http2_of(context)->reset_early = true;
    /* nghttp2 remembers the stream for a while. */
    cr_nghttp2.nghttp2_session_set_stream_user_data(session, id, NULL);
    if (!stream->dispatched) {
        cr_http2_schedule(stream, CR_HTTP2_NOTHING);
        cr_http2_stream_release(stream);
    } else if (!stream->stream.end_sent) {
        cr_http2_revoke_grant(stream);
        cr_http2_schedule(stream, CR_HTTP2_DETACH);
    }
    return 0;
}

/* Ends the connection, and the answers of its other streams. */
static void end_connection(cr_http2_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->stream.conn;
    /* Sends what came before the end of the answer. */
    cr_http2_flush(conn);
    if (conn->state != CR_CONN_OPEN) return;
    if (ending == CR_RST) {
        conn->reset = true;
        cr_conn_close(conn, CR_ABORTED);
        return;
    }
    uint64_t last = stream->stream.abort_last;
    if (last > INT32_MAX) last = (uint32_t)stream->id;
    if (ending == CR_GOAWAY && !cr_http2_put_goaway(conn, (uint32_t)last, stream->stream.abort_code, "")) return;
    if (ending == CR_GARBAGE && !cr_conn_send_garbage(conn)) return;
    conn->skip_close_notify = ending == CR_NO_CLOSE_NOTIFY;
    cr_conn_linger(conn);
}

void cr_http2_stream_ended(cr_stream *stream, cr_ending ending) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    cr_conn *conn = stream->conn;
    http2_stream->dispatched = false;
    cr_http2_revoke_grant(http2_stream);
    cr_http2_schedule(http2_stream, CR_HTTP2_NOTHING);
    bool is_early = stream->body_coming || http2_stream->body_discarded || http2_stream->is_websocket;
    cr_http2_end_body(http2_stream);
    if (conn->state != CR_CONN_OPEN) return;
    /* Sending may close the stream; it is released once, at the end. */
    http2_stream->is_ending = true;
    bool is_whole = ending == CR_KEEP_ALIVE || ending == CR_CLOSE;
    if (is_early && is_whole && !http2_stream->input_ended) cr_http2_reset(http2_stream, NGHTTP2_NO_ERROR);
    conn->served = true;
    cr_http2_of(conn)->answered = true;
    if (ending == CR_CLOSE) {
        cr_http2_graceful_shutdown(conn);
    } else if (ending == CR_RESET_STREAM || ending == CR_BREAK_OFF) {
        cr_http2_flush(conn);
        cr_http2_reset(http2_stream, ending == CR_RESET_STREAM ? stream->abort_code : NGHTTP2_INTERNAL_ERROR);
    } else if (ending != CR_KEEP_ALIVE && http2_stream->open) {
        end_connection(http2_stream, ending);
    }
    http2_stream->is_ending = false;
    cr_http2_stream_release(http2_stream);
}

void cr_http2_drop(cr_stream *stream, cr_outcome outcome) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    cr_conn *conn = stream->conn;
    cr_http2_revoke_grant(http2_stream);
    cr_http2_schedule(http2_stream, CR_HTTP2_NOTHING);
    cr_http2_end_body(http2_stream);
    cr_stream_end(stream, outcome);
    http2_stream->dispatched = false;
    if (conn->state != CR_CONN_OPEN) return;
    cr_http2_reset(http2_stream, NGHTTP2_CANCEL);
    cr_http2_stream_release(http2_stream);
    cr_http2_process(conn);
}
