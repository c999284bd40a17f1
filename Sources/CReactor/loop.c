#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

/* One signal that somebody wants to hear of. */
typedef struct cr_signal {
    struct cr_signal *next;
    struct event event;
    void (*callback)(void *argument);
    void *argument;
} cr_signal;

struct cr_timer {
    LIST_ENTRY(cr_timer) link;
    struct event event;
    uint64_t due_ns;
    void (*callback)(void *argument);
    void (*drop)(void *argument);
    void *argument;
};

const char *cr_event_library(void) {
    return event_get_version();
}

cr_config cr_config_default(void) {
    return (cr_config){
        .head_limit = 32 * 1024,
        .target_limit = 32 * 1024,
        .body_limit = 100ull * 1024 * 1024,
        .connection_limit = 60000,
        .head_timeout_ms = 30000,
        .body_timeout_ms = 30000,
        .idle_timeout_ms = 75000,
        .linger_timeout_ms = 2000,
    };
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
    loop->wall_offset_ns = clock_ns(CLOCK_REALTIME) - cr_clock_ns();
}

/* Rounds up: a wait is never shorter than it was asked to be. */
struct timeval cr_timeval(uint64_t ns) {
    uint64_t us = ns / 1000 + (ns % 1000 != 0);
    return (struct timeval){.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)};
}

/* ---- Events of the loop itself ------------------------------------------------------------------------------- */

/* How often deadlines are looked at: a quarter of the shortest time-out, between 25 ms and 1 s. */
uint64_t cr_sweep_interval_ns(const cr_config *config) {
    uint64_t shortest = config->head_timeout_ms;
    if (config->body_timeout_ms < shortest) shortest = config->body_timeout_ms;
    if (config->idle_timeout_ms < shortest) shortest = config->idle_timeout_ms;
    if (config->linger_timeout_ms < shortest) shortest = config->linger_timeout_ms;
    uint64_t ms = shortest / 4;
    return (ms < 25 ? 25 : ms > 1000 ? 1000 : ms) * 1000000ull;
}

static void on_sweep(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_loop *loop = argument;
    cr_loop_read_wall_clock(loop);
    cr_conn_sweep(loop, cr_loop_read_clock(loop));
    if (loop->connections == 0) event_del(&loop->sweep);
}

static void on_drain_deadline(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_loop_stop(argument);
}

static void on_accept_again(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_loop *loop = argument;
    if (!loop->full) cr_listeners_set_accepting(loop, true);
}

static cr_job *take_jobs(cr_loop *loop) {
    pthread_mutex_lock(&loop->lock);
    cr_job *jobs = loop->jobs;
    loop->jobs = loop->last_job = NULL;
    pthread_mutex_unlock(&loop->lock);
    return jobs;
}

static void run_jobs(cr_loop *loop) {
    for (cr_job *job = take_jobs(loop); job;) {
        cr_job *next = job->next;
        job->run(job->argument);
        free(job);
        job = next;
    }
}

static void on_wake(evutil_socket_t fd, short what, void *argument) {
    (void)what;
    uint8_t drained[64];
    ssize_t n = read(fd, drained, sizeof drained);
    (void)n; /* EAGAIN is fine: the jobs were taken by an earlier wake-up. */
    run_jobs(argument);
}

static int open_wake(cr_loop *loop) {
#ifdef __linux__
    loop->wake_read = loop->wake_write = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return loop->wake_read < 0 ? -1 : 0;
#else
    int ends[2];
    if (pipe(ends) < 0) return -1;
    loop->wake_read = ends[0];
    loop->wake_write = ends[1];
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
#endif
}

static void close_wake(cr_loop *loop) {
    if (loop->wake_read >= 0) close(loop->wake_read);
    if (loop->wake_write >= 0 && loop->wake_write != loop->wake_read) close(loop->wake_write);
}

/* ---- Life ---------------------------------------------------------------------------------------------------- */

static struct event_base *new_base(void) {
    struct event_config *config = event_config_new();
    if (!config) return NULL;
    /* One thread a base: no locks. No cached time: a delay must not begin before its request came. */
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME);
    /* Without it timers go by a clock of 4 ms steps, and half of all delays would be 2 ms late. */
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

cr_loop *cr_loop_new(const cr_config *config, const cr_handler *handler) {
    signal(SIGPIPE, SIG_IGN);
    cr_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->config = *config;
    loop->handler = *handler;
    loop->wake_read = loop->wake_write = -1;
    cr_loop_read_wall_clock(loop);
    TAILQ_INIT(&loop->listeners);
    LIST_INIT(&loop->timers);
    for (int kind = 0; kind < CR_WAITING_KINDS; kind++) TAILQ_INIT(&loop->waiting[kind]);
    init_lock(&loop->lock);

    loop->base = new_base();
    if (!loop->base || open_wake(loop) < 0) goto err;
    event_assign(&loop->wake, loop->base, loop->wake_read, EV_READ | EV_PERSIST, on_wake, loop);
    event_assign(&loop->sweep, loop->base, -1, EV_PERSIST, on_sweep, loop);
    event_assign(&loop->drain_deadline, loop->base, -1, 0, on_drain_deadline, loop);
    event_assign(&loop->accept_again, loop->base, -1, 0, on_accept_again, loop);
    if (event_add(&loop->wake, NULL) < 0) goto err;
    return loop;

err:;
    int error = errno ? errno : ENOMEM;
    close_wake(loop);
    if (loop->base) event_base_free(loop->base);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
    errno = error;
    return NULL;
}

/* Marks the end, so that later posts run at once, and runs those that came before it. No loop thread is left to order
 * them, so the lock does. */
static void end(cr_loop *loop) {
    pthread_mutex_lock(&loop->lock);
    loop->ended = true;
    run_jobs(loop);
    pthread_mutex_unlock(&loop->lock);
}

void cr_loop_free(cr_loop *loop) {
    end(loop);
    cr_listeners_close(loop);
    cr_conn_close_all(loop);
    while (!LIST_EMPTY(&loop->timers)) {
        cr_timer *timer = LIST_FIRST(&loop->timers);
        void (*drop)(void *) = timer->drop;
        void *argument = timer->argument;
        cr_timer_cancel(timer);
        if (drop) drop(argument);
    }
    while (loop->signals) {
        cr_signal *signal = loop->signals;
        loop->signals = signal->next;
        event_del(&signal->event);
        free(signal);
    }
    event_del(&loop->wake);
    event_del(&loop->sweep);
    event_del(&loop->drain_deadline);
    event_del(&loop->accept_again);
    close_wake(loop);
    event_base_free(loop->base);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

void cr_loop_run(cr_loop *loop) {
    loop->runner = pthread_self();
    atomic_store(&loop->running, true);
    event_base_dispatch(loop->base);
    atomic_store(&loop->running, false);
    end(loop);
}

static void *run_thread(void *argument) {
    cr_loop_run(argument);
    return NULL;
}

int cr_loop_start(cr_loop *loop) {
    int code = pthread_create(&loop->started, NULL, run_thread, loop);
    loop->joinable = code == 0;
    return code;
}

void cr_loop_join(cr_loop *loop) {
    if (!loop->joinable) return;
    loop->joinable = false;
    pthread_join(loop->started, NULL);
}

bool cr_loop_is_current(const cr_loop *loop) {
    return atomic_load(&loop->running) && pthread_equal(loop->runner, pthread_self());
}

static void wake_up(cr_loop *loop) {
    uint64_t one = 1;
    ssize_t n = write(loop->wake_write, &one, sizeof one);
    (void)n; /* EAGAIN means that a wake-up is already on its way. */
}

bool cr_loop_post(cr_loop *loop, void (*run)(void *argument), void *argument) {
    cr_job *job = malloc(sizeof *job);
    if (!job) return false;
    *job = (cr_job){.run = run, .argument = argument};
    pthread_mutex_lock(&loop->lock);
    bool was_empty = loop->jobs == NULL;
    if (loop->ended) {
        free(job);
        run(argument);
    } else {
        if (was_empty) {
            loop->jobs = job;
        } else {
            loop->last_job->next = job;
        }
        loop->last_job = job;
        if (was_empty) wake_up(loop);
    }
    pthread_mutex_unlock(&loop->lock);
    return true;
}

void cr_loop_stop(cr_loop *loop) {
    event_base_loopbreak(loop->base);
}

void cr_loop_drain(cr_loop *loop, uint32_t timeout_ms) {
    if (loop->draining) return;
    loop->draining = true;
    cr_listeners_close(loop);
    cr_conn_drain(loop);
    if (loop->connections == 0) {
        cr_loop_stop(loop);
        return;
    }
    struct timeval delay = cr_timeval((uint64_t)timeout_ms * 1000000);
    event_add(&loop->drain_deadline, &delay);
}

uint32_t cr_loop_connections(const cr_loop *loop) {
    return loop->connections;
}

/* ---- Signals and timers -------------------------------------------------------------------------------------- */

static void on_signal(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_signal *signal = argument;
    signal->callback(signal->argument);
}

int cr_loop_on_signal(cr_loop *loop, int signum, void (*callback)(void *argument), void *argument) {
    cr_signal *signal = calloc(1, sizeof *signal);
    if (!signal) return ENOMEM;
    signal->callback = callback;
    signal->argument = argument;
    event_assign(&signal->event, loop->base, signum, EV_SIGNAL | EV_PERSIST, on_signal, signal);
    if (event_add(&signal->event, NULL) < 0) {
        free(signal);
        return errno ? errno : EINVAL;
    }
    /* Whoever started this process may have blocked it in the thread that did so, and the mask is inherited. */
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, signum);
    pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
    signal->next = loop->signals;
    loop->signals = signal;
    return 0;
}

static void arm_timer(cr_timer *timer, uint64_t delay_ns) {
    struct timeval delay = cr_timeval(delay_ns);
    event_add(&timer->event, &delay);
}

static void on_timer(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_timer *timer = argument;
    /* Where the event library has no precise clock, it may be early. */
    uint64_t now = cr_clock_ns();
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

cr_timer *cr_timer_start(cr_loop *loop, uint64_t delay_ns, void (*callback)(void *argument),
                         void (*drop)(void *argument), void *argument) {
    cr_timer *timer = calloc(1, sizeof *timer);
    if (!timer) return NULL;
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
