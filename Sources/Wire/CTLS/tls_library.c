#include "tls_library.h"

#include "tls.h"

cr_ssl_table cr_ssl;
cr_crypto_table cr_crypto;

static const char needs[] = LOADED_OPENSSL_MISSING("TLS needs");

static const char *const crypto_files[] = LOADED_OPENSSL_FILES("libcrypto");
static const char *const ssl_files[] = LOADED_OPENSSL_FILES("libssl");
static const char *const outdated_crypto_files[] = LOADED_OPENSSL_OUTDATED("libcrypto");
static const char *const outdated_ssl_files[] = LOADED_OPENSSL_OUTDATED("libssl");

static const char *prepare(void) {
    return cr_tls_make_bio_method() ? NULL : "has no memory left";
}

/* The version of both libraries. */
static const char *version(void) {
    return cr_crypto.OpenSSL_version(OPENSSL_VERSION);
}

static struct loaded_library crypto_library = {
    LOADED_FUNCTIONS(CR_CRYPTO_FUNCTIONS, cr_crypto), .files = crypto_files, .outdated = outdated_crypto_files,
    .missing = needs, .prepare = prepare, .version = version,
};

static struct loaded_library ssl_library = {
    LOADED_FUNCTIONS(CR_SSL_FUNCTIONS, cr_ssl), .files = ssl_files, .outdated = outdated_ssl_files,
    .missing = needs, .version = version,
};

const char *cr_tls_unavailable(void) {
    const char *reason = loaded_library_open(&crypto_library);
    return reason ? reason : loaded_library_open(&ssl_library);
}
