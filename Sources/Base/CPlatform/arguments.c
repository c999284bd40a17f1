#include "cplatform.h"

/* Any header of the library says which it is. */
#include <string.h>

static int kept_count;
static char **kept;

/* GNU's and Apple's libraries call constructors as they call `main`. */
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    kept_count = count;
    kept = arguments;
}
#endif

char *const *cp_arguments(int *count) {
    *count = kept_count;
    return kept;
}
