#include "ccrypto.h"

#include "loaded_library.h"

#include <stdbool.h>
#include <stdint.h>

#if !__has_include(<openssl/evp.h>)
#error "the headers of OpenSSL are missing: `make deps`, or install libssl-dev (Debian and Ubuntu), openssl@3 (Homebrew)"
#endif

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#define FUNCTIONS(X) \
    X(EVP_Digest) \
    X(EVP_get_digestbyname) \
    X(HMAC) \
    X(BIO_new_mem_buf) \
    X(BIO_free) \
    X(PEM_read_bio_PrivateKey) \
    X(EVP_PKEY_free) \
    X(EVP_PKEY_is_a) \
    X(EVP_PKEY_get_bn_param) \
    X(EVP_PKEY_CTX_new_from_name) \
    X(EVP_PKEY_keygen_init) \
    X(EVP_PKEY_CTX_set_rsa_keygen_bits) \
    X(EVP_PKEY_generate) \
    X(EVP_PKEY_CTX_free) \
    X(EVP_MD_CTX_new) \
    X(EVP_MD_CTX_free) \
    X(EVP_DigestSignInit) \
    X(EVP_DigestSign) \
    X(BN_num_bits) \
    X(BN_bn2bin) \
    X(BN_free) \
    X(ERR_clear_error)

static LOADED_TABLE(FUNCTIONS) library;

static const char *const files[] = LOADED_OPENSSL_FILES("libcrypto");
static const char *const outdated[] = LOADED_OPENSSL_OUTDATED("libcrypto");

static struct loaded_library openssl = {
    LOADED_FUNCTIONS(FUNCTIONS, library),
    .files = files,
    .outdated = outdated,
    .missing = LOADED_OPENSSL_MISSING("signing needs"),
};

const char *cc_unavailable(void) {
    return loaded_library_open(&openssl);
}

size_t cc_hmac(const char *digest, const uint8_t *key, size_t key_length, const uint8_t *text, size_t length,
    uint8_t out[CC_DIGEST_ROOM]) {
    if (cc_unavailable() != NULL || key_length > INT32_MAX) return 0;
    const EVP_MD *algorithm = library.EVP_get_digestbyname(digest);
    unsigned int written = 0;
    /* Without a key, OpenSSL takes that of the call before. */
    if (algorithm == NULL ||
        library.HMAC(algorithm, key_length == 0 ? (const void *)"" : key, (int)key_length, text, length, out,
            &written) == NULL) {
        return 0;
    }
    return written;
}

size_t cc_digest(const char *digest, const uint8_t *text, size_t length, uint8_t out[CC_DIGEST_ROOM]) {
    if (cc_unavailable() != NULL) return 0;
    const EVP_MD *algorithm = library.EVP_get_digestbyname(digest);
    unsigned int written = 0;
    bool done = algorithm != NULL && library.EVP_Digest(text, length, out, &written, algorithm, NULL) == 1;
    library.ERR_clear_error();
    return done ? written : 0;
}

cc_key *cc_key_read(const char *pem, size_t length) {
    if (cc_unavailable() != NULL || length > INT32_MAX) return NULL;
    BIO *source = library.BIO_new_mem_buf(pem, (int)length);
    if (source == NULL) return NULL;
    /* Without a callback, an encrypted key would be asked for on the terminal; an empty password is given instead. */
    EVP_PKEY *key = library.PEM_read_bio_PrivateKey(source, NULL, NULL, (void *)"");
    library.BIO_free(source);
    if (key != NULL && !library.EVP_PKEY_is_a(key, "RSA")) {
        library.EVP_PKEY_free(key);
        key = NULL;
    }
    library.ERR_clear_error();
    return key;
}

cc_key *cc_key_make(int bits) {
    if (cc_unavailable() != NULL) return NULL;
    EVP_PKEY_CTX *context = library.EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL) return NULL;
    if (library.EVP_PKEY_keygen_init(context) > 0 && library.EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) > 0) {
        (void)library.EVP_PKEY_generate(context, &key);
    }
    library.EVP_PKEY_CTX_free(context);
    library.ERR_clear_error();
    return key;
}

void cc_key_free(cc_key *key) {
    if (key != NULL) library.EVP_PKEY_free(key);
}

size_t cc_sign(const cc_key *key, const char *digest, const uint8_t *text, size_t length, uint8_t *out, size_t room) {
    const EVP_MD *algorithm = library.EVP_get_digestbyname(digest);
    EVP_MD_CTX *context = algorithm == NULL ? NULL : library.EVP_MD_CTX_new();
    if (context == NULL) return 0;
    size_t written = room;
    int done = library.EVP_DigestSignInit(context, NULL, algorithm, NULL, (cc_key *)key) > 0 &&
        library.EVP_DigestSign(context, out, &written, text, length) > 0;
    library.EVP_MD_CTX_free(context);
    library.ERR_clear_error();
    return done ? written : 0;
}

size_t cc_key_number(const cc_key *key, const char *name, uint8_t *out, size_t room) {
    BIGNUM *number = NULL;
    if (library.EVP_PKEY_get_bn_param(key, name, &number) <= 0) return 0;
    size_t length = (size_t)(library.BN_num_bits(number) + 7) / 8;
    if (length <= room) library.BN_bn2bin(number, out);
    library.BN_free(number);
    return length <= room ? length : 0;
}
