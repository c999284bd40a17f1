/* Flood protection: frames that are cheap for a client and expensive for us are rate-limited with token buckets. Past
 * the burst, the connection ends with GOAWAY. */
#include "http2.h"

#include <stdio.h>

/* The size of each bucket, and how many tokens return each second. */
static const struct {
    uint32_t burst, per_second;
    const char *text;
} limits[CR_HTTP2_FLOODS] = {
    [CR_HTTP2_FLOOD_RESETS] = {256, 64, "it resets too many streams"},
    [CR_HTTP2_FLOOD_ERRORS] = {256, 64, "too many of its streams are in error"},
    [CR_HTTP2_FLOOD_EXCESS] = {1024, 256, "it begins too many streams beyond the limit"},
    [CR_HTTP2_FLOOD_PINGS] = {256, 32, "it sends too many PINGs"},
    [CR_HTTP2_FLOOD_SETTINGS] = {64, 8, "it sends too many SETTINGS"},
    [CR_HTTP2_FLOOD_PRIORITIES] = {1024, 256, "it changes too many priorities"},
    [CR_HTTP2_FLOOD_EMPTY_DATA] = {256, 64, "it sends too many empty DATA frames"},
    [CR_HTTP2_FLOOD_WINDOW_UPDATES] = {16384, 8192, "it sends too many WINDOW_UPDATEs"},
    [CR_HTTP2_FLOOD_CONTINUATIONS] = {8, 0, "it sends a header block in too many CONTINUATIONs"},
    [CR_HTTP2_FLOOD_LARGE_HEADS] = {0, 0, "it sends a header block that unpacks to many times the limit"},
};

/* Refills the token buckets for the whole seconds that have passed. */
static void refill(cr_http2 *http2, uint64_t now_ns) {
    if (!http2->flood_refill_ns) http2->flood_refill_ns = now_ns;
    uint64_t seconds = (now_ns - http2->flood_refill_ns) / 1000000000u;
    if (!seconds) return;
    http2->flood_refill_ns += seconds * 1000000000u;
    for (int kind = 0; kind < CR_HTTP2_FLOOD_CONTINUATIONS; kind++) {
        uint64_t amount = seconds * limits[kind].per_second;
        http2->flood_counts[kind] =
            amount < http2->flood_counts[kind] ? http2->flood_counts[kind] - (uint32_t)amount : 0;
    }
}

int cr_http2_flood_count(cr_conn *conn, cr_http2_flood flood) {
    cr_http2 *http2 = cr_http2_of(conn);
    refill(http2, conn->loop->now_ns);
    if (++http2->flood_counts[flood] <= limits[flood].burst) return 0;
    http2->flood_cause = (uint8_t)(1 + flood);
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int check_headers(cr_conn *conn, uint32_t id) {
    cr_http2 *http2 = cr_http2_of(conn);
    bool is_late = cr_http2_is_late(http2, id);
    int error = cr_http2_check_stream_id(http2, id);
    if (error || !is_late) return error;
    return http2->reset_early ? cr_http2_flood_count(conn, CR_HTTP2_FLOOD_ERRORS) : cr_http2_close_for_late(http2);
}

int cr_http2_on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *head, void *context) {
    (void)session;
    cr_conn *conn = context;
    switch (head->type) {
    case NGHTTP2_HEADERS:
        cr_http2_of(conn)->flood_counts[CR_HTTP2_FLOOD_CONTINUATIONS] = 0;
        return check_headers(conn, (uint32_t)head->stream_id);
    case NGHTTP2_CONTINUATION:
        return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_CONTINUATIONS);
    case NGHTTP2_PRIORITY:
        return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_PRIORITIES);
    case NGHTTP2_WINDOW_UPDATE:
        return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_WINDOW_UPDATES);
    default:
        return 0;
    }
}

int cr_http2_flood_count_reset(cr_conn *conn, const nghttp2_frame *frame) {
    nghttp2_session *session = cr_http2_of(conn)->session;
    const cr_http2_stream *stream = cr_nghttp2.nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (stream && stream->reset_locally) return 0;
    switch (frame->rst_stream.error_code) {
    case NGHTTP2_NO_ERROR:
    case NGHTTP2_INTERNAL_ERROR:
    case NGHTTP2_CANCEL:
        return 0;
    case NGHTTP2_REFUSED_STREAM:
        return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_EXCESS);
    default:
        return cr_http2_flood_count(conn, CR_HTTP2_FLOOD_ERRORS);
    }
}

void cr_http2_flood_close(cr_conn *conn) {
    cr_http2_fail(conn, NGHTTP2_ENHANCE_YOUR_CALM, limits[cr_http2_of(conn)->flood_cause - 1].text);
}
