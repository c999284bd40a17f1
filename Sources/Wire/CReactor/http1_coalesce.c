/* Coalesced answers: answers that are ready in the same time slice of a connection leave in one write. They are copied
 * into its output, and on_end is called for each when its bytes are written. */
#include "http1.h"

/* An answer whose bytes lie in the output. */
struct cr_coalesced {
    const cr_step *script; /* from its first step with bytes on; kept alive by the observer */
    cr_observer observer;
    size_t length; /* number of bytes */
    size_t left;   /* of these, not yet written */
    uint64_t first_byte_ns;
};

enum {
    INITIAL_CAPACITY = 16, /* answers */
    MAX_REPLY = 8 * 1024,  /* bytes of an answer that is copied; a larger one is written in place */
    MAX_WRITE = 32 * 1024  /* bytes of one write */
};

static bool make_room(cr_coalesced_list *list) {
    if (list->end < list->capacity) return true;
    uint32_t capacity = list->capacity ? list->capacity * 2 : INITIAL_CAPACITY;
    cr_coalesced *grown = realloc(list->at, capacity * sizeof *grown);
    if (!grown) return false;
    list->at = grown;
    list->capacity = capacity;
    return true;
}

/* The number of bytes of coalesced answers; other bytes may follow them in the output. */
static size_t coalesced_bytes(const cr_coalesced_list *list) {
    size_t bytes = 0;
    for (uint32_t i = list->first; i < list->end; i++) bytes += list->at[i].left;
    return bytes;
}

/* Whether an answer may be appended to the output. Flushes the output first if it is full. */
static bool can_coalesce(cr_conn *conn, size_t length) {
    if (length > MAX_REPLY || conn->write_wants) return false;
    if (!conn->has_coalesced) return conn->output.length == 0;
    return conn->output.length + length <= MAX_WRITE || cr_conn_flush(conn);
}

bool cr_http1_coalesce(cr_stream *stream, const struct iovec *parts, int count) {
    cr_conn *conn = stream->conn;
    cr_coalesced_list *list = &cr_http1_of(conn)->coalesced;
    size_t length = 0;
    for (int i = 0; i < count; i++) length += parts[i].iov_len;
    if (!can_coalesce(conn, length) || !make_room(list)) return false;
    for (int i = 0; i < count; i++) {
        if (cr_buffer_append_within(&conn->output, parts[i].iov_base, parts[i].iov_len, MAX_WRITE)) continue;
        conn->output.length = coalesced_bytes(list);
        return false;
    }
    list->at[list->end++] = (cr_coalesced){
        .script = &stream->script[stream->step],
        .observer = stream->observer,
        .length = length,
        .left = length,
    };
    conn->has_coalesced = true;
    return true;
}

/* Removes the first answer and calls on_end, which may add answers or close the connection. */
static void complete_first(cr_conn *conn, cr_outcome outcome) {
    cr_coalesced_list *list = &cr_http1_of(conn)->coalesced;
    cr_coalesced answer = list->at[list->first++];
    if (list->first == list->end) {
        free(list->at);
        *list = (cr_coalesced_list){0};
        conn->has_coalesced = false;
    }
    cr_loop *loop = conn->loop;
    cr_end end = {
        .outcome = outcome,
        .bytes_sent = answer.length - answer.left,
        .body_sent = outcome == CR_SENT ? 0 : cr_http1_body_among(answer.script, answer.length - answer.left),
        .first_byte_ns = answer.first_byte_ns,
        .end_ns = loop->now_ns,
    };
    cr_service_of(loop)->handler.on_end(cr_service_of(loop)->handler.context, answer.observer, &end);
}

void cr_http1_coalesced_written(cr_conn *conn, size_t written) {
    cr_coalesced_list *list = &cr_http1_of(conn)->coalesced;
    const uint64_t now_ns = cr_loop_read_clock(conn->loop);
    for (uint32_t i = list->first; i < list->end && written; i++) {
        cr_coalesced *answer = &list->at[i];
        size_t here = written < answer->left ? written : answer->left;
        if (here && !answer->first_byte_ns) answer->first_byte_ns = now_ns;
        answer->left -= here;
        written -= here;
    }
    /* A client that closed both directions resets the connection on the first byte, at once on the same machine. */
    if (cr_conn_has_disconnected(conn)) cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    while (conn->has_coalesced && !list->at[list->first].left) complete_first(conn, CR_SENT);
}

void cr_http1_fail_coalesced(cr_conn *conn, cr_outcome outcome) {
    /* The connection ended regularly, but the client did not take these. */
    if (outcome == CR_SENT) outcome = CR_CLIENT_STALLED;
    while (conn->has_coalesced) complete_first(conn, outcome);
}
