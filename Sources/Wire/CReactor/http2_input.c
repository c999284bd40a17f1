/* Received header blocks and bodies, until a request is complete. */
#include "http2.h"

#include <stdio.h>
#include <string.h>

enum { DECODED_HEADS = 8 }; /* times the limit that one header block may unpack to */

static cr_http2_stream *find(nghttp2_session *session, int32_t id) {
    return cr_nghttp2.nghttp2_session_get_stream_user_data(session, id);
}

static cr_handler *handler_of(const cr_conn *conn) {
    return &cr_service_of(conn->loop)->handler;
}

/* ---- Header blocks ------------------------------------------------------------------------------------------- */

int cr_http2_on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
    cr_conn *conn = context;
    cr_http2 *http2 = cr_http2_of(conn);
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        cr_http2_stream *stream = cr_http2_stream_new(conn, frame->hd.stream_id);
        if (!stream) return NGHTTP2_ERR_CALLBACK_FAILURE;
        cr_nghttp2.nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, stream);
        http2->reading_head = stream;
    } else {
        http2->reading_head = find(session, frame->hd.stream_id);
    }
    return 0;
}

int cr_http2_on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name, nghttp2_rcbuf *value,
    uint8_t flags, void *context) {
    (void)session, (void)frame, (void)flags;
    cr_conn *conn = context;
    cr_http2_stream *stream = cr_http2_of(conn)->reading_head;
    if (!stream) return 0;
    cr_http2_add_field(stream, name, value);
    if (stream->list_size <= (size_t)cr_service_of(conn->loop)->config.head.length * DECODED_HEADS) return 0;
    return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_LARGE_HEADS);
}

int cr_http2_on_invalid_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name,
    nghttp2_rcbuf *value, uint8_t flags, void *context) {
    (void)session, (void)frame, (void)value, (void)flags;
    cr_http2_stream *stream = cr_http2_of(context)->reading_head;
    nghttp2_vec text = cr_nghttp2.nghttp2_rcbuf_get_buf(name);
    bool is_name = text.len == 0;
    for (size_t i = 0; i < text.len; i++) is_name = is_name || text.base[i] <= ' ' || text.base[i] >= 0x7f;
    if (stream && !stream->error) stream->error = is_name ? CR_BAD_FIELD_NAME : CR_BAD_FIELD_VALUE;
    return 0;
}

/* ---- The end of a request ------------------------------------------------------------------------------------ */

/* The request is complete, unless a throttle holds some of it back. */
static void complete(cr_http2_stream *stream) {
    if (stream->refused || stream->throttled || stream->body_discarded) return;
    if (stream->streams_body || stream->is_websocket) cr_http2_schedule_body(stream, true);
    else cr_http2_schedule(stream, CR_HTTP2_DISPATCH);
}

static void record_processed(const cr_http2_stream *stream) {
    cr_http2 *http2 = cr_http2_of(stream->stream.conn);
    if ((uint32_t)stream->id > http2->last_processed_id) http2->last_processed_id = (uint32_t)stream->id;
}

void cr_http2_refuse(cr_http2_stream *stream, cr_request_error error) {
    cr_conn *conn = stream->stream.conn;
    cr_http2 *http2 = cr_http2_of(conn);
    int status = cr_request_error_status(error);
    handler_of(conn)->on_refusal(handler_of(conn)->context, status, cr_request_error_text(error), conn->peer);
    cr_http2_schedule(stream, CR_HTTP2_NOTHING);
    cr_http2_stream_free_request(stream);
    record_processed(stream);
    stream->refused = true;
    stream->refusal = cr_request_error_text(error);
    uint8_t digits[3] = {
        (uint8_t)('0' + status / 100), (uint8_t)('0' + status / 10 % 10), (uint8_t)('0' + status % 10)};
    char length[24];
    int count = snprintf(length, sizeof length, "%zu", strlen(stream->refusal) + 1);
    static uint8_t type[] = "text/plain;charset=utf-8";
    nghttp2_nv fields[] = {
        {(uint8_t *)":status", digits, 7, sizeof digits, NGHTTP2_NV_FLAG_NONE},
        {(uint8_t *)"content-type", type, 12, sizeof type - 1, NGHTTP2_NV_FLAG_NONE},
        {(uint8_t *)"content-length", (uint8_t *)length, 14, (size_t)count, NGHTTP2_NV_FLAG_NONE},
    };
    nghttp2_data_provider source = {.source.ptr = stream, .read_callback = cr_http2_read_body};
    if (cr_nghttp2.nghttp2_submit_response(http2->session, stream->id, fields, 3, &source)) {
        cr_http2_reset(stream, NGHTTP2_INTERNAL_ERROR);
    }
}

/* ---- Bodies -------------------------------------------------------------------------------------------------- */

static void extend(cr_http2_stream *stream, size_t length) {
    if (stream->deadline_ns == UINT64_MAX) return;
    const cr_loop *loop = stream->stream.conn->loop;
    uint64_t earned = stream->deadline_ns + length * 1000000000ull / 1024;
    uint64_t furthest = loop->now_ns + cr_service_of(loop)->config.body_idle_timeout_ms * 1000000ull;
    uint64_t deadline = earned < furthest ? earned : furthest;
    if (deadline > stream->deadline_ns) stream->deadline_ns = deadline;
}

/* Asks the handler how fast to read the body. */
static void begin_throttle(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    const cr_handler *handler = handler_of(conn);
    cr_request request;
    if (!handler->limits_uploads || !handler->limits_uploads(handler->context)) return;
    if (cr_http2_describe(stream, &request) != CR_OK) return;
    uint64_t rate = handler->read_rate(handler->context, &request);
    if (rate) stream->throttle = cr_throttle_new(conn, rate);
}

void cr_http2_send_continue(cr_http2_stream *stream) {
    nghttp2_nv status = {(uint8_t *)":status", (uint8_t *)"100", 7, 3, NGHTTP2_NV_FLAG_NONE};
    nghttp2_session *session = cr_http2_of(stream->stream.conn)->session;
    cr_nghttp2.nghttp2_submit_headers(session, NGHTTP2_FLAG_NONE, stream->id, NULL, &status, 1, NULL);
}

/* Asks the handler whether it streams the body, once for a long one. If so, the request is dispatched before its
 * body. */
static bool streams_body(cr_http2_stream *stream, bool is_long) {
    cr_request request;
    if (stream->streaming_decided || stream->throttle) return false;
    stream->streaming_decided = is_long;
    if (cr_http2_describe(stream, &request) != CR_OK) return false;
    request.body = NULL;
    request.body_length = 0;
    stream->streams_body = cr_conn_streams_body(stream->stream.conn, &request, is_long);
    if (stream->streams_body) cr_http2_schedule(stream, CR_HTTP2_DISPATCH);
    return stream->streams_body;
}

/* Whether the method is CONNECT. */
static bool asks_for_tunnel(const cr_http2_stream *stream) {
    const cr_request *request = &stream->request;
    return request->method_length == 7 && memcmp(stream->head.bytes + request->method, "CONNECT", 7) == 0;
}

static void begin_body(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    const cr_config *config = &cr_service_of(conn->loop)->config;
    bool is_known = stream->body_length != UINT64_MAX;
    cr_request_error error = stream->error;
    bool is_long = is_known && stream->body_length > cr_service_of(conn->loop)->max_unstreamed_body;
    bool may_stream = is_long || (!is_known && cr_conn_streams_short(conn) && !asks_for_tunnel(stream));
    if (!error && may_stream && streams_body(stream, is_long)) return;
    if (!error && is_known && stream->body_length > config->body_limit) error = CR_BODY_TOO_LARGE;
    if (!error && is_known && !cr_conn_has_room(conn, stream->body_length)) error = CR_MEMORY_FULL;
    if (error) {
        cr_http2_refuse(stream, error);
        return;
    }
    if (asks_for_tunnel(stream)) {
        /* Its body would be the tunnel's input: it may end after the answer, and is dropped. */
        complete(stream);
        stream->body_discarded = true;
        return;
    }
    begin_throttle(stream);
    if (!stream->throttle) stream->deadline_ns = conn->loop->now_ns + config->body_timeout_ms * 1000000ull;
    if (stream->expects_continue) cr_http2_send_continue(stream);
}

/* Extends the client's window. */
static void extend_window(cr_http2_stream *stream, uint64_t length) {
    if (!length || stream->input_ended) return;
    cr_nghttp2.nghttp2_session_consume_stream(cr_http2_of(stream->stream.conn)->session, stream->id, (size_t)length);
}

static cr_request_error collect(cr_http2_stream *stream, const uint8_t *bytes, size_t length) {
    cr_conn *conn = stream->stream.conn;
    if (stream->streams_body) return cr_conn_append(conn, &stream->body, bytes, length) ? CR_OK : CR_NO_MEMORY;
    if (length > cr_service_of(conn->loop)->config.body_limit - stream->body.length) return CR_BODY_TOO_LARGE;
    return cr_conn_append_body(conn, &stream->body, bytes, length, stream->body_length);
}

/* Dispatches a WebSocket request, which has no body: what follows is input. */
static void begin_websocket(cr_http2_stream *stream) {
    stream->is_websocket = true;
    cr_http2_schedule(stream, CR_HTTP2_DISPATCH);
}

/* Buffers input until it is read. The window admits no more before it is delivered. */
static void buffer_input(cr_http2_stream *stream, const uint8_t *bytes, size_t length) {
    bool is_stored = cr_conn_append(stream->stream.conn, &stream->body, bytes, length);
    stream->window_owed += length;
    if (is_stored) cr_http2_schedule_body(stream, true);
    else cr_http2_reset(stream, NGHTTP2_INTERNAL_ERROR);
}

/* Counts bytes of a streamed body. The window admits no more before they are delivered. */
static void receive_streamed(cr_http2_stream *stream, size_t length, cr_request_error error) {
    extend(stream, length);
    stream->window_owed += length;
    if (error) cr_http2_reset(stream, NGHTTP2_INTERNAL_ERROR);
    else cr_http2_schedule_body(stream, true);
}

int cr_http2_on_data(
    nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length, void *context) {
    (void)flags;
    (void)context;
    cr_nghttp2.nghttp2_session_consume_connection(session, length);
    cr_http2_stream *stream = find(session, id);
    if (!stream || stream->refused || stream->body_discarded) return 0;
    if (stream->is_websocket) {
        buffer_input(stream, bytes, length);
        return 0;
    }
    bool is_long = stream->body.length + length > cr_service_of(stream->stream.conn->loop)->max_unstreamed_body;
    if (!stream->streams_body && is_long) streams_body(stream, true);
    cr_request_error error = collect(stream, bytes, length);
    if (stream->streams_body) {
        receive_streamed(stream, length, error);
    } else if (error) {
        cr_http2_refuse(stream, error);
    } else if (stream->throttle) {
        if (!stream->throttled) cr_throttle_arm(stream->throttle);
        stream->throttled += length;
    } else {
        extend(stream, length);
        extend_window(stream, length);
    }
    return 0;
}

void cr_http2_body_due(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        if (!stream->throttle || !stream->throttled) continue;
        size_t scheduled = cr_throttle_allowance(stream->throttle, (size_t)stream->throttled);
        cr_throttle_consume(stream->throttle, scheduled);
        stream->throttled -= scheduled;
        extend_window(stream, scheduled);
        if (stream->throttled) {
            cr_throttle_arm(stream->throttle);
        } else if (stream->input_ended) {
            complete(stream);
        }
    }
    cr_http2_process(conn);
}

/* ---- Frames -------------------------------------------------------------------------------------------------- */

static int end_input(cr_http2_stream *stream) {
    stream->input_ended = true;
    stream->deadline_ns = UINT64_MAX;
    complete(stream);
    return 0;
}

static int on_headers(cr_conn *conn, const nghttp2_frame *frame) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream = http2->reading_head;
    http2->reading_head = NULL;
    if (!stream) return 0;
    bool ends = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (!stream->head_ended) {
        cr_http2_end_head(stream);
        if (stream->request.wants_websocket && !stream->error) begin_websocket(stream);
        else if (!ends) begin_body(stream);
    } else if (stream->error && stream->streams_body) {
        cr_http2_reset(stream, NGHTTP2_PROTOCOL_ERROR);
        if (cr_http2_flood_count(conn, CR_HTTP2_FLOOD_ERRORS)) return NGHTTP2_ERR_CALLBACK_FAILURE;
    } else if (stream->error && !stream->refused) {
        cr_http2_refuse(stream, stream->error);
    }
    return ends ? end_input(stream) : 0;
}

static int on_data_frame(cr_conn *conn, nghttp2_session *session, const nghttp2_frame *frame) {
    bool ends = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (!ends) return frame->hd.length ? 0 : cr_http2_flood_count(conn, CR_HTTP2_FLOOD_EMPTY_DATA);
    cr_http2_stream *stream = find(session, frame->hd.stream_id);
    return stream ? end_input(stream) : 0;
}

/* From now on, bodies may be sent: see cr_http2_read_body. */
static void on_first_settings(cr_http2 *http2) {
    if (http2->settings_received) return;
    http2->settings_received = true;
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        if (!stream->deferred || !stream->has_grant) continue;
        stream->deferred = false;
        cr_nghttp2.nghttp2_session_resume_data(http2->session, stream->id);
    }
}

int cr_http2_on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
    cr_conn *conn = context;
    cr_http2_stream *stream;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
        return on_headers(conn, frame);
    case NGHTTP2_DATA:
        return on_data_frame(conn, session, frame);
    case NGHTTP2_SETTINGS:
        on_first_settings(cr_http2_of(conn));
        return frame->hd.flags & NGHTTP2_FLAG_ACK ? 0 : cr_http2_flood_count(conn, CR_HTTP2_FLOOD_SETTINGS);
    case NGHTTP2_PING:
        return frame->hd.flags & NGHTTP2_FLAG_ACK ? 0 : cr_http2_flood_count(conn, CR_HTTP2_FLOOD_PINGS);
    case NGHTTP2_RST_STREAM:
        if ((stream = find(session, frame->hd.stream_id))) stream->client_reset = true;
        return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_RESETS);
    default:
        return 0;
    }
}

/* ---- Asking -------------------------------------------------------------------------------------------------- */

void cr_http2_dispatch(cr_http2_stream *stream) {
    cr_request request;
    cr_request *complete_request = &request;
    if (stream->upgrade_request) {
        complete_request = (cr_request *)(void *)stream->upgrade_request;
    } else {
        cr_request_error error = cr_http2_describe(stream, &request);
        if (error) {
            cr_http2_refuse(stream, error);
            return;
        }
    }
    stream->dispatched = true;
    record_processed(stream);
    if (stream->streams_body) {
        request.streamed = true;
        request.body = NULL;
        request.body_length = request.trailer_count = 0;
        cr_stream_begin_body(&stream->stream);
        cr_stream_dispatch(&stream->stream, complete_request);
    } else {
        cr_buffer input = {0};
        if (stream->is_websocket) {
            request.body = NULL;
            request.body_length = 0;
        }
        cr_stream_dispatch(&stream->stream, complete_request);
        /* The handler has its copy, and the reply may take long. Input of a WebSocket is kept. */
        if (stream->is_websocket) {
            input = stream->body;
            stream->body = (cr_buffer){0};
        }
        cr_http2_stream_free_request(stream);
        stream->body = input;
    }
    if (stream->stream.state == CR_STREAM_RUNNING) cr_stream_run(&stream->stream);
}

/* ---- Slow clients -------------------------------------------------------------------------------------------- */

void cr_http2_refuse_slow(cr_conn *conn, cr_request_error error) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (error != CR_BODY_TOO_SLOW) {
        handler_of(conn)->on_refusal(
            handler_of(conn)->context, cr_request_error_status(error), cr_request_error_text(error), conn->peer);
        cr_http2_put_goaway(conn, http2->last_processed_id, NGHTTP2_NO_ERROR, cr_request_error_text(error));
        cr_conn_linger(conn);
        return;
    }
    cr_http2_stream *stream, *next;
    for (stream = TAILQ_FIRST(&http2->streams); stream; stream = next) {
        next = TAILQ_NEXT(stream, link);
        if (stream->refused || stream->deadline_ns > conn->loop->now_ns) continue;
        if (stream->streams_body) cr_http2_abort_body(stream, error);
        else cr_http2_refuse(stream, error);
    }
    /* Their wait is over, whatever the others wait for. */
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_http2_process(conn);
}
