/* Stream ids that the client skipped: RFC 9113 section 5.1.1 closes them. nghttp2 takes them for ended streams and
 * ignores their frames. */
#include "http2.h"

static void record_stream_id(cr_http2 *http2, uint32_t id) {
    uint32_t next = http2->last_stream_id ? http2->last_stream_id + 2 : 1;
    if (id > next) {
        http2->skipped_ids[http2->skipped_count++ % CR_HTTP2_SKIPPED_RANGES] = (cr_http2_id_range){next, id - 2};
    }
    http2->last_stream_id = id;
}

int cr_http2_check_stream_id(cr_http2 *http2, uint32_t id) {
    /* nghttp2 handles ids of the server and 0. */
    if (id % 2 == 0) return 0;
    if (id > http2->last_stream_id) {
        record_stream_id(http2, id);
        return 0;
    }
    for (int i = 0; i < CR_HTTP2_SKIPPED_RANGES; i++) {
        if (id < http2->skipped_ids[i].first || id > http2->skipped_ids[i].last) continue;
        bool ends = !cr_nghttp2.nghttp2_session_terminate_session(http2->session, NGHTTP2_PROTOCOL_ERROR);
        return ends ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    return 0;
}
