#include "cplatform.h"

#include <string.h>

bool cp_contains(const void *bytes, size_t length, const void *part, size_t part_length) {
    return memmem(bytes, length, part, part_length) != NULL;
}

#if defined(__GLIBC__)
#include <malloc.h>

void cp_release_free_memory(void) { malloc_trim(0); }

void cp_share_free_memory(int pools) { mallopt(M_ARENA_MAX, pools); }
#else
void cp_release_free_memory(void) {}

void cp_share_free_memory(int pools) { (void)pools; }
#endif
