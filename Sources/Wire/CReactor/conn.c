#include "conn.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void name_peer(cr_conn *conn, const struct sockaddr *peer) {
    if (peer->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)peer;
        inet_ntop(AF_INET, &v4->sin_addr, conn->peer, sizeof conn->peer);
        conn->peer_port = ntohs(v4->sin_port);
    } else if (peer->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)peer;
        inet_ntop(AF_INET6, &v6->sin6_addr, conn->peer, sizeof conn->peer);
        conn->peer_port = ntohs(v6->sin6_port);
    } else {
        strcpy(conn->peer, "unix");
    }
    conn->peer_length = (uint8_t)strlen(conn->peer);
}

/* Counts the connection in its loop. */
static void remember(cr_conn *conn) {
    cr_loop *loop = conn->loop;
    if (loop->connections++ == 0) {
        cr_loop_read_wall_clock(loop);
        struct timeval interval = cr_timeval(cr_service_of(loop)->sweep_ns);
        event_add(&cr_service_of(loop)->sweep, &interval);
    }
    if (conn->accept_config->is_outgoing) {
        loop->outgoing++;
    } else if (cr_loop_clients(loop) == cr_service_of(loop)->config.connection_limit) {
        cr_service_of(loop)->handler.on_log(cr_service_of(loop)->handler.context,
            "the connection limit is reached: new clients replace idle connections, or wait");
    }
}

cr_conn *cr_conn_open(cr_loop *loop, int fd, const struct sockaddr *peer, cr_accept_config *accept_config) {
    const size_t room = accept_config->protocol->room;
    cr_conn *conn = malloc(sizeof *conn + room);
    if (!conn) {
        close(fd);
        return NULL;
    }
    memset(conn, 0, sizeof *conn + room);
    conn->room_size = room;
    conn->loop = loop;
    conn->fd = fd;
    conn->accept_config = accept_config;
    if (!cr_conn_use_first_transport(conn)) {
        close(fd);
        free(conn);
        return NULL;
    }
    cr_accept_config_retain(accept_config);
    name_peer(conn, peer);
    TAILQ_INIT(&conn->writers);
    event_assign(&conn->readable, loop->base, fd, EV_READ | EV_PERSIST, cr_conn_on_readable, conn);
    event_assign(&conn->writable, loop->base, fd, EV_WRITE, cr_conn_on_writable, conn);
    conn->waiting = CR_WAITING_KINDS;
    conn->read_wants = CR_READABLE;
    remember(conn);
    if (conn->transport->handshake) {
        cr_conn_begin_handshake(conn);
    } else if (!cr_conn_begin(conn)) {
        cr_conn_free_if_done(conn);
        return NULL;
    }
    return conn;
}

void cr_conn_clear_protocol(cr_conn *conn) {
    if (!conn->protocol) return;
    if (conn->protocol->free) conn->protocol->free(conn);
    memset(conn->room, 0, conn->room_size);
    conn->protocol = NULL;
}

bool cr_conn_set_protocol(cr_conn *conn, const cr_protocol *protocol, const uint8_t *leftover, size_t length) {
    cr_conn_clear_protocol(conn);
    conn->protocol = protocol;
    if (protocol->room > conn->room_size || !protocol->open(conn)) {
        conn->protocol = NULL;
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return false;
    }
    if (conn->state != CR_CONN_OPEN) return true;
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, !conn->client_closed);
    protocol->received(conn, leftover, length);
    if (conn->state == CR_CONN_OPEN && conn->client_closed) conn->protocol->input_ended(conn);
    return conn->state != CR_CONN_CLOSED;
}

bool cr_conn_begin(cr_conn *conn) {
    if (!conn->protocol && !cr_conn_set_protocol(conn, conn->accept_config->protocol, NULL, 0)) return false;
    conn->state = CR_CONN_OPEN;
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, true);
    return true;
}

void cr_conn_close(cr_conn *conn, cr_outcome outcome) {
    if (conn->state == CR_CONN_CLOSED) return;
    conn->state = CR_CONN_CLOSED;
    conn->reading = false;
    event_del(&conn->readable);
    event_del(&conn->writable);
    conn->transport->close(conn, conn->reset);
    if (conn->waiting != CR_WAITING_KINDS) TAILQ_REMOVE(&cr_service_of(conn->loop)->waiting[conn->waiting], conn, link);
    if (conn->client_closed) LIST_REMOVE(conn, half_closed_link);
    if (conn->read_queued) TAILQ_REMOVE(&cr_service_of(conn->loop)->queued_reads, conn, read_link);
    conn->read_queued = false;
    cr_conn_unqueue_handshake(conn);
    cr_buffer_clear(&conn->output);
    /* The end of one reply may end the last owed one, and free the connection. */
    conn->refs++;
    if (conn->protocol) conn->protocol->ended(conn, outcome);
    if (conn->accept_config->is_outgoing) conn->loop->outgoing--;
    cr_loop_connection_closed(conn->loop);
    conn->refs--;
}

void cr_conn_close_idle(cr_conn *conn, cr_outcome outcome) {
    cr_conn_ref(conn);
    if (conn->protocol && conn->protocol->shutdown_notice && conn->state == CR_CONN_OPEN) {
        conn->protocol->shutdown_notice(conn);
    }
    cr_conn_close(conn, outcome);
    conn->refs--;
}

static void free_continuation(cr_conn *conn, cr_continuation *continuation) {
    if (continuation) continuation->free(conn);
}

void cr_conn_free(cr_conn *conn) {
    if (conn->protocol && conn->protocol->free) conn->protocol->free(conn);
    cr_accept_config_release(conn->accept_config);
    free(conn->upgrade_request);
    free_continuation(conn, conn->tunnel);
    free_continuation(conn, (cr_continuation *)conn->intercept);
    free(conn);
}

void cr_conn_linger(cr_conn *conn) {
    if (conn->state == CR_CONN_CLOSED) return;
    conn->state = CR_CONN_LINGER;
    if (conn->protocol) conn->protocol->ended(conn, CR_STOPPED);
    if (conn->state == CR_CONN_CLOSED) return;
    cr_conn_wait_for(conn, CR_WAITING_LINGER);
    cr_conn_shutdown_write(conn);
}

void cr_conn_yield(cr_conn *conn) {
    cr_conn_wait_for(conn, CR_WAITING_READY);
    cr_loop_schedule_ready(conn->loop);
}

void cr_conn_close_input(cr_conn *conn) {
    if (conn->client_closed) return;
    conn->client_closed = true;
    LIST_INSERT_HEAD(&cr_service_of(conn->loop)->half_closed, conn, half_closed_link);
    cr_conn_set_reading(conn, false);
    cr_socket_probe(conn);
}
