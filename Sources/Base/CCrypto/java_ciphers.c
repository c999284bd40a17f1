#include "certificate_library.h"

#include <string.h>

/* The ciphers of Java's own stores, JKS and JCEKS. */

cc_key *cc_private_key_read_der(const uint8_t *bytes, size_t length) {
    const unsigned char *at = bytes;
    PKCS8_PRIV_KEY_INFO *info = length > INT32_MAX ? NULL : cc_openssl.d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)length);
    cc_key *key = NULL;
    if (info != NULL && at == bytes + length) key = cc_openssl.EVP_PKCS82PKEY_ex(info, NULL, NULL);
    cc_openssl.PKCS8_PRIV_KEY_INFO_free(info);
    cc_openssl.ERR_clear_error();
    return key;
}

cc_certificate *cc_certificate_read_der(const uint8_t *bytes, size_t length) {
    const unsigned char *at = bytes;
    X509 *certificate = length > INT32_MAX ? NULL : cc_openssl.d2i_X509(NULL, &at, (long)length);
    if (certificate != NULL && at != bytes + length) {
        cc_openssl.X509_free(certificate);
        certificate = NULL;
    }
    cc_openssl.ERR_clear_error();
    return certificate;
}

enum { HALF = CC_JAVA_SALT_LENGTH / 2, DIGEST = 16, KEY = 24, BLOCK = 8 };

/* Reverses the first half if both are equal, as Java does: both halves of the key would be equal, too. */
static void fix_salt(uint8_t salt[CC_JAVA_SALT_LENGTH]) {
    if (memcmp(salt, salt + HALF, HALF) != 0) return;
    for (int i = 0; i < HALF / 2; i++) {
        uint8_t byte = salt[i];
        salt[i] = salt[HALF - 1 - i];
        salt[HALF - 1 - i] = byte;
    }
}

/* Hashes the half of the salt with the password by MD5, then repeatedly the digest with the password. */
static bool digest_half(EVP_MD_CTX *context, const uint8_t *half, const uint8_t *password, size_t length,
    uint32_t rounds, uint8_t out[DIGEST]) {
    bool done = rounds > 0 && cc_openssl.EVP_DigestInit_ex(context, cc_openssl.EVP_md5(), NULL) == 1;
    for (uint32_t round = 0; done && round < rounds; round++)
        /* With a NULL type the context is reset to the same digest, which is much faster. */
        done = (round == 0 || cc_openssl.EVP_DigestInit_ex(context, NULL, NULL) == 1) &&
            cc_openssl.EVP_DigestUpdate(context, round == 0 ? half : out, round == 0 ? HALF : DIGEST) == 1 &&
            cc_openssl.EVP_DigestUpdate(context, password, length) == 1 &&
            cc_openssl.EVP_DigestFinal_ex(context, out, NULL) == 1;
    return done;
}

static size_t decrypt(const uint8_t key[KEY + BLOCK], const uint8_t *bytes, size_t length, uint8_t *out) {
    EVP_CIPHER_CTX *context = cc_openssl.EVP_CIPHER_CTX_new();
    int body = 0, rest = 0;
    bool done = context != NULL &&
        cc_openssl.EVP_DecryptInit_ex(context, cc_openssl.EVP_des_ede3_cbc(), NULL, key, key + KEY) == 1 &&
        cc_openssl.EVP_DecryptUpdate(context, out, &body, bytes, (int)length) == 1 &&
        cc_openssl.EVP_DecryptFinal_ex(context, out + body, &rest) == 1;
    cc_openssl.EVP_CIPHER_CTX_free(context);
    return done ? (size_t)body + (size_t)rest : 0;
}

size_t cc_java_triple_des_open(const uint8_t *password, size_t password_length, const uint8_t salt[CC_JAVA_SALT_LENGTH],
    uint32_t rounds, const uint8_t *bytes, size_t length, uint8_t *out) {
    if (length == 0 || length % BLOCK != 0 || length > INT32_MAX) return 0;
    uint8_t halves[CC_JAVA_SALT_LENGTH], key[2 * DIGEST];
    memcpy(halves, salt, sizeof halves);
    fix_salt(halves);
    EVP_MD_CTX *context = cc_openssl.EVP_MD_CTX_new();
    bool done = context != NULL && digest_half(context, halves, password, password_length, rounds, key) &&
        digest_half(context, halves + HALF, password, password_length, rounds, key + DIGEST);
    cc_openssl.EVP_MD_CTX_free(context);
    size_t written = done ? decrypt(key, bytes, length, out) : 0;
    cc_openssl.OPENSSL_cleanse(key, sizeof key);
    cc_openssl.ERR_clear_error();
    return written;
}
