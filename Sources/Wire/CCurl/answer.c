#include "pool.h"

#include <stdlib.h>
#include <string.h>

static bool append(cu_lines *lines, const char *bytes, size_t length)
{
    if (lines->length + length > lines->room) {
        size_t room = lines->room < 512 ? 1024 : 2 * lines->room;
        while (room < lines->length + length)
            room *= 2;
        uint8_t *grown = realloc(lines->bytes, room);
        if (grown == NULL)
            return false;
        lines->bytes = grown;
        lines->room = room;
    }
    memcpy(lines->bytes + lines->length, bytes, length);
    lines->length += length;
    return true;
}

/* The status in `HTTP/1.1 200 OK`; 0 if there is none. */
static int status_in(const char *line, size_t length)
{
    const char *space = memchr(line, ' ', length);
    int status = 0;
    if (space == NULL)
        return 0;
    for (const char *digit = space + 1; digit < line + length && *digit >= '0' && *digit <= '9' && status < 1000; digit++)
        status = 10 * status + (*digit - '0');
    return status;
}

static bool tell_head(cu_call *call)
{
    call->in_head = false;
    /* Whether the answer ends there is known once libcurl has had one more turn, which it is given at once: the head of an answer
     * without a body can then say that it is the end. */
    call->pool->due |= call->lines.length > 5 && call->lines.bytes[5] == '2';
    call->answered = call->status >= 200 || call->status == 101;
    if (!call->answered && ++call->informations > CU_INFORMATION_LIMIT) {
        call->too_large = true;
        return false;
    }
    call->pool->hooks.head(call->argument, call->status, call->lines.bytes, call->lines.length);
    call->lines.length = 0;
    /* What libcurl would take for the beginning of a body does not come. */
    return !(call->answered && (call->ends_at_head || call->status == 101));
}

static bool take_line(cu_call *call, const char *line, size_t length)
{
    bool is_empty = length == 0 || line[0] == '\r' || line[0] == '\n';
    if (is_empty)
        return !call->in_head || tell_head(call);
    if (!call->answered && length > 5 && memcmp(line, "HTTP/", 5) == 0) {
        call->in_head = true;
        call->status = status_in(line, length);
        call->lines.length = 0;
    }
    return append(&call->lines, line, length);
}

size_t cu_on_header(char *bytes, size_t size, size_t count, void *argument)
{
    cu_call *call = argument;
    size_t length = size * count;
    if (call->stopped)
        return 0;
    call->head_bytes += length;
    call->head_lines++;
    if (call->head_bytes > CU_HEAD_LIMIT || call->head_lines > CU_FIELD_LIMIT) {
        call->too_large = true;
        return 0;
    }
    /* A hook may have cancelled the call. */
    return take_line(call, bytes, length) && !call->stopped ? length : 0;
}

size_t cu_on_body(char *bytes, size_t size, size_t count, void *argument)
{
    cu_call *call = argument;
    size_t length = size * count;
    if (call->stopped)
        return 0;
    if (call->pool->hooks.piece(call->argument, (const uint8_t *)bytes, length) == CU_FULL) {
        call->holds_receiving = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    return call->stopped ? 0 : length;
}
