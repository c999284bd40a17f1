/* The life of a call: from the wait for a connection to the end that its user is told. */
#include "call.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Time limits --------------------------------------------------------------------------------------------- */

static void arm(cr_call *call, uint64_t due_ns) {
    const uint64_t now_ns = call->caller->loop->now_ns;
    struct timeval delay = cr_timeval(due_ns > now_ns ? due_ns - now_ns : 0);
    event_add(&call->timer, &delay);
}

/* Whether the next step may be our side's: the user has stopped reading, or rests in the middle of its body. A server that has
 * begun to answer has to go on, whether more of the request comes or not; behind a 101 it is enough that either side does. */
static bool waits_for_user(const cr_call *call) {
    if (call->paused) return true;
    bool sends = call->kind == CR_CALL_STREAM && call->body_open && !call->body_done;
    return !call->answered && sends && !cr_link_has_unsent(call->link);
}

static uint64_t due_of(const cr_call *call) {
    if (call->state == CR_CALL_DIALLING || call->state == CR_CALL_SHAKING) return call->connect_due_ns;
    return call->continue_due_ns ? call->continue_due_ns : call->progress_ns + call->patience_ns;
}

void cr_call_enter(cr_call *call, cr_call_state state) {
    if (call->state == CR_CALL_QUEUED && state != CR_CALL_QUEUED && call->queue_link.tqe_prev) {
        TAILQ_REMOVE(&call->caller->queue, call, queue_link);
        call->queue_link.tqe_prev = NULL;
        atomic_fetch_sub(&call->caller->waiting, 1);
        cr_quota_count_waiting(call->caller->quota, -1);
    }
    call->state = state;
    if (state < CR_CALL_FAILED) arm(call, due_of(call));
}

/* ---- The end ------------------------------------------------------------------------------------------------- */

void cr_call_drop(cr_call *call) {
    if (--call->busy || call->state != CR_CALL_OVER) return;
    cr_caller_let_go(call->caller);
    free(call);
}

/* Lets go of all that the call has. */
static void detach(cr_call *call) {
    cr_call_enter(call, CR_CALL_FAILED);
    if (call->dial || call->knock) cr_quota_give(call->caller->quota);
    if (call->dial) cr_dial_cancel(call->dial);
    if (call->knock) cr_knock_cancel(call->knock);
    call->dial = NULL;
    call->knock = NULL;
    cr_link *link = call->link;
    call->link = NULL;
    if (link) {
        cr_link_note(link, call);
        cr_link_close(link);
    }
    if (call->host) cr_host_leave(call->host);
    call->host = NULL;
}

/* Ends the call for its user. */
static void finish(cr_call *call) {
    event_del(&call->timer);
    LIST_REMOVE(call, link_of_caller);
    call->state = CR_CALL_OVER;
}

static void tell(cr_call *call, const cr_answer *trailers) {
    static const cr_answer none;
    cr_call_end end = {
        .code = call->code,
        .os_error = call->os_error,
        .text = call->text,
        .answered = call->answered,
        .is_shaking = call->was_shaking,
        .was_repeated = call->was_repeated,
        .shown = call->shown,
        .was_resumed = call->was_resumed,
        .is_ungreeted = call->is_ungreeted,
        .trailers = trailers ? trailers : &none,
    };
    cr_call_hold(call);
    finish(call);
    call->hooks->ended(call->context, &end);
    cr_call_drop(call);
}

void cr_call_end_with(cr_call *call, cr_call_code code, int os_error, const char *text, const cr_answer *trailers) {
    if (call->state >= CR_CALL_FAILED) return;
    call->was_shaking = call->state == CR_CALL_SHAKING;
    call->code = code;
    call->os_error = os_error;
    snprintf(call->text, sizeof call->text, "%s", text);
    detach(call);
    if (call->defers) event_active(&call->timer, EV_TIMEOUT, 0);
    else tell(call, trailers);
}

void cr_call_stop(cr_call *call) {
    call->defers = 0;
    if (call->state == CR_CALL_FAILED) tell(call, NULL);
    else cr_call_end_with(call, CR_CALL_STOPPED, 0, "", NULL);
}

void cr_call_cancel(cr_call *call) {
    if (call->state == CR_CALL_OVER) return;
    cr_call_hold(call);
    if (call->state != CR_CALL_FAILED) detach(call);
    finish(call);
    cr_call_drop(call);
}

/* ---- Connections --------------------------------------------------------------------------------------------- */

static void begin_on(cr_call *call, int fd, const cr_address *address) {
    cr_link *link = cr_link_open(call, fd, address);
    if (!link) {
        cr_quota_give(call->caller->quota);
        cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
    } else if (call->host->trust) {
        cr_call_enter(call, CR_CALL_SHAKING);
    } else {
        cr_link_begin(link, call);
    }
}

static void on_knocked(void *argument, int fd, const char *text) {
    cr_call *call = argument;
    cr_loop_read_clock(call->caller->loop);
    call->knock = NULL;
    if (fd >= 0) {
        begin_on(call, fd, &call->dialled);
        return;
    }
    cr_quota_give(call->caller->quota);
    cr_call_end_with(call, CR_CALL_NO_WAY, 0, text, NULL);
}

/* Asks the proxy, to which the socket leads. */
static void knock(cr_call *call, int fd, const cr_address *address) {
    call->dialled = *address;
    call->knock = cr_knock_start(call->caller->loop, fd, call->way, call->way_length, on_knocked, call);
    if (call->knock) return;
    close(fd);
    cr_quota_give(call->caller->quota);
    cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
}

static void on_dialled(void *argument, int fd, const cr_address *address, int error) {
    cr_call *call = argument;
    cr_loop_read_clock(call->caller->loop);
    call->dial = NULL;
    if (fd < 0) {
        cr_quota_give(call->caller->quota);
        cr_call_code code = error == ECONNREFUSED ? CR_CALL_REFUSED : error == EACCES ? CR_CALL_DENIED :
            error == ETIMEDOUT ? CR_CALL_CONNECT_TIMED_OUT : CR_CALL_UNREACHABLE;
        cr_call_end_with(call, code, error, code == CR_CALL_CONNECT_TIMED_OUT ? "" : strerror(error), NULL);
        return;
    }
    if (call->way_length) knock(call, fd, address);
    else begin_on(call, fd, address);
}

static void dial(cr_call *call) {
    cr_caller *caller = call->caller;
    call->dial = cr_dial_start(caller->loop, call->addresses, call->address_count, call->dial_port, caller->hooks.admits,
                               call->context, on_dialled, call);
    if (call->dial) {
        call->connect_due_ns = caller->loop->now_ns + call->connect_ns;
        cr_call_enter(call, CR_CALL_DIALLING);
        return;
    }
    cr_quota_give(caller->quota);
    cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
}

/* Whether the call may have a new connection, if need be in the place of one that is kept. */
static bool may_connect(cr_caller *caller) {
    if (cr_quota_take(caller->quota)) return true;
    return cr_caller_close_oldest(caller) && cr_quota_take(caller->quota);
}

void cr_call_place(cr_call *call) {
    cr_caller *caller = call->caller;
    cr_link *link = call->fresh ? NULL : cr_link_find(call);
    if (link) {
        cr_link_begin(link, call);
        return;
    }
    if (may_connect(caller)) {
        dial(call);
        return;
    }
    if (!call->queue_link.tqe_prev) {
        TAILQ_INSERT_TAIL(&caller->queue, call, queue_link);
        atomic_fetch_add(&caller->waiting, 1);
        cr_quota_count_waiting(caller->quota, 1);
    }
    cr_call_enter(call, CR_CALL_QUEUED);
    /* One may have been closed just before the call was counted. */
    if (cr_quota_take(caller->quota)) dial(call);
    else cr_quota_ask_others(caller->quota, caller);
}

static void on_timer(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_call *call = argument;
    const uint64_t now_ns = cr_loop_read_clock(call->caller->loop);
    if (call->state == CR_CALL_FAILED) {
        tell(call, NULL);
        return;
    }
    cr_call_hold(call);
    if (call->wants_owed) {
        call->wants_owed = false;
        if (cr_call_takes_more(call)) cr_call_want(call);
    }
    if (call->state == CR_CALL_OPEN && waits_for_user(call)) call->progress_ns = now_ns;
    if (call->state < CR_CALL_FAILED) {
        uint64_t due_ns = due_of(call);
        if (due_ns > now_ns) {
            arm(call, due_ns);
        } else if (call->continue_due_ns) {
            cr_link_open_body(call->link);
            if (call->state == CR_CALL_OPEN) arm(call, due_of(call));
        } else if (call->knock) {
            cr_call_end_with(call, CR_CALL_NO_WAY, 0, "it did not answer in time", NULL);
        } else if (call->state == CR_CALL_DIALLING) {
            cr_call_end_with(call, CR_CALL_CONNECT_TIMED_OUT, 0, "", NULL);
        } else if (call->state == CR_CALL_SHAKING) {
            static const char unshaken[] = "accepted a connection and did not end the TLS handshake in time";
            cr_call_end_with(call, CR_CALL_CONNECT_TIMED_OUT, 0, unshaken, NULL);
        } else {
            cr_call_code code = call->state == CR_CALL_QUEUED ? CR_CALL_NO_CONNECTION : CR_CALL_TIMED_OUT;
            cr_call_end_with(call, code, 0, "", NULL);
        }
    }
    cr_call_drop(call);
}

/* ---- What its user says -------------------------------------------------------------------------------------- */

/* Makes a call, in one block with its addresses and its head. */
static cr_call *make(cr_caller *caller, const cr_call_request *request) {
    size_t size = request->address_count * sizeof *request->addresses;
    cr_call *call = malloc(sizeof *call + size + request->head_length + request->way_length);
    if (!call) return NULL;
    memset(call, 0, offsetof(cr_call, text));
    call->host = cr_host_use(caller, request->name, request->port, request->trust);
    if (!call->host) {
        free(call);
        return NULL;
    }
    call->addresses = (cr_address *)(call + 1);
    if (size) memcpy(call->addresses, request->addresses, size);
    call->address_count = request->address_count;
    call->head = (uint8_t *)(call->addresses + call->address_count);
    memcpy(call->head, request->head, request->head_length);
    call->head_length = request->head_length;
    call->way = call->head + call->head_length;
    if (request->way_length) memcpy(call->way, request->way, request->way_length);
    call->way_length = request->way_length;
    call->dial_port = request->dial_port ? request->dial_port : request->port;
    return call;
}

cr_call *cr_call_start(cr_caller *caller, const cr_call_request *request) {
    errno = ECANCELED;
    if (caller->ended) return NULL;
    errno = ENOMEM;
    cr_call *call = make(caller, request);
    if (!call) return NULL;
    call->caller = caller;
    call->hooks = &caller->hooks;
    atomic_fetch_add_explicit(&caller->users, 1, memory_order_relaxed);
    call->context = request->context;
    call->kind = request->kind;
    call->body = request->body;
    call->body_length = request->kind == CR_CALL_BYTES ? request->body_length : 0;
    call->chunked = request->chunked;
    call->left = request->length;
    call->head_alone = request->head_alone;
    call->to_switch = request->to_switch;
    call->expects_continue = request->expects_continue;
    call->closes = request->closes;
    call->fresh = request->fresh;
    call->repeats = request->repeats;
    call->in_http2 = request->in_http2;
    call->patience_ns = request->patience_ms * 1000000ull;
    call->connect_ns = request->connect_ms * 1000000ull;
    call->continue_ms = request->continue_ms;
    call->progress_ns = cr_loop_read_clock(caller->loop);
    event_assign(&call->timer, caller->loop->base, -1, 0, on_timer, call);
    LIST_INSERT_HEAD(&caller->calls, call, link_of_caller);
    call->defers++;
    const char *missing = call->in_http2 ? cr_http2_unavailable() : NULL;
    if (missing) cr_call_end_with(call, CR_CALL_UNAVAILABLE, 0, missing, NULL);
    else if (call->address_count) cr_call_place(call);
    else cr_call_end_with(call, CR_CALL_NO_ADDRESS, 0, "", NULL);
    call->defers--;
    return call;
}

void cr_call_want(cr_call *call) {
    if (call->defers) {
        call->wants_owed = true;
        event_active(&call->timer, EV_TIMEOUT, 0);
    } else if (call->hooks->wants) {
        call->hooks->wants(call->context);
    }
}

void cr_call_read(cr_call *call, bool reads) {
    if (call->paused == !reads) return;
    call->paused = !reads;
    if (call->state != CR_CALL_OPEN) return;
    cr_call_note_progress(call);
    cr_link_read(call->link, reads);
}

static const char broken_upload[] = "the request's body is not as long as it was to be";

bool cr_call_send(cr_call *call, const uint8_t *bytes, size_t length) {
    if (!cr_call_takes_more(call)) return false;
    cr_link *link = call->link;
    if (!length) return !cr_link_has_unsent(link);
    cr_conn *conn = link->conn;
    char size[24];
    struct iovec parts[3] = {{size, 0}, {(void *)bytes, length}, {"\r\n", 0}};
    cr_conn_enter(conn);
    call->defers++;
    if (call->switched) {
        cr_conn_send_parts(conn, parts + 1, 1);
    } else if (call->chunked && link->http2) {
        if (!cr_call_http2_send(link, bytes, length)) cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
    } else if (call->chunked) {
        parts[0].iov_len = (size_t)snprintf(size, sizeof size, "%zx\r\n", length);
        parts[2].iov_len = 2;
        cr_conn_send_parts(conn, parts, 3);
    } else if (length <= call->left) {
        call->left -= length;
        call->body_done = !call->left;
        if (!link->http2) cr_conn_send_parts(conn, parts + 1, 1);
        else if (!cr_call_http2_send(link, bytes, length)) cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
    } else {
        cr_call_end_with(call, CR_CALL_BROKEN_UPLOAD, 0, broken_upload, NULL);
    }
    call->defers--;
    if (call->state == CR_CALL_OPEN) cr_call_note_progress(call);
    bool takes_more = cr_call_takes_more(call) && !cr_link_has_unsent(link);
    cr_conn_leave(conn);
    return takes_more;
}

/* Ends our side behind a 101. */
static void shut(cr_call *call) {
    cr_link *link = call->link;
    call->shut_owed = true;
    cr_link_shut(link);
    if (link->input_over && link->conn->shut) cr_call_end_with(call, CR_CALL_DONE, 0, "", NULL);
}

void cr_call_finish(cr_call *call, const uint8_t *trailers, size_t length) {
    if (call->state != CR_CALL_OPEN) return;
    cr_conn *conn = call->link->conn;
    cr_conn_enter(conn);
    call->defers++;
    if (call->switched) {
        if (!call->shut_owed) shut(call);
    } else if (call->body_open && !call->body_done) {
        call->body_done = true;
        if (call->chunked && call->link->http2) {
            if (!cr_call_http2_finish(call->link, trailers, length)) cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
        } else if (call->chunked) {
            struct iovec parts[3] = {{"0\r\n", 3}, {(void *)trailers, length}, {"\r\n", 2}};
            cr_conn_send_parts(conn, parts, 3);
        } else if (call->left) {
            cr_call_end_with(call, CR_CALL_BROKEN_UPLOAD, 0, broken_upload, NULL);
        }
        if (call->state == CR_CALL_OPEN) cr_call_note_progress(call);
    }
    call->defers--;
    cr_conn_leave(conn);
}
