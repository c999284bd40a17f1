/* Reads a request body at a limited rate. What the client sends ahead stays in the input buffer, at most one read, and
 * then in the kernel. */
#include "conn.h"

#include <stdlib.h>

enum { TICK_NS = 10000000 };

struct cr_throttle {
    cr_conn *conn;
    uint64_t rate; /* bytes per second */
    uint64_t began_ns;
    uint64_t consumed; /* bytes */
    struct event timer;
};

static void on_timer(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_throttle *throttle = argument;
    cr_conn *conn = throttle->conn;
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    /* This may free the throttle. */
    conn->protocol->body_due(conn);
    cr_conn_unref(conn);
}

cr_throttle *cr_throttle_new(cr_conn *conn, uint64_t rate) {
    cr_throttle *throttle = calloc(1, sizeof *throttle);
    if (!throttle) return NULL;
    throttle->conn = conn;
    throttle->rate = rate;
    throttle->began_ns = conn->loop->now_ns;
    event_assign(&throttle->timer, conn->loop->base, -1, 0, on_timer, throttle);
    return throttle;
}

void cr_throttle_free(cr_throttle *throttle) {
    if (!throttle) return;
    event_del(&throttle->timer);
    free(throttle);
}

size_t cr_throttle_allowance(const cr_throttle *throttle, size_t length) {
    if (throttle->rate == UINT64_MAX) return 0;
    uint64_t passed = throttle->conn->loop->now_ns - throttle->began_ns;
    __uint128_t due = (__uint128_t)passed * throttle->rate / 1000000000u;
    if (due <= throttle->consumed) return 0;
    return due - throttle->consumed < length ? (size_t)(due - throttle->consumed) : length;
}

void cr_throttle_consume(cr_throttle *throttle, size_t length) {
    throttle->consumed += length;
}

void cr_throttle_arm(cr_throttle *throttle) {
    if (throttle->rate == UINT64_MAX) return;
    uint64_t byte_ns = 1000000000u / throttle->rate;
    struct timeval pause = cr_timeval(byte_ns < TICK_NS ? TICK_NS : byte_ns);
    event_add(&throttle->timer, &pause);
}

void cr_throttle_wait(cr_throttle *throttle, bool has_more) {
    cr_conn *conn = throttle->conn;
    if (throttle->rate == UINT64_MAX) {
        cr_conn_wait_for(conn, CR_WAITING_PAUSED);
        cr_conn_set_reading(conn, false);
        return;
    }
    if (!has_more) {
        cr_conn_wait_for(conn, CR_WAITING_BODY);
        cr_conn_set_reading(conn, true);
        return;
    }
    /* The client waits for us, and has no deadline. */
    cr_conn_wait_for(conn, CR_WAITING_STEP);
    cr_conn_set_reading(conn, false);
    cr_throttle_arm(throttle);
}
