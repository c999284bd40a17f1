#include "creactor.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cr_grow_heap_in_large_steps(void) {
#ifdef __GLIBC__
    mallopt(M_TOP_PAD, 4 << 20);
    // Setting one of the options turns off the automatic adjustment of all, with which growing arrays would be
    // requested from and returned to the system each time.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}
