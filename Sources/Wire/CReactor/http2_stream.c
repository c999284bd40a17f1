/* The streams of an HTTP/2 connection, and their memory. */
#include "http2.h"

#include <string.h>

enum {
    MAX_SPARE_STREAMS = 32,     /* per connection */
    SPARE_HEAD_CAPACITY = 4096, /* bytes of a head that a spare stream keeps */
    SPARE_FIELD_CAPACITY = 64
};

static void clear(cr_http2_stream *stream, cr_conn *conn, int32_t id) {
    cr_buffer head = stream->head;
    cr_field *fields = stream->fields;
    uint32_t capacity = stream->field_capacity;
    head.length = 0;
    memset(&stream->link, 0, sizeof *stream - offsetof(cr_http2_stream, link));
    cr_stream_init(&stream->stream, conn);
    stream->head = head;
    stream->fields = fields;
    stream->field_capacity = capacity;
    stream->id = id;
    stream->body_length = UINT64_MAX;
    stream->deadline_ns = UINT64_MAX;
}

/* The bytes that a spare stream keeps for its next request. */
static size_t spare_bytes(const cr_http2_stream *stream) {
    return stream->head.capacity + stream->field_capacity * sizeof *stream->fields;
}

static void add_spare(cr_http2 *http2, cr_http2_stream *stream) {
    TAILQ_INSERT_HEAD(&http2->spare, stream, link);
    http2->spare_count++;
    http2->memory += spare_bytes(stream);
}

static void remove_spare(cr_http2 *http2, cr_http2_stream *stream) {
    TAILQ_REMOVE(&http2->spare, stream, link);
    http2->spare_count--;
    http2->memory -= spare_bytes(stream);
}

cr_http2_stream *cr_http2_stream_new(cr_conn *conn, int32_t id) {
    cr_http2 *http2 = cr_http2_of(conn);
    cr_http2_stream *stream = TAILQ_FIRST(&http2->spare);
    if (stream) {
        remove_spare(http2, stream);
    } else {
        stream = calloc(1, sizeof *stream);
        if (!stream) return NULL;
        http2->memory += sizeof *stream;
    }
    clear(stream, conn, id);
    stream->open = true;
    TAILQ_INSERT_TAIL(&http2->streams, stream, link);
    return stream;
}

static void drop_name(nghttp2_rcbuf **text) {
    if (*text) cr_nghttp2.nghttp2_rcbuf_decref(*text);
    *text = NULL;
}

void cr_http2_stream_free_request(cr_http2_stream *stream) {
    cr_conn *conn = stream->stream.conn;
    drop_name(&stream->method);
    drop_name(&stream->path);
    drop_name(&stream->authority);
    cr_conn_clear(conn, &stream->body);
    cr_throttle_free(stream->throttle);
    stream->throttle = NULL;
    stream->deadline_ns = UINT64_MAX;
    free(stream->upgrade_request);
    stream->upgrade_request = NULL;
    if (stream->head.capacity > SPARE_HEAD_CAPACITY) cr_conn_clear(conn, &stream->head);
    stream->head.length = 0;
    if (stream->field_capacity > SPARE_FIELD_CAPACITY) {
        free(stream->fields);
        stream->fields = NULL;
        stream->field_capacity = 0;
    }
}

static void free_stream(cr_http2_stream *stream) {
    cr_http2_of(stream->stream.conn)->memory -= sizeof *stream;
    cr_http2_stream_free_request(stream);
    cr_conn_clear(stream->stream.conn, &stream->head);
    free(stream->fields);
    free(stream);
}

void cr_http2_stream_release(cr_http2_stream *stream) {
    cr_http2 *http2 = cr_http2_of(stream->stream.conn);
    if (stream->open || stream->dispatched || stream->is_ending || http2->ending) return;
    cr_http2_schedule(stream, CR_HTTP2_NOTHING);
    cr_http2_schedule_body(stream, false);
    cr_http2_revoke_grant(stream);
    TAILQ_REMOVE(&http2->streams, stream, link);
    if (http2->reading_head == stream) http2->reading_head = NULL;
    if (http2->receiving == stream) http2->receiving = NULL;
    if (http2->delivering == stream) http2->delivering = NULL;
    if (http2->spare_count < MAX_SPARE_STREAMS) {
        cr_http2_stream_free_request(stream);
        add_spare(http2, stream);
    } else {
        free_stream(stream);
    }
}

void cr_http2_streams_free(cr_http2 *http2) {
    cr_http2_stream *stream;
    while ((stream = TAILQ_FIRST(&http2->streams))) {
        TAILQ_REMOVE(&http2->streams, stream, link);
        free_stream(stream);
    }
    cr_http2_drop_spare(http2, 0);
}

void cr_http2_drop_spare(cr_http2 *http2, uint32_t count) {
    while (http2->spare_count > count) {
        cr_http2_stream *stream = TAILQ_LAST(&http2->spare, cr_http2_streams);
        remove_spare(http2, stream);
        free_stream(stream);
    }
}

void cr_http2_schedule(cr_http2_stream *stream, cr_http2_event event) {
    cr_http2 *http2 = cr_http2_of(stream->stream.conn);
    if (stream->event == CR_HTTP2_RUN) {
        TAILQ_REMOVE(&http2->runnable, stream, event_link);
    } else if (stream->event) {
        TAILQ_REMOVE(&http2->scheduled, stream, event_link);
    }
    stream->event = event;
    if (event == CR_HTTP2_RUN) {
        TAILQ_INSERT_TAIL(&http2->runnable, stream, event_link);
    } else if (event) {
        TAILQ_INSERT_TAIL(&http2->scheduled, stream, event_link);
    }
}

void cr_http2_schedule_body(cr_http2_stream *stream, bool is_due) {
    cr_http2 *http2 = cr_http2_of(stream->stream.conn);
    if (stream->body_due == is_due) return;
    stream->body_due = is_due;
    if (is_due) TAILQ_INSERT_TAIL(&http2->bodies, stream, body_link);
    else TAILQ_REMOVE(&http2->bodies, stream, body_link);
}

void cr_http2_revoke_grant(cr_http2_stream *stream) {
    if (stream->has_grant) TAILQ_REMOVE(&cr_http2_of(stream->stream.conn)->granted, stream, granted_link);
    stream->has_grant = false;
    stream->granted = 0;
}
