/* The answer on a connection to a server: what its bytes say is told to the call as far as that wants them, and how the connection
 * goes on behind it. */
#include "call.h"

#include <string.h>

enum {
    CLOCK_PIECES = 32 /* pieces of an answer between two looks at the clock */
};

static cr_call_code code_of(cr_fault fault) {
    switch (fault) {
    case CR_BAD_STATUS:
    case CR_UNSUPPORTED_VERSION: return CR_CALL_NO_HTTP;
    case CR_IS_HTTP2: return CR_CALL_NEEDS_HTTP2;
    case CR_UNASKED_SWITCH: return CR_CALL_UNASKED_SWITCH;
    case CR_HEAD_TOO_LARGE:
    case CR_TOO_MANY_FIELDS:
    case CR_TOO_MANY_INFORMATIONS: return CR_CALL_TOO_LARGE;
    case CR_BAD_CHUNK_SIZE:
    case CR_BAD_CHUNK_END:
    case CR_TOO_MUCH_CHUNK_TEXT: return CR_CALL_BAD_CHUNKS;
    case CR_ENDED_BEFORE: return CR_CALL_NO_ANSWER;
    case CR_ENDED_IN_HEAD: return CR_CALL_CUT_HEAD;
    case CR_ENDED_IN_BODY: return CR_CALL_CUT_BODY;
    case CR_NO_MEMORY: return CR_CALL_NO_MEMORY;
    default: return CR_CALL_BAD_HEAD;
    }
}

static void refuse(cr_link *link, cr_fault fault) {
    cr_call *call = link->call;
    if (fault == CR_ENDED_BEFORE && cr_link_may_repeat(link, call)) {
        cr_link_repeat(link, call);
        return;
    }
    cr_call_code code = code_of(fault);
    /* The server has reset what was being sent, and then had nothing to say. */
    if (fault == CR_ENDED_BEFORE && link->output_lost) code = CR_CALL_RESET;
    const char *text = code == CR_CALL_RESET ? strerror(link->conn->error) : cr_fault_text(fault);
    cr_call_end_with(call, code, 0, text, NULL);
}

void cr_link_complete(cr_link *link, const cr_answer *trailers, bool is_clean) {
    cr_call *call = link->call;
    cr_conn *conn = link->conn;
    bool is_kept = is_clean && link->reader.keep_alive && call->body_done && !call->closes && !link->output_lost &&
        !conn->output.length && !call->switched;
    link->call = NULL;
    call->link = NULL;
    cr_conn_enter(conn);
    /* The trailers lie in the connection's memory, and its next call must not begin before they are told. */
    bool has_trailers = trailers && trailers->field_count;
    if (has_trailers) cr_call_end_with(call, CR_CALL_DONE, 0, "", trailers);
    if (conn->state != CR_CONN_CLOSED) {
        if (is_kept) cr_link_keep(link);
        else cr_link_close(link);
    }
    if (!has_trailers) cr_call_end_with(call, CR_CALL_DONE, 0, "", NULL);
    cr_conn_leave(conn);
}

/* A 408 on a connection that was used before may have been sent before the request came (RFC 9110 section 15.5.9). */
static bool is_stale(const cr_link *link, const cr_answer *answer) {
    return answer->status == 408 && !link->reader.informations && cr_link_may_repeat(link, link->call);
}

static void take_head(cr_link *link, const cr_answer *answer) {
    cr_call *call = link->call;
    call->answered = true;
    call->switched = answer->framing == CR_SWITCHED;
    if (call->switched) call->body_done = true;
    /* Nobody needs the rest of a request that is refused, nor what a server has not waited for. */
    if (answer->status >= 300 || (call->continue_due_ns && !call->switched)) call->body_open = false;
    call->continue_due_ns = 0;
    cr_call_note_progress(call);
    call->hooks->answers(call->context, answer);
}

/* None puts off the time by which the answer has to come: a server may say any number of them. */
static void take_information(cr_link *link, const cr_answer *answer) {
    cr_call *call = link->call;
    bool is_continue = answer->status == 100;
    bool is_told = call->hooks->informs && (!is_continue || call->expects_continue);
    if (is_told) call->hooks->informs(call->context, answer);
    if (link->call == call && is_continue && call->continue_due_ns) cr_link_open_body(link);
}

/* Keeps bytes for later, during which nothing more is read. Returns false if memory is short. */
static bool keep_input(cr_link *link, const uint8_t *bytes, size_t length) {
    cr_conn_set_reading(link->conn, false);
    if (!length || cr_conn_append(link->conn, &link->input, bytes, length)) return true;
    refuse(link, CR_NO_MEMORY);
    return false;
}

/* Tells the call what is in bytes, as long as it wants them and one turn takes. */
static void feed(cr_link *link, const uint8_t *bytes, size_t length) {
    cr_conn *conn = link->conn;
    cr_call *call = link->call;
    const uint8_t *end = bytes + length;
    const uint64_t began_ns = conn->loop->now_ns;
    if (link->http2) {
        size_t left = cr_call_http2_feed(link, bytes, length);
        if (left && keep_input(link, end - left, left)) cr_conn_yield(conn);
        return;
    }
    cr_call_hold(call);
    for (uint32_t count = 1; link->call == call; count++) {
        if (call->paused) {
            keep_input(link, bytes, (size_t)(end - bytes));
            break;
        }
        if (count % CLOCK_PIECES == 0 && bytes < end && cr_loop_read_clock(conn->loop) - began_ns >= CR_TURN_NS) {
            if (keep_input(link, bytes, (size_t)(end - bytes))) cr_conn_yield(conn);
            break;
        }
        cr_answer_piece piece;
        cr_answer_event event = cr_answer_next(&link->reader, &bytes, end, &piece);
        if (event == CR_ANSWER_MORE) break;
        switch (event) {
        case CR_ANSWER_INFORMS:
            take_information(link, &piece.answer);
            break;
        case CR_ANSWER_HEAD:
            if (is_stale(link, &piece.answer)) cr_link_repeat(link, call);
            else take_head(link, &piece.answer);
            break;
        case CR_ANSWER_DATA:
            cr_call_note_progress(call);
            call->hooks->body(call->context, piece.data, piece.length);
            break;
        case CR_ANSWER_END:
            cr_link_complete(link, &piece.answer, bytes == end);
            break;
        case CR_ANSWER_REFUSED:
            refuse(link, piece.fault);
            break;
        case CR_ANSWER_MORE:
            break;
        }
        /* The connection may be its next call's by now. */
        if (event == CR_ANSWER_END) break;
    }
    cr_call_drop(call);
}

void cr_link_received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_link *link = cr_link_of(conn);
    if (!length) return;
    if (!link->call) {
        /* Of nothing that was asked. */
        cr_conn_close(conn, CR_CLIENT_GONE);
    } else if (link->input.length) {
        keep_input(link, bytes, length);
    } else {
        feed(link, bytes, length);
    }
}

/* Goes on with bytes that were kept, and then reads on. */
void cr_link_take_turn(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    size_t length = link->input.length;
    uint8_t *bytes = cr_conn_take(conn, &link->input);
    /* The answer may have ended with the last bytes that its call took. */
    if (link->call && (link->http2 || !link->input_over)) feed(link, bytes, length);
    free(bytes);
    bool reads = link->call && !link->input.length && !link->input_over &&
        (link->http2 ? cr_call_http2_reads(link) : !link->call->paused);
    if (conn->state == CR_CONN_OPEN && reads) cr_conn_set_reading(conn, true);
    cr_conn_leave(conn);
}

void cr_link_read(cr_link *link, bool reads) {
    cr_conn *conn = link->conn;
    if (reads) {
        cr_conn_yield(conn);
        return;
    }
    /* In HTTP/2 windows hold the server back, which may have more to say than the answer. */
    if (link->http2) return;
    if (conn->waiting == CR_WAITING_TURN) cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_conn_set_reading(conn, false);
}

void cr_link_input_ended(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    cr_call *call = link->call;
    if (!call) {
        cr_conn_close(conn, CR_CLIENT_GONE);
        return;
    }
    if (link->http2) {
        link->input_over = true;
        cr_conn_set_reading(conn, false);
        cr_call_http2_input_ended(link);
        return;
    }
    cr_answer_piece piece;
    if (cr_answer_ended(&link->reader, &piece) == CR_ANSWER_REFUSED) {
        refuse(link, piece.fault);
    } else if (call->switched && !conn->shut) {
        link->input_over = true;
        cr_conn_set_reading(conn, false);
        if (call->hooks->input_ended) call->hooks->input_ended(call->context);
    } else {
        cr_link_complete(link, NULL, false);
    }
}
