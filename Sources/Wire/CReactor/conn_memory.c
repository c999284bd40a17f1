/* Counts the memory of client input: the handler is told of large buffers, and decides whether a body may grow. */
#include "conn.h"

/* Most requests use no buffer, and a small one is not worth a call. */
enum { COUNTED = 16 * 1024 };

static size_t counted(const cr_buffer *buffer) {
    return buffer->capacity < COUNTED ? 0 : buffer->capacity;
}

static void report_change(cr_conn *conn, const cr_buffer *buffer, size_t before) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    size_t after = counted(buffer);
    if (after != before && handler->on_memory) {
        handler->on_memory(handler->context, (int64_t)after - (int64_t)before);
    }
}

bool cr_conn_append(cr_conn *conn, cr_buffer *buffer, const void *bytes, size_t length) {
    size_t before = counted(buffer);
    bool done = cr_buffer_append(buffer, bytes, length);
    report_change(conn, buffer, before);
    return done;
}

void cr_conn_consume(cr_conn *conn, cr_buffer *buffer, size_t length) {
    size_t before = counted(buffer);
    cr_buffer_consume(buffer, length);
    report_change(conn, buffer, before);
}

void cr_conn_clear(cr_conn *conn, cr_buffer *buffer) {
    if (!buffer->bytes) return;
    size_t before = counted(buffer);
    cr_buffer_clear(buffer);
    report_change(conn, buffer, before);
}

uint8_t *cr_conn_extract(cr_conn *conn, cr_buffer *buffer) {
    size_t before = counted(buffer);
    uint8_t *bytes = buffer->bytes;
    *buffer = (cr_buffer){0};
    report_change(conn, buffer, before);
    return bytes;
}

bool cr_conn_has_room(const cr_conn *conn, uint64_t bytes) {
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    return bytes < COUNTED || !handler->has_room || handler->has_room(handler->context, bytes);
}

cr_request_error cr_conn_append_body(cr_conn *conn, cr_buffer *body, const void *bytes, size_t length, uint64_t max) {
    size_t before = counted(body);
    size_t capacity = cr_buffer_capacity_for(body, length, max);
    if (!cr_conn_has_room(conn, capacity - body->capacity)) return CR_MEMORY_FULL;
    bool done = cr_buffer_append_within(body, bytes, length, max);
    report_change(conn, body, before);
    return done ? CR_OK : CR_NO_MEMORY;
}
