/* The limits of connections to servers, shared by all loops. Nothing is locked below the limits. */
#include "call.h"

#include <string.h>

cr_quota *cr_quota_new(const cr_call_limits *limits) {
    cr_quota *quota = calloc(1, sizeof *quota);
    if (!quota) return NULL;
    quota->users = 1;
    quota->limits = *limits;
    if (!quota->limits.connections) quota->limits.connections = 1;
    pthread_mutex_init(&quota->lock, NULL);
    LIST_INIT(&quota->callers);
    return quota;
}

cr_quota *cr_quota_retain(cr_quota *quota) {
    atomic_fetch_add_explicit(&quota->users, 1, memory_order_relaxed);
    return quota;
}

void cr_quota_release(cr_quota *quota) {
    if (atomic_fetch_sub_explicit(&quota->users, 1, memory_order_acq_rel) > 1) return;
    pthread_mutex_destroy(&quota->lock);
    free(quota);
}

const cr_call_limits *cr_quota_limits(const cr_quota *quota) {
    return &quota->limits;
}

uint32_t cr_quota_open(const cr_quota *quota) {
    return atomic_load(&quota->open);
}

uint32_t cr_quota_idle(const cr_quota *quota) {
    return atomic_load(&quota->idle);
}

void cr_quota_add_caller(cr_quota *quota, cr_caller *caller) {
    pthread_mutex_lock(&quota->lock);
    LIST_INSERT_HEAD(&quota->callers, caller, link);
    pthread_mutex_unlock(&quota->lock);
}

void cr_quota_remove_caller(cr_quota *quota, cr_caller *caller) {
    pthread_mutex_lock(&quota->lock);
    LIST_REMOVE(caller, link);
    pthread_mutex_unlock(&quota->lock);
}

static bool count_one(_Atomic uint32_t *count, uint32_t limit) {
    uint32_t before = atomic_load(count);
    do {
        if (before >= limit) return false;
    } while (!atomic_compare_exchange_weak(count, &before, before + 1));
    return true;
}

bool cr_quota_acquire_connection(cr_quota *quota) {
    return count_one(&quota->open, quota->limits.connections);
}

bool cr_quota_acquire_idle(cr_quota *quota) {
    return count_one(&quota->idle, quota->limits.idle);
}

void cr_quota_release_idle(cr_quota *quota) {
    atomic_fetch_sub(&quota->idle, 1);
}

/* ---- Other loops --------------------------------------------------------------------------------------------- */

static void serve(void *argument) {
    cr_caller *caller = argument;
    if (!caller->ended) cr_caller_serve_queue(caller);
    cr_caller_unref(caller);
}

static void close_one(void *argument) {
    cr_caller *caller = argument;
    if (!caller->ended) cr_caller_close_oldest(caller);
    cr_caller_unref(caller);
}

/* Runs a job on the caller's loop. The job holds a reference to the caller. */
static bool post(cr_caller *caller, void (*job)(void *argument)) {
    atomic_fetch_add(&caller->users, 1);
    if (cr_mailbox_post(caller->mailbox, job, caller) == CR_POSTED) return true;
    /* Not the last reference: the caller is in the list. */
    atomic_fetch_sub(&caller->users, 1);
    return false;
}

void cr_quota_count_waiting(cr_quota *quota, int change) {
    atomic_fetch_add(&quota->waiting, (uint32_t)change);
}

void cr_quota_release_connection(cr_quota *quota) {
    atomic_fetch_sub(&quota->open, 1);
    if (!atomic_load(&quota->waiting)) return;
    pthread_mutex_lock(&quota->lock);
    cr_caller *caller;
    LIST_FOREACH(caller, &quota->callers, link) {
        if (atomic_load(&caller->waiting)) post(caller, serve);
    }
    pthread_mutex_unlock(&quota->lock);
}

void cr_quota_evict_elsewhere(cr_quota *quota, const cr_caller *requester) {
    pthread_mutex_lock(&quota->lock);
    cr_caller *caller;
    LIST_FOREACH(caller, &quota->callers, link) {
        if (caller != requester && atomic_load(&caller->idle_count) && post(caller, close_one)) break;
    }
    pthread_mutex_unlock(&quota->lock);
}
