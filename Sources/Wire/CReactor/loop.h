/* The loop, its connections and listeners, as the files of this folder share them. */
#ifndef CR_LOOP_H
#define CR_LOOP_H

#include "creactor.h"
#include "http1.h"

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
TAILQ_HEAD(cr_conn_list, cr_conn);
TAILQ_HEAD(cr_listener_list, cr_listener);
LIST_HEAD(cr_timer_list, cr_timer);
LIST_HEAD(cr_half_closed_list, cr_conn);

/* What a connection is waiting for. Each has its own time-out, and so its own list in the order of the deadlines; only
 * the deadlines of bodies move. */
typedef enum cr_waiting {
    CR_WAITING_REQUEST, /* idle: nothing of the next request is here */
    CR_WAITING_HEAD,
    CR_WAITING_BODY,
    CR_WAITING_REPLY,   /* for the handler: no time-out */
    CR_WAITING_STEP,    /* for a step of the script: no time-out */
    CR_WAITING_HOLD,    /* for the rest of the script: no time-out */
    CR_WAITING_UNREAD,  /* the same, and the client is not read: whether it has gone is to be asked now and then */
    CR_WAITING_WRITE,   /* for the client to take bytes */
    CR_WAITING_LINGER,
    CR_WAITING_KINDS
} cr_waiting;

/* Work posted from another thread. */
typedef struct cr_job {
    struct cr_job *next;
    void (*run)(void *argument);
    void *argument;
} cr_job;

/* What other threads post into. Counted, since they may still hold it when the loop is gone. */
struct cr_mailbox {
    _Atomic int references;
    int wake_read, wake_write;   /* an eventfd, or a pipe where there is none; -1 when the loop is gone */
    pthread_mutex_t lock;        /* guards what follows; no job runs under it */
    cr_job *jobs, *last_job;
    bool ended;
};

enum {
    CR_SCRATCH_SIZE = 64 * 1024, /* one read */
    CR_PIPELINE_LIMIT = 64 * 1024 /* bytes kept behind a request that is being answered */
};

struct cr_loop {
    cr_config config;
    cr_handler handler;
    struct event_base *base;
    struct cr_listener_list listeners;
    struct cr_conn_list waiting[CR_WAITING_KINDS];
    uint64_t timeout_ns[CR_WAITING_KINDS]; /* UINT64_MAX where there is none */
    struct cr_half_closed_list half_closed; /* connections whose clients closed their side and are answered still */
    uint32_t connections;
    uint64_t now_ns;             /* the clock at the beginning of the event that is handled, or later */
    uint64_t wall_offset_ns;     /* from the monotonic clock to the time since 1970, as it was at the last sweep */
    struct event sweep;          /* ends connections whose deadline passed; armed while there are any */
    struct event drain_deadline;
    struct event accept_again;   /* after the process ran out of descriptors */
    struct cr_signal *signals;
    struct cr_timer_list timers;
    bool draining;
    bool full;                   /* the connection limit was reached: listeners are off */
    bool paused;                 /* the process ran out of descriptors: listeners are off until accept_again */

    cr_mailbox *mailbox;
    struct event wake;
    pthread_mutex_t late;        /* orders the jobs that run after the end, when no loop thread does; recursive */

    pthread_t started;           /* the thread of cr_loop_start, while `joinable` */
    bool joinable;
    pthread_t runner;            /* the thread that runs the loop, while `running` */
    _Atomic bool running;
    uint8_t scratch[CR_SCRATCH_SIZE];
};

struct cr_listener {
    TAILQ_ENTRY(cr_listener) link;
    cr_loop *loop;
    int fd;
    uint16_t port;
    uint64_t tag;
    char *path; /* of a Unix socket, to be removed at the end */
    void (*closed)(void *argument); /* or NULL */
    void *argument;
    struct event accept;
};

/* A growing run of bytes. */
typedef struct cr_buffer {
    uint8_t *bytes;
    size_t length, capacity;
} cr_buffer;

/* Appends; false where memory is short. */
bool cr_buffer_append(cr_buffer *buffer, const void *bytes, size_t length);
/* Drops the first `length` bytes. */
void cr_buffer_consume(cr_buffer *buffer, size_t length);
/* Frees the memory too. */
void cr_buffer_clear(cr_buffer *buffer);

typedef enum cr_conn_state {
    CR_CONN_HEAD,     /* reading a head, or idle before one */
    CR_CONN_BODY,
    CR_CONN_REPLYING, /* the handler was asked, or a script is running */
    CR_CONN_LINGER,   /* our side is closed; reading until the client closes its own */
    CR_CONN_CLOSED    /* the socket is gone; the struct waits for an owed reply */
} cr_conn_state;

/* The one stream of an HTTP/1.1 connection. */
struct cr_stream {
    cr_conn *conn;
    const cr_step *script; /* running, or NULL */
    cr_observer observer;
    bool reply_owed;       /* the handler has the stream and did not answer yet */
    bool held;             /* the script came to its HOLD, and no other one was given yet */
    uint32_t step;         /* of the script */
    size_t step_sent;      /* bytes of this step that are on the wire */
    uint64_t step_began;   /* when a WAIT or PACE step began; 0 before */
    uint64_t bytes_sent;
    uint64_t first_byte_ns;
};

struct cr_conn {
    TAILQ_ENTRY(cr_conn) link; /* of the list of `waiting` */
    LIST_ENTRY(cr_conn) half_closed_link; /* while `client_closed` */
    cr_loop *loop;
    int fd;
    cr_conn_state state;
    cr_waiting waiting;
    uint64_t deadline_ns;
    bool keep_alive;    /* of the request being answered */
    bool busy;          /* on the stack: must not be freed now */
    bool reading;       /* the read event is added */
    bool client_closed; /* end of file was read behind a whole request: no more is read */
    bool reset;         /* to be closed with RST */
    bool continue_owed; /* the client waits for 100 Continue */
    struct event readable, writable, timer;
    cr_stream stream;
    cr_head head;
    cr_chunks chunks;
    cr_buffer input;     /* bytes read and not consumed yet */
    cr_buffer head_block;/* the head, once its body did not come along in one read */
    cr_buffer body;
    uint32_t unsent;     /* bytes in the kernel when the wait for the client to take some began */
    uint64_t body_began_ns;
    uint64_t body_received;
    uint64_t listener_tag;
    uint16_t peer_port, local_port;
    char peer[INET6_ADDRSTRLEN];
};

uint64_t cr_clock_ns(void);
/* Reads the clock into `now_ns`, and returns it. Asking the clock once an event is enough for most uses. */
uint64_t cr_loop_read_clock(cr_loop *loop);
/* Reads the time since 1970 into `wall_offset_ns`. It drifts from the loop's clock by microseconds a second, and by more
 * only when somebody sets it: looking once a second is enough, and saves a call for each request. */
void cr_loop_read_wall_clock(cr_loop *loop);
struct timeval cr_timeval(uint64_t ns);
/* How often deadlines are looked at. */
uint64_t cr_sweep_interval_ns(const cr_config *config);

/* ---- conn.c ---- */

/* Takes over an accepted socket; closes it and returns NULL where memory is short. */
cr_conn *cr_conn_open(cr_loop *loop, int fd, const struct sockaddr *peer, uint16_t local_port);
/* Closes the socket and ends the running script. The struct may be gone afterwards, unless `busy`. */
void cr_conn_close(cr_conn *conn, cr_outcome outcome);
/* Frees a closed connection that owes nothing and is not busy. To be called last by every entry point. */
static inline void cr_conn_settle(cr_conn *conn) {
    if (conn->state == CR_CONN_CLOSED && !conn->busy && !conn->stream.reply_owed) free(conn);
}
/* Shuts our side and reads until the client shuts its own, so that unread bytes of the client do not reset the answer
 * on its way. */
void cr_conn_linger(cr_conn *conn);
/* Adds or removes the read event. */
void cr_conn_change_reading(cr_conn *conn, bool reading);
/* The same, unless it is so already. */
static inline void cr_conn_set_reading(cr_conn *conn, bool reading) {
    if (conn->reading != reading) cr_conn_change_reading(conn, reading);
}

/* ---- waiting.c ---- */

/* Makes the lists of waiting connections, and their time-outs. */
void cr_waiting_init(cr_loop *loop);
/* Begins to wait, with the time-out of that kind. */
static inline void cr_conn_wait_for(cr_conn *conn, cr_waiting waiting) {
    struct cr_conn_list *lists = conn->loop->waiting;
    if (conn->waiting != CR_WAITING_KINDS) TAILQ_REMOVE(&lists[conn->waiting], conn, link);
    TAILQ_INSERT_TAIL(&lists[waiting], conn, link);
    conn->waiting = waiting;
    uint64_t timeout = conn->loop->timeout_ns[waiting];
    conn->deadline_ns = timeout == UINT64_MAX ? UINT64_MAX : conn->loop->now_ns + timeout;
}
/* Ends the connections whose deadline passed, and those that are answered and whose clients have gone altogether. */
void cr_conn_sweep(cr_loop *loop, uint64_t now_ns);
/* Ends all connections. */
void cr_conn_close_all(cr_loop *loop);
/* Ends the idle connections and the held streams of a loop that drains. */
void cr_conn_drain(cr_loop *loop);
/* Ends the scripts that nobody runs on, as the loop has ended. */
void cr_conn_stop_scripts(cr_loop *loop);

/* ---- requests.c ---- */

/* Event callback of a connection's read event. */
void cr_conn_on_readable(evutil_socket_t fd, short what, void *argument);
/* After a reply: reads on, from what was pipelined first. */
void cr_conn_next_request(cr_conn *conn);
/* Runs the script of a late reply, or goes on with one that waited, and then with the requests behind it. */
void cr_conn_resume(cr_conn *conn);

/* ---- interpreter.c ---- */

/* Runs the stream's script until it ends or has to wait. */
void cr_stream_run(cr_stream *stream);
/* Ends the script, if one runs, and tells the observer. */
void cr_stream_end(cr_stream *stream, cr_outcome outcome);
/* Event callbacks of a connection's writable and timer events. */
void cr_stream_on_writable(evutil_socket_t fd, short what, void *argument);
void cr_stream_on_timer(evutil_socket_t fd, short what, void *argument);
/* Answers with the status and text of `fault` and closes. */
void cr_stream_refuse(cr_stream *stream, cr_fault fault);

/* ---- listener.c ---- */

/* Turns the listeners on or off, as `full` and `paused` say. */
void cr_listeners_update(cr_loop *loop);
/* Turns listeners that are paused on again, if there are descriptors for connections; else they try again in a while. */
void cr_listeners_try_again(cr_loop *loop);
void cr_listeners_close(cr_loop *loop);

/* ---- timers.c ---- */

/* Frees all timers without calling them. */
void cr_timers_drop(cr_loop *loop);

/* ---- jobs.c ---- */

/* NULL with errno set on failure. */
cr_mailbox *cr_mailbox_new(void);
/* Runs the jobs that were posted so far. On the loop's thread. */
void cr_mailbox_run(cr_mailbox *mailbox);
/* Marks the end, and runs the jobs that came before it. */
void cr_mailbox_end(cr_mailbox *mailbox);
/* Closes the descriptors of one that has ended. */
void cr_mailbox_close(cr_mailbox *mailbox);
bool cr_mailbox_has_ended(cr_mailbox *mailbox);

/* ---- io.c: the one seam between connections and sockets ---- */

/* As recv(2) and sendmsg(2), without EINTR; -1 with errno EAGAIN where the socket is not ready. */
ssize_t cr_io_read(cr_conn *conn, void *bytes, size_t length);
ssize_t cr_io_write(cr_conn *conn, const struct iovec *parts, int count);
/* How many bytes the kernel holds that the client has not taken. */
uint32_t cr_io_unsent(const cr_conn *conn);
/* Whether the client closed or reset, though not all that it sent was read. */
bool cr_io_has_left(const cr_conn *conn);
/* Whether the client reset the connection, or its system did in its place. */
bool cr_io_was_reset(const cr_conn *conn);
/* Asks the system of a client that sends nothing any more whether it is still there, every 15 seconds: the connection is
 * reset where it is not. A client's system knows that for about a minute after the client closed. */
void cr_io_probe(cr_conn *conn);
/* Closes with FIN, or with RST. */
void cr_io_close(cr_conn *conn, bool reset);
/* Sends FIN and leaves the reading side open. */
void cr_io_shut(cr_conn *conn);

#endif
