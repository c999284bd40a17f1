/* TLS, as shared by the files of this target. */
#ifndef CR_TLS_PRIVATE_H
#define CR_TLS_PRIVATE_H

#include "tls_session.h"
#include "tls_library.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CR_TLS_RECORD = 16384 /* most bytes of a record */ };

struct cr_tls_settings {
    _Atomic int users;
    SSL_CTX *context;
    cr_tls_config config; /* without `trust` */
};

/* ---- tls_bio.c ---- */

/* Creates the BIO method, once. Returns false if memory is short. */
bool cr_tls_make_bio_method(void);
/* Creates the session's BIO; NULL if memory is short. */
BIO *cr_tls_make_bio(cr_tls *tls);
/* The session of an OpenSSL callback. */
static inline cr_tls *cr_tls_of_ssl(const SSL *ssl) {
    return cr_crypto.BIO_get_data(cr_ssl.SSL_get_rbio(ssl));
}

/* ---- tls_hello.c ---- */

/* OpenSSL's ClientHello callback; called again after a deferred action. */
int cr_tls_on_client_hello(SSL *ssl, int *alert, void *settings);
/* Cancels a deferred action, and drops one that has arrived. */
void cr_tls_cancel_hello(cr_tls *tls);

/* ---- tls_context.c ---- */

/* Creates `ssl` and `bio`. Returns false if memory is short. */
bool cr_tls_begin(cr_tls *tls);

/* ---- tls_identity.c ---- */

/* Uses an identity in a handshake with a client. Returns false if OpenSSL rejects it. */
bool cr_identity_present(const cr_identity *identity, SSL *ssl);
/* Uses an identity in a handshake with a server. Returns false if OpenSSL rejects it. */
bool cr_identity_use(const cr_identity *identity, SSL *ssl);
/* Whether the identity suits a server that requests a certificate, by key type and named authorities. */
bool cr_identity_suits(const cr_identity *identity, SSL *ssl);
/* Parses the certificates of a PEM text: calls `add`, which takes over each certificate or returns false. Returns how
 * many; -1 if one could not be parsed or added. */
int cr_tls_read_certificates(
    const char *pem, size_t length, bool (*add)(void *context, X509 *certificate), void *context);

/* ---- tls_log.c ---- */

/* Logs why the handshake failed, by OpenSSL's first error, and clears its errors. */
void cr_tls_log_failure(cr_tls *tls);

/* ---- tls_call.c ---- */

cr_credentials *cr_credentials_retain(cr_credentials *credentials);
/* Presents the identity that suits the server. `credentials` may be NULL. */
cr_presented_cert cr_credentials_present(const cr_credentials *credentials, SSL *ssl);
/* Adds the trusted certificates to a context. */
void cr_credentials_add_trust(const cr_credentials *credentials, SSL_CTX *context);

/* ---- tls_trust.c ---- */

/* Stores the text of OpenSSL's first error in the call's `error_text`. */
void cr_tls_record_call_failure(cr_tls *tls);

/* ---- tls_client.c ---- */

/* Wraps a certificate, which must outlive it. Returns NULL if memory is short. */
cr_client_cert *cr_client_cert_new(X509 *certificate);
void cr_client_cert_free(cr_client_cert *client);

/* ---- tls_io.c ---- */

/* Whether OpenSSL waits for the socket; then sets `wants` and errno. */
bool cr_tls_waits(cr_tls *tls);

#endif
