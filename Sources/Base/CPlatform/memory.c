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
    /* The bytes by which the heap grows, and that are left free at the end of each pool. */
    STEP = 4 << 20,
    /* The bytes that are made ready at once for a thread that allocates much. */
    ROOM = 24 << 20,
    /* The bytes that are taken to see where a thread's next allocations would be. */
    PROBE = 256 << 10,
    /* The free bytes at the end of a pool from which they are returned. */
    USUAL_TRIM_THRESHOLD = 128 << 10,
    /* The bytes whose freeing makes the allocator look at the end of the pool; less is not returned. */
    LEAST_RETURNED = 256 << 10,
};

/* The pools beside that of the main thread. */
static int other_pools;

void cp_grow_heap_in_large_steps(void) {
    mallopt(M_TOP_PAD, STEP);
    /* Setting one of the options turns off the automatic adjustment of all, with which growing arrays would be
     * requested from and returned to the system each time. */
    mallopt(M_MMAP_THRESHOLD, STEP);
}

void cp_use_large_pages(void *start, size_t length) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)start + length) & ~(page - 1);
    /* Without effect where the system has none. */
    if (end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* The memory from `start` to `end` was made ready for the allocations of a thread, in the `time`th period between two
 * returns of free memory. */
static _Thread_local struct {
    uintptr_t start, end;
    unsigned time;
} room;

static atomic_uint room_time = 1;

void cp_make_room_in_heap(void) {
    unsigned time = atomic_load(&room_time);
    void *volatile probe = malloc(PROBE);
    uintptr_t next = (uintptr_t)probe;
    free(probe);
    if (room.time == time && next >= room.start && next + 2 * PROBE < room.end) return;
    /* Nothing is returned until `cp_release_free_memory`. */
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

/* Returns free memory at the end of this thread's pool and of those of `others` further threads: each new one gets
 * another pool, since those before it are still alive. */
static void *return_ends(void *others) {
    void *volatile large = malloc(LEAST_RETURNED);
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
    /* That leaves out the ends of all pools but the first. */
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

void cp_make_room_in_heap(void) {}

void cp_share_free_memory(int pools) { (void)pools; }

void cp_release_free_memory(void) {}
#endif
