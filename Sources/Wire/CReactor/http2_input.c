/* What the client sends: header blocks and bodies, each of its stream, until a request is complete. */
#include "http2.h"

#include <stdio.h>
#include <string.h>

enum { DECODED_HEADS = 8 }; /* heads of the largest size that one header block may unpack to */

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
        http2->heading = stream;
    } else {
        http2->heading = find(session, frame->hd.stream_id);
    }
    return 0;
}

int cr_http2_on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name, nghttp2_rcbuf *value,
                       uint8_t flags, void *context) {
    (void)session, (void)frame, (void)flags;
    cr_conn *conn = context;
    cr_http2_stream *stream = cr_http2_of(conn)->heading;
    if (!stream) return 0;
    cr_http2_add_field(stream, name, value);
    if (stream->list_size <= (size_t)cr_service_of(conn->loop)->config.head.length * DECODED_HEADS) return 0;
    return cr_http2_count(conn, CR_HTTP2_LARGE_HEADS);
}

int cr_http2_on_invalid_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                               nghttp2_rcbuf *value, uint8_t flags, void *context) {
    (void)session, (void)frame, (void)value, (void)flags;
    cr_http2_stream *stream = cr_http2_of(context)->heading;
    nghttp2_vec text = cr_nghttp2.nghttp2_rcbuf_get_buf(name);
    bool is_name = text.len == 0;
    for (size_t i = 0; i < text.len; i++) is_name = is_name || text.base[i] <= ' ' || text.base[i] >= 0x7f;
    if (stream && !stream->fault) stream->fault = is_name ? CR_BAD_FIELD_NAME : CR_BAD_FIELD_VALUE;
    return 0;
}

/* ---- The end of a request ------------------------------------------------------------------------------------ */

/* The request has come as a whole; a throttle may still hold some of it back. */
static void complete(cr_http2_stream *stream) {
    if (stream->refused || stream->withheld || stream->body_over) return;
    if (stream->streams) cr_http2_note_body(stream, true);
    else cr_http2_note(stream, CR_HTTP2_ASK);
}

static void note_acted(const cr_http2_stream *stream) {
    cr_http2 *http2 = cr_http2_of(stream->stream.conn);
    if ((uint32_t)stream->id > http2->last_acted) http2->last_acted = (uint32_t)stream->id;
}

void cr_http2_refuse(cr_http2_stream *stream, cr_fault fault) {
    cr_conn *conn = stream->stream.conn;
    cr_http2 *http2 = cr_http2_of(conn);
    int status = cr_fault_status(fault);
    handler_of(conn)->on_refusal(handler_of(conn)->context, status, cr_fault_text(fault), conn->peer);
    cr_http2_note(stream, CR_HTTP2_NOTHING);
    cr_http2_stream_forget_request(stream);
    note_acted(stream);
    stream->refused = true;
    stream->refusal = cr_fault_text(fault);
    uint8_t digits[3] = {(uint8_t)('0' + status / 100), (uint8_t)('0' + status / 10 % 10), (uint8_t)('0' + status % 10)};
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

/* Asks the handler how fast to read the body of the request. */
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

/* Asks the handler, once of a long body, whether it takes it while it comes; if so, the request is asked before its body. */
static bool streams_body(cr_http2_stream *stream, bool is_long) {
    cr_request request;
    if (stream->body_asked || stream->throttle) return false;
    stream->body_asked = is_long;
    if (cr_http2_describe(stream, &request) != CR_OK) return false;
    request.body = NULL;
    request.body_length = 0;
    stream->streams = cr_conn_streams_body(stream->stream.conn, &request, is_long);
    if (stream->streams) cr_http2_note(stream, CR_HTTP2_ASK);
    return stream->streams;
}

/* Whether the stream asks for a tunnel. */
static bool asks_for_tunnel(const cr_http2_stream *stream) {
    const cr_request *request = &stream->request;
    return request->method_length == 7 && memcmp(stream->head.bytes + request->method, "CONNECT", 7) == 0;
}

static void begin_body(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    const cr_config *config = &cr_service_of(conn->loop)->config;
    bool is_known = stream->body_length != UINT64_MAX;
    cr_fault fault = stream->fault;
    bool is_long = is_known && stream->body_length > cr_service_of(conn->loop)->plain_body;
    bool may_stream = is_long || (!is_known && cr_conn_streams_short(conn) && !asks_for_tunnel(stream));
    if (!fault && may_stream && streams_body(stream, is_long)) return;
    if (!fault && is_known && stream->body_length > config->body_limit) fault = CR_BODY_TOO_LARGE;
    if (!fault && is_known && !cr_conn_has_room(conn, stream->body_length)) fault = CR_MEMORY_FULL;
    if (fault) {
        cr_http2_refuse(stream, fault);
        return;
    }
    if (asks_for_tunnel(stream)) {
        /* Its end comes after the answer, if at all, and what is in it is for whoever would be at its other end. */
        complete(stream);
        stream->body_over = true;
        return;
    }
    begin_throttle(stream);
    if (!stream->throttle) stream->deadline_ns = conn->loop->now_ns + config->body_timeout_ms * 1000000ull;
    if (stream->expects_continue) cr_http2_send_continue(stream);
}

/* Lets the client send as much again as it has sent. */
static void give_window(cr_http2_stream *stream, uint64_t length) {
    if (!length || stream->input_ended) return;
    cr_nghttp2.nghttp2_session_consume_stream(cr_http2_of(stream->stream.conn)->session, stream->id, (size_t)length);
}

static cr_fault collect(cr_http2_stream *stream, const uint8_t *bytes, size_t length) {
    cr_conn *conn = stream->stream.conn;
    if (stream->streams) return cr_conn_append(conn, &stream->body, bytes, length) ? CR_OK : CR_NO_MEMORY;
    if (length > cr_service_of(conn->loop)->config.body_limit - stream->body.length) return CR_BODY_TOO_LARGE;
    return cr_conn_append_body(conn, &stream->body, bytes, length, stream->body_length);
}

/* Notes bytes of a body that is taken while it comes. The window lets no more in before they are handed over. */
static void take_streamed(cr_http2_stream *stream, size_t length, cr_fault fault) {
    extend(stream, length);
    stream->unacknowledged += length;
    if (fault) cr_http2_reset(stream, NGHTTP2_INTERNAL_ERROR);
    else cr_http2_note_body(stream, true);
}

int cr_http2_on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length,
                     void *context) {
    (void)flags;
    (void)context;
    cr_nghttp2.nghttp2_session_consume_connection(session, length);
    cr_http2_stream *stream = find(session, id);
    if (!stream || stream->refused || stream->body_over) return 0;
    bool is_long = stream->body.length + length > cr_service_of(stream->stream.conn->loop)->plain_body;
    if (!stream->streams && is_long) streams_body(stream, true);
    cr_fault fault = collect(stream, bytes, length);
    if (stream->streams) {
        take_streamed(stream, length, fault);
    } else if (fault) {
        cr_http2_refuse(stream, fault);
    } else if (stream->throttle) {
        if (!stream->withheld) cr_throttle_plan(stream->throttle);
        stream->withheld += length;
    } else {
        extend(stream, length);
        give_window(stream, length);
    }
    return 0;
}

void cr_http2_body_due(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        if (!stream->throttle || !stream->withheld) continue;
        size_t due = cr_throttle_due(stream->throttle, (size_t)stream->withheld);
        cr_throttle_take(stream->throttle, due);
        stream->withheld -= due;
        give_window(stream, due);
        if (stream->withheld) {
            cr_throttle_plan(stream->throttle);
        } else if (stream->input_ended) {
            complete(stream);
        }
    }
    cr_http2_work(conn);
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
    cr_http2_stream *stream = http2->heading;
    http2->heading = NULL;
    if (!stream) return 0;
    bool ends = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (!stream->head_ended) {
        cr_http2_end_head(stream);
        if (!ends) begin_body(stream);
    } else if (stream->fault && stream->streams) {
        cr_http2_reset(stream, NGHTTP2_PROTOCOL_ERROR);
        if (cr_http2_count(conn, CR_HTTP2_ERRORS)) return NGHTTP2_ERR_CALLBACK_FAILURE;
    } else if (stream->fault && !stream->refused) {
        cr_http2_refuse(stream, stream->fault);
    }
    return ends ? end_input(stream) : 0;
}

static int on_data_frame(cr_conn *conn, nghttp2_session *session, const nghttp2_frame *frame) {
    bool ends = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (!ends) return frame->hd.length ? 0 : cr_http2_count(conn, CR_HTTP2_EMPTY_DATA);
    cr_http2_stream *stream = find(session, frame->hd.stream_id);
    return stream ? end_input(stream) : 0;
}

/* The client can take bodies: see cr_http2_read_body. */
static void note_ready(cr_http2 *http2) {
    if (http2->ready) return;
    http2->ready = true;
    cr_http2_stream *stream;
    TAILQ_FOREACH(stream, &http2->streams, link) {
        if (!stream->deferred || !stream->grants) continue;
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
        note_ready(cr_http2_of(conn));
        return frame->hd.flags & NGHTTP2_FLAG_ACK ? 0 : cr_http2_count(conn, CR_HTTP2_SETTINGS);
    case NGHTTP2_PING:
        return frame->hd.flags & NGHTTP2_FLAG_ACK ? 0 : cr_http2_count(conn, CR_HTTP2_PINGS);
    case NGHTTP2_RST_STREAM:
        if ((stream = find(session, frame->hd.stream_id))) stream->left = true;
        return cr_http2_count(conn, CR_HTTP2_RESETS);
    default:
        return 0;
    }
}

/* ---- Asking -------------------------------------------------------------------------------------------------- */

void cr_http2_ask(cr_http2_stream *stream) {
    cr_request request;
    cr_request *asked = &request;
    if (stream->carried) {
        asked = (cr_request *)(void *)stream->carried;
    } else {
        cr_fault fault = cr_http2_describe(stream, &request);
        if (fault) {
            cr_http2_refuse(stream, fault);
            return;
        }
    }
    stream->asked = true;
    note_acted(stream);
    if (stream->streams) {
        request.streamed = true;
        request.body = NULL;
        request.body_length = request.trailer_count = 0;
        cr_stream_begin_body(&stream->stream);
        cr_stream_ask(&stream->stream, asked);
    } else {
        cr_stream_ask(&stream->stream, asked);
        /* The handler has its copy, and the reply may take long. */
        cr_http2_stream_forget_request(stream);
    }
    if (stream->stream.state == CR_STREAM_RUNNING) cr_stream_run(&stream->stream);
}

/* ---- Slow clients -------------------------------------------------------------------------------------------- */

void cr_http2_refuse_slow(cr_conn *conn, cr_fault fault) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (fault != CR_BODY_TOO_SLOW) {
        handler_of(conn)->on_refusal(handler_of(conn)->context, cr_fault_status(fault), cr_fault_text(fault), conn->peer);
        cr_http2_put_goaway(conn, http2->last_acted, NGHTTP2_NO_ERROR, cr_fault_text(fault));
        cr_conn_linger(conn);
        return;
    }
    cr_http2_stream *stream, *next;
    for (stream = TAILQ_FIRST(&http2->streams); stream; stream = next) {
        next = TAILQ_NEXT(stream, link);
        if (stream->refused || stream->deadline_ns > conn->loop->now_ns) continue;
        if (stream->streams) cr_http2_give_up_body(stream, fault);
        else cr_http2_refuse(stream, fault);
    }
    /* Their wait is over, whatever the others wait for. */
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_http2_work(conn);
}
