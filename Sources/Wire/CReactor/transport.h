/* Transports: tables of functions that carry bytes between connections and sockets. One is plain sockets; an encrypting
 * one keeps its state in the connection's `transport_state`.
 *
 * A call that fails because the socket is not ready sets EAGAIN, and `wants` returns what it waits for, which may be
 * the other direction. A partial write waits in the same way. */
#ifndef CR_TRANSPORT_H
#define CR_TRANSPORT_H

#include "service.h"

struct cr_transport {
    /* Whether its requests are secure. */
    bool secure;
    /* Whether our side sends the first byte of the handshake. */
    bool begins;
    /* Prepares a connection with an open socket; `context` is that of its cr_accept_config. Returns false if memory is
     * short: the caller then closes the socket. NULL if nothing is to be prepared. */
    bool (*open)(cr_conn *conn, void *context);
    /* Whether a client of this transport begins with this byte; no client of a plain protocol does. NULL if no listener
     * takes both. */
    bool (*is_first)(uint8_t byte);
    /* Starts or continues the handshake, first when bytes of the client have arrived. Returns 0 when it is complete, -1
     * with errno if it waits (EAGAIN) or failed. It may choose the protocol (cr_conn_set_protocol), or let the
     * connection linger instead. NULL for no handshake. */
    int (*handshake)(cr_conn *conn);
    /* Reads like recv(2), without EINTR. */
    ssize_t (*read)(cr_conn *conn, void *bytes, size_t length);
    /* Writes like sendmsg(2), without EINTR. Bytes that it did not take come first in the next call, perhaps at another
     * address and followed by more. */
    ssize_t (*write)(cr_conn *conn, const struct iovec *parts, int count);
    /* Sends bytes of a file from `offset` on without a copy, like sendfile(2), without EINTR. Returns 0 at the end of
     * the file. NULL if the caller has to read the file. */
    ssize_t (*send_file)(cr_conn *conn, int fd, uint64_t offset, size_t length);
    /* CR_READABLE or CR_WRITABLE: what the last incomplete call waits for. NULL if reads wait for readable and writes
     * for writable. */
    int (*wants)(const cr_conn *conn);
    /* Whether a read would return bytes though the socket may have none. NULL for never. */
    bool (*pending)(const cr_conn *conn);
    /* The number of written bytes that the client has not received. */
    uint32_t (*unsent)(const cr_conn *conn);
    /* Whether the client closed or reset the connection, even if some of its bytes were not read. */
    bool (*has_disconnected)(const cr_conn *conn);
    /* Whether the client, or its system, reset the connection. */
    bool (*was_reset)(const cr_conn *conn);
    /* Ends the sending side and leaves the reading side open; without the transport's own end if `skip_close_notify`.
     * Returns 0 when done or impossible, -1 with EAGAIN. */
    int (*shutdown_write)(cr_conn *conn);
    /* Closes the socket, with FIN or RST, and frees what `open` made; `skip_close_notify` as above. Never waits. */
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
bool cr_socket_has_disconnected(const cr_conn *conn);
bool cr_socket_was_reset(const cr_conn *conn);
int cr_socket_shutdown_write(cr_conn *conn);
void cr_socket_close(cr_conn *conn, bool reset);
/* Enables TCP keep-alive every 15 seconds: if the client's system is gone, the connection is reset. A client's system
 * still answers for about a minute after the client closed. */
void cr_socket_probe(cr_conn *conn);

#endif
