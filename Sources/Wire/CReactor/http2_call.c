/* A call in HTTP/2, on a connection of its own. nghttp2 frames what is sent; received answers reach the call like those
 * of HTTP/1.1 (link_answer.c). What the call does not take is buffered here, bounded by the stream's window. */
#include "call.h"
#include "nghttp2_functions.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    STREAM_WINDOW = 256 * 1024, /* bytes of an answer that a server may send ahead */
    CONNECTION_WINDOW = 1024 * 1024,
    WRITE = 64 * 1024,      /* bytes of one write, */
    FRAME_ROOM = 17 * 1024, /* while a frame of this size still fits */
    INPUT_SLICE = 4096,     /* bytes of input between two readings of the clock */
    PREFIX = 5,             /* length of "HTTP/", to recognize HTTP/1 */
    MAX_UNPRODUCTIVE = 1024 * 1024 /* bytes without progress past which a paused call is not read */
};

struct cr_call_http2 {
    nghttp2_session *session;
    int32_t stream;
    cr_buffer upload;   /* streamed body that the server's window does not admit yet */
    cr_buffer trailers; /* trailer lines after it */
    cr_buffer held;     /* answer body that the paused call does not take */
    cr_buffer block;    /* names and values of the last header block */
    cr_buffer fields;   /* cr_field elements of it */
    uint16_t status;
    uint32_t informational_count;
    size_t block_bytes;          /* bytes of all earlier blocks, and their fields */
    size_t field_count;
    uint8_t prefix[PREFIX];      /* the first received bytes */
    uint8_t prefix_length;
    bool in_library;        /* nghttp2 is on the stack and must not be called */
    bool settings_received; /* the server's SETTINGS have arrived */
    bool has_begun;         /* part of the answer has arrived */
    bool has_trailers;      /* `block` holds trailers */
    bool was_reset;         /* the server reset the stream */
    size_t unproductive;    /* bytes received since the last progress */
    bool writable_pending;  /* `writable` is due once all bytes are written */
    bool over;              /* the answer is complete */
    bool failed;            /* see `code` and `text` */
    bool waits;             /* nghttp2 was told that no body bytes are available */
    cr_call_code code;
    char text[200];
};

static cr_link *link_of(void *conn) {
    return cr_link_of(conn);
}

/* Records why the call fails; reported once nghttp2 has returned. */
static void fail(struct cr_call_http2 *http2, cr_call_code code, const char *text) {
    if (http2->failed || http2->over) return;
    http2->failed = true;
    http2->code = code;
    snprintf(http2->text, sizeof http2->text, "%s", text);
}

/* ---- The answer ---------------------------------------------------------------------------------------------- */

/* The head or trailers in `block`. */
static cr_answer describe(const cr_link *link) {
    const struct cr_call_http2 *http2 = link->http2;
    bool has_body = !link->call->is_head && http2->status != 204 && http2->status != 304;
    return (cr_answer){
        .head = http2->block.bytes,
        .head_length = http2->block.length,
        .status = http2->status,
        .version_minor = 1,
        .in_http2 = true,
        .framing = has_body ? CR_BY_END : CR_NO_BODY,
        .length = UINT64_MAX,
        .fields = (const cr_field *)http2->fields.bytes,
        .field_count = http2->fields.length / sizeof(cr_field),
    };
}

static void handle_head(cr_link *link) {
    struct cr_call_http2 *http2 = link->http2;
    cr_call *call = link->call;
    cr_answer answer = describe(link);
    if (http2->status >= 200) {
        call->answered = true;
        /* A rejected request need not be completed. */
        if (http2->status >= 300) call->body_open = false;
        cr_call_record_progress(call);
        call->hooks->head(call->context, &answer);
    } else if (http2->informational_count++ == CR_ANSWER_INFORMATIONAL_LIMIT) {
        fail(http2, CR_CALL_TOO_LARGE, "");
    } else if (http2->status != 100 && call->hooks->informational) {
        call->hooks->informational(call->context, &answer);
    }
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *conn) {
    (void)session, (void)frame;
    struct cr_call_http2 *http2 = link_of(conn)->http2;
    http2->has_begun = true;
    http2->block_bytes += http2->block.length;
    http2->field_count += http2->fields.length / sizeof(cr_field);
    http2->block.length = http2->fields.length = 0;
    return 0;
}

static bool add_field(struct cr_call_http2 *http2, nghttp2_vec name, nghttp2_vec value) {
    cr_field field = {.name = (uint32_t)http2->block.length, .name_length = (uint32_t)name.len};
    field.value = field.name + field.name_length;
    field.value_length = (uint32_t)value.len;
    return cr_buffer_append(&http2->block, name.base, name.len) &&
        cr_buffer_append(&http2->block, value.base, value.len) &&
        cr_buffer_append(&http2->fields, &field, sizeof field);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name_buffer,
    nghttp2_rcbuf *value_buffer, uint8_t flags, void *conn) {
    (void)session, (void)frame, (void)flags;
    struct cr_call_http2 *http2 = link_of(conn)->http2;
    nghttp2_vec name = cr_nghttp2.nghttp2_rcbuf_get_buf(name_buffer),
                value = cr_nghttp2.nghttp2_rcbuf_get_buf(value_buffer);
    if (name.len && name.base[0] == ':') {
        /* nghttp2 has checked that there are three digits. */
        if (value.base[0] < '1') fail(http2, CR_CALL_BAD_HTTP2, "its status is below 100");
        http2->status = (uint16_t)((value.base[0] - '0') * 100 + (value.base[1] - '0') * 10 + (value.base[2] - '0'));
        return http2->failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
    }
    size_t bytes = http2->block_bytes + http2->block.length + name.len + value.len;
    size_t fields = http2->field_count + http2->fields.length / sizeof(cr_field);
    if (bytes > CR_ANSWER_HEAD_LIMIT || fields >= CR_ANSWER_FIELD_LIMIT) fail(http2, CR_CALL_TOO_LARGE, "");
    else if (!add_field(http2, name, value)) fail(http2, CR_CALL_NO_MEMORY, "");
    return http2->failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *conn) {
    (void)session;
    cr_link *link = link_of(conn);
    struct cr_call_http2 *http2 = link->http2;
    switch (frame->hd.type) {
    case NGHTTP2_SETTINGS:
        http2->settings_received = true;
        break;
    case NGHTTP2_HEADERS:
        http2->has_trailers = link->call && link->call->answered;
        if (link->call && !link->call->answered) handle_head(link);
        if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) http2->over = true;
        break;
    case NGHTTP2_DATA:
        if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) http2->over = true;
        break;
    case NGHTTP2_RST_STREAM:
        if (frame->hd.stream_id == http2->stream) http2->was_reset = true;
        break;
    case NGHTTP2_GOAWAY:
        if (!frame->goaway.error_code || http2->failed) break;
        snprintf(http2->text, sizeof http2->text, "it said goodbye with %s",
            cr_nghttp2.nghttp2_http2_strerror(frame->goaway.error_code));
        break;
    default:
        break;
    }
    return http2->failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

/* Extends the stream's and the connection's window. */
static void grant(nghttp2_session *session, int32_t stream, size_t length) {
    cr_nghttp2.nghttp2_session_consume_stream(session, stream, length);
    cr_nghttp2.nghttp2_session_consume_connection(session, length);
}

static int on_data(
    nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t length, void *conn) {
    (void)session, (void)flags;
    cr_link *link = link_of(conn);
    struct cr_call_http2 *http2 = link->http2;
    cr_call *call = link->call;
    if (!call || !length) return 0;
    http2->unproductive = 0;
    if (call->paused || http2->held.length) {
        if (cr_conn_append(conn, &http2->held, bytes, length)) return 0;
        fail(http2, CR_CALL_NO_MEMORY, "");
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    cr_call_record_progress(call);
    grant(session, stream, length);
    call->hooks->body_data(call->context, bytes, length);
    return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t error, void *conn) {
    (void)session, (void)stream;
    cr_link *link = link_of(conn);
    struct cr_call_http2 *http2 = link->http2;
    const char *name = cr_nghttp2.nghttp2_http2_strerror(error);
    if (!http2->was_reset && error != NGHTTP2_REFUSED_STREAM) fail(http2, CR_CALL_BAD_HTTP2, name);
    else fail(http2, CR_CALL_BROKEN_STREAM, name);
    return 0;
}

/* nghttp2's callback for an invalid frame, for which it resets the stream or ends the connection. */
static int on_invalid(nghttp2_session *session, const nghttp2_frame *frame, int error, void *conn) {
    (void)session, (void)frame;
    fail(link_of(conn)->http2, CR_CALL_BAD_HTTP2, cr_nghttp2.nghttp2_strerror(error));
    return 0;
}

/* nghttp2's callback for a GOAWAY that it sends after an error of the server. */
static int on_sent(nghttp2_session *session, const nghttp2_frame *frame, void *conn) {
    (void)session;
    if (frame->hd.type != NGHTTP2_GOAWAY || !frame->goaway.error_code) return 0;
    char text[160];
    int length = frame->goaway.opaque_data_len < 100 ? (int)frame->goaway.opaque_data_len : 100;
    snprintf(text, sizeof text, "%s%s%.*s", cr_nghttp2.nghttp2_http2_strerror(frame->goaway.error_code),
        length ? ", " : "", length, length ? (const char *)frame->goaway.opaque_data : "");
    fail(link_of(conn)->http2, CR_CALL_BAD_HTTP2, text);
    return 0;
}

/* ---- The request --------------------------------------------------------------------------------------------- */

/* Fields of an HTTP/1.1 connection, and those that are replaced. `name` is in lower case. */
static bool is_dropped(const uint8_t *name, size_t length) {
    static const char *const names[] = {"host", "connection", "transfer-encoding", "upgrade", "http2-settings",
        "keep-alive", "proxy-connection", "te", "expect"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == length && !memcmp(names[i], name, length)) return true;
    }
    return false;
}

/* Parses the field at `*at`, its name into lower case, and advances. Returns false at the empty line or the end. */
static bool next_field(uint8_t **at, uint8_t *end, nghttp2_nv *field) {
    uint8_t *line_end = *at < end ? memchr(*at, '\r', (size_t)(end - *at)) : NULL;
    uint8_t *colon = line_end ? memchr(*at, ':', (size_t)(line_end - *at)) : NULL;
    if (!colon) return false;
    for (uint8_t *c = *at; c < colon; c++) {
        if (*c >= 'A' && *c <= 'Z') *c |= 0x20;
    }
    uint8_t *value = colon + 1;
    while (value < line_end && (*value == ' ' || *value == '\t')) value++;
    *field = (nghttp2_nv){*at, value, (size_t)(colon - *at), (size_t)(line_end - value), NGHTTP2_NV_FLAG_NONE};
    *at = line_end + 2;
    return true;
}

/* Allocates fields for the lines and `more`; NULL if memory is short. */
static nghttp2_nv *room_for(const uint8_t *at, const uint8_t *end, size_t more) {
    for (; at < end; at++) more += *at == '\n';
    return malloc(more * sizeof(nghttp2_nv));
}

static nghttp2_nv pair(const char *name, const uint8_t *value, size_t length) {
    return (nghttp2_nv){(uint8_t *)name, (uint8_t *)value, strlen(name), length, NGHTTP2_NV_FLAG_NONE};
}

static bool submit_trailers(struct cr_call_http2 *http2, int32_t stream) {
    uint8_t *at = http2->trailers.bytes, *end = at + http2->trailers.length;
    nghttp2_nv *fields = room_for(at, end, 1);
    size_t count = 0;
    while (fields && next_field(&at, end, &fields[count])) count++;
    bool done = count && !cr_nghttp2.nghttp2_submit_trailer(http2->session, stream, fields, count);
    free(fields);
    return done;
}

/* nghttp2's data source for the request body. */
static ssize_t read_upload(nghttp2_session *session, int32_t stream, uint8_t *room, size_t length, uint32_t *flags,
    nghttp2_data_source *source, void *conn) {
    (void)session, (void)source;
    cr_link *link = link_of(conn);
    struct cr_call_http2 *http2 = link->http2;
    cr_call *call = link->call;
    if (!call) return NGHTTP2_ERR_DEFERRED;
    bool is_streamed = call->kind == CR_CALL_STREAM;
    size_t there = is_streamed ? http2->upload.length : call->body_length - call->body_at;
    size_t consumed = there < length ? there : length;
    if (is_streamed) {
        if (consumed) memcpy(room, http2->upload.bytes, consumed);
        cr_buffer_consume(&http2->upload, consumed);
    } else {
        memcpy(room, call->body + call->body_at, consumed);
        call->body_at += consumed;
        if (call->body_at == call->body_length) call->body_done = true;
    }
    if (consumed) {
        cr_call_record_progress(call);
        http2->unproductive = 0;
    }
    if (consumed == there && call->body_done) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (http2->trailers.length && submit_trailers(http2, stream)) *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    } else if (!consumed) {
        http2->waits = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    return (ssize_t)consumed;
}

static bool submit(cr_link *link) {
    struct cr_call_http2 *http2 = link->http2;
    cr_call *call = link->call;
    uint8_t *head = call->head, *end = head + call->head_length;
    uint8_t *method_end = memchr(head, ' ', call->head_length);
    uint8_t *line_end = memchr(head, '\r', call->head_length);
    uint8_t *path_end = line_end - (sizeof " HTTP/1.1" - 1);
    nghttp2_nv *fields = room_for(head, end, 6);
    if (!fields) return false;
    const char *scheme = link->host->trust ? "https" : "http";
    size_t count = 0;
    fields[count++] = pair(":method", head, (size_t)(method_end - head));
    fields[count++] = pair(":scheme", (const uint8_t *)scheme, strlen(scheme));
    const size_t authority = count++;
    fields[authority] = pair(":authority", NULL, 0);
    fields[count++] = pair(":path", method_end + 1, (size_t)(path_end - method_end - 1));
    uint8_t *at = line_end + 2;
    for (nghttp2_nv field; next_field(&at, end, &field);) {
        bool is_host = field.namelen == 4 && !memcmp(field.name, "host", 4);
        if (is_host) fields[authority] = pair(":authority", field.value, field.valuelen);
        else if (!is_dropped(field.name, field.namelen)) fields[count++] = field;
    }
    /* Trailers are always accepted; gRPC servers require this field. */
    fields[count++] = pair("te", (const uint8_t *)"trailers", 8);
    const nghttp2_data_provider provider = {.read_callback = read_upload};
    http2->stream = cr_nghttp2.nghttp2_submit_request(
        http2->session, NULL, fields, count, call->body_done ? NULL : &provider, NULL);
    free(fields);
    return http2->stream > 0;
}

/* ---- The connection ------------------------------------------------------------------------------------------ */

bool cr_link_has_unsent(const cr_link *link) {
    return link->conn->output.length || (link->http2 && link->http2->upload.length);
}

/* Writes what nghttp2 has, as far as the server takes it. */
static void flush(cr_link *link) {
    struct cr_call_http2 *http2 = link->http2;
    cr_conn *conn = link->conn;
    bool continues = !http2->in_library;
    cr_conn_ref(conn);
    while (continues && conn->state == CR_CONN_OPEN && !link->output_failed && !conn->output.length) {
        uint8_t room[WRITE];
        size_t filled = 0;
        http2->in_library = true;
        while (filled + FRAME_ROOM <= sizeof room) {
            const uint8_t *bytes;
            ssize_t length = cr_nghttp2.nghttp2_session_mem_send(http2->session, &bytes);
            if (length < 0) fail(http2, CR_CALL_BAD_HTTP2, cr_nghttp2.nghttp2_strerror((int)length));
            continues = length > 0;
            if (!continues) break;
            memcpy(room + filled, bytes, (size_t)length);
            filled += (size_t)length;
        }
        http2->in_library = false;
        if (filled) cr_conn_send(conn, room, filled);
    }
    cr_conn_unref(conn);
}

/* Stops reading for good. */
static void stop_reading(cr_link *link) {
    link->input_over = true;
    cr_conn_set_reading(link->conn, false);
}

/* Reports the end of the call once everything before it is delivered, or that more of its body may be sent. */
static void deliver_end(cr_link *link) {
    struct cr_call_http2 *http2 = link->http2;
    cr_call *call = link->call;
    if (!call || http2->in_library) return;
    bool is_dead =
        !cr_nghttp2.nghttp2_session_want_read(http2->session) && !cr_nghttp2.nghttp2_session_want_write(http2->session);
    if (is_dead) fail(http2, CR_CALL_BAD_HTTP2, "the connection has ended");
    if (http2->held.length) {
        /* A later reset by the server must not discard what is still to be delivered. */
        if (http2->over || http2->failed) stop_reading(link);
        return;
    }
    if (http2->over) {
        cr_answer trailers = describe(link);
        cr_link_complete(link, http2->has_trailers ? &trailers : NULL, false);
    } else if (http2->failed) {
        cr_call_end_with(call, http2->code, 0, http2->text, NULL);
    } else if (http2->writable_pending && !cr_link_has_unsent(link)) {
        http2->writable_pending = false;
        if (cr_call_is_writable(call)) cr_call_notify_writable(call);
    }
}

/* Whether the server answers in HTTP/1. */
static bool is_http1(struct cr_call_http2 *http2, const uint8_t *bytes, size_t length) {
    for (; length && http2->prefix_length < PREFIX; length--) http2->prefix[http2->prefix_length++] = *bytes++;
    return http2->prefix_length == PREFIX && !memcmp(http2->prefix, "HTTP/", PREFIX);
}

size_t cr_call_http2_feed(cr_link *link, const uint8_t *bytes, size_t length) {
    struct cr_call_http2 *http2 = link->http2;
    cr_call *call = link->call;
    const uint64_t began_ns = link->conn->loop->now_ns;
    cr_call_ref(call);
    if (http2->held.length && !call->paused) {
        size_t held = http2->held.length;
        uint8_t *block = cr_conn_extract(link->conn, &http2->held);
        cr_call_record_progress(call);
        http2->unproductive = 0;
        grant(http2->session, http2->stream, held);
        call->hooks->body_data(call->context, block, held);
        free(block);
    }
    if (is_http1(http2, bytes, length)) fail(http2, CR_CALL_NO_HTTP2, "");
    http2->in_library = true;
    while (length && link->call == call && !http2->failed && !http2->over) {
        size_t slice = length < INPUT_SLICE ? length : INPUT_SLICE;
        ssize_t n = cr_nghttp2.nghttp2_session_mem_recv(http2->session, bytes, slice);
        if (n < 0) {
            fail(http2, CR_CALL_BAD_HTTP2, cr_nghttp2.nghttp2_strerror((int)n));
            break;
        }
        bytes += slice;
        length -= slice;
        http2->unproductive += slice;
        if (cr_loop_read_clock(link->conn->loop) - began_ns >= CR_SLICE_NS) break;
    }
    http2->in_library = false;
    if (link->call == call) flush(link);
    if (link->call == call) deliver_end(link);
    if (link->call == call && !cr_call_http2_reads(link)) cr_conn_set_reading(link->conn, false);
    /* A connection that was closed meanwhile keeps no input. */
    if (link->call != call || http2->failed || http2->over) length = 0;
    cr_call_unref(call);
    return length;
}

bool cr_call_http2_reads(const cr_link *link) {
    return !link->call->paused || link->http2->unproductive <= MAX_UNPRODUCTIVE;
}

void cr_call_http2_input_ended(cr_link *link) {
    struct cr_call_http2 *http2 = link->http2;
    cr_call_code code = link->call->answered ? CR_CALL_CUT_BODY
        : http2->has_begun                   ? CR_CALL_CUT_HEAD
                                             : CR_CALL_NO_ANSWER;
    /* The server reset the connection while we were sending, and sent nothing. */
    if (code == CR_CALL_NO_ANSWER && link->output_failed) fail(http2, CR_CALL_RESET, strerror(link->conn->error));
    char text[sizeof http2->text];
    memcpy(text, http2->text, sizeof text);
    fail(http2, code, text[0] ? text : "its stream had not ended");
    deliver_end(link);
}

void cr_call_http2_drained(cr_link *link) {
    flush(link);
    deliver_end(link);
}

/* Lets nghttp2 read the body again. */
static void wake(cr_link *link) {
    struct cr_call_http2 *http2 = link->http2;
    if (http2->waits) cr_nghttp2.nghttp2_session_resume_data(http2->session, http2->stream);
    http2->waits = false;
    flush(link);
}

bool cr_call_http2_send(cr_link *link, const uint8_t *bytes, size_t length) {
    if (!cr_buffer_append(&link->http2->upload, bytes, length)) return false;
    wake(link);
    link->http2->writable_pending = cr_link_has_unsent(link);
    return true;
}

bool cr_call_http2_finish(cr_link *link, const uint8_t *trailers, size_t length) {
    if (length && !cr_buffer_append(&link->http2->trailers, trailers, length)) return false;
    wake(link);
    return true;
}

bool cr_call_http2_has_begun(const struct cr_call_http2 *http2) {
    return http2->has_begun;
}

bool cr_call_http2_has_settings(const struct cr_call_http2 *http2) {
    return http2->settings_received;
}

/* ---- Its beginning and end ----------------------------------------------------------------------------------- */

/* Created once, never freed. */
static nghttp2_session_callbacks *callbacks;
static nghttp2_option *options;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void) {
    if (cr_nghttp2.nghttp2_session_callbacks_new(&callbacks) || cr_nghttp2.nghttp2_option_new(&options)) {
        callbacks = NULL;
        return;
    }
    cr_nghttp2.nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    cr_nghttp2.nghttp2_session_callbacks_set_on_header_callback2(callbacks, on_header);
    cr_nghttp2.nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    cr_nghttp2.nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    cr_nghttp2.nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid);
    cr_nghttp2.nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    cr_nghttp2.nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    /* Windows grow as bytes are delivered. */
    cr_nghttp2.nghttp2_option_set_no_auto_window_update(options, 1);
    cr_nghttp2.nghttp2_option_set_max_send_header_block_length(options, CR_ANSWER_HEAD_LIMIT);
}

static bool open_session(cr_link *link) {
    static const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, CR_ANSWER_HEAD_LIMIT},
    };
    struct cr_call_http2 *http2 = link->http2 = calloc(1, sizeof *http2);
    pthread_once(&made, make);
    if (!http2 || !callbacks ||
        cr_nghttp2.nghttp2_session_client_new2(&http2->session, callbacks, link->conn, options)) {
        return false;
    }
    return !cr_nghttp2.nghttp2_submit_settings(
               http2->session, NGHTTP2_FLAG_NONE, settings, sizeof settings / sizeof settings[0]) &&
        !cr_nghttp2.nghttp2_session_set_local_window_size(http2->session, NGHTTP2_FLAG_NONE, 0, CONNECTION_WINDOW);
}

void cr_call_http2_begin(cr_link *link) {
    cr_call *call = link->call;
    call->body_open = true;
    call->body_done = call->kind == CR_CALL_STREAM ? !call->chunked && !call->left : !call->body_length;
    if (!open_session(link) || !submit(link)) {
        cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
    } else {
        link->http2->writable_pending = call->kind == CR_CALL_STREAM;
        flush(link);
        deliver_end(link);
    }
}

void cr_call_http2_free(struct cr_call_http2 *http2) {
    if (http2->session) cr_nghttp2.nghttp2_session_del(http2->session);
    cr_buffer_clear(&http2->upload);
    cr_buffer_clear(&http2->trailers);
    cr_buffer_clear(&http2->held);
    cr_buffer_clear(&http2->block);
    cr_buffer_clear(&http2->fields);
    free(http2);
}
