/* CONNECT from the side that asks, before there is a connection: what follows a proxy's yes is the server's, in TLS. */
#include "knock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cr_knock {
    int fd;
    cr_knock_done *done;
    void *argument;
    struct event event; /* the socket takes more of the head, or has some of the answer */
    cr_answer_reader reader;
    size_t sent, length;
    uint8_t head[];
};

static void finish(cr_knock *knock) {
    event_del(&knock->event);
    cr_answer_reader_clear(&knock->reader);
    free(knock);
}

void cr_knock_cancel(cr_knock *knock) {
    close(knock->fd);
    finish(knock);
}

/* Tells what became of it; `text` is NULL if the way is open. */
static void tell(cr_knock *knock, const char *text) {
    cr_knock_done *done = knock->done;
    void *argument = knock->argument;
    int fd = knock->fd;
    if (text) close(fd);
    finish(knock);
    done(argument, text ? -1 : fd, text ? text : "");
}

static void take_head(cr_knock *knock, const cr_answer *answer, bool is_last) {
    char text[200];
    bool is_open = answer->status / 100 == 2;
    const int length = answer->reason_length < 100 ? (int)answer->reason_length : 100;
    snprintf(text, sizeof text, "it answered %d %.*s", answer->status, length, (const char *)answer->head + answer->reason);
    if (is_open && !is_last) tell(knock, "it sent bytes behind its answer, before the server was spoken to");
    else tell(knock, is_open ? NULL : text);
}

static void take_answer(cr_knock *knock) {
    uint8_t room[4096];
    ssize_t length = recv(knock->fd, room, sizeof room, 0);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (length <= 0) {
        tell(knock, length ? strerror(errno) : "it closed the connection");
        return;
    }
    const uint8_t *bytes = room, *end = room + length;
    for (;;) {
        cr_answer_piece piece;
        switch (cr_answer_next(&knock->reader, &bytes, end, &piece)) {
        case CR_ANSWER_INFORMS: break;
        case CR_ANSWER_HEAD: take_head(knock, &piece.answer, bytes == end); return;
        case CR_ANSWER_REFUSED: tell(knock, cr_fault_text(piece.fault)); return;
        default: return;
        }
    }
}

static void on_ready(evutil_socket_t fd, short what, void *argument) {
    cr_knock *knock = argument;
    if (!(what & EV_WRITE)) {
        take_answer(knock);
        return;
    }
    ssize_t n = send(fd, knock->head + knock->sent, knock->length - knock->sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        tell(knock, strerror(errno));
        return;
    }
    if (n > 0) knock->sent += (size_t)n;
    if (knock->sent < knock->length) return;
    event_del(&knock->event);
    event_assign(&knock->event, event_get_base(&knock->event), fd, EV_READ | EV_PERSIST, on_ready, knock);
    event_add(&knock->event, NULL);
}

cr_knock *cr_knock_start(cr_loop *loop, int fd, const uint8_t *head, size_t length, cr_knock_done *done, void *argument) {
    cr_knock *knock = malloc(sizeof *knock + length);
    if (!knock) return NULL;
    *knock = (cr_knock){.fd = fd, .done = done, .argument = argument, .length = length};
    memcpy(knock->head, head, length);
    /* There is no body behind a yes, and none that matters behind a no. */
    cr_answer_reader_init(&knock->reader, (cr_asked){.head_alone = true});
    event_assign(&knock->event, loop->base, fd, EV_WRITE | EV_PERSIST, on_ready, knock);
    event_add(&knock->event, NULL);
    return knock;
}
