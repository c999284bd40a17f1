/* Blobs and wire scripts as the interpreter sees them. */
#ifndef CR_SCRIPT_H
#define CR_SCRIPT_H

#include "creactor.h"

#include <stdatomic.h>

struct cr_blob {
    atomic_size_t references;
    size_t length;
    uint8_t bytes[];
};

struct cr_script {
    atomic_size_t references;
    uint32_t count;
    cr_step steps[];
};

cr_blob *cr_blob_retain(cr_blob *blob);
cr_script *cr_script_retain(cr_script *script);

#endif
