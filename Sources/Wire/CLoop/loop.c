#include "loop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *cr_event_library(void) {
    return event_get_version();
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

uint64_t cr_clock_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t cr_loop_read_clock(cr_loop *loop) {
    return loop->now_ns = cr_clock_ns();
}

void cr_loop_read_wall_clock(cr_loop *loop) {
    for (int readings = 0; readings < 8; readings++) {
        uint64_t before = cr_clock_ns();
        loop->wall_offset_ns = clock_ns(CLOCK_REALTIME) - before;
        if (cr_clock_ns() - before < 10000) return; /* The thread did not pause between the two. */
    }
}

/* Rounds up: a wait is never shorter than requested. */
struct timeval cr_timeval(uint64_t ns) {
    uint64_t us = ns / 1000 + (ns % 1000 != 0);
    return (struct timeval){.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)};
}

/* ---- Events of the loop itself ------------------------------------------------------------------------------- */

static void on_drain_deadline(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_loop_stop(argument);
}

static void on_accept_again(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_listeners_try_again(argument);
}

void cr_loop_schedule_ready(cr_loop *loop) {
    static const struct timeval next_pass = {0, 0};
    if (!event_pending(&loop->ready, EV_TIMEOUT, NULL)) event_add(&loop->ready, &next_pass);
}

static void run_jobs(cr_loop *loop) {
    if (!cr_mailbox_run(loop->mailbox, cr_loop_read_clock(loop))) cr_loop_schedule_ready(loop);
}

static void on_ready(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_loop *loop = argument;
    if (cr_mailbox_waits(loop->mailbox)) run_jobs(loop);
    if (loop->delegate->run_ready(loop)) cr_loop_schedule_ready(loop);
}

static void on_wake(evutil_socket_t fd, short what, void *argument) {
    (void)what;
    cr_loop *loop = argument;
    uint8_t drained[64];
    ssize_t n = read(fd, drained, sizeof drained);
    (void)n; /* EAGAIN: an earlier wake-up took the jobs. */
    run_jobs(loop);
}

/* ---- Creation and end ---------------------------------------------------------------------------------------- */

static struct event_base *new_base(void) {
    struct event_config *config = event_config_new();
    if (!config) return NULL;
    /* One thread per base needs no locks. No cached time, since a delay must not begin before its request arrived. */
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME);
    /* Otherwise timers have a 4 ms clock, and half of all delays are 2 ms late. */
    event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

static void init_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int cr_loop_init(cr_loop *loop, const cr_loop_delegate *delegate, cr_loop_limits limits) {
    loop->delegate = delegate;
    loop->limits = limits;
    cr_loop_read_wall_clock(loop);
    TAILQ_INIT(&loop->listeners);
    LIST_INIT(&loop->timers);
    LIST_INIT(&loop->watches);
    init_lock(&loop->ended_lock);

    loop->base = new_base();
    loop->mailbox = cr_mailbox_new(loop);
    if (!loop->base || !loop->mailbox) goto err;
    event_assign(&loop->wake, loop->base, loop->mailbox->wake_read, EV_READ | EV_PERSIST, on_wake, loop);
    event_assign(&loop->drain_deadline, loop->base, -1, 0, on_drain_deadline, loop);
    event_assign(&loop->accept_again, loop->base, -1, 0, on_accept_again, loop);
    event_assign(&loop->ready, loop->base, -1, 0, on_ready, loop);
    if (event_add(&loop->wake, NULL) < 0) goto err;
    return 0;

err:;
    int error = errno ? errno : ENOMEM;
    if (loop->base) event_base_free(loop->base);
    if (loop->mailbox) {
        cr_mailbox_close(loop->mailbox);
        cr_mailbox_release(loop->mailbox);
    }
    pthread_mutex_destroy(&loop->ended_lock);
    errno = error;
    return -1;
}

/* From now on, posted jobs run at once, ordered by a lock since there is no loop thread. Ends everything that needs a
 * running loop, and drops what its callbacks hold, which may include the loop's owner. */
static void end(cr_loop *loop) {
    pthread_mutex_lock(&loop->ended_lock);
    cr_mailbox_end(loop->mailbox);
    loop->draining = true;
    cr_listeners_close(loop);
    cr_timers_drop(loop);
    cr_watches_drop(loop);
    loop->delegate->drain(loop);
    loop->delegate->stop(loop);
    pthread_mutex_unlock(&loop->ended_lock);
}

void cr_loop_free(cr_loop *loop) {
    end(loop);
    loop->delegate->close(loop);
    event_del(&loop->wake);
    event_del(&loop->drain_deadline);
    event_del(&loop->accept_again);
    event_del(&loop->ready);
    event_base_free(loop->base);
    cr_mailbox_close(loop->mailbox);
    cr_mailbox_release(loop->mailbox);
    pthread_mutex_destroy(&loop->ended_lock);
    loop->delegate->free(loop);
}

/* A write to a closed socket must not end the process. The signal goes to the writing thread, so blocking it here
 * affects no other thread. It stays blocked, as one may be pending. */
static void block_sigpipe(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

void cr_loop_run(cr_loop *loop) {
    block_sigpipe();
    cr_mailbox *mailbox = loop->mailbox;
    mailbox->runner = pthread_self();
    atomic_store(&mailbox->running, true);
    event_base_dispatch(loop->base);
    atomic_store(&mailbox->running, false);
    end(loop);
}

static void *run_thread(void *argument) {
    cr_loop_run(argument);
    return NULL;
}

/* Matching may recurse deeply, and macOS gives a thread only 512 KiB. As large as the daemon's other threads. */
enum { STACK_SIZE = 8 * 1024 * 1024 };

int cr_loop_start(cr_loop *loop) {
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    size_t size = 0;
    pthread_attr_getstacksize(&attributes, &size);
    if (size < STACK_SIZE) pthread_attr_setstacksize(&attributes, STACK_SIZE);
    code = pthread_create(&loop->started, &attributes, run_thread, loop);
    pthread_attr_destroy(&attributes);
    loop->joinable = code == 0;
    return code;
}

void cr_loop_join(cr_loop *loop) {
    if (!loop->joinable) return;
    loop->joinable = false;
    pthread_join(loop->started, NULL);
}

bool cr_mailbox_is_current(const cr_mailbox *mailbox) {
    return atomic_load(&mailbox->running) && pthread_equal(mailbox->runner, pthread_self());
}

bool cr_mailbox_is_running(const cr_mailbox *mailbox) {
    return atomic_load(&mailbox->running);
}

bool cr_loop_is_current(const cr_loop *loop) {
    return cr_mailbox_is_current(loop->mailbox);
}

bool cr_loop_is_running(const cr_loop *loop) {
    return cr_mailbox_is_running(loop->mailbox);
}

bool cr_loop_post(cr_loop *loop, void (*run)(void *argument), void *argument) {
    cr_posted posted = cr_mailbox_post(loop->mailbox, run, argument);
    if (posted == CR_POST_ENDED) {
        pthread_mutex_lock(&loop->ended_lock);
        run(argument);
        pthread_mutex_unlock(&loop->ended_lock);
    }
    return posted != CR_POST_FAILED;
}

cr_mailbox *cr_loop_mailbox(cr_loop *loop) {
    atomic_fetch_add(&loop->mailbox->references, 1);
    return loop->mailbox;
}

void cr_loop_stop(cr_loop *loop) {
    event_base_loopbreak(loop->base);
}

bool cr_loop_is_draining(const cr_loop *loop) {
    return loop->draining;
}

void cr_loop_drain(cr_loop *loop, uint32_t timeout_ms) {
    if (loop->draining) return;
    loop->draining = true;
    cr_listeners_close(loop);
    loop->delegate->drain(loop);
    if (loop->connections == 0 && loop->holds == 0) {
        cr_loop_stop(loop);
        return;
    }
    struct timeval delay = cr_timeval((uint64_t)timeout_ms * 1000000);
    event_add(&loop->drain_deadline, &delay);
}

void cr_loop_end_if_done(cr_loop *loop) {
    if (loop->draining && loop->connections == 0 && loop->holds == 0) cr_loop_stop(loop);
}

void cr_loop_hold(cr_loop *loop) {
    loop->holds++;
}

void cr_loop_release(cr_loop *loop) {
    loop->holds--;
    cr_loop_end_if_done(loop);
}

uint32_t cr_loop_connections(const cr_loop *loop) {
    return loop->connections;
}

void cr_loop_count_clients(const cr_loop *loop, uint32_t *open, uint64_t *accepted) {
    /* A connection that opens or closes meanwhile may be counted in one number only. */
    uint32_t outgoing = loop->outgoing, connections = loop->connections;
    *open = connections > outgoing ? connections - outgoing : 0;
    *accepted = loop->accepted;
}
