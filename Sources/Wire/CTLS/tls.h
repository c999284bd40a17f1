/* TLS, as shared by the files of this folder. */
#ifndef CR_TLS_PRIVATE_H
#define CR_TLS_PRIVATE_H

#include "tls_session.h"
#include "tls_library.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CR_TLS_RECORD = 16384 /* the most bytes of a record */ };

struct cr_tls_settings {
    _Atomic int users;
    SSL_CTX *context;
    cr_tls_config config; /* without `trust` */
};

/* ---- tls_bio.c ---- */

/* Makes what the next function needs, once. Returns false if memory is short. */
bool cr_tls_make_bio_method(void);
/* Makes `bio`; NULL if memory is short. */
BIO *cr_tls_make_bio(cr_tls *tls);
/* The session, for callbacks. */
static inline cr_tls *cr_tls_of_ssl(const SSL *ssl) {
    return cr_crypto.BIO_get_data(cr_ssl.SSL_get_rbio(ssl));
}

/* ---- tls_hello.c ---- */

/* OpenSSL's callback, which is called again after a handshake has waited. */
int cr_tls_on_hello(SSL *ssl, int *alert, void *settings);
/* Waits for no answer any more, and drops one that has come. */
void cr_tls_forget_hello(cr_tls *tls);

/* ---- tls_context.c ---- */

/* Makes `ssl` and `bio`. Returns false if memory is short. */
bool cr_tls_begin(cr_tls *tls);

/* ---- tls_identity.c ---- */

/* Lets a handshake go on with an identity. Returns false if it cannot be shown. */
bool cr_identity_show(const cr_identity *identity, SSL *ssl);
/* The same for a handshake as a client, whose sessions are another library's. */
bool cr_identity_use(const cr_identity *identity, SSL *ssl);
/* Whether a server that asks for a certificate takes this one, by its kind of key and the authorities that it names. */
bool cr_identity_suits(const cr_identity *identity, SSL *ssl);
/* Reads the certificates of a PEM text, of which there is at least one, one at a time: calls `take`, which takes over
 * the certificate or returns false. Returns how many; -1 if one could not be read or taken. */
int cr_tls_read_certificates(const char *pem, size_t length, bool (*take)(void *context, X509 *certificate), void *context);

/* ---- tls_trouble.c ---- */

/* Tells the log why the handshake failed, by the first error of the library, and forgets its errors. */
void cr_tls_tell_failure(cr_tls *tls);

/* ---- tls_call.c ---- */

cr_credentials *cr_credentials_retain(cr_credentials *credentials);
/* Shows a server that asks for a certificate what suits it. `credentials` may be NULL. */
cr_shown cr_credentials_show(const cr_credentials *credentials, SSL *ssl);
/* Trusts in a context whom the credentials trust. */
void cr_credentials_add_trust(const cr_credentials *credentials, SSL_CTX *context);

/* ---- tls_trust.c ---- */

/* Keeps the words of OpenSSL's first error in the call's `trouble`. */
void cr_tls_note_call_failure(cr_tls *tls);

/* ---- tls_client.c ---- */

/* Keeps a certificate, which must live as long. NULL if memory is short. */
cr_client *cr_client_new(X509 *certificate);
void cr_client_free(cr_client *client);

/* ---- tls_io.c ---- */

/* Whether the last call of the library waits for the socket; then `wants` and errno say so. */
bool cr_tls_waits(cr_tls *tls);

#endif
