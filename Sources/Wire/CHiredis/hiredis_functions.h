/* The functions of hiredis that are used: its reader and formatter. */
#ifndef HIREDIS_FUNCTIONS_H
#define HIREDIS_FUNCTIONS_H

#include "loaded_library.h"

#if !__has_include(<hiredis/hiredis.h>)
#error "the headers of hiredis are missing: `make deps`, or install libhiredis-dev (Debian and Ubuntu), hiredis (Homebrew)"
#endif

#include <hiredis/hiredis.h>

#include <stdbool.h>

#define HIREDIS_FUNCTIONS(X) \
    X(redisReaderCreateWithFunctions) \
    X(redisReaderFree) \
    X(redisReaderFeed) \
    X(redisReaderGetReply) \
    X(redisFormatCommandArgv) \
    X(redisFreeCommand)

typedef LOADED_TABLE(HIREDIS_FUNCTIONS) hiredis_table;

/* Filled in once ch_unavailable has returned NULL. */
extern hiredis_table hiredis;

/* Whether the loaded library is older than 1.0, so that some callbacks have other parameters. The header may be of
 * another version. */
bool hiredis_is_old(void);

#endif
