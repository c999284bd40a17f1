/* Intercepted CONNECTs: the client is served as if it had connected to the host it named, with or without TLS, as its
 * first byte says. */
#include "tls_transport.h"

#include <string.h>

struct cr_intercept {
    cr_continuation continuation;
    cr_tls_settings *settings;
    char host[CR_TLS_NAME_LIMIT + 1];
};

static void free_intercept(cr_conn *conn) {
    cr_tls_settings_release(conn->intercept->settings);
    free(conn->intercept);
    conn->intercept = NULL;
}

static bool open_state(cr_conn *conn) {
    (void)conn;
    return true;
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    if (!length) return;
    if (bytes[0] != CR_TLS_HANDSHAKE_BYTE) {
        cr_conn_set_protocol(conn, conn->accept_config->protocol, bytes, length);
    } else if (!cr_conn_secure(conn, conn->intercept->settings, conn->intercept->host, bytes, length)) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    }
}

static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    (void)conn, (void)outcome;
}

static const cr_protocol intercept_protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .ended = ended,
};

bool cr_stream_intercept_tunnel(cr_stream *stream, cr_tls_settings *settings, const char *host) {
    cr_conn *conn = stream->conn;
    size_t length = strlen(host);
    if (conn->transport->secure || conn->intercept || length > CR_TLS_NAME_LIMIT) return false;
    cr_intercept *intercept = calloc(1, sizeof *intercept);
    if (!intercept || !cr_stream_upgrade_forced(stream, &intercept_protocol)) {
        free(intercept);
        return false;
    }
    intercept->continuation.free = free_intercept;
    intercept->settings = cr_tls_settings_retain(settings);
    memcpy(intercept->host, host, length);
    conn->intercept = intercept;
    return true;
}
