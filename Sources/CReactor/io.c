#include "loop.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t cr_io_read(cr_conn *conn, void *bytes, size_t length) {
    ssize_t n;
    do {
        n = read(conn->fd, bytes, length);
    } while (n < 0 && errno == EINTR);
    return n;
}

ssize_t cr_io_write(cr_conn *conn, const struct iovec *parts, int count) {
    ssize_t n;
    do {
        n = writev(conn->fd, parts, count);
    } while (n < 0 && errno == EINTR);
    return n;
}

void cr_io_close(cr_conn *conn, bool reset) {
    if (reset) {
        struct linger now = {.l_onoff = 1, .l_linger = 0};
        setsockopt(conn->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    close(conn->fd);
    conn->fd = -1;
}

void cr_io_shut(cr_conn *conn) {
    shutdown(conn->fd, SHUT_WR);
}
