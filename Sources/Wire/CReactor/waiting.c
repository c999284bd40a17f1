#include "conn.h"

void cr_waiting_init(cr_loop *loop) {
    const cr_config *config = &cr_service_of(loop)->config;
    uint64_t milliseconds[CR_WAITING_KINDS] = {
        [CR_WAITING_HANDSHAKE] = config->handshake_timeout_ms,
        [CR_WAITING_REQUEST] = config->idle_timeout_ms,
        [CR_WAITING_KEPT] = config->idle_timeout_ms,
        [CR_WAITING_HEAD] = config->head_timeout_ms,
        [CR_WAITING_BODY] = config->body_timeout_ms,
        [CR_WAITING_WRITE] = config->idle_timeout_ms,
        [CR_WAITING_UNREAD] = 1000,
        [CR_WAITING_LINGER] = config->linger_timeout_ms,
    };
    for (int kind = 0; kind < CR_WAITING_KINDS; kind++) {
        TAILQ_INIT(&cr_service_of(loop)->waiting[kind]);
        cr_service_of(loop)->timeout_ns[kind] = milliseconds[kind] * 1000000;
    }
    cr_service_of(loop)->timeout_ns[CR_WAITING_STALL] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_TURN] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_REPLY] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_STEP] = UINT64_MAX;
    cr_service_of(loop)->timeout_ns[CR_WAITING_HOLD] = UINT64_MAX;
}

/* Returns whether the client still reads. The kernel reports a socket as writable only when much of its buffer is free,
 * and a slow client may take longer than the time-out for that. It is stalled only if it has read nothing at all. */
static bool client_takes_bytes(cr_conn *conn) {
    uint32_t before = conn->unsent;
    conn->unsent = conn->transport->unsent(conn);
    return conn->unsent < before;
}

/* Whether the client of a connection that is not read has left. */
static bool has_left_unread(const cr_conn *conn) {
    const cr_protocol *protocol = conn->protocol;
    bool awaits_rest = protocol->awaits_rest && protocol->awaits_rest(conn);
    return awaits_rest ? conn->transport->was_reset(conn) : conn->transport->has_left(conn);
}

static void time_out(cr_conn *conn) {
    cr_conn_enter(conn);
    switch (conn->waiting) {
    case CR_WAITING_HEAD:
        conn->protocol->refuse(conn, CR_HEAD_TOO_SLOW);
        break;
    case CR_WAITING_BODY:
        conn->protocol->refuse(conn, CR_BODY_TOO_SLOW);
        break;
    case CR_WAITING_WRITE:
        if (client_takes_bytes(conn)) {
            cr_conn_wait_for(conn, CR_WAITING_WRITE);
            break;
        }
        /* A partial answer must neither look complete nor stay in the kernel. */
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_STALLED);
        break;
    case CR_WAITING_UNREAD:
        if (!has_left_unread(conn)) {
            cr_conn_wait_for(conn, CR_WAITING_UNREAD);
            break;
        }
        cr_conn_close(conn, CR_CLIENT_GONE);
        break;
    default:
        cr_conn_close_idle(conn, CR_SENT);
        break;
    }
    cr_conn_leave(conn);
}

/* Ends the replies whose clients have closed the whole connection. The end of one may lead to the ends of others, so
 * this always continues with the first. */
static void end_left_behind(cr_loop *loop) {
    cr_conn *conn = LIST_FIRST(&cr_service_of(loop)->half_closed);
    while (conn) {
        if (!cr_conn_is_left(conn)) {
            conn = LIST_NEXT(conn, half_closed_link);
            continue;
        }
        cr_conn_close(conn, CR_CLIENT_GONE);
        cr_conn_settle(conn);
        conn = LIST_FIRST(&cr_service_of(loop)->half_closed);
    }
}

/* Ends the waiting connections of a kind whose time is over. */
static void sweep_waiting(cr_loop *loop, cr_waiting kind, uint64_t now_ns) {
    cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
    while (conn) {
        cr_conn *next = TAILQ_NEXT(conn, link);
        if (conn->deadline_ns > now_ns) {
            /* A body with an extended deadline may come before one with an earlier deadline; the other lists are in
             * order. */
            if (kind != CR_WAITING_BODY) return;
            conn = next;
            continue;
        }
        if (next) cr_conn_enter(next);
        time_out(conn);
        conn = next;
        if (!next) continue;
        /* The end of a reply may lead to the end of the next connection, or to its waiting for something else. */
        if (next->state == CR_CONN_CLOSED || next->waiting != kind) conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
        cr_conn_leave(next);
    }
}

/* Lets the connections shrink that have become idle since the last sweep: the last ones of those that wait for a request. */
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
    end_left_behind(loop);
    for (int kind = 0; kind < CR_WAITING_KINDS; kind++) sweep_waiting(loop, (cr_waiting)kind, now_ns);
}

enum {
    KEPT_GRACE_MS = 50,   /* for the client that has its answer: it may be about to send the next request */
    FRESH_GRACE_MS = 500, /* for the client that has just connected */
    MOST_LOOKED_AT = 64
};

cr_conn *cr_conn_longest_idle(cr_loop *loop) {
    uint64_t timeout = cr_service_of(loop)->timeout_ns[CR_WAITING_REQUEST];
    int looked_at = 0;
    cr_conn *conn;
    TAILQ_FOREACH(conn, &cr_service_of(loop)->waiting[CR_WAITING_REQUEST], link) {
        uint64_t idle_ms = (loop->now_ns - (conn->deadline_ns - timeout)) / 1000000;
        if (idle_ms < KEPT_GRACE_MS || looked_at++ == MOST_LOOKED_AT) return NULL;
        if (!conn->served && idle_ms < FRESH_GRACE_MS) continue;
        if (!conn->busy && !conn->output.length && !cr_conn_has_unread(conn)) return conn;
    }
    return NULL;
}

/* Serves at least one turn, and each connection at most once. */
void cr_conn_take_turns(cr_loop *loop) {
    struct cr_conn_list *waiting = &cr_service_of(loop)->waiting[CR_WAITING_TURN];
    const uint64_t began_ns = cr_loop_read_clock(loop);
    const cr_conn *last = TAILQ_LAST(waiting, cr_conn_list), *conn = NULL;
    while (!TAILQ_EMPTY(waiting) && conn != last && loop->now_ns - began_ns < CR_TURN_NS) {
        cr_conn *next = TAILQ_FIRST(waiting);
        conn = next; /* compared only: it may be gone afterwards */
        next->protocol->take_turn(next);
    }
}

void cr_conn_close_all(cr_loop *loop) {
    /* The end of one reply may lead to another answer, which moves its connection to a list that was empty. */
    while (loop->connections > 0) {
        for (int kind = 0; kind < CR_WAITING_KINDS; kind++) {
            cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
            if (!conn) continue;
            cr_conn_close(conn, CR_STOPPED);
            cr_conn_settle(conn);
        }
    }
}

/* Ends the waiting connections of a kind. The end of one reply may lead to the ends of others, so this always continues
 * with the first that is left. */
static void stop_waiting(cr_loop *loop, cr_waiting kind) {
    cr_conn *conn;
    while ((conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]))) {
        cr_conn_close(conn, CR_STOPPED);
        cr_conn_settle(conn);
    }
}

/* Ends idle connections, which have no requests, so no end leads to another. What they have sent still arrives. */
static void end_idle(cr_loop *loop, cr_waiting kind) {
    cr_conn *conn, *next;
    for (conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]); conn; conn = next) {
        next = TAILQ_NEXT(conn, link);
        if (conn->busy) continue;
        if (conn->output.length) {
            cr_conn_linger(conn);
            continue;
        }
        cr_conn_close_idle(conn, CR_STOPPED);
        cr_conn_settle(conn);
    }
}

/* Tells the clients of the connections that are not idle. One that is closed by that may lead to the ends of others. */
static void say_goodbye(cr_loop *loop, cr_waiting kind) {
    cr_conn *conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
    while (conn) {
        cr_conn *next = TAILQ_NEXT(conn, link);
        if (next) cr_conn_enter(next);
        if (conn->state == CR_CONN_OPEN && conn->protocol->say_goodbye) {
            cr_conn_enter(conn);
            conn->protocol->say_goodbye(conn);
            cr_conn_leave(conn);
        }
        conn = next;
        if (!next) continue;
        if (next->state == CR_CONN_CLOSED || next->waiting != kind) conn = TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
        cr_conn_leave(next);
    }
}

void cr_conn_drain(cr_loop *loop) {
    end_idle(loop, CR_WAITING_HANDSHAKE);
    end_idle(loop, CR_WAITING_STALL);
    end_idle(loop, CR_WAITING_REQUEST);
    end_idle(loop, CR_WAITING_KEPT);
    for (int kind = CR_WAITING_TURN; kind < CR_WAITING_LINGER; kind++) say_goodbye(loop, (cr_waiting)kind);
    while (!LIST_EMPTY(&cr_service_of(loop)->held)) {
        cr_stream *stream = LIST_FIRST(&cr_service_of(loop)->held);
        cr_conn *conn = stream->conn;
        cr_conn_enter(conn);
        conn->protocol->drop(stream, CR_STOPPED);
        cr_conn_leave(conn);
    }
}

void cr_conn_stop_scripts(cr_loop *loop) {
    stop_waiting(loop, CR_WAITING_BODY);
    stop_waiting(loop, CR_WAITING_STEP);
    stop_waiting(loop, CR_WAITING_WRITE);
    stop_waiting(loop, CR_WAITING_HOLD);
    stop_waiting(loop, CR_WAITING_UNREAD);
}
