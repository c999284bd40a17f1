#ifndef LOADED_LIBRARY_H
#define LOADED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Libraries that are opened when the first of their functions is needed. They are never linked: that would cost every
 * start, also those that do without them, and none would start where they are not installed.
 *
 * The functions are listed once, by name. Their types come from the library's own header, so that a wrong call does not
 * compile:
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
 *     if (loaded_library_open(&library) == NULL)
 *         crypto.HMAC(crypto.EVP_sha256(), …);
 *
 * The compiler must find the header. Most are where it looks; `headers` has links to the folders of the others, which
 * the manifest names.
 */

struct loaded_library {
    const char *missing;          /* the sentence that says what needs which library, and the package that has it */
    const char *const *files;     /* the names of its file, of which the first that is there is opened; then NULL */
    const char *const *names;     /* of its functions, in the order of the table; then NULL */
    void *table;                  /* of pointers to functions; complete once `loaded_library_open` has returned NULL */
    const char *const *renamed;   /* names that functions have in other versions: pairs, either way; then NULL; or NULL */
    const char *(*prepare)(void); /* called once with the complete table; returns NULL, or why it is of no use; or NULL */
    const char *const *outdated;  /* the names of files that are looked for only to say that they are too old; then NULL; or NULL */
    const char *(*version)(void); /* what a usable one says its version is; or NULL */
    int state;                    /* the rest is the loader's */
    char reason[384];
    struct loaded_library *next;
};

/*
 * Opens the library at the first call. Returns NULL if its functions can be called, otherwise `missing`, with what was
 * found instead. The text lives as long as the library. Any thread; the first ones wait for one another.
 */
const char *loaded_library_open(struct loaded_library *library);

/* What is known of a library. The texts live as long as the process. */
struct loaded_library_facts {
    const char *reason;  /* why it cannot be used; NULL if it can */
    const char *path;    /* its file; NULL if none was found */
    const char *version; /* as it says; NULL if it does not */
};

/*
 * Fills in what is known of the libraries whose first file has `name` in its own: of the first that cannot be used, if
 * several tables of functions were opened of one. Returns false if `loaded_library_open` was called for none. Any thread.
 */
bool loaded_library_look(const char *name, struct loaded_library_facts *facts);

#define LOADED_MEMBER(name) __typeof__(name) *name;
#define LOADED_QUOTE(name) #name
/* A name that is a macro for another is the other. */
#define LOADED_NAME(name) LOADED_QUOTE(name),

/* The type of the table of the functions in a list. */
#define LOADED_TABLE(FUNCTIONS) struct { FUNCTIONS(LOADED_MEMBER) }

/* The members of a library that say which functions it has, and where they go. */
#define LOADED_FUNCTIONS(FUNCTIONS, functions) \
    .names = (const char *const[]){FUNCTIONS(LOADED_NAME) NULL}, .table = &(functions)

/* The files of one of OpenSSL's libraries, `libcrypto` or `libssl`, and the sentence that says what needs them: several
 * targets open it, each with the functions that it calls. */
#ifdef __APPLE__
#define LOADED_OPENSSL_FILES(name) \
    {"/opt/homebrew/opt/openssl@3/lib/" name ".3.dylib", "/usr/local/opt/openssl@3/lib/" name ".3.dylib", NULL}
#else
#define LOADED_OPENSSL_FILES(name) {name ".so.3", NULL}
#endif
/* Those of its versions that lack a good part of the functions. */
#define LOADED_OPENSSL_OUTDATED(name) {name ".so.1.1", name ".so.10", name ".so.1.0.0", NULL}
#define LOADED_OPENSSL_MISSING(what) \
    what " OpenSSL 3: install its library (Debian and Ubuntu: libssl3 or libssl3t64; Homebrew: openssl@3)"

#endif
