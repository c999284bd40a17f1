/* Prints the server's reading of requests in the format of llhttp.mjs: the same lines in, the same JSON out.
 *
 *     ours [bytes]      the number of bytes that reach the connection at a time; all at once by default
 *
 * The bytes go through a real connection over a pair of sockets, so that the whole server is compared and not only its
 * parser. The output for each connection:
 *
 *   complete    the number of messages served
 *   messages    for each: method, url (the target as sent), versionMinor, headers, trailers, body, keepAlive
 *   incomplete  true if bytes of an unfinished message are left and none of them is wrong
 *   error       null, or { status, reason } of the server's refusal
 *   head        for an unfinished message: its method so far, and its url once that has ended; otherwise null */
#include "http1.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    int complete;
    int status;
    const char *reason;
} result;

/* Ends the answer without sending a byte. */
static const cr_step nothing = {.kind = CR_STEP_END, .ending = CR_KEEP_ALIVE};

static void print_text(const uint8_t *bytes, size_t length) {
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < 0x20 || bytes[i] >= 0x7f || bytes[i] == '"' || bytes[i] == '\\') {
            printf("\\u%04x", bytes[i]);
        } else {
            putchar(bytes[i]);
        }
    }
    putchar('"');
}

static void print_base64(const uint8_t *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    putchar('"');
    for (size_t i = 0; i < length; i += 3) {
        size_t here = length - i < 3 ? length - i : 3;
        uint32_t word = (uint32_t)bytes[i] << 16;
        if (here > 1) word |= (uint32_t)bytes[i + 1] << 8;
        if (here > 2) word |= bytes[i + 2];
        for (size_t digit = 0; digit < 4; digit++) {
            putchar(digit <= here ? digits[word >> (18 - 6 * digit) & 63] : '=');
        }
    }
    putchar('"');
}

static void print_fields(const cr_request *request, size_t from, size_t count) {
    putchar('[');
    for (size_t i = 0; i < count; i++) {
        const cr_field *field = &request->fields[from + i];
        printf(i ? ",[" : "[");
        print_text(request->head + field->name, field->name_length);
        putchar(',');
        print_text(request->head + field->value, field->value_length);
        putchar(']');
    }
    putchar(']');
}

static void on_request(void *context, cr_stream *stream, const cr_request *request) {
    (void)context;
    printf(result.complete++ ? ",{\"method\":" : "{\"method\":");
    print_text(request->head + request->method, request->method_length);
    printf(",\"url\":");
    print_text(request->head + request->target, request->target_length);
    printf(",\"versionMinor\":%d,\"headers\":", request->version_minor);
    print_fields(request, 0, request->field_count);
    printf(",\"trailers\":");
    print_fields(request, request->field_count, request->trailer_count);
    printf(",\"body\":");
    print_base64(request->body, request->body_length);
    printf(",\"keepAlive\":%s}", request->keep_alive ? "true" : "false");
    cr_stream_reply(stream, &nothing, (cr_observer){{0, 0, 0}});
}

static void on_end(void *context, cr_observer observer, const cr_end *end) {
    (void)context, (void)observer, (void)end;
}

static void on_refusal(void *context, int status, const char *reason, const char *peer) {
    (void)context, (void)peer;
    result.status = status;
    result.reason = reason;
}

static void on_log(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static void fail(const char *what) {
    perror(what);
    exit(2);
}

/* The one connection of the loop, or NULL. */
static cr_conn *only_connection(cr_loop *loop) {
    for (int kind = 0; kind < CR_WAITING_KINDS; kind++) {
        if (!TAILQ_EMPTY(&cr_service_of(loop)->waiting[kind])) return TAILQ_FIRST(&cr_service_of(loop)->waiting[kind]);
    }
    return NULL;
}

/* Runs the loop until there is nothing left to read. */
static void settle(cr_loop *loop) {
    for (;;) {
        event_base_loop(loop->base, EVLOOP_NONBLOCK);
        cr_conn *conn = only_connection(loop);
        int waiting = 0;
        if (!conn || ioctl(conn->fd, FIONREAD, &waiting) < 0 || waiting == 0) return;
    }
}

/* Prints the method of an unfinished message so far, and its target once that is complete; or null. */
static void print_head(const cr_conn *conn, bool begun) {
    if (!begun) {
        printf("null");
        return;
    }
    const cr_http1 *http1 = cr_http1_of(conn);
    const cr_head *head = &http1->head;
    const uint8_t *base = http1->phase == CR_HTTP1_BODY ? http1->head_block.bytes : http1->input.bytes;
    printf("{\"method\":");
    if (head->method_length) {
        print_text(base + head->method, head->method_length);
    } else {
        print_text(base + head->mark, head->position - head->mark);
    }
    printf(",\"url\":");
    print_text(base + head->target, head->target_length);
    putchar('}');
}

static void run_case(cr_loop *loop, const uint8_t *bytes, size_t length, size_t portion) {
    memset(&result, 0, sizeof result);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) fail("socketpair");
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFL, O_NONBLOCK);
    struct sockaddr peer = {.sa_family = AF_UNIX};
    static cr_accept_config accept_config = {.users = 1, .protocol = &cr_http1_protocol};
    cr_conn_open(loop, ends[1], &peer, &accept_config);

    printf("{\"messages\":[");
    for (size_t sent = 0; sent < length;) {
        size_t count = length - sent < portion ? length - sent : portion;
        ssize_t n = write(ends[0], bytes + sent, count);
        if (n < 0 && errno != EAGAIN && errno != EPIPE) fail("write");
        if (n < 0 && errno == EPIPE) break;
        if (n > 0) sent += (size_t)n;
        settle(loop);
    }
    settle(loop);
    cr_conn *conn = only_connection(loop);
    /* Empty lines before a request are not part of it. */
    bool begun = conn &&
        (conn->waiting == CR_WAITING_BODY || (conn->waiting == CR_WAITING_HEAD && cr_http1_of(conn)->head.state > 1));
    printf("],\"complete\":%d,\"incomplete\":%s,\"head\":", result.complete, begun ? "true" : "false");
    print_head(conn, begun);
    printf(",\"error\":");
    if (result.status) {
        printf("{\"status\":%d,\"reason\":\"%s\"}}\n", result.status, result.reason);
    } else {
        printf("null}\n");
    }
    if (conn) {
        cr_conn_close(conn, CR_STOPPED);
        cr_conn_free_if_done(conn);
    }
    close(ends[0]);
}

static int digit_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes in place; returns the length. */
static size_t decode(char *line) {
    size_t length = 0;
    uint32_t word = 0;
    int bits = 0;
    for (const char *c = line; digit_value(*c) >= 0; c++) {
        word = word << 6 | (uint32_t)digit_value(*c);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            line[length++] = (char)(word >> bits);
        }
    }
    return length;
}

int main(int count, char **arguments) {
    size_t portion = count > 1 ? strtoul(arguments[1], NULL, 10) : SIZE_MAX;
    if (portion == 0) {
        fprintf(stderr, "usage: %s [bytes at a time]\n", arguments[0]);
        return 2;
    }
    cr_config config = cr_config_default();
    cr_handler handler = {NULL, on_request, on_end, on_refusal, on_log};
    cr_loop *loop = cr_loop_new(&config, &handler);
    if (!loop) fail("cr_loop_new");

    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) >= 0) run_case(loop, (uint8_t *)line, decode(line), portion);
    free(line);
    cr_loop_free(loop);
    return 0;
}
