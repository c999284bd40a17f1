#ifndef LOADED_LIBRARY_H
#define LOADED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Libraries that are opened with dlopen when the first of their functions is needed. They are not linked: that would
 * slow down every start, also those that do not use them, and prevent a start where they are not installed.
 *
 * The functions are listed once, by name. Their types come from the library's own header, so that the compiler checks
 * the calls:
 *
 *     #include <openssl/hmac.h>
 *
 *     #define FUNCTIONS(X) X(HMAC) X(EVP_sha256)
 *     static LOADED_TABLE(FUNCTIONS) crypto;
 *     static const char *const files[] = {"libcrypto.so.3", NULL};
 *     static struct loaded_library library = {
 *         LOADED_FUNCTIONS(FUNCTIONS, crypto), .files = files, .missing = "signing needs OpenSSL: install …",
 *     };
 *
 *     if (loaded_library_open(&library) == NULL) crypto.HMAC(crypto.EVP_sha256(), …);
 *
 * The headers must be installed for the build. `headers` has links to those outside the compiler's search path.
 */

struct loaded_library {
    const char *missing;          /* the message if it is missing: what needs the library, and which package has it */
    const char *const *files;     /* candidate file names, of which the first that exists is opened; then NULL */
    const char *const *names;     /* names of the functions, in the order of the table; then NULL */
    void *table;                  /* the function pointers; complete once `loaded_library_open` has returned NULL */
    const char *const *renamed;   /* pairs of names that one function has in different versions, in either order;
                                     then NULL; or NULL */
    const char *(*prepare)(void); /* called once with the complete table; returns NULL, or why the library cannot be
                                     used; or NULL */
    const char *const *outdated;  /* names of files that are too old, which are only looked for to say so; then NULL;
                                     or NULL */
    const char *(*version)(void); /* returns the version of a usable library; or NULL */
    int state;                    /* the members below are private */
    char reason[384];
    struct loaded_library *next;
};

/* Opens the library at the first call. Returns NULL if its functions can be called, otherwise `missing` followed by
 * what was found instead. The text lives as long as the library. Any thread; concurrent first calls block until the
 * library is open. */
const char *loaded_library_open(struct loaded_library *library);

/* The state of a library. The texts live as long as the process. */
struct loaded_library_facts {
    const char *reason;  /* why it cannot be used; NULL if it can */
    const char *path;    /* its file; NULL if none was found */
    const char *version; /* its version; NULL if unknown */
};

/* Fills in the state of the library whose first file name contains `name`. If several tables belong to it, an unusable
 * one is preferred. Returns false if `loaded_library_open` was called for none. Any thread. */
bool loaded_library_look(const char *name, struct loaded_library_facts *facts);

#define LOADED_MEMBER(name) __typeof__(name) *name;
#define LOADED_QUOTE(name) #name
/* Expands a name that is a macro for another one. */
#define LOADED_NAME(name) LOADED_QUOTE(name),

/* The type of the table for a list of functions. */
#define LOADED_TABLE(FUNCTIONS) struct { FUNCTIONS(LOADED_MEMBER) }

/* The initializers of a library's functions: their names, and the table for their addresses. */
#define LOADED_FUNCTIONS(FUNCTIONS, functions) \
    .names = (const char *const[]){FUNCTIONS(LOADED_NAME) NULL}, .table = &(functions)

/* The files of one of OpenSSL's libraries, `libcrypto` or `libssl`, and its message. Several targets open it, each with
 * the functions that it calls. */
#ifdef __APPLE__
#define LOADED_OPENSSL_FILES(name) \
    {"/opt/homebrew/opt/openssl@3/lib/" name ".3.dylib", "/usr/local/opt/openssl@3/lib/" name ".3.dylib", NULL}
#else
#define LOADED_OPENSSL_FILES(name) {name ".so.3", NULL}
#endif
/* Versions that lack many of the functions. */
#define LOADED_OPENSSL_OUTDATED(name) {name ".so.1.1", name ".so.10", name ".so.1.0.0", NULL}
#define LOADED_OPENSSL_MISSING(what) \
    what " OpenSSL 3: install its library (Debian and Ubuntu: libssl3 or libssl3t64; Homebrew: openssl@3)"

#endif
