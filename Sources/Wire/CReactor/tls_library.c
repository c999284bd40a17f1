#include "tls_library.h"

#include "tls.h"

cr_ssl_table cr_ssl;
cr_crypto_table cr_crypto;

static const char needs[] =
    "TLS needs OpenSSL 3: install its library (Debian and Ubuntu: libssl3 or libssl3t64; Homebrew: openssl@3)";

#ifdef __APPLE__
#define FILES(name) \
    {"/opt/homebrew/opt/openssl@3/lib/" name ".3.dylib", "/usr/local/opt/openssl@3/lib/" name ".3.dylib", NULL}
#else
#define FILES(name) {name ".so.3", NULL}
#endif

static const char *const crypto_files[] = FILES("libcrypto");
static const char *const ssl_files[] = FILES("libssl");

static const char *prepare(void) {
    return cr_tls_make_bio_method() ? NULL : "has no memory left";
}

static struct loaded_library crypto_library = {
    LOADED_FUNCTIONS(CR_CRYPTO_FUNCTIONS, cr_crypto), .files = crypto_files, .missing = needs, .prepare = prepare,
};

static struct loaded_library ssl_library = {
    LOADED_FUNCTIONS(CR_SSL_FUNCTIONS, cr_ssl), .files = ssl_files, .missing = needs,
};

const char *cr_tls_unavailable(void) {
    const char *reason = loaded_library_open(&crypto_library);
    return reason ? reason : loaded_library_open(&ssl_library);
}
