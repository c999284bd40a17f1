#ifndef RESOURCES_H
#define RESOURCES_H

#include <stddef.h>

/*
 * Files that are part of the binary, so that none has to lie beside it. They are read where the loader has put them:
 * a start that does not ask for one never touches its pages.
 */

/* Returns `openapi.json`, the description of the admin API without the version, and its length. */
const unsigned char *rs_openapi(size_t *length);

/* Returns `recorder.html`, the recorder's page, and its length. */
const unsigned char *rs_recorder(size_t *length);

#endif
