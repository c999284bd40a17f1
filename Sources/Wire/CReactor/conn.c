#include "loop.h"

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
}

cr_conn *cr_conn_open(cr_loop *loop, int fd, const struct sockaddr *peer, uint16_t local_port) {
    cr_conn *conn = malloc(sizeof *conn);
    if (!conn) {
        close(fd);
        return NULL;
    }
    memset(conn, 0, sizeof *conn);
    conn->loop = loop;
    conn->fd = fd;
    conn->local_port = local_port;
    conn->stream.conn = conn;
    name_peer(conn, peer);
    cr_head_init(&conn->head);
    event_assign(&conn->readable, loop->base, fd, EV_READ | EV_PERSIST, cr_conn_on_readable, conn);
    event_assign(&conn->writable, loop->base, fd, EV_WRITE, cr_stream_on_writable, conn);
    event_assign(&conn->timer, loop->base, -1, 0, cr_stream_on_timer, conn);

    conn->waiting = CR_WAITING_KINDS;
    cr_conn_wait_for(conn, CR_WAITING_REQUEST);
    cr_conn_set_reading(conn, true);
    if (loop->connections++ == 0) {
        cr_loop_read_wall_clock(loop);
        struct timeval interval = cr_timeval(cr_sweep_interval_ns(&loop->config));
        event_add(&loop->sweep, &interval);
    }
    if (loop->connections == loop->config.connection_limit) {
        loop->full = true;
        cr_listeners_update(loop);
        loop->handler.on_trouble(loop->handler.context, "the connection limit is reached: further clients wait");
    }
    return conn;
}

static void forget(cr_loop *loop) {
    loop->connections--;
    if (loop->full && loop->connections < loop->config.connection_limit) {
        loop->full = false;
        cr_listeners_update(loop);
    }
    if (loop->paused && !loop->draining) cr_listeners_try_again(loop);
    if (loop->connections == 0 && loop->draining) cr_loop_stop(loop);
}

void cr_conn_close(cr_conn *conn, cr_outcome outcome) {
    if (conn->state == CR_CONN_CLOSED) return;
    conn->state = CR_CONN_CLOSED;
    event_del(&conn->readable);
    event_del(&conn->writable);
    event_del(&conn->timer);
    if (conn->fd >= 0) cr_io_close(conn, conn->reset);
    TAILQ_REMOVE(&conn->loop->waiting[conn->waiting], conn, link);
    if (conn->client_closed) LIST_REMOVE(conn, half_closed_link);
    cr_head_reset(&conn->head);
    cr_buffer_clear(&conn->input);
    cr_buffer_clear(&conn->head_block);
    cr_buffer_clear(&conn->body);
    cr_stream_end(&conn->stream, outcome);
    forget(conn->loop);
}

void cr_conn_change_reading(cr_conn *conn, bool reading) {
    conn->reading = reading;
    if (reading) {
        event_add(&conn->readable, NULL);
    } else {
        event_del(&conn->readable);
    }
}

void cr_conn_linger(cr_conn *conn) {
    if (conn->state == CR_CONN_CLOSED) return;
    conn->state = CR_CONN_LINGER;
    event_del(&conn->writable);
    event_del(&conn->timer);
    cr_buffer_clear(&conn->input);
    cr_buffer_clear(&conn->head_block);
    cr_buffer_clear(&conn->body);
    if (conn->client_closed) {
        cr_conn_close(conn, CR_SENT);
        return;
    }
    cr_io_shut(conn);
    cr_conn_set_reading(conn, true);
    cr_conn_wait_for(conn, CR_WAITING_LINGER);
}
