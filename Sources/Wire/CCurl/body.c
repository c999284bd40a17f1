#include "pool.h"

#include <string.h>

static size_t read_bytes(cu_call *call, char *room, size_t size)
{
    size_t left = call->body_length - call->body_at;
    size_t length = left < size ? left : size;
    if (length > 0)
        memcpy(room, call->body + call->body_at, length);
    call->body_at += length;
    return length;
}

size_t cu_on_read(char *room, size_t size, size_t count, void *argument)
{
    cu_call *call = argument;
    if (call->kind != CU_STREAM)
        return read_bytes(call, room, size * count);
    if (call->stopped)
        return CURL_READFUNC_ABORT;
    /* With an answer, libcurl finds out whether that is whole. */
    if (call->is_cut)
        return call->answered ? 0 : CURL_READFUNC_ABORT;
    ptrdiff_t length = call->pool->hooks.body(call->argument, (uint8_t *)room, size * count);
    if (length == CU_BROKEN || call->stopped)
        return CURL_READFUNC_ABORT;
    if (length != CU_LATER)
        return (size_t)length;
    call->holds_sending = true;
    return CURL_READFUNC_PAUSE;
}

int cu_on_trailers(struct curl_slist **list, void *argument)
{
    cu_call *call = argument;
    for (size_t at = 0; at < call->trailers_length;) {
        const char *line = (const char *)call->trailers + at;
        struct curl_slist *longer = cu_curl.curl_slist_append(*list, line);
        if (longer == NULL)
            return CURL_TRAILERFUNC_ABORT;
        *list = longer;
        at += strlen(line) + 1;
    }
    return CURL_TRAILERFUNC_OK;
}
