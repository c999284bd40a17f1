/* TLS as a transport: what its sessions mean for a connection. */
#include "tls_transport.h"

#include <stdio.h>
#include <string.h>

static cr_tls *tls_of(const cr_conn *conn) {
    return conn->transport_state;
}

/* ---- Hooks of the session --------------------------------------------------------------------------------------- */

/* Continues the handshake as if the socket were readable. */
static void hello_resolved(cr_tls *tls) {
    cr_conn *conn = tls->context;
    conn->write_wants = CR_READABLE;
    event_active(&conn->readable, EV_READ, 0);
}

/* Logs a failed handshake: "127.0.0.1 <text> (port 8443)". */
static void log_client(cr_tls *tls, const char *text) {
    const cr_conn *conn = tls->context;
    const cr_handler *handler = &cr_service_of(conn->loop)->handler;
    const cr_origin *origin = tls->origin;
    char line[400];
    snprintf(line, sizeof line, "%s %s (port %u)", conn->peer, text, (unsigned)origin->port);
    if (handler->on_failed_handshake) {
        handler->on_failed_handshake(handler->context, line, origin, tls->server_name[0] ? tls->server_name : NULL);
    } else {
        handler->on_log(handler->context, line);
    }
}

static const cr_tls_owner owner = {.hello_resolved = hello_resolved, .log = log_client};

/* ---- The beginning and the end ---------------------------------------------------------------------------------- */

static bool open_state(cr_conn *conn, void *context) {
    return conn->transport_state =
               cr_tls_new(context, conn->loop, conn->fd, &conn->accept_config->origin, &owner, conn);
}

static bool is_first(uint8_t byte) {
    return byte == CR_TLS_HANDSHAKE_BYTE;
}

bool cr_conn_secure(cr_conn *conn, cr_tls_settings *settings, const char *name, const uint8_t *bytes, size_t length) {
    if (!open_state(conn, settings)) return false;
    conn->transport = &cr_tls_transport;
    cr_tls *tls = tls_of(conn);
    size_t name_length = strlen(name);
    if (name_length <= CR_TLS_NAME_LIMIT) memcpy(tls->server_name, name, name_length);
    if (!cr_buffer_append(&tls->preread, bytes, length)) return false;
    cr_conn_clear_protocol(conn);
    cr_conn_set_reading(conn, false);
    cr_conn_begin_handshake(conn);
    /* The socket does not report bytes that were read before. */
    event_active(&conn->readable, EV_READ, 0);
    return true;
}

static void drop(cr_conn *conn) {
    conn->client = NULL;
    cr_tls_free(tls_of(conn));
    conn->transport_state = NULL;
}

static void close_state(cr_conn *conn, bool reset) {
    cr_tls *tls = tls_of(conn);
    bool is_late = conn->waiting == CR_WAITING_HANDSHAKE && conn->deadline_ns <= conn->loop->now_ns;
    if (tls->phase == CR_TLS_HANDSHAKING && is_late) log_client(tls, "did not complete the TLS handshake in time");
    if (!reset && !conn->write_closed) cr_tls_close_notify(tls, conn->skip_close_notify);
    drop(conn);
    cr_socket_close(conn, reset);
}

/* ---- The handshake ---------------------------------------------------------------------------------------------- */

static int fail(int error) {
    errno = error;
    return -1;
}

/* Drops input. Returns -1, with EAGAIN while the client stays. */
static int await_disconnect(cr_conn *conn) {
    uint8_t *scratch = cr_service_of(conn->loop)->scratch;
    ssize_t n = 0;
    for (int reads = 0; reads < 16; reads++) {
        n = cr_socket_read(conn, scratch, CR_SCRATCH_SIZE);
        if (n <= 0) break;
    }
    tls_of(conn)->wants = CR_READABLE;
    return fail(n > 0 || (n < 0 && errno == EAGAIN) ? EAGAIN : ECONNRESET);
}

/* Answers a plain HTTP request on a TLS port, in plain HTTP, with an error. */
static int answer_plain(cr_conn *conn) {
    log_client(tls_of(conn), "speaks plain HTTP on a port that speaks HTTPS: use https://");
    drop(conn);
    conn->transport = &cr_plain_transport;
    bool speaks = cr_conn_set_protocol(conn, conn->accept_config->protocol, NULL, 0);
    if (speaks && conn->protocol->refuse) conn->protocol->refuse(conn, CR_PLAIN_ON_TLS_PORT);
    return fail(EPROTO);
}

static int complete(cr_conn *conn) {
    const cr_tls *tls = tls_of(conn);
    conn->client = tls->client;
    const cr_protocol *http2 = cr_service_of(conn->loop)->http2;
    return tls->chose_http2 && !cr_conn_set_protocol(conn, http2, NULL, 0) ? fail(ENOMEM) : 0;
}

static int handshake(cr_conn *conn) {
    switch (cr_tls_handshake(tls_of(conn))) {
    case CR_TLS_COMPLETE:
        return complete(conn);
    case CR_TLS_WAITS:
        return fail(EAGAIN);
    case CR_TLS_STALLS:
        if (conn->waiting != CR_WAITING_STALL) cr_conn_wait_for(conn, CR_WAITING_STALL);
        return await_disconnect(conn);
    case CR_TLS_RESETS:
        conn->reset = true;
        return fail(ECONNRESET);
    case CR_TLS_ENDS:
        cr_conn_linger(conn);
        return fail(EPROTO);
    case CR_TLS_IS_PLAIN:
        return answer_plain(conn);
    case CR_TLS_FAILED:
        break;
    }
    return -1;
}

/* ---- Bytes ------------------------------------------------------------------------------------------------------ */

static ssize_t read_bytes(cr_conn *conn, void *bytes, size_t length) {
    return cr_tls_read(tls_of(conn), bytes, length);
}

static ssize_t write_parts(cr_conn *conn, const struct iovec *parts, int count) {
    return cr_tls_write(tls_of(conn), parts, count);
}

static int wants(const cr_conn *conn) {
    return tls_of(conn)->wants;
}

static bool pending(const cr_conn *conn) {
    return cr_tls_pending(tls_of(conn));
}

static uint32_t unsent(const cr_conn *conn) {
    return cr_socket_unsent(conn) + tls_of(conn)->unsent;
}

static int shutdown_write(cr_conn *conn) {
    if (cr_tls_close_notify(tls_of(conn), conn->skip_close_notify) < 0) return -1;
    return cr_socket_shutdown_write(conn);
}

const cr_transport cr_tls_transport = {
    .secure = true,
    .open = open_state,
    .is_first = is_first,
    .handshake = handshake,
    .read = read_bytes,
    .write = write_parts,
    .wants = wants,
    .pending = pending,
    .unsent = unsent,
    .has_disconnected = cr_socket_has_disconnected,
    .was_reset = cr_socket_was_reset,
    .shutdown_write = shutdown_write,
    .close = close_state,
};

/* ---- Calls to servers -------------------------------------------------------------------------------------------- */

static bool open_call(cr_conn *conn, void *call) {
    return conn->transport_state = cr_tls_new_call(call, conn->loop, conn->fd);
}

static int handshake_call(cr_conn *conn) {
    return cr_tls_handshake_call(tls_of(conn));
}

static void close_call(cr_conn *conn, bool reset) {
    if (!reset && !conn->write_closed) cr_tls_close_notify(tls_of(conn), conn->skip_close_notify);
    drop(conn);
    cr_socket_close(conn, reset);
}

const cr_transport cr_tls_call_transport = {
    .secure = true,
    .begins = true,
    .open = open_call,
    .handshake = handshake_call,
    .read = read_bytes,
    .write = write_parts,
    .wants = wants,
    .pending = pending,
    .unsent = unsent,
    .has_disconnected = cr_socket_has_disconnected,
    .was_reset = cr_socket_was_reset,
    .shutdown_write = shutdown_write,
    .close = close_call,
};

const char *cr_conn_server_name(const cr_conn *conn) {
    if (conn->transport != &cr_tls_transport || !conn->transport_state) return NULL;
    const cr_tls *tls = tls_of(conn);
    return tls->server_name[0] ? tls->server_name : NULL;
}

/* ---- Listeners --------------------------------------------------------------------------------------------------- */

static void release(void *settings) {
    cr_tls_settings_release(settings);
}

void cr_listener_use_tls(cr_listener *listener, cr_tls_settings *settings) {
    cr_tls_settings_retain(settings);
    cr_security security = cr_tls_accepts_plain(settings) ? CR_PLAIN_OR_SECURED : CR_SECURED;
    cr_listener_secure(listener, security, &cr_tls_transport, settings, release);
}
