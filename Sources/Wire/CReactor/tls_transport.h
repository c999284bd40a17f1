/* TLS as a transport. */
#ifndef CR_TLS_TRANSPORT_H
#define CR_TLS_TRANSPORT_H

#include "conn.h"
#include "tls_session.h"

extern const cr_transport cr_tls_transport;
/* For connections to servers; the context of its accept config is a cr_tls_call. */
extern const cr_transport cr_tls_call_transport;

/* Starts TLS on a plain connection, with bytes that were already received. `name` is the server's name for a client
 * without SNI. Returns false if memory is short. No function of the present protocol on the stack may use its state
 * afterwards. */
bool cr_conn_secure(cr_conn *conn, cr_tls_settings *settings, const char *name, const uint8_t *bytes, size_t length);

#endif
