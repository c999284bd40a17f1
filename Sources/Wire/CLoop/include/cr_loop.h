/* A loop on libevent: jobs, timers, descriptors that are watched, and listeners. What connections do is left to its guest.
 *
 * Threading: one cr_loop is one thread. Unless a function says "any thread", call it on the loop's own thread, or
 * before cr_loop_run was entered.
 *
 * Memory: a function that returns a pointer returns NULL when memory is short, and changes nothing then. */
#ifndef CR_LOOP_H
#define CR_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cr_loop cr_loop;
typedef struct cr_listener cr_listener;
typedef struct cr_timer cr_timer;
typedef struct cr_watch cr_watch;
typedef struct cr_mailbox cr_mailbox;

/* The version of the event library, for --version. */
const char *cr_event_library(void);

/* ---- The loop ------------------------------------------------------------------------------------------------ */

/* Frees a loop that is not running. Ends what is in flight with CR_STOPPED. */
void cr_loop_free(cr_loop *loop);
/* Runs on the calling thread until stopped or drained, with SIGPIPE blocked there from now on. At its end it closes the
 * listeners, drops the timers and ends the running scripts with CR_STOPPED; later answers end by themselves or with
 * cr_loop_free. */
void cr_loop_run(cr_loop *loop);
/* Runs on a new thread of its own. Returns 0, or an errno value. */
int cr_loop_start(cr_loop *loop);
/* Waits for the thread of cr_loop_start to end, if it was started and not waited for yet. */
void cr_loop_join(cr_loop *loop);
/* Whether the calling thread is running this loop. Any thread. */
bool cr_loop_is_current(const cr_loop *loop);
/* Whether any thread is running this loop. Any thread. */
bool cr_loop_is_running(const cr_loop *loop);
/* Calls `job(argument)` on the loop's thread. Any thread. After the loop has ended, the job is called at once, on the
 * calling thread. Returns false if memory is short: the job was not called and will not be. */
bool cr_loop_post(cr_loop *loop, void (*job)(void *argument), void *argument);
/* Stops accepting, ends idle connections and held streams, lets replies in flight and what holds the loop finish for up
 * to `timeout_ms`, then ends the loop. */
void cr_loop_drain(cr_loop *loop, uint32_t timeout_ms);
/* Whether the loop is being drained. On its thread. */
bool cr_loop_is_draining(const cr_loop *loop);
/* Counts something that is to be done before the loop has drained, until as many calls let it go. On its thread. */
void cr_loop_hold(cr_loop *loop);
void cr_loop_let_go(cr_loop *loop);
/* Ends the loop now. */
void cr_loop_stop(cr_loop *loop);
/* The number of open connections. */
uint32_t cr_loop_connections(const cr_loop *loop);
/* The connections of clients that are open, and those that were accepted so far. Any thread, while the loop has not been freed. */
void cr_loop_count_clients(const cr_loop *loop, uint32_t *open, uint64_t *accepted);

/* The mailbox of a loop, for objects that may outlive the loop. The caller releases it. Any thread, while the loop has
 * not been freed. */
cr_mailbox *cr_loop_mailbox(cr_loop *loop);
void cr_mailbox_release(cr_mailbox *mailbox);

typedef enum cr_posted {
    CR_POSTED,
    CR_POST_ENDED, /* the loop has ended: the job will not be called */
    CR_POST_FAILED /* memory is short: the job will not be called */
} cr_posted;

/* Of the mailbox's loop: cr_loop_is_current, cr_loop_is_running, and whether it has ended. Any thread. */
bool cr_mailbox_is_current(const cr_mailbox *mailbox);
bool cr_mailbox_is_running(const cr_mailbox *mailbox);
bool cr_mailbox_has_ended(cr_mailbox *mailbox);

/* Calls `job(argument)` on the loop's thread, after the jobs posted before. Any thread; never calls it at once. */
cr_posted cr_mailbox_post(cr_mailbox *mailbox, void (*job)(void *argument), void *argument);

/* Calls `callback(argument)` once, `delay_ns` from now, then frees the timer. If the loop is freed first, `drop` is
 * called instead. */
cr_timer *cr_timer_start(cr_loop *loop, uint64_t delay_ns, void (*callback)(void *argument),
                         void (*drop)(void *argument), void *argument);
/* Frees a timer whose callback was not called yet, without calling either function. */
void cr_timer_cancel(cr_timer *timer);

/* What a descriptor can be ready for. */
enum {
    CR_READABLE = 1,
    CR_WRITABLE = 2
};

/* Watches a descriptor that belongs to the caller: calls `ready(argument, what)` with CR_READABLE or CR_WRITABLE
 * whenever it is ready for something in `interest`. The descriptor must stay open until the watch is stopped or
 * dropped. If the loop ends first, the watch is freed and `drop` is called. NULL with errno set on failure: EPERM for a
 * descriptor that is always ready, such as a file's, ECANCELED if the loop has ended. */
cr_watch *cr_watch_start(cr_loop *loop, int fd, int interest, void (*ready)(void *argument, int what),
                         void (*drop)(void *argument), void *argument);
/* Changes what the watch waits for, which may be nothing. Returns 0, or an errno value. */
int cr_watch_change(cr_watch *watch, int interest);
/* Frees a watch without calling either function. May be called by its own callback. */
void cr_watch_stop(cr_watch *watch);

/* ---- Listeners ----------------------------------------------------------------------------------------------- */

/* Returns 0 if no other socket listens on an address, or -1 with errno. A shared port does not show that by itself: the
 * system also lets other processes of the same user share it. */
int cr_probe_tcp(const char *address, uint16_t port);
/* The listener's port; 0 for a Unix socket. */
uint16_t cr_listener_port(const cr_listener *listener);
/* Resets the next `count` connections of a tagged listener as soon as they are made. */
void cr_listener_refuse(cr_listener *listener, uint32_t count);
/* Lets further connections of a tagged listener be made, and not be read, until this is called with false. */
void cr_listener_stall(cr_listener *listener, bool stalled);
/* Refuses connections to a tagged listener, whose port is kept. */
void cr_listener_lower(cr_listener *listener);
/* Accepts connections to it again. Returns 0, or an errno value: EADDRINUSE if the port could not be kept. */
int cr_listener_raise(cr_listener *listener);
/* Stops listening and frees the listener. The connections that it accepted stay. */
void cr_listener_close(cr_listener *listener);

#endif
