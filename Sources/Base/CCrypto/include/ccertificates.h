#ifndef CCERTIFICATES_H
#define CCERTIFICATES_H

#include "ccrypto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Certificates and their keys, with OpenSSL's libcrypto. The first call of `cc_certificates_unavailable` opens the
 * library; the other functions may be called once that has returned NULL. Thread-safe, also with the same certificates
 * and keys, which are only read. */

/* Returns NULL if the library can be used, otherwise a sentence that says why not. */
const char *cc_certificates_unavailable(void);

/* An X.509 certificate: OpenSSL's X509. */
typedef struct x509_st cc_certificate;

/* What a certificate is for. */
enum cc_role { CC_SERVER, CC_AUTHORITY, CC_INTERMEDIATE };

struct cc_certificate_plan {
    const char *common_name; /* at most 64 characters of UTF-8; NULL for none */
    const char *names;       /* DNS names and IP addresses, one a line; NULL for none */
    int64_t not_before;      /* in seconds since 1970 */
    int64_t not_after;
    enum cc_role role;
    const cc_key *key;
    const cc_certificate *issuer; /* NULL for a self-signed certificate */
    const cc_key *issuer_key;
};

/* Makes a key on the curve P-256. Returns NULL on failure. Free the result with `cc_private_key_free`. */
cc_key *cc_curve_key_make(void);
/* Makes an RSA key, which takes some tenths of a second for 2048 bits. Returns NULL on failure. Free the result with
 * `cc_private_key_free`. */
cc_key *cc_rsa_key_make(int bits);
void cc_private_key_free(cc_key *key);

/* Makes a certificate with a random serial number. Returns NULL on failure. */
cc_certificate *cc_certificate_make(const struct cc_certificate_plan *plan);
/* Reads a certificate in PEM. Returns NULL if it is malformed. */
cc_certificate *cc_certificate_read(const char *pem, size_t length);
void cc_certificate_free(cc_certificate *certificate);

/* Write PEM into at most `room` bytes. Return the length, or 0 on failure or if it does not fit. The key is not
 * encrypted. */
size_t cc_certificate_write(const cc_certificate *certificate, char *out, size_t room);
size_t cc_private_key_write(const cc_key *key, char *out, size_t room);

/* Writes the subject's name as in RFC 2253. Returns the length, without a NUL, or 0 on failure or if it does not
 * fit. */
size_t cc_certificate_subject(const cc_certificate *certificate, char *out, size_t room);

#define CC_FINGERPRINT_LENGTH 32
/* Writes the SHA-256 of the DER form. Returns whether that succeeded. */
bool cc_certificate_fingerprint(const cc_certificate *certificate, uint8_t out[CC_FINGERPRINT_LENGTH]);

/* Writes the start and the end of the validity, in seconds since 1970. Returns false if the certificate has none. */
bool cc_certificate_validity(const cc_certificate *certificate, int64_t *not_before, int64_t *not_after);
/* Returns whether the private key belongs to the certificate. */
bool cc_certificate_has_key(const cc_certificate *certificate, const cc_key *key);
/* Returns whether a key is of a type, by OpenSSL's name for it, such as `DSA`. */
bool cc_key_is(const cc_key *key, const char *kind);
/* Returns whether `issuer` has issued `certificate`, by names, key identifiers, purposes and the signature. */
bool cc_certificate_is_issued_by(const cc_certificate *certificate, const cc_certificate *issuer);

/* Returns whether the certificate is valid for a host: by its alternative names, or if it has none, its common name. */
bool cc_certificate_is_for(const cc_certificate *certificate, const char *name, size_t length);

/* The result of reading a key or a store. */
enum cc_reading {
    CC_READ,
    CC_MALFORMED,      /* it is no key or store */
    CC_WRONG_PASSWORD, /* the password is wrong */
    CC_OLD_CIPHER,     /* its cipher needs OpenSSL's legacy provider, which is not installed */
    CC_COSTLY,         /* its passwords take more than CC_MAX_ROUNDS hash rounds, which Java rejects, too */
    CC_FAILED          /* OpenSSL cannot read it, for another reason */
};

/* The maximum of hash rounds for all passwords of one file. The file says how many there are, so a crafted one could
 * ask for any number. */
enum { CC_MAX_ROUNDS = 5000000 };

/* The hash rounds that each password costs which is tried on a private key in PEM. Above CC_MAX_ROUNDS the value is not
 * exact. */
uint64_t cc_private_key_rounds(const char *pem, size_t length);

/* Reads a private key of any kind in PEM, which may be encrypted. */
enum cc_reading cc_private_key_read(const char *pem, size_t length, const char *password, cc_key **key);

/* Read the entries of Java's stores: a private key in DER (PKCS#8, not encrypted), and a certificate in DER. Return
 * NULL if the bytes are malformed or have others behind them. */
cc_key *cc_private_key_read_der(const uint8_t *bytes, size_t length);
cc_certificate *cc_certificate_read_der(const uint8_t *bytes, size_t length);

/* The contents of a PKCS#12 store, in its order. */
struct cc_store {
    cc_key **keys;
    char **key_names;              /* each in UTF-8, or NULL */
    size_t key_count;
    size_t locked_key_count;       /* the number of keys that none of the passwords decrypts, and that are not in
                                      `keys` */
    cc_certificate **certificates;
    size_t certificate_count;
};

/* Reads a PKCS#12 store. Its keys may have passwords other than the store's: all of `key_passwords`, which ends with
 * NULL, are tried. Free the contents with `cc_store_free` if the result is CC_READ. */
enum cc_reading cc_store_read(const uint8_t *bytes, size_t length, const char *password,
    const char *const *key_passwords, struct cc_store *store);
void cc_store_free(struct cc_store *store);

#define CC_JAVA_SALT_LENGTH 8
/* Decrypts with Java's PBEWithMD5AndTripleDES, which derives one half of key and IV from each half of the salt. Writes
 * at most `length` bytes. Returns their number, or 0 if the password is wrong or OpenSSL lacks one of the
 * algorithms. */
size_t cc_java_triple_des_open(const uint8_t *password, size_t password_length, const uint8_t salt[CC_JAVA_SALT_LENGTH],
    uint32_t rounds, const uint8_t *bytes, size_t length, uint8_t *out);

#endif
