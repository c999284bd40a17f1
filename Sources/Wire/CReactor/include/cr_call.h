/* Calls to other servers, over HTTP/1.1 and in HTTP/2: the requests that this process sends, on connections of its own loops. What
 * is no HTTP goes over raw connections (cr_raw.h). */
#ifndef CR_CALL_H
#define CR_CALL_H

#include "cr_answer.h"
#include "creactor.h"
#include "cr_tls.h"

/* ---- What calls have in common ------------------------------------------------------------------------------- */

/* The limits of the connections to other servers, of all loops together. */
typedef struct cr_call_limits {
    uint32_t connections; /* open at a time; further calls wait for one */
    uint32_t idle;        /* of these, kept for later calls; the one that was used longest ago is closed */
    uint32_t uses;        /* calls on one connection; 0 for any number */
    uint32_t idle_ms;     /* since the last use of a connection that is kept; 0 for as long as the loop keeps it */
    uint32_t age_ms;      /* of a connection that is kept; 0 for any age */
} cr_call_limits;

/* These limits, and what counts against them. */
typedef struct cr_quota cr_quota;

/* NULL if memory is short. Any thread. */
cr_quota *cr_quota_new(const cr_call_limits *limits);
/* Any thread. */
void cr_quota_release(cr_quota *quota);
/* The connections that are open, and those of them that are kept. Any thread. */
uint32_t cr_quota_open(const cr_quota *quota);
uint32_t cr_quota_idle(const cr_quota *quota);

/* ---- Calls --------------------------------------------------------------------------------------------------- */

typedef struct cr_caller cr_caller; /* the calls of one loop, and the connections that it keeps */
typedef struct cr_call cr_call;

/* A numeric address. */
typedef struct cr_address {
    uint8_t is_v6;
    uint8_t bytes[16]; /* the first four for IPv4 */
    uint32_t scope;    /* of a link-local address of IPv6 */
} cr_address;

/* Reads `127.0.0.1`, `::1` or `fe80::1%eth0`. Returns false if it is none. Any thread. */
bool cr_address_read(const char *text, cr_address *address);

/* What became of a call. */
typedef enum cr_call_code {
    CR_CALL_DONE,
    CR_CALL_NO_ADDRESS,       /* of the server is known */
    CR_CALL_DENIED,           /* no address may be connected to */
    CR_CALL_REFUSED,          /* the connection */
    CR_CALL_UNREACHABLE,      /* `os_error` says why */
    CR_CALL_CONNECT_TIMED_OUT,
    CR_CALL_DISTRUSTED,       /* the server's certificate is not good */
    CR_CALL_INSECURE,         /* the handshake has failed otherwise */
    CR_CALL_NEEDS_HTTP2,      /* the server speaks nothing else */
    CR_CALL_NO_HTTP2,         /* the server speaks HTTP/1 to a call in HTTP/2 */
    CR_CALL_BAD_HTTP2,        /* what came breaks the rules of HTTP/2 */
    CR_CALL_BROKEN_STREAM,    /* of HTTP/2, which the server has reset */
    CR_CALL_UNAVAILABLE,      /* the library for HTTP/2 */
    CR_CALL_NO_WAY,           /* the proxy in front does not lead to the server */
    CR_CALL_NO_CONNECTION,    /* none was free for as long as `patience_ms` */
    CR_CALL_TIMED_OUT,        /* nothing came for as long as `patience_ms` */
    CR_CALL_NO_ANSWER,        /* the server closed the connection */
    CR_CALL_RESET,            /* the server reset it */
    CR_CALL_NO_HTTP,          /* what came is none */
    CR_CALL_BAD_HEAD,         /* it contradicts itself, or what is forbidden is in it */
    CR_CALL_BAD_CHUNKS,
    CR_CALL_CUT_HEAD,         /* the server closed the connection in the middle */
    CR_CALL_CUT_BODY,
    CR_CALL_TOO_LARGE,        /* heads or trailers */
    CR_CALL_UNASKED_SWITCH,   /* of the protocol */
    CR_CALL_BROKEN_UPLOAD,    /* the request's body ended before its length, or had more */
    CR_CALL_NO_MEMORY,
    CR_CALL_STOPPED           /* the loop has ended, or the caller was freed */
} cr_call_code;

/* The end of a call. All pointers are valid until `ended` returns. */
typedef struct cr_call_end {
    cr_call_code code;
    int os_error;              /* the errno that belongs to it, or 0 */
    const char *text;          /* the details, in words; may be empty */
    bool answered;             /* the final head has come */
    bool is_shaking;           /* it ended in the handshake of TLS */
    bool was_repeated;         /* the request was sent a second time */
    cr_shown shown;            /* what the server was shown in the handshake of the connection */
    bool was_resumed;          /* that handshake has resumed an earlier session */
    bool is_ungreeted;         /* called in HTTP/2, the server has told no settings */
    const cr_answer *trailers; /* of CR_CALL_DONE; no fields if there were none */
} cr_call_end;

enum { CR_CALL_TEXT_ROOM = 600 };

/* Writes what went wrong as a sentence without a full stop. `place` is the host with its port; `milliseconds` the patience of
 * the call. */
void cr_call_describe(const cr_call_end *end, const char *place, uint32_t milliseconds, char text[CR_CALL_TEXT_ROOM]);

/* How calls are told what happens, with the `context` of each, on the loop's thread and never within a function of calls. Each
 * hook but `admits` may call every function of calls. */
typedef struct cr_call_hooks {
    /* Whether an address may be connected to, asked before each connection and before one that is kept is used. NULL if all
     * may. Also within functions of calls. */
    bool (*admits)(void *context, const cr_address *address);
    /* An informational answer: 100 only where the request expects it. NULL if nothing is made of them. */
    void (*informs)(void *context, const cr_answer *answer);
    /* The head of the answer. Behind a 101 come bytes of the other protocol, until both sides have ended. */
    void (*answers)(void *context, const cr_answer *answer);
    /* Bytes of the answer's body, valid until this returns. */
    void (*body)(void *context, const uint8_t *bytes, size_t length);
    /* Behind a 101, the server has ended its side. NULL if no request asks for that. */
    void (*input_ended)(void *context);
    /* More of a streamed body may be sent: until cr_call_send returns false. NULL if no body is. */
    void (*wants)(void *context);
    /* Called once and last, unless the call was cancelled. `call` is gone. */
    void (*ended)(void *context, const cr_call_end *end);
} cr_call_hooks;

typedef enum cr_call_body { CR_CALL_NO_BODY, CR_CALL_BYTES, CR_CALL_STREAM } cr_call_body;

typedef struct cr_call_request {
    void *context;
    const char *name;          /* the host as TLS is told it, in lower case: a name, or an address without brackets */
    uint16_t port;
    uint16_t dial_port;        /* of a proxy, whose the addresses are; 0 for `port` */
    const uint8_t *way;        /* what asks that proxy for a way to the server, a head by CONNECT; copied */
    size_t way_length;         /* 0 if it is not asked, or there is none */
    cr_trust *trust;           /* NULL in the clear; else retained */
    const cr_address *addresses; /* in the order in which they are preferred; copied */
    size_t address_count;
    const uint8_t *head;       /* request line and fields with the empty line, as they are sent; copied */
    size_t head_length;
    cr_call_body kind;
    const uint8_t *body;       /* CR_CALL_BYTES: as they are sent; must stay until the call ends */
    size_t body_length;
    bool chunked;              /* CR_CALL_STREAM: framed in chunks, */
    uint64_t length;           /* or so many bytes */
    bool head_alone;           /* by HEAD */
    bool to_switch;            /* asks for another protocol */
    bool expects_continue;     /* the body waits for a 100, for at most `continue_ms` */
    bool closes;               /* the connection is not kept */
    bool fresh;                /* on a connection that was not used before */
    bool repeats;              /* may be sent again: it is idempotent. A body that is streamed never is */
    bool in_http2;             /* with `fresh` and `closes`: over TLS where the server offers it, in the clear without a question.
                                * The head is that of HTTP/1.1 all the same, and a body of CR_CALL_BYTES not in chunks */
    uint32_t connect_ms;       /* for all addresses together, and the handshake */
    uint32_t patience_ms;      /* between two steps forward */
    uint32_t continue_ms;
} cr_call_request;

/* The calls of a loop. `hooks` and `quota` are copied and retained. NULL if memory is short. Before the loop runs, or on its
 * thread, as all that follow. */
cr_caller *cr_caller_new(cr_loop *loop, cr_quota *quota, const cr_call_hooks *hooks);
/* Ends all calls with CR_CALL_STOPPED and closes the connections. Before the loop is freed, or after it has ended. Not from a
 * hook. */
void cr_caller_free(cr_caller *caller);

/* Begins a call. NULL with errno set on failure: ENOMEM, ECANCELED if the loop has ended. */
cr_call *cr_call_start(cr_caller *caller, const cr_call_request *request);
/* Begins or stops to read the answer: what the server sends meanwhile waits in the kernel. */
void cr_call_read(cr_call *call, bool reads);
/* Sends bytes of a streamed body, or behind a 101, which are framed and copied as far as the server does not take them. Only
 * once `wants` was called, or a 101 came. Returns whether more may follow at once; otherwise `wants` is called later. */
bool cr_call_send(cr_call *call, const uint8_t *bytes, size_t length);
/* Ends such a body, with the lines of trailers, each with its line end, if it is chunked; or our side behind a 101. */
void cr_call_finish(cr_call *call, const uint8_t *trailers, size_t length);
/* Ends the call without a further hook, and its connection with it. */
void cr_call_cancel(cr_call *call);
/* Behind a 101: once the reply to a client has come to its END, passes on what comes between it and the server, each direction until
 * its end, until both have ended, one of them breaks off, nothing has come from either for `patience_ms`, or the loop drains. The call belongs to the client's connection from now
 * on, and its hooks are not called any more, but `ended` is. Returns false, and changes nothing, if the connection's protocol cannot do that or memory is short. Within `answers`,
 * for a stream of the same loop that is being answered. */
bool cr_call_join(cr_call *call, cr_stream *stream, cr_tunnel_ended *ended, void *context);

/* ---- Connections alone --------------------------------------------------------------------------------------- */

/* A connection that is being made to a server that has several addresses (RFC 8305). On the loop's thread; it has no limit of
 * time, and must have ended before the loop does. */
typedef struct cr_dial cr_dial;

/* Called once, never within cr_dial_start: with a connected socket, which the callee owns, and its address; or with -1 and the
 * error of the first address that was tried, EACCES if none was admitted. The dial is gone. */
typedef void cr_dial_done(void *argument, int fd, const cr_address *address, int error);

/* Begins to connect. `admits` judges each address before it is tried; NULL admits all. `addresses`, of which there is at least
 * one, must stay. Returns NULL if memory is short. */
cr_dial *cr_dial_start(cr_loop *loop, const cr_address *addresses, size_t count, uint16_t port,
                       bool (*admits)(void *context, const cr_address *address), void *context, cr_dial_done *done,
                       void *argument);
/* Closes all sockets, and calls nothing. */
void cr_dial_cancel(cr_dial *dial);

#endif
