/* CONNECT through a proxy, on the bare socket: after a 2xx answer, it leads to the server, which speaks TLS. */
#include "proxy_connect.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_REASON = 100 /* bytes of a proxy's reason that are reported */ };

struct cr_proxy_connect {
    int fd;
    cr_proxy_connect_done *done;
    void *argument;
    struct event event; /* writable for the rest of the head, or readable for the answer */
    cr_answer_reader reader;
    size_t sent, length;
    uint8_t head[];
};

static void finish(cr_proxy_connect *proxy_connect) {
    event_del(&proxy_connect->event);
    cr_answer_reader_clear(&proxy_connect->reader);
    free(proxy_connect);
}

void cr_proxy_connect_cancel(cr_proxy_connect *proxy_connect) {
    close(proxy_connect->fd);
    finish(proxy_connect);
}

/* Reports the result; `text` is NULL if the tunnel is open. */
static void report(cr_proxy_connect *proxy_connect, const char *text) {
    cr_proxy_connect_done *done = proxy_connect->done;
    void *argument = proxy_connect->argument;
    int fd = proxy_connect->fd;
    if (text) close(fd);
    finish(proxy_connect);
    done(argument, text ? -1 : fd, text ? text : "");
}

static void handle_head(cr_proxy_connect *proxy_connect, const cr_answer *answer, bool is_last) {
    char text[200];
    bool is_open = answer->status / 100 == 2;
    /* A cut reason could end within a password, which redaction would miss. */
    const int length = answer->reason_length <= MAX_REASON ? (int)answer->reason_length : 0;
    const char *reason = (const char *)answer->head + answer->reason;
    snprintf(text, sizeof text, "it answered %d%s%.*s", answer->status, length ? " " : "", length, reason);
    if (is_open && !is_last) report(proxy_connect, "it sent bytes behind its answer, before the server was spoken to");
    else report(proxy_connect, is_open ? NULL : text);
}

/* Why the answer is rejected. */
static const char *text_of(cr_request_error error) {
    if (error == CR_HEAD_TOO_LARGE) return "the head of its answer is larger than the limit";
    if (error == CR_IS_TLS) return "it speaks TLS, and is called in the clear";
    return cr_request_error_text(error);
}

static void read_answer(cr_proxy_connect *proxy_connect) {
    uint8_t room[4096];
    ssize_t length = recv(proxy_connect->fd, room, sizeof room, 0);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (length <= 0) {
        report(proxy_connect, length ? strerror(errno) : "it closed the connection");
        return;
    }
    const uint8_t *bytes = room, *end = room + length;
    for (;;) {
        cr_answer_details details;
        switch (cr_answer_next(&proxy_connect->reader, &bytes, end, &details)) {
        case CR_ANSWER_INFORMATIONAL: break;
        case CR_ANSWER_HEAD: handle_head(proxy_connect, &details.answer, bytes == end); return;
        case CR_ANSWER_REFUSED: report(proxy_connect, text_of(details.error)); return;
        default: return;
        }
    }
}

static void on_ready(evutil_socket_t fd, short what, void *argument) {
    cr_proxy_connect *proxy_connect = argument;
    if (!(what & EV_WRITE)) {
        read_answer(proxy_connect);
        return;
    }
    ssize_t n =
        send(fd, proxy_connect->head + proxy_connect->sent, proxy_connect->length - proxy_connect->sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        report(proxy_connect, strerror(errno));
        return;
    }
    if (n > 0) proxy_connect->sent += (size_t)n;
    if (proxy_connect->sent < proxy_connect->length) return;
    event_del(&proxy_connect->event);
    event_assign(&proxy_connect->event, event_get_base(&proxy_connect->event), fd, EV_READ | EV_PERSIST, on_ready,
        proxy_connect);
    event_add(&proxy_connect->event, NULL);
}

cr_proxy_connect *cr_proxy_connect_start(
    cr_loop *loop, int fd, const uint8_t *head, size_t length, cr_proxy_connect_done *done, void *argument) {
    cr_proxy_connect *proxy_connect = malloc(sizeof *proxy_connect + length);
    if (!proxy_connect) return NULL;
    *proxy_connect = (cr_proxy_connect){.fd = fd, .done = done, .argument = argument, .length = length};
    memcpy(proxy_connect->head, head, length);
    /* A 2xx to CONNECT has no body, and that of another answer does not matter. */
    cr_answer_reader_init(&proxy_connect->reader, (cr_expected_answer){.is_head = true});
    event_assign(&proxy_connect->event, loop->base, fd, EV_WRITE | EV_PERSIST, on_ready, proxy_connect);
    event_add(&proxy_connect->event, NULL);
    return proxy_connect;
}
