/* Streamed request bodies of HTTP/1.1. What the handler does not read yet stays in the input buffer, at most one read,
 * and then in the kernel. */
#include "http1.h"

#include <string.h>

void cr_http1_wait_for_body(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (!conn->reading) {
        cr_conn_wait_for(conn, CR_WAITING_PAUSED);
        http1->body_deadline_ns = 0;
        return;
    }
    cr_conn_wait_for(conn, CR_WAITING_BODY);
    if (http1->body_deadline_ns) conn->deadline_ns = http1->body_deadline_ns;
    else http1->body_deadline_ns = conn->deadline_ns;
}

static void deliver(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    http1->body_received += length;
    if (conn->waiting == CR_WAITING_BODY) {
        cr_conn_extend_body(conn, length);
        http1->body_deadline_ns = conn->deadline_ns;
    }
    cr_stream_deliver_body(&http1->stream, bytes, length);
}

/* Whether more of the body may be delivered. */
static bool continues(const cr_conn *conn) {
    return conn->state == CR_CONN_OPEN && cr_http1_of(conn)->stream.body_coming;
}

static void finish(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    const cr_request end = {
        .head = http1->head_block.bytes,
        .fields = http1->head.fields,
        .field_count = http1->head.field_count,
        .trailer_count = http1->head.trailer_count,
    };
    cr_stream_end_body(&http1->stream, &end);
}

static const uint8_t *feed_sized(cr_conn *conn, const uint8_t *bytes, const uint8_t *end) {
    const cr_http1 *http1 = cr_http1_of(conn);
    uint64_t left = http1->head.content_length - http1->body_received;
    size_t here = (size_t)(end - bytes);
    size_t take = here < left ? here : (size_t)left;
    deliver(conn, bytes, take);
    if (continues(conn) && http1->body_received == http1->head.content_length) finish(conn);
    return bytes + take;
}

/* The data of chunks that arrived together. */
typedef struct body_slice {
    const uint8_t *data;
    size_t length;
    uint8_t *copy; /* NULL while the data is of one chunk */
} body_slice;

/* Returns false if memory is short. At most `room` bytes are added in all. */
static bool add(body_slice *body_slice, const uint8_t *data, size_t length, size_t room) {
    if (!body_slice->length) {
        *body_slice = (struct body_slice){data, length, NULL};
        return true;
    }
    if (!body_slice->copy) {
        body_slice->copy = malloc(room);
        if (!body_slice->copy) return false;
        memcpy(body_slice->copy, body_slice->data, body_slice->length);
        body_slice->data = body_slice->copy;
    }
    memcpy(body_slice->copy + body_slice->length, data, length);
    body_slice->length += length;
    return true;
}

static void feed_trailers(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t before = http1->head_block.length;
    cr_request_error error = CR_NO_MEMORY;
    cr_progress progress = CR_REFUSED;
    if (cr_conn_append(conn, &http1->head_block, *bytes, (size_t)(end - *bytes))) {
        const cr_buffer *block = &http1->head_block;
        progress =
            cr_head_feed(&http1->head, block->bytes, block->length, &cr_service_of(conn->loop)->config.head, &error);
    }
    if (progress == CR_REFUSED) {
        conn->protocol->refuse(conn, error);
        return;
    }
    *bytes += http1->head.position - before;
    http1->head_block.length = http1->head.position;
    if (progress == CR_DONE) finish(conn);
}

static const uint8_t *feed_chunked(cr_conn *conn, const uint8_t *bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t room = (size_t)(end - bytes), length;
    const uint8_t *data;
    body_slice body_slice = {NULL, 0, NULL};
    cr_request_error error = CR_OK;
    cr_chunk_event event = CR_CHUNK_LAST;
    if (!http1->head.in_trailers) {
        while ((event = cr_chunks_next(&http1->chunks, UINT64_MAX, &bytes, end, &data, &length, &error)) ==
            CR_CHUNK_DATA) {
            if (add(&body_slice, data, length, room)) continue;
            event = CR_CHUNK_REFUSED;
            error = CR_NO_MEMORY;
            break;
        }
        if (event == CR_CHUNK_LAST) cr_head_begin_trailers(&http1->head, (uint32_t)http1->head_block.length);
    }
    deliver(conn, body_slice.data, body_slice.length);
    free(body_slice.copy);
    if (!continues(conn)) return bytes;
    if (event == CR_CHUNK_REFUSED) conn->protocol->refuse(conn, error);
    else if (event == CR_CHUNK_LAST && bytes < end) feed_trailers(conn, &bytes, end);
    return bytes;
}

/* Delivers as far as the handler reads. Returns where it stopped. */
static const uint8_t *feed(cr_conn *conn, const uint8_t *bytes, const uint8_t *end) {
    const cr_http1 *http1 = cr_http1_of(conn);
    while (bytes < end && continues(conn) && http1->stream.body_reading) {
        bytes = http1->head.chunked ? feed_chunked(conn, bytes, end) : feed_sized(conn, bytes, end);
    }
    return bytes;
}

/* Stores the rest, and waits for more. */
static void store_rest(cr_conn *conn, const uint8_t *rest, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (conn->state != CR_CONN_OPEN) return;
    if (length && !cr_conn_append(conn, &http1->input, rest, length)) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return;
    }
    cr_stream *stream = &http1->stream;
    cr_conn_set_reading(conn, (!stream->body_coming || stream->body_reading) && !conn->client_closed);
    bool waits = stream->state == CR_STREAM_AWAITING_REPLY || stream->state == CR_STREAM_TIMED ||
        stream->state == CR_STREAM_YIELDED || stream->state == CR_STREAM_HELD;
    if (waits) conn->protocol->stream_waits(stream);
    if (!stream->body_coming) cr_http1_resume(conn);
}

void cr_http1_receive_body(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    const uint8_t *end = bytes + length;
    if (!http1->feeding && !http1->input.length && !http1->body.length) {
        http1->feeding = true;
        bytes = feed(conn, bytes, end);
        http1->feeding = false;
        store_rest(conn, bytes, (size_t)(end - bytes));
    } else if (cr_conn_append(conn, &http1->input, bytes, length)) {
        cr_http1_feed_body(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
}

/* Delivers what arrived before the handler was asked. */
static void deliver_collected(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t length = http1->body.length;
    uint8_t *bytes = cr_conn_extract(conn, &http1->body);
    cr_stream_deliver_body(&http1->stream, bytes, length);
    free(bytes);
}

void cr_http1_feed_body(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->feeding) return;
    http1->feeding = true;
    if (http1->continue_owed && http1->stream.body_reading) {
        http1->continue_owed = false;
        if (!http1->input.length && !http1->stream.bytes_sent) cr_http1_send_continue(conn);
    }
    if (continues(conn) && http1->stream.body_reading && http1->body.length) deliver_collected(conn);
    size_t length = 0;
    uint8_t *bytes = NULL;
    const uint8_t *rest = NULL;
    if (continues(conn) && http1->stream.body_reading) {
        length = http1->input.length;
        bytes = cr_conn_extract(conn, &http1->input);
        rest = feed(conn, bytes, bytes + length);
    }
    http1->feeding = false;
    store_rest(conn, rest, (size_t)(bytes + length - rest));
    free(bytes);
}
