#include "cplatform.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* The descriptor that the handler writes to. Set before a handler is installed. */
static volatile sig_atomic_t output = -1;

static void write_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(output, &byte, 1);
    (void)written;
    errno = saved;
}

int cp_catch_signal(int number, int descriptor) {
    output = descriptor;
    struct sigaction action = {.sa_handler = write_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, NULL) < 0) return errno;
    /* The thread that started this process may have blocked the signal, and the mask is inherited. */
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, number);
    return pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
}

bool cp_ignores_signal(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
