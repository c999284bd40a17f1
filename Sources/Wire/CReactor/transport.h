/* The one seam between connections and sockets: a table of what carries bytes between them. Plain sockets are its first
 * row; a row that encrypts keeps its state in the connection's `transport_state`.
 *
 * A call that fails because the socket is not ready sets EAGAIN, and `wants` says what it waits for, which may be the other
 * direction. A write that took only some of its bytes waits in the same way. */
#ifndef CR_TRANSPORT_H
#define CR_TRANSPORT_H

#include "loop.h"

struct cr_transport {
    /* Requests that come through it are secure. */
    bool secure;
    /* Prepares a connection whose socket was accepted, with the context of its listener. False where memory is short: the
     * caller closes the socket then. NULL where nothing is to be prepared. */
    bool (*open)(cr_conn *conn, void *context);
    /* Begins or goes on with the handshake, first when bytes of the client are there. 0 when it is complete, -1 with errno
     * where it waits (EAGAIN) or has failed. NULL where there is none. */
    int (*handshake)(cr_conn *conn);
    /* As recv(2), without EINTR. */
    ssize_t (*read)(cr_conn *conn, void *bytes, size_t length);
    /* As sendmsg(2), without EINTR. The bytes that it did not take come again first in the next call, perhaps at another
     * place and with more behind them. */
    ssize_t (*write)(cr_conn *conn, const struct iovec *parts, int count);
    /* CR_READABLE or CR_WRITABLE: what the last call that was not done waits for. NULL where a read waits for bytes and a write for room. */
    int (*wants)(const cr_conn *conn);
    /* Whether a read would bring something though the socket may have nothing to read. NULL where that cannot be. */
    bool (*pending)(const cr_conn *conn);
    /* How many bytes were taken that the client has not. */
    uint32_t (*unsent)(const cr_conn *conn);
    /* Whether the client closed or reset, though not all that it sent was read. */
    bool (*has_left)(const cr_conn *conn);
    /* Whether the client reset the connection, or its system did in its place. */
    bool (*was_reset)(const cr_conn *conn);
    /* Ends the sending side and leaves the reading side open. 0 when that is done or cannot be, -1 with EAGAIN. */
    int (*shut)(cr_conn *conn);
    /* Closes the socket, with FIN or with RST, and frees what `open` made. Never waits. */
    void (*close)(cr_conn *conn, bool reset);
};

/* ---- io.c ---- */

/* Bytes as they are. The functions of its row serve other rows, too. */
extern const cr_transport cr_plain_transport;

ssize_t cr_socket_read(cr_conn *conn, void *bytes, size_t length);
ssize_t cr_socket_write(cr_conn *conn, const struct iovec *parts, int count);
uint32_t cr_socket_unsent(const cr_conn *conn);
bool cr_socket_has_left(const cr_conn *conn);
bool cr_socket_was_reset(const cr_conn *conn);
int cr_socket_shut(cr_conn *conn);
void cr_socket_close(cr_conn *conn, bool reset);
/* Asks the system of a client that sends nothing any more whether it is still there, every 15 seconds: the connection is
 * reset where it is not. A client's system knows that for about a minute after the client closed. */
void cr_socket_probe(cr_conn *conn);

#endif
