#include "ccrypto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/*
 * The functions of OpenSSL 3, by their names there. Its headers are not needed, so that building the daemon does not need
 * them either.
 */
#define FUNCTIONS(X)                                                                                                   \
    X(const void *, EVP_get_digestbyname, (const char *))                                                              \
    X(unsigned char *, HMAC,                                                                                           \
        (const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned int *))             \
    X(void *, BIO_new_mem_buf, (const void *, int))                                                                    \
    X(int, BIO_free, (void *))                                                                                         \
    X(void *, PEM_read_bio_PrivateKey, (void *, void **, void *, void *))                                              \
    X(void, EVP_PKEY_free, (void *))                                                                                   \
    X(int, EVP_PKEY_is_a, (const void *, const char *))                                                                \
    X(int, EVP_PKEY_get_bn_param, (const void *, const char *, void **))                                               \
    X(void *, EVP_PKEY_CTX_new_from_name, (void *, const char *, const char *))                                        \
    X(int, EVP_PKEY_keygen_init, (void *))                                                                             \
    X(int, EVP_PKEY_CTX_set_rsa_keygen_bits, (void *, int))                                                            \
    X(int, EVP_PKEY_generate, (void *, void **))                                                                       \
    X(void, EVP_PKEY_CTX_free, (void *))                                                                               \
    X(void *, EVP_MD_CTX_new, (void))                                                                                  \
    X(void, EVP_MD_CTX_free, (void *))                                                                                 \
    X(int, EVP_DigestSignInit, (void *, void **, const void *, void *, void *))                                        \
    X(int, EVP_DigestSign, (void *, unsigned char *, size_t *, const unsigned char *, size_t))                         \
    X(int, BN_num_bits, (const void *))                                                                                \
    X(int, BN_bn2bin, (const void *, unsigned char *))                                                                 \
    X(void, BN_free, (void *))                                                                                         \
    X(void, ERR_clear_error, (void))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    FUNCTIONS(MEMBER)
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];

#define INSTALL                                                                                                        \
    "signing needs OpenSSL 3: install its library (Debian and Ubuntu: libssl3 or libssl3t64; Homebrew: openssl@3)"

static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib", "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
#else
    "libcrypto.so.3",
#endif
};

static void *find(void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    if (address == NULL && reason[0] == '\0')
        snprintf(reason, sizeof reason, INSTALL "; the one found has no function %s", name);
    return address;
}

static void load(void)
{
    void *handle = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && handle == NULL; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(reason, sizeof reason, INSTALL);
        return;
    }
    /* POSIX has addresses of functions and of data be the same. */
#define FILL(result, name, parameters) *(void **)&library.name = find(handle, #name);
    FUNCTIONS(FILL)
}

const char *cc_unavailable(void)
{
    pthread_once(&once, load);
    return reason[0] == '\0' ? NULL : reason;
}

size_t cc_hmac(const char *digest, const uint8_t *key, size_t key_length, const uint8_t *text, size_t length,
    uint8_t out[CC_DIGEST_ROOM])
{
    if (cc_unavailable() != NULL || key_length > INT32_MAX)
        return 0;
    const void *algorithm = library.EVP_get_digestbyname(digest);
    unsigned int written = 0;
    /* Without a key, OpenSSL takes that of the call before. */
    if (algorithm == NULL ||
        library.HMAC(algorithm, key_length == 0 ? (const void *)"" : key, (int)key_length, text, length, out, &written) ==
            NULL)
        return 0;
    return written;
}

cc_key *cc_key_read(const char *pem, size_t length)
{
    if (cc_unavailable() != NULL || length > INT32_MAX)
        return NULL;
    void *source = library.BIO_new_mem_buf(pem, (int)length);
    if (source == NULL)
        return NULL;
    /* Without a callback, an encrypted key would be asked for on the terminal; an empty password is given instead. */
    void *key = library.PEM_read_bio_PrivateKey(source, NULL, NULL, (void *)"");
    library.BIO_free(source);
    if (key != NULL && !library.EVP_PKEY_is_a(key, "RSA")) {
        library.EVP_PKEY_free(key);
        key = NULL;
    }
    library.ERR_clear_error();
    return key;
}

cc_key *cc_key_make(int bits)
{
    if (cc_unavailable() != NULL)
        return NULL;
    void *context = library.EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    void *key = NULL;
    if (context == NULL)
        return NULL;
    if (library.EVP_PKEY_keygen_init(context) > 0 && library.EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) > 0)
        (void)library.EVP_PKEY_generate(context, &key);
    library.EVP_PKEY_CTX_free(context);
    library.ERR_clear_error();
    return key;
}

void cc_key_free(cc_key *key)
{
    if (key != NULL)
        library.EVP_PKEY_free(key);
}

size_t cc_sign(const cc_key *key, const char *digest, const uint8_t *text, size_t length, uint8_t *out, size_t room)
{
    const void *algorithm = library.EVP_get_digestbyname(digest);
    void *context = algorithm == NULL ? NULL : library.EVP_MD_CTX_new();
    if (context == NULL)
        return 0;
    size_t written = room;
    int done = library.EVP_DigestSignInit(context, NULL, algorithm, NULL, (void *)key) > 0 &&
        library.EVP_DigestSign(context, out, &written, text, length) > 0;
    library.EVP_MD_CTX_free(context);
    library.ERR_clear_error();
    return done ? written : 0;
}

size_t cc_key_number(const cc_key *key, const char *name, uint8_t *out, size_t room)
{
    void *number = NULL;
    if (library.EVP_PKEY_get_bn_param(key, name, &number) <= 0)
        return 0;
    size_t length = (size_t)(library.BN_num_bits(number) + 7) / 8;
    if (length <= room)
        library.BN_bn2bin(number, out);
    library.BN_free(number);
    return length <= room ? length : 0;
}
