#include "tunnel.h"

#include <stdlib.h>

static cr_tunnel *tunnel_of(const cr_conn *conn) {
    return (cr_tunnel *)conn->tunnel;
}

/* Closes the server side and reports the end, once. */
static void finish(cr_tunnel *tunnel) {
    cr_tunnel_ended *ended = tunnel->ended;
    tunnel->ended = NULL;
    if (tunnel->server) tunnel->server->close(tunnel);
    tunnel->server = NULL;
    if (ended) ended(tunnel->context, &(cr_tunnel_end){tunnel->up, tunnel->down, tunnel->timed_out});
}

static void free_tunnel(cr_conn *conn) {
    finish(tunnel_of(conn));
    free(conn->tunnel);
    conn->tunnel = NULL;
}

/* Acts on changes of either side. */
static void update(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    if (!tunnel->open || conn->state != CR_CONN_OPEN) return;
    bool is_taken = !conn->output.length;
    if (tunnel->broken) {
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return;
    }
    if (!tunnel->server && is_taken) {
        cr_conn_linger(conn);
        return;
    }
    if (tunnel->server_ended && is_taken && !conn->write_closed) {
        conn->write_closed = conn->transport->shutdown_write(conn) == 0 || errno != EAGAIN;
    }
    if (tunnel->server) tunnel->server->read(tunnel, is_taken && !tunnel->server_ended);
    cr_conn_set_reading(conn, !tunnel->client_ended && !tunnel->full);
    if (!is_taken) {
        if (conn->waiting != CR_WAITING_WRITE) cr_conn_wait_to_write(conn);
    } else if (conn->waiting != CR_WAITING_HOLD) {
        cr_conn_wait_for(conn, CR_WAITING_HOLD);
    }
}

void cr_tunnel_update(cr_tunnel *tunnel) {
    cr_conn *conn = tunnel->conn;
    cr_conn_ref(conn);
    update(tunnel);
    cr_conn_unref(conn);
}

void cr_tunnel_forward(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    cr_conn *conn = tunnel->conn;
    tunnel->down += length;
    cr_conn_ref(conn);
    if (cr_conn_send(conn, bytes, length)) update(tunnel);
    cr_conn_unref(conn);
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
    update(tunnel);
}

static void input_ended(cr_conn *conn) {
    cr_tunnel *tunnel = tunnel_of(conn);
    tunnel->client_ended = true;
    cr_conn_close_input(conn);
    if (tunnel->server) tunnel->server->finish(tunnel);
    update(tunnel);
}

/* The client has taken the buffered bytes. */
static void resume_input(cr_conn *conn) {
    update(tunnel_of(conn));
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    (void)outcome;
    cr_tunnel *tunnel = tunnel_of(conn);
    /* TLS without close_notify (EPROTO) is an end, as for servers. After an end, later failures do not discard what
     * came before. */
    tunnel->client_broke = !tunnel->client_ended && (conn->reset || (conn->error && conn->error != EPROTO));
    finish(tunnel);
}

/* A tunnel has no end to wait for. */
static void shutdown_notice(cr_conn *conn) {
    cr_conn_close(conn, CR_STOPPED);
}

static const cr_protocol tunnel_protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .resume_input = resume_input,
    .ended = ended,
    .shutdown_notice = shutdown_notice,
};

void *cr_tunnel_begin(
    cr_stream *stream, size_t size, const cr_tunnel_server *server, cr_tunnel_ended *ended, void *context) {
    cr_conn *conn = stream->conn;
    cr_tunnel *tunnel = conn->tunnel ? NULL : calloc(1, size);
    if (!tunnel || !cr_stream_upgrade_forced(stream, &tunnel_protocol)) {
        free(tunnel);
        return NULL;
    }
    *tunnel = (cr_tunnel){
        .continuation = {free_tunnel}, .conn = conn, .server = server, .ended = ended, .context = context};
    conn->tunnel = &tunnel->continuation;
    return tunnel;
}
