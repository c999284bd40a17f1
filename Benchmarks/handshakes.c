/*
 * A load generator for full TLS handshakes: one request per connection, one after another, without session resumption.
 *
 *     handshakes PORT PATH SECONDS
 *
 * Prints `RESULT`, the number of requests and the microseconds for all of them. Fails at the first one that is not
 * answered with a 200 over TLS 1.3.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int fail(const char *what) {
    fprintf(stderr, "handshakes: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Opens a connection without Nagle's algorithm, which is reset on close so that no TIME_WAIT is left. */
static int opened(uint16_t port) {
    int client = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    int on = 1;
    if (client < 0 || connect(client, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    return client;
}

static void ask(SSL_CTX *context, uint16_t port, const char *request, size_t length) {
    int client = opened(port);
    SSL *ssl = SSL_new(context);
    if (ssl == NULL || SSL_set_fd(ssl, client) != 1 || SSL_set_tlsext_host_name(ssl, "localhost") != 1) fail("SSL_new");
    if (SSL_connect(ssl) != 1) fail("the handshake");
    if (SSL_session_reused(ssl)) fail("a session was resumed");
    if (SSL_write(ssl, request, (int)length) != (int)length) fail("SSL_write");
    char answer[65536];
    size_t count = 0;
    /* A head and a body of known length arrive in one or more records; the head is enough. */
    while (count < 12 || memmem(answer, count, "\r\n\r\n", 4) == NULL) {
        int part = count < sizeof answer ? SSL_read(ssl, answer + count, (int)(sizeof answer - count)) : 0;
        if (part <= 0) fail("SSL_read");
        count += (size_t)part;
    }
    if (memcmp(answer, "HTTP/1.1 200", 12) != 0) fail("the status is not 200");
    SSL_free(ssl);
    close(client);
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    uint16_t port = (uint16_t)atoi(arguments[1]);
    char request[4096];
    int length = snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", arguments[2]);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL || length >= (int)sizeof request) return 2;
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    int64_t began = now_microseconds(), end = began + (int64_t)(atof(arguments[3]) * 1e6), requests = 0;
    for (; now_microseconds() < end; requests++) ask(context, port, request, (size_t)length);
    printf("RESULT %lld %lld\n", (long long)requests, (long long)(now_microseconds() - began));
    return 0;
}
