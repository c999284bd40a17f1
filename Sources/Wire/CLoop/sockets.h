/* Reading from sockets and writing to them. */
#ifndef CR_SOCKETS_H
#define CR_SOCKETS_H

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/* The sanitizers see what goes through libc. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CR_SANITIZED
#endif
#endif

#if defined(__linux__) && defined(SYS_recvfrom) && defined(SYS_sendto) && !defined(CR_SANITIZED)
/* In a process with threads, glibc's recv and send are each a point of cancellation, which takes four locked
 * instructions that are of no use here. */
static inline ssize_t cr_fd_receive(int fd, void *bytes, size_t length) {
    return syscall(SYS_recvfrom, fd, bytes, length, 0, NULL, NULL);
}

static inline ssize_t cr_fd_transmit(int fd, const void *bytes, size_t length, int flags) {
    return syscall(SYS_sendto, fd, bytes, length, flags, NULL, 0);
}
#else
static inline ssize_t cr_fd_receive(int fd, void *bytes, size_t length) {
    return recv(fd, bytes, length, 0);
}

static inline ssize_t cr_fd_transmit(int fd, const void *bytes, size_t length, int flags) {
    return send(fd, bytes, length, flags);
}
#endif

/* Closes a socket, with FIN or so that its peer gets a reset. */
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
        n = cr_fd_receive(fd, bytes, length);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* Elsewhere the signal is blocked on the loop's thread alone. */
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* Sends parts. A single part, the usual case, is sent with send(2), which has less to check than a vector. */
static inline ssize_t cr_fd_send(int fd, const struct iovec *parts, int count) {
    if (count == 1) return cr_fd_transmit(fd, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
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
