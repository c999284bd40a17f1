#include "loop.h"
#include "sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 4096, ACCEPT_BATCH = 64, ACCEPT_PAUSE_MS = 100, FULL_PAUSE_MS = 25 };

/* Makes a socket close-on-exec and non-blocking. Returns -1 with errno on failure. */
static int prepare(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
    return fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int accept_one(int fd, struct sockaddr_storage *peer, socklen_t *length) {
#ifdef __linux__
    return accept4(fd, (struct sockaddr *)peer, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    int accepted = accept(fd, (struct sockaddr *)peer, length);
    if (accepted >= 0 && prepare(accepted) < 0) {
        close(accepted);
        accepted = -1;
    }
    return accepted;
#endif
}

/* Whether a descriptor is reserved for files. */
static bool is_reserved(const cr_loop *loop, int fd) {
    return loop->limits.descriptors && (uint32_t)fd >= loop->limits.descriptors;
}

/* Whether the next connection would get an unreserved descriptor: a new one has the lowest free number. A loop without
 * connections always accepts one. */
static bool has_descriptor(const cr_loop *loop) {
    if (!loop->limits.descriptors || loop->connections == 0) return true;
    int fd = fcntl(loop->mailbox->wake_read, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return false;
    close(fd);
    return !is_reserved(loop, fd);
}

static bool is_at_limit(const cr_loop *loop) {
    return cr_loop_clients(loop) >= loop->limits.connections;
}

static void try_again_later(cr_loop *loop) {
    struct timeval pause = cr_timeval((loop->full ? FULL_PAUSE_MS : ACCEPT_PAUSE_MS) * 1000000ull);
    event_add(&loop->accept_again, &pause);
}

/* Moves a socket to the lowest free descriptor, if that is lower: only then does an unreserved new descriptor mean a
 * free slot. Returns the descriptor. */
static int lowest(int fd) {
    int lower = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (lower < 0) return fd;
    close(lower < fd ? fd : lower);
    return lower < fd ? lower : fd;
}

static void *longest_idle(cr_loop *loop) {
    return loop->delegate->longest_idle(loop);
}

/* Closes an idle connection, unless it is NULL. Returns whether there was one. */
static bool close_idle(cr_loop *loop, void *idle) {
    if (!idle) return false;
    loop->delegate->close_idle(idle);
    return true;
}

/* Pauses accepting because descriptors or memory have run out. */
static void pause_accepting(cr_loop *loop, int error) {
    char text[128];
    snprintf(text, sizeof text, "no connection can be accepted for now, further clients wait: %s", strerror(error));
    loop->delegate->log(loop, text);
    loop->paused = true;
    cr_listeners_update(loop);
    try_again_later(loop);
}

void cr_listeners_try_again(cr_loop *loop) {
    cr_loop_read_clock(loop);
    bool has_idle = longest_idle(loop) != NULL;
    if (has_idle || has_descriptor(loop)) loop->paused = false;
    if (has_idle || !is_at_limit(loop)) loop->full = false;
    cr_listeners_update(loop);
    if (loop->paused || loop->full) try_again_later(loop);
}

/* Pauses accepting until a connection ends or becomes idle. */
static void wait_for_slot(cr_loop *loop) {
    loop->full = true;
    cr_listeners_update(loop);
    try_again_later(loop);
}

static void on_acceptable(evutil_socket_t fd, short what, void *argument) {
    (void)what;
    cr_listener *listener = argument;
    cr_loop *loop = listener->loop;
    cr_loop_read_clock(loop);
    for (int i = 0; i < ACCEPT_BATCH; i++) {
        /* Finds room before accepting, so that no client is rejected, and none closed without need. */
        void *idle = is_at_limit(loop) ? longest_idle(loop) : NULL;
        if (is_at_limit(loop) && !idle) {
            wait_for_slot(loop);
            return;
        }
        struct sockaddr_storage peer;
        socklen_t length = sizeof peer;
        int accepted = accept_one(fd, &peer, &length);
        if (accepted >= 0 && listener->refusals) {
            listener->refusals--;
            cr_fd_close(accepted, true);
        } else if (accepted >= 0) {
            if (is_reserved(loop, accepted) && close_idle(loop, idle ? idle : longest_idle(loop))) {
                idle = NULL;
                accepted = lowest(accepted);
            }
            loop->accepted++;
            loop->delegate->accepted(listener, accepted, (struct sockaddr *)&peer);
            close_idle(loop, idle);
            if (is_reserved(loop, accepted)) {
                pause_accepting(loop, EMFILE);
                return;
            }
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            int error = errno;
            if (close_idle(loop, longest_idle(loop))) continue;
            pause_accepting(loop, error);
            return;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return;
        }
    }
}

static bool is_accepting(const cr_loop *loop) {
    return !loop->full && !loop->paused;
}

static void update(cr_listener *listener) {
    if (listener->suspended) return;
    if (is_accepting(listener->loop) && !listener->stalled) {
        event_add(&listener->accept, NULL);
    } else {
        event_del(&listener->accept);
    }
}

void cr_listeners_update(cr_loop *loop) {
    cr_listener *listener;
    TAILQ_FOREACH(listener, &loop->listeners, link) update(listener);
}

void cr_listeners_close(cr_loop *loop) {
    cr_listener *listener;
    while ((listener = TAILQ_FIRST(&loop->listeners))) cr_listener_close(listener);
}

void cr_listener_close(cr_listener *listener) {
    TAILQ_REMOVE(&listener->loop->listeners, listener, link);
    event_del(&listener->accept);
    if (listener->fd >= 0) close(listener->fd);
    if (listener->path) unlink(listener->path);
    if (listener->closed) listener->closed(listener->argument);
    free(listener->path);
    free(listener->address);
    listener->loop->delegate->listener_closed(listener);
    free(listener);
}

uint16_t cr_listener_port(const cr_listener *listener) {
    return listener->port;
}

/* Listens on a bound socket and adds it to the loop. Takes over `fd`, even on failure. */
static cr_listener *add_listener(
    cr_loop *loop, int fd, uint16_t port, const char *path, cr_accept_config *accept_config) {
    cr_listener *listener = calloc(1, sizeof *listener);
    if (!listener) goto err;
    listener->loop = loop;
    listener->fd = fd;
    listener->port = port;
    listener->accept_config = accept_config;
    if (path && !(listener->path = strdup(path))) goto err;
    if (prepare(fd) < 0 || listen(fd, BACKLOG) < 0) goto err;
    event_assign(&listener->accept, loop->base, fd, EV_READ | EV_PERSIST, on_acceptable, listener);
    if (is_accepting(loop) && event_add(&listener->accept, NULL) < 0) goto err;
    TAILQ_INSERT_TAIL(&loop->listeners, listener, link);
    return listener;

err:;
    int error = errno;
    if (listener) free(listener->path);
    free(listener);
    close(fd);
    errno = error;
    return NULL;
}

/* Parses a numeric address. Returns the length of the result, or 0 if it is invalid. */
static socklen_t read_address(const char *text, uint16_t port, struct sockaddr_storage *address) {
    memset(address, 0, sizeof *address);
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        return sizeof *v4;
    }
    if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        return sizeof *v6;
    }
    return 0;
}

static uint16_t port_of(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)address)->sin_port);
    return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
}

static bool is_loopback(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* Chooses the simplest congestion control for a loopback socket and those that it accepts. BBR, where it is the
 * default, paces even there, which doubles the time of a large body and takes five times the CPU. */
static void disable_pacing(int fd) {
#ifdef TCP_CONGESTION
    static const char plain[] = "reno";
    /* Where the system forbids it, its default stays. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, plain, sizeof plain - 1);
#else
    (void)fd;
#endif
}

/* Binds a socket to the address and stores its port. Returns -1 with errno on failure. */
static int bind_tcp(const char *text, uint16_t *port, bool share) {
    struct sockaddr_storage address;
    socklen_t length = read_address(text, *port, &address);
    if (length == 0) {
        errno = EINVAL;
        return -1;
    }
    int fd = socket(address.ss_family, SOCK_STREAM, 0);
    if (fd < 0) return -1;
    int on = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) goto err;
    if (share && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) < 0) goto err;
    /* IPv4 is left to a separate listener. */
    if (address.ss_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0) goto err;
    /* Accepted sockets inherit this option. */
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) goto err;
    if (is_loopback(&address)) disable_pacing(fd);
    if (bind(fd, (struct sockaddr *)&address, length) < 0) goto err;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) goto err;
    *port = port_of(&address);
    return fd;

err:;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int cr_probe_tcp(const char *text, uint16_t port) {
    int fd = bind_tcp(text, &port, false);
    if (fd < 0) return -1;
    close(fd);
    return 0;
}

cr_listener *cr_listener_tcp(
    cr_loop *loop, const char *text, uint16_t port, bool share, cr_accept_config *accept_config) {
    int fd = bind_tcp(text, &port, share);
    return fd < 0 ? NULL : add_listener(loop, fd, port, NULL, accept_config);
}

cr_listener *cr_listener_tagged(cr_loop *loop, const char *text, uint16_t port, cr_accept_config *accept_config,
    void (*closed)(void *argument), void *argument) {
    if (loop->draining || cr_mailbox_has_ended(loop->mailbox)) {
        errno = ECANCELED;
        return NULL;
    }
    char *address = strdup(text);
    int fd = address ? bind_tcp(text, &port, false) : -1;
    if (fd >= 0 && is_reserved(loop, fd)) {
        close(fd);
        fd = -1;
        errno = EMFILE;
    }
    cr_listener *listener = fd < 0 ? NULL : add_listener(loop, fd, port, NULL, accept_config);
    if (!listener) {
        int error = errno;
        free(address);
        errno = error;
        return NULL;
    }
    listener->address = address;
    listener->closed = closed;
    listener->argument = argument;
    return listener;
}

void cr_listener_refuse(cr_listener *listener, uint32_t count) {
    listener->refusals = count;
}

void cr_listener_stall(cr_listener *listener, bool stalled) {
    listener->stalled = stalled;
    update(listener);
}

void cr_listener_suspend(cr_listener *listener) {
    if (listener->suspended) return;
    event_del(&listener->accept);
    close(listener->fd);
    listener->suspended = true;
    /* Keeps the port: the system refuses connections to a bound socket that does not listen. */
    uint16_t port = listener->port;
    listener->fd = bind_tcp(listener->address, &port, false);
}

int cr_listener_resume(cr_listener *listener) {
    if (!listener->suspended) return 0;
    uint16_t port = listener->port;
    if (listener->fd < 0) listener->fd = bind_tcp(listener->address, &port, false);
    if (listener->fd < 0 || prepare(listener->fd) < 0 || listen(listener->fd, BACKLOG) < 0) return errno;
    listener->suspended = false;
    event_assign(&listener->accept, listener->loop->base, listener->fd, EV_READ | EV_PERSIST, on_acceptable, listener);
    update(listener);
    return 0;
}

/* Whether a process accepts connections on the Unix socket. */
static bool is_alive(const struct sockaddr_un *address) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return true; /* Unknown: do not remove the file. */
    bool alive = connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 || errno != ECONNREFUSED;
    close(fd);
    return alive;
}

cr_listener *cr_listener_unix(cr_loop *loop, const char *path, cr_accept_config *accept_config) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return NULL;
    int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
    struct stat info;
    if (bound < 0 && errno == EADDRINUSE && stat(path, &info) == 0 && S_ISSOCK(info.st_mode)) {
        errno = EADDRINUSE;
        if (!is_alive(&address) && unlink(path) == 0) bound = bind(fd, (struct sockaddr *)&address, sizeof address);
        else errno = EADDRINUSE;
    }
    if (bound < 0) {
        int error = errno;
        close(fd);
        errno = error;
        return NULL;
    }
    return add_listener(loop, fd, 0, path, accept_config);
}

void cr_loop_connection_closed(cr_loop *loop) {
    loop->connections--;
    if (loop->full && !is_at_limit(loop)) {
        loop->full = false;
        cr_listeners_update(loop);
    }
    if (loop->paused && !loop->draining) cr_listeners_try_again(loop);
    cr_loop_end_if_done(loop);
}
