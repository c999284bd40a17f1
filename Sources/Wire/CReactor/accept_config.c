/* How connections begin: plain, secured, or as the client's first byte says. */
#include "conn.h"

#include <stdlib.h>
#include <sys/socket.h>

cr_accept_config *cr_accept_config_new(uint16_t port, const cr_protocol *protocol) {
    cr_accept_config *accept_config = calloc(1, sizeof *accept_config);
    if (!accept_config) return NULL;
    accept_config->users = 1;
    accept_config->origin.port = port;
    accept_config->protocol = protocol;
    return accept_config;
}

void cr_accept_config_release(cr_accept_config *accept_config) {
    if (--accept_config->users) return;
    if (accept_config->free_context) accept_config->free_context(accept_config->context);
    free(accept_config);
}

void cr_listener_secure(cr_listener *listener, cr_security security, const cr_transport *transport, void *context,
    void (*free_context)(void *context)) {
    cr_accept_config *accept_config = listener->accept_config;
    accept_config->origin.security = (uint8_t)security;
    accept_config->secured = transport;
    accept_config->context = context;
    accept_config->free_context = free_context;
}

static bool use(cr_conn *conn, const cr_transport *transport) {
    if (transport->open && !transport->open(conn, conn->accept_config->context)) return false;
    conn->transport = transport;
    return true;
}

/* Peeks at the first byte and starts the matching transport. */
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
    const cr_transport *secured = conn->accept_config->secured;
    if (!use(conn, secured->is_first(first) ? secured : &cr_plain_transport)) {
        errno = ENOMEM;
        return -1;
    }
    if (!conn->transport->handshake) return 0;
    cr_conn_wait_for(conn, CR_WAITING_HANDSHAKE);
    return conn->transport->handshake(conn);
}

/* The transport of connections that may be plain or secured, until the first byte. */
static const cr_transport undecided = {
    .handshake = decide,
    .unsent = cr_socket_unsent,
    .has_disconnected = cr_socket_has_disconnected,
    .was_reset = cr_socket_was_reset,
    .shutdown_write = cr_socket_shutdown_write,
    .close = cr_socket_close,
};

bool cr_conn_use_first_transport(cr_conn *conn) {
    switch ((cr_security)conn->accept_config->origin.security) {
    case CR_SECURED:
        return use(conn, conn->accept_config->secured);
    case CR_PLAIN_OR_SECURED:
        return use(conn, &undecided);
    case CR_PLAIN:
        break;
    }
    return use(conn, &cr_plain_transport);
}

/* ---- Listeners --------------------------------------------------------------------------------------------------- */

/* Completes the config of a new listener; releases it if there is no listener. */
static cr_listener *complete(cr_listener *listener, cr_accept_config *accept_config) {
    if (listener) {
        accept_config->origin.port = cr_listener_port(listener);
    } else {
        int error = errno;
        cr_accept_config_release(accept_config);
        errno = error;
    }
    return listener;
}

cr_listener *cr_listen_tcp(cr_loop *loop, const char *address, uint16_t port, bool share, const cr_protocol *protocol) {
    cr_accept_config *accept_config = cr_accept_config_new(port, protocol);
    return accept_config ? complete(cr_listener_tcp(loop, address, port, share, accept_config), accept_config) : NULL;
}

cr_listener *cr_listen_unix(cr_loop *loop, const char *path, const cr_protocol *protocol) {
    cr_accept_config *accept_config = cr_accept_config_new(0, protocol);
    return accept_config ? complete(cr_listener_unix(loop, path, accept_config), accept_config) : NULL;
}

cr_listener *cr_listen_tagged(cr_loop *loop, const char *address, uint16_t port, uint64_t tag,
    const cr_protocol *protocol, void (*closed)(void *argument), void *argument) {
    cr_accept_config *accept_config = cr_accept_config_new(port, protocol);
    if (!accept_config) return NULL;
    accept_config->origin.tag = tag;
    return complete(cr_listener_tagged(loop, address, port, accept_config, closed, argument), accept_config);
}
