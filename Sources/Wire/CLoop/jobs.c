#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

static int open_wake(cr_mailbox *mailbox) {
#ifdef __linux__
    mailbox->wake_read = mailbox->wake_write = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return mailbox->wake_read < 0 ? -1 : 0;
#else
    int ends[2];
    if (pipe(ends) < 0) return -1;
    mailbox->wake_read = ends[0];
    mailbox->wake_write = ends[1];
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
#endif
}

cr_mailbox *cr_mailbox_new(cr_loop *loop) {
    cr_mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox) return NULL;
    if (open_wake(mailbox) < 0) {
        int error = errno;
        free(mailbox);
        errno = error;
        return NULL;
    }
    mailbox->loop = loop;
    atomic_init(&mailbox->references, 1);
    pthread_mutex_init(&mailbox->lock, NULL);
    return mailbox;
}

void cr_mailbox_release(cr_mailbox *mailbox) {
    if (atomic_fetch_sub(&mailbox->references, 1) > 1) return;
    pthread_mutex_destroy(&mailbox->lock);
    free(mailbox->own.tasks);
    free(mailbox);
}

void cr_mailbox_close(cr_mailbox *mailbox) {
    close(mailbox->wake_read);
    if (mailbox->wake_write != mailbox->wake_read) close(mailbox->wake_write);
    mailbox->wake_read = mailbox->wake_write = -1;
}

static void wake_up(cr_mailbox *mailbox) {
    uint64_t one = 1;
    ssize_t n = write(mailbox->wake_write, &one, sizeof one);
    (void)n; /* EAGAIN: a wake-up is already pending. */
}

/* ---- Jobs of the loop's own thread ------------------------------------------------------------------------------ */

enum {
    INITIAL_TASKS = 16,   /* initial capacity */
    MAX_IDLE_TASKS = 1024 /* capacity kept while the queue is empty */
};

/* Makes room for one more job. Returns false if memory is short. */
static bool make_room(cr_run_queue *queue) {
    if (queue->count < queue->capacity) return true;
    if (queue->capacity > UINT32_MAX / 2) return false;
    uint32_t capacity = queue->capacity ? queue->capacity * 2 : INITIAL_TASKS;
    cr_task *tasks = malloc(capacity * sizeof *tasks);
    if (!tasks) return false;
    for (uint32_t i = 0; i < queue->count; i++) tasks[i] = queue->tasks[(queue->first + i) & (queue->capacity - 1)];
    free(queue->tasks);
    *queue = (cr_run_queue){.tasks = tasks, .count = queue->count, .capacity = capacity};
    return true;
}

/* Posts on the loop's own thread. Returns false if the job has to go through `jobs`. */
static bool post_own(cr_mailbox *mailbox, void (*run)(void *argument), void *argument) {
    cr_run_queue *queue = &mailbox->own;
    /* A job of another thread was posted before. */
    if (atomic_load_explicit(&mailbox->jobs, memory_order_relaxed) || !make_room(queue)) return false;
    queue->tasks[(queue->first + queue->count++) & (queue->capacity - 1)] = (cr_task){run, argument};
    cr_loop_schedule_ready(mailbox->loop);
    return true;
}

/* Runs the first job of the loop's own. */
static void run_own(cr_run_queue *queue) {
    cr_task task = queue->tasks[queue->first];
    queue->first = (queue->first + 1) & (queue->capacity - 1);
    if (--queue->count == 0 && queue->capacity > MAX_IDLE_TASKS) {
        free(queue->tasks);
        *queue = (cr_run_queue){0};
    }
    task.run(task.argument);
}

/* ---- Jobs of any thread ----------------------------------------------------------------------------------------- */

cr_posted cr_mailbox_post(cr_mailbox *mailbox, void (*run)(void *argument), void *argument) {
    if (cr_mailbox_is_current(mailbox) && post_own(mailbox, run, argument)) return CR_POSTED;
    cr_job *job = malloc(sizeof *job);
    if (!job) return CR_POST_FAILED;
    *job = (cr_job){.run = run, .argument = argument};
    pthread_mutex_lock(&mailbox->lock);
    bool ended = mailbox->ended;
    if (!ended) {
        bool was_empty = !atomic_load_explicit(&mailbox->jobs, memory_order_relaxed);
        if (was_empty) {
            atomic_store_explicit(&mailbox->jobs, job, memory_order_relaxed);
        } else {
            mailbox->last_job->next = job;
        }
        mailbox->last_job = job;
        if (was_empty) wake_up(mailbox);
    }
    pthread_mutex_unlock(&mailbox->lock);
    if (ended) free(job);
    return ended ? CR_POST_ENDED : CR_POSTED;
}

static cr_job *collect_jobs(cr_mailbox *mailbox, bool end) {
    pthread_mutex_lock(&mailbox->lock);
    cr_job *jobs = atomic_load_explicit(&mailbox->jobs, memory_order_relaxed);
    atomic_store_explicit(&mailbox->jobs, NULL, memory_order_relaxed);
    mailbox->last_job = NULL;
    if (end) mailbox->ended = true;
    pthread_mutex_unlock(&mailbox->lock);
    return jobs;
}

/* Runs the first collected job, or the first of the loop's own. */
static void run_first(cr_mailbox *mailbox) {
    cr_job *job = mailbox->batch;
    if (!job) {
        run_own(&mailbox->own);
        return;
    }
    mailbox->batch = job->next;
    job->run(job->argument);
    free(job);
}

bool cr_mailbox_run(cr_mailbox *mailbox, uint64_t began_ns) {
    const bool had_jobs = cr_mailbox_waits(mailbox);
    if (!had_jobs) mailbox->batch = collect_jobs(mailbox, false);
    uint32_t own = mailbox->own.count;
    for (uint32_t count = 0; mailbox->batch || own; count++) {
        /* Most jobs are short, and reading the clock costs time. */
        if (count % 4 == 3 && cr_clock_ns() - began_ns >= CR_SLICE_NS) return false;
        if (!mailbox->batch) own--;
        run_first(mailbox);
    }
    /* Jobs that arrived meanwhile have already woken the loop. */
    if (had_jobs && !mailbox->own.count) mailbox->batch = collect_jobs(mailbox, false);
    return !cr_mailbox_waits(mailbox);
}

void cr_mailbox_end(cr_mailbox *mailbox) {
    while (cr_mailbox_waits(mailbox)) run_first(mailbox);
    mailbox->batch = collect_jobs(mailbox, true);
    while (mailbox->batch) run_first(mailbox);
}

bool cr_mailbox_has_ended(cr_mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->lock);
    bool ended = mailbox->ended;
    pthread_mutex_unlock(&mailbox->lock);
    return ended;
}
