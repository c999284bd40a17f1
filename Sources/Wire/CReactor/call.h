/* Client calls, as shared by the files that implement them: the queue for connections, the pool, and what is sent and
 * received. */
#ifndef CR_CALL_PRIVATE_H
#define CR_CALL_PRIVATE_H

#include "conn.h"
#include "dial.h"
#include "proxy_connect.h"
#include "tls_transport.h"

typedef struct cr_link cr_link;
typedef struct cr_host cr_host;
TAILQ_HEAD(cr_link_list, cr_link);
LIST_HEAD(cr_call_list, cr_call);
TAILQ_HEAD(cr_call_queue, cr_call);
LIST_HEAD(cr_host_list, cr_host);
LIST_HEAD(cr_caller_list, cr_caller);

enum { CR_HOST_BUCKETS = 64 };

struct cr_caller {
    _Atomic int users;           /* its owner and jobs on the way to its loop */
    cr_loop *loop;
    cr_mailbox *mailbox;
    cr_quota *quota;
    cr_call_hooks hooks;
    bool ended;         /* no call starts any more */
    cr_timer *loop_end; /* reports the end of the loop; NULL after it */
    struct cr_host_list hosts[CR_HOST_BUCKETS];
    uint32_t host_count;
    struct cr_link_list idle;    /* the connection pool, least recently used first */
    struct cr_call_list calls;
    struct cr_call_queue queue;  /* of these, those that wait for a free connection */
    LIST_ENTRY(cr_caller) link;  /* in the quota's list */
    _Atomic uint32_t waiting;    /* the length of the queue, for other loops */
    _Atomic uint32_t idle_count; /* the length of `idle`, for other loops */
};

/* The limits shared by all loops and their counters. */
struct cr_quota {
    _Atomic int users;
    cr_call_limits limits;
    _Atomic uint32_t open, idle;
    _Atomic uint32_t waiting; /* calls of all loops that wait for a connection */
    pthread_mutex_t lock;     /* guards the rest */
    struct cr_caller_list callers;
};

/* The key of a pool entry: a call may reuse a connection with the same host, port and trust to one of its addresses. */
struct cr_host {
    LIST_ENTRY(cr_host) link;
    cr_caller *caller;
    struct cr_link_list idle; /* part of the caller's pool, most recently used last */
    uint32_t users;           /* calls and connections */
    uint32_t hash;
    uint16_t port;
    cr_trust *trust;                /* NULL for connections without TLS */
    struct ssl_session_st *session; /* TLS session for the next connection, or NULL */
    char name[];
};

/* A connection to a server. Lives as long as its cr_conn. */
struct cr_link {
    cr_tls_call tls;                /* first: it is the transport's context */
    TAILQ_ENTRY(cr_link) idle_link; /* in the caller's pool, while idle */
    TAILQ_ENTRY(cr_link) host_link; /* in the host's pool, while idle */
    cr_conn *conn;
    cr_host *host;
    cr_call *call;               /* NULL while idle or closed */
    bool idle;
    bool output_failed; /* the server takes no more bytes */
    bool input_over;    /* nothing more is read: after a 101 the server has ended its side; in HTTP/2 the call is
                           decided */
    cr_address address;
    uint32_t uses;
    uint64_t made_ns, used_ns;
    cr_answer_reader reader;
    cr_buffer input;             /* received bytes that the call does not take yet */
    struct cr_call_http2 *http2; /* of a call in HTTP/2, else NULL */
};

typedef enum cr_call_state {
    CR_CALL_QUEUED,
    CR_CALL_DIALLING,
    CR_CALL_HANDSHAKING, /* the transport shakes hands */
    CR_CALL_OPEN,        /* sends the request or reads the answer */
    CR_CALL_FAILED,      /* the failure is still to be reported */
    CR_CALL_OVER         /* reported or cancelled */
} cr_call_state;

struct cr_call {
    LIST_ENTRY(cr_call) link_of_caller;
    TAILQ_ENTRY(cr_call) queue_link; /* while CR_CALL_QUEUED */
    cr_caller *caller;
    cr_host *host;
    cr_link *link;                   /* from HANDSHAKING on */
    cr_dial *dial;                   /* while DIALLING, */
    cr_proxy_connect *proxy_connect; /* or after it, while a proxy handles a CONNECT */
    const cr_call_hooks *hooks;      /* the caller's, until cr_call_tunnel */
    void *context;
    cr_call_state state;
    uint32_t refs;        /* calls on the stack that use it */
    uint32_t defers;      /* cr_call functions on the stack: no callback runs inside them */
    struct event timer;   /* its next time limit, or a deferred report */
    uint64_t progress_ns; /* the last progress */
    uint64_t connect_ns, connect_due_ns, stall_timeout_ns;
    uint64_t continue_due_ns;    /* while the body waits for a 100, else 0 */
    uint32_t continue_ms;
    cr_call_body kind;
    bool chunked, is_head, may_switch, expects_continue, closes, fresh, retryable, in_http2;
    bool paused;
    bool answered;
    bool was_retried;
    bool switched;         /* after a 101 */
    bool body_open;        /* the streamed body may be sent, now or later */
    bool writable_pending; /* `writable` is still to be called */
    bool body_done;        /* all of the body is sent */
    bool shutdown_pending; /* our side ends once the output is written */
    cr_presented_cert presented;
    bool was_resumed;
    bool was_in_handshake; /* when it ended */
    bool lacks_settings;   /* HTTP/2: no SETTINGS arrived from the server */
    cr_call_code code;     /* of FAILED */
    int os_error;
    uint64_t left;               /* bytes left of a streamed body with a length */
    const uint8_t *body;
    size_t body_length, body_at;
    size_t head_length, address_count, connect_head_length;
    uint16_t dial_port;
    cr_address dialled;    /* address of the socket to the proxy */
    cr_address *addresses; /* behind the call in its block, like the head */
    uint8_t *head, *connect_head;
    char text[300];
};

/* ---- quota.c ---- */

cr_quota *cr_quota_retain(cr_quota *quota);
const cr_call_limits *cr_quota_limits(const cr_quota *quota);
void cr_quota_add_caller(cr_quota *quota, cr_caller *caller);
void cr_quota_remove_caller(cr_quota *quota, cr_caller *caller);
/* Counts a new connection. Returns false at the limit. */
bool cr_quota_acquire_connection(cr_quota *quota);
/* Adds `change` to the number of waiting calls. Call it before checking again whether a call has to wait. */
void cr_quota_count_waiting(cr_quota *quota, int change);
/* Counts a closed connection and lets waiting calls try again, on this loop and others. */
void cr_quota_release_connection(cr_quota *quota);
/* Counts a pooled connection. Returns false at the limit. */
bool cr_quota_acquire_idle(cr_quota *quota);
void cr_quota_release_idle(cr_quota *quota);
/* Closes an idle connection of another loop, if there is one. */
void cr_quota_evict_elsewhere(cr_quota *quota, const cr_caller *caller);

/* ---- caller.c ---- */

void cr_caller_unref(cr_caller *caller);
/* Assigns connections to waiting calls. */
void cr_caller_serve_queue(cr_caller *caller);
/* Closes the least recently used idle connection. Returns false if there is none. */
bool cr_caller_close_oldest(cr_caller *caller);
/* Finds or creates a host and adds a reference; NULL if memory is short. */
cr_host *cr_host_ref(cr_caller *caller, const char *name, uint16_t port, cr_trust *trust);
/* Drops a reference. */
void cr_host_unref(cr_host *host);
/* Puts a connection into the pool, or closes it. */
void cr_link_pool(cr_link *link);
/* Removes a connection from the pool, to use or close it. */
void cr_link_unpool(cr_link *link);
/* Takes a clean idle connection out of the pool; NULL if there is none. */
cr_link *cr_link_acquire(cr_call *call);

/* ---- link.c ---- */

extern const cr_protocol cr_link_protocol;

/* Opens a connection on a connected socket, which it takes over. It may have to complete a TLS handshake first. Returns
 * NULL if memory is short. */
cr_link *cr_link_open(cr_call *call, int fd, const cr_address *address);
/* Sends the request of a call on a connection that is ready. */
void cr_link_start(cr_link *link, cr_call *call);
/* Sends as much as possible of a CR_CALL_BYTES body. */
void cr_link_send_body(cr_link *link);
/* Starts to send the body, after a 100 or without one. */
void cr_link_open_body(cr_link *link);
/* Ends our side, once the output is written. */
void cr_link_shutdown_write(cr_link *link);
/* Copies the facts of the connection's handshake into the call: when it gets the connection and before it ends. */
void cr_link_describe(const cr_link *link, cr_call *call);
/* Closes the connection, which has no call any more. */
void cr_link_close(cr_link *link);
/* Whether the request may be sent again on a new connection: a reused one ended before any byte of an answer. */
bool cr_link_may_retry(const cr_link *link, const cr_call *call);
/* Closes the connection and assigns a new one to its call. */
void cr_link_retry(cr_link *link, cr_call *call);
static inline cr_link *cr_link_of(const cr_conn *conn) {
    return conn->accept_config->context;
}

/* ---- link_answer.c ---- */

/* The reading side of the connection's protocol. */
void cr_link_received(cr_conn *conn, const uint8_t *bytes, size_t length);
void cr_link_resume_input(cr_conn *conn);
void cr_link_input_ended(cr_conn *conn);
/* Pauses or resumes reading. */
void cr_link_set_reading(cr_link *link, bool reads);
/* Completes the answer. `is_clean`: no bytes follow it, so the connection may be pooled. */
void cr_link_complete(cr_link *link, const cr_answer *trailers, bool is_clean);

/* ---- http2_call.c ---- */

/* Sends the request of the link's call in HTTP/2. */
void cr_call_http2_begin(cr_link *link);
void cr_call_http2_free(struct cr_call_http2 *http2);
/* Delivers what the call did not take before, then parses `length` bytes, which may be 0. Returns how many bytes at the
 * end were left for the next time slice. */
size_t cr_call_http2_feed(cr_link *link, const uint8_t *bytes, size_t length);
/* The server has closed the connection. */
void cr_call_http2_input_ended(cr_link *link);
/* Whether to read on: not while the call is paused and the server sends frames without progress. */
bool cr_call_http2_reads(const cr_link *link);
/* Bytes that the transport had refused were written. */
void cr_call_http2_drained(cr_link *link);
/* Sends bytes of a streamed body, or its end. Returns false if memory is short. The connection may be closed
 * afterwards. */
bool cr_call_http2_send(cr_link *link, const uint8_t *bytes, size_t length);
bool cr_call_http2_finish(cr_link *link, const uint8_t *trailers, size_t length);
/* Whether part of the answer has arrived; whether the server's SETTINGS have. */
bool cr_call_http2_has_begun(const struct cr_call_http2 *http2);
bool cr_call_http2_has_settings(const struct cr_call_http2 *http2);
/* Whether bytes wait to be written. */
bool cr_link_has_unsent(const cr_link *link);

/* ---- call.c ---- */

/* Finds a pooled connection for the call, starts a new one, or queues the call. */
void cr_call_assign(cr_call *call);
/* Changes the state and arms its time limit. */
void cr_call_set_state(cr_call *call, cr_call_state state);
/* Restarts the stall time-out. */
static inline void cr_call_record_progress(cr_call *call) {
    call->progress_ns = call->caller->loop->now_ns;
}
/* Ends the call, closes its connection, and calls `ended`, at once or later on the loop. `trailers` is for
 * CR_CALL_DONE. The call may be freed afterwards. */
void cr_call_end_with(cr_call *call, cr_call_code code, int os_error, const char *text, const cr_answer *trailers);
/* Ends the call because its caller ends. */
void cr_call_stop(cr_call *call);
/* Whether bytes may be sent: of a streamed body, or after a 101. */
static inline bool cr_call_is_writable(const cr_call *call) {
    if (call->state != CR_CALL_OPEN) return false;
    return call->switched ? !call->shutdown_pending : call->body_open && !call->body_done;
}
/* Calls `writable`. */
void cr_call_notify_writable(cr_call *call);
/* Keeps the call alive while callbacks run. */
static inline void cr_call_ref(cr_call *call) {
    call->refs++;
}
void cr_call_unref(cr_call *call);

#endif
