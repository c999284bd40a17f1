/* TLS for listeners and for calls to servers. The first call loads OpenSSL; without it there is no TLS. */
#ifndef CR_TLS_H
#define CR_TLS_H

#include "cr_request.h"

/* Why TLS is not available, with the package to install; NULL if it is. Any thread. */
const char *cr_tls_unavailable(void);

enum { CR_TLS_PROBLEM_ROOM = 400 };

/* A certificate with its chain and private key. Shared by any number of threads. */
typedef struct cr_identity cr_identity;

/* Parses a certificate with its chain, and its key, each in PEM. Returns NULL with the reason in `problem`. Any
 * thread. */
cr_identity *cr_identity_read(
    const char *chain, size_t chain_length, const char *key, size_t key_length, char problem[CR_TLS_PROBLEM_ROOM]);
cr_identity *cr_identity_retain(cr_identity *identity);
void cr_identity_release(cr_identity *identity);

/* What happens after a ClientHello. */
typedef enum cr_tls_hello_action_kind {
    CR_HELLO_IDENTITY,
    CR_HELLO_OLD_VERSION, /* CR_HELLO_IDENTITY, but TLS 1.1 at most */
    CR_HELLO_RESET,       /* RST before any byte */
    CR_HELLO_STALL,       /* sends nothing until the client leaves */
    CR_HELLO_GARBAGE,     /* sends bytes that are not TLS, then FIN */
    CR_HELLO_DEFERRED     /* waits for cr_hello_answer */
} cr_tls_hello_action_kind;

typedef struct cr_tls_hello_action {
    cr_tls_hello_action_kind kind;
    cr_identity *identity; /* a reference, passed to the receiver; or NULL */
} cr_tls_hello_action;

/* A ClientHello whose handshake waits for its action. */
typedef struct cr_hello cr_hello;

/* Resolves a CR_HELLO_DEFERRED, once, with any other action; takes over its identity. May be called before
 * `on_client_hello` returns, and after the connection or its loop has ended. Any thread. */
void cr_hello_answer(cr_hello *hello, cr_tls_hello_action action);

typedef enum cr_client_certificates {
    CR_CLIENT_CERTIFICATES_IGNORED,
    CR_CLIENT_CERTIFICATES_REQUESTED,
    CR_CLIENT_CERTIFICATES_REQUIRED
} cr_client_certificates;

/* The TLS configuration of a listener. */
typedef struct cr_tls_config {
    bool accepts_plain;         /* connections with another first byte are plain */
    bool (*offers_http2)(void); /* called when a client offers protocols; NULL does not offer HTTP/2 */
    cr_client_certificates client_certificates;
    const char *trust; /* authorities of client certificates, in PEM; only read at creation */
    size_t trust_length;
    /* Decides how a handshake continues, once for each, on the loop's thread. `server_name` is the SNI name in lower
     * case; NULL if there is none. `hello` stays valid only if this returns CR_HELLO_DEFERRED. */
    cr_tls_hello_action (*on_client_hello)(
        void *context, const char *server_name, const cr_origin *origin, cr_hello *hello);
    void *context;
    void (*free_context)(void *context); /* called once, on any thread, after the last use; not if
                                            cr_tls_settings_new failed */
} cr_tls_config;

/* Prepared settings. Listeners of several loops may share them, and then resume each other's sessions. */
typedef struct cr_tls_settings cr_tls_settings;

/* Returns NULL with the reason in `problem` on failure. Any thread. */
cr_tls_settings *cr_tls_settings_new(const cr_tls_config *config, char problem[CR_TLS_PROBLEM_ROOM]);
/* Any thread. */
void cr_tls_settings_release(cr_tls_settings *settings);

/* ---- Calls to other servers, whose connections are another library's -------------------------------------------- */

/* Client certificates for servers that request one, and additional trusted certificates. Shared by any number of
 * threads. */
typedef struct cr_credentials cr_credentials;

/* Retains the identities; `trust` is PEM. Returns NULL with the reason in `problem` if an identity cannot be used or
 * `trust` cannot be parsed. Any thread. */
cr_credentials *cr_credentials_new(cr_identity *const *identities, size_t count, const char *trust, size_t trust_length,
    char problem[CR_TLS_PROBLEM_ROOM]);
void cr_credentials_release(cr_credentials *credentials);

/* Which servers calls trust, and what they present. Shared by any number of threads. A pooled connection is reused only
 * with the same one. */
typedef struct cr_trust cr_trust;

typedef struct cr_trust_config {
    bool checks;                 /* verify the server's certificate and name */
    const char *authorities;     /* PEM file of trusted authorities; NULL for OpenSSL's defaults */
    cr_credentials *credentials; /* retained; or NULL */
} cr_trust_config;

/* Reads the file. Returns NULL with the reason in `problem` on failure. Any thread. */
cr_trust *cr_trust_new(const cr_trust_config *config, char problem[CR_TLS_PROBLEM_ROOM]);
/* Any thread. */
void cr_trust_release(cr_trust *trust);

/* The client certificate that a server got in a handshake. */
typedef enum cr_presented_cert {
    CR_CERT_NOT_REQUESTED,
    CR_CERT_NONE, /* the server requested one, and none suits it */
    CR_CERT_PRESENTED
} cr_presented_cert;

/* ---- What a client has shown ------------------------------------------------------------------------------------ */

/* The details of a certificate. All texts lie in `block`. */
typedef struct cr_client_cert_details {
    const char *subject, *issuer; /* RFC 2253 */
    const char *serial;           /* hexadecimal */
    const char *pem;
    const char *names;            /* alternative names with their kinds, each NUL-terminated */
    size_t name_count;
    uint8_t fingerprint[32];      /* SHA-256 of the DER form */
    int64_t not_before, not_after;/* seconds since 1970 */
    void *block;
} cr_client_cert_details;

/* Returns false if memory is short; otherwise free the details. */
bool cr_client_cert_describe(const cr_client_cert *client, cr_client_cert_details *details);
void cr_client_cert_details_free(cr_client_cert_details *details);
/* An object attached to the certificate, and passed to `release` with it; NULL before there is one. */
void *cr_client_cert_object(const cr_client_cert *client);
void cr_client_cert_attach(cr_client_cert *client, void *object, void (*release)(void *object));

#endif
