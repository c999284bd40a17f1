/* The TLS handshake with a client, hello actions that replace it, and clients that do not speak TLS. */
#include "sockets.h"
#include "tls.h"

#include <ctype.h>

static cr_tls_progress fail(int error) {
    errno = error;
    return CR_TLS_FAILED;
}

/* ---- Hello actions in place of a handshake ---------------------------------------------------------------------- */

/* Ends TLS with FIN, not RST, though the client may go on sending. */
static cr_tls_progress end_broken(cr_tls *tls) {
    tls->phase = CR_TLS_BROKEN;
    return CR_TLS_ENDS;
}

static cr_tls_progress send_garbage(cr_tls *tls) {
    static const char garbage[] = "\x47\xb2\x91\x0e\xf3\x5c\xd8\x2a\x77\xe1\x3b\x9f\x04\xc6\x8d\x52"
                                  "\xaa\x1f\x60\xe7\x35\x99\xfb\x4e\x83\x2d\xc0\x16\x7a\xd4\x58\xb1";
    struct iovec part = {(void *)garbage, sizeof garbage - 1};
    cr_fd_write(tls->fd, &part, 1);
    return end_broken(tls);
}

static cr_tls_progress run_hello_action(cr_tls *tls) {
    switch (tls->hello_kind) {
    case CR_HELLO_STALL:
        tls->phase = CR_TLS_STALLED;
        return CR_TLS_STALLS;
    case CR_HELLO_GARBAGE:
        return send_garbage(tls);
    default:
        tls->phase = CR_TLS_BROKEN;
        return CR_TLS_RESETS;
    }
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

static cr_tls_progress fail_handshake(cr_tls *tls) {
    if (tls->not_tls && isalpha(tls->first)) {
        cr_crypto.ERR_clear_error();
        return CR_TLS_IS_PLAIN;
    }
    bool began = tls->phase == CR_TLS_HANDSHAKING;
    if (began) cr_tls_log_failure(tls);
    cr_crypto.ERR_clear_error();
    if (began && !tls->ended) return end_broken(tls);
    tls->phase = CR_TLS_BROKEN;
    return fail(ECONNRESET);
}

/* ---- The handshake ---------------------------------------------------------------------------------------------- */

bool cr_tls_has_chosen_http2(const SSL *ssl) {
    const unsigned char *protocol;
    unsigned length;
    cr_ssl.SSL_get0_alpn_selected(ssl, &protocol, &length);
    return length == 2 && !memcmp(protocol, "h2", 2);
}

static cr_tls_progress complete(cr_tls *tls) {
    tls->phase = CR_TLS_READY;
    X509 *certificate = cr_ssl.SSL_get0_peer_certificate(tls->ssl);
    if (certificate && !(tls->client = cr_client_cert_new(certificate))) return fail(ENOMEM);
    tls->chose_http2 = cr_tls_has_chosen_http2(tls->ssl);
    return CR_TLS_COMPLETE;
}

/* Further input waits in the socket. */
static cr_tls_progress await_action(cr_tls *tls) {
    tls->wants = 0;
    return CR_TLS_WAITS;
}

cr_tls_progress cr_tls_handshake(cr_tls *tls) {
    if (tls->phase == CR_TLS_STALLED) return CR_TLS_STALLS;
    if (tls->hello) return await_action(tls);
    if (!tls->ssl && !cr_tls_begin(tls)) return fail(ENOMEM);
    cr_crypto.ERR_clear_error();
    if (cr_ssl.SSL_do_handshake(tls->ssl) == 1) return complete(tls);
    if (tls->hello) return await_action(tls);
    if (cr_ssl.SSL_want(tls->ssl) == SSL_CLIENT_HELLO_CB) return run_hello_action(tls);
    if (cr_tls_waits(tls)) return CR_TLS_WAITS;
    return fail_handshake(tls);
}
