#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* Gives the calling thread its own table of file descriptors: a copy of the shared one without the sockets. Returns 0
 * or an errno; ENOSYS where the system cannot do it.
 *
 * While two threads share a table, the kernel counts a reference for every system call on a descriptor, in either
 * thread. A thread that watches files would thus slow down every read and write of the loop. The sockets are left out
 * because a connection is closed only when no table holds it any longer. */
int cp_leave_shared_descriptors(void);

/* Waits until the parent process with this number has ended. */
void cp_wait_for_parent(int parent);

/* Returns whether the process that started this one has ended and `parent` merely adopted it. The sign is the session:
 * a child stays in its parent's session, and the process that adopts orphans (init or a reaper) usually has one of its
 * own. Returns 0 for a child that leads its own session, because then nothing can be told. */
int cp_is_orphan(int parent);

/* From now on writes one byte, the signal's number, to the descriptor at each delivery of the signal; it must not block,
 * and is the same for all signals. To be called on the first thread. Returns 0 or an errno. */
int cp_catch_signal(int number, int descriptor);

/* Returns whether the process ignores the signal, as one that `nohup` started does with SIGHUP. */
bool cp_ignores_signal(int number);

/* In a byte of `cp_tell_signal`: the system sent the signal, not a process. A terminal's keys are of this kind. */
enum { CP_OF_SYSTEM = 0x80 };

/* From now on writes one byte to the descriptor at each delivery of the signal: its number, with CP_OF_SYSTEM. The
 * descriptor must not block, and is the same for all signals. A signal that the process ignores stays ignored, except
 * SIGCHLD. To be called on the first thread. Returns 0 or an errno. */
int cp_tell_signal(int number, int descriptor);

/* Has a terminal hand over each key as it is pressed, without showing it. `leave` is what `cp_leave_terminal` writes; at most
 * 128 bytes. A signal that ends the process by a fault of its own leaves the terminal first. Returns 0 or an errno. To be
 * called on the first thread. */
int cp_enter_terminal(int descriptor, const char *leave);

/* Writes to a terminal what it takes without waiting; a terminal that is stopped (XOFF), or that nobody reads, takes nothing.
 * Returns the number of bytes, or -1 with errno. To be called on the first thread. */
long cp_write_terminal(int descriptor, const void *bytes, size_t count);

/* Writes what `cp_enter_terminal` was given, and sets the terminal as it was; does nothing if it is not entered. May be called
 * by a handler of a signal. */
void cp_leave_terminal(void);

/* The size of a terminal. Returns whether it is known. */
bool cp_terminal_size(int descriptor, int *rows, int *columns);

/* Returns whether the process may read from the terminal and set it. */
bool cp_is_foreground(int descriptor);

/* Stops the process, as Ctrl-Z does, until it is to go on; does nothing where nobody could have it go on. */
void cp_stop_process(void);

/* Ends the process by a signal, whose handler is not called. */
_Noreturn void cp_end_by_signal(int number);

/* The seconds by which local time is ahead of Greenwich's at a time, in seconds since 1970. */
long cp_zone_offset(long long seconds);

/* Forks. The child has a session of its own, so no terminal, the usual action for all signals, the null device for
 * standard input and output, `errors` (or the null device if it is negative) for standard error, and of all other
 * descriptors only the `count` that are kept. To be called while the process has one thread only. Returns 0 in the child,
 * its number in the parent, or a negative errno. */
int cp_fork_detached(int errors, const int *kept, int count);

/* The arguments that the process was started with, the program's name first, and their number; NULL where the C library does
 * not hand them to constructors. */
char *const *cp_arguments(int *count);

/* From now on `cp_draw` answers the calling thread with numbers that the seed decides, until `cp_end_draws`. */
void cp_begin_draws(unsigned long long seed);
void cp_end_draws(void);

/* The next number of the calling thread. Returns false outside of `cp_begin_draws`. */
bool cp_draw(unsigned long long *value);

/* Returns whether `part` occurs in `bytes`. */
bool cp_contains(const void *bytes, size_t length, const void *part, size_t part_length);

/* Lets the heap grow by 4 MiB at a time instead of 128 KiB (GNU C library). Reading a thousand stub files asks for memory
 * so often that the system calls for it are a tenth of the start-up time. Unused memory costs nothing, since pages are
 * allocated when they are touched. Must be called before everything else. */
void cp_grow_heap_in_large_steps(void);

/* Asks the system to use large pages for these bytes, which are about to be written for the first time: it then hands out
 * 2 MiB at a time instead of 4 KiB. */
void cp_use_large_pages(void *start, size_t length);

/* Makes room for some megabytes in the calling thread's pool, in one step and in large pages (GNU C library). The pools of
 * all threads but the first grow by a page at a time otherwise, each time with a system call that stops the others from
 * touching new pages. */
void cp_make_room_in_heap(void);

/* Lets all threads share this many of the allocator's pools (GNU C library). Otherwise each new thread may get a pool of
 * its own, which keeps what that thread frees. */
void cp_share_free_memory(int pools);

/* Returns freed memory to the system, as far as the allocator still holds it. Waits for threads of its own. */
void cp_release_free_memory(void);

#endif
