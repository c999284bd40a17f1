/* Calls to other servers, as shared by the files that make them: who waits for which connection, and what goes over it. */
#ifndef CR_CALL_PRIVATE_H
#define CR_CALL_PRIVATE_H

#include "conn.h"
#include "dial.h"
#include "knock.h"
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
    _Atomic int users;           /* its owner, and jobs that are under way to its loop */
    cr_loop *loop;
    cr_mailbox *mailbox;
    cr_quota *quota;
    cr_call_hooks hooks;
    bool ended;                  /* no call begins any more */
    cr_timer *loop_end;          /* dropped with the loop; NULL then */
    struct cr_host_list hosts[CR_HOST_BUCKETS];
    uint32_t host_count;
    struct cr_link_list idle;    /* the connections that are kept, the one that was used longest ago first */
    struct cr_call_list calls;
    struct cr_call_queue queue;  /* of these, those that wait for a connection to be allowed */
    LIST_ENTRY(cr_caller) link;  /* of the quota's callers */
    _Atomic uint32_t waiting;    /* the length of the queue, for other loops */
    _Atomic uint32_t kept;       /* the length of `idle`, for other loops */
};

/* The limits that all loops share, and what counts against them. */
struct cr_quota {
    _Atomic int users;
    cr_call_limits limits;
    _Atomic uint32_t open, idle;
    _Atomic uint32_t waiting; /* calls of all loops that wait for a connection */
    pthread_mutex_t lock; /* guards what follows */
    struct cr_caller_list callers;
};

/* What connections are kept for: with an address of theirs, a call must have the same of all this. */
struct cr_host {
    LIST_ENTRY(cr_host) link;
    cr_caller *caller;
    struct cr_link_list idle;    /* of the caller's, the one that was used last at the end */
    uint32_t users;              /* calls and connections */
    uint32_t hash;
    uint16_t port;
    cr_trust *trust;             /* NULL in the clear */
    struct ssl_session_st *session;        /* for the next connection; or NULL */
    char name[];
};

/* A connection to a server. It lives as long as its cr_conn. */
struct cr_link {
    cr_tls_call tls;             /* first, as it is the context of the transport */
    TAILQ_ENTRY(cr_link) idle_link; /* of the caller's, while idle */
    TAILQ_ENTRY(cr_link) host_link; /* of the host's, while idle */
    cr_conn *conn;
    cr_host *host;
    cr_call *call;               /* NULL while idle, or closed */
    bool idle;
    bool output_lost;            /* the server takes nothing more */
    bool input_over;             /* nothing more is read: behind a 101 the server has ended its side, in HTTP/2 the call is as good as over */
    cr_address address;
    uint32_t uses;
    uint64_t made_ns, used_ns;
    cr_answer_reader reader;
    cr_buffer input;             /* bytes that came, of which the call takes none for now */
    struct cr_call_http2 *http2; /* of a call in HTTP/2; else NULL */
};

typedef enum cr_call_state {
    CR_CALL_QUEUED,
    CR_CALL_DIALLING,
    CR_CALL_SHAKING,  /* the transport shakes hands */
    CR_CALL_OPEN,     /* its request is being sent, or its answer read */
    CR_CALL_FAILED,   /* which is still to be told */
    CR_CALL_OVER      /* its user has been told, or does not want to be */
} cr_call_state;

struct cr_call {
    LIST_ENTRY(cr_call) link_of_caller;
    TAILQ_ENTRY(cr_call) queue_link; /* while CR_CALL_QUEUED */
    cr_caller *caller;
    cr_host *host;
    cr_link *link;               /* from SHAKING on */
    cr_dial *dial;               /* while DIALLING, */
    cr_knock *knock;             /* or after it, while a proxy is asked for a way */
    const cr_call_hooks *hooks;  /* the caller's, until the call is joined */
    void *context;
    cr_call_state state;
    uint32_t busy;               /* calls on the stack that use it */
    uint32_t defers;             /* of its owner's calls, within which no hook is called */
    struct event timer;          /* its next time limit, or what is to be told */
    uint64_t progress_ns;        /* the time of the last step forward */
    uint64_t connect_ns, connect_due_ns, patience_ns;
    uint64_t continue_due_ns;    /* while its body waits for a 100, else 0 */
    uint32_t continue_ms;
    cr_call_body kind;
    bool chunked, head_alone, to_switch, expects_continue, closes, fresh, repeats, in_http2;
    bool paused;
    bool answered;
    bool was_repeated;
    bool switched;               /* behind a 101 */
    bool body_open;              /* of a streamed body, more is wanted, or will be */
    bool wants_owed;             /* that is still to be told */
    bool body_done;              /* all of the body is sent */
    bool shut_owed;              /* our side ends once the output has left */
    cr_shown shown;
    bool was_resumed;
    bool was_shaking;            /* at the end */
    bool is_ungreeted;           /* called in HTTP/2, the server has told no settings */
    cr_call_code code;           /* of FAILED */
    int os_error;
    uint64_t left;               /* of a streamed body with a length */
    const uint8_t *body;
    size_t body_length, body_at;
    size_t head_length, address_count, way_length;
    uint16_t dial_port;
    cr_address dialled;          /* the address of the socket on which the proxy is asked */
    cr_address *addresses;       /* behind the call in its block, as the head is */
    uint8_t *head, *way;
    char text[300];
};

/* ---- quota.c ---- */

cr_quota *cr_quota_retain(cr_quota *quota);
const cr_call_limits *cr_quota_limits(const cr_quota *quota);
void cr_quota_add_caller(cr_quota *quota, cr_caller *caller);
void cr_quota_remove_caller(cr_quota *quota, cr_caller *caller);
/* Counts a connection that is made; returns false at the limit. */
bool cr_quota_take(cr_quota *quota);
/* Counts calls that wait for a connection, or do no more: before they look again whether they have to. */
void cr_quota_count_waiting(cr_quota *quota, int change);
/* Counts one that is closed, and lets calls go on that wait, here or on other loops. */
void cr_quota_give(cr_quota *quota);
/* Counts a connection that is kept from now on; returns false at the limit. */
bool cr_quota_take_idle(cr_quota *quota);
void cr_quota_give_idle(cr_quota *quota);
/* Closes a connection that another loop keeps, if there is one. */
void cr_quota_ask_others(cr_quota *quota, const cr_caller *caller);

/* ---- caller.c ---- */

void cr_caller_let_go(cr_caller *caller);
/* Lets calls go on that wait for a connection. */
void cr_caller_serve_queue(cr_caller *caller);
/* Closes the connection that was used longest ago of those that are kept. Returns false if none is. */
bool cr_caller_close_oldest(cr_caller *caller);
/* Finds or makes a host, with one user more; NULL if memory is short. */
cr_host *cr_host_use(cr_caller *caller, const char *name, uint16_t port, cr_trust *trust);
/* Drops a user. */
void cr_host_leave(cr_host *host);
/* Keeps a connection for later calls, or closes it. */
void cr_link_keep(cr_link *link);
/* A connection is not kept any more: it is used, or closed. */
void cr_link_unkeep(cr_link *link);
/* Takes a connection that is kept and on which nothing lies; NULL if there is none. */
cr_link *cr_link_find(cr_call *call);

/* ---- link.c ---- */

extern const cr_protocol cr_link_protocol;

/* Makes a connection of a connected socket, which it takes over, for a call. Its transport may have to shake hands. NULL if
 * memory is short. */
cr_link *cr_link_open(cr_call *call, int fd, const cr_address *address);
/* Sends the request of a call on a connection that is ready. */
void cr_link_begin(cr_link *link, cr_call *call);
/* Sends as much of the body of bytes as goes. */
void cr_link_pump(cr_link *link);
/* Lets a body begin that has waited for a 100, or has not. */
void cr_link_open_body(cr_link *link);
/* Ends our side, once the output has left. */
void cr_link_shut(cr_link *link);
/* Notes in a call what is known of its connection, at the beginning of their time together and before its end. */
void cr_link_note(const cr_link *link, cr_call *call);
/* Closes the connection, whose call has nothing to do with it any more. */
void cr_link_close(cr_link *link);
/* Whether the request may be sent again on a new connection: one that was used before has ended, and nothing of an answer came. */
bool cr_link_may_repeat(const cr_link *link, const cr_call *call);
/* Closes the connection and looks for a new one for its call. */
void cr_link_repeat(cr_link *link, cr_call *call);
static inline cr_link *cr_link_of(const cr_conn *conn) {
    return conn->beginning->context;
}

/* ---- link_answer.c ---- */

/* The steps of the connection's protocol that read. */
void cr_link_received(cr_conn *conn, const uint8_t *bytes, size_t length);
void cr_link_take_turn(cr_conn *conn);
void cr_link_input_ended(cr_conn *conn);
/* Reads on, or stops. */
void cr_link_read(cr_link *link, bool reads);
/* The answer has come to its end. `is_clean`: nothing lies behind it. */
void cr_link_complete(cr_link *link, const cr_answer *trailers, bool is_clean);

/* ---- http2_call.c ---- */

/* Sends the request of the link's call in HTTP/2. */
void cr_call_http2_begin(cr_link *link);
void cr_call_http2_free(struct cr_call_http2 *http2);
/* Reads bytes that came, of which none may have come, after the call has been told what it did not take before. Returns the number
 * of those at the end for which there was no time. */
size_t cr_call_http2_feed(cr_link *link, const uint8_t *bytes, size_t length);
/* The server has closed the connection. */
void cr_call_http2_input_ended(cr_link *link);
/* Whether more is read: not while the call takes nothing and the server only talks. */
bool cr_call_http2_reads(const cr_link *link);
/* What the transport had refused has left. */
void cr_call_http2_drained(cr_link *link);
/* Sends bytes of a streamed body, or its end. Returns false if memory is short. The connection may be closed afterwards. */
bool cr_call_http2_send(cr_link *link, const uint8_t *bytes, size_t length);
bool cr_call_http2_finish(cr_link *link, const uint8_t *trailers, size_t length);
/* Whether some of the answer, or the server's settings, have come. */
bool cr_call_http2_has_begun(const struct cr_call_http2 *http2);
bool cr_call_http2_is_greeted(const struct cr_call_http2 *http2);
/* Whether bytes wait for the server to take them. */
bool cr_link_has_unsent(const cr_link *link);

/* ---- call.c ---- */

/* Finds a connection for the call, or begins to make one, or waits until it may. */
void cr_call_place(cr_call *call);
/* Goes over to a state, and to its time limit. */
void cr_call_enter(cr_call *call, cr_call_state state);
/* Notes a step forward. */
static inline void cr_call_note_progress(cr_call *call) {
    call->progress_ns = call->caller->loop->now_ns;
}
/* Ends the call, closes its connection if it has one, and tells its user, now or as soon as that may be. `trailers` is for
 * CR_CALL_DONE. The call may be gone afterwards. */
void cr_call_end_with(cr_call *call, cr_call_code code, int os_error, const char *text, const cr_answer *trailers);
/* Ends the call since its caller ends. */
void cr_call_stop(cr_call *call);
/* Whether the user may send bytes, of a streamed body or behind a 101. */
static inline bool cr_call_takes_more(const cr_call *call) {
    if (call->state != CR_CALL_OPEN) return false;
    return call->switched ? !call->shut_owed : call->body_open && !call->body_done;
}
/* Lets the user send more. */
void cr_call_want(cr_call *call);
/* Brackets the use of a call while hooks are called. */
static inline void cr_call_hold(cr_call *call) {
    call->busy++;
}
void cr_call_drop(cr_call *call);

#endif
