/* The client side of HTTP/1.1 as a connection's protocol. One request is sent at a time, and its answer is parsed
 * meanwhile (link_answer.c). */
#include "call.h"

#include <string.h>
#include <unistd.h>

enum {
    MAX_SEND = 256 * 1024 /* bytes of a body that are sent, or buffered, at a time */
};

/* ---- The end of a connection --------------------------------------------------------------------------------- */

void cr_link_describe(const cr_link *link, cr_call *call) {
    call->presented = link->tls.presented;
    call->was_resumed = link->tls.was_resumed;
    call->lacks_settings = link->http2 && !cr_call_http2_has_settings(link->http2);
}

void cr_link_close(cr_link *link) {
    cr_conn *conn = link->conn;
    link->call = NULL;
    cr_conn_ref(conn);
    cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    cr_conn_unref(conn);
}

bool cr_link_may_retry(const cr_link *link, const cr_call *call) {
    return link->uses > 1 && call->retryable && !call->was_retried && call->kind != CR_CALL_STREAM;
}

void cr_link_retry(cr_link *link, cr_call *call) {
    call->was_retried = true;
    call->fresh = true;
    call->body_at = 0;
    call->body_done = false;
    call->link = NULL;
    cr_link_close(link);
    cr_call_assign(call);
}

/* Reports a failed TLS handshake. */
static void end_handshake(const cr_link *link, cr_call *call) {
    const char *text = link->tls.error_text;
    if (!*text) text = link->conn->error == ECONNABORTED ? "the server closed the connection in the TLS handshake" :
                                                           "the server reset the connection in the TLS handshake";
    cr_call_code code = CR_CALL_INSECURE;
    if (link->tls.needs_http2 && !call->in_http2) code = CR_CALL_NEEDS_HTTP2;
    if (link->tls.distrusted) code = CR_CALL_DISTRUSTED;
    cr_call_end_with(call, code, link->conn->error, text, NULL);
}

/* The connection has ended under its call. */
static void detach_call(cr_link *link, cr_outcome outcome) {
    cr_call *call = link->call;
    const int error = link->conn->error;
    link->call = NULL;
    call->link = NULL;
    cr_link_describe(link, call);
    bool has_begun = link->http2 ? cr_call_http2_has_begun(link->http2) : cr_answer_has_begun(&link->reader);
    if (outcome == CR_STOPPED) {
        cr_call_end_with(call, CR_CALL_STOPPED, 0, "", NULL);
    } else if (call->state == CR_CALL_HANDSHAKING) {
        end_handshake(link, call);
    } else if (!has_begun && cr_link_may_retry(link, call)) {
        cr_link_retry(link, call);
    } else if (error == EPROTO) {
        cr_call_code code = call->answered ? CR_CALL_CUT_BODY : has_begun ? CR_CALL_CUT_HEAD : CR_CALL_NO_ANSWER;
        cr_call_end_with(call, code, 0, "it ended TLS without close_notify", NULL);
    } else if (error) {
        cr_call_end_with(
            call, CR_CALL_RESET, error, link->tls.error_text[0] ? link->tls.error_text : strerror(error), NULL);
    } else {
        cr_call_end_with(call, has_begun ? CR_CALL_CUT_HEAD : CR_CALL_NO_ANSWER, 0, "", NULL);
    }
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    cr_link *link = cr_link_of(conn);
    cr_link_unpool(link);
    cr_conn_clear(conn, &link->input);
    cr_host *host = link->host;
    cr_caller *caller = host->caller;
    atomic_fetch_add(&caller->users, 1);
    link->host = NULL;
    cr_host_unref(host);
    cr_quota_release_connection(caller->quota);
    if (link->call) detach_call(link, outcome);
    cr_answer_reader_clear(&link->reader);
    cr_caller_unref(caller);
}

static void free_link(void *argument) {
    cr_link *link = argument;
    if (link->tls.session) cr_session_free(link->tls.session);
    if (link->http2) cr_call_http2_free(link->http2);
    free(link);
}

/* ---- Its beginning ------------------------------------------------------------------------------------------- */

static bool keep_session(void *argument, struct ssl_session_st *session) {
    cr_link *link = argument;
    if (!link->host) return false;
    if (link->host->session) cr_session_free(link->host->session);
    link->host->session = session;
    return true;
}

static cr_accept_config *make_accept_config(cr_link *link, bool in_http2) {
    cr_accept_config *accept_config = calloc(1, sizeof *accept_config);
    if (!accept_config) return NULL;
    bool is_secured = link->host->trust != NULL;
    *accept_config = (cr_accept_config){
        .users = 1,
        .is_outgoing = true,
        .origin = {.port = link->host->port, .security = is_secured ? CR_SECURED : CR_PLAIN},
        .protocol = &cr_link_protocol,
        .secured = &cr_tls_call_transport,
        .context = link,
        .free_context = free_link,
    };
    if (!is_secured) return accept_config;
    link->tls = (cr_tls_call){
        .trust = link->host->trust,
        .name = link->host->name,
        .session = link->host->session,
        .keep_session = keep_session,
        .owner = link,
        .offers_http2 = in_http2,
    };
    link->host->session = NULL;
    return accept_config;
}

cr_link *cr_link_open(cr_call *call, int fd, const cr_address *address) {
    cr_loop *loop = call->caller->loop;
    cr_link *link = calloc(1, sizeof *link);
    if (link) {
        link->host = call->host;
        link->address = *address;
        link->made_ns = cr_loop_read_clock(loop);
        cr_answer_reader_init(&link->reader, (cr_expected_answer){0});
    }
    cr_accept_config *accept_config = link ? make_accept_config(link, call->in_http2) : NULL;
    if (!accept_config) {
        free(link);
        close(fd);
        return NULL;
    }
    struct sockaddr_storage peer;
    cr_address_put(address, link->host->port, &peer);
    cr_conn *conn = link->conn = cr_conn_open(loop, fd, (struct sockaddr *)&peer, accept_config);
    if (conn) {
        link->host->users++;
        /* The protocol is needed during the handshake, too. */
        if (!conn->protocol) cr_conn_set_protocol(conn, &cr_link_protocol, NULL, 0);
        cr_conn_wait_for(conn, CR_WAITING_STEP);
        link->call = call;
        call->link = link;
    }
    cr_accept_config_release(accept_config);
    return conn ? link : NULL;
}

static bool open_state(cr_conn *conn) {
    (void)conn;
    return true;
}

/* The TLS handshake is complete. */
static void ready(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    cr_call *call = link->call;
    link->call = NULL;
    cr_link_start(link, call);
}

/* ---- The request --------------------------------------------------------------------------------------------- */

static void begin_http1(cr_link *link, cr_call *call) {
    cr_conn *conn = link->conn;
    size_t first = call->kind == CR_CALL_BYTES && !call->expects_continue ? call->body_length : 0;
    if (first > MAX_SEND) first = MAX_SEND;
    struct iovec parts[2] = {{call->head, call->head_length}, {(void *)call->body, first}};
    call->body_at = first;
    call->body_done = call->kind == CR_CALL_STREAM ? !call->chunked && !call->left : call->body_at == call->body_length;
    cr_conn_send_parts(conn, parts, first ? 2 : 1);
    if (link->call == call && !call->body_done) {
        if (!call->expects_continue) {
            cr_link_open_body(link);
        } else {
            call->continue_due_ns = conn->loop->now_ns + call->continue_ms * 1000000ull;
            cr_call_set_state(call, CR_CALL_OPEN);
        }
    }
}

void cr_link_start(cr_link *link, cr_call *call) {
    cr_conn *conn = link->conn;
    link->call = call;
    call->link = link;
    link->uses++;
    cr_link_describe(link, call);
    cr_answer_reader_clear(&link->reader);
    cr_answer_reader_init(
        &link->reader, (cr_expected_answer){.is_head = call->is_head, .may_switch = call->may_switch});
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_call_set_state(call, CR_CALL_OPEN);
    /* With TLS, a server that does not offer HTTP/2 is called in HTTP/1.1. */
    bool in_http2 = call->in_http2 && (!link->host->trust || link->tls.chose_http2);
    cr_conn_set_reading(conn, in_http2 || !call->paused);
    cr_conn_ref(conn);
    cr_call_ref(call);
    if (in_http2) cr_call_http2_begin(link);
    else begin_http1(link, call);
    cr_call_unref(call);
    cr_conn_unref(conn);
}

void cr_link_open_body(cr_link *link) {
    cr_call *call = link->call;
    call->continue_due_ns = 0;
    if (call->body_done || call->body_open) return;
    call->body_open = true;
    if (call->kind == CR_CALL_BYTES) cr_link_send_body(link);
    else if (!link->conn->output.length) cr_call_notify_writable(call);
}

void cr_link_send_body(cr_link *link) {
    cr_conn *conn = link->conn;
    cr_call *call = link->call;
    cr_conn_ref(conn);
    while (link->call == call && !link->output_failed && !conn->output.length && call->body_at < call->body_length) {
        size_t length = call->body_length - call->body_at;
        if (length > MAX_SEND) length = MAX_SEND;
        call->body_at += length;
        call->body_done = call->body_at == call->body_length;
        cr_call_record_progress(call);
        cr_conn_send(conn, call->body + call->body_at - length, length);
    }
    cr_conn_unref(conn);
}

void cr_link_shutdown_write(cr_link *link) {
    cr_conn *conn = link->conn;
    if (conn->output.length || conn->write_closed) return;
    /* The close_notify fits into the socket buffer, since the output is written. */
    conn->transport->shutdown_write(conn);
    conn->write_closed = true;
}

static void drained(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    cr_call *call = link->call;
    if (!call) return;
    cr_call_record_progress(call);
    if (link->http2) {
        cr_call_http2_drained(link);
    } else if (call->shutdown_pending) {
        cr_link_shutdown_write(link);
        if (link->input_over) cr_link_complete(link, NULL, false);
    } else if (call->kind == CR_CALL_BYTES && call->body_open) {
        cr_link_send_body(link);
    } else if (cr_call_is_writable(call)) {
        cr_call_notify_writable(call);
    }
}

/* A server that rejects a request may answer and close while it is being sent: its answer is still read. */
static bool output_failed(cr_conn *conn) {
    cr_link *link = cr_link_of(conn);
    if (!link->call || link->call->switched) return false;
    link->output_failed = true;
    link->call->body_open = false;
    return true;
}

const cr_protocol cr_link_protocol = {
    .open = open_state,
    .received = cr_link_received,
    .input_ended = cr_link_input_ended,
    .resume_input = cr_link_resume_input,
    .ended = ended,
    .ready = ready,
    .drained = drained,
    .output_failed = output_failed,
};
