#include "tunnel.h"

#include <stdlib.h>

static cr_tunnel *tunnel_of(const cr_conn *conn) {
    return (cr_tunnel *)conn->tunnel;
}

/* Ends the server's side and tells the end, once. */
static void finish(cr_tunnel *tunnel) {
    cr_tunnel_ended *ended = tunnel->ended;
    tunnel->ended = NULL;
    if (tunnel->server) tunnel->server->close(tunnel);
    tunnel->server = NULL;
    if (ended) ended(tunnel->context, &(cr_tunnel_end){tunnel->up, tunnel->down, tunnel->rested});
}

static void free_tunnel(cr_conn *conn) {
    finish(tunnel_of(conn));
    free(conn->tunnel);
    conn->tunnel = NULL;
}

/* Acts on what has changed. */
static void go_on(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    if (!tunnel->open || conn->state != CR_CONN_OPEN) return;
    bool is_taken = !conn->output.length;
    if (tunnel->broken) {
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_GONE);
        return;
    }
    if (!tunnel->server && is_taken) {
        cr_conn_linger(conn);
        return;
    }
    if (tunnel->server_ended && is_taken && !conn->shut) conn->shut = conn->transport->shut(conn) == 0 || errno != EAGAIN;
    if (tunnel->server) tunnel->server->read(tunnel, is_taken && !tunnel->server_ended);
    cr_conn_set_reading(conn, !tunnel->client_ended && !tunnel->full);
    if (!is_taken) {
        if (conn->waiting != CR_WAITING_WRITE) cr_conn_wait_to_write(conn);
    } else if (conn->waiting != CR_WAITING_HOLD) {
        cr_conn_wait_for(conn, CR_WAITING_HOLD);
    }
}

void cr_tunnel_settle(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    cr_conn_enter(conn);
    go_on(tunnel);
    cr_conn_leave(conn);
}

void cr_tunnel_bring(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    cr_conn *conn = tunnel->conn;
    tunnel->down += length;
    cr_conn_enter(conn);
    if (cr_conn_send(conn, bytes, length)) go_on(tunnel);
    cr_conn_leave(conn);
}

/* ---- The protocol ----------------------------------------------------------------------------------------------- */

static bool open_state(cr_conn *conn) {
    tunnel_of(conn)->open = true;
    return true;
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_tunnel *tunnel = tunnel_of(conn);
    tunnel->up += length;
    if (tunnel->server && length) tunnel->server->send(tunnel, bytes, length);
    go_on(tunnel);
}

static void input_ended(cr_conn *conn) {
    cr_tunnel *tunnel = tunnel_of(conn);
    tunnel->client_ended = true;
    cr_conn_close_input(conn);
    if (tunnel->server) tunnel->server->finish(tunnel);
    go_on(tunnel);
}

/* The client has taken what was kept for it. */
static void take_turn(cr_conn *conn) {
    go_on(tunnel_of(conn));
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    (void)outcome;
    cr_tunnel *tunnel = tunnel_of(conn);
    /* TLS without close_notify (EPROTO) has ended, as that of servers has. What came before an end arrives, whatever comes then. */
    tunnel->client_broke = !tunnel->client_ended && (conn->reset || (conn->error && conn->error != EPROTO));
    finish(tunnel);
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

void *cr_tunnel_begin(cr_stream *stream, size_t size, const cr_tunnel_server *server, cr_tunnel_ended *ended,
                      void *context) {
    cr_conn *conn = stream->conn;
    cr_tunnel *tunnel = conn->tunnel ? NULL : calloc(1, size);
    if (!tunnel || !cr_stream_upgrade_kept(stream, &tunnel_protocol)) {
        free(tunnel);
        return NULL;
    }
    *tunnel = (cr_tunnel){.sequel = {free_tunnel}, .conn = conn, .server = server, .ended = ended, .context = context};
    conn->tunnel = &tunnel->sequel;
    return tunnel;
}
