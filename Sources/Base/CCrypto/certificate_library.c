#include "certificate_library.h"

cc_certificate_functions cc_openssl;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib", "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
#else
    "libcrypto.so.3",
#endif
    NULL,
};

static struct loaded_library library = {
    LOADED_FUNCTIONS(CERTIFICATE_FUNCTIONS, cc_openssl),
    .files = files,
    .missing =
        "certificates need OpenSSL 3: install its library (Debian and Ubuntu: libssl3 or libssl3t64; Homebrew: openssl@3)",
};

const char *cc_certificates_unavailable(void)
{
    return loaded_library_open(&library);
}
