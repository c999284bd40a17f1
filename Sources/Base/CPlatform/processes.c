#include "cplatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#include <dirent.h>
#endif

/* The descriptor that the handler writes to. Set before a handler is installed. */
static volatile sig_atomic_t output = -1;

static void report_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
#ifdef SI_KERNEL
    int is_of_process = info->si_code != SI_KERNEL;
#else
    int is_of_process = info->si_pid > 0;
#endif
    unsigned char byte = (unsigned char)(number | (is_of_process ? 0 : CP_OF_SYSTEM));
    ssize_t written = write(output, &byte, 1);
    (void)written;
    errno = saved;
}

int cp_report_signal(int number, int descriptor) {
    struct sigaction action = {.sa_flags = SA_RESTART | SA_SIGINFO};
    struct sigaction old;
    if (sigaction(number, NULL, &old) < 0) return errno;
    if (old.sa_handler == SIG_IGN && number != SIGCHLD) return 0;
    output = descriptor;
    action.sa_sigaction = report_signal;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, NULL) < 0) return errno;
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, number);
    return pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
}

static int is_inherited(int number, const int *inherited, int count) {
    for (int index = 0; index < count; index++) {
        if (inherited[index] == number) return 1;
    }
    return number <= STDERR_FILENO;
}

static void close_others(const int *inherited, int count) {
#ifdef __linux__
    DIR *folder = opendir("/proc/self/fd");
    if (folder != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(folder)) != NULL) {
            int number = atoi(entry->d_name);
            if (entry->d_name[0] != '.' && number != dirfd(folder) && !is_inherited(number, inherited, count)) {
                close(number);
            }
        }
        closedir(folder);
        return;
    }
#endif
    long limit = sysconf(_SC_OPEN_MAX);
    if (limit < 0 || limit > 65536) limit = 65536;
    for (int number = 0; number < (int)limit; number++) {
        if (!is_inherited(number, inherited, count)) close(number);
    }
}

static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

int cp_fork_detached(int errors, const int *inherited, int count) {
    int child = (int)fork();
    if (child != 0) return child < 0 ? -errno : child;
    setsid();
    reset_signals();
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    int last = errors >= 0 ? errors : null;
    if (last >= 0) dup2(last, STDERR_FILENO);
    close_others(inherited, count);
    return 0;
}
