/* The ids of streams that the client has passed over: they can begin no more, as RFC 9113 section 5.1.1 says. The library takes
 * them for streams that have ended long ago, and has nothing to say about them. */
#include "http2.h"

static void note_begun(cr_http2 *http2, uint32_t id) {
    uint32_t next = http2->last_begun ? http2->last_begun + 2 : 1;
    if (id > next) http2->gaps[http2->gap_count++ % CR_HTTP2_GAPS] = (cr_http2_gap){next, id - 2};
    http2->last_begun = id;
}

int cr_http2_check_begin(cr_http2 *http2, uint32_t id) {
    /* Those of the server, and the connection's own, are the library's. */
    if (id % 2 == 0) return 0;
    if (id > http2->last_begun) {
        note_begun(http2, id);
        return 0;
    }
    for (int i = 0; i < CR_HTTP2_GAPS; i++) {
        if (id < http2->gaps[i].first || id > http2->gaps[i].last) continue;
        bool ends = !cr_nghttp2.nghttp2_session_terminate_session(http2->session, NGHTTP2_PROTOCOL_ERROR);
        return ends ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    return 0;
}
