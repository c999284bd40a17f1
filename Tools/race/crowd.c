/*
 * Many clients that request one path as fast as they are answered.
 *
 *     crowd PORT PATH REQUESTS CLIENTS
 *
 * Opens CLIENTS connections to 127.0.0.1 and sends REQUESTS requests, one at a time on each. Prints a line
 * "STATUS BODY COUNT" for each different answer, its body without chunks and at most 63 letters long. Fails if a
 * connection ends, an answer is not HTTP, or nothing arrives for 60 s.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MAX 8192
#define BODY_MAX 64
#define KINDS_MAX 64
#define CLIENTS_MAX 4096
#define PATIENCE_MS 60000

struct client {
    int is_asking;
    size_t filled;           /* bytes in `answer` */
    char answer[ANSWER_MAX]; /* ends with a NUL while it is parsed */
};

struct kind {
    int status;
    char body[BODY_MAX];
    long count;
};

static struct kind kinds[KINDS_MAX];
static int kind_count;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "crowd: %s: %s\n", what, why);
    exit(1);
}

static long number(const char *text, long lowest, long highest) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < lowest || value > highest) {
        fprintf(stderr, "crowd: expected a number from %ld to %ld, found '%s'\n", lowest, highest, text);
        exit(2);
    }
    return value;
}

static int open_connection(long port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    if (fd < 0) fail("socket", strerror(errno));
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect", strerror(errno));
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) fail("TCP_NODELAY", strerror(errno));
    if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0) fail("O_NONBLOCK", strerror(errno));
    return fd;
}

static void count(int status, const char *body, size_t length) {
    if (length >= BODY_MAX) length = BODY_MAX - 1;
    for (int i = 0; i < kind_count; i++) {
        struct kind *kind = &kinds[i];
        if (kind->status == status && strlen(kind->body) == length && memcmp(kind->body, body, length) == 0) {
            kind->count++;
            return;
        }
    }
    if (kind_count == KINDS_MAX) fail("answers", "more different ones than can be told apart");
    struct kind *kind = &kinds[kind_count++];
    kind->status = status;
    memcpy(kind->body, body, length);
    kind->count = 1;
}

/* Returns the value of the header line with this name, or NULL. The head is a string. */
static const char *field(const char *head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            return line + 3 + length + strspn(line + 3 + length, " ");
        }
    }
    return NULL;
}

/* Joins the body of a chunked answer in `body`; returns -1 if more must arrive. */
static long unchunked(const char *text, char *body) {
    long length = 0;
    for (;;) {
        const char *line_end = strstr(text, "\r\n");
        if (!line_end) return -1;
        char *end;
        unsigned long size = strtoul(text, &end, 16);
        if (end == text || size > ANSWER_MAX) fail("an answer", "a chunk without a size");
        const char *data = line_end + 2;
        if (strlen(data) < size + 2) return -1;
        if (size == 0) return length;
        if ((size_t)length + size < BODY_MAX) memcpy(body + length, data, size);
        length += (long)size;
        text = data + size + 2;
    }
}

/* Counts the answer if it is complete. Only one is in flight, so all bytes belong to it. */
static int take(struct client *client) {
    client->answer[client->filled] = '\0';
    char *end = strstr(client->answer, "\r\n\r\n");
    if (!end) return 0;
    if (strncmp(client->answer, "HTTP/1.1 ", 9) != 0) fail("an answer", "no HTTP");
    const char *start = end + 4;
    char body[BODY_MAX] = "";
    *end = '\0';
    const char *coding = field(client->answer, "Transfer-Encoding");
    const char *length_field = field(client->answer, "Content-Length");
    long length = coding ? 0 : length_field ? strtol(length_field, NULL, 10) : 0;
    int is_chunked = coding && strncasecmp(coding, "chunked", 7) == 0;
    int status = atoi(client->answer + 9);
    *end = '\r';
    if (is_chunked) {
        length = unchunked(start, body);
        if (length < 0) return 0;
    } else {
        if ((long)strlen(start) < length) return 0;
        memcpy(body, start, (size_t)(length < BODY_MAX ? length : BODY_MAX - 1));
    }
    count(status, body, (size_t)length);
    client->filled = 0;
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: crowd PORT PATH REQUESTS CLIENTS\n");
        return 2;
    }
    long port = number(argv[1], 1, 65535);
    long requests = number(argv[3], 1, 1000000000);
    long count = number(argv[4], 1, CLIENTS_MAX);
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%ld\r\n\r\n", argv[2], port);
    if (length < 0 || (size_t)length >= sizeof request) fail("the path", "too long");

    struct client *clients = calloc((size_t)count, sizeof *clients);
    struct pollfd *entries = calloc((size_t)count, sizeof *entries);
    if (!clients || !entries) fail("calloc", strerror(errno));
    for (long i = 0; i < count; i++) entries[i] = (struct pollfd){.fd = open_connection(port), .events = POLLIN};

    long sent = 0, answered = 0;
    while (answered < requests) {
        for (long i = 0; i < count && sent < requests; i++) {
            if (clients[i].is_asking) continue;
            if (write(entries[i].fd, request, (size_t)length) != length) fail("write", strerror(errno));
            clients[i].is_asking = 1;
            sent++;
        }
        int ready = poll(entries, (nfds_t)count, PATIENCE_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) fail("poll", ready < 0 ? strerror(errno) : "no answer for 60 s");
        for (long i = 0; i < count; i++) {
            struct client *client = &clients[i];
            if (!entries[i].revents) continue;
            ssize_t got = read(entries[i].fd, client->answer + client->filled, ANSWER_MAX - 1 - client->filled);
            if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (got <= 0) fail("read", got < 0 ? strerror(errno) : "the connection has ended");
            client->filled += (size_t)got;
            if (take(client)) {
                client->is_asking = 0;
                answered++;
            } else if (client->filled == ANSWER_MAX - 1) {
                fail("an answer", "too long");
            }
        }
    }
    for (int i = 0; i < kind_count; i++) printf("%d %s %ld\n", kinds[i].status, kinds[i].body, kinds[i].count);
    return 0;
}
