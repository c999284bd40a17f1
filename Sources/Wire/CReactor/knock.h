/* Asking a proxy for a way to a server. */
#ifndef CR_KNOCK_H
#define CR_KNOCK_H

#include "cr_call.h"
#include "loop.h"

typedef struct cr_knock cr_knock;

/* Called once, never within cr_knock_start: with the socket, which the callee owns, and behind which the server listens; or with -1
 * and what the proxy did instead. The knock is gone. */
typedef void cr_knock_done(void *argument, int fd, const char *text);

/* Sends a head by CONNECT on a connected socket, which it takes over, and reads the answer. NULL if memory is short. */
cr_knock *cr_knock_start(cr_loop *loop, int fd, const uint8_t *head, size_t length, cr_knock_done *done, void *argument);
/* Closes the socket, and calls nothing. */
void cr_knock_cancel(cr_knock *knock);

#endif
