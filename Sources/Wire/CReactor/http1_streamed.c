/* Bodies of HTTP/1.1 that the handler takes while they come. What it does not want yet stays in the input buffer, one read
 * at the most, and then in the kernel. */
#include "http1.h"

#include <string.h>

void cr_http1_wait_for_body(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (!conn->reading) {
        cr_conn_wait_for(conn, CR_WAITING_UNREAD);
        http1->body_deadline_ns = 0;
        return;
    }
    cr_conn_wait_for(conn, CR_WAITING_BODY);
    if (http1->body_deadline_ns) conn->deadline_ns = http1->body_deadline_ns;
    else http1->body_deadline_ns = conn->deadline_ns;
}

static void give(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    http1->body_received += length;
    if (conn->waiting == CR_WAITING_BODY) {
        cr_conn_extend_body(conn, length);
        http1->body_deadline_ns = conn->deadline_ns;
    }
    cr_stream_give_body(&http1->stream, bytes, length);
}

/* Whether more of the body may be handed over. */
static bool goes_on(const cr_conn *conn) {
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
    give(conn, bytes, take);
    if (goes_on(conn) && http1->body_received == http1->head.content_length) finish(conn);
    return bytes + take;
}

/* The data of chunks that came together, as one piece. */
typedef struct piece {
    const uint8_t *data;
    size_t length;
    uint8_t *copy; /* NULL as long as the data is of one chunk */
} piece;

/* Returns false if memory is short. No more than `room` bytes are added in all. */
static bool add(piece *piece, const uint8_t *data, size_t length, size_t room) {
    if (!piece->length) {
        *piece = (struct piece){data, length, NULL};
        return true;
    }
    if (!piece->copy) {
        piece->copy = malloc(room);
        if (!piece->copy) return false;
        memcpy(piece->copy, piece->data, piece->length);
        piece->data = piece->copy;
    }
    memcpy(piece->copy + piece->length, data, length);
    piece->length += length;
    return true;
}

static void feed_trailers(cr_conn *conn, const uint8_t **bytes, const uint8_t *end) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t before = http1->head_block.length;
    cr_fault fault = CR_NO_MEMORY;
    cr_progress progress = CR_REFUSED;
    if (cr_conn_append(conn, &http1->head_block, *bytes, (size_t)(end - *bytes))) {
        const cr_buffer *block = &http1->head_block;
        progress = cr_head_feed(&http1->head, block->bytes, block->length, &cr_service_of(conn->loop)->config.head, &fault);
    }
    if (progress == CR_REFUSED) {
        conn->protocol->refuse(conn, fault);
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
    piece piece = {NULL, 0, NULL};
    cr_fault fault = CR_OK;
    cr_chunk_event event = CR_CHUNK_LAST;
    if (!http1->head.in_trailers) {
        while ((event = cr_chunks_next(&http1->chunks, UINT64_MAX, &bytes, end, &data, &length, &fault)) == CR_CHUNK_DATA) {
            if (add(&piece, data, length, room)) continue;
            event = CR_CHUNK_REFUSED;
            fault = CR_NO_MEMORY;
            break;
        }
        if (event == CR_CHUNK_LAST) cr_head_begin_trailers(&http1->head, (uint32_t)http1->head_block.length);
    }
    give(conn, piece.data, piece.length);
    free(piece.copy);
    if (!goes_on(conn)) return bytes;
    if (event == CR_CHUNK_REFUSED) conn->protocol->refuse(conn, fault);
    else if (event == CR_CHUNK_LAST && bytes < end) feed_trailers(conn, &bytes, end);
    return bytes;
}

/* Hands over what is wanted; returns where it stopped. */
static const uint8_t *feed(cr_conn *conn, const uint8_t *bytes, const uint8_t *end) {
    const cr_http1 *http1 = cr_http1_of(conn);
    while (bytes < end && goes_on(conn) && http1->stream.body_reads) {
        bytes = http1->head.chunked ? feed_chunked(conn, bytes, end) : feed_sized(conn, bytes, end);
    }
    return bytes;
}

/* Keeps what is left, and waits for more. */
static void settle(cr_conn *conn, const uint8_t *rest, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (conn->state != CR_CONN_OPEN) return;
    if (length && !cr_conn_append(conn, &http1->input, rest, length)) {
        cr_conn_close(conn, CR_CLIENT_GONE);
        return;
    }
    cr_stream *stream = &http1->stream;
    cr_conn_set_reading(conn, (!stream->body_coming || stream->body_reads) && !conn->client_closed);
    bool waits = stream->state == CR_STREAM_ASKED || stream->state == CR_STREAM_TIMED ||
        stream->state == CR_STREAM_YIELDED || stream->state == CR_STREAM_HELD;
    if (waits) conn->protocol->stream_waits(stream);
    if (!stream->body_coming) cr_http1_go_on(conn);
}

void cr_http1_receive_body(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_http1 *http1 = cr_http1_of(conn);
    const uint8_t *end = bytes + length;
    if (!http1->feeding && !http1->input.length && !http1->body.length) {
        http1->feeding = true;
        bytes = feed(conn, bytes, end);
        http1->feeding = false;
        settle(conn, bytes, (size_t)(end - bytes));
    } else if (cr_conn_append(conn, &http1->input, bytes, length)) {
        cr_http1_feed_body(conn);
    } else {
        cr_conn_close(conn, CR_CLIENT_GONE);
    }
}

/* Hands over what had come before the handler was asked. */
static void give_collected(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    size_t length = http1->body.length;
    uint8_t *bytes = cr_conn_take(conn, &http1->body);
    cr_stream_give_body(&http1->stream, bytes, length);
    free(bytes);
}

void cr_http1_feed_body(cr_conn *conn) {
    cr_http1 *http1 = cr_http1_of(conn);
    if (http1->feeding) return;
    http1->feeding = true;
    if (http1->continue_owed && http1->stream.body_reads) {
        http1->continue_owed = false;
        if (!http1->input.length && !http1->stream.bytes_sent) cr_http1_send_continue(conn);
    }
    if (goes_on(conn) && http1->stream.body_reads && http1->body.length) give_collected(conn);
    size_t length = 0;
    uint8_t *bytes = NULL;
    const uint8_t *rest = NULL;
    if (goes_on(conn) && http1->stream.body_reads) {
        length = http1->input.length;
        bytes = cr_conn_take(conn, &http1->input);
        rest = feed(conn, bytes, bytes + length);
    }
    http1->feeding = false;
    settle(conn, rest, (size_t)(bytes + length - rest));
    free(bytes);
}
