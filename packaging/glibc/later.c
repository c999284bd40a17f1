/*
 * What this machine's C library has and that of older systems lacks, for the binary that is handed out: it then starts
 * wherever glibc is 2.31 or newer (see stubs.py). Each is what the library's manual says of it, by system calls and
 * functions that are older.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Since 2.34 the beginning of a program (crt1.o) leaves it to the library to call the initializers; before, it named a
 * function that does. This one stands between the two, and is right with both.
 */
#if defined __x86_64__
#define OLDEST "GLIBC_2.2.5"
#elif defined __aarch64__
#define OLDEST "GLIBC_2.17"
#else
#error "packaging/glibc/later.c: the oldest version of the C library for this processor is not known here"
#endif
__asm__(".symver start_main, __libc_start_main@" OLDEST);
typedef int main_function(int, char **, char **);
typedef void initializer(int, char **, char **);
extern int start_main(
    main_function *, int, char **, initializer *, void (*)(void), void (*)(void), void *);

extern initializer *__preinit_array_start[] __attribute__((visibility("hidden")));
extern initializer *__preinit_array_end[] __attribute__((visibility("hidden")));
extern initializer *__init_array_start[] __attribute__((visibility("hidden")));
extern initializer *__init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void);

static void initialize(int count, char **arguments, char **environment)
{
    for (initializer **each = __preinit_array_start; each < __preinit_array_end; each++)
        (*each)(count, arguments, environment);
    _init();
    for (initializer **each = __init_array_start; each < __init_array_end; each++)
        (*each)(count, arguments, environment);
}

int __libc_start_main(main_function *main, int count, char **arguments, initializer *init, void (*fini)(void),
    void (*rtld_fini)(void), void *stack_end)
{
    return start_main(main, count, arguments, init == NULL ? initialize : init, fini, rtld_fini, stack_end);
}

/* 2.33: until then they were macros. The kernel's structure is that of the library on both processors. */
int stat(const char *path, struct stat *out) { return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, 0); }
int lstat(const char *path, struct stat *out)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}
int fstat(int descriptor, struct stat *out) { return (int)syscall(SYS_fstat, descriptor, out); }

/* 2.36. Like the library, these end the process where the system has no random bytes. */
void arc4random_buf(void *out, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = getrandom((char *)out + done, length - done, 0);
        if (count > 0)
            done += (size_t)count;
        else if (count < 0 && errno != EINTR)
            abort();
    }
}

uint32_t arc4random(void)
{
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

/* 2.32: a hint that is never wrong when it says no. */
char __libc_single_threaded = 0;

/* 2.35: the object of an address, and its table for unwinding. */
struct search {
    uintptr_t address;
    struct dl_find_object *found;
};

static int look(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct search *search = argument;
    uintptr_t start = UINTPTR_MAX, end = 0, address = search->address - object->dlpi_addr;
    void *table = NULL;
    int is_within = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD) {
            start = part->p_vaddr < start ? part->p_vaddr : start;
            end = part->p_vaddr + part->p_memsz > end ? part->p_vaddr + part->p_memsz : end;
            is_within |= address >= part->p_vaddr && address - part->p_vaddr < part->p_memsz;
        } else if (part->p_type == PT_GNU_EH_FRAME) {
            table = (void *)(object->dlpi_addr + part->p_vaddr);
        }
    }
    if (!is_within || table == NULL)
        return 0;
    memset(search->found, 0, sizeof *search->found);
    search->found->dlfo_map_start = (void *)(object->dlpi_addr + start);
    search->found->dlfo_map_end = (void *)(object->dlpi_addr + end);
    search->found->dlfo_eh_frame = table;
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

/* 2.38: C23's reading of numbers, which takes 0b101 too, and which the headers call in place of the older functions. */
#define OLDER(type, name, ...) \
    extern type older_##name(const char *, char **, ##__VA_ARGS__) __asm__(#name)
OLDER(long, strtol, int);
OLDER(unsigned long, strtoul, int);
OLDER(long long, strtoll, int);
OLDER(unsigned long long, strtoull, int);
long __isoc23_strtol(const char *text, char **end, int base) { return older_strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return older_strtoul(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return older_strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return older_strtoull(text, end, base); }
