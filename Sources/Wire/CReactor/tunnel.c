/* Tunnels: bytes between a client and another server, as they are. What one side does not take yet is kept, one read at the
 * most, and the other side is not read meanwhile. */
#include "conn.h"

#include <sys/socket.h>
#include <unistd.h>

typedef struct cr_tunnel {
    cr_sequel sequel;
    cr_conn *conn;
    int fd;                /* the other server's; -1 once it is closed */
    bool open;             /* the connection speaks for it */
    bool client_ended, server_ended; /* nothing more comes from there */
    bool watching_readable, watching_writable;
    cr_buffer upward;      /* bytes of the client that the server did not take yet */
    uint64_t up, down;     /* bytes passed on */
    uint32_t idle_ms;
    struct event readable, writable, idle;
    void (*ended)(void *context, uint64_t up, uint64_t down);
    void *context;
} cr_tunnel;

static cr_tunnel *tunnel_of(const cr_conn *conn) {
    return (cr_tunnel *)conn->tunnel;
}

/* Closes the other server's side and tells the end, once. */
static void finish(cr_tunnel *tunnel) {
    if (tunnel->fd < 0) return;
    event_del(&tunnel->readable);
    event_del(&tunnel->writable);
    event_del(&tunnel->idle);
    close(tunnel->fd);
    tunnel->fd = -1;
    cr_conn_clear(tunnel->conn, &tunnel->upward);
    tunnel->ended(tunnel->context, tunnel->up, tunnel->down);
}

/* Ends it, unless that was done, and frees it. */
static void free_tunnel(cr_conn *conn) {
    finish(tunnel_of(conn));
    free(conn->tunnel);
    conn->tunnel = NULL;
}

static void watch(struct event *event, bool *watching, bool wanted) {
    if (wanted == *watching) return;
    *watching = wanted;
    if (wanted) event_add(event, NULL);
    else event_del(event);
}

/* Reads whatever side has room on the other one, and waits. */
static void settle(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    if (conn->state != CR_CONN_OPEN || tunnel->fd < 0) return;
    bool is_full = conn->output.length != 0;
    watch(&tunnel->readable, &tunnel->watching_readable, !tunnel->server_ended && !is_full);
    watch(&tunnel->writable, &tunnel->watching_writable, tunnel->upward.length != 0);
    cr_conn_set_reading(conn, !tunnel->client_ended && !tunnel->upward.length);
    if (is_full) {
        if (conn->waiting != CR_WAITING_WRITE) cr_conn_wait_to_write(conn);
    } else if (conn->waiting != CR_WAITING_HOLD) {
        cr_conn_wait_for(conn, CR_WAITING_HOLD);
    }
    struct timeval limit = cr_timeval(tunnel->idle_ms * 1000000ull);
    event_add(&tunnel->idle, &limit);
}

/* Passes on the ends of the sides behind their last bytes. Returns false if both have ended. */
static bool pass_ends(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    if (tunnel->client_ended && !tunnel->upward.length) shutdown(tunnel->fd, SHUT_WR);
    if (!tunnel->server_ended || conn->output.length) return true;
    if (tunnel->client_ended) {
        cr_conn_linger(conn);
        return false;
    }
    if (!conn->shut) conn->shut = conn->transport->shut(conn) == 0 || errno != EAGAIN;
    return true;
}

static void break_off(cr_tunnel *tunnel) {
    tunnel->conn->reset = true;
    cr_conn_close(tunnel->conn, CR_CLIENT_GONE);
}

static ssize_t send_up(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    ssize_t n;
    do {
        n = send(tunnel->fd, bytes, length, 0);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) n = 0;
    if (n > 0) tunnel->up += (uint64_t)n;
    return n;
}

/* ---- The client's side ------------------------------------------------------------------------------------------ */

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_tunnel *tunnel = tunnel_of(conn);
    ssize_t n = length && !tunnel->upward.length ? send_up(tunnel, bytes, length) : 0;
    if (n < 0 || !cr_conn_append(conn, &tunnel->upward, bytes + n, length - (size_t)n)) {
        break_off(tunnel);
        return;
    }
    settle(tunnel);
}

static void input_ended(cr_conn *conn) {
    cr_tunnel *tunnel = tunnel_of(conn);
    tunnel->client_ended = true;
    cr_conn_close_input(conn);
    if (pass_ends(tunnel)) settle(tunnel);
}

/* The client has taken what was kept for it. */
static void take_turn(cr_conn *conn) {
    cr_tunnel *tunnel = tunnel_of(conn);
    cr_conn_wait_for(conn, CR_WAITING_HOLD);
    if (pass_ends(tunnel)) settle(tunnel);
}

/* ---- The server's side ------------------------------------------------------------------------------------------ */

static void read_down(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    ssize_t n;
    do {
        n = recv(tunnel->fd, cr_service_of(conn->loop)->scratch, CR_SCRATCH_SIZE, 0);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        tunnel->down += (uint64_t)n;
        if (cr_conn_send(conn, cr_service_of(conn->loop)->scratch, (size_t)n)) settle(tunnel);
    } else if (n == 0) {
        tunnel->server_ended = true;
        if (pass_ends(tunnel)) settle(tunnel);
    } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
        break_off(tunnel);
    }
}

static void write_up(cr_tunnel *tunnel) {
    ssize_t n = send_up(tunnel, tunnel->upward.bytes, tunnel->upward.length);
    if (n < 0) {
        break_off(tunnel);
        return;
    }
    cr_conn_consume(tunnel->conn, &tunnel->upward, (size_t)n);
    if (pass_ends(tunnel)) settle(tunnel);
}

static void on_event(evutil_socket_t fd, short what, void *argument) {
    (void)fd;
    cr_tunnel *tunnel = argument;
    cr_conn *conn = tunnel->conn;
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    if (what & EV_READ) read_down(tunnel);
    else if (what & EV_WRITE) write_up(tunnel);
    else cr_conn_close(conn, CR_CLIENT_STALLED);
    cr_conn_leave(conn);
}

/* ---- The protocol ----------------------------------------------------------------------------------------------- */

static bool open_state(cr_conn *conn) {
    tunnel_of(conn)->open = true;
    return true;
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    (void)outcome;
    if (conn->tunnel) finish(tunnel_of(conn));
}

/* A tunnel has no end that could be waited for. */
static void say_goodbye(cr_conn *conn) {
    cr_conn_close(conn, CR_STOPPED);
}

static const cr_protocol tunnel_protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .take_turn = take_turn,
    .ended = ended,
    .say_goodbye = say_goodbye,
};

bool cr_stream_tunnel(cr_stream *stream, int fd, uint32_t idle_ms, void (*ended)(void *context, uint64_t up, uint64_t down),
                      void *context) {
    cr_conn *conn = stream->conn;
    struct event_base *base = conn->loop->base;
    cr_tunnel *tunnel = conn->tunnel ? NULL : calloc(1, sizeof *tunnel);
    if (!tunnel || !cr_stream_upgrade_kept(stream, &tunnel_protocol)) {
        free(tunnel);
        return false;
    }
    *tunnel = (cr_tunnel){.sequel = {free_tunnel}, .conn = conn, .fd = fd, .idle_ms = idle_ms, .ended = ended, .context = context};
    event_assign(&tunnel->readable, base, fd, EV_READ | EV_PERSIST, on_event, tunnel);
    event_assign(&tunnel->writable, base, fd, EV_WRITE | EV_PERSIST, on_event, tunnel);
    event_assign(&tunnel->idle, base, -1, 0, on_event, tunnel);
    conn->tunnel = &tunnel->sequel;
    return true;
}
