#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* Gives the calling thread its own file descriptor table: a copy of the shared one without the sockets. Returns 0 or an
 * errno; ENOSYS where the system cannot do it.
 *
 * While threads share a table, the kernel takes a reference for every system call on a descriptor. A thread that
 * watches files would slow down every read and write of the loop. The sockets are left out because a connection is
 * closed only when no table refers to it. */
int cp_leave_shared_descriptors(void);

/* Blocks until the parent process with this number has ended. */
void cp_wait_for_parent(int parent);

/* Returns whether the process that started this one has ended, and `parent` has adopted it. That is inferred from the
 * session: a child stays in the session of its parent, and an adopting process (init or a subreaper) usually has
 * another. Returns 0 for a process that leads its own session, where this cannot be known. */
int cp_is_orphan(int parent);

/* Installs a handler that writes the signal's number to the descriptor, one byte for each delivery. The descriptor must
 * be non-blocking, and the same for all signals. Must be called on the first thread. Returns 0 or an errno. */
int cp_catch_signal(int number, int descriptor);

/* Returns whether the process ignores the signal, such as SIGHUP under `nohup`. */
bool cp_ignores_signal(int number);

/* A bit in the bytes of `cp_report_signal`: the signal was sent by the system, not by a process. The keys of a terminal
 * send such signals. */
enum { CP_OF_SYSTEM = 0x80 };

/* Installs a handler that writes one byte to the descriptor for each delivery: the signal's number, and CP_OF_SYSTEM if
 * it applies. The descriptor must be non-blocking, and the same for all signals. A signal that the process ignores
 * stays ignored, except SIGCHLD. Must be called on the first thread. Returns 0 or an errno. */
int cp_report_signal(int number, int descriptor);

/* Sets a terminal to raw input: each key is delivered as it is pressed, and not echoed. `leave` is what
 * `cp_leave_terminal` writes, at most 128 bytes. Fatal signals restore the terminal first. Returns 0 or an errno. Must
 * be called on the first thread. */
int cp_enter_terminal(int descriptor, const char *leave);

/* Writes to the terminal without blocking. Nothing is written while it is stopped (XOFF) or nobody reads it. Returns
 * the number of bytes, or -1 with errno. Must be called on the first thread. */
long cp_write_terminal(int descriptor, const void *bytes, size_t count);

/* Writes the `leave` of `cp_enter_terminal` and restores the terminal's settings; without effect if none was entered.
 * Safe in a signal handler. */
void cp_leave_terminal(void);

/* Gets the size of a terminal. Returns whether it is known. */
bool cp_terminal_size(int descriptor, int *rows, int *columns);

/* Returns whether the process is in the foreground: it may read from the terminal and configure it. */
bool cp_is_foreground(int descriptor);

/* Stops the process until SIGCONT, as Ctrl-Z does. Without effect in an orphaned process group, which no shell could
 * continue. */
void cp_stop_process(void);

/* Ends the process by the default action of a signal. */
_Noreturn void cp_end_by_signal(int number);

/* The offset of local time from UTC at a time in seconds since 1970, in seconds. */
long cp_zone_offset(long long seconds);

/* Forks. The child gets its own session, hence no terminal, default signal handlers, the null device as standard input
 * and output, and `errors` (the null device if negative) as standard error. Other descriptors are closed except the
 * `count` in `inherited`. Must be called while the process has one thread only. Returns 0 in the child, its number in
 * the parent, or a negative errno. */
int cp_fork_detached(int errors, const int *inherited, int count);

/* The arguments of the process, the program's name first, and their number. Returns NULL where the C library does not
 * pass them to constructors. */
char *const *cp_arguments(int *count);

/* Until `cp_end_seeded_random`, `cp_seeded_random` returns the numbers of a sequence that the seed determines, on the
 * calling thread. */
void cp_begin_seeded_random(unsigned long long seed);
void cp_end_seeded_random(void);

/* Gets the next number of the calling thread. Returns false without `cp_begin_seeded_random`. */
bool cp_seeded_random(unsigned long long *value);

/* Returns whether `part` occurs in `bytes`. */
bool cp_contains(const void *bytes, size_t length, const void *part, size_t part_length);

/* Lets the heap grow in steps of 4 MiB instead of 128 KiB (GNU C library). Reading a thousand stub files allocates so
 * often that these system calls take a tenth of the start-up time. Unused memory costs nothing, since pages are
 * allocated on first touch. Must be called before everything else. */
void cp_grow_heap_in_large_steps(void);

/* Asks for huge pages (2 MiB instead of 4 KiB) for memory that is about to be written for the first time. */
void cp_use_large_pages(void *start, size_t length);

/* Reserves some megabytes in the calling thread's arena, in one step and with huge pages (GNU C library). Otherwise
 * every arena but the main one grows page by page, and each system call for it blocks other threads' page faults. */
void cp_reserve_arena(void);

/* Limits the number of malloc arenas, which all threads share (GNU C library). Otherwise each new thread may get its
 * own, which keeps the memory that the thread frees. */
void cp_share_free_memory(int pools);

/* Returns freed memory from malloc to the system. Starts threads, and waits for them. */
void cp_release_free_memory(void);

#endif
