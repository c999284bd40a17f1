/* CReactor: a server loop on libevent that speaks HTTP/1.1 and runs wire scripts. It knows nothing of stubs.
 *
 * Threading: one cr_loop is one thread. Unless a function says "any thread", call it on the loop's own thread, or
 * before cr_loop_run was entered. Scripts belong to the caller and are only read here: any number of streams may run
 * one.
 *
 * Memory: a function that returns a pointer returns NULL when memory is short, and changes nothing then. */
#ifndef CREACTOR_H
#define CREACTOR_H

#include "cr_http.h"
#include "cr_loop.h"
#include "cr_script.h"
#include "cr_tls.h"

typedef struct cr_protocol cr_protocol; /* what a connection speaks */

/* Whether connections can speak HTTP/2, for which nghttp2 is loaded at the first call. Any thread. */
bool cr_http2_is_available(void);
/* Why not, with the package to install; NULL if they can. */
const char *cr_http2_unavailable(void);

/* ---- Replies ------------------------------------------------------------------------------------------------- */

typedef enum cr_outcome {
    CR_SENT,          /* END was reached */
    CR_ABORTED,       /* ABORT was reached */
    CR_CLIENT_GONE,   /* the client reset, or closed before its request was complete or while held */
    CR_CLIENT_STALLED,/* the client took no byte for the length of the idle time-out */
    CR_STOPPED,       /* the loop ended first, or drained while the stream was held */
    CR_CANCELLED,     /* by cr_stream_cancel */
    CR_BODY_REFUSED   /* the rest of the body came too slowly or was wrong, while the handler took it */
} cr_outcome;

/* The end of a reply. */
typedef struct cr_end {
    cr_outcome outcome;
    uint64_t bytes_sent;
    uint64_t body_sent;     /* of these, the bytes of the body without framing; 0 with CR_SENT, which says that all are */
    uint64_t first_byte_ns; /* monotonic; 0 if no byte was sent */
    uint64_t end_ns;        /* monotonic */
    int refusal;            /* the status that the client got in place of the answer; 0 for none */
} cr_end;

/* The observer of a reply's end, and whatever keeps its script: words that the loop only carries. */
typedef struct cr_observer {
    uintptr_t words[3];
} cr_observer;

/* How a connection of HTTP/2 begins. */
typedef enum cr_greeting {
    CR_GREETING_NORMAL,
    CR_GREETING_NO_SETTINGS, /* without the SETTINGS that the client waits for: what it asks is not answered */
    CR_GREETING_GARBAGE      /* with bytes that are no frame, and then it closes */
} cr_greeting;

/* The loop's only calls to the outside, all on the loop's thread. */
typedef struct cr_handler {
    void *context;
    /* A complete request. `stream` must be answered by cr_stream_reply exactly once, now or later. */
    void (*on_request)(void *context, cr_stream *stream, const cr_request *request);
    /* The end of a reply: exactly once for each cr_stream_reply. `stream` is dead afterwards. */
    void (*on_end)(void *context, cr_observer observer, const cr_end *end);
    /* A request that the loop answered itself, because it was malformed, too large or too slow. */
    void (*on_refusal)(void *context, int status, const char *reason, const char *peer);
    /* A problem for the log: out of descriptors, a limit reached. */
    void (*on_trouble)(void *context, const char *text);
    /* A stream came to a HOLD or MORE step; `step` is valid until this returns. The callee may let it continue at once
     * by cr_stream_release or cr_stream_extend; otherwise, if the loop drains or the client has closed its side, the
     * stream ends, since its wait may never end. A script that has come to MORE is not read any more. NULL if no script
     * has such a step. */
    void (*on_hold)(void *context, cr_stream *stream, cr_observer observer, const cr_step *step);
    /* The loop holds `change` bytes more, or less, of what clients have sent. Buffers below 16 KiB do not count. NULL if
     * nothing counts. */
    void (*on_memory)(void *context, int64_t change);
    /* An HTTP/2 connection has `change` bytes more, or less, beside what on_memory counts. NULL if nothing counts. */
    void (*on_connection_memory)(void *context, int64_t change);
    /* Whether a body may take `bytes` more; if not, its request is refused. NULL if it always may. */
    bool (*has_room)(void *context, size_t bytes);
    /* Whether to ask for read_rate. NULL if never. */
    bool (*limits_uploads)(void *context);
    /* The speed at which to read the body of a request by its head, in bytes a second; 0 for as fast as it comes,
     * UINT64_MAX for never. The request has no body yet, and is valid until this returns. */
    uint64_t (*read_rate)(void *context, const cr_request *head);
    /* Whether the handler takes the body of this request while it comes. Asked once the head of a request has come whose
     * body is larger than `stream_least` or the body limit, or once a body of unknown length has grown beyond; `is_long` is
     * true then. The request has no body yet, and is valid until this returns. NULL if never. */
    bool (*streams_body)(void *context, const cr_request *head, bool is_long);
    /* Whether to ask for streams_body at the head of every request with a body of unknown length, too. NULL if never. */
    bool (*streams_short)(void *context);
    /* Bytes of a body that is taken while it comes, valid until this returns. `body` is that of cr_stream_accept_body. */
    void (*on_body)(void *context, void *body, const uint8_t *bytes, size_t length);
    /* The end of such a body, exactly once: with the trailer fields of `request`, of which nothing else counts, or NULL if
     * it was not read to its end, since its client has left or its answer has ended. */
    void (*on_body_end)(void *context, void *body, const cr_request *request);
    /* What the client has sent after the request of a stream that takes it (cr_stream_take_input), valid until this
     * returns. The callee may let the stream continue. NULL if no stream does. */
    void (*on_input)(void *context, cr_stream *stream, cr_observer observer, const uint8_t *bytes, size_t length);
    /* How to begin a connection that speaks HTTP/2 from now on, whose client asked for a server by this name (SNI; NULL if
     * it did not). NULL if always as it should be. */
    cr_greeting (*http2_greeting)(void *context, const cr_origin *origin, const char *server_name);
    /* A handshake of TLS that came to nothing, and why; its client asked for a server by this name (SNI; NULL if it did not).
     * NULL if it is a trouble like others. */
    void (*on_failed_handshake)(void *context, const char *text, const cr_origin *origin, const char *server_name);
} cr_handler;

/* Answers a stream with a sound script, which must stay unchanged, with its bytes, until on_end. On the loop's thread
 * only. */
void cr_stream_reply(cr_stream *stream, const cr_step *script, cr_observer observer);
/* Takes the body of a request that is `streamed`, of which nothing is read until cr_stream_read_body. Returns the length
 * that the client has announced; UINT64_MAX if it did not. Only until on_request returns. */
uint64_t cr_stream_accept_body(cr_stream *stream, void *body);
/* Begins or stops to read such a body: what its client sends meanwhile waits in the kernel, or with the client. On the loop's
 * thread, until on_body_end; also within on_body. */
void cr_stream_read_body(cr_stream *stream, bool reads);
/* Hands to on_input what the client sends after the stream's request, from the reply on and until its end, instead of
 * keeping it as the next requests; the connection ends with the reply. Returns false, and changes nothing, if the
 * connection's protocol cannot do that. On the loop's thread, before cr_stream_reply. */
bool cr_stream_take_input(cr_stream *stream);
/* Begins or stops to read the input of a stream that takes it: what its client sends meanwhile waits in the kernel. On the
 * loop's thread, between cr_stream_reply and on_end. */
void cr_stream_read_input(cr_stream *stream, bool reads);
/* Lets the connection speak another protocol once the reply has come to its END, if the connection is kept then: with
 * what the client has sent after the request. Returns false, and changes nothing, if its present protocol cannot do
 * that. On the loop's thread, before cr_stream_reply. */
bool cr_stream_upgrade(cr_stream *stream, const cr_protocol *protocol);
/* The end of a tunnel. */
typedef struct cr_tunnel_end {
    uint64_t up, down; /* the bytes from and to the client */
    bool rested;       /* it has ended since neither side has sent anything for too long */
} cr_tunnel_end;
/* Called once, on the loop's thread; `end` is valid until it returns. */
typedef void cr_tunnel_ended(void *context, const cr_tunnel_end *end);
/* Once the reply has come to its END, passes on what comes between the client and the socket `fd`, each direction until its
 * end, until both have ended, neither has sent anything for `idle_ms`, or the loop drains. Takes over `fd`, which is
 * connected and non-blocking. Returns false, and takes over nothing, if the connection's protocol cannot do that or memory is
 * short. On the loop's thread, before cr_stream_reply. */
bool cr_stream_tunnel(cr_stream *stream, int fd, uint32_t idle_ms, cr_tunnel_ended *ended, void *context);
/* Once the reply has come to its END, goes on with the client as if it had connected to `host`, for which it asked: in TLS
 * with these settings, which are retained, if it begins with that, else in plain HTTP. Requests from then on are `tunnelled`.
 * Returns false, and changes nothing, if the connection cannot do that or memory is short. On the loop's thread, before
 * cr_stream_reply. */
bool cr_stream_open_tunnel(cr_stream *stream, cr_tls_settings *settings, const char *host);
/* Continues a stream held at a HOLD, with the step after it. On the loop's thread, between on_hold and on_end. */
void cr_stream_release(cr_stream *stream);
/* Continues a stream that has come to MORE, with a sound script under the same rules as the first one. On the loop's
 * thread, between on_hold and on_end. */
void cr_stream_extend(cr_stream *stream, const cr_step *script);
/* Ends a stream that runs or is held, and its connection with it: by RST if part of the answer was sent, so that half
 * an answer does not look whole, else by FIN. Calls on_end. On the loop's thread, between cr_stream_reply and on_end,
 * and not from a callback. */
void cr_stream_cancel(cr_stream *stream);
/* The loop that a stream belongs to. Any thread, while the stream has not been answered. */
cr_loop *cr_stream_loop(const cr_stream *stream);

/* Writes the answers to earlier requests of the stream's connection that still wait for those after them, as far as the
 * client takes them, so that their ends are told before the answer to this request is made. Only until on_request
 * returns. */
void cr_stream_send_earlier(cr_stream *stream);
/* Takes the body of the stream's request, which `cr_body_free` frees from now on, so that a large one need not be copied
 * on the loop. NULL if it is in no block of its own, as a small one. Only until on_request returns. */
void *cr_stream_take_body(cr_stream *stream, const cr_request *request);
/* Any thread. */
void cr_body_free(void *body);

/* ---- The connections of a loop ------------------------------------------------------------------------------------------------ */

/* The limits of a loop. Sizes are in bytes, times in milliseconds. */
typedef struct cr_config {
    cr_head_limits head;       /* of requests' heads */
    uint64_t body_limit;       /* 413 beyond, unless it is streamed */
    uint64_t stream_least;     /* bytes of a body beyond which the handler is asked whether it takes it while it comes */
    uint32_t connection_limit; /* of the loop; further ones replace idle ones, or wait in the kernel's backlog */
    uint32_t descriptor_limit; /* the first descriptor reserved for the process's own files, so that it can read
                                  them with all connections taken; further clients replace idle ones, or wait; 0
                                  reserves none */
    uint32_t handshake_timeout_ms; /* of a transport that has a handshake: from the accepted socket to its end */
    uint32_t head_timeout_ms;  /* from a head's first byte to its last; 408 beyond */
    uint32_t body_timeout_ms;  /* for the body, plus a second for each KiB received; 408 beyond */
    uint32_t body_idle_timeout_ms; /* the most of these seconds that a body may have left: its silence after body_timeout_ms;
                                      408 beyond */
    uint32_t idle_timeout_ms;  /* between requests, and for a client that takes no bytes */
    uint32_t linger_timeout_ms;/* how long an ending connection is read so that its last answer arrives */
    bool plain_http2;          /* clients may speak HTTP/2 without TLS */
    uint32_t stream_limit;     /* of one connection that speaks HTTP/2; further streams are refused */
} cr_config;

/* Sensible limits: 32 KiB, 16 KiB, 100 MiB, 1 MiB, 60,000 connections, no descriptors kept; 10 s, 30 s, 30 s, 30 s, 75 s,
 * 2 s; plain HTTP/2 with 128 streams. */
cr_config cr_config_default(void);

/* A loop that is not running yet, for connections. `handler` is copied; NULL with errno set on failure. */
cr_loop *cr_loop_new(const cr_config *config, const cr_handler *handler);

/* ---- Listeners ----------------------------------------------------------------------------------------------- */

/* HTTP/1.1, from which a client may go on to HTTP/2. */
const cr_protocol *cr_protocol_http1(void);

/* Listens on a numeric IPv4 or IPv6 address, for connections that begin with a protocol. Port 0 takes a free one. `share` lets several loops listen on one port.
 * NULL with errno set on failure (EADDRINUSE, EACCES, EINVAL for an address that is not numeric…). */
cr_listener *cr_listen_tcp(cr_loop *loop, const char *address, uint16_t port, bool share, const cr_protocol *protocol);
/* Listens on a Unix socket at `path`; an unused socket file there is replaced, one in use is EADDRINUSE. */
cr_listener *cr_listen_unix(cr_loop *loop, const char *path, const cr_protocol *protocol);
/* Listens like cr_listen_tcp, for this loop alone and also while it runs. `tag` comes with each request.
 * `closed(argument)` is called once when the listener is closed, for whatever reason, and freed. ECANCELED if the loop
 * drains or has ended. */
cr_listener *cr_listen_tagged(cr_loop *loop, const char *address, uint16_t port, uint64_t tag, const cr_protocol *protocol,
                              void (*closed)(void *argument), void *argument);

/* Secures further connections of a listener. Before it has accepted any. */
void cr_listener_use_tls(cr_listener *listener, cr_tls_settings *settings);

#endif
