/* CONNECT from the side that asks, before there is a connection: what follows a proxy's yes is the server's, in TLS. */
#include "knock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REASON = 100 /* bytes that are told of a proxy's no */ };

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
    /* One that is cut may end with half of a word, such as a password, that whoever shows it looks for. */
    const int length = answer->reason_length <= MOST_REASON ? (int)answer->reason_length : 0;
    const char *reason = (const char *)answer->head + answer->reason;
    snprintf(text, sizeof text, "it answered %d%s%.*s", answer->status, length ? " " : "", length, reason);
    if (is_open && !is_last) tell(knock, "it sent bytes behind its answer, before the server was spoken to");
    else tell(knock, is_open ? NULL : text);
}

/* Why what it answered is not taken. */
static const char *text_of(cr_fault fault) {
    if (fault == CR_HEAD_TOO_LARGE) return "the head of its answer is larger than the limit";
    if (fault == CR_IS_TLS) return "it speaks TLS, and is called in the clear";
    return cr_fault_text(fault);
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
        case CR_ANSWER_REFUSED: tell(knock, text_of(piece.fault)); return;
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
