/* Connecting to a server with several addresses (RFC 8305): what is shared beside cr_dial_start. */
#ifndef CR_DIAL_H
#define CR_DIAL_H

#include "cr_call.h"
#include "loop.h"

/* Writes a socket address. Returns its length. */
socklen_t cr_address_put(const cr_address *address, uint16_t port, struct sockaddr_storage *room);
bool cr_address_equals(const cr_address *one, const cr_address *other);

/* Opens a non-blocking close-on-exec socket; -1 with errno. */
int cr_dial_socket(int family);

#endif
