#include "loop.h"

#include <stdlib.h>
#include <string.h>

bool cr_buffer_append(cr_buffer *buffer, const void *bytes, size_t length) {
    if (length > buffer->capacity - buffer->length) {
        if (length > SIZE_MAX / 2 - buffer->length) return false;
        size_t needed = buffer->length + length;
        size_t capacity = buffer->capacity ? buffer->capacity : 512;
        while (capacity < needed) capacity *= 2;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    if (length) memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return true;
}

void cr_buffer_consume(cr_buffer *buffer, size_t length) {
    buffer->length -= length;
    if (buffer->length == 0) {
        cr_buffer_clear(buffer);
    } else if (length) {
        memmove(buffer->bytes, buffer->bytes + length, buffer->length);
    }
}

void cr_buffer_clear(cr_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (cr_buffer){0};
}
