#ifndef PG_FILES_H
#define PG_FILES_H

#include <stddef.h>

/*
 * Pages of the documentation that are part of the binary, for agents to read. They are read where the loader has put
 * them: a start that does not ask for one never touches their memory.
 */

/* A page, in the gzip format. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} pg_file;

/* Returns the pages and their number. */
const pg_file *pg_files(size_t *count);

#endif
