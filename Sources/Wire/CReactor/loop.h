/* The loop, its listeners and timers, as shared by the files of this folder. Its connections are in conn.h. */
#ifndef CR_LOOP_H
#define CR_LOOP_H

#include "creactor.h"

#include <sys/types.h>
#include <sys/queue.h>
#include <sys/select.h>
#include <sys/uio.h>

#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct cr_conn cr_conn;
typedef struct cr_transport cr_transport;
typedef struct cr_frames cr_frames;
TAILQ_HEAD(cr_conn_list, cr_conn);
TAILQ_HEAD(cr_listener_list, cr_listener);
LIST_HEAD(cr_timer_list, cr_timer);
LIST_HEAD(cr_watch_list, cr_watch);
LIST_HEAD(cr_half_closed_list, cr_conn);
LIST_HEAD(cr_held_list, cr_stream);
TAILQ_HEAD(cr_yielded_list, cr_stream);

/* The reason why a connection waits. Each has its own time-out, and so its own list in the order of the deadlines; only
 * the deadlines of bodies move. */
typedef enum cr_waiting {
    CR_WAITING_HANDSHAKE, /* the transport is not ready for bytes of the protocol */
    CR_WAITING_STALL,     /* the transport says nothing until the client leaves: no time-out */
    CR_WAITING_REQUEST,   /* idle: nothing of the next request has arrived */
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

/* Work posted from another thread. */
typedef struct cr_job {
    struct cr_job *next;
    void (*run)(void *argument);
    void *argument;
} cr_job;

/* Work that the loop's own thread has posted. */
typedef struct cr_task {
    void (*run)(void *argument);
    void *argument;
} cr_task;

/* A ring of such work; its memory is used again. */
typedef struct cr_run_queue {
    cr_task *tasks;
    uint32_t first, count;
    uint32_t capacity; /* a power of two, or 0 */
} cr_run_queue;

/* The queue for jobs of other threads, and that of the loop's own. It is reference-counted, since they may still hold it
 * when the loop is gone. All jobs run in the order in which they were posted: what the loop's thread posts while jobs of
 * others are in the mailbox goes behind these, so that all in `own` are older than all in `jobs`. */
struct cr_mailbox {
    _Atomic int references;
    int wake_read, wake_write;   /* an eventfd, or a pipe where there is none; -1 when the loop is gone */
    pthread_t runner;            /* the thread that runs the loop, while `running` */
    _Atomic bool running;
    /* On the loop's thread alone: */
    cr_loop *loop;
    cr_job *begun;               /* jobs that were taken and wait for the next turn */
    cr_run_queue own;            /* jobs of the loop's thread, to be run after `begun` */
    pthread_mutex_t lock;        /* guards what follows; no job runs under it */
    cr_job *last_job;
    _Atomic(cr_job *) jobs;      /* whether there are any may be asked without the lock */
    bool ended;
};

enum {
    CR_FILE_WINDOW = 128 * 1024, /* bytes of a file that are read at a time */
    CR_SCRATCH_SIZE = 64 * 1024, /* one read */
    CR_PIPELINE_LIMIT = 64 * 1024 /* bytes kept behind a request that is being answered */
};

struct cr_loop {
    cr_config config;
    uint64_t plain_body;         /* the longest body about which the handler is not asked before it has come */
    cr_handler handler;
    struct event_base *base;
    struct cr_listener_list listeners;
    struct cr_conn_list waiting[CR_WAITING_KINDS];
    uint64_t timeout_ns[CR_WAITING_KINDS]; /* UINT64_MAX if there is none */
    struct cr_half_closed_list half_closed; /* connections with a closed client side that are still being answered */
    struct cr_held_list held;    /* streams that wait for the rest of their scripts */
    struct cr_yielded_list yielded; /* streams that let others have their turn */
    struct cr_conn_list unread; /* connections whose transports hold bytes that are read in their turns */
    struct cr_conn_list shaking; /* connections whose handshakes wait for their turns */
    uint64_t shaken_ns;          /* what handshakes have taken since the last turns */
    uint32_t connections;
    uint32_t holds;              /* what is to be done before the loop has drained, beside its connections */
    uint64_t swept_ns;           /* the time of the last sweep */
    uint64_t now_ns;             /* the time at the beginning of the event being handled, or later */
    uint64_t wall_offset_ns;     /* from the monotonic clock to the time since 1970, as it was at the last sweep */
    struct event sweep;          /* ends connections whose deadlines passed; armed while there are any */
    struct event drain_deadline;
    struct event accept_again;   /* after a client found no place */
    struct event turns;          /* while connections, streams or jobs wait for their turns: when all that is ready was
                                    served */
    struct cr_timer_list timers;
    struct cr_watch_list watches;
    bool draining;
    bool full;                   /* a client waits at the connection limit: listeners are off until there is a place */
    bool paused;                 /* the process ran out of descriptors: listeners are off until accept_again */

    cr_mailbox *mailbox;
    struct event wake;
    pthread_mutex_t late;        /* orders the jobs that run after the end, when no loop thread does; recursive */

    pthread_t started;           /* the thread of cr_loop_start, while `joinable` */
    bool joinable;
    uint8_t *file_window;        /* the buffer that FILE steps are read into; NULL before the first one */
    cr_frames *frames;           /* what frames of HTTP/2 are made in; NULL before the first one */
    uint8_t scratch[CR_SCRATCH_SIZE];
};

/* What connections of a listener begin with. It is shared by the listener and its connections, which may live longer. */
typedef struct cr_beginning {
    uint32_t users;
    cr_origin origin;
    const cr_protocol *protocol;   /* as the listener says, unless the transport chooses another while it shakes hands */
    const cr_transport *secured;   /* the transport of those that are secured */
    void *context;                 /* of its `open` */
    void (*free_context)(void *context); /* or NULL */
} cr_beginning;

struct cr_listener {
    TAILQ_ENTRY(cr_listener) link;
    cr_loop *loop;
    int fd;
    cr_beginning *beginning;
    char *path; /* of a Unix socket, to be removed at the end */
    char *address; /* of a tagged one */
    uint32_t refusals; /* connections to reset as soon as they are accepted */
    bool stalled;      /* connections wait in the kernel's backlog */
    bool down;         /* `fd` is bound and does not listen; -1 if the port could not be kept */
    void (*closed)(void *argument); /* or NULL */
    void *argument;
    struct event accept;
};

/* A growing array of bytes. */
typedef struct cr_buffer {
    uint8_t *bytes;
    size_t length, capacity;
} cr_buffer;

/* The capacity of the buffer once `length` bytes are appended; SIZE_MAX if that is too many. It grows by doubling,
 * and no further than `most` if that is enough. */
size_t cr_buffer_capacity_for(const cr_buffer *buffer, size_t length, size_t most);
/* Appends bytes; returns false if memory is short. `cr_buffer_append_within` grows like cr_buffer_capacity_for. */
bool cr_buffer_append(cr_buffer *buffer, const void *bytes, size_t length);
bool cr_buffer_append_within(cr_buffer *buffer, const void *bytes, size_t length, size_t most);
/* Drops the first `length` bytes. */
void cr_buffer_consume(cr_buffer *buffer, size_t length);
/* Empties the buffer and frees its memory. */
void cr_buffer_clear(cr_buffer *buffer);

/* The longest that jobs, streams or connections each hold the loop before others have their turn. */
enum { CR_TURN_NS = 5000000 };

/* Arms the event of those who wait for their turns. */
void cr_loop_plan_turns(cr_loop *loop);

uint64_t cr_clock_ns(void);
/* Reads the clock into `now_ns`, and returns it. One reading for each event is enough for most uses. */
uint64_t cr_loop_read_clock(cr_loop *loop);
/* Reads the time since 1970 into `wall_offset_ns`. It drifts from the loop's clock by microseconds a second, and by
 * more only when it is set: reading it once a second is enough, and saves a call for each request. */
void cr_loop_read_wall_clock(cr_loop *loop);
struct timeval cr_timeval(uint64_t ns);
/* The interval between checks of deadlines, in nanoseconds. */
uint64_t cr_sweep_interval_ns(const cr_config *config);

/* ---- waiting.c ---- */

/* Makes the lists of waiting connections, and their time-outs. */
void cr_waiting_init(cr_loop *loop);
/* Ends the connections whose deadlines passed, and those that are being answered and whose clients have gone
 * altogether. */
void cr_conn_sweep(cr_loop *loop, uint64_t now_ns);
/* Ends all connections. */
void cr_conn_close_all(cr_loop *loop);
/* Ends a loop that drains once nothing is left to be done. */
void cr_loop_end_if_done(cr_loop *loop);
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

/* ---- listener.c ---- */

/* Turns the listeners on or off according to `full` and `paused`. */
void cr_listeners_update(cr_loop *loop);
/* Turns listeners on again if there is a place for a connection; otherwise they try again in a while. */
void cr_listeners_try_again(cr_loop *loop);
void cr_listeners_close(cr_loop *loop);

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

/* ---- timers.c ---- */

/* Frees all timers without calling them. */
void cr_timers_drop(cr_loop *loop);

/* ---- watches.c ---- */

/* Frees all watches, and calls their `drop`. */
void cr_watches_drop(cr_loop *loop);

/* ---- jobs.c ---- */

/* Makes the mailbox of a loop; NULL with errno set on failure. */
cr_mailbox *cr_mailbox_new(cr_loop *loop);
/* Whether jobs wait for the loop's next turn. On the loop's thread. */
static inline bool cr_mailbox_waits(const cr_mailbox *mailbox) {
    return mailbox->begun || mailbox->own.count;
}
/* Runs the jobs that were posted so far, as long as one turn takes: what they post themselves waits for another, so that
 * sockets have theirs. Returns false if some are left. On the loop's thread. */
bool cr_mailbox_run(cr_mailbox *mailbox);
/* Marks the end, and runs the jobs posted before it. */
void cr_mailbox_end(cr_mailbox *mailbox);
/* Closes the descriptors of a mailbox that has ended. */
void cr_mailbox_close(cr_mailbox *mailbox);

#endif
