#include "conn.h"

void cr_waiting_init(cr_loop *loop) {
    const cr_config *config = &cr_service_of(loop)->config;
    uint64_t milliseconds[CR_WAITING_KINDS] = {
        [CR_WAITING_HANDSHAKE] = config->handshake_timeout_ms,
        [CR_WAITING_REQUEST] = config->idle_timeout_ms,
        [CR_WAITING_POOLED] = config->idle_timeout_ms,
        [CR_WAITING_HEAD] = config->head_timeout_ms,
        [CR_WAITING_BODY] = config->body_timeout_ms,
        [CR_WAITING_WRITE] = config->idle_timeout_ms,
        [CR_WAITING_PAUSED] = 1000,
        [CR_WAITING_LINGER] = config->linger_timeout_ms,
    };
    for (int kind = 0; kind < CR_WAITING_KINDS; kind++) {
        TAILQ_INIT(&cr_service_of(loop)->waiting[kind]);
        cr_service_of(loop)->timeout_ns[kind] = milliseconds[kind] * 1000000;
    }
    cr_service_of(loop)->timeout_ns[CR_WAITING_STALL] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_READY] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_REPLY] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_STEP] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_HOLD] = UINT64_MAX;
}

/* Whether the client still reads. The kernel reports a socket as writable only when much of its buffer is free, which
 * may take a slow client longer than the time-out. It is stalled only if it read nothing at all. */
static bool client_accepts_bytes(cr_conn *conn) {
    uint32_t before = conn->unsent;
    conn->unsent = conn->transport->unsent(conn);
    return conn->unsent < before;
}

/* Whether the client of a connection that is not read has disconnected. */
static bool has_disconnected_unread(const cr_conn *conn) {
    const cr_protocol *protocol = conn->protocol;
    bool awaits_rest = protocol->awaits_rest && protocol->awaits_rest(conn);
    return awaits_rest ? conn->transport->was_reset(conn) : conn->transport->has_disconnected(conn);
}

static void time_out(cr_conn *conn) {
    cr_conn_ref(conn);
    switch (conn->waiting) {
    case CR_WAITING_HEAD:
        conn->protocol->refuse(conn, CR_HEAD_TOO_SLOW);
        break;
    case CR_WAITING_BODY:
        conn->protocol->refuse(conn, CR_BODY_TOO_SLOW);
        break;
    case CR_WAITING_WRITE:
        if (client_accepts_bytes(conn)) {
            cr_conn_wait_for(conn, CR_WAITING_WRITE);
            break;
        }
        /* A partial answer must neither look complete nor stay in the kernel. */
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_STALLED);
        break;
    case CR_WAITING_PAUSED:
        if (!has_disconnected_unread(conn)) {
            cr_conn_wait_for(conn, CR_WAITING_PAUSED);
            break;
        }
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        break;
    default:
        cr_conn_close_idle(conn, CR_SENT);
        break;
    }
    cr_conn_unref(conn);
}

/* Ends replies whose clients have disconnected. The end of one may end others, so this restarts at the first. */
static void close_disconnected(cr_loop *loop) {
    cr_conn *conn = LIST_FIRST(&cr_service_of(loop)->half_closed);
    while (conn) {
        if (!cr_conn_has_disconnected(conn)) {
            conn = LIST_NEXT(conn, half_closed_link);
            continue;
        }
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        cr_conn_free_if_done(conn);
        conn = LIST_FIRST(&cr_service_of(loop)->half_closed);
    }
}

/* Times out the connections of a list that are past their deadlines. */
static void sweep_waiting(cr_loop *loop, cr_waiting kind, uint64_t now_ns) {
    cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
    while (conn) {
        cr_conn *next = TAILQ_NEXT(conn, link);
        if (conn->deadline_ns > now_ns) {
            /* Extended deadlines of bodies are out of order; all other lists are sorted. */
            if (kind != CR_WAITING_BODY) return;
            conn = next;
            continue;
        }
        if (next) cr_conn_ref(next);
        time_out(conn);
        conn = next;
        if (!next) continue;
        /* The end of a reply may close the next connection or move it to another list. */
        if (next->state == CR_CONN_CLOSED || next->waiting != kind) {
            conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
        }
        cr_conn_unref(next);
    }
}

/* Shrinks the connections that have become idle since the last sweep: the last ones in their list. */
static void shrink_idle(cr_loop *loop, uint64_t now_ns) {
    const uint64_t timeout = cr_service_of(loop)->timeout_ns[CR_WAITING_REQUEST];
    cr_conn *conn;
    TAILQ_FOREACH_REVERSE(conn, &cr_service_of(loop)->waiting[CR_WAITING_REQUEST], cr_conn_list, link) {
        if (conn->deadline_ns - timeout < cr_service_of(loop)->swept_ns) break;
        if (conn->protocol && conn->protocol->shrink && conn->state == CR_CONN_OPEN) conn->protocol->shrink(conn);
    }
    cr_service_of(loop)->swept_ns = now_ns;
}

void cr_conn_sweep(cr_loop *loop, uint64_t now_ns) {
    shrink_idle(loop, now_ns);
    close_disconnected(loop);
    for (int kind = 0; kind < CR_WAITING_KINDS; kind++) sweep_waiting(loop, (cr_waiting)kind, now_ns);
}

enum {
    KEEP_ALIVE_GRACE_MS = 50,  /* after an answer, as the client may be about to send its next request */
    NEW_CLIENT_GRACE_MS = 500, /* after connecting */
    MAX_EXAMINED = 64
};

cr_conn *cr_conn_longest_idle(cr_loop *loop) {
    uint64_t timeout = cr_service_of(loop)->timeout_ns[CR_WAITING_REQUEST];
    int examined = 0;
    cr_conn *conn;
    TAILQ_FOREACH(conn, &cr_service_of(loop)->waiting[CR_WAITING_REQUEST], link) {
        uint64_t idle_ms = (loop->now_ns - (conn->deadline_ns - timeout)) / 1000000;
        if (idle_ms < KEEP_ALIVE_GRACE_MS || examined++ == MAX_EXAMINED) return NULL;
        if (!conn->served && idle_ms < NEW_CLIENT_GRACE_MS) continue;
        if (!conn->refs && !conn->output.length && !cr_conn_has_unread(conn)) return conn;
    }
    return NULL;
}

/* Runs at least one connection, and each at most once. */
void cr_conn_run_ready(cr_loop *loop) {
    struct cr_conn_list *waiting = &cr_service_of(loop)->waiting[CR_WAITING_READY];
    const uint64_t began_ns = cr_loop_read_clock(loop);
    const cr_conn *last = TAILQ_LAST(waiting, cr_conn_list), *conn = NULL;
    while (!TAILQ_EMPTY(waiting) && conn != last && loop->now_ns - began_ns < CR_SLICE_NS) {
        cr_conn *next = TAILQ_FIRST(waiting);
        conn = next; /* compared only: it may be freed afterwards */
        next->protocol->resume_input(next);
    }
}

void cr_conn_close_all(cr_loop *loop) {
    /* The end of one reply may cause another answer, which moves its connection to a list that was empty. */
    while (loop->connections > 0) {
        for (int kind = 0; kind < CR_WAITING_KINDS; kind++) {
            cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
            if (!conn) continue;
            cr_conn_close(conn, CR_STOPPED);
            cr_conn_free_if_done(conn);
        }
    }
}

/* Closes the connections of a list. The end of one reply may end others, so this restarts at the first. */
static void stop_waiting(cr_loop *loop, cr_waiting kind) {
    cr_conn *conn;
    while ((conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]))) {
        cr_conn_close(conn, CR_STOPPED);
        cr_conn_free_if_done(conn);
    }
}

/* Ends idle connections. They have no requests, so no end causes another. Their output still arrives. */
static void end_idle(cr_loop *loop, cr_waiting kind) {
    cr_conn *conn, *next;
    for (conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]); conn; conn = next) {
        next = TAILQ_NEXT(conn, link);
        if (conn->refs) continue;
        if (conn->output.length) {
            cr_conn_linger(conn);
            continue;
        }
        cr_conn_close_idle(conn, CR_STOPPED);
        cr_conn_free_if_done(conn);
    }
}

/* Sends shutdown notices on active connections. A notice may close its connection, which may end others. */
static void send_shutdown_notices(cr_loop *loop, cr_waiting kind) {
    cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
    while (conn) {
        cr_conn *next = TAILQ_NEXT(conn, link);
        if (next) cr_conn_ref(next);
        if (conn->state == CR_CONN_OPEN && conn->protocol->shutdown_notice) {
            cr_conn_ref(conn);
            conn->protocol->shutdown_notice(conn);
            cr_conn_unref(conn);
        }
        conn = next;
        if (!next) continue;
        if (next->state == CR_CONN_CLOSED || next->waiting != kind) {
            conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
        }
        cr_conn_unref(next);
    }
}

void cr_conn_drain(cr_loop *loop) {
    end_idle(loop, CR_WAITING_HANDSHAKE);
    end_idle(loop, CR_WAITING_STALL);
    end_idle(loop, CR_WAITING_REQUEST);
    end_idle(loop, CR_WAITING_POOLED);
    for (int kind = CR_WAITING_READY; kind < CR_WAITING_LINGER; kind++) send_shutdown_notices(loop, (cr_waiting)kind);
    while (!LIST_EMPTY(&cr_service_of(loop)->held)) {
        cr_stream *stream = LIST_FIRST(&cr_service_of(loop)->held);
        cr_conn *conn = stream->conn;
        cr_conn_ref(conn);
        conn->protocol->drop(stream, CR_STOPPED);
        cr_conn_unref(conn);
    }
}

void cr_conn_stop_scripts(cr_loop *loop) {
    stop_waiting(loop, CR_WAITING_BODY);
    stop_waiting(loop, CR_WAITING_STEP);
    stop_waiting(loop, CR_WAITING_WRITE);
    stop_waiting(loop, CR_WAITING_HOLD);
    stop_waiting(loop, CR_WAITING_PAUSED);
}
