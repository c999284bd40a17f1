#ifndef CPLATFORM_H
#define CPLATFORM_H

/*
 * Gives the calling thread a table of file descriptors of its own, a copy without the sockets. Returns 0, or an errno; where
 * the system cannot do it, ENOSYS.
 *
 * As long as two threads share a table, the kernel counts a reference for every system call on a descriptor, in either of
 * them. A thread that watches files would make every read and write of the loop dearer by that. The sockets are left out so
 * that a connection which the other thread closes is closed.
 */
int cp_leave_shared_descriptors(void);

/* Waits until the parent process, whose number is given, has ended. */
void cp_wait_for_parent(int parent);

/*
 * Whether the process that began this one has ended, and what is its parent now only took it over. A child stays in the
 * session of whoever began it, unless it leads one of its own: then this cannot be told, and is no. Whoever takes over
 * orphans, the init process or another reaper, mostly stands in a session of its own.
 */
int cp_is_orphan(int parent);

#endif
