/* Frames of ended streams are a connection error (RFC 9113 section 5.1), unless they may have been on their way when we
 * reset the stream. nghttp2 forgets ended streams, since remembering them would take more than the rest of an idle
 * connection, and ignores such frames. */
#include "http2.h"

#include <string.h>

bool cr_http2_is_late(const cr_http2 *http2, uint32_t id) {
    bool is_begun = id % 2 && id <= http2->last_stream_id;
    return is_begun && !cr_nghttp2.nghttp2_session_get_stream_user_data(http2->session, (int32_t)id);
}

int cr_http2_close_for_late(cr_http2 *http2) {
    bool ends = !cr_nghttp2.nghttp2_session_terminate_session(http2->session, NGHTTP2_STREAM_CLOSED);
    http2->failed = true;
    return ends ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

int cr_http2_on_invalid_frame(nghttp2_session *session, const nghttp2_frame *frame, int error, void *conn) {
    (void)session, (void)frame, (void)error;
    cr_http2_of(conn)->reset_early = true;
    return 0;
}

static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t number = 0;
    for (int i = 0; i < count; i++) number = number << 8 | bytes[i];
    return number;
}

/* Moves `at` behind the next DATA frame head, and `start` to its first byte, or to 0 if that came in an earlier call.
 * Returns the frame's stream id; 0 if no further DATA frame begins. */
static uint32_t next_data(cr_http2 *http2, const uint8_t *bytes, size_t length, size_t *at, size_t *start) {
    while (*at < length) {
        size_t left = length - *at;
        if (http2->frame_left) {
            size_t skipped = left < http2->frame_left ? left : http2->frame_left;
            http2->frame_left -= (uint32_t)skipped;
            *at += skipped;
            continue;
        }
        if (!http2->head_length) *start = *at;
        size_t missing = sizeof http2->head - http2->head_length;
        size_t consumed = left < missing ? left : missing;
        memcpy(http2->head + http2->head_length, bytes + *at, consumed);
        *at += consumed;
        http2->head_length = (uint8_t)((http2->head_length + consumed) % sizeof http2->head);
        if (http2->head_length) break;
        http2->frame_left = number(http2->head, 3);
        if (http2->head[3] == NGHTTP2_DATA) return number(http2->head + 5, 4) & INT32_MAX;
    }
    return 0;
}

ssize_t cr_http2_feed(cr_http2 *http2, const uint8_t *bytes, size_t length) {
    size_t at = 0, given = 0, start = 0;
    if (http2->failed) return 0;
    while (at < length) {
        uint32_t id = next_data(http2, bytes, length, &at, &start);
        size_t end = id ? start : at;
        ssize_t consumed = 0;
        /* Frames before it may end the stream. */
        if (end > given) consumed = cr_nghttp2.nghttp2_session_mem_recv(http2->session, bytes + given, end - given);
        if (consumed < 0) return consumed;
        if (end > given) given = end;
        if (id && !http2->reset_early && cr_http2_is_late(http2, id)) return cr_http2_close_for_late(http2);
        start = 0;
    }
    if (given == length) return 0;
    return cr_nghttp2.nghttp2_session_mem_recv(http2->session, bytes + given, length - given);
}
