/* Parses the answer on a connection to a server, delivers it to the call as far as the call takes it, and decides
 * whether the connection is pooled. */
#include "call.h"

#include <string.h>

enum {
    CLOCK_EVENTS = 32 /* events between two readings of the clock */
};

static cr_call_code code_of(cr_request_error error) {
    switch (error) {
    case CR_BAD_STATUS:
    case CR_UNSUPPORTED_VERSION: return CR_CALL_NO_HTTP;
    case CR_IS_HTTP2: return CR_CALL_NEEDS_HTTP2;
    case CR_UNEXPECTED_SWITCH: return CR_CALL_UNEXPECTED_SWITCH;
    case CR_HEAD_TOO_LARGE:
    case CR_TOO_MANY_FIELDS:
    case CR_TOO_MANY_INFORMATIONAL: return CR_CALL_TOO_LARGE;
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

static void refuse(cr_link *link, cr_request_error error) {
    cr_call *call = link->call;
    if (error == CR_ENDED_BEFORE && cr_link_may_retry(link, call)) {
        cr_link_retry(link, call);
        return;
    }
    cr_call_code code = code_of(error);
    /* The server reset the connection while we were sending, and sent nothing. */
    if (error == CR_ENDED_BEFORE && link->output_failed) code = CR_CALL_RESET;
    const char *text = code == CR_CALL_RESET ? strerror(link->conn->error) : cr_request_error_text(error);
    cr_call_end_with(call, code, 0, text, NULL);
}

void cr_link_complete(cr_link *link, const cr_answer *trailers, bool is_clean) {
    cr_call *call = link->call;
    cr_conn *conn = link->conn;
    bool keeps = is_clean && link->reader.keep_alive && call->body_done && !call->closes && !link->output_failed &&
        !conn->output.length && !call->switched;
    link->call = NULL;
    call->link = NULL;
    cr_conn_ref(conn);
    /* The trailers lie in the connection's memory: report them before its next call. */
    bool has_trailers = trailers && trailers->field_count;
    if (has_trailers) cr_call_end_with(call, CR_CALL_DONE, 0, "", trailers);
    if (conn->state != CR_CONN_CLOSED) {
        if (keeps) cr_link_pool(link);
        else cr_link_close(link);
    }
    if (!has_trailers) cr_call_end_with(call, CR_CALL_DONE, 0, "", NULL);
    cr_conn_unref(conn);
}

/* A 408 on a reused connection may have been sent before the request arrived (RFC 9110 section 15.5.9). */
static bool is_stale(const cr_link *link, const cr_answer *answer) {
    return answer->status == 408 && !link->reader.informational_count && cr_link_may_retry(link, link->call);
}

static void handle_head(cr_link *link, const cr_answer *answer) {
    cr_call *call = link->call;
    call->answered = true;
    call->switched = answer->framing == CR_SWITCHED;
    if (call->switched) call->body_done = true;
    /* A rejected request need not be completed, nor one that the server answered without its body. */
    if (answer->status >= 300 || (call->continue_due_ns && !call->switched)) call->body_open = false;
    call->continue_due_ns = 0;
    cr_call_record_progress(call);
    call->hooks->head(call->context, answer);
}

/* These do not extend the stall time-out: a server may send any number of them. */
static void handle_informational(cr_link *link, const cr_answer *answer) {
    cr_call *call = link->call;
    bool is_continue = answer->status == 100;
    bool is_wanted = call->hooks->informational && (!is_continue || call->expects_continue);
    if (is_wanted) call->hooks->informational(call->context, answer);
    if (link->call == call && is_continue && call->continue_due_ns) cr_link_open_body(link);
}

/* Buffers bytes and pauses reading. Returns false if memory is short. */
static bool buffer_input(cr_link *link, const uint8_t *bytes, size_t length) {
    cr_conn_set_reading(link->conn, false);
    if (!length || cr_conn_append(link->conn, &link->input, bytes, length)) return true;
    refuse(link, CR_NO_MEMORY);
    return false;
}

/* Parses bytes and delivers them to the call, as long as it takes them and the time slice lasts. */
static void feed(cr_link *link, const uint8_t *bytes, size_t length) {
    cr_conn *conn = link->conn;
    cr_call *call = link->call;
    const uint8_t *end = bytes + length;
    const uint64_t began_ns = conn->loop->now_ns;
    if (link->http2) {
        size_t left = cr_call_http2_feed(link, bytes, length);
        if (left && buffer_input(link, end - left, left)) cr_conn_yield(conn);
        return;
    }
    cr_call_ref(call);
    for (uint32_t count = 1; link->call == call; count++) {
        if (call->paused) {
            buffer_input(link, bytes, (size_t)(end - bytes));
            break;
        }
        if (count % CLOCK_EVENTS == 0 && bytes < end && cr_loop_read_clock(conn->loop) - began_ns >= CR_SLICE_NS) {
            if (buffer_input(link, bytes, (size_t)(end - bytes))) cr_conn_yield(conn);
            break;
        }
        cr_answer_details details;
        cr_answer_event event = cr_answer_next(&link->reader, &bytes, end, &details);
        if (event == CR_ANSWER_MORE) break;
        switch (event) {
        case CR_ANSWER_INFORMATIONAL:
            handle_informational(link, &details.answer);
            break;
        case CR_ANSWER_HEAD:
            if (is_stale(link, &details.answer)) cr_link_retry(link, call);
            else handle_head(link, &details.answer);
            break;
        case CR_ANSWER_DATA:
            cr_call_record_progress(call);
            call->hooks->body_data(call->context, details.data, details.length);
            break;
        case CR_ANSWER_END:
            cr_link_complete(link, &details.answer, bytes == end);
            break;
        case CR_ANSWER_REFUSED:
            refuse(link, details.error);
            break;
        case CR_ANSWER_MORE:
            break;
        }
        /* The connection may already have its next call. */
        if (event == CR_ANSWER_END) break;
    }
    cr_call_unref(call);
}

void cr_link_received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_link *link = cr_link_of(conn);
    if (!length) return;
    if (!link->call) {
        /* The server sent bytes without a request. */
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    } else if (link->input.length) {
        buffer_input(link, bytes, length);
    } else {
        feed(link, bytes, length);
    }
}

/* Parses buffered bytes, then reads on. */
void cr_link_resume_input(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    size_t length = link->input.length;
    uint8_t *bytes = cr_conn_extract(conn, &link->input);
    /* The answer may have ended with the last bytes that the call took. */
    if (link->call && (link->http2 || !link->input_over)) feed(link, bytes, length);
    free(bytes);
    bool reads = link->call && !link->input.length && !link->input_over &&
        (link->http2 ? cr_call_http2_reads(link) : !link->call->paused);
    if (conn->state == CR_CONN_OPEN && reads) cr_conn_set_reading(conn, true);
    cr_conn_unref(conn);
}

void cr_link_set_reading(cr_link *link, bool reads) {
    cr_conn *conn = link->conn;
    if (reads) {
        cr_conn_yield(conn);
        return;
    }
    /* In HTTP/2, windows stop the server's data, and other frames must still be read. */
    if (link->http2) return;
    if (conn->waiting == CR_WAITING_READY) cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_conn_set_reading(conn, false);
}

void cr_link_input_ended(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    cr_call *call = link->call;
    if (!call) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return;
    }
    if (link->http2) {
        link->input_over = true;
        cr_conn_set_reading(conn, false);
        cr_call_http2_input_ended(link);
        return;
    }
    cr_answer_details details;
    if (cr_answer_ended(&link->reader, &details) == CR_ANSWER_REFUSED) {
        refuse(link, details.error);
    } else if (call->switched && !conn->write_closed) {
        link->input_over = true;
        cr_conn_set_reading(conn, false);
        if (call->hooks->input_ended) call->hooks->input_ended(call->context);
    } else {
        cr_link_complete(link, NULL, false);
    }
}
