/* The transport of TLS. */
#ifndef CR_TLS_TRANSPORT_H
#define CR_TLS_TRANSPORT_H

#include "conn.h"
#include "tls_session.h"

extern const cr_transport cr_tls_transport;
/* That of connections to servers; the context of its beginning is a cr_tls_call. */
extern const cr_transport cr_tls_call_transport;

/* Goes on in TLS with a plain connection, with bytes of the client that have come already. `name` is the server for a client
 * that names none. Returns false if memory is short. None of its protocol's functions may be on the stack that goes on to use
 * its state. */
bool cr_conn_secure(cr_conn *conn, cr_tls_settings *settings, const char *name, const uint8_t *bytes, size_t length);

#endif
