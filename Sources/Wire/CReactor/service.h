/* The connections of a loop and how they are served: the delegate of cr_loop. */
#ifndef CR_SERVICE_H
#define CR_SERVICE_H

#include "creactor.h"
#include "loop.h"

#include <netinet/in.h>
#include <sys/uio.h>

typedef struct cr_conn cr_conn;
typedef struct cr_transport cr_transport;
typedef struct cr_frames cr_frames;
TAILQ_HEAD(cr_conn_list, cr_conn);
LIST_HEAD(cr_half_closed_list, cr_conn);
LIST_HEAD(cr_held_list, cr_stream);
TAILQ_HEAD(cr_yielded_list, cr_stream);

/* Why a connection waits. Each kind has its own time-out, and so a list in the order of deadlines; only deadlines of
 * bodies move. */
typedef enum cr_waiting {
    CR_WAITING_HANDSHAKE, /* for the transport's handshake */
    CR_WAITING_STALL,     /* a stalled transport waits for the client to leave: no time-out */
    CR_WAITING_REQUEST,   /* idle: no byte of the next request has arrived */
    CR_WAITING_POOLED,    /* idle in the pool of client calls */
    CR_WAITING_READY,     /* in the ready queue, with more input: no time-out */
    CR_WAITING_HEAD,
    CR_WAITING_BODY,
    CR_WAITING_REPLY,  /* for the handler: no time-out */
    CR_WAITING_STEP,   /* for a step of the script: no time-out */
    CR_WAITING_HOLD,   /* for the rest of the script: no time-out */
    CR_WAITING_PAUSED, /* like HOLD, but the client is not read, so it is polled for a disconnect */
    CR_WAITING_WRITE,  /* for the client to take bytes */
    CR_WAITING_LINGER,
    CR_WAITING_KINDS
} cr_waiting;

enum {
    CR_FILE_WINDOW = 128 * 1024,  /* bytes of a file read at once */
    CR_SCRATCH_SIZE = 64 * 1024,  /* bytes of one read */
    CR_PIPELINE_LIMIT = 64 * 1024 /* pipelined bytes buffered behind a request that is being answered */
};

typedef struct cr_service {
    cr_loop loop; /* first: a cast converts between both */
    cr_config config;
    uint64_t max_unstreamed_body;         /* longest body that is buffered without asking the handler */
    cr_handler handler;
    struct cr_conn_list waiting[CR_WAITING_KINDS];
    uint64_t timeout_ns[CR_WAITING_KINDS]; /* UINT64_MAX for no time-out */
    struct cr_half_closed_list half_closed; /* connections whose client closed its side and that are still being
                                               answered */
    struct cr_held_list held;         /* streams that wait for the rest of their scripts */
    struct cr_yielded_list yielded;   /* streams in the ready queue */
    struct cr_conn_list queued_reads; /* connections whose transports hold decrypted bytes to be read */
    struct cr_conn_list handshakes;   /* connections whose handshakes wait in the ready queue */
    uint64_t handshake_ns;            /* time spent on handshakes in this loop iteration */
    uint64_t swept_ns;                /* the time of the last sweep */
    struct event sweep;               /* ends connections past their deadlines; armed while there are connections */
    uint64_t sweep_ns;                /* interval of the sweep */
    const cr_protocol *http2;         /* for clients that choose it in the handshake (ALPN) */
    uint8_t *file_window;             /* buffer for FILE steps; NULL before the first one */
    cr_frames *frames;                /* buffer for HTTP/2 frames; NULL before the first one */
    uint8_t scratch[CR_SCRATCH_SIZE];
} cr_service;

static inline cr_service *cr_service_of(const cr_loop *loop) {
    return (cr_service *)(void *)loop;
}

/* What connections of a listener begin with. Shared by the listener and its connections, which may outlive it. */
struct cr_accept_config {
    uint32_t users;
    bool is_outgoing;                    /* connections to servers, not of clients */
    cr_origin origin;
    const cr_protocol *protocol;         /* unless the transport chooses another in its handshake */
    const cr_transport *secured;         /* the transport of secured connections */
    void *context;                       /* argument of its `open` */
    void (*free_context)(void *context); /* or NULL */
};

/* ---- waiting.c ---- */

/* Initializes the lists and time-outs. */
void cr_waiting_init(cr_loop *loop);
/* Closes connections past their deadlines, and connections being answered whose clients have disconnected. */
void cr_conn_sweep(cr_loop *loop, uint64_t now_ns);
/* Closes all connections. */
void cr_conn_close_all(cr_loop *loop);
/* Closes idle connections and drops held streams of a draining loop. */
void cr_conn_drain(cr_loop *loop);
/* The least recently used idle connection that may be closed for a new client; NULL if there is none. Connections that
 * just opened or just got an answer are spared, since their clients may be about to send. */
cr_conn *cr_conn_longest_idle(cr_loop *loop);
/* Runs connections of the ready queue, for at most one time slice. */
void cr_conn_run_ready(cr_loop *loop);
/* Runs yielded streams, each at most once, for at most one time slice. */
void cr_streams_run_ready(cr_loop *loop);
/* Ends the scripts of a loop that has ended. */
void cr_conn_stop_scripts(cr_loop *loop);

/* ---- conn_io.c ---- */

/* Reads what transports hold, each connection at most once, for at most one time slice. */
void cr_conn_run_reads(cr_loop *loop);
/* Continues queued handshakes for at most one time slice, and lets new ones start again. */
void cr_conn_run_handshakes(cr_loop *loop);

/* ---- accept_config.c ---- */

/* Creates a config for plain connections of `protocol`, with one reference. Returns NULL if memory is short. */
cr_accept_config *cr_accept_config_new(uint16_t port, const cr_protocol *protocol);
static inline cr_accept_config *cr_accept_config_retain(cr_accept_config *accept_config) {
    accept_config->users++;
    return accept_config;
}
/* Drops a reference. */
void cr_accept_config_release(cr_accept_config *accept_config);
/* Makes further connections of the listener begin with `transport`: all of them (CR_SECURED), or those whose first byte
 * it recognizes (CR_PLAIN_OR_SECURED). `free_context`, which may be NULL, is called when the listener and all of them
 * are gone. */
void cr_listener_secure(cr_listener *listener, cr_security security, const cr_transport *transport, void *context,
    void (*free_context)(void *context));

#endif
