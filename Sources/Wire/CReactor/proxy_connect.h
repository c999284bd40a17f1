/* CONNECT through a proxy, from the client's side. */
#ifndef CR_PROXY_CONNECT_H
#define CR_PROXY_CONNECT_H

#include "cr_call.h"
#include "loop.h"

typedef struct cr_proxy_connect cr_proxy_connect;

/* Called once, never inside cr_proxy_connect_start: with the socket, which the callee owns and which leads to the
 * server now; or with -1 and the proxy's failure as text. The cr_proxy_connect is freed. */
typedef void cr_proxy_connect_done(void *argument, int fd, const char *text);

/* Sends the head of a CONNECT on a connected socket, which it takes over, and reads the answer. Returns NULL if memory
 * is short. */
cr_proxy_connect *cr_proxy_connect_start(
    cr_loop *loop, int fd, const uint8_t *head, size_t length, cr_proxy_connect_done *done, void *argument);
/* Closes the socket without a callback. */
void cr_proxy_connect_cancel(cr_proxy_connect *proxy_connect);

#endif
