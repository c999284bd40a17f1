/* The loop, its listeners and timers, as shared by this target's files and the delegate's. */
#ifndef CR_LOOP_PRIVATE_H
#define CR_LOOP_PRIVATE_H

#include "cr_loop.h"

#include <sys/types.h>
#include <sys/queue.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct cr_accept_config cr_accept_config;
TAILQ_HEAD(cr_listener_list, cr_listener);
LIST_HEAD(cr_timer_list, cr_timer);
LIST_HEAD(cr_watch_list, cr_watch);

/* A job posted by another thread. */
typedef struct cr_job {
    struct cr_job *next;
    void (*run)(void *argument);
    void *argument;
} cr_job;

/* A job posted by the loop's own thread. */
typedef struct cr_task {
    void (*run)(void *argument);
    void *argument;
} cr_task;

/* A ring of such jobs. */
typedef struct cr_run_queue {
    cr_task *tasks;
    uint32_t first, count;
    uint32_t capacity; /* a power of two, or 0 */
} cr_run_queue;

/* The queue of jobs from other threads, and the loop's own. Reference-counted, since threads may hold it after the loop
 * is freed. Jobs run in the order in which they were posted: while jobs of other threads are queued, the loop's thread
 * posts behind them, so all in `own` are older than all in `jobs`. */
struct cr_mailbox {
    _Atomic int references;
    int wake_read, wake_write; /* an eventfd, or a pipe without eventfd; -1 after the loop is freed */
    pthread_t runner;          /* the loop's thread, while `running` */
    _Atomic bool running;
    /* Only on the loop's thread: */
    cr_loop *loop;
    cr_job *batch;        /* collected jobs of other threads that still have to run */
    cr_run_queue own;     /* jobs of the loop's thread, to run after `batch` */
    pthread_mutex_t lock; /* guards the rest; no job runs under it */
    cr_job *last_job;
    _Atomic(cr_job *) jobs;      /* may be compared with NULL without the lock */
    bool ended;
};

/* The owner of a loop's connections, to which listeners pass accepted sockets. It counts them in `connections`. All
 * functions are called on the loop's thread. */
typedef struct cr_loop_delegate {
    /* Takes over an accepted socket. */
    void (*accepted)(cr_listener *listener, int fd, const struct sockaddr *peer);
    /* The connection to close for a new client; NULL if there is none. */
    void *(*longest_idle)(cr_loop *loop);
    /* Closes that connection. */
    void (*close_idle)(void *idle);
    /* Logs a message. */
    void (*log)(cr_loop *loop, const char *text);
    /* The listener is closed and does not use its `accept_config` any more. */
    void (*listener_closed)(cr_listener *listener);
    /* Runs what waits in the ready queue, for at most one time slice, after all events of this iteration. Returns
     * whether the queue is not empty. */
    bool (*run_ready)(cr_loop *loop);
    /* Ends what is idle or cannot end by itself, since the loop drains or has ended. */
    void (*drain)(cr_loop *loop);
    /* Ends what needs a running loop. */
    void (*stop)(cr_loop *loop);
    /* Ends everything, since the loop is being freed. */
    void (*close)(cr_loop *loop);
    /* Frees the memory that contains the loop. */
    void (*free)(cr_loop *loop);
} cr_loop_delegate;

/* The limits of a loop. */
typedef struct cr_loop_limits {
    uint32_t connections; /* further ones wait, or replace idle ones */
    uint32_t descriptors; /* the first reserved descriptor; 0 reserves none */
} cr_loop_limits;

struct cr_loop {
    struct event_base *base;
    uint64_t now_ns;         /* time of the present event or later; monotonic */
    uint64_t wall_offset_ns; /* from the monotonic clock to the time since 1970, when it was last read */
    const cr_loop_delegate *delegate;
    cr_loop_limits limits;
    _Atomic uint32_t connections; /* changed by the loop's thread only, like the next two */
    _Atomic uint32_t outgoing;    /* of these, connections to servers */
    _Atomic uint64_t accepted;    /* client connections so far */
    uint32_t holds;               /* calls of cr_loop_hold */
    bool draining;
    bool full;   /* a client waits at the connection limit; listeners are off until a slot is free */
    bool paused; /* the process ran out of descriptors; listeners are off until accept_again */
    bool joinable;
    struct cr_listener_list listeners;
    struct cr_timer_list timers;
    struct cr_watch_list watches;
    struct event drain_deadline;
    struct event accept_again; /* retries after a client found no slot */
    struct event ready;        /* active while connections, streams or jobs wait in the ready queue */
    cr_mailbox *mailbox;
    struct event wake;
    pthread_mutex_t ended_lock; /* orders the jobs that run after the end, without a loop thread; recursive */
    pthread_t started;          /* the thread of cr_loop_start, while `joinable` */
};

struct cr_listener {
    TAILQ_ENTRY(cr_listener) link;
    cr_loop *loop;
    int fd;
    uint16_t port;                   /* 0 for a Unix socket */
    cr_accept_config *accept_config; /* what the delegate's connections begin with; owned by the delegate */
    char *path;                      /* of a Unix socket, unlinked at the end */
    char *address;                   /* of a tagged listener */
    uint32_t refusals;               /* connections still to be reset when accepted */
    bool stalled;                    /* connections wait in the kernel's backlog */
    bool suspended;                  /* `fd` is bound and does not listen; -1 if the port could not be kept */
    void (*closed)(void *argument);  /* or NULL */
    void *argument;
    struct event accept;
};

/* A growing array of bytes. */
typedef struct cr_buffer {
    uint8_t *bytes;
    size_t length, capacity;
} cr_buffer;

/* The capacity after appending `length` bytes; SIZE_MAX if that is too much. It doubles, but grows no further than
 * `max` if that is enough. */
size_t cr_buffer_capacity_for(const cr_buffer *buffer, size_t length, size_t max);
/* Appends bytes. Returns false if memory is short. cr_buffer_append_within grows like cr_buffer_capacity_for. */
bool cr_buffer_append(cr_buffer *buffer, const void *bytes, size_t length);
bool cr_buffer_append_within(cr_buffer *buffer, const void *bytes, size_t length, size_t max);
/* Drops the first `length` bytes. */
void cr_buffer_consume(cr_buffer *buffer, size_t length);
/* Empties the buffer and frees its memory. */
void cr_buffer_clear(cr_buffer *buffer);

/* ---- loop.c ---- */

/* Initializes a loop in zeroed memory of its delegate. Returns 0, or -1 with errno; nothing is to be undone then. */
int cr_loop_init(cr_loop *loop, const cr_loop_delegate *delegate, cr_loop_limits limits);
/* Ends a draining loop once nothing is left. */
void cr_loop_end_if_done(cr_loop *loop);

/* The number of client connections, which is limited. */
static inline uint32_t cr_loop_clients(const cr_loop *loop) {
    return loop->connections - loop->outgoing;
}

/* The time slice: the longest that jobs, streams or connections hold the loop before others run. */
enum { CR_SLICE_NS = 5000000 };

/* Arms the event that runs the ready queue. */
void cr_loop_schedule_ready(cr_loop *loop);

uint64_t cr_clock_ns(void);
/* Reads the clock into `now_ns` and returns it. Once per event is usually enough. */
uint64_t cr_loop_read_clock(cr_loop *loop);
/* Reads the wall clock into `wall_offset_ns`. It drifts by microseconds per second, and jumps only when it is set:
 * reading it once a second saves a call per request. */
void cr_loop_read_wall_clock(cr_loop *loop);
struct timeval cr_timeval(uint64_t ns);
/* ---- listener.c ---- */

/* Like cr_listen_tcp, cr_listen_unix and cr_listen_tagged of creactor.h. On failure, the caller keeps
 * `accept_config`. */
cr_listener *cr_listener_tcp(
    cr_loop *loop, const char *address, uint16_t port, bool share, cr_accept_config *accept_config);
cr_listener *cr_listener_unix(cr_loop *loop, const char *path, cr_accept_config *accept_config);
cr_listener *cr_listener_tagged(cr_loop *loop, const char *address, uint16_t port, cr_accept_config *accept_config,
    void (*closed)(void *argument), void *argument);
/* Counts a closed connection and accepts clients that waited for its slot. */
void cr_loop_connection_closed(cr_loop *loop);

/* Turns the listeners on or off according to `full` and `paused`. */
void cr_listeners_update(cr_loop *loop);
/* Turns the listeners on if there is a slot; otherwise retries later. */
void cr_listeners_try_again(cr_loop *loop);
void cr_listeners_close(cr_loop *loop);

/* ---- timers.c ---- */

/* Frees all timers and calls their `drop`. */
void cr_timers_drop(cr_loop *loop);

/* ---- watches.c ---- */

/* Frees all watches and calls their `drop`. */
void cr_watches_drop(cr_loop *loop);

/* ---- jobs.c ---- */

/* Creates the mailbox of a loop. Returns NULL with errno set on failure. */
cr_mailbox *cr_mailbox_new(cr_loop *loop);
/* Whether jobs wait for the next iteration. On the loop's thread. */
static inline bool cr_mailbox_waits(const cr_mailbox *mailbox) {
    return mailbox->batch || mailbox->own.count;
}
/* Runs the jobs posted so far, for at most one time slice from `began_ns` on. Jobs that they post wait for the next
 * iteration, so that sockets are served. Returns false if some are left. On the loop's thread. */
bool cr_mailbox_run(cr_mailbox *mailbox, uint64_t began_ns);
/* Marks the end and runs the jobs posted before it. */
void cr_mailbox_end(cr_mailbox *mailbox);
/* Closes the descriptors of a mailbox that has ended. */
void cr_mailbox_close(cr_mailbox *mailbox);

#endif
