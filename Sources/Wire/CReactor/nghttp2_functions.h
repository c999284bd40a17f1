/* The functions of nghttp2 that CReactor calls. The library is loaded when a connection first speaks HTTP/2. */
#ifndef CR_NGHTTP2_FUNCTIONS_H
#define CR_NGHTTP2_FUNCTIONS_H

#include "loaded_library.h"

#if !__has_include(<nghttp2/nghttp2.h>)
#error "the headers of nghttp2 are missing: `make deps`, or install libnghttp2-dev (Debian and Ubuntu), libnghttp2 (Homebrew)"
#endif

#include <nghttp2/nghttp2.h>

#define CR_NGHTTP2_FUNCTIONS(X) \
    X(nghttp2_option_new) \
    X(nghttp2_option_set_no_auto_window_update) \
    X(nghttp2_option_set_no_closed_streams) \
    X(nghttp2_option_set_max_send_header_block_length) \
    X(nghttp2_option_set_max_deflate_dynamic_table_size) \
    X(nghttp2_session_callbacks_new) \
    X(nghttp2_session_callbacks_set_on_begin_frame_callback) \
    X(nghttp2_session_callbacks_set_on_begin_headers_callback) \
    X(nghttp2_session_callbacks_set_on_header_callback2) \
    X(nghttp2_session_callbacks_set_on_invalid_header_callback2) \
    X(nghttp2_session_callbacks_set_on_data_chunk_recv_callback) \
    X(nghttp2_session_callbacks_set_on_frame_recv_callback) \
    X(nghttp2_session_callbacks_set_on_invalid_frame_recv_callback) \
    X(nghttp2_session_callbacks_set_on_frame_send_callback) \
    X(nghttp2_session_callbacks_set_on_stream_close_callback) \
    X(nghttp2_session_callbacks_set_send_data_callback) \
    X(nghttp2_session_server_new3) \
    X(nghttp2_session_client_new2) \
    X(nghttp2_session_del) \
    X(nghttp2_session_mem_recv) \
    X(nghttp2_session_mem_send) \
    X(nghttp2_session_want_read) \
    X(nghttp2_session_want_write) \
    X(nghttp2_session_get_last_proc_stream_id) \
    X(nghttp2_session_get_stream_user_data) \
    X(nghttp2_session_set_stream_user_data) \
    X(nghttp2_session_set_local_window_size) \
    X(nghttp2_session_consume_connection) \
    X(nghttp2_session_consume_stream) \
    X(nghttp2_session_resume_data) \
    X(nghttp2_session_upgrade2) \
    X(nghttp2_session_terminate_session) \
    X(nghttp2_submit_settings) \
    X(nghttp2_submit_headers) \
    X(nghttp2_submit_request) \
    X(nghttp2_submit_response) \
    X(nghttp2_submit_trailer) \
    X(nghttp2_submit_rst_stream) \
    X(nghttp2_submit_goaway) \
    X(nghttp2_rcbuf_get_buf) \
    X(nghttp2_rcbuf_incref) \
    X(nghttp2_rcbuf_decref) \
    X(nghttp2_http2_strerror) \
    X(nghttp2_strerror) \
    X(nghttp2_version)

typedef LOADED_TABLE(CR_NGHTTP2_FUNCTIONS) cr_nghttp2_table;

/* Filled in once cr_http2_is_available has returned true. */
extern cr_nghttp2_table cr_nghttp2;

#endif
