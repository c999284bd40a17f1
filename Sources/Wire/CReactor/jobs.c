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

cr_mailbox *cr_mailbox_new(void) {
    cr_mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox) return NULL;
    if (open_wake(mailbox) < 0) {
        int error = errno;
        free(mailbox);
        errno = error;
        return NULL;
    }
    atomic_init(&mailbox->references, 1);
    pthread_mutex_init(&mailbox->lock, NULL);
    return mailbox;
}

void cr_mailbox_release(cr_mailbox *mailbox) {
    if (atomic_fetch_sub(&mailbox->references, 1) > 1) return;
    pthread_mutex_destroy(&mailbox->lock);
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
    (void)n; /* EAGAIN means that a wake-up is already pending. */
}

cr_posted cr_mailbox_post(cr_mailbox *mailbox, void (*run)(void *argument), void *argument) {
    cr_job *job = malloc(sizeof *job);
    if (!job) return CR_POST_FAILED;
    *job = (cr_job){.run = run, .argument = argument};
    pthread_mutex_lock(&mailbox->lock);
    bool ended = mailbox->ended;
    if (!ended) {
        bool was_empty = mailbox->jobs == NULL;
        if (was_empty) {
            mailbox->jobs = job;
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

static cr_job *take(cr_mailbox *mailbox, bool end) {
    pthread_mutex_lock(&mailbox->lock);
    cr_job *jobs = mailbox->jobs;
    mailbox->jobs = mailbox->last_job = NULL;
    if (end) mailbox->ended = true;
    pthread_mutex_unlock(&mailbox->lock);
    return jobs;
}

/* Runs the first of the jobs that were taken. */
static void run_first(cr_mailbox *mailbox) {
    cr_job *job = mailbox->begun;
    mailbox->begun = job->next;
    job->run(job->argument);
    free(job);
}

bool cr_mailbox_run(cr_mailbox *mailbox) {
    const bool were_left = mailbox->begun != NULL;
    if (!were_left) mailbox->begun = take(mailbox, false);
    const uint64_t began_ns = cr_clock_ns();
    for (uint32_t count = 0; mailbox->begun; count++) {
        /* Most jobs are short, and a look at the clock is not free. */
        if (count % 4 == 3 && cr_clock_ns() - began_ns >= CR_TURN_NS) return false;
        run_first(mailbox);
    }
    /* Those that came meanwhile have woken the loop already. */
    if (were_left) mailbox->begun = take(mailbox, false);
    return !mailbox->begun;
}

void cr_mailbox_end(cr_mailbox *mailbox) {
    while (mailbox->begun) run_first(mailbox);
    mailbox->begun = take(mailbox, true);
    while (mailbox->begun) run_first(mailbox);
}

bool cr_mailbox_has_ended(cr_mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->lock);
    bool ended = mailbox->ended;
    pthread_mutex_unlock(&mailbox->lock);
    return ended;
}
