#include "certificate_library.h"

cc_certificate_functions cc_openssl;

static const char *const files[] = LOADED_OPENSSL_FILES("libcrypto");
static const char *const outdated[] = LOADED_OPENSSL_OUTDATED("libcrypto");

static struct loaded_library library = {
    LOADED_FUNCTIONS(CERTIFICATE_FUNCTIONS, cc_openssl),
    .files = files,
    .outdated = outdated,
    .missing = LOADED_OPENSSL_MISSING("certificates need"),
};

const char *cc_certificates_unavailable(void) {
    return loaded_library_open(&library);
}
