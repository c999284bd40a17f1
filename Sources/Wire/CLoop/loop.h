/* The loop, its listeners and timers, as shared by the files of this folder, and with those of its guest. */
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

typedef struct cr_beginning cr_beginning;
TAILQ_HEAD(cr_listener_list, cr_listener);
LIST_HEAD(cr_timer_list, cr_timer);
LIST_HEAD(cr_watch_list, cr_watch);

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

/* Who lives on a loop beside its jobs, timers and watches, and takes the sockets that its listeners accept. It counts them
 * in `connections`. All is called on the loop's thread. */
typedef struct cr_guest {
    /* Takes over an accepted socket. */
    void (*accepted)(cr_listener *listener, int fd, const struct sockaddr *peer);
    /* The connection that would be closed for a new client; NULL if there is none. */
    void *(*longest_idle)(cr_loop *loop);
    /* Closes it. */
    void (*give_way)(void *idle);
    /* A problem for the log. */
    void (*trouble)(cr_loop *loop, const char *text);
    /* The listener is closed: its `beginning` is not used by it any more. */
    void (*forgotten)(cr_listener *listener);
    /* When all that is ready was served: serves those who have waited for their turns, as long as one turn takes. Returns
     * whether any wait for another. */
    bool (*take_turns)(cr_loop *loop);
    /* Ends what is idle, and what cannot end by itself, since the loop drains or has ended. */
    void (*drain)(cr_loop *loop);
    /* Ends what nothing drives any more, since the loop has ended. */
    void (*stop)(cr_loop *loop);
    /* Ends everything, since the loop is being freed. */
    void (*close)(cr_loop *loop);
    /* Frees the memory that the loop lies in. */
    void (*free)(cr_loop *loop);
} cr_guest;

/* What a loop has places for. */
typedef struct cr_places {
    uint32_t connections; /* more wait, or replace idle ones */
    uint32_t descriptors; /* the first one that is reserved for other purposes; 0 for none */
} cr_places;

struct cr_loop {
    struct event_base *base;
    uint64_t now_ns;             /* the time at the beginning of the event being handled, or later */
    uint64_t wall_offset_ns;     /* from the monotonic clock to the time since 1970, as it was when it was last read */
    const cr_guest *guest;
    cr_places places;
    _Atomic uint32_t connections; /* changed on the loop's thread alone, as the next two are */
    _Atomic uint32_t calling;    /* of these, those to other servers */
    _Atomic uint64_t accepted;   /* connections of clients so far */
    uint32_t holds;              /* what is to be done before the loop has drained, beside its connections */
    bool draining;
    bool full;                   /* a client waits at the connection limit: listeners are off until there is a place */
    bool paused;                 /* the process ran out of descriptors: listeners are off until accept_again */
    bool joinable;
    struct cr_listener_list listeners;
    struct cr_timer_list timers;
    struct cr_watch_list watches;
    struct event drain_deadline;
    struct event accept_again;   /* after a client found no place */
    struct event turns;          /* while connections, streams or jobs wait for their turns: when all that is ready was
                                    served */
    cr_mailbox *mailbox;
    struct event wake;
    pthread_mutex_t late;        /* orders the jobs that run after the end, when no loop thread does; recursive */
    pthread_t started;           /* the thread of cr_loop_start, while `joinable` */
};

struct cr_listener {
    TAILQ_ENTRY(cr_listener) link;
    cr_loop *loop;
    int fd;
    uint16_t port;           /* 0 for a Unix socket */
    cr_beginning *beginning; /* what the guest's connections begin with; it is the guest's */
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

/* ---- loop.c ---- */

/* Makes a loop in memory that is all zero and belongs to its guest. Returns 0, or -1 with errno and nothing to be undone. */
int cr_loop_init(cr_loop *loop, const cr_guest *guest, cr_places places);
/* Ends a loop that drains once nothing is left to be done. */
void cr_loop_end_if_done(cr_loop *loop);

/* The connections of clients, of which there is a limit. */
static inline uint32_t cr_loop_clients(const cr_loop *loop) {
    return loop->connections - loop->calling;
}

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
/* ---- listener.c ---- */

/* Like cr_listen_tcp, cr_listen_unix and cr_listen_tagged of creactor.h. On failure `beginning` is the caller's. */
cr_listener *cr_listener_tcp(cr_loop *loop, const char *address, uint16_t port, bool share, cr_beginning *beginning);
cr_listener *cr_listener_unix(cr_loop *loop, const char *path, cr_beginning *beginning);
cr_listener *cr_listener_tagged(cr_loop *loop, const char *address, uint16_t port, cr_beginning *beginning,
                                void (*closed)(void *argument), void *argument);
/* Counts a connection that has ended, and lets others in that waited for its place. */
void cr_loop_forget_connection(cr_loop *loop);

/* Turns the listeners on or off according to `full` and `paused`. */
void cr_listeners_update(cr_loop *loop);
/* Turns listeners on again if there is a place for a connection; otherwise they try again in a while. */
void cr_listeners_try_again(cr_loop *loop);
void cr_listeners_close(cr_loop *loop);

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
