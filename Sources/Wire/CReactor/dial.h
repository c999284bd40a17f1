/* Connecting to a server that has several addresses (RFC 8305). */
#ifndef CR_DIAL_H
#define CR_DIAL_H

#include "cr_call.h"
#include "loop.h"

typedef struct cr_dial cr_dial;

/* Called once, never within cr_dial_start: with a connected socket, which the callee owns, and its address; or with -1 and the
 * error of the first address that was tried, EACCES if none was admitted. The dial is gone. */
typedef void cr_dial_done(void *argument, int fd, const cr_address *address, int error);

/* Begins to connect. `admits` judges each address before it is tried; NULL admits all. `addresses`, of which there is at least
 * one, must stay. Returns NULL if memory is short. */
cr_dial *cr_dial_start(cr_loop *loop, const cr_address *addresses, size_t count, uint16_t port,
                       bool (*admits)(void *context, const cr_address *address), void *context, cr_dial_done *done,
                       void *argument);
/* Closes all sockets, and calls nothing. */
void cr_dial_cancel(cr_dial *dial);

/* Writes the address with a port. Returns the length of `*room`. */
socklen_t cr_address_put(const cr_address *address, uint16_t port, struct sockaddr_storage *room);
bool cr_address_equals(const cr_address *one, const cr_address *other);

#endif
