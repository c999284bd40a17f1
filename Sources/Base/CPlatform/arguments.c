#include "cplatform.h"

/* Any header of the C library defines the macro that identifies it. */
#include <string.h>

static int argument_count;
static char **saved_arguments;

/* The C libraries of GNU and Apple pass the arguments of `main` to constructors, too. */
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    argument_count = count;
    saved_arguments = arguments;
}
#endif

char *const *cp_arguments(int *count) {
    *count = argument_count;
    return saved_arguments;
}
