/*
 * A slow disk, for Linux: a library for LD_PRELOAD that delays fsync and fdatasync, and the opening of one file.
 *
 *     cc -shared -fPIC -o slow_disk.so slow_disk.c -ldl
 *     LD_PRELOAD=./slow_disk.so SLOW_DISK_MS=200 stuntdouble mocks
 *
 * SLOW_DISK_MS     the delay of each call in milliseconds
 * SLOW_DISK_GATE   a folder: each call appends a byte to its file `calls`, and blocks while its file `closed` exists
 * SLOW_DISK_OPEN   a file name: opening files with this name is delayed, too
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long milliseconds) {
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) < 0 && errno == EINTR) {}
}

static void pass_gate(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/calls", folder);
    int calls = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (calls >= 0) {
        ssize_t written = write(calls, ".", 1);
        (void)written;
        close(calls);
    }
    snprintf(path, sizeof path, "%s/closed", folder);
    while (access(path, F_OK) == 0) pause_ms(1);
}

static void take_time(void) {
    int saved = errno;
    const char *gate = getenv("SLOW_DISK_GATE");
    const char *milliseconds = getenv("SLOW_DISK_MS");
    if (gate) pass_gate(gate);
    if (milliseconds) pause_ms(atol(milliseconds));
    errno = saved;
}

static int slowly(const char *name, int fd) {
    take_time();
    int (*call)(int);
    *(void **)&call = dlsym(RTLD_NEXT, name);
    return call(fd);
}

int fsync(int fd) {
    return slowly("fsync", fd);
}

int fdatasync(int fd) {
    return slowly("fdatasync", fd);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    const char *name = strrchr(path, '/');
    const char *slow = getenv("SLOW_DISK_OPEN");
    if (slow && strcmp(name ? name + 1 : path, slow) == 0) take_time();
    int (*call)(int, const char *, int, ...);
    *(void **)&call = dlsym(RTLD_NEXT, "openat");
    return call(folder, path, flags, mode);
}
