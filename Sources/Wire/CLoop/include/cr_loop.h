/* An event loop on libevent: jobs, timers, watched descriptors and listeners. Connections are left to its delegate.
 *
 * Threading: one cr_loop is one thread. Unless a function says "any thread", call it on the loop's own thread, or
 * before cr_loop_run is entered.
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

/* The version of libevent, for --version. */
const char *cr_event_library(void);

/* ---- The loop ------------------------------------------------------------------------------------------------ */

/* Frees a loop that is not running. Ends everything in flight with CR_STOPPED. */
void cr_loop_free(cr_loop *loop);
/* Runs on the calling thread until stopped or drained; SIGPIPE stays blocked on that thread. At the end it closes the
 * listeners, drops the timers and ends the running scripts with CR_STOPPED. Later replies end by themselves or with
 * cr_loop_free. */
void cr_loop_run(cr_loop *loop);
/* Runs on a new thread. Returns 0 or an errno value. */
int cr_loop_start(cr_loop *loop);
/* Waits for the thread of cr_loop_start, if it was started and not joined yet. */
void cr_loop_join(cr_loop *loop);
/* Whether the calling thread is running this loop. Any thread. */
bool cr_loop_is_current(const cr_loop *loop);
/* Whether any thread is running this loop. Any thread. */
bool cr_loop_is_running(const cr_loop *loop);
/* Calls `job(argument)` on the loop's thread. Any thread. After the loop's end, calls the job at once on the calling
 * thread. Returns false if memory is short: the job is never called. */
bool cr_loop_post(cr_loop *loop, void (*job)(void *argument), void *argument);
/* Stops accepting, ends idle connections and held streams, waits up to `timeout_ms` for replies in flight and holds,
 * then ends the loop. */
void cr_loop_drain(cr_loop *loop, uint32_t timeout_ms);
/* Whether the loop is draining. On its thread. */
bool cr_loop_is_draining(const cr_loop *loop);
/* Delays the end of a drain until the matching cr_loop_release. On the loop's thread. */
void cr_loop_hold(cr_loop *loop);
void cr_loop_release(cr_loop *loop);
/* Ends the loop now. */
void cr_loop_stop(cr_loop *loop);
/* The number of open connections. */
uint32_t cr_loop_connections(const cr_loop *loop);
/* The number of open client connections, and of those accepted so far. Any thread, while the loop has not been
 * freed. */
void cr_loop_count_clients(const cr_loop *loop, uint32_t *open, uint64_t *accepted);

/* The mailbox of the loop, for objects that may outlive the loop. The caller releases it. Any thread, while the loop
 * has not been freed. */
cr_mailbox *cr_loop_mailbox(cr_loop *loop);
void cr_mailbox_release(cr_mailbox *mailbox);

typedef enum cr_posted {
    CR_POSTED,
    CR_POST_ENDED, /* the loop has ended; the job is never called */
    CR_POST_FAILED /* memory is short; the job is never called */
} cr_posted;

/* The state of the mailbox's loop: see cr_loop_is_current, cr_loop_is_running; and whether it has ended. Any thread. */
bool cr_mailbox_is_current(const cr_mailbox *mailbox);
bool cr_mailbox_is_running(const cr_mailbox *mailbox);
bool cr_mailbox_has_ended(cr_mailbox *mailbox);

/* Calls `job(argument)` on the loop's thread, after the jobs posted before, never inside this function. Any thread. */
cr_posted cr_mailbox_post(cr_mailbox *mailbox, void (*job)(void *argument), void *argument);

/* Calls `callback(argument)` once after `delay_ns`, then frees the timer. If the loop is freed first, `drop` is called
 * instead. */
cr_timer *cr_timer_start(
    cr_loop *loop, uint64_t delay_ns, void (*callback)(void *argument), void (*drop)(void *argument), void *argument);
/* Frees a timer whose callback was not called yet, without calling either function. */
void cr_timer_cancel(cr_timer *timer);

/* Readiness of a descriptor. */
enum {
    CR_READABLE = 1,
    CR_WRITABLE = 2
};

/* Watches a descriptor of the caller: calls `ready(argument, what)` with CR_READABLE or CR_WRITABLE whenever it is
 * ready for something in `interest`. The descriptor must stay open until the watch is stopped or dropped. If the loop
 * ends first, the watch is freed and `drop` is called. Returns NULL with errno set on failure: EPERM for a descriptor
 * that is always ready, such as a file's, ECANCELED if the loop has ended. */
cr_watch *cr_watch_start(cr_loop *loop, int fd, int interest, void (*ready)(void *argument, int what),
    void (*drop)(void *argument), void *argument);
/* Changes the interest, which may be 0. Returns 0 or an errno value. */
int cr_watch_change(cr_watch *watch, int interest);
/* Frees a watch without calling either function. Allowed inside its callback. */
void cr_watch_stop(cr_watch *watch);

/* ---- Listeners ----------------------------------------------------------------------------------------------- */

/* Returns 0 if no other socket listens on the address, or -1 with errno. Binding a shared port does not show that: the
 * system also lets other processes of the user share it. */
int cr_probe_tcp(const char *address, uint16_t port);
/* The listener's port; 0 for a Unix socket. */
uint16_t cr_listener_port(const cr_listener *listener);
/* Resets the next `count` connections of a tagged listener as soon as they are accepted. */
void cr_listener_refuse(cr_listener *listener, uint32_t count);
/* Leaves further connections of a tagged listener in the kernel's backlog, until called with false. */
void cr_listener_stall(cr_listener *listener, bool stalled);
/* Refuses connections to a tagged listener and keeps its port. */
void cr_listener_suspend(cr_listener *listener);
/* Accepts connections again. Returns 0 or an errno value: EADDRINUSE if the port could not be kept. */
int cr_listener_resume(cr_listener *listener);
/* Stops listening and frees the listener. Accepted connections stay open. */
void cr_listener_close(cr_listener *listener);

#endif
