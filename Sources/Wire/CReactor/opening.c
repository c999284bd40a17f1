/* Tunnels that are opened here: the client goes on as if it had connected to the host for which it asked, in TLS or in the
 * clear, as its first byte says. */
#include "tls_transport.h"

#include <string.h>

struct cr_opening {
    cr_sequel sequel;
    cr_tls_settings *settings;
    char host[CR_TLS_NAME_LIMIT + 1];
};

static void free_opening(cr_conn *conn) {
    cr_tls_settings_release(conn->opening->settings);
    free(conn->opening);
    conn->opening = NULL;
}

static bool open_state(cr_conn *conn) {
    (void)conn;
    return true;
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    if (!length) return;
    if (bytes[0] != CR_TLS_HANDSHAKE_BYTE) {
        cr_conn_speak(conn, conn->beginning->protocol, bytes, length);
    } else if (!cr_conn_secure(conn, conn->opening->settings, conn->opening->host, bytes, length)) {
        cr_conn_close(conn, CR_CLIENT_GONE);
    }
}

static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_GONE);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    (void)conn, (void)outcome;
}

static const cr_protocol opening_protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .ended = ended,
};

bool cr_stream_open_tunnel(cr_stream *stream, cr_tls_settings *settings, const char *host) {
    cr_conn *conn = stream->conn;
    size_t length = strlen(host);
    if (conn->transport->secure || conn->opening || length > CR_TLS_NAME_LIMIT) return false;
    cr_opening *opening = calloc(1, sizeof *opening);
    if (!opening || !cr_stream_upgrade_kept(stream, &opening_protocol)) {
        free(opening);
        return false;
    }
    opening->sequel.free = free_opening;
    opening->settings = cr_tls_settings_retain(settings);
    memcpy(opening->host, host, length);
    conn->opening = opening;
    return true;
}
