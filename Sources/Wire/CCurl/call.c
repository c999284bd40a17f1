#include "pool.h"

#include <stdlib.h>
#include <string.h>

/* A copy of bytes; NULL without memory. Never of no bytes. */
static uint8_t *copy_of(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length);
    if (copy != NULL)
        memcpy(copy, bytes, length);
    return copy;
}

/* libcurl's list of lines, each ended by NUL, in one block, since its own function walks the list for each. */
static struct curl_slist *list_of(const uint8_t *lines, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += lines[i] == 0;
    struct curl_slist *list = malloc(count * sizeof *list + length);
    if (list == NULL)
        return NULL;
    char *text = (char *)(list + count);
    memcpy(text, lines, length);
    for (size_t i = 0; i < count; i++, text += strlen(text) + 1) {
        list[i].data = text;
        list[i].next = i + 1 < count ? list + i + 1 : NULL;
    }
    return list;
}

static bool copy_request(cu_call *call, const cu_request *request)
{
    call->kind = request->kind;
    call->body_length = request->body_length;
    if (request->lines_length > 0 && (call->fields = list_of(request->lines, request->lines_length)) == NULL)
        return false;
    if (request->addresses != NULL
        && (call->addresses = list_of(request->addresses, request->addresses_length)) == NULL)
        return false;
    if (request->connect_to != NULL
        && (call->connect_to = list_of((const uint8_t *)request->connect_to, strlen(request->connect_to) + 1)) == NULL)
        return false;
    if (request->body_length > 0 && (call->body = copy_of(request->body, request->body_length)) == NULL)
        return false;
    return cu_call_set_trailers(call, request->trailers, request->trailers_length);
}

bool cu_call_set_trailers(cu_call *call, const uint8_t *lines, size_t length)
{
    free(call->trailers);
    call->trailers_length = length;
    call->trailers = length == 0 ? NULL : copy_of(lines, length);
    return length == 0 || call->trailers != NULL;
}

cu_call *cu_call_begin(cu_pool *pool, const cu_request *request)
{
    cu_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return NULL;
    call->pool = pool;
    call->argument = request->argument;
    call->fd = -1;
    LIST_INSERT_HEAD(&pool->calls, call, link);
    call->greets = request->speaks_http2 && strncmp(request->url, "http:", 5) == 0;
    if (call->greets)
        LIST_INSERT_HEAD(&pool->greeting, call, greeting_link);
    call->easy = cu_curl.curl_easy_init();
    pool->inside++;
    bool begins = call->easy != NULL && copy_request(call, request)
                  && cu_call_configure(call, request) == CURLE_OK
                  && cu_curl.curl_multi_add_handle(pool->multi, call->easy) == CURLM_OK;
    if (!begins)
        cu_call_free(call);
    pool->inside--;
    return begins ? call : NULL;
}

void cu_call_end_greeting(cu_call *call)
{
    if (call->greets)
        LIST_REMOVE(call, greeting_link);
    call->greets = false;
}

void cu_call_free(cu_call *call)
{
    /* libcurl lets go of its socket, and nothing is to be wished of it any more. */
    call->stopped = true;
    LIST_REMOVE(call, link);
    if (call->wishes != 0)
        LIST_REMOVE(call, wish_link);
    cu_call_end_greeting(call);
    if (call->easy != NULL) {
        call->pool->inside++;
        cu_curl.curl_multi_remove_handle(call->pool->multi, call->easy);
        cu_curl.curl_easy_cleanup(call->easy);
        call->pool->inside--;
    }
    free(call->fields);
    free(call->addresses);
    free(call->connect_to);
    free(call->trailers);
    free(call->body);
    free(call->lines.bytes);
    free(call);
}

/* What libcurl would say of a call that it was told to give up. */
static CURLcode meant(const cu_call *call, CURLcode code)
{
    if (call->answered)
        return call->ends_at_head ? CURLE_OK : code;
    if (code == CURLE_ABORTED_BY_CALLBACK && call->is_cut)
        return call->in_head ? CURLE_OK : CURLE_GOT_NOTHING;
    return code;
}

void cu_call_end(cu_call *call, CURLcode code)
{
    cu_end end = {
        .code = meant(call, code),
        .text = call->error,
        .answered = call->answered,
        .too_large = call->too_large,
        .is_ungreeted = call->greets,
        .speaks_http1 = call->speaks_http1,
        .trailers = call->lines.bytes,
        .trailers_length = call->answered ? call->lines.length : 0,
    };
    long os_error = 0;
    if (code == CURLE_COULDNT_CONNECT && cu_curl.curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &os_error) == CURLE_OK)
        end.os_error = (int)os_error;
    if (code != CURLE_OK && call->error[0] == 0)
        end.text = cu_curl.curl_easy_strerror(code);
    if (!call->stopped) {
        call->stopped = true;
        call->pool->hooks.ended(call->argument, &end);
    }
    cu_call_free(call);
}

static void wish(cu_call *call, enum cu_wish wish)
{
    if (call->wishes == 0)
        LIST_INSERT_HEAD(&call->pool->wishing, call, wish_link);
    call->wishes |= (int)wish;
    /* Done at once, unless libcurl is at work. */
    cu_pool_go_on(call->pool);
}

void cu_call_cancel(cu_call *call)
{
    call->stopped = true;
    wish(call, CU_WISH_END);
}

void cu_call_receive(cu_call *call)
{
    wish(call, CU_WISH_RECEIVE);
}

void cu_call_send(cu_call *call)
{
    wish(call, CU_WISH_SEND);
}

void cu_call_fulfil(cu_call *call)
{
    int wishes = call->wishes;
    LIST_REMOVE(call, wish_link);
    call->wishes = 0;
    if (wishes & CU_WISH_END) {
        cu_call_free(call);
        return;
    }
    if (wishes & CU_WISH_RECEIVE)
        call->holds_receiving = false;
    if (wishes & CU_WISH_SEND)
        call->holds_sending = false;
    int pauses = (call->holds_receiving ? CURLPAUSE_RECV : 0) | (call->holds_sending ? CURLPAUSE_SEND : 0);
    call->pool->inside++;
    cu_curl.curl_easy_pause(call->easy, pauses);
    call->pool->inside--;
}
