/* Creates nghttp2 sessions: callbacks, options and the server's SETTINGS. */
#include "http2.h"

#include "cr_answer.h"

#include <pthread.h>

enum {
    STREAM_WINDOW = 256 * 1024, /* bytes of a body that a client may send ahead */
    CONNECTION_WINDOW = 1024 * 1024,
    ANSWER_TABLE = 2048 /* of HPACK for responses; nghttp2 allocates several times as much */
};

/* Created once, never freed. */
static nghttp2_session_callbacks *callbacks;
static nghttp2_option *options;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void) {
    if (cr_nghttp2.nghttp2_session_callbacks_new(&callbacks) || cr_nghttp2.nghttp2_option_new(&options)) {
        callbacks = NULL;
        return;
    }
    cr_nghttp2.nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, cr_http2_on_begin_frame);
    cr_nghttp2.nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, cr_http2_on_begin_headers);
    cr_nghttp2.nghttp2_session_callbacks_set_on_header_callback2(callbacks, cr_http2_on_header);
    cr_nghttp2.nghttp2_session_callbacks_set_on_invalid_header_callback2(callbacks, cr_http2_on_invalid_header);
    cr_nghttp2.nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, cr_http2_on_data);
    cr_nghttp2.nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, cr_http2_on_frame);
    cr_nghttp2.nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, cr_http2_on_invalid_frame);
    cr_nghttp2.nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, cr_http2_on_frame_sent);
    cr_nghttp2.nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, cr_http2_on_stream_close);
    cr_nghttp2.nghttp2_session_callbacks_set_send_data_callback(callbacks, cr_http2_on_send_data);
    cr_nghttp2.nghttp2_option_set_max_deflate_dynamic_table_size(options, ANSWER_TABLE);
    /* Heads of proxied answers may be long. */
    cr_nghttp2.nghttp2_option_set_max_send_header_block_length(options, 2 * CR_ANSWER_HEAD_LIMIT);
    /* No ended streams are remembered: see http2_late.c. */
    cr_nghttp2.nghttp2_option_set_no_closed_streams(options, 1);
    /* Windows grow as bytes are consumed. */
    cr_nghttp2.nghttp2_option_set_no_auto_window_update(options, 1);
}

nghttp2_session *cr_http2_session_new(cr_conn *conn) {
    pthread_once(&made, make);
    nghttp2_session *session;
    nghttp2_mem allocator = cr_http2_allocator(cr_http2_of(conn));
    if (!callbacks || cr_nghttp2.nghttp2_session_server_new3(&session, callbacks, conn, options, &allocator)) {
        return NULL;
    }
    const cr_config *config = &cr_service_of(conn->loop)->config;
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, config->stream_limit},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, config->head.length},
        {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
    };
    size_t count = sizeof settings / sizeof settings[0] - (config->http2_extended_connect ? 0 : 1);
    if (cr_nghttp2.nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, count) ||
        cr_nghttp2.nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, CONNECTION_WINDOW)) {
        cr_nghttp2.nghttp2_session_del(session);
        return NULL;
    }
    return session;
}
