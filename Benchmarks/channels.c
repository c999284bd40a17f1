/*
 * A load generator for WebSockets: opens many, then executes the commands on standard input, one after another.
 *
 *     channels PORT PATH COUNT
 *
 *     take SIZE             waits until each has received a message of SIZE bytes
 *     echo MESSAGES SIZE    sends MESSAGES messages of SIZE bytes in all, one at a time on each, and awaits the echoes
 *     sent MESSAGES SIZE N  the same on the first of them, N messages in one packet
 *     end                   closes all, and exits
 *
 * Prints `RESULT` and the microseconds taken, for the opening and for each command. Exits with 1 on any error.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define HEADER_MOST 14
#define PATIENCE_MS 60000

struct channel {
    int fd;
    size_t got; /* received bytes of the awaited answer */
};

static struct channel *channels;
static size_t channel_count;
static uint8_t *frame, *answer, *room;
static size_t frame_length, answer_length;

static void fail(const char *what) {
    fprintf(stderr, "channels: %s: %s\n", what, errno ? strerror(errno) : "not as it should be");
    exit(1);
}

static int64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void told(int64_t began) {
    printf("RESULT %lld\n", (long long)(now_microseconds() - began));
    fflush(stdout);
}

static void send_all(int fd, const uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = send(fd, bytes, length, MSG_NOSIGNAL);
        if (count <= 0) fail("send");
        bytes += count;
        length -= (size_t)count;
    }
}

static int opened(uint16_t port, const char *path) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (fd < 0) fail("socket");
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) fail("TCP_NODELAY");
    char text[4096];
    int length = snprintf(
        text, sizeof text,
        "GET %s HTTP/1.1\r\nHost: localhost:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", path, port);
    send_all(fd, (uint8_t *)text, (size_t)length);
    size_t count = 0;
    /* A WebSocket server sends nothing before its first message. */
    while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4) != 0) {
        ssize_t part = count < sizeof text ? recv(fd, text + count, sizeof text - count, 0) : 0;
        if (part <= 0) fail("the handshake");
        count += (size_t)part;
    }
    errno = 0;
    if (memcmp(text, "HTTP/1.1 101", 12) != 0) fail("the status of the handshake");
    return fd;
}

static size_t put_header(uint8_t *at, size_t size, bool masked) {
    uint8_t flag = masked ? 0x80 : 0;
    at[0] = 0x81;
    size_t length = size < 126 ? 2 : size < 65536 ? 4 : 10;
    at[1] = (uint8_t)(flag | (length == 2 ? size : length == 4 ? 126 : 127));
    for (size_t byte = 2; byte < length; byte++) at[byte] = (uint8_t)(size >> 8 * (length - 1 - byte));
    if (masked) memcpy(at + length, "\x12\x34\x56\x78", 4);
    return length + (masked ? 4 : 0);
}

/* Prepares the messages that are sent together, and their answer. */
static void prepare(size_t size, size_t together) {
    frame = realloc(frame, (HEADER_MOST + size) * together);
    answer = realloc(answer, (HEADER_MOST + size) * together);
    room = realloc(room, (HEADER_MOST + size) * together);
    if (frame == NULL || answer == NULL || room == NULL) fail("memory");
    frame_length = put_header(frame, size, true);
    answer_length = put_header(answer, size, false);
    for (size_t byte = 0; byte < size; byte++) {
        uint8_t plain = (uint8_t)('a' + byte % 26);
        frame[frame_length + byte] = plain ^ "\x12\x34\x56\x78"[byte % 4];
        answer[answer_length + byte] = plain;
    }
    frame_length += size;
    answer_length += size;
    for (size_t one = 1; one < together; one++) {
        memcpy(frame + one * frame_length, frame, frame_length);
        memcpy(answer + one * answer_length, answer, answer_length);
    }
    frame_length *= together;
    answer_length *= together;
    for (size_t index = 0; index < channel_count; index++) channels[index].got = 0;
}

/* Continues reading. Returns whether the whole answer is there. */
static bool reads(struct channel *channel, bool compares) {
    ssize_t count = recv(channel->fd, room, answer_length - channel->got, 0);
    if (count <= 0) fail("recv");
    errno = 0;
    if (compares && memcmp(room, answer + channel->got, (size_t)count) != 0) fail("the answer");
    channel->got += (size_t)count;
    return channel->got == answer_length;
}

/* Waits for `count` answers; `sends` of them are followed by the next message on their channel. */
static void wait_for(size_t count, size_t sends, bool compares) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (poll < 0) fail("epoll");
    for (size_t index = 0; index < channel_count; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &channels[index]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, channels[index].fd, &event) < 0) fail("epoll_ctl");
    }
    struct epoll_event events[256];
    while (count > 0) {
        int ready = epoll_wait(poll, events, 256, PATIENCE_MS);
        if (ready <= 0) fail("nothing came");
        for (int index = 0; index < ready && count > 0; index++) {
            struct channel *channel = events[index].data.ptr;
            if (!reads(channel, compares)) continue;
            count--;
            if (sends > 0) {
                sends--;
                channel->got = 0;
                send_all(channel->fd, frame, frame_length);
            } else {
                epoll_ctl(poll, EPOLL_CTL_DEL, channel->fd, NULL);
            }
        }
    }
    close(poll);
}

static void echo(size_t messages, size_t size) {
    prepare(size, 1);
    size_t first = messages < channel_count ? messages : channel_count;
    for (size_t index = 0; index < first; index++) send_all(channels[index].fd, frame, frame_length);
    wait_for(messages, messages - first, true);
}

static void echo_together(size_t messages, size_t size, size_t together) {
    prepare(size, together);
    for (size_t done = 0; done < messages; done += together) {
        channels[0].got = 0;
        send_all(channels[0].fd, frame, frame_length);
        while (!reads(&channels[0], true)) {}
    }
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    uint16_t port = (uint16_t)atoi(arguments[1]);
    channel_count = (size_t)atol(arguments[3]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    channels = calloc(channel_count, sizeof *channels);
    if (channels == NULL) return 2;
    int64_t began = now_microseconds();
    for (size_t index = 0; index < channel_count; index++) channels[index].fd = opened(port, arguments[2]);
    told(began);
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "end", 3) != 0) {
        size_t first, size, together;
        began = now_microseconds();
        if (sscanf(line, "take %zu", &size) == 1) {
            prepare(size, 1);
            wait_for(channel_count, 0, false);
        } else if (sscanf(line, "echo %zu %zu", &first, &size) == 2) {
            echo(first, size);
        } else if (sscanf(line, "sent %zu %zu %zu", &first, &size, &together) == 3 && together > 0) {
            echo_together(first, size, together);
        } else {
            fail(line);
        }
        told(began);
    }
    return 0;
}
