/*
 * Tells ThreadSanitizer about the slow path of the Swift standard library's Mutex.
 *
 * The fast path of a Mutex is compiled into the program, where ThreadSanitizer sees its atomics. The slow path, taken
 * while another thread holds the lock, is in the library, which is not instrumented: accesses ordered by the lock would
 * look like races. Preloaded, these functions replace the library's two, and call them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

/* Weak, because the tools that start the tests are preloaded with it, too. */
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void tsan_mutex_lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void tsan_mutex_unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "tsan_mutex: %s is not in the standard library\n", name);
        abort();
    }
    return found;
}

SWIFT void tsan_mutex_lock_slow(uint32_t thread, SELF void *handle) {
    SWIFT void (*lock)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))original(LOCK_SLOW);
    lock(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void tsan_mutex_unlock_slow(SELF void *handle) {
    SWIFT void (*unlock)(SELF void *) = (SWIFT void (*)(SELF void *))original(UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(handle);
    unlock(handle);
}
