/* Certificates with their private keys. */
#include "tls.h"

#include <stdio.h>
#include <string.h>

struct cr_identity {
    _Atomic int users;
    X509 *certificate;
    EVP_PKEY *key;
    STACK_OF(X509) *chain;   /* up to the authority */
    uint8_t fingerprint[32]; /* session id context: sessions of another certificate are not resumed */
};

int cr_tls_read_certificates(
    const char *pem, size_t length, bool (*add)(void *context, X509 *certificate), void *context) {
    BIO *source = length <= INT32_MAX ? cr_crypto.BIO_new_mem_buf(pem, (int)length) : NULL;
    if (!source) return -1;
    int count = 0;
    X509 *certificate;
    /* An empty password prevents a prompt on the terminal. */
    while (count >= 0 && (certificate = cr_crypto.PEM_read_bio_X509(source, NULL, NULL, (void *)""))) {
        count = add(context, certificate) ? count + 1 : -1;
    }
    unsigned long error = cr_crypto.ERR_peek_error();
    bool at_end = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
    cr_crypto.ERR_clear_error();
    cr_crypto.BIO_free(source);
    return at_end ? count : -1;
}

static bool add(void *context, X509 *certificate) {
    cr_identity *identity = context;
    if (!identity->certificate) {
        identity->certificate = certificate;
        return true;
    }
    if (cr_crypto.OPENSSL_sk_push((OPENSSL_STACK *)identity->chain, certificate) > 0) return true;
    cr_crypto.X509_free(certificate);
    return false;
}

static EVP_PKEY *read_key(const char *pem, size_t length) {
    BIO *source = length <= INT32_MAX ? cr_crypto.BIO_new_mem_buf(pem, (int)length) : NULL;
    if (!source) return NULL;
    EVP_PKEY *key = cr_crypto.PEM_read_bio_PrivateKey(source, NULL, NULL, (void *)"");
    cr_crypto.BIO_free(source);
    cr_crypto.ERR_clear_error();
    return key;
}

static void drop(void *certificate) {
    cr_crypto.X509_free(certificate);
}

static void free_identity(cr_identity *identity) {
    if (identity->certificate) cr_crypto.X509_free(identity->certificate);
    if (identity->key) cr_crypto.EVP_PKEY_free(identity->key);
    if (identity->chain) cr_crypto.OPENSSL_sk_pop_free((OPENSSL_STACK *)identity->chain, drop);
    free(identity);
}

/* Fills in an identity. Returns NULL or the problem. */
static const char *fill(
    cr_identity *identity, const char *chain, size_t chain_length, const char *key, size_t key_length) {
    if (!(identity->chain = (STACK_OF(X509) *)cr_crypto.OPENSSL_sk_new_null())) return "out of memory";
    int count = cr_tls_read_certificates(chain, chain_length, add, identity);
    if (count == 0) return "there is no certificate: PEM with a line -----BEGIN CERTIFICATE----- was expected";
    if (count < 0) return "a certificate in the PEM cannot be read";
    if (!(identity->key = read_key(key, key_length))) {
        return "the private key cannot be read: PEM that is not encrypted, with a line -----BEGIN PRIVATE KEY----- or the "
               "like, was expected";
    }
    if (!cr_crypto.X509_check_private_key(identity->certificate, identity->key)) {
        cr_crypto.ERR_clear_error();
        return "the private key belongs to another certificate than the first one";
    }
    unsigned length = 0;
    bool done = cr_crypto.X509_digest(identity->certificate, cr_crypto.EVP_sha256(), identity->fingerprint, &length);
    return done ? NULL : "the certificate has no SHA-256";
}

cr_identity *cr_identity_read(
    const char *chain, size_t chain_length, const char *key, size_t key_length, char problem[CR_TLS_PROBLEM_ROOM]) {
    const char *reason = cr_tls_unavailable();
    cr_identity *identity = reason ? NULL : calloc(1, sizeof *identity);
    if (!reason) reason = identity ? fill(identity, chain, chain_length, key, key_length) : "out of memory";
    if (!reason) {
        identity->users = 1;
        return identity;
    }
    snprintf(problem, CR_TLS_PROBLEM_ROOM, "%s", reason);
    if (identity) free_identity(identity);
    return NULL;
}

cr_identity *cr_identity_retain(cr_identity *identity) {
    atomic_fetch_add_explicit(&identity->users, 1, memory_order_relaxed);
    return identity;
}

void cr_identity_release(cr_identity *identity) {
    if (atomic_fetch_sub_explicit(&identity->users, 1, memory_order_acq_rel) == 1) free_identity(identity);
}

bool cr_identity_use(const cr_identity *identity, SSL *ssl) {
    return cr_ssl.SSL_use_cert_and_key(ssl, identity->certificate, identity->key, identity->chain, 1) == 1;
}

bool cr_identity_present(const cr_identity *identity, SSL *ssl) {
    return cr_identity_use(identity, ssl) &&
        cr_ssl.SSL_set_session_id_context(ssl, identity->fingerprint, sizeof identity->fingerprint) == 1;
}

bool cr_identity_suits(const cr_identity *identity, SSL *ssl) {
    int wanted = CERT_PKEY_VALID | CERT_PKEY_ISSUER_NAME;
    return (cr_ssl.SSL_check_chain(ssl, identity->certificate, identity->key, identity->chain) & wanted) == wanted;
}
