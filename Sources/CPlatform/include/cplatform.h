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

#endif
