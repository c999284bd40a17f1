#ifndef RS_FILES_H
#define RS_FILES_H

#include <stddef.h>

/* Files that are linked into the binary. They are read from the mapped image: their pages are loaded only when one of
 * them is asked for. */

/* A file, compressed with gzip. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} rs_file;

/*
 * Returns the files and their number: `openapi.json`, the description of the admin API without the version, and those
 * of the page at /__admin/ui/.
 */
const rs_file *rs_files(size_t *count);

#endif
