/* The life of a call, from the queue for a connection to `ended`. */
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

/* Whether the call waits for its owner: reading is paused, or the streamed body is incomplete. A server that has begun
 * to answer must make progress either way; after a 101, progress of either side is enough. */
static bool waits_for_user(const cr_call *call) {
    if (call->paused) return true;
    bool sends = call->kind == CR_CALL_STREAM && call->body_open && !call->body_done;
    return !call->answered && sends && !cr_link_has_unsent(call->link);
}

static uint64_t due_of(const cr_call *call) {
    if (call->state == CR_CALL_DIALLING || call->state == CR_CALL_HANDSHAKING) return call->connect_due_ns;
    return call->continue_due_ns ? call->continue_due_ns : call->progress_ns + call->stall_timeout_ns;
}

void cr_call_set_state(cr_call *call, cr_call_state state) {
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

void cr_call_unref(cr_call *call) {
    if (--call->refs || call->state != CR_CALL_OVER) return;
    cr_caller_unref(call->caller);
    free(call);
}

/* Releases everything that the call holds. */
static void release_resources(cr_call *call) {
    cr_call_set_state(call, CR_CALL_FAILED);
    if (call->dial || call->proxy_connect) cr_quota_release_connection(call->caller->quota);
    if (call->dial) cr_dial_cancel(call->dial);
    if (call->proxy_connect) cr_proxy_connect_cancel(call->proxy_connect);
    call->dial = NULL;
    call->proxy_connect = NULL;
    cr_link *link = call->link;
    call->link = NULL;
    if (link) {
        cr_link_describe(link, call);
        cr_link_close(link);
    }
    if (call->host) cr_host_unref(call->host);
    call->host = NULL;
}

/* Marks the call as over and removes it from the caller. */
static void finish(cr_call *call) {
    event_del(&call->timer);
    LIST_REMOVE(call, link_of_caller);
    call->state = CR_CALL_OVER;
}

static void report_end(cr_call *call, const cr_answer *trailers) {
    static const cr_answer none;
    cr_call_end end = {
        .code = call->code,
        .os_error = call->os_error,
        .text = call->text,
        .answered = call->answered,
        .in_handshake = call->was_in_handshake,
        .was_retried = call->was_retried,
        .presented = call->presented,
        .was_resumed = call->was_resumed,
        .lacks_settings = call->lacks_settings,
        .trailers = trailers ? trailers : &none,
    };
    cr_call_ref(call);
    finish(call);
    call->hooks->ended(call->context, &end);
    cr_call_unref(call);
}

void cr_call_end_with(cr_call *call, cr_call_code code, int os_error, const char *text, const cr_answer *trailers) {
    if (call->state >= CR_CALL_FAILED) return;
    call->was_in_handshake = call->state == CR_CALL_HANDSHAKING;
    call->code = code;
    call->os_error = os_error;
    snprintf(call->text, sizeof call->text, "%s", text);
    release_resources(call);
    if (call->defers) event_active(&call->timer, EV_TIMEOUT, 0);
    else report_end(call, trailers);
}

void cr_call_stop(cr_call *call) {
    call->defers = 0;
    if (call->state == CR_CALL_FAILED) report_end(call, NULL);
    else cr_call_end_with(call, CR_CALL_STOPPED, 0, "", NULL);
}

void cr_call_cancel(cr_call *call) {
    if (call->state == CR_CALL_OVER) return;
    cr_call_ref(call);
    if (call->state != CR_CALL_FAILED) release_resources(call);
    finish(call);
    cr_call_unref(call);
}

/* ---- Connections --------------------------------------------------------------------------------------------- */

static void begin_on(cr_call *call, int fd, const cr_address *address) {
    cr_link *link = cr_link_open(call, fd, address);
    if (!link) {
        cr_quota_release_connection(call->caller->quota);
        cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
    } else if (call->host->trust) {
        cr_call_set_state(call, CR_CALL_HANDSHAKING);
    } else {
        cr_link_start(link, call);
    }
}

static void on_proxy_connected(void *argument, int fd, const char *text) {
    cr_call *call = argument;
    cr_loop_read_clock(call->caller->loop);
    call->proxy_connect = NULL;
    if (fd >= 0) {
        begin_on(call, fd, &call->dialled);
        return;
    }
    cr_quota_release_connection(call->caller->quota);
    cr_call_end_with(call, CR_CALL_PROXY_FAILED, 0, text, NULL);
}

/* Sends the CONNECT over the socket to the proxy. */
static void connect_through_proxy(cr_call *call, int fd, const cr_address *address) {
    call->dialled = *address;
    call->proxy_connect = cr_proxy_connect_start(
        call->caller->loop, fd, call->connect_head, call->connect_head_length, on_proxy_connected, call);
    if (call->proxy_connect) return;
    close(fd);
    cr_quota_release_connection(call->caller->quota);
    cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
}

static void on_dialled(void *argument, int fd, const cr_address *address, int error) {
    cr_call *call = argument;
    cr_loop_read_clock(call->caller->loop);
    call->dial = NULL;
    if (fd < 0) {
        cr_quota_release_connection(call->caller->quota);
        cr_call_code code = error == ECONNREFUSED ? CR_CALL_REFUSED : error == EACCES ? CR_CALL_DENIED :
            error == ETIMEDOUT ? CR_CALL_CONNECT_TIMED_OUT : CR_CALL_UNREACHABLE;
        cr_call_end_with(call, code, error, code == CR_CALL_CONNECT_TIMED_OUT ? "" : strerror(error), NULL);
        return;
    }
    if (call->connect_head_length) connect_through_proxy(call, fd, address);
    else begin_on(call, fd, address);
}

static void dial(cr_call *call) {
    cr_caller *caller = call->caller;
    call->dial = cr_dial_start(caller->loop, call->addresses, call->address_count, call->dial_port,
        caller->hooks.may_connect, call->context, on_dialled, call);
    if (call->dial) {
        call->connect_due_ns = caller->loop->now_ns + call->connect_ns;
        cr_call_set_state(call, CR_CALL_DIALLING);
        return;
    }
    cr_quota_release_connection(caller->quota);
    cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
}

/* Acquires a connection from the quota, if necessary by closing an idle one. */
static bool acquire_connection(cr_caller *caller) {
    if (cr_quota_acquire_connection(caller->quota)) return true;
    return cr_caller_close_oldest(caller) && cr_quota_acquire_connection(caller->quota);
}

void cr_call_assign(cr_call *call) {
    cr_caller *caller = call->caller;
    cr_link *link = call->fresh ? NULL : cr_link_acquire(call);
    if (link) {
        cr_link_start(link, call);
        return;
    }
    if (acquire_connection(caller)) {
        dial(call);
        return;
    }
    if (!call->queue_link.tqe_prev) {
        TAILQ_INSERT_TAIL(&caller->queue, call, queue_link);
        atomic_fetch_add(&caller->waiting, 1);
        cr_quota_count_waiting(caller->quota, 1);
    }
    cr_call_set_state(call, CR_CALL_QUEUED);
    /* A connection may have been closed just before the call was counted. */
    if (cr_quota_acquire_connection(caller->quota)) dial(call);
    else cr_quota_evict_elsewhere(caller->quota, caller);
}

static void on_timer(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_call *call = argument;
    const uint64_t now_ns = cr_loop_read_clock(call->caller->loop);
    if (call->state == CR_CALL_FAILED) {
        report_end(call, NULL);
        return;
    }
    cr_call_ref(call);
    if (call->writable_pending) {
        call->writable_pending = false;
        if (cr_call_is_writable(call)) cr_call_notify_writable(call);
    }
    if (call->state == CR_CALL_OPEN && waits_for_user(call)) call->progress_ns = now_ns;
    if (call->state < CR_CALL_FAILED) {
        uint64_t due_ns = due_of(call);
        if (due_ns > now_ns) {
            arm(call, due_ns);
        } else if (call->continue_due_ns) {
            cr_link_open_body(call->link);
            if (call->state == CR_CALL_OPEN) arm(call, due_of(call));
        } else if (call->proxy_connect) {
            cr_call_end_with(call, CR_CALL_PROXY_FAILED, 0, "it did not answer in time", NULL);
        } else if (call->state == CR_CALL_DIALLING) {
            cr_call_end_with(call, CR_CALL_CONNECT_TIMED_OUT, 0, "", NULL);
        } else if (call->state == CR_CALL_HANDSHAKING) {
            static const char unshaken[] = "accepted a connection and did not end the TLS handshake in time";
            cr_call_end_with(call, CR_CALL_CONNECT_TIMED_OUT, 0, unshaken, NULL);
        } else {
            cr_call_code code = call->state == CR_CALL_QUEUED ? CR_CALL_NO_CONNECTION : CR_CALL_TIMED_OUT;
            cr_call_end_with(call, code, 0, "", NULL);
        }
    }
    cr_call_unref(call);
}

/* ---- What its user says -------------------------------------------------------------------------------------- */

/* Creates a call, in one block with its addresses and head. */
static cr_call *make(cr_caller *caller, const cr_call_request *request) {
    size_t size = request->address_count * sizeof *request->addresses;
    cr_call *call = malloc(sizeof *call + size + request->head_length + request->connect_head_length);
    if (!call) return NULL;
    memset(call, 0, offsetof(cr_call, text));
    call->host = cr_host_ref(caller, request->name, request->port, request->trust);
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
    call->connect_head = call->head + call->head_length;
    if (request->connect_head_length) memcpy(call->connect_head, request->connect_head, request->connect_head_length);
    call->connect_head_length = request->connect_head_length;
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
    call->is_head = request->is_head;
    call->may_switch = request->may_switch;
    call->expects_continue = request->expects_continue;
    call->closes = request->closes;
    call->fresh = request->fresh;
    call->retryable = request->retryable;
    call->in_http2 = request->in_http2;
    call->stall_timeout_ns = request->stall_timeout_ms * 1000000ull;
    call->connect_ns = request->connect_ms * 1000000ull;
    call->continue_ms = request->continue_ms;
    call->progress_ns = cr_loop_read_clock(caller->loop);
    event_assign(&call->timer, caller->loop->base, -1, 0, on_timer, call);
    LIST_INSERT_HEAD(&caller->calls, call, link_of_caller);
    call->defers++;
    const char *missing = call->in_http2 ? cr_http2_unavailable() : NULL;
    if (missing) cr_call_end_with(call, CR_CALL_UNAVAILABLE, 0, missing, NULL);
    else if (call->address_count) cr_call_assign(call);
    else cr_call_end_with(call, CR_CALL_NO_ADDRESS, 0, "", NULL);
    call->defers--;
    return call;
}

void cr_call_notify_writable(cr_call *call) {
    if (call->defers) {
        call->writable_pending = true;
        event_active(&call->timer, EV_TIMEOUT, 0);
    } else if (call->hooks->writable) {
        call->hooks->writable(call->context);
    }
}

void cr_call_set_reading(cr_call *call, bool reads) {
    if (call->paused == !reads) return;
    call->paused = !reads;
    if (call->state != CR_CALL_OPEN) return;
    cr_call_record_progress(call);
    cr_link_set_reading(call->link, reads);
}

static const char broken_upload[] = "the request's body is not as long as it was to be";

bool cr_call_send(cr_call *call, const uint8_t *bytes, size_t length) {
    if (!cr_call_is_writable(call)) return false;
    cr_link *link = call->link;
    if (!length) return !cr_link_has_unsent(link);
    cr_conn *conn = link->conn;
    char size[24];
    struct iovec parts[3] = {{size, 0}, {(void *)bytes, length}, {"\r\n", 0}};
    cr_conn_ref(conn);
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
    if (call->state == CR_CALL_OPEN) cr_call_record_progress(call);
    bool takes_more = cr_call_is_writable(call) && !cr_link_has_unsent(link);
    cr_conn_unref(conn);
    return takes_more;
}

/* Ends our side after a 101. */
static void shutdown_write(cr_call *call) {
    cr_link *link = call->link;
    call->shutdown_pending = true;
    cr_link_shutdown_write(link);
    if (link->input_over && link->conn->write_closed) cr_call_end_with(call, CR_CALL_DONE, 0, "", NULL);
}

void cr_call_finish(cr_call *call, const uint8_t *trailers, size_t length) {
    if (call->state != CR_CALL_OPEN) return;
    cr_conn *conn = call->link->conn;
    cr_conn_ref(conn);
    call->defers++;
    if (call->switched) {
        if (!call->shutdown_pending) shutdown_write(call);
    } else if (call->body_open && !call->body_done) {
        call->body_done = true;
        if (call->chunked && call->link->http2) {
            if (!cr_call_http2_finish(call->link, trailers, length)) {
                cr_call_end_with(call, CR_CALL_NO_MEMORY, 0, "", NULL);
            }
        } else if (call->chunked) {
            struct iovec parts[3] = {{"0\r\n", 3}, {(void *)trailers, length}, {"\r\n", 2}};
            cr_conn_send_parts(conn, parts, 3);
        } else if (call->left) {
            cr_call_end_with(call, CR_CALL_BROKEN_UPLOAD, 0, broken_upload, NULL);
        }
        if (call->state == CR_CALL_OPEN) cr_call_record_progress(call);
    }
    call->defers--;
    cr_conn_unref(conn);
}
