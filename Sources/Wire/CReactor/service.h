/* The connections of a loop, and how they are served: the guest of the loop. */
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

/* The reason why a connection waits. Each has its own time-out, and so its own list in the order of the deadlines; only
 * the deadlines of bodies move. */
typedef enum cr_waiting {
    CR_WAITING_HANDSHAKE, /* the transport is not ready for bytes of the protocol */
    CR_WAITING_STALL,     /* the transport says nothing until the client leaves: no time-out */
    CR_WAITING_REQUEST,   /* idle: nothing of the next request has arrived */
    CR_WAITING_KEPT,      /* for the next call to its server, of no client's */
    CR_WAITING_TURN,      /* with more requests behind those of its last turn: no time-out */
    CR_WAITING_HEAD,
    CR_WAITING_BODY,
    CR_WAITING_REPLY,     /* for the handler: no time-out */
    CR_WAITING_STEP,      /* for a step of the script: no time-out */
    CR_WAITING_HOLD,      /* for the rest of the script: no time-out */
    CR_WAITING_UNREAD,    /* like HOLD, but the client is not read, so whether it has closed is checked now and then */
    CR_WAITING_WRITE,     /* for the client to take bytes */
    CR_WAITING_LINGER,
    CR_WAITING_KINDS
} cr_waiting;

enum {
    CR_FILE_WINDOW = 128 * 1024, /* bytes of a file that are read at a time */
    CR_SCRATCH_SIZE = 64 * 1024, /* one read */
    CR_PIPELINE_LIMIT = 64 * 1024 /* bytes kept behind a request that is being answered */
};

typedef struct cr_service {
    cr_loop loop; /* first, so that it is found by its address */
    cr_config config;
    uint64_t plain_body;         /* the longest body about which the handler is not asked before it has come */
    cr_handler handler;
    struct cr_conn_list waiting[CR_WAITING_KINDS];
    uint64_t timeout_ns[CR_WAITING_KINDS]; /* UINT64_MAX if there is none */
    struct cr_half_closed_list half_closed; /* connections with a closed client side that are still being answered */
    struct cr_held_list held;    /* streams that wait for the rest of their scripts */
    struct cr_yielded_list yielded; /* streams that let others have their turn */
    struct cr_conn_list unread; /* connections whose transports hold bytes that are read in their turns */
    struct cr_conn_list shaking; /* connections whose handshakes wait for their turns */
    uint64_t shaken_ns;          /* what handshakes have taken since the last turns */
    uint64_t swept_ns;           /* the time of the last sweep */
    struct event sweep;          /* ends connections whose deadlines passed; armed while there are any */
    uint64_t sweep_ns;           /* the interval between checks of deadlines */
    const cr_protocol *http2;    /* for clients that choose it while they shake hands */
    uint8_t *file_window;        /* the buffer that FILE steps are read into; NULL before the first one */
    cr_frames *frames;           /* what frames of HTTP/2 are made in; NULL before the first one */
    uint8_t scratch[CR_SCRATCH_SIZE];
} cr_service;

static inline cr_service *cr_service_of(const cr_loop *loop) {
    return (cr_service *)(void *)loop;
}

/* What connections of a listener begin with. It is shared by the listener and its connections, which may live longer. */
struct cr_beginning {
    uint32_t users;
    bool calls;                    /* they are no client's, but lead to a server */
    cr_origin origin;
    const cr_protocol *protocol;   /* as the listener says, unless the transport chooses another while it shakes hands */
    const cr_transport *secured;   /* the transport of those that are secured */
    void *context;                 /* of its `open` */
    void (*free_context)(void *context); /* or NULL */
};

/* ---- waiting.c ---- */

/* Makes the lists of waiting connections, and their time-outs. */
void cr_waiting_init(cr_loop *loop);
/* Ends the connections whose deadlines passed, and those that are being answered and whose clients have gone
 * altogether. */
void cr_conn_sweep(cr_loop *loop, uint64_t now_ns);
/* Ends all connections. */
void cr_conn_close_all(cr_loop *loop);
/* Ends the idle connections and the held streams of a loop that drains. */
void cr_conn_drain(cr_loop *loop);
/* The connection that has been idle longest of those that may be closed for a new client; NULL if there is none. One whose
 * client may be about to send, since it has just come or just got an answer, may not. */
cr_conn *cr_conn_longest_idle(cr_loop *loop);
/* Lets connections that have waited for their turns go on, as long as one turn takes. */
void cr_conn_take_turns(cr_loop *loop);
/* Lets streams that have yielded go on, each at most once, as long as one turn takes. */
void cr_streams_take_turns(cr_loop *loop);
/* Ends the scripts that nothing drives any more, since the loop has ended. */
void cr_conn_stop_scripts(cr_loop *loop);

/* ---- conn_io.c ---- */

/* Lets connections read what their transports hold, each at most once, as long as one turn takes. */
void cr_conn_read_unread(cr_loop *loop);
/* Lets handshakes that have waited for their turns go on, as long as one turn takes, and those that come have theirs. */
void cr_conn_shake_on(cr_loop *loop);

/* ---- beginning.c ---- */

/* Makes a beginning with plain bytes of a protocol, and one user; NULL if memory is short. */
cr_beginning *cr_beginning_new(uint16_t port, const cr_protocol *protocol);
static inline cr_beginning *cr_beginning_retain(cr_beginning *beginning) {
    beginning->users++;
    return beginning;
}
/* Frees it after the last user. */
void cr_beginning_release(cr_beginning *beginning);
/* Lets further connections begin with a transport, all (CR_SECURED) or those whose first byte it knows
 * (CR_PLAIN_OR_SECURED). `free_context`, which may be NULL, is called when the listener and all of them are gone. */
void cr_listener_secure(cr_listener *listener, cr_security security, const cr_transport *transport, void *context,
                        void (*free_context)(void *context));

#endif
