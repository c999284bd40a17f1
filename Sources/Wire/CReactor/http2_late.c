/* Frames of streams that have ended: an error of the connection, as RFC 9113 section 5.1 says, unless they may have been on
 * their way when the stream was reset here. The library remembers no streams that have ended, which would take more than all
 * the rest of an idle connection, and drops such frames without a word. */
#include "http2.h"

#include <string.h>

bool cr_http2_is_late(const cr_http2 *http2, uint32_t id) {
    bool is_begun = id % 2 && id <= http2->last_begun;
    return is_begun && !cr_nghttp2.nghttp2_session_get_stream_user_data(http2->session, (int32_t)id);
}

int cr_http2_end_for_late(cr_http2 *http2) {
    bool ends = !cr_nghttp2.nghttp2_session_terminate_session(http2->session, NGHTTP2_STREAM_CLOSED);
    http2->failed = true;
    return ends ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

int cr_http2_on_invalid_frame(nghttp2_session *session, const nghttp2_frame *frame, int error, void *conn) {
    (void)session, (void)frame, (void)error;
    cr_http2_of(conn)->cut_short = true;
    return 0;
}

static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t number = 0;
    for (int i = 0; i < count; i++) number = number << 8 | bytes[i];
    return number;
}

/* Moves `at` behind the head of the next DATA frame, and `start` to its first byte, or to 0 if that came before. Returns its
 * stream; 0 if all bytes are behind, or no stream has such a number. */
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
        size_t taken = left < missing ? left : missing;
        memcpy(http2->head + http2->head_length, bytes + *at, taken);
        *at += taken;
        http2->head_length = (uint8_t)((http2->head_length + taken) % sizeof http2->head);
        if (http2->head_length) break;
        http2->frame_left = number(http2->head, 3);
        if (http2->head[3] == NGHTTP2_DATA) return number(http2->head + 5, 4) & INT32_MAX;
    }
    return 0;
}

ssize_t cr_http2_take(cr_http2 *http2, const uint8_t *bytes, size_t length) {
    size_t at = 0, given = 0, start = 0;
    if (http2->failed) return 0;
    while (at < length) {
        uint32_t id = next_data(http2, bytes, length, &at, &start);
        size_t end = id ? start : at;
        ssize_t taken = 0;
        /* What comes before may end the stream. */
        if (end > given) taken = cr_nghttp2.nghttp2_session_mem_recv(http2->session, bytes + given, end - given);
        if (taken < 0) return taken;
        if (end > given) given = end;
        if (id && !http2->cut_short && cr_http2_is_late(http2, id)) return cr_http2_end_for_late(http2);
        start = 0;
    }
    if (given == length) return 0;
    return cr_nghttp2.nghttp2_session_mem_recv(http2->session, bytes + given, length - given);
}
