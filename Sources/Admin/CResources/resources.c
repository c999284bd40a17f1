#include "resources.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi[] = {
#embed "openapi.json"
};

const unsigned char *rs_openapi(size_t *length)
{
    *length = sizeof openapi;
    return openapi;
}
