/* HTTP client calls to other servers, over HTTP/1.1 and HTTP/2, driven by this process's own loops. Other protocols use
 * raw connections (cr_raw.h). */
#ifndef CR_CALL_H
#define CR_CALL_H

#include "cr_answer.h"
#include "creactor.h"
#include "cr_tls.h"

/* ---- Limits shared by all calls ------------------------------------------------------------------------------ */

/* The limits of the connections to other servers, for all loops together. */
typedef struct cr_call_limits {
    uint32_t connections; /* open at a time; further calls wait for one */
    uint32_t idle;        /* of these, pooled for later calls; past it the least recently used one is closed */
    uint32_t uses;        /* calls on one connection; 0 for any number */
    uint32_t idle_ms;     /* a pooled connection is closed this long after its last use; 0 for the loop's own idle
                             time-out */
    uint32_t age_ms;      /* a connection older than this is not reused; 0 for any age */
} cr_call_limits;

/* These limits and the counters checked against them. */
typedef struct cr_quota cr_quota;

/* Returns NULL if memory is short. Any thread. */
cr_quota *cr_quota_new(const cr_call_limits *limits);
/* Any thread. */
void cr_quota_release(cr_quota *quota);
/* The number of open connections, and of those that are idle in a pool. Any thread. */
uint32_t cr_quota_open(const cr_quota *quota);
uint32_t cr_quota_idle(const cr_quota *quota);

/* ---- Calls --------------------------------------------------------------------------------------------------- */

typedef struct cr_caller cr_caller; /* the calls of one loop and its connection pool */
typedef struct cr_call cr_call;

/* A numeric address. */
typedef struct cr_address {
    uint8_t is_v6;
    uint8_t bytes[16]; /* the first four for IPv4 */
    uint32_t scope;    /* zone of a link-local IPv6 address; 0 for none */
} cr_address;

/* Parses `127.0.0.1`, `::1` or `fe80::1%eth0`. Returns false if it is no numeric address. Any thread. */
bool cr_address_read(const char *text, cr_address *address);

/* The result of a call. */
typedef enum cr_call_code {
    CR_CALL_DONE,
    CR_CALL_NO_ADDRESS,  /* the server's name has no address */
    CR_CALL_DENIED,      /* `may_connect` rejected every address */
    CR_CALL_REFUSED,     /* the server refused the connection */
    CR_CALL_UNREACHABLE, /* the connection failed; `os_error` says why */
    CR_CALL_CONNECT_TIMED_OUT,
    CR_CALL_DISTRUSTED,    /* the server's certificate is not trusted */
    CR_CALL_INSECURE,      /* the TLS handshake failed otherwise */
    CR_CALL_NEEDS_HTTP2,   /* the server speaks HTTP/2 only */
    CR_CALL_NO_HTTP2,      /* the server answered a call in HTTP/2 with HTTP/1 */
    CR_CALL_BAD_HTTP2,     /* the server broke the rules of HTTP/2 */
    CR_CALL_BROKEN_STREAM, /* the server reset the HTTP/2 stream */
    CR_CALL_UNAVAILABLE,   /* nghttp2 is not installed */
    CR_CALL_PROXY_FAILED,  /* the proxy rejected or dropped the CONNECT */
    CR_CALL_NO_CONNECTION, /* no connection was free within `stall_timeout_ms` */
    CR_CALL_TIMED_OUT,     /* no progress within `stall_timeout_ms` */
    CR_CALL_NO_ANSWER,     /* the server closed the connection without an answer */
    CR_CALL_RESET,         /* the server reset the connection */
    CR_CALL_NO_HTTP,       /* the answer is not HTTP */
    CR_CALL_BAD_HEAD,      /* the head is invalid or contradicts itself */
    CR_CALL_BAD_CHUNKS,
    CR_CALL_CUT_HEAD,         /* the server closed the connection inside the head */
    CR_CALL_CUT_BODY,
    CR_CALL_TOO_LARGE,         /* the heads or trailers */
    CR_CALL_UNEXPECTED_SWITCH, /* a 101 that the request did not ask for */
    CR_CALL_BROKEN_UPLOAD,     /* the streamed body was shorter or longer than its announced length */
    CR_CALL_NO_MEMORY,
    CR_CALL_STOPPED           /* the loop ended, or the caller was freed */
} cr_call_code;

/* The end of a call. All pointers are valid until `ended` returns. */
typedef struct cr_call_end {
    cr_call_code code;
    int os_error;              /* errno, or 0 */
    const char *text;          /* the details; may be empty */
    bool answered;             /* the final head has arrived */
    bool in_handshake;         /* the call ended during the TLS handshake */
    bool was_retried;          /* the request was sent a second time */
    cr_presented_cert presented; /* the client certificate that the server got in the TLS handshake */
    bool was_resumed;          /* the handshake resumed an earlier session */
    bool lacks_settings;       /* HTTP/2: no SETTINGS arrived from the server */
    const cr_answer *trailers; /* of CR_CALL_DONE; no fields if the answer had no trailers */
} cr_call_end;

enum { CR_CALL_TEXT_ROOM = 600 };

/* Writes the failure as a sentence without a full stop. `place` is the host with its port, `milliseconds` the call's
 * stall time-out. */
void cr_call_describe(const cr_call_end *end, const char *place, uint32_t milliseconds, char text[CR_CALL_TEXT_ROOM]);

/* Callbacks of a call, each with the call's `context`, on the loop's thread. None runs inside a cr_call function,
 * except `may_connect`. All others may call every cr_call function. */
typedef struct cr_call_hooks {
    /* Whether this address may be connected to. Called before each connection attempt and before each reuse, also
     * inside cr_call functions. NULL allows every address. */
    bool (*may_connect)(void *context, const cr_address *address);
    /* An informational head; a 100 only if the request expects one. NULL ignores them. */
    void (*informational)(void *context, const cr_answer *answer);
    /* The final head. After a 101, `body_data` gets the bytes of the other protocol until both sides have ended. */
    void (*head)(void *context, const cr_answer *answer);
    /* Bytes of the answer's body, valid until this returns. */
    void (*body_data)(void *context, const uint8_t *bytes, size_t length);
    /* After a 101, the server has ended its side. NULL if no request asks for an upgrade. */
    void (*input_ended)(void *context);
    /* The streamed body may be sent, until cr_call_send returns false. NULL if no body is streamed. */
    void (*writable)(void *context);
    /* Called once, as the last callback, unless the call was cancelled. The cr_call is freed. */
    void (*ended)(void *context, const cr_call_end *end);
} cr_call_hooks;

typedef enum cr_call_body { CR_CALL_NO_BODY, CR_CALL_BYTES, CR_CALL_STREAM } cr_call_body;

typedef struct cr_call_request {
    void *context;
    const char *name;          /* host for TLS, in lower case: a name, or an address without brackets */
    uint16_t port;
    uint16_t dial_port;          /* port of the proxy whose `addresses` these are; 0 for `port` */
    const uint8_t *connect_head; /* head of the CONNECT request to that proxy; copied */
    size_t connect_head_length;  /* 0 if there is no such proxy */
    cr_trust *trust;             /* retained; NULL for a connection without TLS */
    const cr_address *addresses; /* in order of preference; copied */
    size_t address_count;
    const uint8_t *head;       /* request line and fields with the empty line, as sent; copied */
    size_t head_length;
    cr_call_body kind;
    const uint8_t *body;       /* CR_CALL_BYTES: as sent; must stay valid until the call ends */
    size_t body_length;
    bool chunked;              /* CR_CALL_STREAM: sent in chunks, */
    uint64_t length;           /* or exactly this many bytes */
    bool is_head;              /* the method is HEAD */
    bool may_switch;           /* the request asks for an upgrade */
    bool expects_continue;     /* the body waits for a 100, at most `continue_ms` */
    bool closes;               /* do not pool the connection afterwards */
    bool fresh;                /* use a new connection */
    bool retryable;            /* may be sent again, since it is idempotent; never for a streamed body */
    bool in_http2;             /* call in HTTP/2; requires `fresh` and `closes`. With TLS by ALPN, without it by
                                  prior knowledge. The head is written as for HTTP/1.1; a body of CR_CALL_BYTES is
                                  not in chunks. */
    uint32_t connect_ms;       /* for all addresses and the handshake together */
    uint32_t stall_timeout_ms; /* the longest time without progress */
    uint32_t continue_ms;
} cr_call_request;

/* Creates the calls of a loop. Copies `hooks` and retains `quota`. Returns NULL if memory is short. Like all functions
 * below: before the loop runs, or on its thread. */
cr_caller *cr_caller_new(cr_loop *loop, cr_quota *quota, const cr_call_hooks *hooks);
/* Ends all calls with CR_CALL_STOPPED and closes the connections. Call it before the loop is freed or after it has
 * ended, not from a callback. */
void cr_caller_free(cr_caller *caller);

/* Starts a call. Returns NULL with errno set on failure: ENOMEM, or ECANCELED if the loop has ended. */
cr_call *cr_call_start(cr_caller *caller, const cr_call_request *request);
/* Pauses or resumes reading the answer. While paused, the server's bytes wait in the kernel. */
void cr_call_set_reading(cr_call *call, bool reads);
/* Sends bytes of a streamed body, or after a 101, and copies what the server does not take yet. Only after `writable`
 * was called or a 101 arrived. Returns whether more may be sent at once; otherwise `writable` is called later. */
bool cr_call_send(cr_call *call, const uint8_t *bytes, size_t length);
/* Ends the streamed body; `trailers` are lines with their line ends, for a chunked body only. After a 101, ends our
 * side. */
void cr_call_finish(cr_call *call, const uint8_t *trailers, size_t length);
/* Ends the call and closes its connection without another callback. */
void cr_call_cancel(cr_call *call);
/* Relays bytes between the server and a client after a 101, once the reply to the client has come to its END. Each
 * direction lasts until its own end; the tunnel lasts until both have ended, one breaks off, nothing arrives from
 * either for `stall_timeout_ms`, or the loop drains. From now on the call belongs to the client's connection; its
 * callbacks are not called any more, `ended` is. Returns false, and changes nothing, if the connection's protocol has
 * no upgrade or memory is short. Call it inside `head`, for a stream of the same loop that is being answered. */
bool cr_call_tunnel(cr_call *call, cr_stream *stream, cr_tunnel_ended *ended, void *context);

/* ---- Connecting only ----------------------------------------------------------------------------------------- */

/* A connection attempt to a server with several addresses (RFC 8305). On the loop's thread. It has no time-out, and
 * must end before the loop does. */
typedef struct cr_dial cr_dial;

/* Called once, never inside cr_dial_start: with a connected socket, which the callee owns, and its address; or with -1
 * and the error of the first failed address, EACCES if `may_connect` rejected all. The dial is freed. */
typedef void cr_dial_done(void *argument, int fd, const cr_address *address, int error);

/* Starts to connect. `may_connect` is asked before each attempt; NULL allows all. `addresses` has at least one element
 * and must stay valid. Returns NULL if memory is short. */
cr_dial *cr_dial_start(cr_loop *loop, const cr_address *addresses, size_t count, uint16_t port,
    bool (*may_connect)(void *context, const cr_address *address), void *context, cr_dial_done *done, void *argument);
/* Closes all sockets without a callback. */
void cr_dial_cancel(cr_dial *dial);

#endif
