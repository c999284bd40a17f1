/*
 * A minimal echo server for WebSocket messages: libevent's loop, one thread, the daemon's own codec for frames, and
 * nothing else.
 *
 *     echo PORT
 *
 * It is the baseline for what a message costs the daemon. It accepts any request for an upgrade, and has no limits. At
 * SIGUSR1 it sends a text of 1 KiB to all clients.
 */
#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cr_websocket.h"

#define ROOM 65536

struct client {
    LIST_ENTRY(client) link;
    struct event *readable;
    bool is_open;
    cr_ws_reader reader;
};

static LIST_HEAD(, client) clients = LIST_HEAD_INITIALIZER(clients);

/* Shared by all clients: a message is read and sent within one callback. */
static uint8_t input[ROOM], output[ROOM + CR_WS_HEADER_ROOM * 1024];

static void end(struct client *client) {
    evutil_socket_t fd = event_get_fd(client->readable);
    LIST_REMOVE(client, link);
    event_free(client->readable);
    cr_ws_reader_clear(&client->reader);
    free(client);
    close(fd);
}

/* Answers the handshake. Returns false if it is malformed. */
static bool welcome(struct client *client, evutil_socket_t fd, char *head) {
    char *key = strcasestr(head, "Sec-WebSocket-Key:"), accept[CR_WS_ACCEPT_LENGTH], answer[256];
    if (key == NULL) return false;
    key += strlen("Sec-WebSocket-Key:");
    while (*key == ' ') key++;
    if (!cr_ws_accept(accept, (uint8_t *)key, strcspn(key, "\r\n"))) return false;
    int length = snprintf(
        answer, sizeof answer,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %.*s\r\n\r\n",
        CR_WS_ACCEPT_LENGTH, accept);
    client->is_open = true;
    return send(fd, answer, (size_t)length, MSG_NOSIGNAL) == length;
}

static void readable(evutil_socket_t fd, short what, void *context) {
    (void)what;
    struct client *client = context;
    ssize_t count = recv(fd, input, sizeof input - 1, 0);
    if (count <= 0) return end(client);
    input[count] = 0;
    if (!client->is_open) {
        if (!welcome(client, fd, (char *)input)) end(client);
        return;
    }
    uint8_t *at = input;
    size_t length = 0;
    cr_ws_details piece;
    for (;;) {
        cr_ws_event event = cr_ws_next(&client->reader, &at, input + count, &piece);
        if (event == CR_WS_MORE) break;
        if (event != CR_WS_MESSAGE || piece.length + CR_WS_HEADER_ROOM > sizeof output - length) return end(client);
        cr_ws_frame frame = {.opcode = piece.is_text ? CR_WS_TEXT : CR_WS_BINARY, .final = true};
        length += cr_ws_put_header(output + length, &frame, piece.length);
        memcpy(output + length, piece.bytes, piece.length);
        length += piece.length;
    }
    if (length > 0 && send(fd, output, length, MSG_NOSIGNAL) != (ssize_t)length) end(client);
}

static void accepted(
    struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int size, void *context) {
    (void)from, (void)size, (void)context;
    struct client *client = calloc(1, sizeof *client);
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    cr_ws_settings settings = cr_ws_settings_default();
    cr_ws_reader_init(&client->reader, &settings);
    client->readable = event_new(evconnlistener_get_base(listener), fd, EV_READ | EV_PERSIST, readable, client);
    event_add(client->readable, NULL);
    LIST_INSERT_HEAD(&clients, client, link);
}

static void told_all(evutil_socket_t number, short what, void *context) {
    (void)number, (void)what, (void)context;
    uint8_t message[CR_WS_HEADER_ROOM + 1024];
    cr_ws_frame frame = {.opcode = CR_WS_TEXT, .final = true};
    size_t length = cr_ws_put_header(message, &frame, 1024);
    memset(message + length, 'x', 1024);
    struct client *client;
    LIST_FOREACH(client, &clients, link) {
        if (send(event_get_fd(client->readable), message, length + 1024, MSG_NOSIGNAL) < 0) return;
    }
}

static void ended(evutil_socket_t number, short what, void *base) {
    (void)number, (void)what;
    event_base_loopbreak(base);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct event_base *base = event_base_new();
    struct evconnlistener *listener = evconnlistener_new_bind(base, accepted, NULL,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, 4096, (struct sockaddr *)&address, sizeof address);
    if (listener == NULL) return 1;
    struct event *terminated = evsignal_new(base, SIGTERM, ended, base);
    event_add(terminated, NULL);
    struct event *telling = evsignal_new(base, SIGUSR1, told_all, NULL);
    event_add(telling, NULL);
    event_base_dispatch(base);
    return 0;
}
