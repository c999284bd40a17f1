#include "loop.h"

#include <stdlib.h>

struct cr_timer {
    LIST_ENTRY(cr_timer) link;
    cr_loop *loop;
    struct event event;
    uint64_t due_ns;
    void (*callback)(void *argument);
    void (*drop)(void *argument);
    void *argument;
};

static void arm_timer(cr_timer *timer, uint64_t delay_ns) {
    struct timeval delay = cr_timeval(delay_ns);
    event_add(&timer->event, &delay);
}

static void on_timer(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_timer *timer = argument;
    /* Without a precise clock, libevent may fire early. */
    uint64_t now = cr_loop_read_clock(timer->loop);
    if (now < timer->due_ns) {
        arm_timer(timer, timer->due_ns - now);
        return;
    }
    void (*callback)(void *) = timer->callback;
    void *callback_argument = timer->argument;
    LIST_REMOVE(timer, link);
    free(timer);
    callback(callback_argument);
}

cr_timer *cr_timer_start(
    cr_loop *loop, uint64_t delay_ns, void (*callback)(void *argument), void (*drop)(void *argument), void *argument) {
    cr_timer *timer = calloc(1, sizeof *timer);
    if (!timer) return NULL;
    timer->loop = loop;
    timer->callback = callback;
    timer->drop = drop;
    timer->argument = argument;
    uint64_t now = cr_clock_ns();
    timer->due_ns = delay_ns < UINT64_MAX - now ? now + delay_ns : UINT64_MAX;
    event_assign(&timer->event, loop->base, -1, 0, on_timer, timer);
    arm_timer(timer, delay_ns);
    LIST_INSERT_HEAD(&loop->timers, timer, link);
    return timer;
}

void cr_timer_cancel(cr_timer *timer) {
    LIST_REMOVE(timer, link);
    event_del(&timer->event);
    free(timer);
}

void cr_timers_drop(cr_loop *loop) {
    while (!LIST_EMPTY(&loop->timers)) {
        cr_timer *timer = LIST_FIRST(&loop->timers);
        void (*drop)(void *) = timer->drop;
        void *argument = timer->argument;
        cr_timer_cancel(timer);
        if (drop) drop(argument);
    }
}
