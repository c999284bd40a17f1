#ifndef RESOURCES_H
#define RESOURCES_H

#include <stddef.h>

/*
 * Files that are part of the binary, so that none has to lie beside it. They are read where the loader has put them:
 * a start that does not ask for one never touches its pages.
 */

/* Returns `openapi.json`, the description of the admin API without the version, and its length. */
const unsigned char *rs_openapi(size_t *length);

/* A file of the page at /__admin/ui/. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} rs_file;

/* Returns the files of the page, those of the folder `ui`, and their number. */
const rs_file *rs_page(size_t *count);

#endif
