/* TLS: what listeners are secured with. OpenSSL is loaded by the first call here; without it nothing can be secured. */
#ifndef CR_TLS_H
#define CR_TLS_H

#include "cr_request.h"

/* Why this process cannot secure a listener, with the package to install; NULL if it can. Any thread. */
const char *cr_tls_unavailable(void);

enum { CR_TLS_PROBLEM_ROOM = 400 };

/* A certificate with its chain and private key, ready to be shown. Shared by any number of threads. */
typedef struct cr_identity cr_identity;

/* Reads a certificate, with those that lead to its authority, and its key, each in PEM. NULL with the reason in
 * `problem` if they cannot be shown. Any thread. */
cr_identity *cr_identity_read(const char *chain, size_t chain_length, const char *key, size_t key_length,
                              char problem[CR_TLS_PROBLEM_ROOM]);
cr_identity *cr_identity_retain(cr_identity *identity);
void cr_identity_release(cr_identity *identity);

/* What a client is answered to its hello. */
typedef enum cr_tls_greeting_kind {
    CR_GREET_IDENTITY,
    CR_GREET_OLD_VERSION, /* an identity, but TLS 1.1 at most */
    CR_GREET_RESET,       /* RST before any byte */
    CR_GREET_STALL,       /* nothing until the client leaves */
    CR_GREET_GARBAGE,     /* bytes that are no TLS, then FIN */
    CR_GREET_LATER        /* nothing yet: the handshake waits for cr_hello_answer */
} cr_tls_greeting_kind;

typedef struct cr_tls_greeting {
    cr_tls_greeting_kind kind;
    cr_identity *identity; /* retained for the one who asked; or NULL */
} cr_tls_greeting;

/* The hello of a client whose handshake waits for its answer. */
typedef struct cr_hello cr_hello;

/* Answers a hello whose greeting was CR_GREET_LATER, once, with any other greeting, whose identity is taken over. It may be
 * called before `greet` has returned, and after the connection or its loop has ended. Any thread. */
void cr_hello_answer(cr_hello *hello, cr_tls_greeting greeting);

typedef enum cr_client_certificates {
    CR_CLIENT_CERTIFICATES_IGNORED,
    CR_CLIENT_CERTIFICATES_ASKED,
    CR_CLIENT_CERTIFICATES_REQUIRED
} cr_client_certificates;

/* How a listener is secured. */
typedef struct cr_tls_config {
    bool accepts_plain; /* connections that begin with another byte than TLS are plain */
    bool (*offers_http2)(void); /* asked when a client offers protocols; NULL if HTTP/2 is not offered */
    cr_client_certificates client_certificates;
    const char *trust; /* the authorities of clients' certificates in PEM; read once */
    size_t trust_length;
    /* Decides how a handshake goes on, once for each, on the loop's thread. `server_name` is in lower case; NULL if the
     * client names none. `hello` is only good after this if it returns CR_GREET_LATER. */
    cr_tls_greeting (*greet)(void *context, const char *server_name, const cr_origin *origin, cr_hello *hello);
    void *context;
    void (*free_context)(void *context); /* called once, by any thread, after the last user; not if making them failed */
} cr_tls_config;

/* Such settings, made ready. They may be shared by listeners of several loops, which then resume each other's sessions. */
typedef struct cr_tls_settings cr_tls_settings;

/* NULL with the reason in `problem` on failure. Any thread. */
cr_tls_settings *cr_tls_settings_new(const cr_tls_config *config, char problem[CR_TLS_PROBLEM_ROOM]);
/* Any thread. */
void cr_tls_settings_release(cr_tls_settings *settings);

/* ---- Calls to other servers, whose connections are another library's -------------------------------------------- */

/* What this process shows to servers that ask for a certificate, and whom it trusts beside those that others trust. Shared by
 * any number of threads. */
typedef struct cr_credentials cr_credentials;

/* NULL with the reason in `problem` if one of the identities, which are retained, cannot be shown, or `trust`, PEM, cannot be
 * read. Any thread. */
cr_credentials *cr_credentials_new(cr_identity *const *identities, size_t count, const char *trust, size_t trust_length,
                                   char problem[CR_TLS_PROBLEM_ROOM]);
void cr_credentials_release(cr_credentials *credentials);

/* Whom calls over TLS trust, and what they show. Shared by any number of threads. Connections are kept for calls with the same
 * one. */
typedef struct cr_trust cr_trust;

typedef struct cr_trust_config {
    bool checks;                 /* whether a server's certificate must be good, and its name the server's */
    const char *authorities;     /* the file with those that may sign certificates, PEM; NULL for OpenSSL's own places */
    cr_credentials *credentials; /* retained; or NULL */
} cr_trust_config;

/* NULL with the reason in `problem` on failure. Reads the file. Any thread. */
cr_trust *cr_trust_new(const cr_trust_config *config, char problem[CR_TLS_PROBLEM_ROOM]);
/* Any thread. */
void cr_trust_release(cr_trust *trust);

/* What a server was shown in a handshake. */
typedef enum cr_shown {
    CR_SHOWN_NOT_ASKED,
    CR_SHOWN_NONE, /* the server asked for a certificate, and none suits it */
    CR_SHOWN_ONE
} cr_shown;

/* ---- What a client has shown ------------------------------------------------------------------------------------ */

/* The details of a certificate. All texts lie in `block`. */
typedef struct cr_client_details {
    const char *subject, *issuer; /* as in RFC 2253 */
    const char *serial;           /* hexadecimal digits */
    const char *pem;
    const char *names;            /* alternative names with their kinds, each with its NUL */
    size_t name_count;
    uint8_t fingerprint[32];      /* SHA-256 of its DER form */
    int64_t not_before, not_after;/* seconds since 1970 */
    void *block;
} cr_client_details;

/* Returns false if memory is short; else cr_client_details_free follows. */
bool cr_client_describe(const cr_client *client, cr_client_details *details);
void cr_client_details_free(cr_client_details *details);
/* An object that is kept with the certificate, and given to `release` with it; NULL before there is one. */
void *cr_client_object(const cr_client *client);
void cr_client_keep(cr_client *client, void *object, void (*release)(void *object));

#endif
