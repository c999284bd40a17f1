#include "conn.h"
#include "sockets.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#endif

ssize_t cr_socket_read(cr_conn *conn, void *bytes, size_t length) {
    return cr_fd_read(conn->fd, bytes, length);
}

ssize_t cr_socket_write(cr_conn *conn, const struct iovec *parts, int count) {
    return cr_fd_write(conn->fd, parts, count);
}

#ifdef __linux__
ssize_t cr_socket_send_file(cr_conn *conn, int fd, uint64_t offset, size_t length) {
    ssize_t n;
    do {
        off_t at = (off_t)offset;
        n = sendfile(conn->fd, fd, &at, length);
    } while (n < 0 && errno == EINTR);
    return n;
}
#endif

uint32_t cr_socket_unsent(const cr_conn *conn) {
    int count = 0;
#ifdef __linux__
    if (ioctl(conn->fd, SIOCOUTQ, &count) < 0) return 0;
#else
    socklen_t size = sizeof count;
    if (getsockopt(conn->fd, SOL_SOCKET, SO_NWRITE, &count, &size) < 0) return 0;
#endif
    return count > 0 ? (uint32_t)count : 0;
}

bool cr_socket_has_unread(const cr_conn *conn) {
    uint8_t byte;
    return recv(conn->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool cr_socket_has_disconnected(const cr_conn *conn) {
    struct pollfd state = {.fd = conn->fd};
#ifdef POLLRDHUP
    state.events = POLLRDHUP;
#endif
    return poll(&state, 1, 0) > 0;
}

bool cr_socket_was_reset(const cr_conn *conn) {
#ifdef __linux__
    struct pollfd state = {.fd = conn->fd};
    return poll(&state, 1, 0) > 0;
#else
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(conn->fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error != 0;
#endif
}

void cr_socket_probe(cr_conn *conn) {
    int on = 1, seconds = 15;
    /* A Unix socket has no such options and needs none. */
    setsockopt(conn->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#ifdef TCP_KEEPIDLE
    setsockopt(conn->fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
#else
    setsockopt(conn->fd, IPPROTO_TCP, TCP_KEEPALIVE, &seconds, sizeof seconds);
#endif
    setsockopt(conn->fd, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
}

void cr_socket_close(cr_conn *conn, bool reset) {
    cr_fd_close(conn->fd, reset);
    conn->fd = -1;
}

int cr_socket_shutdown_write(cr_conn *conn) {
    shutdown(conn->fd, SHUT_WR);
    return 0;
}

const cr_transport cr_plain_transport = {
    .read = cr_socket_read,
    .write = cr_socket_write,
#ifdef __linux__
    .send_file = cr_socket_send_file,
#endif
    .unsent = cr_socket_unsent,
    .has_disconnected = cr_socket_has_disconnected,
    .was_reset = cr_socket_was_reset,
    .shutdown_write = cr_socket_shutdown_write,
    .close = cr_socket_close,
};
