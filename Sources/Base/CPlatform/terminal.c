#include "cplatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* How long leaving waits for a terminal that accepts no output, in milliseconds. */
enum { EXIT_TIMEOUT_MS = 200 };

/* The terminal that was entered, or -1. Read by the handlers of fatal signals. */
static volatile sig_atomic_t entered = -1;
/* The same terminal, opened for non-blocking writes, or -1. */
static volatile sig_atomic_t output = -1;
static struct termios before;
static char leave_text[128];
static size_t leave_length;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

static bool accepts_output(int descriptor, int milliseconds) {
    struct pollfd entry = {.fd = descriptor, .events = POLLOUT};
    return poll(&entry, 1, milliseconds) > 0 && entry.revents & POLLOUT;
}

static bool open_output(int descriptor) {
    char name[256];
    if (output >= 0) return true;
    /* Opened anew: O_NONBLOCK on the shared open file would affect other processes. */
    if (ttyname_r(descriptor, name, sizeof name) != 0) return false;
    output = open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    return output >= 0;
}

long cp_write_terminal(int descriptor, const void *bytes, size_t count) {
    int target = open_output(descriptor) ? output : descriptor;
    ssize_t written;
    do written = write(target, bytes, count);
    while (written < 0 && errno == EINTR);
    return written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : written;
}

void cp_leave_terminal(void) {
    int descriptor = entered;
    if (descriptor < 0) return;
    entered = -1;
    /* A stopped terminal (XOFF) would block the exit. */
    bool is_drained = accepts_output(descriptor, EXIT_TIMEOUT_MS);
    if (!is_drained) {
        tcflow(descriptor, TCOON);
        is_drained = accepts_output(descriptor, EXIT_TIMEOUT_MS);
    }
    if (is_drained || output >= 0) {
        ssize_t written = write(output >= 0 ? output : descriptor, leave_text, leave_length);
        (void)written;
    }
    tcsetattr(descriptor, is_drained ? TCSADRAIN : TCSANOW, &before);
}

/* Restores the terminal, then lets the signal take its default action. Async-signal-safe. */
static void restore_and_end(int number) {
    cp_leave_terminal();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_crashes(void) {
    for (int index = 0; index < CRASHES; index++) {
        struct sigaction action = {.sa_handler = restore_and_end, .sa_flags = SA_NODEFER};
        sigemptyset(&action.sa_mask);
        sigaction(crashes[index], &action, NULL);
    }
}

int cp_enter_terminal(int descriptor, const char *leave) {
    size_t length = strlen(leave);
    if (length > sizeof leave_text) return EINVAL;
    if (tcgetattr(descriptor, &before) < 0) return errno;
    struct termios raw = before;
    raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
    raw.c_oflag |= OPOST;
    raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    memcpy(leave_text, leave, length);
    leave_length = length;
    catch_crashes();
    if (tcsetattr(descriptor, TCSADRAIN, &raw) < 0) return errno;
    entered = descriptor;
    return 0;
}

bool cp_terminal_size(int descriptor, int *rows, int *columns) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0) return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

bool cp_is_foreground(int descriptor) { return tcgetpgrp(descriptor) == getpgrp(); }

static void do_by_default(int number) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    sigaction(number, &usual, NULL);
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, number);
    pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
    raise(number);
}

void cp_stop_process(void) {
    struct sigaction action;
    sigaction(SIGTSTP, NULL, &action);
    do_by_default(SIGTSTP);
    sigaction(SIGTSTP, &action, NULL);
}

void cp_end_by_signal(int number) {
    do_by_default(number);
    _exit(128 + number);
}

long cp_zone_offset(long long seconds) {
    time_t time = (time_t)seconds;
    struct tm parts;
    return localtime_r(&time, &parts) == NULL ? 0 : parts.tm_gmtoff;
}
