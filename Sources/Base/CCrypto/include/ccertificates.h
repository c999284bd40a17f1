#ifndef CCERTIFICATES_H
#define CCERTIFICATES_H

#include "ccrypto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Certificates and their keys, by OpenSSL's libcrypto, which is opened at the first call of `cc_certificates_unavailable`:
 * the other functions may be called once that has returned NULL. Any number of threads may call them at the same time, also
 * with the same certificates and keys, which are only read.
 */

/* Returns NULL if certificates can be made and read, otherwise a sentence that says why not. */
const char *cc_certificates_unavailable(void);

/* An X.509 certificate: OpenSSL's X509. */
typedef struct x509_st cc_certificate;

/* What a certificate certifies. */
enum cc_role { CC_SERVER, CC_AUTHORITY, CC_INTERMEDIATE };

struct cc_certificate_plan {
    const char *common_name; /* at most 64 characters of UTF-8; NULL for none */
    const char *names;       /* DNS names and IP addresses, one a line; NULL for none */
    int64_t not_before;      /* in seconds since 1970 */
    int64_t not_after;
    enum cc_role role;
    const cc_key *key;
    const cc_certificate *issuer; /* NULL if it issues itself */
    const cc_key *issuer_key;
};

/* Makes a key on the curve P-256. Returns NULL if it cannot. Free the result with `cc_private_key_free`. */
cc_key *cc_curve_key_make(void);
/* Makes an RSA key, which takes some tenths of a second for 2048 bits. The same result. */
cc_key *cc_rsa_key_make(int bits);
void cc_private_key_free(cc_key *key);

/* Makes a certificate with a random serial number. Returns NULL if it cannot. */
cc_certificate *cc_certificate_make(const struct cc_certificate_plan *plan);
/* Reads a certificate in PEM. Returns NULL if it is none. */
cc_certificate *cc_certificate_read(const char *pem, size_t length);
void cc_certificate_free(cc_certificate *certificate);

/* Write PEM into at most `room` bytes. Return its length; 0 if it cannot be written there. The key is not encrypted. */
size_t cc_certificate_write(const cc_certificate *certificate, char *out, size_t room);
size_t cc_private_key_write(const cc_key *key, char *out, size_t room);

/* Writes the name of the owner as in RFC 2253. Returns its length, without a NUL; 0 if it cannot be written there. */
size_t cc_certificate_subject(const cc_certificate *certificate, char *out, size_t room);

#define CC_FINGERPRINT_LENGTH 32
/* Writes the SHA-256 of the DER form. Returns false if it cannot. */
bool cc_certificate_fingerprint(const cc_certificate *certificate, uint8_t out[CC_FINGERPRINT_LENGTH]);

/* Writes when it is valid, in seconds since 1970. Returns false if it does not say. */
bool cc_certificate_validity(const cc_certificate *certificate, int64_t *not_before, int64_t *not_after);
/* Returns whether the private key is that of the certificate. */
bool cc_certificate_has_key(const cc_certificate *certificate, const cc_key *key);
/* Returns whether a key is of a kind, by OpenSSL's name of it: `DSA`. */
bool cc_key_is(const cc_key *key, const char *kind);
/* Returns whether `issuer` has issued `certificate`, going by names, key identifiers, purposes, and the signature. */
bool cc_certificate_is_issued_by(const cc_certificate *certificate, const cc_certificate *issuer);

/* Returns whether the certificate is for a host: by its alternative names, or if it has none, its common name. */
bool cc_certificate_is_for(const cc_certificate *certificate, const char *name, size_t length);

/* What became of the reading of a key or a store. */
enum cc_reading {
    CC_READ,
    CC_MALFORMED,      /* it is none */
    CC_WRONG_PASSWORD, /* the password does not open it */
    CC_OLD_CIPHER,     /* it is encrypted in a way that needs OpenSSL's legacy provider, which is not installed */
    CC_COSTLY,         /* its passwords are hashed more often than Java takes */
    CC_FAILED          /* OpenSSL cannot read it, for another reason */
};

/* How often passwords may be hashed for all of one file: each time costs, and the file says how often. */
enum { CC_MOST_ROUNDS = 5000000 };

/* How often each password is hashed that is tried for a private key in PEM; beyond CC_MOST_ROUNDS any number. */
uint64_t cc_private_key_rounds(const char *pem, size_t length);

/* Reads a private key of any kind in PEM, which may be encrypted. */
enum cc_reading cc_private_key_read(const char *pem, size_t length, const char *password, cc_key **key);

/* Read what Java's stores hold: a private key in DER by PKCS#8, not encrypted, and a certificate in DER. Return NULL if it is
 * none, or if more follows. */
cc_key *cc_private_key_read_der(const uint8_t *bytes, size_t length);
cc_certificate *cc_certificate_read_der(const uint8_t *bytes, size_t length);

/* What a PKCS#12 store has, in its order. */
struct cc_store {
    cc_key **keys;
    char **key_names;              /* each in UTF-8, or NULL */
    size_t key_count;
    size_t locked_key_count;       /* the keys that none of the passwords opens, which are not in `keys` */
    cc_certificate **certificates;
    size_t certificate_count;
};

/* Reads a PKCS#12 store. The keys in it may have a password of their own: one of `key_passwords`, which ends with NULL.
 * Free what is in it with `cc_store_free` if the result is CC_READ. */
enum cc_reading cc_store_read(const uint8_t *bytes, size_t length, const char *password, const char *const *key_passwords,
    struct cc_store *store);
void cc_store_free(struct cc_store *store);

#define CC_JAVA_SALT_LENGTH 8
/*
 * Decrypts by Java's PBEWithMD5AndTripleDES, in which each half of the salt makes half of the key and initialization vector.
 * Writes at most `length` bytes. Returns how many; 0 if the password is wrong, or OpenSSL has one of the two algorithms no more.
 */
size_t cc_java_triple_des_open(const uint8_t *password, size_t password_length, const uint8_t salt[CC_JAVA_SALT_LENGTH],
    uint32_t rounds, const uint8_t *bytes, size_t length, uint8_t *out);

#endif
