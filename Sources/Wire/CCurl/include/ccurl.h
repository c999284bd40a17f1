#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Calls to other servers, by libcurl's multi interface on somebody else's loop. Each has a connection of its own, and is sent
 * once, whatever becomes of it.
 *
 * All functions but the first two are called on the thread of the pool's loop. A hook may call every function of calls;
 * what libcurl does not allow within its own calls is done right after them.
 */

/* NULL if libcurl can be called, otherwise the sentence that says what is missing, and the package that has it. Opens
 * the library at the first call. Any thread. */
const char *cu_unavailable(void);

/* The file with the certificates that the system trusts, as the environment or the usual places have it; NULL if none is there.
 * Any thread; looks at the disk at the first call. */
const char *cu_trusted_certificates(void);

/* Whether libcurl speaks TLS by OpenSSL 3, so that `secure` is called. Any thread, after `cu_unavailable` has returned NULL. */
bool cu_speaks_openssl(void);

/* The calls of one loop. */
typedef struct cu_pool cu_pool;
typedef struct cu_call cu_call;

/* What a socket is watched for. CU_CLOSED: it is closed, or will be as soon as the hook has returned. CU_OPENED: it is
 * new; if one of its number is still watched, that has gone, and what it was watched for counts for the new one. */
enum { CU_READABLE = 1, CU_WRITABLE = 2, CU_CLOSED = -1, CU_OPENED = -2 };

/* What `piece` does with bytes. */
enum cu_taken { CU_TAKEN, CU_FULL };

/* What `body` returns beside numbers of bytes. */
enum { CU_END = 0, CU_LATER = -1, CU_BROKEN = -2 };

/* What became of a call. */
typedef struct cu_end {
    int code;                  /* 0, or the CURLcode */
    const char *text;          /* what libcurl says about it; may be empty */
    int os_error;              /* the errno of the failed connection attempt, or 0 */
    bool answered;             /* the final head has come */
    bool too_large;            /* the heads or trailers were more than the limit */
    bool is_ungreeted;         /* called in HTTP/2 in the clear, it sent no frame */
    bool speaks_http1;         /* the same, and answered in HTTP/1 */
    const uint8_t *trailers;   /* the lines after a body in chunks, as they came */
    size_t trailers_length;
} cu_end;

/* What a pool asks of its loop, and how it tells calls what happens. `call` is the `argument` of the request. */
typedef struct cu_hooks {
    void *owner;
    /* Watches a socket for what is in `interest`, in place of what was said before. */
    void (*watch)(void *owner, int fd, int interest);
    /* `cu_pool_expired` is to be called so much later, or never if it is negative, in place of what was said before. */
    void (*timer)(void *owner, long milliseconds);
    /* A connection is about to be secured, by OpenSSL with an SSL_CTX of its own; for calls whose request says so. */
    void (*secure)(void *call, void *ssl_ctx);
    /* A whole head has come: its lines without the empty one. */
    void (*head)(void *call, int status, const uint8_t *bytes, size_t length);
    /* A piece of the body has come. What does not fit now is offered again after `cu_call_receive`. */
    enum cu_taken (*piece)(void *call, const uint8_t *bytes, size_t length);
    /* Fills in more of a body that is a stream: the number of bytes, or CU_END, CU_BROKEN, or CU_LATER until
     * `cu_call_send`. */
    ptrdiff_t (*body)(void *call, uint8_t *room, size_t size);
    /* Called last, and not after `cu_call_cancel`. */
    void (*ended)(void *call, const cu_end *end);
    /* Called last in place of `ended` when the pool is freed. */
    void (*dropped)(void *call);
} cu_hooks;

enum cu_body { CU_NO_BODY, CU_BYTES, CU_CHUNKED_BYTES, CU_STREAM };

/* Texts end with NUL; all is copied. */
typedef struct cu_request {
    void *argument;
    const char *url;           /* scheme, host and port */
    const char *target;        /* of the request line, byte for byte */
    const char *method;
    const uint8_t *lines;      /* the fields in libcurl's syntax, each ended by NUL */
    size_t lines_length;
    const uint8_t *trailers;   /* the same */
    size_t trailers_length;
    enum cu_body kind;
    const uint8_t *body;       /* if its kind is bytes */
    size_t body_length;
    int64_t stream_length;     /* -1 if it is not known */
    const uint8_t *addresses;  /* for CURLOPT_RESOLVE, each ended by NUL; NULL if the pool knows them, or needs none */
    size_t addresses_length;
    const char *connect_to;    /* for CURLOPT_CONNECT_TO; NULL to connect to the host of the URL, or the proxy */
    const char *proxy;         /* NULL for none */
    const char *proxy_user, *proxy_password;
    bool checks_certificate;
    bool tells_security;       /* only where libcurl speaks TLS by OpenSSL */
    const char *authorities;   /* the file with those that may sign certificates; NULL for libcurl's own */
    bool speaks_http2;         /* over TLS where the server offers that, in the clear without a question; else HTTP/1.1 */
} cu_request;

/* NULL without memory. */
cu_pool *cu_pool_new(const cu_hooks *hooks, long connections);

/* Drops all calls and connections. */
void cu_pool_free(cu_pool *pool);

/* A socket is ready, or the timer has expired. */
void cu_pool_ready(cu_pool *pool, int fd, int what);
void cu_pool_expired(cu_pool *pool);

/* Begins a call, which `cu_pool_go_on` then brings on its way. NULL for lack of memory. Not within a hook. */
cu_call *cu_call_begin(cu_pool *pool, const cu_request *request);
void cu_pool_go_on(cu_pool *pool);

/* Ends a call without a further hook; `call` is gone. */
void cu_call_cancel(cu_call *call);

/* Goes on after CU_FULL, or after CU_LATER. */
void cu_call_receive(cu_call *call);
void cu_call_send(cu_call *call);

/* Says the fields after a streamed body, before `body` returns CU_END. */
bool cu_call_set_trailers(cu_call *call, const uint8_t *lines, size_t length);

#endif
