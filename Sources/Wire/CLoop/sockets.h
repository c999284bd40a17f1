/* Reads from and writes to sockets. */
#ifndef CR_SOCKETS_H
#define CR_SOCKETS_H

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* Closes a socket, with FIN or with RST. */
static inline void cr_fd_close(int fd, bool reset) {
    if (reset) {
        struct linger now = {.l_onoff = 1, .l_linger = 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    close(fd);
}

/* Reads like recv(2), without EINTR. */
static inline ssize_t cr_fd_read(int fd, void *bytes, size_t length) {
    ssize_t n;
    do {
        n = recv(fd, bytes, length, 0);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* Elsewhere SIGPIPE is blocked on the loop's thread. */
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* Sends parts; a single part, the usual case, with send(2), which checks less than sendmsg(2). */
static inline ssize_t cr_fd_send(int fd, const struct iovec *parts, int count) {
    if (count == 1) return send(fd, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

/* Writes like sendmsg(2), without EINTR. */
static inline ssize_t cr_fd_write(int fd, const struct iovec *parts, int count) {
    ssize_t n;
    do {
        n = cr_fd_send(fd, parts, count);
    } while (n < 0 && errno == EINTR);
    return n;
}

#endif
