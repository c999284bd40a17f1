#include "hiredis_functions.h"

#include "chiredis.h"

#include <string.h>

hiredis_table hiredis;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/hiredis/lib/libhiredis.dylib", "/usr/local/opt/hiredis/lib/libhiredis.dylib", "libhiredis.dylib",
#else
    "libhiredis.so.1.3.0", "libhiredis.so.1.2.0", "libhiredis.so.1.1.0", "libhiredis.so.1.0.0", "libhiredis.so.0.14",
#endif
    NULL,
};

static struct loaded_library library = {
    LOADED_FUNCTIONS(HIREDIS_FUNCTIONS, hiredis),
    .files = files,
    .missing = "--shared needs hiredis: install its library (Debian and Ubuntu: libhiredis0.14, libhiredis1.1.0 or "
               "libhiredis1.3.0; Homebrew: hiredis)",
};

const char *ch_unavailable(void) {
    return loaded_library_open(&library);
}

bool hiredis_is_old(void) {
    struct loaded_library_facts facts = {0};
    return loaded_library_look("libhiredis", &facts) && facts.path && strstr(facts.path, ".so.0.");
}
