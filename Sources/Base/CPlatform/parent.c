#include "cplatform.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <sys/event.h>
#endif

/* Waits for the kernel's notification that a process has ended. Returns 0, or an errno if there is none. */
static int await_end(pid_t process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
    int watch = (int)syscall(SYS_pidfd_open, process, 0);
    if (watch < 0) return errno == ESRCH ? 0 : errno;
    /* A pidfd refers to its process for good, but the number may have been reused before it was opened, which getppid()
     * rules out. */
    struct pollfd entry = {.fd = watch, .events = POLLIN};
    while (getppid() == process && poll(&entry, 1, -1) < 0 && errno == EINTR) continue;
    close(watch);
    return 0;
#elif defined(__APPLE__)
    int queue = kqueue();
    if (queue < 0) return errno;
    struct kevent change, event;
    EV_SET(&change, process, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
    int error = 0;
    if (kevent(queue, &change, 1, NULL, 0, NULL) < 0) {
        error = errno == ESRCH ? 0 : errno;
    } else {
        while (getppid() == process && kevent(queue, NULL, 0, &event, 1, NULL) < 0 && errno == EINTR) continue;
    }
    close(queue);
    return error;
#else
    (void)process;
    return ENOSYS;
#endif
}

void cp_wait_for_parent(int parent) {
    if (await_end(parent) == 0) return;
    /* When its parent ends, a process gets another one. */
    while (getppid() == parent) poll(NULL, 0, 100);
}

int cp_is_orphan(int parent) {
    pid_t ours = getsid(0), theirs = getsid(parent);
    if (theirs < 0) return errno == ESRCH;
    return ours != getpid() && ours != theirs;
}
