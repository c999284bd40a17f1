/* How connections begin: plain, secured, or as the client's first byte says. */
#include "conn.h"

#include <stdlib.h>
#include <sys/socket.h>

cr_beginning *cr_beginning_new(uint16_t port, const cr_protocol *protocol) {
    cr_beginning *beginning = calloc(1, sizeof *beginning);
    if (!beginning) return NULL;
    beginning->users = 1;
    beginning->origin.port = port;
    beginning->protocol = protocol;
    return beginning;
}

void cr_beginning_release(cr_beginning *beginning) {
    if (--beginning->users) return;
    if (beginning->free_context) beginning->free_context(beginning->context);
    free(beginning);
}

void cr_listener_secure(cr_listener *listener, cr_security security, const cr_transport *transport, void *context,
                        void (*free_context)(void *context)) {
    cr_beginning *beginning = listener->beginning;
    beginning->origin.security = (uint8_t)security;
    beginning->secured = transport;
    beginning->context = context;
    beginning->free_context = free_context;
}

static bool use(cr_conn *conn, const cr_transport *transport) {
    if (transport->open && !transport->open(conn, conn->beginning->context)) return false;
    conn->transport = transport;
    return true;
}

/* Looks at the first byte, and goes on with the handshake of the transport that it belongs to. */
static int decide(cr_conn *conn) {
    uint8_t first;
    ssize_t n;
    do {
        n = recv(conn->fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    if (n <= 0) {
        if (n == 0) errno = ECONNRESET;
        return -1;
    }
    const cr_transport *secured = conn->beginning->secured;
    if (!use(conn, secured->is_first(first) ? secured : &cr_plain_transport)) {
        errno = ENOMEM;
        return -1;
    }
    if (!conn->transport->handshake) return 0;
    cr_conn_wait_for(conn, CR_WAITING_HANDSHAKE);
    return conn->transport->handshake(conn);
}

/* The transport of connections that may be plain or secured, until their clients have sent a byte. */
static const cr_transport undecided = {
    .handshake = decide,
    .unsent = cr_socket_unsent,
    .has_left = cr_socket_has_left,
    .was_reset = cr_socket_was_reset,
    .shut = cr_socket_shut,
    .close = cr_socket_close,
};

bool cr_conn_use_first_transport(cr_conn *conn) {
    switch ((cr_security)conn->beginning->origin.security) {
    case CR_SECURED:
        return use(conn, conn->beginning->secured);
    case CR_PLAIN_OR_SECURED:
        return use(conn, &undecided);
    case CR_PLAIN:
        break;
    }
    return use(conn, &cr_plain_transport);
}

/* ---- Listeners ---------------------------------------------------------------------------------------------------- */

/* Completes what connections of a listener begin with; it is of no use if there is no listener. */
static cr_listener *complete(cr_listener *listener, cr_beginning *beginning) {
    if (listener) {
        beginning->origin.port = cr_listener_port(listener);
    } else {
        int error = errno;
        cr_beginning_release(beginning);
        errno = error;
    }
    return listener;
}

cr_listener *cr_listen_tcp(cr_loop *loop, const char *address, uint16_t port, bool share, const cr_protocol *protocol) {
    cr_beginning *beginning = cr_beginning_new(port, protocol);
    return beginning ? complete(cr_listener_tcp(loop, address, port, share, beginning), beginning) : NULL;
}

cr_listener *cr_listen_unix(cr_loop *loop, const char *path, const cr_protocol *protocol) {
    cr_beginning *beginning = cr_beginning_new(0, protocol);
    return beginning ? complete(cr_listener_unix(loop, path, beginning), beginning) : NULL;
}

cr_listener *cr_listen_tagged(cr_loop *loop, const char *address, uint16_t port, uint64_t tag, const cr_protocol *protocol,
                              void (*closed)(void *argument), void *argument) {
    cr_beginning *beginning = cr_beginning_new(port, protocol);
    if (!beginning) return NULL;
    beginning->origin.tag = tag;
    return complete(cr_listener_tagged(loop, address, port, beginning, closed, argument), beginning);
}
