#include "certificate_library.h"

#include <stdlib.h>
#include <string.h>

/* Keys and certificates in files of users, which may be encrypted. */

/* Tells from the errors of this thread why nothing was read, and forgets them. */
static enum cc_reading failure(enum cc_reading usual)
{
    enum cc_reading result = usual;
    unsigned long error;
    while ((error = cc_openssl.ERR_get_error()) != 0) {
        int library = ERR_GET_LIB(error), reason = ERR_GET_REASON(error);
        if (reason == ERR_R_UNSUPPORTED || (library == ERR_LIB_EVP && reason == EVP_R_UNSUPPORTED_ALGORITHM))
            result = CC_OLD_CIPHER;
    }
    return result;
}

enum cc_reading cc_private_key_read(const char *pem, size_t length, const char *password, cc_key **key)
{
    *key = NULL;
    BIO *source = length > INT32_MAX ? NULL : cc_openssl.BIO_new_mem_buf(pem, (int)length);
    if (source == NULL)
        return CC_FAILED;
    /* Without a callback the password is taken from the last argument, and nobody is asked on the terminal. */
    *key = cc_openssl.PEM_read_bio_PrivateKey(source, NULL, NULL, (void *)password);
    cc_openssl.BIO_free(source);
    enum cc_reading result = *key == NULL ? CC_MALFORMED : CC_READ;
    cc_openssl.ERR_clear_error();
    return result;
}

/* What is used for old stores only, so that old ciphers stay unknown to everything else in the process. */
struct old_ciphers {
    OSSL_LIB_CTX *context;
    OSSL_PROVIDER *usual, *old;
};

static void old_ciphers_close(struct old_ciphers *ciphers)
{
    if (ciphers->old != NULL)
        cc_openssl.OSSL_PROVIDER_unload(ciphers->old);
    if (ciphers->usual != NULL)
        cc_openssl.OSSL_PROVIDER_unload(ciphers->usual);
    if (ciphers->context != NULL)
        cc_openssl.OSSL_LIB_CTX_free(ciphers->context);
}

static bool old_ciphers_open(struct old_ciphers *ciphers)
{
    ciphers->context = cc_openssl.OSSL_LIB_CTX_new();
    if (ciphers->context != NULL) {
        ciphers->usual = cc_openssl.OSSL_PROVIDER_load(ciphers->context, "default");
        ciphers->old = cc_openssl.OSSL_PROVIDER_load(ciphers->context, "legacy");
    }
    if (ciphers->usual != NULL && ciphers->old != NULL)
        return true;
    old_ciphers_close(ciphers);
    cc_openssl.ERR_clear_error();
    return false;
}

/* Copies a key by way of PEM: it then no longer belongs to the context that it was read in. */
static cc_key *own_key(const cc_key *key)
{
    size_t room = 65536, length;
    char *pem = malloc(room);
    cc_key *copy = NULL;
    if (pem != NULL && (length = cc_private_key_write(key, pem, room)) > 0)
        (void)cc_private_key_read(pem, length, "", &copy);
    free(pem);
    return copy;
}

static cc_certificate *own_certificate(const cc_certificate *certificate)
{
    size_t room = 65536, length;
    char *pem = malloc(room);
    cc_certificate *copy = NULL;
    if (pem != NULL && (length = cc_certificate_write(certificate, pem, room)) > 0)
        copy = cc_certificate_read(pem, length);
    free(pem);
    return copy;
}

static void free_certificate(void *certificate)
{
    cc_openssl.X509_free(certificate);
}

/* Copies what a store has. Returns false, with nothing to free, if there is no memory. */
static bool fill(struct cc_store *store, const cc_key *key, const cc_certificate *own, const OPENSSL_STACK *others)
{
    int count = others == NULL ? 0 : cc_openssl.OPENSSL_sk_num(others);
    *store = (struct cc_store){.certificates = calloc((size_t)count + 2, sizeof(cc_certificate *))};
    bool done = store->certificates != NULL;
    if (done && key != NULL)
        done = (store->key = own_key(key)) != NULL;
    for (int i = -1; done && i < count; i++) {
        const cc_certificate *next = i < 0 ? own : cc_openssl.OPENSSL_sk_value(others, i);
        if (next != NULL)
            done = (store->certificates[store->count++] = own_certificate(next)) != NULL;
    }
    if (!done)
        cc_store_free(store);
    return done;
}

/* Reads a store whose password is right, as far as it can be told before. */
static enum cc_reading parse(PKCS12 *file, const char *password, struct cc_store *store)
{
    EVP_PKEY *key = NULL;
    X509 *own = NULL;
    STACK_OF(X509) *others = NULL;
    /* OpenSSL 3.0 reads no store without a code that proves its password. */
    if (cc_openssl.PKCS12_parse(file, password, &key, &own, &others) != 1)
        return failure(cc_openssl.PKCS12_mac_present(file) ? CC_WRONG_KEY_PASSWORD : CC_FAILED);
    bool done = fill(store, key, own, (const OPENSSL_STACK *)others);
    cc_openssl.EVP_PKEY_free(key);
    cc_openssl.X509_free(own);
    cc_openssl.OPENSSL_sk_pop_free((OPENSSL_STACK *)others, free_certificate);
    cc_openssl.ERR_clear_error();
    return done ? CC_READ : CC_FAILED;
}

/* Finds the form in which the password was used: none at all and an empty one are the same to users. */
static bool opens(PKCS12 *file, const char **password)
{
    if (!cc_openssl.PKCS12_mac_present(file))
        return true;
    if (cc_openssl.PKCS12_verify_mac(file, *password, -1) == 1)
        return true;
    bool is_open = **password == 0 && cc_openssl.PKCS12_verify_mac(file, NULL, 0) == 1;
    if (is_open)
        *password = NULL;
    return is_open;
}

static enum cc_reading read_within(
    OSSL_LIB_CTX *context, const uint8_t *bytes, size_t length, const char *password, struct cc_store *store)
{
    BIO *source = length > INT32_MAX ? NULL : cc_openssl.BIO_new_mem_buf(bytes, (int)length);
    PKCS12 *file = source == NULL ? NULL : cc_openssl.PKCS12_init_ex(NID_pkcs7_data, context, NULL);
    enum cc_reading result = CC_MALFORMED;
    if (file != NULL && cc_openssl.d2i_PKCS12_bio(source, &file) != NULL)
        result = opens(file, &password) ? parse(file, password, store) : failure(CC_WRONG_PASSWORD);
    cc_openssl.PKCS12_free(file);
    cc_openssl.BIO_free(source);
    cc_openssl.ERR_clear_error();
    return result;
}

enum cc_reading cc_store_read(const uint8_t *bytes, size_t length, const char *password, struct cc_store *store)
{
    enum cc_reading result = read_within(NULL, bytes, length, password, store);
    struct old_ciphers ciphers = {0};
    if (result != CC_OLD_CIPHER || !old_ciphers_open(&ciphers))
        return result;
    result = read_within(ciphers.context, bytes, length, password, store);
    old_ciphers_close(&ciphers);
    return result;
}

void cc_store_free(struct cc_store *store)
{
    for (size_t i = 0; store->certificates != NULL && i < store->count; i++)
        cc_certificate_free(store->certificates[i]);
    free(store->certificates);
    cc_private_key_free(store->key);
    *store = (struct cc_store){0};
}
