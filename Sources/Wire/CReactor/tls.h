/* The transport of TLS, as shared by its files. */
#ifndef CR_TLS_PRIVATE_H
#define CR_TLS_PRIVATE_H

#include "conn.h"
#include "cr_tls.h"
#include "tls_library.h"

enum {
    CR_TLS_RECORD = 16384,      /* the most bytes of a record */
    CR_TLS_HANDSHAKE_BYTE = 22, /* the first byte of a client that speaks TLS */
    CR_TLS_NAME_LIMIT = 255
};

typedef enum cr_tls_phase {
    CR_TLS_FRESH,   /* no byte has come */
    CR_TLS_SHAKING,
    CR_TLS_STALLED, /* by its greeting: nothing is sent, and what comes is dropped */
    CR_TLS_READY,
    CR_TLS_BROKEN   /* nothing more is said in TLS; what comes is dropped */
} cr_tls_phase;

/* The state of a secured connection. */
typedef struct cr_tls {
    cr_conn *conn;
    cr_tls_settings *settings;
    SSL *ssl;          /* NULL before a byte has come */
    BIO *bio;          /* the socket as `ssl` sees it */
    cr_tls_phase phase;
    cr_tls_greeting_kind greeting;
    bool greeted;
    bool answered;     /* an answer to the hello that came later is in `answer` */
    cr_tls_greeting answer;
    cr_hello *hello;   /* while the answer to it is awaited, or asked for; else NULL */
    bool ended;        /* the client's side of the socket */
    bool alien;        /* its first byte is not of TLS: */
    uint8_t first;
    bool starved;      /* what is buffered is not enough for a read to yield something */
    uint8_t wants;     /* CR_READABLE or CR_WRITABLE: what the last incomplete call waits for */
    size_t refused;    /* bytes given to a record that the socket did not take whole, which come again */
    uint32_t unsent;   /* bytes of that record */
    char server_name[CR_TLS_NAME_LIMIT + 1]; /* empty if there is none */
    cr_buffer early;   /* bytes that came before the connection was secured */
} cr_tls;

struct cr_tls_settings {
    _Atomic int users;
    SSL_CTX *context;
    cr_tls_config config; /* without `trust` */
};

static inline cr_tls_settings *cr_tls_settings_retain(cr_tls_settings *settings) {
    atomic_fetch_add_explicit(&settings->users, 1, memory_order_relaxed);
    return settings;
}

static inline cr_tls *cr_tls_of(const cr_conn *conn) {
    return conn->transport_state;
}

/* ---- tls_bio.c ---- */

/* Makes what the next function needs, once. Returns false if memory is short. */
bool cr_tls_make_bio_method(void);
/* Makes `bio`; NULL if memory is short. */
BIO *cr_tls_make_bio(cr_tls *tls);
/* The connection's state, for callbacks. */
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
/* What a client is served that has chosen HTTP/2; NULL if it is not offered. */
const cr_protocol *cr_tls_http2(const cr_tls_settings *settings);

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

/* ---- tls_handshake.c ---- */

int cr_tls_handshake(cr_conn *conn);

/* ---- tls_trouble.c ---- */

/* Tells the log why the handshake failed, by the first error of the library, and forgets its errors. */
void cr_tls_tell_failure(cr_tls *tls);
/* Tells the log what the client did: "127.0.0.1 <text> (port 8443)". */
void cr_tls_tell(const cr_tls *tls, const char *text);

/* ---- tls_call.c ---- */

/* Makes what handshakes of calls need, once. Returns false if memory is short. */
bool cr_tls_make_call_place(void);

/* ---- tls_client.c ---- */

/* Keeps a certificate, which must live as long. NULL if memory is short. */
cr_client *cr_client_new(X509 *certificate);
void cr_client_free(cr_client *client);

/* ---- tls_io.c ---- */

extern const cr_transport cr_tls_transport;

/* Whether the last call of the library waits for the socket; then `wants` and errno say so. */
bool cr_tls_waits(cr_tls *tls);
/* Goes on in TLS with a plain connection, with bytes of the client that have come already. `name` is the server for a client
 * that names none. Returns false if memory is short. None of its protocol's functions may be on the stack that goes on to use
 * its state. */
bool cr_tls_secure(cr_conn *conn, cr_tls_settings *settings, const char *name, const uint8_t *bytes, size_t length);
/* Frees the state. */
void cr_tls_drop(cr_conn *conn);

#endif
