/* TLS on a socket, for a transport. */
#ifndef CR_TLS_SESSION_H
#define CR_TLS_SESSION_H

#include "cr_tls.h"
#include "loop.h"

#include <sys/uio.h>

enum {
    CR_TLS_HANDSHAKE_BYTE = 22, /* first byte of a TLS client */
    CR_TLS_NAME_LIMIT = 255
};

typedef enum cr_tls_phase {
    CR_TLS_NEW,   /* no byte has arrived */
    CR_TLS_HANDSHAKING,
    CR_TLS_STALLED, /* CR_HELLO_STALL: sends nothing and drops input */
    CR_TLS_READY,
    CR_TLS_BROKEN   /* TLS has ended; input is dropped */
} cr_tls_phase;

typedef struct cr_tls cr_tls;

/* The owner of a session with a client. All functions are called on the loop's thread. */
typedef struct cr_tls_owner {
    /* A deferred action has arrived: continue the handshake. */
    void (*hello_resolved)(cr_tls *tls);
    /* Logs what the client did, such as "left in the middle of the TLS handshake". */
    void (*log)(cr_tls *tls, const char *text);
} cr_tls_owner;

/* Parameters and results of a handshake with a server. Outlives its session. */
typedef struct cr_tls_call {
    cr_trust *trust;
    const char *name;               /* host name or address of the server */
    struct ssl_session_st *session; /* to resume, or NULL */
    /* Takes over a session that can be resumed; returns false to drop it. May be NULL. */
    bool (*keep_session)(void *owner, struct ssl_session_st *session);
    void *owner;
    cr_presented_cert presented;
    bool was_resumed;
    bool offers_http2;    /* besides HTTP/1.1 */
    bool offers_nothing;  /* no ALPN, for protocols other than HTTP */
    bool chose_http2;     /* the server chose HTTP/2 */
    bool needs_http2;     /* the server accepts none of the offered protocols */
    bool distrusted;      /* the server's certificate is not trusted */
    char error_text[256]; /* why the handshake or a later call failed; may be empty */
} cr_tls_call;

/* A TLS session on a connected socket, with a client or a server. */
struct cr_tls {
    const cr_tls_owner *owner;
    void *context;     /* of the owner */
    cr_loop *loop;
    const cr_origin *origin;
    int fd;
    cr_tls_settings *settings; /* with a client */
    cr_tls_call *call;         /* with a server */
    struct ssl_st *ssl;        /* NULL before the first byte */
    struct bio_st *bio;        /* the socket, for `ssl` */
    cr_tls_phase phase;
    cr_tls_hello_action_kind hello_kind;
    bool hello_handled;
    bool action_ready;     /* `action` holds a deferred action */
    cr_tls_hello_action action;
    cr_hello *hello;        /* while an action is being chosen or deferred, else NULL */
    bool chose_http2;       /* by ALPN */
    cr_client_cert *client; /* the client's certificate, or NULL */
    bool ended;             /* the client has closed its side */
    bool not_tls;           /* `first` is not the first byte of TLS */
    uint8_t first;
    bool starved;      /* a read needs more than the buffered bytes */
    uint8_t wants;     /* CR_READABLE or CR_WRITABLE: what the last incomplete call waits for */
    size_t refused;    /* bytes of a partly written record, which must be passed again */
    uint32_t unsent;   /* bytes of the last write that the socket did not take */
    char server_name[CR_TLS_NAME_LIMIT + 1]; /* SNI; may be empty */
    cr_buffer preread; /* bytes received before TLS started */
};

cr_tls_settings *cr_tls_settings_retain(cr_tls_settings *settings);
/* Whether connections with another first byte are plain. */
bool cr_tls_accepts_plain(const cr_tls_settings *settings);

/* The result of a handshake call. */
typedef enum cr_tls_progress {
    CR_TLS_COMPLETE, /* hands are shaken */
    CR_TLS_WAITS,    /* for `wants`; for an action if that is 0 */
    CR_TLS_STALLS,   /* CR_HELLO_STALL */
    CR_TLS_RESETS,   /* CR_HELLO_RESET */
    CR_TLS_ENDS,     /* sends FIN after what was written */
    CR_TLS_IS_PLAIN, /* the client speaks plain text */
    CR_TLS_FAILED    /* errno says why */
} cr_tls_progress;

/* Creates a session with a client; NULL if memory is short. All arguments belong to the owner. */
cr_tls *cr_tls_new(cr_tls_settings *settings, cr_loop *loop, int fd, const cr_origin *origin, const cr_tls_owner *owner,
    void *context);
/* Creates a session with a server, which must not outlive `call` and `loop`. */
cr_tls *cr_tls_new_call(cr_tls_call *call, cr_loop *loop, int fd);
/* Starts or continues the handshake with a server. Returns 0 when complete, -1 with errno if it waits (EAGAIN) or
 * failed. */
int cr_tls_handshake_call(cr_tls *tls);
cr_trust *cr_trust_retain(cr_trust *trust);
void cr_session_free(struct ssl_session_st *session);
/* After the handshake. */
bool cr_tls_has_chosen_http2(const struct ssl_st *ssl);
/* Frees the session, the client's certificate and a deferred action. */
void cr_tls_free(cr_tls *tls);
/* Starts or continues the handshake. */
cr_tls_progress cr_tls_handshake(cr_tls *tls);
/* After the handshake, like the functions of a transport. */
ssize_t cr_tls_read(cr_tls *tls, void *bytes, size_t length);
ssize_t cr_tls_write(cr_tls *tls, const struct iovec *parts, int count);
bool cr_tls_pending(const cr_tls *tls);
/* Sends close_notify, unless `is_cut` or a record is partly written. Returns -1 with EAGAIN while that waits. */
int cr_tls_close_notify(cr_tls *tls, bool is_cut);

#endif
