#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/* Hashes and RSA signatures, with OpenSSL's libcrypto. The library is not linked: the first use opens it with dlopen.
 * Thread-safe. What certificates need is in ccertificates.h. */

/* Returns NULL if the library can be used, otherwise a sentence that says why not. The first call opens it. */
const char *cc_unavailable(void);

/* The length of the longest digest, in bytes. */
#define CC_DIGEST_ROOM 64

/* Writes the HMAC of a text with a digest such as "SHA256". Returns its length, or 0 if the digest is unknown. */
size_t cc_hmac(const char *digest, const uint8_t *key, size_t key_length, const uint8_t *text, size_t length,
    uint8_t out[CC_DIGEST_ROOM]);

/* Writes a digest such as "SHA1" of a text. Returns its length, or 0 if the digest is unknown. */
size_t cc_digest(const char *digest, const uint8_t *text, size_t length, uint8_t out[CC_DIGEST_ROOM]);

/* A private RSA key: OpenSSL's EVP_PKEY. */
typedef struct evp_pkey_st cc_key;

/* Reads a private RSA key in PEM. Returns NULL if it is malformed. Free the result with `cc_key_free`. */
cc_key *cc_key_read(const char *pem, size_t length);
/* Makes an RSA key, which takes some tenths of a second. Returns NULL on failure. */
cc_key *cc_key_make(int bits);
void cc_key_free(cc_key *key);

/* Writes a signature by RSASSA-PKCS1-v1_5 with a digest such as "SHA256" into at most `room` bytes. Returns its length,
 * or 0 on failure. */
size_t cc_sign(const cc_key *key, const char *digest, const uint8_t *text, size_t length, uint8_t *out, size_t room);

/* Writes the modulus ("n") or the exponent ("e") of a key, big-endian. Returns its length, or 0 on failure. */
size_t cc_key_number(const cc_key *key, const char *name, uint8_t *out, size_t room);

#endif
