#include "cplatform.h"

#include <string.h>

bool cp_contains(const void *bytes, size_t length, const void *part, size_t part_length) {
    return memmem(bytes, length, part, part_length) != NULL;
}

#if defined(__GLIBC__)
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    /* How far the heap grows at a time, and the free space that is left at the top of each arena, in bytes. */
    STEP = 4 << 20,
    /* How much `cp_reserve_arena` reserves, in bytes. */
    ROOM = 24 << 20,
    /* The size of an allocation that shows where the thread's next ones would be, in bytes. */
    PROBE = 256 << 10,
    /* malloc's default: an arena whose top has more free bytes is trimmed. */
    USUAL_TRIM_THRESHOLD = 128 << 10,
    /* Freeing a block of this size makes malloc look whether to trim the arena, in bytes. */
    MIN_RETURNED = 256 << 10,
};

/* The number of arenas besides the main one. */
static int other_pools;

void cp_grow_heap_in_large_steps(void) {
    mallopt(M_TOP_PAD, STEP);
    /* Setting any of these options disables the automatic adjustment of all. The threshold would then stay low, and
     * growing arrays would be mapped and unmapped each time. */
    mallopt(M_MMAP_THRESHOLD, STEP);
}

void cp_use_large_pages(void *start, size_t length) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)start + length) & ~(page - 1);
    /* Without effect on systems without huge pages. */
    if (end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* The range that was reserved for this thread. It is valid in one `time` only, the period between two calls of
 * `cp_release_free_memory`. */
static _Thread_local struct {
    uintptr_t start, end;
    unsigned time;
} room;

static atomic_uint room_time = 1;

void cp_reserve_arena(void) {
    unsigned time = atomic_load(&room_time);
    void *volatile probe = malloc(PROBE);
    uintptr_t next = (uintptr_t)probe;
    free(probe);
    if (room.time == time && next >= room.start && next + 2 * PROBE < room.end) return;
    /* Disables trimming until `cp_release_free_memory`. */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_MMAP_THRESHOLD, ROOM + STEP);
    void *volatile all = malloc(ROOM);
    mallopt(M_MMAP_THRESHOLD, STEP);
    if (all == NULL) return;
    cp_use_large_pages(all, ROOM);
    room.start = (uintptr_t)all;
    room.end = room.start + ROOM;
    room.time = time;
    free(all);
}

void cp_share_free_memory(int pools) {
    mallopt(M_ARENA_MAX, pools);
    other_pools = pools - 1;
}

/* Trims the top of this thread's arena, and those of `others` more threads. Each new thread gets another arena, because
 * the ones before it are still alive. */
static void *return_ends(void *others) {
    void *volatile large = malloc(MIN_RETURNED);
    pthread_t next;
    intptr_t left = (intptr_t)others;
    if (left > 0 && pthread_create(&next, NULL, return_ends, (void *)(left - 1)) == 0) pthread_join(next, NULL);
    free(large);
    return NULL;
}

void cp_release_free_memory(void) {
    atomic_fetch_add(&room_time, 1);
    mallopt(M_TRIM_THRESHOLD, USUAL_TRIM_THRESHOLD);
    malloc_trim(0);
    /* `malloc_trim` leaves the tops of all arenas but the first untrimmed. */
    if (other_pools <= 0) return;
    mallopt(M_TOP_PAD, 0);
    pthread_t first;
    if (pthread_create(&first, NULL, return_ends, (void *)(intptr_t)(other_pools - 1)) == 0) pthread_join(first, NULL);
    mallopt(M_TOP_PAD, STEP);
}
#else
void cp_grow_heap_in_large_steps(void) {}

void cp_use_large_pages(void *start, size_t length) {
    (void)start;
    (void)length;
}

void cp_reserve_arena(void) {}

void cp_share_free_memory(int pools) { (void)pools; }

void cp_release_free_memory(void) {}
#endif
