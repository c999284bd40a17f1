/* What a client may do now and then, and not all the time: each costs it little and us much. Where it goes on, its
 * connection ends with GOAWAY. */
#include "http2.h"

#include <stdio.h>

/* How many a connection may send at once, and how many of these are forgiven each second. */
static const struct {
    uint32_t burst, a_second;
    const char *text;
} limits[CR_HTTP2_NUISANCES] = {
    [CR_HTTP2_RESETS] = {256, 64, "it resets too many streams"},
    [CR_HTTP2_ERRORS] = {256, 64, "too many of its streams are in error"},
    [CR_HTTP2_EXCESS] = {1024, 256, "it begins too many streams beyond the limit"},
    [CR_HTTP2_PINGS] = {256, 32, "it sends too many PINGs"},
    [CR_HTTP2_SETTINGS] = {64, 8, "it sends too many SETTINGS"},
    [CR_HTTP2_PRIORITIES] = {1024, 256, "it changes too many priorities"},
    [CR_HTTP2_EMPTY_DATA] = {256, 64, "it sends too many empty DATA frames"},
    [CR_HTTP2_WINDOW_UPDATES] = {16384, 8192, "it sends too many WINDOW_UPDATEs"},
    [CR_HTTP2_CONTINUATIONS] = {8, 0, "it sends a header block in too many CONTINUATIONs"},
    [CR_HTTP2_LARGE_HEADS] = {0, 0, "it sends a header block that unpacks to many times the limit"},
};

/* Forgives what has been long enough ago. */
static void forgive(cr_http2 *http2, uint64_t now_ns) {
    if (!http2->calm_ns) http2->calm_ns = now_ns;
    uint64_t seconds = (now_ns - http2->calm_ns) / 1000000000u;
    if (!seconds) return;
    http2->calm_ns += seconds * 1000000000u;
    for (int kind = 0; kind < CR_HTTP2_CONTINUATIONS; kind++) {
        uint64_t amount = seconds * limits[kind].a_second;
        http2->nuisances[kind] = amount < http2->nuisances[kind] ? http2->nuisances[kind] - (uint32_t)amount : 0;
    }
}

int cr_http2_count(cr_conn *conn, cr_http2_nuisance nuisance) {
    cr_http2 *http2 = cr_http2_of(conn);
    forgive(http2, conn->loop->now_ns);
    if (++http2->nuisances[nuisance] <= limits[nuisance].burst) return 0;
    http2->calm = (uint8_t)(1 + nuisance);
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int check_headers(cr_conn *conn, uint32_t id) {
    cr_http2 *http2 = cr_http2_of(conn);
    bool is_late = cr_http2_is_late(http2, id);
    int error = cr_http2_check_begin(http2, id);
    if (error || !is_late) return error;
    return http2->cut_short ? cr_http2_count(conn, CR_HTTP2_ERRORS) : cr_http2_end_for_late(http2);
}

int cr_http2_on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *head, void *context) {
    (void)session;
    cr_conn *conn = context;
    switch (head->type) {
    case NGHTTP2_HEADERS:
        cr_http2_of(conn)->nuisances[CR_HTTP2_CONTINUATIONS] = 0;
        return check_headers(conn, (uint32_t)head->stream_id);
    case NGHTTP2_CONTINUATION:
        return cr_http2_count(conn, CR_HTTP2_CONTINUATIONS);
    case NGHTTP2_PRIORITY:
        return cr_http2_count(conn, CR_HTTP2_PRIORITIES);
    case NGHTTP2_WINDOW_UPDATE:
        return cr_http2_count(conn, CR_HTTP2_WINDOW_UPDATES);
    default:
        return 0;
    }
}

int cr_http2_count_reset(cr_conn *conn, const nghttp2_frame *frame) {
    nghttp2_session *session = cr_http2_of(conn)->session;
    const cr_http2_stream *stream = cr_nghttp2.nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (stream && stream->dismissed) return 0;
    switch (frame->rst_stream.error_code) {
    case NGHTTP2_NO_ERROR:
    case NGHTTP2_INTERNAL_ERROR:
    case NGHTTP2_CANCEL:
        return 0;
    case NGHTTP2_REFUSED_STREAM:
        return cr_http2_count(conn, CR_HTTP2_EXCESS);
    default:
        return cr_http2_count(conn, CR_HTTP2_ERRORS);
    }
}

void cr_http2_calm_down(cr_conn *conn) {
    cr_http2_fail(conn, NGHTTP2_ENHANCE_YOUR_CALM, limits[cr_http2_of(conn)->calm - 1].text);
}
