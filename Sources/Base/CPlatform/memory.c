#include "cplatform.h"

#if defined(__GLIBC__)
#include <malloc.h>

void cp_release_free_memory(void) { malloc_trim(0); }
#else
void cp_release_free_memory(void) {}
#endif
