#include "loaded_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(void (*)(void)) == sizeof(void *), "POSIX has addresses of functions and of data be the same");

enum state { UNKNOWN, USABLE, UNUSABLE };

/* Held while a library is opened, and for the list. Opening one never opens another. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
/* The libraries that were requested, the latest first. */
static struct loaded_library *requested;

static void *find(void *handle, const struct loaded_library *library, const char *name) {
    void *address = dlsym(handle, name);
    for (const char *const *pair = library->renamed; pair != NULL && *pair != NULL && address == NULL; pair += 2) {
        for (int i = 0; i < 2 && address == NULL; i++) {
            if (strcmp(name, pair[i]) == 0) address = dlsym(handle, pair[1 - i]);
        }
    }
    return address;
}

static enum state refuse(struct loaded_library *library, const char *found, const char *name) {
    snprintf(library->reason, sizeof library->reason, "%s%s%s", library->missing, found, name);
    return UNUSABLE;
}

static enum state refuse_missing(struct loaded_library *library) {
    for (const char *const *file = library->outdated; file != NULL && *file != NULL; file++) {
        void *handle = dlopen(*file, RTLD_LAZY | RTLD_LOCAL);
        if (handle != NULL) {
            dlclose(handle);
            return refuse(library, "; the one found is too old: ", *file);
        }
    }
    return refuse(library, "", "");
}

static enum state open_now(struct loaded_library *library) {
    void *handle = NULL;
    library->next = requested;
    requested = library;
    for (const char *const *file = library->files; *file != NULL && handle == NULL; file++) {
        handle = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) return refuse_missing(library);
    char *member = library->table;
    for (const char *const *name = library->names; *name != NULL; name++, member += sizeof(void *)) {
        void *address = find(handle, library, *name);
        if (address == NULL) return refuse(library, "; the one found has no function ", *name);
        memcpy(member, &address, sizeof address);
    }
    const char *problem = library->prepare == NULL ? NULL : library->prepare();
    return problem == NULL ? USABLE : refuse(library, "; the one found ", problem);
}

const char *loaded_library_open(struct loaded_library *library) {
    int state = __atomic_load_n(&library->state, __ATOMIC_ACQUIRE);
    if (state == UNKNOWN) {
        pthread_mutex_lock(&opening);
        state = library->state;
        if (state == UNKNOWN) {
            state = open_now(library);
            __atomic_store_n(&library->state, state, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&opening);
    }
    return state == USABLE ? NULL : library->reason;
}

static void look(const struct loaded_library *library, struct loaded_library_facts *facts) {
    Dl_info info;
    void *first;
    memcpy(&first, library->table, sizeof first);
    facts->reason = library->state == USABLE ? NULL : library->reason;
    facts->path = first != NULL && dladdr(first, &info) != 0 ? info.dli_fname : NULL;
    facts->version = library->state == USABLE && library->version != NULL ? library->version() : NULL;
}

bool loaded_library_look(const char *name, struct loaded_library_facts *facts) {
    bool found = false;
    pthread_mutex_lock(&opening);
    for (struct loaded_library *each = requested; each != NULL && !(found && facts->reason != NULL);
        each = each->next) {
        if (strstr(each->files[0], name) != NULL) {
            look(each, facts);
            found = true;
        }
    }
    pthread_mutex_unlock(&opening);
    return found;
}
