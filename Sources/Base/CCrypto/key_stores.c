#include "certificate_library.h"

#include <stdlib.h>
#include <string.h>

/* Keys and certificates from users' files, which may be encrypted. */

/* Derives the result from this thread's error queue, and empties that: CC_OLD_CIPHER, or `usual` if no cipher was
 * missing. */
static enum cc_reading error_result(enum cc_reading usual) {
    enum cc_reading result = usual;
    unsigned long error;
    while ((error = cc_openssl.ERR_get_error()) != 0) {
        int library = ERR_GET_LIB(error), reason = ERR_GET_REASON(error);
        if (reason == ERR_R_UNSUPPORTED || (library == ERR_LIB_EVP && reason == EVP_R_UNSUPPORTED_ALGORITHM)) {
            result = CC_OLD_CIPHER;
        }
    }
    return result;
}

enum cc_reading cc_private_key_read(const char *pem, size_t length, const char *password, cc_key **key) {
    *key = NULL;
    BIO *source = length > INT32_MAX ? NULL : cc_openssl.BIO_new_mem_buf(pem, (int)length);
    if (source == NULL) return CC_FAILED;
    /* Without a callback OpenSSL takes the last argument as the password, and does not prompt. */
    *key = cc_openssl.PEM_read_bio_PrivateKey(source, NULL, NULL, (void *)password);
    cc_openssl.BIO_free(source);
    enum cc_reading result = *key == NULL ? CC_MALFORMED : CC_READ;
    cc_openssl.ERR_clear_error();
    return result;
}

/* A library context of its own for old stores, so that the legacy ciphers stay unavailable elsewhere in the process. */
struct old_ciphers {
    OSSL_LIB_CTX *context;
    OSSL_PROVIDER *usual, *old;
};

static void old_ciphers_close(struct old_ciphers *ciphers) {
    if (ciphers->old != NULL) cc_openssl.OSSL_PROVIDER_unload(ciphers->old);
    if (ciphers->usual != NULL) cc_openssl.OSSL_PROVIDER_unload(ciphers->usual);
    if (ciphers->context != NULL) cc_openssl.OSSL_LIB_CTX_free(ciphers->context);
}

static bool old_ciphers_open(struct old_ciphers *ciphers) {
    ciphers->context = cc_openssl.OSSL_LIB_CTX_new();
    if (ciphers->context != NULL) {
        ciphers->usual = cc_openssl.OSSL_PROVIDER_load(ciphers->context, "default");
        ciphers->old = cc_openssl.OSSL_PROVIDER_load(ciphers->context, "legacy");
    }
    if (ciphers->usual != NULL && ciphers->old != NULL) return true;
    old_ciphers_close(ciphers);
    cc_openssl.ERR_clear_error();
    return false;
}

/* Copies a key by way of PEM: the copy does not depend on the library context of the original. */
static cc_key *copy_key(const cc_key *key) {
    size_t room = 65536, length;
    char *pem = malloc(room);
    cc_key *copy = NULL;
    if (pem != NULL && (length = cc_private_key_write(key, pem, room)) > 0) {
        (void)cc_private_key_read(pem, length, "", &copy);
    }
    free(pem);
    return copy;
}

static cc_certificate *copy_certificate(const cc_certificate *certificate) {
    size_t room = 65536, length;
    char *pem = malloc(room);
    cc_certificate *copy = NULL;
    if (pem != NULL && (length = cc_certificate_write(certificate, pem, room)) > 0) {
        copy = cc_certificate_read(pem, length);
    }
    free(pem);
    return copy;
}

static char *copy_name(PKCS12_SAFEBAG *bag) {
    char *name = cc_openssl.PKCS12_get_friendlyname(bag);
    char *copy = name == NULL ? NULL : strdup(name);
    cc_openssl.CRYPTO_free(name, "", 0);
    return copy;
}

/* Appends a copy to the store. Returns false if out of memory. */
static bool append_key(struct cc_store *store, const EVP_PKEY *key, const PKCS12_SAFEBAG *bag) {
    cc_key **keys = realloc(store->keys, (store->key_count + 1) * sizeof *keys);
    if (keys != NULL) store->keys = keys;
    char **names = realloc(store->key_names, (store->key_count + 1) * sizeof *names);
    if (names != NULL) store->key_names = names;
    cc_key *copy = keys == NULL || names == NULL ? NULL : copy_key(key);
    if (copy != NULL) {
        names[store->key_count] = copy_name((PKCS12_SAFEBAG *)bag);
        keys[store->key_count++] = copy;
    }
    return copy != NULL;
}

static bool append_certificate(struct cc_store *store, const X509 *certificate) {
    cc_certificate **grown = realloc(store->certificates, (store->certificate_count + 1) * sizeof *grown);
    cc_certificate *copy = grown == NULL ? NULL : copy_certificate(certificate);
    if (grown != NULL) store->certificates = grown;
    if (copy != NULL) store->certificates[store->certificate_count++] = copy;
    return copy != NULL;
}

/* The hash rounds of the password check (MAC). */
static uint64_t rounds_of_mac(const PKCS12 *file) {
    const ASN1_OCTET_STRING *code, *salt;
    const X509_ALGOR *algorithm;
    const ASN1_INTEGER *rounds = NULL;
    if (!cc_openssl.PKCS12_mac_present(file)) return 0;
    cc_openssl.PKCS12_get0_mac(&code, &algorithm, &salt, &rounds, file);
    long count = rounds == NULL ? 1 : cc_openssl.ASN1_INTEGER_get(rounds);
    uint64_t others = cc_rounds_of(algorithm);
    return count < 0 ? UINT32_MAX : (uint64_t)count > others ? (uint64_t)count : others;
}

static uint64_t rounds_of_bag(const PKCS12_SAFEBAG *bag) {
    const X509_SIG *locked = cc_openssl.PKCS12_SAFEBAG_get0_pkcs8(bag);
    const X509_ALGOR *algorithm = NULL;
    const ASN1_OCTET_STRING *bytes;
    if (locked != NULL) cc_openssl.X509_SIG_get0(locked, &algorithm, &bytes);
    return cc_rounds_of(algorithm);
}

/* The parameters of reading a store. */
struct opener {
    OSSL_LIB_CTX *context;
    const char *password; /* NULL for none */
    const char *const *key_passwords;
    struct cc_store *store;
    uint64_t *rounds; /* hash rounds so far */
};

/* Adds `rounds` to the total. Returns whether that is still within the limit. */
static bool count_rounds(const struct opener *opener, uint64_t rounds) {
    *opener->rounds += rounds;
    return *opener->rounds <= CC_MAX_ROUNDS;
}

static enum cc_reading read_key(
    const struct opener *opener, const PKCS8_PRIV_KEY_INFO *info, const PKCS12_SAFEBAG *bag) {
    EVP_PKEY *key = cc_openssl.EVP_PKCS82PKEY_ex(info, opener->context, NULL);
    bool done = key != NULL && append_key(opener->store, key, bag);
    cc_openssl.EVP_PKEY_free(key);
    return done ? CC_READ : error_result(CC_FAILED);
}

static PKCS8_PRIV_KEY_INFO *unlock(const struct opener *opener, const PKCS12_SAFEBAG *bag, const char *password) {
    return cc_openssl.PKCS12_decrypt_skey_ex(bag, password, password == NULL ? 0 : -1, opener->context, NULL);
}

static enum cc_reading read_encrypted_key(const struct opener *opener, const PKCS12_SAFEBAG *bag) {
    uint64_t rounds = rounds_of_bag(bag);
    if (!count_rounds(opener, rounds)) return CC_COSTLY;
    PKCS8_PRIV_KEY_INFO *info = unlock(opener, bag, opener->password);
    for (const char *const *password = opener->key_passwords; info == NULL && *password != NULL; password++) {
        if (!count_rounds(opener, rounds)) return CC_COSTLY;
        info = unlock(opener, bag, *password);
    }
    if (info == NULL) {
        enum cc_reading result = error_result(CC_READ);
        opener->store->locked_key_count += result == CC_READ;
        return result;
    }
    enum cc_reading result = read_key(opener, info, bag);
    cc_openssl.PKCS8_PRIV_KEY_INFO_free(info);
    return result;
}

static enum cc_reading read_certificate(const struct opener *opener, const PKCS12_SAFEBAG *bag) {
    if (cc_openssl.PKCS12_SAFEBAG_get_bag_nid(bag) != NID_x509Certificate) return CC_READ;
    X509 *certificate = cc_openssl.PKCS12_SAFEBAG_get1_cert(bag);
    bool done = certificate != NULL && append_certificate(opener->store, certificate);
    cc_openssl.X509_free(certificate);
    return done ? CC_READ : error_result(CC_FAILED);
}

/* Reads the contents of bags, which may be nested. Real stores nest less than the limit. */
static enum cc_reading read_bags(const struct opener *opener, const OPENSSL_STACK *bags, int depth) {
    enum cc_reading result = depth > 8 ? CC_MALFORMED : CC_READ;
    int count = cc_openssl.OPENSSL_sk_num(bags);
    for (int i = 0; result == CC_READ && i < count; i++) {
        const PKCS12_SAFEBAG *bag = cc_openssl.OPENSSL_sk_value(bags, i);
        switch (cc_openssl.PKCS12_SAFEBAG_get_nid(bag)) {
        case NID_keyBag: result = read_key(opener, cc_openssl.PKCS12_SAFEBAG_get0_p8inf(bag), bag); break;
        case NID_pkcs8ShroudedKeyBag: result = read_encrypted_key(opener, bag); break;
        case NID_certBag: result = read_certificate(opener, bag); break;
        case NID_safeContentsBag:
            result = read_bags(opener, (const OPENSSL_STACK *)cc_openssl.PKCS12_SAFEBAG_get0_safes(bag), depth + 1);
            break;
        default: break;
        }
    }
    return result;
}

static void free_bag(void *bag) {
    cc_openssl.PKCS12_SAFEBAG_free(bag);
}

static void free_part(void *part) {
    cc_openssl.PKCS7_free(part);
}

static enum cc_reading read_part(const struct opener *opener, PKCS7 *part, bool is_proven) {
    OPENSSL_STACK *bags;
    switch (cc_openssl.OBJ_obj2nid(part->type)) {
    case NID_pkcs7_data: bags = (OPENSSL_STACK *)cc_openssl.PKCS12_unpack_p7data(part); break;
    case NID_pkcs7_encrypted:
        if (part->d.encrypted == NULL || part->d.encrypted->enc_data == NULL) return CC_MALFORMED;
        if (!count_rounds(opener, cc_rounds_of(part->d.encrypted->enc_data->algorithm))) return CC_COSTLY;
        bags = (OPENSSL_STACK *)cc_openssl.PKCS12_unpack_p7encdata(
            part, opener->password, opener->password == NULL ? 0 : -1);
        if (bags == NULL) return error_result(is_proven ? CC_FAILED : CC_WRONG_PASSWORD);
        break;
    default: return CC_READ;
    }
    if (bags == NULL) return error_result(CC_MALFORMED);
    enum cc_reading result = read_bags(opener, bags, 0);
    cc_openssl.OPENSSL_sk_pop_free(bags, free_bag);
    return result;
}

/* Reads a store. Its password was checked by the MAC; a store without one is checked by decrypting its parts. */
static enum cc_reading read_contents(const struct opener *opener, const PKCS12 *file) {
    OPENSSL_STACK *parts = (OPENSSL_STACK *)cc_openssl.PKCS12_unpack_authsafes(file);
    if (parts == NULL) return error_result(CC_MALFORMED);
    enum cc_reading result = CC_READ;
    bool is_proven = cc_openssl.PKCS12_mac_present(file);
    int count = cc_openssl.OPENSSL_sk_num(parts);
    for (int i = 0; result == CC_READ && i < count; i++) {
        result = read_part(opener, cc_openssl.OPENSSL_sk_value(parts, i), is_proven);
    }
    cc_openssl.OPENSSL_sk_pop_free(parts, free_part);
    if (result != CC_READ) cc_store_free(opener->store);
    return result;
}

/* Checks the password by the MAC. An empty password also stands for none, which has another encoding: `*password` is
 * then set to NULL. */
static bool verify_password(PKCS12 *file, const char **password) {
    if (!cc_openssl.PKCS12_mac_present(file)) return true;
    if (cc_openssl.PKCS12_verify_mac(file, *password, -1) == 1) return true;
    bool is_open = **password == 0 && cc_openssl.PKCS12_verify_mac(file, NULL, 0) == 1;
    if (is_open) *password = NULL;
    return is_open;
}

static enum cc_reading read_within(OSSL_LIB_CTX *context, const uint8_t *bytes, size_t length, const char *password,
    const char *const *key_passwords, struct cc_store *store) {
    *store = (struct cc_store){0};
    BIO *source = length > INT32_MAX ? NULL : cc_openssl.BIO_new_mem_buf(bytes, (int)length);
    PKCS12 *file = source == NULL ? NULL : cc_openssl.PKCS12_init_ex(NID_pkcs7_data, context, NULL);
    enum cc_reading result = CC_MALFORMED;
    if (file != NULL && cc_openssl.d2i_PKCS12_bio(source, &file) != NULL) {
        uint64_t rounds = 0;
        struct opener opener = {context, password, key_passwords, store, &rounds};
        bool is_possible = count_rounds(&opener, rounds_of_mac(file)),
             is_open = is_possible && verify_password(file, &opener.password);
        result = is_open ? read_contents(&opener, file) : is_possible ? error_result(CC_WRONG_PASSWORD) : CC_COSTLY;
    }
    cc_openssl.PKCS12_free(file);
    cc_openssl.BIO_free(source);
    cc_openssl.ERR_clear_error();
    return result;
}

enum cc_reading cc_store_read(const uint8_t *bytes, size_t length, const char *password,
    const char *const *key_passwords, struct cc_store *store) {
    enum cc_reading result = read_within(NULL, bytes, length, password, key_passwords, store);
    struct old_ciphers ciphers = {0};
    if (result != CC_OLD_CIPHER || !old_ciphers_open(&ciphers)) return result;
    result = read_within(ciphers.context, bytes, length, password, key_passwords, store);
    old_ciphers_close(&ciphers);
    return result;
}

void cc_store_free(struct cc_store *store) {
    for (size_t i = 0; i < store->certificate_count; i++) cc_certificate_free(store->certificates[i]);
    for (size_t i = 0; i < store->key_count; i++) {
        cc_private_key_free(store->keys[i]);
        free(store->key_names[i]);
    }
    free(store->certificates);
    free(store->keys);
    free(store->key_names);
    *store = (struct cc_store){0};
}
