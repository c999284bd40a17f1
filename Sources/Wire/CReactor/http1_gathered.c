/* Answers that are ready in the same turn of a connection leave in one write: they are copied into its output, and the
 * end of each is told when its bytes are on the wire. */
#include "http1.h"

/* An answer whose bytes lie in the output. */
struct cr_gathered {
    const cr_step *script; /* from its first step with bytes on; the observer keeps it */
    cr_observer observer;
    size_t length;         /* of its bytes */
    size_t left;           /* of these, what is not on the wire yet */
    uint64_t first_byte_ns;
};

enum {
    FEW = 16,               /* answers for which there is room at first */
    LARGEST = 8 * 1024,     /* bytes of an answer that are copied; a larger one is written from its place */
    MOST = 32 * 1024        /* bytes in one write */
};

static bool make_room(cr_gathered_list *list) {
    if (list->end < list->capacity) return true;
    uint32_t capacity = list->capacity ? list->capacity * 2 : FEW;
    cr_gathered *grown = realloc(list->at, capacity * sizeof *grown);
    if (!grown) return false;
    list->at = grown;
    list->capacity = capacity;
    return true;
}

/* The bytes of answers in the output, which other bytes may follow. */
static size_t gathered_bytes(const cr_gathered_list *list) {
    size_t bytes = 0;
    for (uint32_t i = list->first; i < list->end; i++) bytes += list->at[i].left;
    return bytes;
}

/* Whether an answer may be appended to the output, which is written first if it is long enough. */
static bool takes(cr_conn *conn, size_t length) {
    if (length > LARGEST || conn->write_wants) return false;
    if (!conn->holds_answers) return conn->output.length == 0;
    return conn->output.length + length <= MOST || cr_conn_flush(conn);
}

bool cr_http1_gather(cr_stream *stream, const struct iovec *parts, int count) {
    cr_conn *conn = stream->conn;
    cr_gathered_list *list = &cr_http1_of(conn)->gathered;
    size_t length = 0;
    for (int i = 0; i < count; i++) length += parts[i].iov_len;
    if (!takes(conn, length) || !make_room(list)) return false;
    for (int i = 0; i < count; i++) {
        if (cr_buffer_append_within(&conn->output, parts[i].iov_base, parts[i].iov_len, MOST)) continue;
        conn->output.length = gathered_bytes(list);
        return false;
    }
    list->at[list->end++] = (cr_gathered){
        .script = &stream->script[stream->step],
        .observer = stream->observer,
        .length = length,
        .left = length,
    };
    conn->holds_answers = true;
    return true;
}

/* Takes the first answer off the list and tells its end, upon which more may be gathered, or the connection closed. */
static void tell_first(cr_conn *conn, cr_outcome outcome) {
    cr_gathered_list *list = &cr_http1_of(conn)->gathered;
    cr_gathered answer = list->at[list->first++];
    if (list->first == list->end) {
        free(list->at);
        *list = (cr_gathered_list){0};
        conn->holds_answers = false;
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

void cr_http1_note_gathered(cr_conn *conn, size_t written) {
    cr_gathered_list *list = &cr_http1_of(conn)->gathered;
    const uint64_t now_ns = cr_loop_read_clock(conn->loop);
    for (uint32_t i = list->first; i < list->end && written; i++) {
        cr_gathered *answer = &list->at[i];
        size_t here = written < answer->left ? written : answer->left;
        if (here && !answer->first_byte_ns) answer->first_byte_ns = now_ns;
        answer->left -= here;
        written -= here;
    }
    /* A client that closed both directions answers bytes with a reset, on the same machine at once. */
    if (cr_conn_is_left(conn)) cr_conn_close(conn, CR_CLIENT_GONE);
    while (conn->holds_answers && !list->at[list->first].left) tell_first(conn, CR_SENT);
}

void cr_http1_lose_gathered(cr_conn *conn, cr_outcome outcome) {
    /* The connection ends as it should, and still the client did not take these. */
    if (outcome == CR_SENT) outcome = CR_CLIENT_STALLED;
    while (conn->holds_answers) tell_first(conn, outcome);
}
