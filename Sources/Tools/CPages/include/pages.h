#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/*
 * Pages of the documentation that are part of the binary, for agents to read. They are read where the loader has put
 * them: a start that does not ask for one never touches their memory.
 */

/* Returns the bytes of `docs/agents.md`, `routes.md`, `matching.md` and `faults.md`, and their length. */
const unsigned char *pg_agents(size_t *length);
const unsigned char *pg_routes(size_t *length);
const unsigned char *pg_matching(size_t *length);
const unsigned char *pg_faults(size_t *length);

#endif
