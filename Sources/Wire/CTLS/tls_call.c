/* Client certificates and additional trust. */
#include "tls.h"

#include <stdio.h>
#include <string.h>

struct cr_credentials {
    _Atomic int users;
    X509 **trusted;
    size_t trusted_count;
    size_t count;
    cr_identity *identities[];
};

/* ---- Credentials ------------------------------------------------------------------------------------------------ */

static void free_credentials(cr_credentials *credentials) {
    for (size_t i = 0; i < credentials->count; i++) cr_identity_release(credentials->identities[i]);
    for (size_t i = 0; i < credentials->trusted_count; i++) cr_crypto.X509_free(credentials->trusted[i]);
    free(credentials->trusted);
    free(credentials);
}

static bool add(void *context, X509 *certificate) {
    cr_credentials *credentials = context;
    X509 **grown = realloc(credentials->trusted, (credentials->trusted_count + 1) * sizeof *grown);
    if (!grown) {
        cr_crypto.X509_free(certificate);
        return false;
    }
    credentials->trusted = grown;
    grown[credentials->trusted_count++] = certificate;
    return true;
}

/* Uses each identity once, so that what OpenSSL rejects, such as a short key, fails now and not in the first call.
 * Returns NULL or the reason. */
static const char *check_identities(const cr_credentials *credentials) {
    SSL_CTX *context = cr_ssl.SSL_CTX_new(cr_ssl.TLS_client_method());
    const char *reason = context ? NULL : "OpenSSL has no memory left, or its configuration is wrong";
    for (size_t i = 0; !reason && i < credentials->count; i++) {
        SSL *ssl = cr_ssl.SSL_new(context);
        if (!ssl || !cr_identity_use(credentials->identities[i], ssl)) {
            reason = cr_crypto.ERR_reason_error_string(cr_crypto.ERR_peek_error());
            if (!reason) reason = "OpenSSL refuses the certificate";
        }
        if (ssl) cr_ssl.SSL_free(ssl);
    }
    if (context) cr_ssl.SSL_CTX_free(context);
    cr_crypto.ERR_clear_error();
    return reason;
}

cr_credentials *cr_credentials_new(cr_identity *const *identities, size_t count, const char *trust, size_t trust_length,
    char problem[CR_TLS_PROBLEM_ROOM]) {
    const char *reason = cr_tls_unavailable();
    cr_credentials *credentials = reason ? NULL : calloc(1, sizeof *credentials + count * sizeof *identities);
    if (!reason && !credentials) reason = "out of memory";
    if (!reason) {
        credentials->users = 1;
        for (size_t i = 0; i < count; i++) {
            credentials->identities[credentials->count++] = cr_identity_retain(identities[i]);
        }
        if (trust_length > 0 && cr_tls_read_certificates(trust, trust_length, add, credentials) < 0) {
            reason = "a certificate of the trust store cannot be read";
        }
    }
    if (!reason) reason = check_identities(credentials);
    if (!reason) return credentials;
    snprintf(problem, CR_TLS_PROBLEM_ROOM, "%s", reason);
    if (credentials) free_credentials(credentials);
    return NULL;
}

cr_credentials *cr_credentials_retain(cr_credentials *credentials) {
    atomic_fetch_add_explicit(&credentials->users, 1, memory_order_relaxed);
    return credentials;
}

void cr_credentials_release(cr_credentials *credentials) {
    if (atomic_fetch_sub_explicit(&credentials->users, 1, memory_order_acq_rel) == 1) free_credentials(credentials);
}

/* ---- Handshakes ------------------------------------------------------------------------------------------------- */

/* Chooses like Java: a server that names authorities gets only certificates issued by them. */
cr_presented_cert cr_credentials_present(const cr_credentials *credentials, SSL *ssl) {
    for (size_t i = 0; credentials && i < credentials->count; i++) {
        const cr_identity *identity = credentials->identities[i];
        if (cr_identity_suits(identity, ssl) && cr_identity_use(identity, ssl)) return CR_CERT_PRESENTED;
    }
    return CR_CERT_NONE;
}

void cr_credentials_add_trust(const cr_credentials *credentials, SSL_CTX *context) {
    X509_STORE *store = cr_ssl.SSL_CTX_get_cert_store(context);
    for (size_t i = 0; i < credentials->trusted_count; i++) {
        cr_crypto.X509_STORE_add_cert(store, credentials->trusted[i]);
    }
}
