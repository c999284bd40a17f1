/* The server's side of a CONNECT tunnel: a connected socket. */
#include "sockets.h"
#include "tunnel.h"

#include <sys/socket.h>
#include <unistd.h>

typedef struct socket_tunnel {
    cr_tunnel tunnel;
    int fd;
    bool watching_readable, watching_writable;
    cr_buffer to_server; /* bytes that the server did not take yet */
    uint32_t idle_ms;
    struct event readable, writable, idle;
} socket_tunnel;

static socket_tunnel *socket_of(cr_tunnel *tunnel) {
    return (socket_tunnel *)(void *)tunnel;
}

static void close_socket(cr_tunnel *tunnel) {
    socket_tunnel *socket = socket_of(tunnel);
    event_del(&socket->readable);
    event_del(&socket->writable);
    event_del(&socket->idle);
    cr_fd_close(socket->fd, tunnel->client_broke);
    cr_conn_clear(tunnel->conn, &socket->to_server);
    tunnel->server = NULL;
    tunnel->server_ended = true;
}

static void watch(struct event *event, bool *watching, bool wanted) {
    if (wanted == *watching) return;
    *watching = wanted;
    if (wanted) event_add(event, NULL);
    else event_del(event);
}

static void set_reading(cr_tunnel *tunnel, bool reads) {
    socket_tunnel *socket = socket_of(tunnel);
    watch(&socket->readable, &socket->watching_readable, reads);
    watch(&socket->writable, &socket->watching_writable, tunnel->full);
    struct timeval limit = cr_timeval(socket->idle_ms * 1000000ull);
    event_add(&socket->idle, &limit);
}

/* Sends bytes. Returns how many the server took. */
static size_t put(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    ssize_t n;
    do {
        n = send(socket_of(tunnel)->fd, bytes, length, 0);
    } while (n < 0 && errno == EINTR);
    if (n >= 0) return (size_t)n;
    if (errno != EAGAIN && errno != EWOULDBLOCK) tunnel->broken = true;
    return 0;
}

static void send_to_server(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    socket_tunnel *socket = socket_of(tunnel);
    size_t n = tunnel->full ? 0 : put(tunnel, bytes, length);
    if (!cr_conn_append(tunnel->conn, &socket->to_server, bytes + n, length - n)) tunnel->broken = true;
    tunnel->full = socket->to_server.length != 0;
}

/* Ends our side after the last byte, and closes the socket if the server has ended its side. */
static void finish_socket(cr_tunnel *tunnel) {
    if (tunnel->full) return;
    shutdown(socket_of(tunnel)->fd, SHUT_WR);
    if (tunnel->server_ended) close_socket(tunnel);
}

static const cr_tunnel_server socket_server = {
    .send = send_to_server,
    .finish = finish_socket,
    .read = set_reading,
    .close = close_socket,
};

static void read_from_server(cr_tunnel *tunnel, int fd) {
    uint8_t *scratch = cr_service_of(tunnel->conn->loop)->scratch;
    ssize_t n;
    do {
        n = recv(fd, scratch, CR_SCRATCH_SIZE, 0);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        cr_tunnel_forward(tunnel, scratch, (size_t)n);
        return;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    tunnel->broken = n < 0;
    tunnel->server_ended = true;
    if (tunnel->client_ended && !tunnel->full) close_socket(tunnel);
    cr_tunnel_update(tunnel);
}

static void flush_to_server(cr_tunnel *tunnel) {
    socket_tunnel *socket = socket_of(tunnel);
    cr_conn_consume(tunnel->conn, &socket->to_server, put(tunnel, socket->to_server.bytes, socket->to_server.length));
    tunnel->full = socket->to_server.length != 0;
    if (tunnel->client_ended) finish_socket(tunnel);
    cr_tunnel_update(tunnel);
}

static void on_event(evutil_socket_t fd, short what, void *argument) {
    cr_tunnel *tunnel = argument;
    cr_loop_read_clock(tunnel->conn->loop);
    if (what & EV_READ) {
        read_from_server(tunnel, fd);
    } else if (what & EV_WRITE) {
        flush_to_server(tunnel);
    } else {
        tunnel->timed_out = true;
        close_socket(tunnel);
        cr_tunnel_update(tunnel);
    }
}

bool cr_stream_tunnel(cr_stream *stream, int fd, uint32_t idle_ms, cr_tunnel_ended *ended, void *context) {
    struct event_base *base = stream->conn->loop->base;
    socket_tunnel *socket = cr_tunnel_begin(stream, sizeof *socket, &socket_server, ended, context);
    if (!socket) return false;
    socket->fd = fd;
    socket->idle_ms = idle_ms;
    event_assign(&socket->readable, base, fd, EV_READ | EV_PERSIST, on_event, socket);
    event_assign(&socket->writable, base, fd, EV_WRITE | EV_PERSIST, on_event, socket);
    event_assign(&socket->idle, base, -1, 0, on_event, socket);
    return true;
}
