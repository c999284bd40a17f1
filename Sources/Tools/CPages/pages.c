#include "pages.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char agents[] = {
#embed "../../../docs/agents.md"
};

static const unsigned char routes[] = {
#embed "../../../docs/routes.md"
};

static const unsigned char matching[] = {
#embed "../../../docs/matching.md"
};

static const unsigned char faults[] = {
#embed "../../../docs/faults.md"
};

const unsigned char *pg_agents(size_t *length)
{
    *length = sizeof agents;
    return agents;
}

const unsigned char *pg_routes(size_t *length)
{
    *length = sizeof routes;
    return routes;
}

const unsigned char *pg_matching(size_t *length)
{
    *length = sizeof matching;
    return matching;
}

const unsigned char *pg_faults(size_t *length)
{
    *length = sizeof faults;
    return faults;
}
