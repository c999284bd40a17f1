#include "dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* After this delay the next address is tried in parallel (RFC 8305 section 5). */
enum { ATTEMPT_DELAY_NS = 250000000 };

/* A connection attempt. */
typedef struct attempt {
    cr_dial *dial;
    const cr_address *address;
    int fd; /* -1 once it is over */
    struct event event;
} attempt;

struct cr_dial {
    cr_loop *loop;
    uint16_t port;
    bool (*may_connect)(void *context, const cr_address *address);
    void *context;
    cr_dial_done *done;
    void *argument;
    int error;               /* of the first failed attempt; 0 before */
    struct event next;       /* starts the next attempt, or reports that none is left */
    size_t count, attempted; /* of the attempts: all, and started ones */
    size_t open;
    attempt attempts[];
};

/* ---- Addresses ----------------------------------------------------------------------------------------------- */

bool cr_address_read(const char *text, cr_address *address) {
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, address->bytes) == 1) return true;
    char name[INET6_ADDRSTRLEN];
    const char *zone = strchr(text, '%');
    size_t length = zone ? (size_t)(zone - text) : strlen(text);
    if (length >= sizeof name) return false;
    memcpy(name, text, length);
    name[length] = 0;
    address->is_v6 = 1;
    if (zone) address->scope = if_nametoindex(zone + 1);
    return inet_pton(AF_INET6, name, address->bytes) == 1;
}

bool cr_address_equals(const cr_address *one, const cr_address *other) {
    return one->is_v6 == other->is_v6 && one->scope == other->scope &&
        memcmp(one->bytes, other->bytes, one->is_v6 ? 16 : 4) == 0;
}

socklen_t cr_address_put(const cr_address *address, uint16_t port, struct sockaddr_storage *room) {
    memset(room, 0, sizeof *room);
    if (address->is_v6) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)room;
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        v6->sin6_scope_id = address->scope;
        memcpy(&v6->sin6_addr, address->bytes, 16);
        return sizeof *v6;
    }
    struct sockaddr_in *v4 = (struct sockaddr_in *)room;
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    memcpy(&v4->sin_addr, address->bytes, 4);
    return sizeof *v4;
}

/* ---- Attempts ------------------------------------------------------------------------------------------------ */

int cr_dial_socket(int family) {
#ifdef SOCK_CLOEXEC
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    int fd = socket(family, SOCK_STREAM, 0);
    if (fd >= 0) {
        fcntl(fd, F_SETFL, O_NONBLOCK);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
#endif
    int on = 1;
    if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void end_attempt(attempt *attempt) {
    if (attempt->fd < 0) return;
    event_del(&attempt->event);
    close(attempt->fd);
    attempt->fd = -1;
    attempt->dial->open--;
}

static void schedule_next(cr_dial *dial, uint64_t delay_ns) {
    struct timeval delay = cr_timeval(delay_ns);
    event_add(&dial->next, &delay);
}

static void record_failure(cr_dial *dial, int error) {
    if (!dial->error) dial->error = error;
}

static void report(cr_dial *dial, int fd, const cr_address *address) {
    cr_dial_done *done = dial->done;
    void *argument = dial->argument;
    int error = fd < 0 ? dial->error ? dial->error : EACCES : 0;
    cr_dial_cancel(dial);
    done(argument, fd, address, error);
}

static void on_connected(evutil_socket_t fd, short what, void *argument) {
    (void)what;
    attempt *connected = argument;
    cr_dial *dial = connected->dial;
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) error = errno;
    if (error) {
        record_failure(dial, error);
        end_attempt(connected);
        /* A failure starts the next attempt at once. */
        if (!dial->open || dial->attempted < dial->count) schedule_next(dial, 0);
        return;
    }
    event_del(&connected->event);
    connected->fd = -1;
    dial->open--;
    report(dial, fd, connected->address);
}

/* Returns whether the attempt was started. */
static bool try_address(cr_dial *dial, attempt *attempt) {
    if (dial->may_connect && !dial->may_connect(dial->context, attempt->address)) return false;
    struct sockaddr_storage target;
    socklen_t length = cr_address_put(attempt->address, dial->port, &target);
    int fd = cr_dial_socket(target.ss_family);
    if (fd < 0) {
        record_failure(dial, errno);
        return false;
    }
    if (connect(fd, (struct sockaddr *)&target, length) < 0 && errno != EINPROGRESS && errno != EINTR) {
        record_failure(dial, errno);
        close(fd);
        return false;
    }
    attempt->fd = fd;
    event_assign(&attempt->event, dial->loop->base, fd, EV_WRITE, on_connected, attempt);
    event_add(&attempt->event, NULL);
    dial->open++;
    return true;
}

/* Starts the next possible attempt. */
static void try_next(cr_dial *dial) {
    while (dial->attempted < dial->count) {
        if (try_address(dial, &dial->attempts[dial->attempted++])) break;
    }
    if (!dial->open) schedule_next(dial, 0);
    else if (dial->attempted < dial->count) schedule_next(dial, ATTEMPT_DELAY_NS);
}

static void on_next(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_dial *dial = argument;
    if (dial->attempted < dial->count) try_next(dial);
    else if (!dial->open) report(dial, -1, NULL);
}

/* Orders the attempts: as the caller does, but alternating between IPv6 and IPv4. */
static void interleave(cr_dial *dial, const cr_address *addresses, size_t count) {
    size_t at[2] = {0, 0};
    bool is_v6 = addresses[0].is_v6;
    for (size_t i = 0; i < count; i++, is_v6 = !is_v6) {
        for (int tries = 0; tries < 2; tries++, is_v6 = !is_v6) {
            while (at[is_v6] < count && addresses[at[is_v6]].is_v6 != is_v6) at[is_v6]++;
            if (at[is_v6] < count) break;
        }
        dial->attempts[i] = (attempt){.dial = dial, .address = &addresses[at[is_v6]++], .fd = -1};
    }
}

cr_dial *cr_dial_start(cr_loop *loop, const cr_address *addresses, size_t count, uint16_t port,
    bool (*may_connect)(void *context, const cr_address *address), void *context, cr_dial_done *done, void *argument) {
    cr_dial *dial = malloc(sizeof *dial + count * sizeof *dial->attempts);
    if (!dial) return NULL;
    *dial = (cr_dial){
        .loop = loop,
        .port = port,
        .may_connect = may_connect,
        .context = context,
        .done = done,
        .argument = argument,
        .count = count,
    };
    interleave(dial, addresses, count);
    event_assign(&dial->next, loop->base, -1, 0, on_next, dial);
    try_next(dial);
    return dial;
}

void cr_dial_cancel(cr_dial *dial) {
    event_del(&dial->next);
    for (size_t i = 0; i < dial->attempted; i++) end_attempt(&dial->attempts[i]);
    free(dial);
}
