/* Parses HTTP/1.1 requests. */
#include "http1.h"

#include <string.h>

/* First byte of a TLS client, and of no request. */
enum { TLS_HANDSHAKE_BYTE = 22 };

/* The result of parsing. */
typedef enum feed_result {
    FEED_MORE,   /* all bytes are consumed, or wait for more */
    FEED_STOPPED /* a request is being answered, the time slice is over, or the connection is ending */
} feed_result;

static feed_result refuse(cr_conn *conn, cr_request_error error) {
    conn->protocol->refuse(conn, error);
    return FEED_STOPPED;
}

/* Fills in the request of a parsed head. Returns CR_OK or the error of its target. */
static cr_request_error describe(
    cr_conn *conn, const uint8_t *head, const uint8_t *body, size_t body_length, cr_request *request
) {
    cr_http1 *http1 = cr_http1_of(conn);
    const cr_head *parsed = &http1->head;
    *request = (cr_request){
        .head = head,
        .head_length = parsed->position,
        .method = parsed->method,
        .method_length = parsed->method_length,
        .target = parsed->target,
        .target_length = parsed->target_length,
        .version_major = 1,
        .version_minor = parsed->version_minor,
        .secure = conn->transport->secure,
        .intercepted = conn->intercept != NULL,
        .may_name_session = parsed->may_name_session,
        .wants_websocket = parsed->wants_websocket && parsed->version_minor == 1,
        .fields = parsed->fields,
        .field_count = parsed->field_count,
        .trailer_count = parsed->trailer_count,
        .body = body,
        .body_length = body_length,
        .peer = conn->peer,
        .peer_length = conn->peer_length,
        .peer_port = conn->peer_port,
        .origin = conn->accept_config->origin,
        .client = conn->client,
    };
    cr_request_error error = cr_target_split(request);
    if (error) return error;
    http1->keep_alive =
        parsed->version_minor == 1 ? !parsed->close_wanted : parsed->keep_wanted && !parsed->close_wanted;
    request->keep_alive = http1->keep_alive && !conn->loop->draining;
    request->wall_ns = conn->loop->now_ns + conn->loop->wall_offset_ns;
    request->clock_ns = conn->loop->now_ns;
    return CR_OK;
}

/* Writes the coalesced answers. Returns false if the connection waits for the client to take them, or was closed. */
static bool flush_coalesced(cr_conn *conn) {
    if (!conn->has_coalesced || cr_conn_flush(conn)) return true;
    if (conn->state == CR_CONN_OPEN) cr_conn_wait_to_write(conn);
    return false;
}

/* Switches to HTTP/2 from the present byte on. */
static feed_result begin_http2(cr_conn *conn) {
    cr_http1_of(conn)->phase = CR_HTTP1_LEAVING;
    cr_http1_of(conn)->next = &cr_http2_protocol;
    return FEED_STOPPED;
}

/* Whether a rejected request is the HTTP/2 client preface, which must be the first bytes of a connection. */
static bool is_preface(const cr_conn *conn, const uint8_t *head, size_t length, cr_request_error error) {
    static const char line[] = "PRI * HTTP/2.0";
    if (error != CR_UNSUPPORTED_VERSION || conn->served || conn->has_coalesced) return false;
    return length >= sizeof line - 1 && memcmp(head, line, sizeof line - 1) == 0;
}

/* Calls the handler with the request, and runs the script if the handler answers at once. `more` input follows. */
static feed_result dispatch(cr_conn *conn, const uint8_t *head, const uint8_t *body, size_t body_length, bool more) {
    cr_http1 *http1 = cr_http1_of(conn);
    cr_request request;
    cr_request_error error = describe(conn, head, body, body_length, &request);
    if (error) return refuse(conn, error);
    if (http1->throttle) {
        cr_throttle_free(http1->throttle);
        http1->throttle = NULL;
        cr_conn_set_reading(conn, true);
    }

    bool wants_http2 = http1->head.h2c_fields == CR_H2C_ALL && http1->head.version_minor > 0;
    if (wants_http2 && flush_coalesced(conn) && cr_http2_upgrade(conn, &request)) return begin_http2(conn);
    http1->phase = CR_HTTP1_REPLYING;
    http1->chunked = false;
    http1->accepts_input = false;
    http1->next = NULL;
    cr_stream_dispatch(&http1->stream, &request);
    /* The handler has its copy, and the reply may take long. */
    cr_conn_clear(conn, &http1->head_block);
    cr_conn_clear(conn, &http1->body);
    if (http1->stream.state == CR_STREAM_RUNNING) {
        /* The last answer leaves with those before it. */
        http1->coalescing = request.keep_alive && !http1->next && (more || conn->has_coalesced);
        cr_stream_run(&http1->stream);
        http1->coalescing = false;
    }
    return conn->state == CR_CONN_OPEN && http1->phase == CR_HTTP1_HEAD ? FEED_MORE : FEED_STOPPED;
}

/* Asks the handler whether it streams the body. An invalid target is rejected later. */
static bool streams_body(cr_conn *conn, const uint8_t *head, bool is_long) {
    cr_request request;
    cr_http1_of(conn)->streaming_decided = true;
    return !describe(conn, head, NULL, 0, &request) && cr_conn_streams_body(conn, &request, is_long);
}

/* Calls the handler with the request before its body. */
static feed_result dispatch_streamed(cr_conn *conn, const uint8_t *head) {
    cr_http1 *http1 = cr_http1_of(conn);
    cr_request request;
    cr_request_error error = describe(conn, head, NULL, 0, &request);
    if (error) return refuse(conn, error);
    request.streamed = true;
    http1->phase = CR_HTTP1_REPLYING;
    http1->chunked = false;
    http1->accepts_input = false;
    http1->next = NULL;
    http1->body_deadline_ns = 0;
    cr_conn_set_reading(conn, false);
    cr_stream_begin_body(&http1->stream);
    http1->feeding = true;
    cr_stream_dispatch(&http1->stream, &request);
    if (http1->stream.state == CR_STREAM_RUNNING) cr_stream_run(&http1->stream);
    http1->feeding = false;
    return FEED_STOPPED;
}

/* The head is complete and its body is not: moves the head to a buffer of its own and waits for the body. */
static feed_result begin_body(cr_conn *conn, const uint8_t *head) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (!http1->head.chunked && !cr_conn_has_room(conn, http1->head.content_length)) {
        return refuse(conn, CR_MEMORY_FULL);
    }
    if (!cr_conn_append(conn, &http1->head_block, head, http1->head.position)) return refuse(conn, CR_NO_MEMORY);
    http1->phase = CR_HTTP1_BODY;
    http1->streaming_decided = http1->head.has_length || http1->throttle;
    http1->body_received = 0;
    http1->continue_owed = http1->head.expects_continue && http1->head.version_minor == 1;
    cr_chunks_init(&http1->chunks);
    cr_conn_wait_for(conn, CR_WAITING_BODY);
    return FEED_MORE;
}

/* Asks the handler how fast to read the body. An invalid target is rejected later. */
static void begin_throttle(cr_conn *conn, const uint8_t *head) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    cr_request request;
    if (!handler->limits_uploads || !handler->limits_uploads(handler->context) ||
        describe(conn, head, NULL, 0, &request)) {
        return;
    }
    uint64_t rate = handler->read_rate(handler->context, &request);
    if (rate) cr_http1_of(conn)->throttle = cr_throttle_new(conn, rate);
}

/* Whether the method is CONNECT, which has no body (RFC 9110 section 9.3.6): what follows may wait for the answer. */
static bool asks_for_tunnel(const cr_head *head, const uint8_t *bytes) {
    return head->method_length == 7 && memcmp(bytes + head->method, "CONNECT", 7) == 0;
}

/* Parses a head at `*bytes`. If the whole body follows it, the request is dispatched without a copy. */
static feed_result feed_head(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t here = (size_t)(end - *bytes);
    cr_request_error error;
    cr_progress progress = cr_head_feed(&http1->head, *bytes, here, &cr_service_of(conn->loop)->config.head, &error);
    if (progress == CR_REFUSED) {
        if (is_preface(conn, *bytes, here, error)) error = cr_http2_check_preface(conn);
        else if (**bytes == TLS_HANDSHAKE_BYTE) error = CR_TLS_ON_PLAIN_PORT;
        return error ? refuse(conn, error) : begin_http2(conn);
    }
    if (progress == CR_MORE) {
        if (conn->waiting == CR_WAITING_REQUEST && here) cr_conn_wait_for(conn, CR_WAITING_HEAD);
        return FEED_MORE;
    }
    const uint8_t *head = *bytes, *body = head + http1->head.position;
    uint64_t length = http1->head.has_length ? http1->head.content_length : 0;
    bool has_body = length || http1->head.chunked;
    bool is_long =
        length > cr_service_of(conn->loop)->max_unstreamed_body || (has_body && asks_for_tunnel(&http1->head, head));
    if (is_long || (http1->head.chunked && cr_conn_streams_short(conn))) {
        if (!flush_coalesced(conn)) {
            cr_head_reset(&http1->head);
            return FEED_STOPPED;
        }
        if (streams_body(conn, head, is_long)) {
            *bytes = body;
            http1->body_received = 0;
            http1->continue_owed = http1->head.expects_continue && http1->head.version_minor == 1;
            cr_chunks_init(&http1->chunks);
            return dispatch_streamed(conn, head);
        }
        if (length > cr_service_of(conn->loop)->config.body_limit) return refuse(conn, CR_BODY_TOO_LARGE);
    }
    if (has_body) begin_throttle(conn, head);
    if (!http1->head.chunked && !http1->throttle && length <= (uint64_t)(end - body)) {
        *bytes = body + length;
        return dispatch(conn, head, body, (size_t)length, *bytes < end);
    }
    /* Earlier answers do not wait for this body. */
    if (!flush_coalesced(conn)) {
        cr_throttle_free(http1->throttle);
        http1->throttle = NULL;
        cr_head_reset(&http1->head);
        return FEED_STOPPED;
    }
    *bytes = body;
    return begin_body(conn, head);
}

static feed_result dispatch_collected(cr_conn *conn, bool more) {
    cr_http1 *http1 = cr_http1_of(conn);
    return dispatch(conn, http1->head_block.bytes, http1->body.bytes, http1->body.length, more);
}

/* Appends to the body, whose announced length was checked. Returns CR_OK or the error. `max` is the body's length,
 * UINT64_MAX if unknown. */
static cr_request_error collect(cr_conn *conn, const uint8_t *bytes, size_t length, uint64_t max) {
    cr_http1 *http1 = cr_http1_of(conn);
    http1->body_received += length;
    cr_conn_extend_body(conn, length);
    return cr_conn_append_body(conn, &http1->body, bytes, length, max);
}

static feed_result feed_sized_body(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    uint64_t left = http1->head.content_length - http1->body.length;
    size_t here = (size_t)(end - *bytes);
    size_t take = here < left ? here : (size_t)left;
    cr_request_error error = collect(conn, *bytes, take, http1->head.content_length);
    if (error) return refuse(conn, error);
    *bytes += take;
    return take == left ? dispatch_collected(conn, *bytes < end) : FEED_MORE;
}

/* Parses trailer fields. They are collected after the head in the same block, so that all offsets count from its
 * beginning. */
static feed_result feed_trailers(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t before = http1->head_block.length;
    if (!cr_conn_append(conn, &http1->head_block, *bytes, (size_t)(end - *bytes))) return refuse(conn, CR_NO_MEMORY);
    cr_request_error error;
    cr_progress progress = cr_head_feed(&http1->head, http1->head_block.bytes, http1->head_block.length,
        &cr_service_of(conn->loop)->config.head, &error);
    if (progress == CR_REFUSED) return refuse(conn, error);
    *bytes += http1->head.position - before;
    http1->head_block.length = http1->head.position;
    return progress == CR_DONE ? dispatch_collected(conn, *bytes < end) : FEED_MORE;
}

/* Once the body and its present chunk are long, asks the handler whether it streams the body. Returns FEED_MORE if it
 * does not: the body is buffered. */
static feed_result stream_if_long(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    uint64_t known = http1->body.length + cr_chunks_announced(&http1->chunks);
    if (http1->streaming_decided || known <= cr_service_of(conn->loop)->max_unstreamed_body) return FEED_MORE;
    if (streams_body(conn, http1->head_block.bytes, true)) return dispatch_streamed(conn, http1->head_block.bytes);
    return known > cr_service_of(conn->loop)->config.body_limit ? refuse(conn, CR_BODY_TOO_LARGE) : FEED_MORE;
}

static feed_result feed_chunked_body(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->head.in_trailers) return feed_trailers(conn, bytes, end);
    for (;;) {
        const uint8_t *data;
        size_t length;
        cr_request_error error;
        uint64_t room =
            http1->streaming_decided ? cr_service_of(conn->loop)->config.body_limit - http1->body.length : UINT64_MAX;
        switch (cr_chunks_next(&http1->chunks, room, bytes, end, &data, &length, &error)) {
        case CR_CHUNK_MORE:
            return stream_if_long(conn);
        case CR_CHUNK_REFUSED:
            return refuse(conn, error);
        case CR_CHUNK_DATA:
            error = collect(conn, data, length, UINT64_MAX);
            if (error) return refuse(conn, error);
            if (stream_if_long(conn) == FEED_STOPPED) return FEED_STOPPED;
            break;
        case CR_CHUNK_LAST:
            cr_head_begin_trailers(&http1->head, (uint32_t)http1->head_block.length);
            return *bytes < end ? feed_trailers(conn, bytes, end) : FEED_MORE;
        }
    }
}

void cr_http1_send_continue(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    static const char reason[] = "Continue";
    http1->continue_owed = false;
    if (http1->body_received) return;
    uint8_t text[CR_STATUS_LINE_ROOM + sizeof reason + 2];
    size_t length = cr_put_status_line(text, 100, (const uint8_t *)reason, sizeof reason - 1);
    memcpy(text + length, "\r\n", 2);
    cr_conn_send(conn, text, length + 2);
}

/* A time slice of a connection that pipelines requests. */
typedef struct slice {
    uint32_t answered;
    uint64_t began_ns, flushed_ns; /* when it began, and when coalesced answers were last written */
    uint64_t written;              /* conn->written when it began */
} slice;

/* Whether the slice continues with the next request. If not, the connection is in the ready queue, or waits for the
 * client. */
static bool slice_continues(cr_conn *conn, slice *slice) {
    /* Without coalesced answers, the last write has just read the clock. */
    uint64_t now_ns = conn->has_coalesced ? cr_loop_read_clock(conn->loop) : conn->loop->now_ns;
    bool is_over = ++slice->answered == CR_SLICE_REQUESTS || now_ns - slice->began_ns >= CR_SLICE_NS ||
        conn->written - slice->written >= CR_SLICE_BYTES;
    if (is_over || now_ns - slice->flushed_ns >= CR_COALESCE_NS) {
        if (!flush_coalesced(conn)) return false;
        slice->flushed_ns = conn->loop->now_ns;
    }
    if (is_over) cr_conn_yield(conn);
    return !is_over;
}

/* Parses the requests of one time slice. Returns where it stopped. */
static const uint8_t *feed(cr_conn *conn, const uint8_t *bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    slice slice = {.began_ns = conn->loop->now_ns, .flushed_ns = conn->loop->now_ns, .written = conn->written};
    feed_result result = FEED_MORE;
    while (result == FEED_MORE && bytes < end) {
        const uint8_t *before = bytes;
        if (http1->phase == CR_HTTP1_HEAD) {
            result = feed_head(conn, &bytes, end);
        } else {
            const uint8_t *limit = http1->throttle ? bytes + cr_throttle_allowance(http1->throttle, end - bytes) : end;
            result =
                http1->head.chunked ? feed_chunked_body(conn, &bytes, limit) : feed_sized_body(conn, &bytes, limit);
            if (http1->throttle) cr_throttle_consume(http1->throttle, (size_t)(bytes - before));
        }
        if (bytes == before) break;
        if (result == FEED_MORE && http1->phase == CR_HTTP1_HEAD && bytes < end && !slice_continues(conn, &slice)) {
            break;
        }
    }
    if (conn->state == CR_CONN_OPEN && http1->phase == CR_HTTP1_HEAD) flush_coalesced(conn);
    if (http1->continue_owed && http1->phase == CR_HTTP1_BODY && conn->state == CR_CONN_OPEN) {
        cr_http1_send_continue(conn);
    }
    if (http1->throttle && http1->phase == CR_HTTP1_BODY && conn->state == CR_CONN_OPEN) {
        cr_throttle_wait(http1->throttle, bytes < end);
    }
    return bytes;
}

/* Parses the bytes in `input` and keeps the rest. */
void cr_http1_feed_input(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    const uint8_t *from = http1->input.bytes;
    const uint8_t *to = feed(conn, from, from + http1->input.length);
    /* An ending connection has dropped its input. */
    if (http1->input.bytes) cr_conn_consume(conn, &http1->input, (size_t)(to - from));
    cr_http1_pass_input(conn);
}

/* Parses bytes after those in `input`, and keeps the rest of both. */
void cr_http1_feed(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->input.length) {
        if (!cr_conn_append(conn, &http1->input, bytes, length)) {
            conn->protocol->refuse(conn, CR_NO_MEMORY);
            return;
        }
        cr_http1_feed_input(conn);
    } else {
        const uint8_t *end = bytes + length;
        const uint8_t *rest = feed(conn, bytes, end);
        bool open = conn->state == CR_CONN_OPEN;
        if (open && rest < end && !cr_conn_append(conn, &http1->input, rest, (size_t)(end - rest))) {
            cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        }
        cr_http1_pass_input(conn);
    }
}
