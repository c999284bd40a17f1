#include "creactor.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cr_grow_heap_in_large_steps(void) {
#ifdef __GLIBC__
    mallopt(M_TOP_PAD, 4 << 20);
    // Setting one of them ends the adjustment of the others: arrays that grow would go to and from the system each time.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}
