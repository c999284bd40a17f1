/* The head of a request as one block of text, like that of HTTP/1.1: a request line, then the fields, with names in
 * lower case. The authority is a line of its own that is no field, as in WireMock. */
#include "http2.h"

#include <string.h>
#include <strings.h>

static cr_span text_of(nghttp2_rcbuf *buffer) {
    nghttp2_vec vec = cr_nghttp2.nghttp2_rcbuf_get_buf(buffer);
    return (cr_span){vec.base, vec.len};
}

static bool is(cr_span text, const char *word) {
    return text.length == strlen(word) && memcmp(text.bytes, word, text.length) == 0;
}

static void fail(cr_http2_stream *stream, cr_request_error error) {
    if (!stream->error) stream->error = error;
}

/* Appends to the head. Returns the offset. */
static uint32_t put(cr_http2_stream *stream, const void *bytes, size_t length) {
    cr_buffer *head = &stream->head;
    uint32_t place = (uint32_t)head->length;
    if (head->capacity - head->length >= length) {
        if (length) memcpy(head->bytes + place, bytes, length);
        head->length += length;
    } else if (!cr_conn_append(stream->stream.conn, head, bytes, length)) {
        fail(stream, CR_NO_MEMORY);
    }
    return place;
}

static void retain(nghttp2_rcbuf **place, nghttp2_rcbuf *value) {
    if (*place) return;
    cr_nghttp2.nghttp2_rcbuf_incref(value);
    *place = value;
}

/* nghttp2 has checked that the required ones occur, each once. */
static void add_pseudo_field(cr_http2_stream *stream, cr_span name, nghttp2_rcbuf *value) {
    if (is(name, ":method")) {
        retain(&stream->method, value);
    } else if (is(name, ":path")) {
        if (text_of(value).length > cr_service_of(stream->stream.conn->loop)->config.head.target) {
            fail(stream, CR_TARGET_TOO_LONG);
        }
        retain(&stream->path, value);
    } else if (is(name, ":protocol")) {
        stream->request.wants_websocket = is(text_of(value), "websocket");
    } else if (is(name, ":authority")) {
        retain(&stream->authority, value);
    } else if (is(name, ":scheme")) {
        cr_span scheme = text_of(value);
        stream->request.scheme = is(scheme, "http") ? CR_SCHEME_HTTP
            : is(scheme, "https")                   ? CR_SCHEME_HTTPS
                                                    : CR_SCHEME_UNSPECIFIED;
    }
}

static void drop(nghttp2_rcbuf **text) {
    if (*text) cr_nghttp2.nghttp2_rcbuf_decref(*text);
    *text = NULL;
}

/* Writes the request line, once. */
static void put_line(cr_http2_stream *stream) {
    cr_request *request = &stream->request;
    if (!stream->method) return;
    /* CONNECT has no path: its target is the authority. */
    nghttp2_rcbuf *target = stream->path ? stream->path : stream->authority;
    /* RFC 8441 section 5 replaces GET by CONNECT; the request shows GET. */
    cr_span method = request->wants_websocket ? (cr_span){(const uint8_t *)"GET", 3} : text_of(stream->method);
    request->method = put(stream, method.bytes, method.length);
    request->method_length = (uint32_t)method.length;
    put(stream, " ", 1);
    if (target) {
        cr_span text = text_of(target);
        request->target = put(stream, text.bytes, text.length);
        request->target_length = (uint32_t)text.length;
    }
    put(stream, " HTTP/2.0\r\n", 11);
    if (stream->authority && stream->path) {
        cr_span text = text_of(stream->authority);
        put(stream, ":authority: ", 12);
        request->authority = put(stream, text.bytes, text.length);
        request->authority_length = (uint32_t)text.length;
        put(stream, "\r\n", 2);
    }
    drop(&stream->method);
    drop(&stream->path);
    drop(&stream->authority);
}

static cr_field *next_field(cr_http2_stream *stream) {
    size_t count = stream->request.field_count + stream->request.trailer_count;
    if (count == stream->field_capacity) {
        uint32_t capacity = stream->field_capacity ? stream->field_capacity * 2 : 16;
        cr_field *grown = realloc(stream->fields, capacity * sizeof *grown);
        if (!grown) return NULL;
        stream->fields = grown;
        stream->field_capacity = capacity;
    }
    return &stream->fields[count];
}

/* Evaluates fields that matter to the protocol. */
static void read_field(cr_http2_stream *stream, cr_span name, cr_span value) {
    if (name.length == 14 && is(name, "content-length") && !stream->head_ended) {
        uint64_t number = 0;
        for (size_t i = 0; i < value.length && number < UINT64_MAX / 16; i++) {
            number = number * 10 + (value.bytes[i] - '0');
        }
        stream->body_length = number;
    } else if (name.length == 6 && is(name, "expect")) {
        stream->expects_continue =
            value.length == 12 && strncasecmp((const char *)value.bytes, "100-continue", value.length) == 0;
        if (!stream->expects_continue && value.length && !stream->head_ended) fail(stream, CR_BAD_EXPECTATION);
    }
}

void cr_http2_add_field(cr_http2_stream *stream, nghttp2_rcbuf *name, nghttp2_rcbuf *value) {
    cr_span key = text_of(name), text = text_of(value);
    stream->list_size += key.length + text.length + 32;
    if (stream->list_size > cr_service_of(stream->stream.conn->loop)->config.head.length) {
        fail(stream, CR_HEAD_TOO_LARGE);
    }
    /* Trailers of a discarded body are ignored: their memory is freed. */
    if (stream->error || stream->refused || stream->body_discarded || stream->is_websocket) return;
    if (key.length && key.bytes[0] == ':') {
        add_pseudo_field(stream, key, value);
        return;
    }
    put_line(stream);
    cr_field *field = next_field(stream);
    if (!field) {
        fail(stream, CR_NO_MEMORY);
        return;
    }
    field->name = put(stream, key.bytes, key.length);
    field->name_length = (uint32_t)key.length;
    put(stream, ": ", 2);
    field->value = put(stream, text.bytes, text.length);
    field->value_length = (uint32_t)text.length;
    put(stream, "\r\n", 2);
    if (stream->head_ended) {
        stream->request.trailer_count++;
    } else {
        stream->request.field_count++;
    }
    if (cr_may_name_session((const uint8_t *)key.bytes, key.length)) stream->request.may_name_session = true;
    read_field(stream, key, text);
}

void cr_http2_end_head(cr_http2_stream *stream) {
    put_line(stream);
    put(stream, "\r\n", 2);
    stream->head_ended = true;
}

cr_request_error cr_http2_describe(cr_http2_stream *stream, cr_request *request) {
    const cr_conn *conn = stream->stream.conn;
    if (stream->error) return stream->error;
    uint32_t authority = stream->request.authority, authority_length = stream->request.authority_length;
    *request = stream->request;
    request->head = stream->head.bytes;
    request->head_length = stream->head.length;
    request->version_major = 2;
    request->keep_alive = !conn->loop->draining;
    request->secure = conn->transport->secure;
    request->intercepted = conn->intercept != NULL;
    request->origin = conn->accept_config->origin;
    request->client = conn->client;
    request->fields = stream->fields;
    request->body = stream->body.bytes;
    request->body_length = stream->body.length;
    request->peer = conn->peer;
    request->peer_length = conn->peer_length;
    request->peer_port = conn->peer_port;
    request->wall_ns = conn->loop->now_ns + conn->loop->wall_offset_ns;
    request->clock_ns = conn->loop->now_ns;
    if (!request->target_length) return CR_BAD_TARGET;
    cr_request_error error = cr_target_split(request);
    if (!request->authority_length) {
        request->authority = authority;
        request->authority_length = authority_length;
        if (error == CR_OK && !cr_host_is_valid(request->head + authority, authority_length)) {
            return CR_INVALID_TARGET_HOST;
        }
    }
    return error;
}
