/* CReactor: a server loop on libevent that speaks HTTP/1.1 and HTTP/2 and runs wire scripts. It knows nothing of stubs.
 *
 * Threading: one cr_loop is one thread. Unless a function says "any thread", call it on the loop's own thread, or
 * before cr_loop_run is entered. Scripts belong to the caller and are only read here: any number of streams may run
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

/* Whether connections can speak HTTP/2. The first call loads nghttp2. Any thread. */
bool cr_http2_is_available(void);
/* Why HTTP/2 is not available, with the package to install; NULL if it is. */
const char *cr_http2_unavailable(void);

/* ---- Replies ------------------------------------------------------------------------------------------------- */

typedef enum cr_outcome {
    CR_SENT,                /* END was reached */
    CR_ABORTED,             /* ABORT was reached */
    CR_CLIENT_DISCONNECTED, /* the client reset, or closed before its request was complete or while the stream was
                               held */
    CR_CLIENT_STALLED,/* the client took no byte for the idle time-out */
    CR_STOPPED,     /* the loop ended first, or drained while the stream was held */
    CR_CANCELLED,   /* by cr_stream_cancel */
    CR_BODY_REFUSED /* the rest of the streamed request body was too slow or invalid */
} cr_outcome;

/* The end of a reply. */
typedef struct cr_end {
    cr_outcome outcome;
    uint64_t bytes_sent;
    uint64_t body_sent;     /* of these, body bytes without framing; 0 with CR_SENT, which implies all */
    uint64_t first_byte_ns; /* monotonic; 0 if no byte was sent */
    uint64_t end_ns;        /* monotonic */
    int refusal;            /* the status sent in place of the answer; 0 for none */
} cr_end;

/* The observer of a reply's end and the reference that keeps its script alive: opaque to the loop. */
typedef struct cr_observer {
    uintptr_t opaque[3];
} cr_observer;

/* What the server sends first on an HTTP/2 connection (RFC 9113 section 3.4). */
typedef enum cr_http2_server_preface {
    CR_HTTP2_PREFACE_NORMAL,
    CR_HTTP2_PREFACE_NO_SETTINGS, /* no SETTINGS: requests are not answered */
    CR_HTTP2_PREFACE_GARBAGE      /* bytes that are no frame, then the connection closes */
} cr_http2_server_preface;

/* The loop's callbacks, all on the loop's thread. */
typedef struct cr_handler {
    void *context;
    /* A complete request. Answer `stream` with cr_stream_reply exactly once, now or later. */
    void (*on_request)(void *context, cr_stream *stream, const cr_request *request);
    /* The end of a reply, exactly once for each cr_stream_reply. `stream` is invalid afterwards. */
    void (*on_end)(void *context, cr_observer observer, const cr_end *end);
    /* A request that the loop answered itself, because it was malformed, too large or too slow. */
    void (*on_refusal)(void *context, int status, const char *reason, const char *peer);
    /* A message for the log, such as: out of descriptors, a limit reached. */
    void (*on_log)(void *context, const char *text);
    /* A stream came to a HOLD or MORE step; `step` is valid until this returns. The callee may continue it at once with
     * cr_stream_release or cr_stream_extend. Otherwise the stream ends if the loop drains or the client has closed its
     * side, since the wait may never end. A script that has come to MORE is not read any more. NULL if no script has
     * such a step. */
    void (*on_hold)(void *context, cr_stream *stream, cr_observer observer, const cr_step *step);
    /* The buffers for client input grew or shrank by `change` bytes. Buffers below 16 KiB do not count. NULL if memory
     * is not counted. */
    void (*on_memory)(void *context, int64_t change);
    /* The memory of an HTTP/2 connection changed by `change` bytes, apart from on_memory. NULL if memory is not
     * counted. */
    void (*on_connection_memory)(void *context, int64_t change);
    /* Whether a request body may take `bytes` more; if not, the request is refused. NULL allows always. */
    bool (*has_room)(void *context, size_t bytes);
    /* Whether read_rate is to be called. NULL for never. */
    bool (*limits_uploads)(void *context);
    /* The speed at which to read the request's body, in bytes per second; 0 for no limit, UINT64_MAX for never. The
     * request has no body yet, and is valid until this returns. */
    uint64_t (*read_rate)(void *context, const cr_request *head);
    /* Whether the handler streams this request's body instead of buffering it. Called when the announced length passes
     * `stream_threshold` or the body limit, or when a body of unknown length grows past it (`is_long`). The request has
     * no body yet, and is valid until this returns. NULL for never. */
    bool (*streams_body)(void *context, const cr_request *head, bool is_long);
    /* Whether streams_body is also called at the head of each request with a body of unknown length. NULL for never. */
    bool (*streams_short)(void *context);
    /* Bytes of a streamed body, valid until this returns. `body` is the argument of cr_stream_accept_body. */
    void (*on_body)(void *context, void *body, const uint8_t *bytes, size_t length);
    /* The end of a streamed body, exactly once. `request` has the trailer fields and nothing else; NULL if the body was
     * not read to its end because the client left or the answer ended. */
    void (*on_body_end)(void *context, void *body, const cr_request *request);
    /* Bytes that the client sent after the request, for a stream with cr_stream_accept_input; valid until this returns.
     * The callee may continue the stream. NULL if no stream does. */
    void (*on_input)(void *context, cr_stream *stream, cr_observer observer, const uint8_t *bytes, size_t length);
    /* How the server begins a connection that speaks HTTP/2 from now on. `server_name` is the SNI name, NULL if the
     * client sent none. NULL for always CR_HTTP2_PREFACE_NORMAL. */
    cr_http2_server_preface (*http2_server_preface)(void *context, const cr_origin *origin, const char *server_name);
    /* A failed TLS handshake, and why. `server_name` is the SNI name, NULL if the client sent none. NULL: on_log is
     * called instead. */
    void (*on_failed_handshake)(void *context, const char *text, const cr_origin *origin, const char *server_name);
} cr_handler;

/* Answers a stream with a sound script, which must stay unchanged, with its bytes, until on_end. On the loop's thread
 * only. */
void cr_stream_reply(cr_stream *stream, const cr_step *script, cr_observer observer);
/* Streams the body of a request that is `streamed`: no byte is read until cr_stream_set_body_reading. Returns the
 * announced length; UINT64_MAX if there is none. Only until on_request returns. */
uint64_t cr_stream_accept_body(cr_stream *stream, void *body);
/* Pauses or resumes reading a streamed body. While paused, the client's bytes wait in the kernel or at the client. On
 * the loop's thread, until on_body_end; also inside on_body. */
void cr_stream_set_body_reading(cr_stream *stream, bool reads);
/* Passes what the client sends after the request to on_input, from the reply on until the stream's end, instead of
 * parsing it as further requests. In HTTP/1.1 the connection ends with the reply, in HTTP/2 the stream does. Returns
 * false, and changes nothing, if the protocol cannot do that: in HTTP/2, if the request does not ask for WebSocket. On
 * the loop's thread, before cr_stream_reply or while the stream is held. */
bool cr_stream_accept_input(cr_stream *stream);
/* The counters of a running reply, as if it ended now. On the loop's thread, between cr_stream_reply and on_end. */
cr_end cr_stream_progress(const cr_stream *stream);
/* Pauses or resumes reading the input of cr_stream_accept_input. While paused, the client's bytes wait in the kernel or
 * at the client. On the loop's thread, between cr_stream_reply and on_end. */
void cr_stream_set_input_reading(cr_stream *stream, bool reads);
/* Switches the connection to another protocol once the reply has come to its END and the connection stays open; the
 * protocol gets the bytes after the request. Returns false, and changes nothing, if the present protocol cannot do
 * that. On the loop's thread, before cr_stream_reply. */
bool cr_stream_upgrade(cr_stream *stream, const cr_protocol *protocol);
/* The end of a tunnel. */
typedef struct cr_tunnel_end {
    uint64_t up, down; /* bytes from and to the client */
    bool timed_out;    /* it ended because neither side sent anything for too long */
} cr_tunnel_end;
/* Called once, on the loop's thread; `end` is valid until it returns. */
typedef void cr_tunnel_ended(void *context, const cr_tunnel_end *end);
/* Relays bytes between the client and the socket `fd`, once the reply has come to its END. Each direction lasts until
 * its own end; the tunnel lasts until both have ended, neither has sent anything for `idle_ms`, or the loop drains.
 * Takes over `fd`, which is connected and non-blocking. Returns false, and leaves `fd` to the caller, if the
 * connection's protocol cannot do that or memory is short. On the loop's thread, before cr_stream_reply. */
bool cr_stream_tunnel(cr_stream *stream, int fd, uint32_t idle_ms, cr_tunnel_ended *ended, void *context);
/* Intercepts a CONNECT: once the reply has come to its END, serves the client as if it had connected to `host`, with
 * TLS and these settings, which are retained, if it begins a handshake, else in plain HTTP. Later requests are
 * `intercepted`. Returns false, and changes nothing, if the connection cannot do that or memory is short. On the loop's
 * thread, before cr_stream_reply. */
bool cr_stream_intercept_tunnel(cr_stream *stream, cr_tls_settings *settings, const char *host);
/* Continues a stream held at a HOLD with the next step. On the loop's thread, between on_hold and on_end. */
void cr_stream_release(cr_stream *stream);
/* Continues a stream that has come to MORE with a sound script, under the rules of cr_stream_reply. On the loop's
 * thread, between on_hold and on_end. */
void cr_stream_extend(cr_stream *stream, const cr_step *script);
/* Ends a running or held stream and its connection: with RST if part of the answer was sent, so that it does not look
 * complete, else with FIN. Calls on_end. On the loop's thread, between cr_stream_reply and on_end, not from a
 * callback. */
void cr_stream_cancel(cr_stream *stream);
/* The stream's loop. Any thread, while the stream has not been answered. */
cr_loop *cr_stream_loop(const cr_stream *stream);

/* Writes the coalesced answers to earlier requests of this connection, as far as the client takes them, so that their
 * on_end comes before this request is answered. Only until on_request returns. */
void cr_stream_flush_earlier(cr_stream *stream);
/* Takes over the body of the request, so that a large one need not be copied on the loop; free it with cr_body_free.
 * Returns NULL if the body has no block of its own, as a small one. Only until on_request returns. */
void *cr_stream_extract_body(cr_stream *stream, const cr_request *request);
/* Any thread. */
void cr_body_free(void *body);

/* ---- The connections of a loop ----------------------------------------------------------------------------------- */

/* The limits of a loop. Sizes are in bytes, times in milliseconds. */
typedef struct cr_config {
    cr_head_limits head;           /* of request heads */
    uint64_t body_limit;           /* 413 beyond, unless the body is streamed */
    uint64_t stream_threshold;     /* streams_body is called for longer bodies */
    uint32_t connection_limit;     /* further ones replace idle ones, or wait in the kernel's backlog */
    uint32_t descriptor_limit;     /* the first descriptor reserved for the process's own files, so that it can read
                                      them when all connections are taken; further clients replace idle ones or wait;
                                      0 reserves none */
    uint32_t handshake_timeout_ms; /* from the accepted socket to the end of the handshake */
    uint32_t head_timeout_ms;      /* from a head's first byte to its last; 408 beyond */
    uint32_t body_timeout_ms;      /* for a body, plus one second for each KiB received; 408 beyond */
    uint32_t body_idle_timeout_ms; /* the most of these extra seconds that a body may have left, its longest silence
                                      after body_timeout_ms; 408 beyond */
    uint32_t idle_timeout_ms;      /* between requests, and for a client that takes no bytes */
    uint32_t linger_timeout_ms;/* how long an ending connection is read so that its last answer arrives */
    bool plain_http2;            /* clients may speak HTTP/2 without TLS */
    bool http2_extended_connect; /* announces Extended CONNECT, for WebSocket over HTTP/2 (RFC 8441) */
    uint32_t stream_limit;       /* concurrent streams of an HTTP/2 connection; further ones are refused */
} cr_config;

/* The defaults: 32 KiB, 16 KiB, 100 MiB, 1 MiB, 60,000 connections, no reserved descriptors; 10 s, 30 s, 30 s, 30 s, 75
 * s, 2 s; plain HTTP/2 with 128 streams, no Extended CONNECT. */
cr_config cr_config_default(void);

/* Creates a loop for connections, which is not running yet. Copies `handler`. Returns NULL with errno set on
 * failure. */
cr_loop *cr_loop_new(const cr_config *config, const cr_handler *handler);

/* ---- Listeners ----------------------------------------------------------------------------------------------- */

/* HTTP/1.1, from which a client may upgrade to HTTP/2. */
const cr_protocol *cr_protocol_http1(void);

/* Listens on a numeric IPv4 or IPv6 address. Connections begin with `protocol`. Port 0 takes a free one. `share` lets
 * several loops listen on one port. Returns NULL with errno set on failure (EADDRINUSE, EACCES, EINVAL for an address
 * that is not numeric…). */
cr_listener *cr_listen_tcp(cr_loop *loop, const char *address, uint16_t port, bool share, const cr_protocol *protocol);
/* Listens on a Unix socket at `path`. Replaces an unused socket file; EADDRINUSE for one in use. */
cr_listener *cr_listen_unix(cr_loop *loop, const char *path, const cr_protocol *protocol);
/* Listens like cr_listen_tcp, for this loop only, and also while it runs. `tag` comes with each request.
 * `closed(argument)` is called once when the listener is closed and freed, for whatever reason. ECANCELED if the loop
 * drains or has ended. */
cr_listener *cr_listen_tagged(cr_loop *loop, const char *address, uint16_t port, uint64_t tag,
    const cr_protocol *protocol, void (*closed)(void *argument), void *argument);

/* Makes further connections of a listener use TLS. Call it before the first one is accepted. */
void cr_listener_use_tls(cr_listener *listener, cr_tls_settings *settings);

#endif
