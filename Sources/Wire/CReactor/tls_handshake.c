/* The handshake of TLS, what a greeting does in its place, and clients that begin with something else. */
#include "tls.h"

#include <ctype.h>

static int fail(int error) {
    errno = error;
    return -1;
}

/* ---- Greetings that are none ------------------------------------------------------------------------------------ */

/* Drops what comes. Returns -1: with EAGAIN as long as the client stays. */
static int await_leaving(cr_conn *conn) {
    uint8_t *scratch = cr_service_of(conn->loop)->scratch;
    ssize_t n = 0;
    for (int reads = 0; reads < 16; reads++) {
        n = cr_socket_read(conn, scratch, CR_SCRATCH_SIZE);
        if (n <= 0) break;
    }
    cr_tls_of(conn)->wants = CR_READABLE;
    return fail(n > 0 || (n < 0 && errno == EAGAIN) ? EAGAIN : ECONNRESET);
}

/* Ends the connection after what was written, whose end is FIN and not RST though the client goes on to send. */
static int end_broken(cr_tls *tls) {
    tls->phase = CR_TLS_BROKEN;
    cr_conn_linger(tls->conn);
    return fail(EPROTO);
}

static int send_garbage(cr_tls *tls) {
    static const char garbage[] = "\x47\xb2\x91\x0e\xf3\x5c\xd8\x2a\x77\xe1\x3b\x9f\x04\xc6\x8d\x52"
                                  "\xaa\x1f\x60\xe7\x35\x99\xfb\x4e\x83\x2d\xc0\x16\x7a\xd4\x58\xb1";
    struct iovec part = {(void *)garbage, sizeof garbage - 1};
    cr_socket_write(tls->conn, &part, 1);
    return end_broken(tls);
}

static int play(cr_tls *tls) {
    cr_conn *conn = tls->conn;
    switch (tls->greeting) {
    case CR_GREET_STALL:
        tls->phase = CR_TLS_STALLED;
        cr_conn_wait_for(conn, CR_WAITING_STALL);
        return await_leaving(conn);
    case CR_GREET_GARBAGE:
        return send_garbage(tls);
    default:
        tls->phase = CR_TLS_BROKEN;
        conn->reset = true;
        return fail(ECONNRESET);
    }
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

/* Tells a client that speaks plain HTTP, in plain HTTP, that this port does not. */
static int answer_plain(cr_conn *conn) {
    cr_tls_tell(cr_tls_of(conn), "speaks plain HTTP on a port that speaks HTTPS: use https://");
    cr_tls_drop(conn);
    conn->transport = &cr_plain_transport;
    bool speaks = cr_conn_speak(conn, conn->beginning->protocol, NULL, 0);
    if (speaks && conn->protocol->refuse) conn->protocol->refuse(conn, CR_NOT_SECURED);
    return fail(EPROTO);
}

static int give_up(cr_tls *tls) {
    if (tls->alien && isalpha(tls->first)) {
        cr_crypto.ERR_clear_error();
        return answer_plain(tls->conn);
    }
    bool began = tls->phase == CR_TLS_SHAKING;
    if (began) cr_tls_tell_failure(tls);
    cr_crypto.ERR_clear_error();
    if (began && !tls->ended) return end_broken(tls);
    tls->phase = CR_TLS_BROKEN;
    return fail(ECONNRESET);
}

/* ---- The handshake ---------------------------------------------------------------------------------------------- */

static int complete(cr_tls *tls) {
    cr_conn *conn = tls->conn;
    tls->phase = CR_TLS_READY;
    X509 *certificate = cr_ssl.SSL_get0_peer_certificate(tls->ssl);
    if (certificate && !(conn->client = cr_client_new(certificate))) return fail(ENOMEM);
    const unsigned char *protocol;
    unsigned length;
    cr_ssl.SSL_get0_alpn_selected(tls->ssl, &protocol, &length);
    if (length == 2 && !cr_conn_speak(conn, cr_tls_http2(tls->settings), NULL, 0)) return fail(ENOMEM);
    return 0;
}

/* What the client sends meanwhile waits in the socket. */
static int await_answer(cr_tls *tls) {
    tls->wants = 0;
    return fail(EAGAIN);
}

int cr_tls_handshake(cr_conn *conn) {
    cr_tls *tls = cr_tls_of(conn);
    if (tls->phase == CR_TLS_STALLED) return await_leaving(conn);
    if (tls->hello) return await_answer(tls);
    if (!tls->ssl && !cr_tls_begin(tls)) return fail(ENOMEM);
    cr_crypto.ERR_clear_error();
    if (cr_ssl.SSL_do_handshake(tls->ssl) == 1) return complete(tls);
    if (tls->hello) return await_answer(tls);
    if (cr_ssl.SSL_want(tls->ssl) == SSL_CLIENT_HELLO_CB) return play(tls);
    if (cr_tls_waits(tls)) return -1;
    return give_up(tls);
}
