#include "pool.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The call of a handle; NULL for a handle of libcurl's own. */
static cu_call *call_of(CURL *easy)
{
    char *call = NULL;
    if (cu_curl.curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call) != CURLE_OK)
        return NULL;
    return (cu_call *)(void *)call;
}

/* libcurl looks no more after a connection whose request rests: the answer has ended, or the connection (in HTTP/2 the stream). It
 * would find out with the next bytes of the request. */
static void note_cut(cu_call *call)
{
    if (call == NULL || !call->holds_sending || call->holds_receiving || call->stopped)
        return;
    call->is_cut = true;
    cu_call_send(call);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *argument, void *known)
{
    (void)known;
    cu_pool *pool = argument;
    int interest = what == CURL_POLL_IN      ? CU_READABLE
                   : what == CURL_POLL_OUT   ? CU_WRITABLE
                   : what == CURL_POLL_INOUT ? CU_READABLE | CU_WRITABLE
                                             : CU_CLOSED;
    cu_call *call = call_of(easy);
    if (interest == CU_CLOSED)
        note_cut(call);
    else if (call != NULL)
        call->fd = fd;
    pool->hooks.watch(pool->hooks.owner, fd, interest);
    return 0;
}

static int on_timer(CURLM *multi, long milliseconds, void *argument)
{
    (void)multi;
    cu_pool *pool = argument;
    pool->due = milliseconds == 0;
    if (milliseconds != 0)
        pool->hooks.timer(pool->hooks.owner, milliseconds);
    return 0;
}

static bool configure(cu_pool *pool, long connections)
{
    return cu_curl.curl_multi_setopt(pool->multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK
           && cu_curl.curl_multi_setopt(pool->multi, CURLMOPT_SOCKETDATA, pool) == CURLM_OK
           && cu_curl.curl_multi_setopt(pool->multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK
           && cu_curl.curl_multi_setopt(pool->multi, CURLMOPT_TIMERDATA, pool) == CURLM_OK
           && cu_curl.curl_multi_setopt(pool->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections) == CURLM_OK;
}

cu_pool *cu_pool_new(const cu_hooks *hooks, long connections)
{
    cu_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pool->hooks = *hooks;
    LIST_INIT(&pool->calls);
    LIST_INIT(&pool->wishing);
    LIST_INIT(&pool->greeting);
    pool->multi = cu_curl.curl_multi_init();
    if (pool->multi != NULL && configure(pool, connections))
        return pool;
    if (pool->multi != NULL)
        cu_curl.curl_multi_cleanup(pool->multi);
    free(pool);
    return NULL;
}

void cu_pool_free(cu_pool *pool)
{
    pool->inside++;
    while (!LIST_EMPTY(&pool->calls)) {
        cu_call *call = LIST_FIRST(&pool->calls);
        if (!call->stopped)
            pool->hooks.dropped(call->argument);
        cu_call_free(call);
    }
    cu_curl.curl_multi_cleanup(pool->multi);
    free(pool);
}

/* Ends the calls of which libcurl says that they have ended. */
static bool take_messages(cu_pool *pool)
{
    bool any = false;
    int left;
    for (CURLMsg *message; (message = cu_curl.curl_multi_info_read(pool->multi, &left)) != NULL;) {
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result;
        cu_call *call = call_of(message->easy_handle);
        if (call == NULL)
            continue;
        cu_call_end(call, code);
        any = true;
    }
    return any;
}

static bool fulfil_wishes(cu_pool *pool)
{
    bool any = !LIST_EMPTY(&pool->wishing);
    while (!LIST_EMPTY(&pool->wishing))
        cu_call_fulfil(LIST_FIRST(&pool->wishing));
    return any;
}

static bool take_due_time(cu_pool *pool)
{
    if (!pool->due)
        return false;
    pool->due = false;
    int running;
    pool->inside++;
    cu_curl.curl_multi_socket_action(pool->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    pool->inside--;
    return true;
}

void cu_pool_enter(cu_pool *pool)
{
    pool->inside++;
}

void cu_pool_leave(cu_pool *pool)
{
    if (--pool->inside > 0 || pool->settling)
        return;
    pool->settling = true;
    bool goes_on = true;
    for (int round = 0; goes_on && round < 8; round++) {
        goes_on = fulfil_wishes(pool);
        goes_on |= take_due_time(pool);
        goes_on |= take_messages(pool);
    }
    pool->settling = false;
    /* Others have their turn first. */
    if (goes_on)
        pool->hooks.timer(pool->hooks.owner, 0);
}

/* Whether something has come since the loop has looked, such as a refusal of what is being sent: it is read first. */
static bool is_readable(int fd)
{
    struct pollfd place = { .fd = fd, .events = POLLIN };
    return poll(&place, 1, 0) > 0;
}

/* Looks at the first bytes of a server that is called in HTTP/2 in the clear, of which libcurl says nothing if they are no frame. */
static void look_at_greeting(cu_pool *pool, int fd)
{
    static const char beginning[] = "HTTP/1";
    char first[sizeof beginning - 1];
    cu_call *call;
    LIST_FOREACH(call, &pool->greeting, greeting_link)
        if (call->fd == fd)
            break;
    ssize_t length = call == NULL ? 0 : recv(fd, first, sizeof first, MSG_PEEK | MSG_DONTWAIT);
    if (length <= 0)
        return;
    bool is_other = memcmp(first, beginning, (size_t)length) == 0;
    call->speaks_http1 = is_other && length == sizeof first;
    if (!is_other || call->speaks_http1)
        cu_call_end_greeting(call);
}

void cu_pool_ready(cu_pool *pool, int fd, int what)
{
    int running;
    if (!LIST_EMPTY(&pool->greeting))
        look_at_greeting(pool, fd);
    int bits = (what & CU_READABLE || is_readable(fd) ? CURL_CSELECT_IN : 0) | (what & CU_WRITABLE ? CURL_CSELECT_OUT : 0);
    cu_pool_enter(pool);
    cu_curl.curl_multi_socket_action(pool->multi, fd, bits, &running);
    cu_pool_leave(pool);
}

void cu_pool_go_on(cu_pool *pool)
{
    cu_pool_enter(pool);
    cu_pool_leave(pool);
}

void cu_pool_expired(cu_pool *pool)
{
    cu_pool_enter(pool);
    pool->due = true;
    cu_pool_leave(pool);
}
