#include "loop.h"

#include <stdlib.h>
#include <string.h>

size_t cr_buffer_capacity_for(const cr_buffer *buffer, size_t length, size_t max) {
    if (length <= buffer->capacity - buffer->length) return buffer->capacity;
    if (length > SIZE_MAX / 2 - buffer->length) return SIZE_MAX;
    size_t needed = buffer->length + length;
    size_t capacity = buffer->capacity ? buffer->capacity : 512;
    while (capacity < needed) capacity *= 2;
    return capacity > max && needed <= max ? max : capacity;
}

bool cr_buffer_append_within(cr_buffer *buffer, const void *bytes, size_t length, size_t max) {
    size_t capacity = cr_buffer_capacity_for(buffer, length, max);
    if (capacity > buffer->capacity) {
        if (capacity == SIZE_MAX) return false;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    if (length) memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return true;
}

bool cr_buffer_append(cr_buffer *buffer, const void *bytes, size_t length) {
    return cr_buffer_append_within(buffer, bytes, length, SIZE_MAX);
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
