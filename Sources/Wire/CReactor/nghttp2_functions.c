#include "nghttp2_functions.h"

#include "creactor.h"

cr_nghttp2_table cr_nghttp2;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/libnghttp2/lib/libnghttp2.14.dylib", "/usr/local/opt/libnghttp2/lib/libnghttp2.14.dylib",
#else
    "libnghttp2.so.14",
#endif
    NULL,
};

static const char *version(void) {
    return cr_nghttp2.nghttp2_version(0)->version_str;
}

static struct loaded_library library = {
    LOADED_FUNCTIONS(CR_NGHTTP2_FUNCTIONS, cr_nghttp2),
    .files = files,
    .missing = "HTTP/2 needs nghttp2: install its library (Debian and Ubuntu: libnghttp2-14; Homebrew: libnghttp2)",
    .version = version,
};

const char *cr_http2_unavailable(void) {
    return loaded_library_open(&library);
}

bool cr_http2_is_available(void) {
    return cr_http2_unavailable() == NULL;
}
