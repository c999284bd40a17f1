/* The connection pool of a loop. */
#include "call.h"

#include <string.h>

enum { MAX_HOSTS = 256 }; /* hosts kept for their TLS session only */

/* ---- Callers ------------------------------------------------------------------------------------------------- */

/* Ends all calls and closes all idle connections. */
static void stop(cr_caller *caller) {
    caller->ended = true;
    while (!LIST_EMPTY(&caller->calls)) cr_call_stop(LIST_FIRST(&caller->calls));
    while (cr_caller_close_oldest(caller)) {}
}

static void on_loop_end(void *argument) {
    cr_caller *caller = argument;
    caller->loop_end = NULL;
    stop(caller);
}

static void on_no_time(void *argument) {
    (void)argument;
}

cr_caller *cr_caller_new(cr_loop *loop, cr_quota *quota, const cr_call_hooks *hooks) {
    cr_caller *caller = calloc(1, sizeof *caller);
    if (!caller) return NULL;
    caller->loop_end = cr_timer_start(loop, UINT64_MAX, on_no_time, on_loop_end, caller);
    if (!caller->loop_end) {
        free(caller);
        return NULL;
    }
    caller->users = 1;
    caller->loop = loop;
    caller->mailbox = cr_loop_mailbox(loop);
    caller->quota = cr_quota_retain(quota);
    caller->hooks = *hooks;
    for (int i = 0; i < CR_HOST_BUCKETS; i++) LIST_INIT(&caller->hosts[i]);
    TAILQ_INIT(&caller->idle);
    LIST_INIT(&caller->calls);
    TAILQ_INIT(&caller->queue);
    cr_quota_add_caller(quota, caller);
    return caller;
}

void cr_caller_unref(cr_caller *caller) {
    if (atomic_fetch_sub(&caller->users, 1) > 1) return;
    cr_mailbox_release(caller->mailbox);
    cr_quota_release(caller->quota);
    free(caller);
}

static void free_host(cr_host *host) {
    LIST_REMOVE(host, link);
    host->caller->host_count--;
    if (host->session) cr_session_free(host->session);
    if (host->trust) cr_trust_release(host->trust);
    free(host);
}

void cr_caller_free(cr_caller *caller) {
    if (caller->loop_end) cr_timer_cancel(caller->loop_end);
    caller->loop_end = NULL;
    stop(caller);
    cr_quota_remove_caller(caller->quota, caller);
    for (int i = 0; i < CR_HOST_BUCKETS; i++) {
        while (!LIST_EMPTY(&caller->hosts[i])) free_host(LIST_FIRST(&caller->hosts[i]));
    }
    cr_caller_unref(caller);
}

void cr_caller_serve_queue(cr_caller *caller) {
    /* Each is assigned once; one that has to wait again goes to the end. */
    for (uint32_t count = atomic_load(&caller->waiting); count > 0 && !TAILQ_EMPTY(&caller->queue); count--) {
        cr_call *call = TAILQ_FIRST(&caller->queue);
        cr_call_assign(call);
        if (call->state == CR_CALL_QUEUED) return;
    }
}

bool cr_caller_close_oldest(cr_caller *caller) {
    if (TAILQ_EMPTY(&caller->idle)) return false;
    cr_link_close(TAILQ_FIRST(&caller->idle));
    return true;
}

/* ---- Hosts --------------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const char *name, uint16_t port, const cr_trust *trust) {
    uint32_t hash = 2166136261u ^ port ^ (uint32_t)((uintptr_t)trust >> 4);
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

cr_host *cr_host_ref(cr_caller *caller, const char *name, uint16_t port, cr_trust *trust) {
    uint32_t hash = hash_of(name, port, trust);
    struct cr_host_list *bucket = &caller->hosts[hash % CR_HOST_BUCKETS];
    cr_host *host;
    LIST_FOREACH(host, bucket, link) {
        bool is_same = host->hash == hash && host->port == port && host->trust == trust && !strcmp(host->name, name);
        if (!is_same) continue;
        host->users++;
        return host;
    }
    size_t length = strlen(name) + 1;
    host = calloc(1, sizeof *host + length);
    if (!host) return NULL;
    host->caller = caller;
    host->users = 1;
    host->hash = hash;
    host->port = port;
    host->trust = trust ? cr_trust_retain(trust) : NULL;
    memcpy(host->name, name, length);
    TAILQ_INIT(&host->idle);
    LIST_INSERT_HEAD(bucket, host, link);
    caller->host_count++;
    return host;
}

void cr_host_unref(cr_host *host) {
    bool is_remembered = host->session && host->caller->host_count <= MAX_HOSTS;
    if (--host->users == 0 && !is_remembered) free_host(host);
}

/* ---- Connections that are kept ------------------------------------------------------------------------------- */

static bool is_over(uint64_t since_ns, uint32_t limit_ms, uint64_t now_ns) {
    return limit_ms && now_ns - since_ns >= limit_ms * 1000000ull;
}

/* Whether the connection may serve another call. */
static bool is_reusable(const cr_link *link, uint64_t now_ns) {
    const cr_call_limits *limits = cr_quota_limits(link->host->caller->quota);
    if (limits->uses && link->uses >= limits->uses) return false;
    return !is_over(link->made_ns, limits->age_ms, now_ns);
}

/* Acquires an idle slot from the quota, if necessary by closing an idle connection of this loop. */
static bool acquire_idle(cr_caller *caller) {
    if (cr_quota_acquire_idle(caller->quota)) return true;
    return cr_caller_close_oldest(caller) && cr_quota_acquire_idle(caller->quota);
}

void cr_link_pool(cr_link *link) {
    cr_conn *conn = link->conn;
    cr_caller *caller = link->host->caller;
    bool keeps =
        !caller->ended && !conn->loop->draining && is_reusable(link, conn->loop->now_ns) && acquire_idle(caller);
    if (!keeps) {
        cr_link_close(link);
        return;
    }
    cr_answer_reader_clear(&link->reader);
    link->idle = true;
    link->used_ns = conn->loop->now_ns;
    TAILQ_INSERT_TAIL(&caller->idle, link, idle_link);
    TAILQ_INSERT_TAIL(&link->host->idle, link, host_link);
    atomic_fetch_add(&caller->idle_count, 1);
    cr_conn_wait_for(conn, CR_WAITING_POOLED);
    if (atomic_load(&caller->waiting)) cr_caller_serve_queue(caller);
    /* Calls of other loops are waiting for a connection. */
    else if (atomic_load(&caller->quota->waiting)) cr_link_close(link);
}

void cr_link_unpool(cr_link *link) {
    if (!link->idle) return;
    cr_caller *caller = link->host->caller;
    link->idle = false;
    TAILQ_REMOVE(&caller->idle, link, idle_link);
    TAILQ_REMOVE(&link->host->idle, link, host_link);
    atomic_fetch_sub(&caller->idle_count, 1);
    cr_quota_release_idle(caller->quota);
}

/* Whether the connection is clean: open, and without unread bytes, in the socket or decrypted in TLS, which could
 * answer no request. Reading consumes TLS session tickets. */
static bool is_quiet(cr_conn *conn) {
    if (conn->output.length || conn->write_wants) return false;
    for (int reads = 0; reads < 8; reads++) {
        uint8_t byte;
        if (conn->transport->read(conn, &byte, 1) >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return false;
        if (!conn->transport->pending || !conn->transport->pending(conn)) return true;
    }
    return false;
}

/* Whether the connection leads to an address of the call. */
static bool suits(const cr_link *link, const cr_call *call) {
    const cr_call_hooks *hooks = &call->caller->hooks;
    for (size_t i = 0; i < call->address_count; i++) {
        if (!cr_address_equals(&link->address, &call->addresses[i])) continue;
        return !hooks->may_connect || hooks->may_connect(call->context, &link->address);
    }
    return false;
}

cr_link *cr_link_acquire(cr_call *call) {
    const cr_call_limits *limits = cr_quota_limits(call->caller->quota);
    const uint64_t now_ns = call->caller->loop->now_ns;
    cr_link *link = TAILQ_LAST(&call->host->idle, cr_link_list), *before;
    for (; link; link = before) {
        before = TAILQ_PREV(link, cr_link_list, host_link);
        bool is_old = !is_reusable(link, now_ns) || is_over(link->used_ns, limits->idle_ms, now_ns);
        if (!is_old && !suits(link, call)) continue;
        if (!is_old && is_quiet(link->conn)) {
            cr_link_unpool(link);
            return link;
        }
        cr_link_close(link);
    }
    return NULL;
}
