/* Counts the memory of HTTP/2 connections, in use and idle, for the handler. */
#include "http2.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#define size_of malloc_size
#else
#include <malloc.h>
#define size_of malloc_usable_size
#endif

enum {
    COUNTED = 4096, /* smaller changes are not reported */
    FRAME = 16384   /* smallest size of nghttp2's frame buffer */
};

/* ---- The library's --------------------------------------------------------------------------------------------- */

static void *count_block(cr_http2 *http2, void *block) {
    if (block) http2->memory += size_of(block);
    return block;
}

static void *on_malloc(size_t size, void *http2) {
    return count_block(http2, malloc(size));
}

static void *on_calloc(size_t count, size_t size, void *http2) {
    return count_block(http2, calloc(count, size));
}

static void release_block(cr_http2 *http2) {
    cr_http2_use_frame(http2);
    http2->frame = NULL;
}

static void on_free(void *block, void *http2) {
    if (!block) return;
    if (block == ((cr_http2 *)http2)->frame) release_block(http2);
    ((cr_http2 *)http2)->memory -= size_of(block);
    free(block);
}

static void *on_realloc(void *block, size_t size, void *http2) {
    if (block && block == ((cr_http2 *)http2)->frame) release_block(http2);
    size_t before = block ? size_of(block) : 0;
    void *grown = realloc(block, size);
    if (grown) ((cr_http2 *)http2)->memory -= before;
    if (!block && size >= FRAME && !((cr_http2 *)http2)->frame) ((cr_http2 *)http2)->frame = grown;
    return count_block(http2, grown);
}

/* Returns the pages of the frame buffer to the system: it is empty while nothing is sent. */
static void release_frame(cr_http2 *http2) {
#ifdef __linux__
    if (!http2->frame || http2->released) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)http2->frame;
    uintptr_t first = (start + page - 1) & ~(page - 1), end = (start + size_of(http2->frame)) & ~(page - 1);
    if (end <= first || madvise((void *)first, end - first, MADV_DONTNEED)) return;
    http2->frame_room = first - start;
    http2->released = end - first;
    http2->memory -= http2->released;
#else
    (void)http2;
#endif
}

void cr_http2_use_frame(cr_http2 *http2) {
    http2->memory += http2->released;
    http2->released = 0;
}

nghttp2_mem cr_http2_allocator(cr_http2 *http2) {
    return (nghttp2_mem){http2, on_malloc, on_free, on_calloc, on_realloc};
}

/* ---- The count ------------------------------------------------------------------------------------------------- */

static void report_memory(cr_conn *conn, size_t memory) {
    cr_http2 *http2 = cr_http2_of(conn);
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    int64_t change = (int64_t)memory - (int64_t)http2->counted;
    http2->counted = memory;
    if (change && handler->on_connection_memory) handler->on_connection_memory(handler->context, change);
}

void cr_http2_count_memory(cr_conn *conn) {
    const cr_http2 *http2 = cr_http2_of(conn);
    if (http2->memory >= http2->counted + COUNTED || http2->memory + COUNTED <= http2->counted) {
        report_memory(conn, http2->memory);
    }
}

void cr_http2_uncount_memory(cr_conn *conn) {
    report_memory(conn, 0);
}

void cr_http2_shrink(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (!http2->session || !TAILQ_EMPTY(&http2->streams)) return;
    cr_http2_drop_spare(http2, 0);
    release_frame(http2);
    report_memory(conn, http2->memory);
}
