#include "cplatform.h"

#include <errno.h>

#ifdef __linux__
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closes all sockets in the calling thread's table except the standard streams, which may be sockets under a service
 * manager. */
static int close_sockets(void) {
    DIR *folder = opendir("/proc/thread-self/fd");
    if (folder == NULL) return errno;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char *end = NULL;
        long number = strtol(entry->d_name, &end, 10);
        struct stat status;
        if (end == entry->d_name || *end != '\0' || number <= STDERR_FILENO || fstat((int)number, &status) != 0) {
            continue;
        }
        if (S_ISSOCK(status.st_mode)) close((int)number);
    }
    closedir(folder);
    return 0;
}

int cp_leave_shared_descriptors(void) {
    /* Without /proc the sockets in the copy could not be closed. */
    if (access("/proc/thread-self/fd", R_OK | X_OK) != 0) return errno;
    if (unshare(CLONE_FILES) != 0) return errno;
    return close_sockets();
}
#else
int cp_leave_shared_descriptors(void) {
    return ENOSYS;
}
#endif
