#ifndef RS_FILES_H
#define RS_FILES_H

#include <stddef.h>

/*
 * Files that are part of the binary, so that none has to lie beside it. They are read where the loader has put them:
 * a start that does not ask for one never touches its memory.
 */

/* A file, in the gzip format. */
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
