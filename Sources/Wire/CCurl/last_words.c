#include "pool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static cu_call *uploading_on(cu_pool *pool, int fd)
{
    cu_call *call;
    LIST_FOREACH(call, &pool->calls, link)
        if (call->fd == fd && call->is_plain && call->kind != CU_NO_BODY && !call->answered && !call->stopped)
            break;
    return call;
}

void cu_call_forget_socket(cu_pool *pool, int fd)
{
    cu_call *call;
    LIST_FOREACH(call, &pool->calls, link)
        if (call->fd == fd)
            call->fd = -1;
}

void cu_call_keep_last_words(cu_pool *pool, int fd)
{
    cu_call *call = uploading_on(pool, fd);
    if (call == NULL)
        return;
    call->fd = -1;
    uint8_t *bytes = malloc(CU_LAST_WORDS);
    if (bytes == NULL)
        return;
    size_t length = 0;
    for (ssize_t count; length < CU_LAST_WORDS; length += (size_t)count)
        if ((count = recv(fd, bytes + length, CU_LAST_WORDS - length, MSG_DONTWAIT)) <= 0)
            break;
    free(call->last_words.bytes);
    call->last_words = (cu_lines){ .bytes = bytes, .length = length, .room = CU_LAST_WORDS };
}

void cu_call_tell_last_words(cu_call *call)
{
    uint8_t *bytes = call->last_words.bytes;
    size_t left = call->last_words.length;
    while (left > 0 && !call->answered && !call->stopped) {
        const uint8_t *end = memchr(bytes, '\n', left);
        if (end == NULL)
            return;
        size_t length = (size_t)(end - bytes) + 1;
        if (cu_on_header((char *)bytes, 1, length, call) != length)
            return;
        bytes += length;
        left -= length;
    }
    if (left > 0 && !call->stopped)
        (void)cu_on_body((char *)bytes, 1, left, call);
}
