#include "loop.h"

#include <errno.h>
#include <stdlib.h>

struct cr_watch {
    LIST_ENTRY(cr_watch) link;
    struct event readable, writable;
    int interest; /* the added events: CR_READABLE, CR_WRITABLE */
    void (*ready)(void *argument, int what);
    void (*drop)(void *argument);
    void *argument;
};

static void on_readable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_watch *watch = argument;
    watch->ready(watch->argument, CR_READABLE);
}

static void on_writable(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_watch *watch = argument;
    watch->ready(watch->argument, CR_WRITABLE);
}

/* Adds or removes one event if its bit changed. Returns 0 or an errno value. */
static int change(cr_watch *watch, struct event *event, int interest, int bit) {
    if (!((watch->interest ^ interest) & bit)) return 0;
    errno = 0;
    if ((interest & bit ? event_add(event, NULL) : event_del(event)) < 0) return errno ? errno : ENOMEM;
    watch->interest ^= bit;
    return 0;
}

int cr_watch_change(cr_watch *watch, int interest) {
    int error = change(watch, &watch->readable, interest, CR_READABLE);
    return error ? error : change(watch, &watch->writable, interest, CR_WRITABLE);
}

cr_watch *cr_watch_start(cr_loop *loop, int fd, int interest, void (*ready)(void *argument, int what),
    void (*drop)(void *argument), void *argument) {
    if (cr_mailbox_has_ended(loop->mailbox)) {
        errno = ECANCELED;
        return NULL;
    }
    cr_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    watch->ready = ready;
    watch->drop = drop;
    watch->argument = argument;
    event_assign(&watch->readable, loop->base, fd, EV_READ | EV_PERSIST, on_readable, watch);
    event_assign(&watch->writable, loop->base, fd, EV_WRITE | EV_PERSIST, on_writable, watch);
    LIST_INSERT_HEAD(&loop->watches, watch, link);
    int error = cr_watch_change(watch, interest);
    if (error) {
        cr_watch_stop(watch);
        errno = error;
        return NULL;
    }
    return watch;
}

void cr_watch_stop(cr_watch *watch) {
    LIST_REMOVE(watch, link);
    event_del(&watch->readable);
    event_del(&watch->writable);
    free(watch);
}

void cr_watches_drop(cr_loop *loop) {
    while (!LIST_EMPTY(&loop->watches)) {
        cr_watch *watch = LIST_FIRST(&loop->watches);
        void (*drop)(void *) = watch->drop;
        void *argument = watch->argument;
        cr_watch_stop(watch);
        if (drop) drop(argument);
    }
}
