#include "cplatform.h"

#include <string.h>

bool cp_contains(const void *bytes, size_t length, const void *part, size_t part_length) {
    return memmem(bytes, length, part, part_length) != NULL;
}

#if defined(__GLIBC__)
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    /* The bytes by which the heap grows, and that are left free at the end of each pool. */
    STEP = 4 << 20,
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

void cp_share_free_memory(int pools) { (void)pools; }

void cp_release_free_memory(void) {}
#endif
