#ifndef PG_FILES_H
#define PG_FILES_H

#include <stddef.h>

/* Pages of the documentation for agents, linked into the binary. They are read from the mapped image: their pages are
 * loaded only when one of them is asked for. */

/* A page, compressed with gzip. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} pg_file;

/* Returns the pages and their number. */
const pg_file *pg_files(size_t *count);

#endif
