/* The seam between connections and sockets: a table of functions that carry bytes between them. Plain sockets are the
 * first such table; one that encrypts keeps its state in the connection's `transport_state`.
 *
 * A call that fails because the socket is not ready sets EAGAIN, and `wants` returns what it waits for, which may be
 * the other direction. A write that took only some of its bytes waits in the same way. */
#ifndef CR_TRANSPORT_H
#define CR_TRANSPORT_H

#include "service.h"

struct cr_transport {
    /* Whether requests that come through it are secure. */
    bool secure;
    /* Whether our side begins the handshake. */
    bool begins;
    /* Prepares a connection whose socket was accepted, with the context of its beginning. Returns false if memory is
     * short: the caller then closes the socket. NULL if nothing is to be prepared. */
    bool (*open)(cr_conn *conn, void *context);
    /* Whether this byte is the first that a client of the transport sends, and that no client of a plain protocol does.
     * NULL if no listener takes both. */
    bool (*is_first)(uint8_t byte);
    /* Begins or continues the handshake, first when bytes of the client have arrived. Returns 0 when it is complete, -1
     * with errno if it waits (EAGAIN) or has failed. It may choose the protocol (cr_conn_speak) before it is complete, and
     * it may let the connection linger instead.
     * NULL if there is none. */
    int (*handshake)(cr_conn *conn);
    /* Reads like recv(2), without EINTR. */
    ssize_t (*read)(cr_conn *conn, void *bytes, size_t length);
    /* Writes like sendmsg(2), without EINTR. The bytes that it did not take come again first in the next call, perhaps
     * at another address and followed by more. */
    ssize_t (*write)(cr_conn *conn, const struct iovec *parts, int count);
    /* Sends bytes of a file from an offset on without a copy, like sendfile(2), without EINTR; returns 0 if the file
     * ends there. NULL if bytes of a file have to be read first. */
    ssize_t (*send_file)(cr_conn *conn, int fd, uint64_t offset, size_t length);
    /* CR_READABLE or CR_WRITABLE: what the last incomplete call waits for. NULL if a read always waits for bytes and a
     * write for room. */
    int (*wants)(const cr_conn *conn);
    /* Whether a read would yield bytes though the socket may have none, after a read or a write. NULL if that cannot be.
     */
    bool (*pending)(const cr_conn *conn);
    /* The number of bytes taken that the client has not received. */
    uint32_t (*unsent)(const cr_conn *conn);
    /* Whether the client closed or reset the connection, even if not everything that it sent was read. */
    bool (*has_left)(const cr_conn *conn);
    /* Whether the client, or its system, reset the connection. */
    bool (*was_reset)(const cr_conn *conn);
    /* Ends the sending side and leaves the reading side open: without a word of the transport's own if the connection is
     * `cut`. Returns 0 when that is done or impossible, -1 with EAGAIN. */
    int (*shut)(cr_conn *conn);
    /* Closes the socket, with FIN or with RST, and frees what `open` made; `cut` as above. Never waits. */
    void (*close)(cr_conn *conn, bool reset);
};

/* ---- io.c ---- */

/* The transport of plain bytes. Other transports use its functions, too. */
extern const cr_transport cr_plain_transport;

ssize_t cr_socket_read(cr_conn *conn, void *bytes, size_t length);
ssize_t cr_socket_write(cr_conn *conn, const struct iovec *parts, int count);
#ifdef __linux__
ssize_t cr_socket_send_file(cr_conn *conn, int fd, uint64_t offset, size_t length);
#endif
uint32_t cr_socket_unsent(const cr_conn *conn);
bool cr_socket_has_unread(const cr_conn *conn);
bool cr_socket_has_left(const cr_conn *conn);
bool cr_socket_was_reset(const cr_conn *conn);
int cr_socket_shut(cr_conn *conn);
void cr_socket_close(cr_conn *conn, bool reset);
/* Lets the system check every 15 seconds whether a silent client still exists; if it does not, the connection is reset.
 * A client's system still answers for about a minute after the client closed. */
void cr_socket_probe(cr_conn *conn);

#endif
