/* How HTTP/2 sends. A script's steps grant bytes to nghttp2, which takes them as the client's windows allow, stream
 * after stream. Its frames leave in one write. Long bodies in memory are written in place, those of relays are
 * copied. */
#include "http2.h"
#include "relay.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_COPIED = 2048,     /* bytes of a body in memory that are copied; more are written in place */
    SLICE_BYTES = 1 << 20, /* written bytes that end a time slice */
    FEW_FIELDS = 48
};

/* ---- The next write ------------------------------------------------------------------------------------------ */

static bool has_room(const cr_frames *frames) {
    return frames->length + CR_HTTP2_FRAME_ROOM <= CR_HTTP2_WRITE && frames->part_count + 4 <= CR_HTTP2_PARTS;
}

/* Adds a copy of bytes. Returns its address, valid until the write. */
static uint8_t *put(cr_frames *frames, const void *bytes, size_t length) {
    uint8_t *at = frames->bytes + frames->length;
    memcpy(at, bytes, length);
    frames->length += length;
    struct iovec *last = frames->part_count ? &frames->parts[frames->part_count - 1] : NULL;
    if (last && (uint8_t *)last->iov_base + last->iov_len == at) {
        last->iov_len += length;
    } else {
        frames->parts[frames->part_count++] = (struct iovec){at, length};
    }
    return at;
}

/* Adds bytes that stay in place until the write. */
static void put_in_place(cr_frames *frames, const uint8_t *bytes, size_t length) {
    frames->parts[frames->part_count++] = (struct iovec){(void *)bytes, length};
}

/* Corrects nghttp2's error GOAWAY to name the last processed stream: the client may retry later ones. */
static void correct_goaway(cr_http2 *http2, uint8_t *frame) {
    bool is_error = frame[13] | frame[14] | frame[15] | frame[16];
    if (!is_error) return;
    for (int i = 0; i < 4; i++) frame[9 + i] = (uint8_t)(http2->last_processed_id >> (24 - 8 * i));
    http2->failed = true;
}

/* Lets nghttp2 fill the write with frames. Returns false if nghttp2 fails. */
static bool fill_frames(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (!cr_service_of(conn->loop)->frames) cr_service_of(conn->loop)->frames = malloc(sizeof(cr_frames));
    cr_frames *frames = cr_service_of(conn->loop)->frames;
    if (!frames) return false;
    frames->length = 0;
    frames->part_count = 0;
    http2->write_full = false;
    while (has_room(frames)) {
        const uint8_t *bytes;
        http2->in_library = true;
        ssize_t length = cr_nghttp2.nghttp2_session_mem_send(http2->session, &bytes);
        http2->in_library = false;
        if (length < 0) return false;
        if (length == 0) return true;
        if (http2->released && (size_t)length + 16 > http2->frame_room) cr_http2_use_frame(http2);
        uint8_t *frame = put(frames, bytes, (size_t)length);
        if (frame[3] == NGHTTP2_GOAWAY && length >= 17) correct_goaway(http2, frame);
    }
    http2->write_full = true;
    return true;
}

void cr_http2_flush(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    while (conn->state == CR_CONN_OPEN && !http2->in_library && http2->session) {
        if (conn->output.length && !cr_conn_flush(conn)) return;
        if (!fill_frames(conn)) {
            if (http2->flood_cause) cr_http2_flood_close(conn);
            else cr_http2_fail(conn, NGHTTP2_INTERNAL_ERROR, "out of memory for an answer");
            return;
        }
        bool continues = http2->write_full;
        const cr_frames *frames = cr_service_of(conn->loop)->frames;
        if (frames->part_count && !cr_conn_send_parts(conn, frames->parts, frames->part_count)) return;
        if (!continues) return;
        if (conn->written - http2->slice_start_written >= SLICE_BYTES) {
            http2->slice_over = true;
            return;
        }
    }
}

/* ---- Heads --------------------------------------------------------------------------------------------------- */

typedef struct field_list {
    nghttp2_nv *at, *large; /* `few`, or a block on the heap */
    size_t count, capacity;
    nghttp2_nv few[FEW_FIELDS];
} field_list;

static void begin_list(field_list *list) {
    list->at = list->few;
    list->large = NULL;
    list->count = 0;
    list->capacity = FEW_FIELDS;
}

static bool add(field_list *list, cr_span name, cr_span value) {
    if (list->count == list->capacity) {
        nghttp2_nv *grown = realloc(list->large, list->capacity * 2 * sizeof *grown);
        if (!grown) return false;
        if (!list->large) memcpy(grown, list->few, sizeof list->few);
        list->at = list->large = grown;
        list->capacity *= 2;
    }
    list->at[list->count++] = (nghttp2_nv){
        (uint8_t *)name.bytes, (uint8_t *)value.bytes, name.length, value.length, NGHTTP2_NV_FLAG_NONE};
    return true;
}

static bool is_space(uint8_t c) {
    return c == ' ' || c == '\t';
}

/* HTTP/2 allows no white space around a value. */
static cr_span trimmed(cr_span value) {
    while (value.length && is_space(value.bytes[0])) value.bytes++, value.length--;
    while (value.length && is_space(value.bytes[value.length - 1])) value.length--;
    return value;
}

static bool add_fields(field_list *list, cr_span fields) {
    cr_span name, value;
    while (cr_next_field(&fields, &name, &value)) {
        if (name.length && !add(list, name, trimmed(value))) return false;
    }
    return true;
}

/* The END of an answer without a body from this step on; NULL if there is a body or trailers. */
static const cr_step *end_without_body(const cr_step *step) {
    while (step->kind == CR_STEP_BODY && !step->rate && !cr_payload(step).length) step++;
    return step->kind == CR_STEP_END && !cr_payload(step).length ? step : NULL;
}

/* Submits the stream's HEAD to nghttp2. Returns false if memory is short. */
static bool announce(cr_http2_stream *http2_stream, const cr_step *head) {
    cr_stream *stream = &http2_stream->stream;
    nghttp2_session *session = cr_http2_of(stream->conn)->session;
    int64_t status;
    cr_span reason, fields = cr_head_read(head, &status, &reason);
    char digits[24] = {(char)('0' + status / 100), (char)('0' + status / 10 % 10), (char)('0' + status % 10)};
    size_t length = 3;
    if (status > 999) length = (size_t)snprintf(digits, sizeof digits, "%lld", (long long)status);
    field_list list;
    begin_list(&list);
    bool made = add(&list, (cr_span){(const uint8_t *)":status", 7}, (cr_span){(uint8_t *)digits, length}) &&
        add_fields(&list, fields);
    bool is_final = status < 100 || status > 199 || status == 101;
    if (made && !is_final) {
        made = !cr_nghttp2.nghttp2_submit_headers(
            session, NGHTTP2_FLAG_NONE, http2_stream->id, NULL, list.at, list.count, NULL);
    } else if (made) {
        const cr_step *end = end_without_body(head + 1);
        nghttp2_data_provider body = {.source.ptr = http2_stream, .read_callback = cr_http2_read_body};
        http2_stream->head_sent = true;
        http2_stream->deadline_ns = UINT64_MAX;
        if (end) http2_stream->end_step = (uint32_t)(end - stream->script);
        made = !cr_nghttp2.nghttp2_submit_response(session, http2_stream->id, list.at, list.count, end ? NULL : &body);
    }
    free(list.large);
    return made;
}

static bool announce_trailers(cr_http2_stream *stream, cr_span fields) {
    field_list list;
    begin_list(&list);
    bool made = add_fields(&list, fields) && !cr_nghttp2.nghttp2_submit_trailer(
        cr_http2_of(stream->stream.conn)->session, stream->id, list.at, list.count);
    free(list.large);
    return made;
}

/* ---- What the script grants ---------------------------------------------------------------------------------- */

static void grant(cr_http2_stream *stream, uint64_t limit) {
    cr_http2 *http2 = cr_http2_of(stream->stream.conn);
    if (!stream->has_grant) TAILQ_INSERT_TAIL(&http2->granted, stream, granted_link);
    stream->has_grant = true;
    stream->granted = limit;
    if (stream->deferred) cr_nghttp2.nghttp2_session_resume_data(http2->session, stream->id);
    stream->deferred = false;
}

/* Lets the script resume once the taken bytes are sent. */
static void schedule_run(cr_http2_stream *stream) {
    cr_http2_revoke_grant(stream);
    cr_stream_unlimit_wait(&stream->stream);
    cr_http2_schedule(stream, CR_HTTP2_RUN);
}

/* The number of bytes of a step after the first `skip`; of a relay, the available ones. */
static uint64_t left_of(const cr_step *step, uint64_t skip) {
    if (step->kind == CR_STEP_RELAY) return cr_relay_ready(cr_relay_of(step), step, UINT64_MAX);
    return cr_payload(step).length - skip;
}

/* Whether a step is taken together with the part of the body before it. */
static bool ends_with_body(const cr_step *step) {
    return (step->kind == CR_STEP_BODY && !step->rate) || step->kind == CR_STEP_END;
}

/* How many bytes nghttp2 may take now, at most `max`. `*end` is the END if it follows them directly. */
static size_t bytes_granted(const cr_http2_stream *http2_stream, size_t max, const cr_step **end) {
    const cr_stream *stream = &http2_stream->stream;
    const cr_step *step = &stream->script[stream->step];
    uint64_t skip = stream->step_sent, total = 0;
    uint64_t limit = http2_stream->granted < max ? http2_stream->granted : max;
    *end = NULL;
    for (;; step++, skip = 0) {
        if (step->kind == CR_STEP_END) {
            *end = step;
            break;
        }
        uint64_t left = left_of(step, skip);
        if (left > limit - total) return (size_t)limit;
        total += left;
        bool is_relayed = step->kind == CR_STEP_RELAY && step[1].kind == CR_STEP_END;
        if (is_relayed && cr_relay_ends_after(cr_relay_of(step), step, left)) continue;
        if (http2_stream->granted != UINT64_MAX || !ends_with_body(step + 1)) break;
    }
    return (size_t)total;
}

/* Puts body bytes into the write, from the script's step on. Returns false if they cannot be read. */
static bool write_body(cr_http2_stream *http2_stream, size_t length) {
    cr_stream *stream = &http2_stream->stream;
    cr_conn *conn = stream->conn;
    while (length) {
        const cr_step *step = &stream->script[stream->step];
        uint64_t whole = cr_payload(step).length;
        cr_span bytes = {NULL, 0};
        if (stream->step_sent < whole) {
            bytes = cr_payload_at(conn->loop, step, stream->step_sent, length);
            if (!bytes.length) return false;
            if (bytes.length > length) bytes.length = length;
            cr_frames *frames = cr_service_of(conn->loop)->frames;
            bool stays =
                step->kind == CR_STEP_BODY && bytes.length > MAX_COPIED && frames->part_count + 2 < CR_HTTP2_PARTS;
            if (stays) put_in_place(frames, bytes.bytes, bytes.length);
            else put(frames, bytes.bytes, bytes.length);
        }
        if (step->kind == CR_STEP_RELAY) cr_relay_consume(cr_relay_of(step), bytes.length);
        stream->step_sent += bytes.length;
        stream->body_sent += bytes.length;
        length -= bytes.length;
        if (http2_stream->granted != UINT64_MAX) http2_stream->granted -= bytes.length;
        if (stream->step_sent < whole) continue;
        bool continues = http2_stream->granted == UINT64_MAX && ends_with_body(step + 1);
        if (step->kind == CR_STEP_RELAY) cr_relay_of(step)->passed = 0;
        cr_stream_next_step(stream);
        if (!continues) http2_stream->granted = 0;
        if (!continues) break;
    }
    if (!http2_stream->granted) schedule_run(http2_stream);
    return true;
}

/* ---- What the library asks for ------------------------------------------------------------------------------- */

static ssize_t read_refusal(cr_http2_stream *stream, uint8_t *bytes, size_t length, uint32_t *flags) {
    size_t whole = strlen(stream->refusal) + 1, left = whole - stream->refusal_sent;
    size_t count = left < length ? left : length;
    memcpy(bytes, stream->refusal + stream->refusal_sent, count);
    stream->refusal_sent += count;
    if (stream->refusal_sent == whole && count) bytes[count - 1] = '\n';
    if (stream->refusal_sent == whole) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)count;
}

ssize_t cr_http2_read_body(nghttp2_session *session, int32_t id, uint8_t *bytes, size_t length, uint32_t *flags,
    nghttp2_data_source *source, void *context) {
    (void)session, (void)id;
    cr_http2_stream *stream = source->ptr;
    if (stream->refusal) return read_refusal(stream, bytes, length, flags);
    const cr_step *end = NULL;
    /* After an upgrade, a client may have a small buffer: curl 7 has 32 KiB. */
    bool is_early = !cr_http2_of(context)->settings_received;
    size_t count = stream->granted && !is_early ? bytes_granted(stream, length, &end) : 0;
    if (!count && !end) {
        stream->deferred = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (!end) return (ssize_t)count;
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    stream->end_step = (uint32_t)(end - stream->stream.script);
    cr_span trailers = cr_payload(end);
    if (!trailers.length) return (ssize_t)count;
    *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    return announce_trailers(stream, trailers) ? (ssize_t)count : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int cr_http2_on_send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t length,
    nghttp2_data_source *source, void *context) {
    (void)session, (void)frame;
    cr_conn *conn = context;
    cr_frames *frames = cr_service_of(conn->loop)->frames;
    cr_http2_stream *stream = source->ptr;
    size_t before = frames->length;
    int count = frames->part_count;
    size_t last = count ? frames->parts[count - 1].iov_len : 0;
    put(frames, head, 9);
    if (!write_body(stream, length)) {
        frames->length = before;
        frames->part_count = count;
        if (count) frames->parts[count - 1].iov_len = last;
        stream->broken = true;
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    cr_stream_count_sent(&stream->stream, 9 + length);
    /* The client reads, if slowly. */
    if (stream->stream.write_limited) {
        cr_stream_limit_wait(&stream->stream, cr_service_of(conn->loop)->timeout_ns[CR_WAITING_WRITE]);
    }
    if (has_room(frames)) return 0;
    cr_http2_of(conn)->write_full = true;
    return NGHTTP2_ERR_PAUSE;
}

static void on_end_sent(cr_http2_stream *stream) {
    if (stream->refused) {
        if (!stream->input_ended) cr_http2_reset(stream, NGHTTP2_NO_ERROR);
    } else if (stream->dispatched) {
        stream->stream.end_sent = true;
        stream->stream.step = stream->end_step;
        schedule_run(stream);
    }
}

static void log_goaway(cr_conn *conn, const nghttp2_goaway *goaway) {
    if (goaway->error_code == NGHTTP2_NO_ERROR) return;
    char text[256];
    snprintf(text, sizeof text, "the HTTP/2 connection of %s:%u ends with %s: %.*s", conn->peer, conn->peer_port,
        cr_nghttp2.nghttp2_http2_strerror(goaway->error_code), (int)goaway->opaque_data_len,
        (const char *)goaway->opaque_data);
    cr_service_of(conn->loop)->handler.on_log(cr_service_of(conn->loop)->handler.context, text);
}

int cr_http2_on_frame_sent(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
    cr_conn *conn = context;
    if (frame->hd.type == NGHTTP2_GOAWAY) log_goaway(conn, &frame->goaway);
    if (frame->hd.type == NGHTTP2_RST_STREAM) return cr_http2_flood_count_reset(conn, frame);
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    cr_http2_stream *stream = cr_nghttp2.nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (!stream) return 0;
    if (frame->hd.type == NGHTTP2_HEADERS && stream->dispatched) {
        cr_stream_count_sent(&stream->stream, 9 + frame->hd.length);
    }
    if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) on_end_sent(stream);
    return 0;
}

/* ---- Steps --------------------------------------------------------------------------------------------------- */

/* Sends unframed bytes after all frames before them. */
static cr_send send_raw(cr_http2_stream *http2_stream, const cr_step *step, uint64_t limit) {
    cr_stream *stream = &http2_stream->stream;
    cr_conn *conn = stream->conn;
    cr_http2_flush(conn);
    if (conn->state != CR_CONN_OPEN) return CR_SEND_CLOSED;
    if (conn->output.length || cr_http2_of(conn)->in_library) {
        cr_http2_schedule(http2_stream, CR_HTTP2_RUN);
        return CR_SEND_WAIT;
    }
    if (stream->step_sent < cr_payload(step).length) {
        cr_span bytes = cr_payload_at(conn->loop, step, stream->step_sent, limit);
        if (bytes.length > limit) bytes.length = (size_t)limit;
        if (!cr_conn_send(conn, bytes.bytes, bytes.length)) return CR_SEND_CLOSED;
        cr_stream_count_sent(stream, bytes.length);
        stream->step_sent += bytes.length;
    }
    if (stream->step_sent == cr_payload(step).length) cr_stream_next_step(stream);
    return CR_SEND_ON;
}

cr_send cr_http2_send(cr_stream *stream, uint64_t limit) {
    cr_http2_stream *http2_stream = cr_http2_stream_of(stream);
    const cr_step *step = &stream->script[stream->step];
    /* nghttp2 has closed the stream, which is about to be detached. */
    if (!http2_stream->open) return CR_SEND_WAIT;
    if (step->kind == CR_STEP_RAW) return send_raw(http2_stream, step, limit);
    if (step->kind == CR_STEP_HEAD) {
        if (http2_stream->head_sent || !announce(http2_stream, step)) return CR_SEND_BROKEN;
        if (http2_stream->end_step) return CR_SEND_WAIT;
        cr_stream_next_step(stream);
        return CR_SEND_ON;
    }
    if (!http2_stream->head_sent) return CR_SEND_BROKEN;
    if (step->kind == CR_STEP_BODY && !cr_payload(step).length) {
        cr_stream_next_step(stream);
        return CR_SEND_ON;
    }
    if (step->kind == CR_STEP_RELAY) {
        limit = cr_relay_ready(cr_relay_of(step), step, limit < CR_RELAY_GRANT ? limit : CR_RELAY_GRANT);
    }
    grant(http2_stream, limit);
    return CR_SEND_WAIT;
}
