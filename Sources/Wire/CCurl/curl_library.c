#include "curl_library.h"

cu_curl_functions cu_curl;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/curl/lib/libcurl.4.dylib", "/usr/local/opt/curl/lib/libcurl.4.dylib", "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
    NULL,
};

static const char *prepare(void)
{
    return cu_curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "it cannot be initialized";
}

static struct loaded_library library = {
    LOADED_FUNCTIONS(CURL_FUNCTIONS, cu_curl),
    .files = files,
    .missing = "calls to other servers need libcurl: install its library (Debian and Ubuntu: libcurl4 or libcurl4t64; Homebrew: curl)",
    .prepare = prepare,
};

const char *cu_unavailable(void)
{
    return loaded_library_open(&library);
}
