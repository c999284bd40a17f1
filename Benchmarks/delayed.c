/*
 * Requests many delayed answers at the same time and measures how late each one is.
 *
 *     delayed PORT PATH COUNT DELAY_MS SPREAD_MS
 *
 * Opens COUNT connections to 127.0.0.1, sends one request on each, evenly over SPREAD_MS, and waits for all answers. An
 * answer's lateness is the time from its request to the arrival of its last byte, minus DELAY_MS. The kernel timestamps
 * the arrival, so it does not matter when this program reads. Prints one JSON object, times in milliseconds:
 * {"sent", "lost", "earliest", "p50", "p99", "latest"}. An answer is lost if it is not a complete 200 within
 * DELAY_MS + SPREAD_MS + 10 s.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define RESPONSE_MAX 4096
#define EVENTS_MAX 256
#define GRACE_NS 10000000000ull

struct client {
    int fd;
    uint64_t sent_at; /* nanoseconds since 1970, taken right before the write */
    uint64_t done_at; /* when the last byte of a complete 200 arrived; 0 before that */
    size_t filled;    /* bytes in `response` */
    char response[RESPONSE_MAX];
};

static uint64_t nanoseconds(struct timespec time) {
    return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

static uint64_t read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return nanoseconds(time);
}

static uint64_t now_ns(void) { return read_clock(CLOCK_MONOTONIC); }

static void fail(const char *what) {
    fprintf(stderr, "delayed: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long number(const char *text, long lowest, long highest) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < lowest || value > highest) {
        fprintf(stderr, "delayed: expected a number from %ld to %ld, found '%s'\n", lowest, highest, text);
        exit(2);
    }
    return value;
}

/* Non-blocking, without Nagle's algorithm. Thousands of connections a second may reuse the server's port. */
static int open_connection(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    if (fd < 0) fail("socket");
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) fail("TCP_NODELAY");
    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) fail("SO_TIMESTAMPNS");
    if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0) fail("O_NONBLOCK");
    return fd;
}

/* Returns the value of a header field in a NUL-terminated head, or NULL. */
static const char *field(const char *head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            const char *value = line + 3 + length;
            return value + strspn(value, " \t");
        }
    }
    return NULL;
}

/* Returns whether the bytes are one complete response with status 200, by Content-Length or by the last chunk. */
static int is_complete(struct client *client) {
    client->response[client->filled] = '\0';
    char *end = strstr(client->response, "\r\n\r\n");
    if (!end || strncmp(client->response, "HTTP/1.1 200", 12) != 0) return 0;
    size_t head = (size_t)(end - client->response) + 4;
    char saved = client->response[head];
    client->response[head] = '\0';
    const char *coding = field(client->response, "Transfer-Encoding");
    const char *length = field(client->response, "Content-Length");
    int chunked = coding && strncasecmp(coding, "chunked", 7) == 0;
    size_t body = length ? strtoul(length, NULL, 10) : 0;
    client->response[head] = saved;
    if (!chunked) return client->filled >= head + body;
    return client->filled >= head + 5 && memcmp(client->response + client->filled - 5, "0\r\n\r\n", 5) == 0;
}

/* Like read, and also gets when the last byte arrived, in nanoseconds since 1970. */
static ssize_t read_at(int fd, void *bytes, size_t length, uint64_t *arrived_at) {
    union {
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
        struct cmsghdr alignment;
    } control;
    struct iovec part = {bytes, length};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(fd, &message, 0);
    *arrived_at = read_clock(CLOCK_REALTIME);
    struct cmsghdr *stamp = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (stamp && stamp->cmsg_level == SOL_SOCKET && stamp->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec time;
        memcpy(&time, CMSG_DATA(stamp), sizeof time);
        *arrived_at = nanoseconds(time);
    }
    return got;
}

/* Reads the available bytes. Returns 1 if this client is done: completely answered, or broken. */
static int receive(struct client *client) {
    for (;;) {
        uint64_t arrived_at;
        size_t room = RESPONSE_MAX - 1 - client->filled;
        ssize_t got = read_at(client->fd, client->response + client->filled, room, &arrived_at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) return 0;
        if (got <= 0) return 1;
        client->filled += (size_t)got;
        if (is_complete(client)) {
            client->done_at = arrived_at;
            return 1;
        }
        if (client->filled == RESPONSE_MAX - 1) return 1;
    }
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void report(struct client *clients, long count, long delay_ms) {
    double *late = calloc((size_t)count, sizeof *late);
    if (!late) fail("calloc");
    long answered = 0;
    for (long i = 0; i < count; i++) {
        if (clients[i].done_at)
            late[answered++] = (double)(clients[i].done_at - clients[i].sent_at) / 1e6 - (double)delay_ms;
    }
    qsort(late, (size_t)answered, sizeof *late, compare);
    double earliest = 0, p50 = 0, p99 = 0, latest = 0;
    if (answered) {
        earliest = late[0];
        p50 = late[answered / 2];
        p99 = late[answered * 99 / 100];
        latest = late[answered - 1];
    }
    printf("{\"sent\": %ld, \"lost\": %ld, \"earliest\": %.3f, \"p50\": %.3f, \"p99\": %.3f, \"latest\": %.3f}\n",
        count, count - answered, earliest, p50, p99, latest);
    free(late);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: delayed PORT PATH COUNT DELAY_MS SPREAD_MS\n");
        return 2;
    }
    uint16_t port = (uint16_t)number(argv[1], 1, 65535);
    long count = number(argv[3], 1, 1000000);
    long delay_ms = number(argv[4], 0, 60000);
    long spread_ms = number(argv[5], 0, 60000);

    char request[1024];
    const char *form = "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n";
    int request_length = snprintf(request, sizeof request, form, argv[2], port);
    if (request_length < 0 || (size_t)request_length >= sizeof request) {
        fprintf(stderr, "delayed: the path is too long\n");
        return 2;
    }

    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) < 0) fail("getrlimit");
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) < 0) fail("setrlimit");

    struct client *clients = calloc((size_t)count, sizeof *clients);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!clients) fail("calloc");
    if (epoll < 0) fail("epoll_create1");
    for (long i = 0; i < count; i++) {
        clients[i].fd = open_connection(port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &clients[i]};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i].fd, &event) < 0) fail("epoll_ctl");
    }

    uint64_t start = now_ns();
    uint64_t deadline = start + (uint64_t)(delay_ms + spread_ms) * 1000000ull + GRACE_NS;
    uint64_t step = (uint64_t)spread_ms * 1000000ull / (uint64_t)count;
    long sent = 0, finished = 0;
    while (finished < count && now_ns() < deadline) {
        while (sent < count && now_ns() >= start + (uint64_t)sent * step) {
            clients[sent].sent_at = read_clock(CLOCK_REALTIME);
            if (write(clients[sent].fd, request, (size_t)request_length) != request_length) fail("write");
            sent++;
            /* With a step of zero, reading the first answers must not wait until the last request is sent. */
            if (sent % 64 == 0) break;
        }
        struct epoll_event events[EVENTS_MAX];
        int ready = epoll_wait(epoll, events, EVENTS_MAX, 0);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < ready; i++) {
            struct client *client = events[i].data.ptr;
            if (receive(client)) {
                epoll_ctl(epoll, EPOLL_CTL_DEL, client->fd, NULL);
                finished++;
            }
        }
    }
    report(clients, count, delay_ms);
    for (long i = 0; i < count; i++) close(clients[i].fd);
    free(clients);
    return 0;
}
