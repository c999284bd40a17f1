/* TLS on a socket, for the transport that carries it. */
#ifndef CR_TLS_SESSION_H
#define CR_TLS_SESSION_H

#include "cr_tls.h"
#include "loop.h"

#include <sys/uio.h>

enum {
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

typedef struct cr_tls cr_tls;

/* Who has a session. Both are called on the loop's thread. */
typedef struct cr_tls_owner {
    /* The answer to the client's hello has come: the handshake goes on. */
    void (*arrived)(cr_tls *tls);
    /* What the client did, for the log: "left in the middle of the TLS handshake". */
    void (*told)(cr_tls *tls, const char *text);
} cr_tls_owner;

/* What a connection to a server says and finds in its handshake. It outlives its session. */
typedef struct cr_tls_call {
    cr_trust *trust;
    const char *name;     /* of the server, or its address */
    struct ssl_session_st *session; /* to resume, or NULL */
    /* Takes over a session that can be resumed; returns false if it does not. NULL if none is kept. */
    bool (*keep_session)(void *owner, struct ssl_session_st *session);
    void *owner;
    cr_shown shown;
    bool was_resumed;
    bool offers_http2;    /* beside HTTP/1.1 */
    bool offers_nothing;  /* no protocol by name: what is spoken is no HTTP */
    bool chose_http2;     /* the server */
    bool needs_http2;     /* the server takes none of the protocols that were offered */
    bool distrusted;      /* its certificate is not good */
    char trouble[256];    /* why the handshake or a later call has failed; empty for no words */
} cr_tls_call;

/* TLS on a connected socket, with a client, or with a server that is called. */
struct cr_tls {
    const cr_tls_owner *owner;
    void *context;     /* the owner's */
    cr_loop *loop;
    const cr_origin *origin;
    int fd;
    cr_tls_settings *settings; /* with a client; */
    cr_tls_call *call; /* or with a server */
    struct ssl_st *ssl; /* NULL before a byte has come */
    struct bio_st *bio; /* the socket as `ssl` sees it */
    cr_tls_phase phase;
    cr_tls_greeting_kind greeting;
    bool greeted;
    bool answered;     /* an answer to the hello that came later is in `answer` */
    cr_tls_greeting answer;
    cr_hello *hello;   /* while the answer to it is awaited, or asked for; else NULL */
    bool chose_http2;  /* by the handshake */
    cr_client *client; /* the certificate that the client has shown; or NULL */
    bool ended;        /* the client's side of the socket */
    bool alien;        /* its first byte is not of TLS: */
    uint8_t first;
    bool starved;      /* what is buffered is not enough for a read to yield something */
    uint8_t wants;     /* CR_READABLE or CR_WRITABLE: what the last incomplete call waits for */
    size_t refused;    /* bytes given to a record that the socket did not take whole, which come again */
    uint32_t unsent;   /* bytes of that record */
    char server_name[CR_TLS_NAME_LIMIT + 1]; /* empty if there is none */
    cr_buffer early;   /* bytes that came before the connection was secured */
};

cr_tls_settings *cr_tls_settings_retain(cr_tls_settings *settings);
/* Whether connections that begin with another byte than TLS are plain. */
bool cr_tls_accepts_plain(const cr_tls_settings *settings);

/* What became of a handshake. */
typedef enum cr_tls_progress {
    CR_TLS_COMPLETE, /* hands are shaken */
    CR_TLS_WAITS,    /* for what `wants` says; nothing if that is 0 */
    CR_TLS_STALLS,   /* by its greeting, nothing is said until the client leaves */
    CR_TLS_RESETS,   /* by its greeting, the connection is reset */
    CR_TLS_ENDS,     /* nothing more is said, and what was said last has still to arrive */
    CR_TLS_IS_PLAIN, /* the client speaks another protocol in the clear */
    CR_TLS_FAILED    /* errno says why */
} cr_tls_progress;

/* Makes a session with a client; NULL if memory is short. All that it is given is the owner's. */
cr_tls *cr_tls_new(cr_tls_settings *settings, cr_loop *loop, int fd, const cr_origin *origin, const cr_tls_owner *owner,
                   void *context);
/* Makes a session with a server, which outlives neither. */
cr_tls *cr_tls_new_call(cr_tls_call *call, cr_loop *loop, int fd);
/* Begins or continues its handshake: 0 when hands are shaken, -1 with errno if it waits (EAGAIN) or has failed. */
int cr_tls_shake_call(cr_tls *tls);
cr_trust *cr_trust_retain(cr_trust *trust);
void cr_session_free(struct ssl_session_st *session);
/* Once hands are shaken. */
bool cr_tls_has_chosen_http2(const struct ssl_st *ssl);
/* Waits for no answer any more, and frees it with the client's certificate. */
void cr_tls_free(cr_tls *tls);
/* Begins the handshake, or goes on with it. */
cr_tls_progress cr_tls_shake(cr_tls *tls);
/* Once hands are shaken: like the functions of a transport. */
ssize_t cr_tls_read(cr_tls *tls, void *bytes, size_t length);
ssize_t cr_tls_write(cr_tls *tls, const struct iovec *parts, int count);
bool cr_tls_pending(const cr_tls *tls);
/* Says that nothing more comes, unless a record is left in part or the connection is to be `cut`. Returns -1 with EAGAIN
 * while that waits. */
int cr_tls_say_end(cr_tls *tls, bool cut);

#endif
