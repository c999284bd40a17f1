/* TLS with servers: trust, client certificates and handshakes. Bytes are read and written by tls_io.c. */
#include "tls.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

struct cr_trust {
    _Atomic int users;
    bool checks;
    SSL_CTX *context;
    cr_credentials *credentials;
};

static cr_tls_call *call_of(const SSL *ssl) {
    return cr_tls_of_ssl(ssl)->call;
}

/* ---- Settings ------------------------------------------------------------------------------------------------ */

/* OpenSSL's callback when a server requests a certificate. */
static int on_certificate_request(SSL *ssl, void *trust) {
    cr_tls_call *call = call_of(ssl);
    call->presented = cr_credentials_present(((cr_trust *)trust)->credentials, ssl);
    return 1;
}

/* OpenSSL's callback for a session ticket. */
static int on_session(SSL *ssl, SSL_SESSION *session) {
    cr_tls_call *call = call_of(ssl);
    return call->keep_session && call->keep_session(call->owner, session);
}

static const char *set_up(cr_trust *trust, const char *authorities) {
    static const unsigned char protocols[] = "\x08http/1.1";
    SSL_CTX *context = trust->context;
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    cr_ssl.SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION);
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_MODE,
        SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS, NULL);
    /* As for listeners (tls_context.c). */
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_CLEAR_MODE, SSL_MODE_AUTO_RETRY, NULL);
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, NULL);
    cr_ssl.SSL_CTX_ctrl(
        context, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL, NULL);
    cr_ssl.SSL_CTX_sess_set_new_cb(context, on_session);
    cr_ssl.SSL_CTX_set_cert_cb(context, on_certificate_request, trust);
    cr_ssl.SSL_CTX_set_verify(context, trust->checks ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
    if (cr_ssl.SSL_CTX_set_alpn_protos(context, protocols, sizeof protocols - 1) != 0) return "out of memory";
    if (!trust->checks) return NULL;
    /* An intermediate authority or the server's own certificate may be trusted. */
    cr_crypto.X509_VERIFY_PARAM_set_flags(cr_ssl.SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
    if (trust->credentials) cr_credentials_add_trust(trust->credentials, context);
    bool done = authorities ? cr_ssl.SSL_CTX_load_verify_locations(context, authorities, NULL) == 1 :
                              cr_ssl.SSL_CTX_set_default_verify_paths(context) == 1;
    return done ? NULL : "the file of trusted authorities cannot be read";
}

static void free_trust(cr_trust *trust) {
    if (trust->context) cr_ssl.SSL_CTX_free(trust->context);
    if (trust->credentials) cr_credentials_release(trust->credentials);
    free(trust);
}

static const char *fill(cr_trust *trust, const cr_trust_config *config) {
    trust->users = 1;
    trust->checks = config->checks;
    trust->credentials = config->credentials ? cr_credentials_retain(config->credentials) : NULL;
    trust->context = cr_ssl.SSL_CTX_new(cr_ssl.TLS_client_method());
    const char *reason = trust->context ? set_up(trust, config->authorities) :
                                          "OpenSSL has no memory left, or its configuration is wrong";
    cr_crypto.ERR_clear_error();
    return reason;
}

cr_trust *cr_trust_new(const cr_trust_config *config, char problem[CR_TLS_PROBLEM_ROOM]) {
    const char *reason = cr_tls_unavailable();
    cr_trust *trust = reason ? NULL : calloc(1, sizeof *trust);
    if (!reason) reason = trust ? fill(trust, config) : "out of memory";
    if (!reason) return trust;
    snprintf(problem, CR_TLS_PROBLEM_ROOM, "%s", reason);
    if (trust) free_trust(trust);
    return NULL;
}

cr_trust *cr_trust_retain(cr_trust *trust) {
    atomic_fetch_add_explicit(&trust->users, 1, memory_order_relaxed);
    return trust;
}

void cr_trust_release(cr_trust *trust) {
    if (atomic_fetch_sub_explicit(&trust->users, 1, memory_order_acq_rel) == 1) free_trust(trust);
}

void cr_session_free(SSL_SESSION *session) {
    cr_ssl.SSL_SESSION_free(session);
}

/* ---- Connections --------------------------------------------------------------------------------------------- */

/* Sets the SNI name and the expected host of the certificate. */
static bool name_server(SSL *ssl, const char *name, bool checks) {
    uint8_t address[16];
    bool is_address = inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
    if (!is_address &&
        cr_ssl.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)name) != 1) {
        return false;
    }
    if (!checks) return true;
    X509_VERIFY_PARAM *expected = cr_ssl.SSL_get0_param(ssl);
    if (is_address) return cr_crypto.X509_VERIFY_PARAM_set1_ip_asc(expected, name) == 1;
    cr_crypto.X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return cr_crypto.X509_VERIFY_PARAM_set1_host(expected, name, 0) == 1;
}

cr_tls *cr_tls_new_call(cr_tls_call *call, cr_loop *loop, int fd) {
    cr_tls *tls = calloc(1, sizeof *tls);
    if (!tls) return NULL;
    *tls = (cr_tls){.loop = loop, .fd = fd, .call = call, .phase = CR_TLS_HANDSHAKING, .wants = CR_WRITABLE};
    SSL *ssl = cr_ssl.SSL_new(call->trust->context);
    BIO *bio = ssl && name_server(ssl, call->name, call->trust->checks) ? cr_tls_make_bio(tls) : NULL;
    if (!bio) {
        if (ssl) cr_ssl.SSL_free(ssl);
        cr_crypto.ERR_clear_error();
        free(tls);
        return NULL;
    }
    cr_ssl.SSL_set_bio(ssl, bio, bio);
    cr_ssl.SSL_set_connect_state(ssl);
    static const unsigned char protocols[] = "\x02h2\x08http/1.1";
    if (call->offers_http2) cr_ssl.SSL_set_alpn_protos(ssl, protocols, sizeof protocols - 1);
    if (call->offers_nothing) cr_ssl.SSL_set_alpn_protos(ssl, NULL, 0);
    if (call->session) cr_ssl.SSL_set_session(ssl, call->session);
    tls->ssl = ssl;
    tls->bio = bio;
    return tls;
}

/* Records why the handshake or a later call failed, in curl's words where it has any. */
void cr_tls_record_call_failure(cr_tls *tls) {
    cr_tls_call *call = tls->call;
    unsigned long error = cr_crypto.ERR_peek_error();
    int reason = ERR_GET_REASON(error);
    long verdict = cr_ssl.SSL_get_verify_result(tls->ssl);
    if (reason == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL) call->needs_http2 = true;
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) call->distrusted = true;
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED &&
        (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH)) {
        snprintf(call->error_text, sizeof call->error_text,
            "SSL: no alternative certificate subject name matches target host name '%s'", call->name);
    } else if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        snprintf(call->error_text, sizeof call->error_text, "SSL certificate problem: %s",
            cr_crypto.X509_verify_cert_error_string(verdict));
    } else if (tls->phase == CR_TLS_HANDSHAKING && reason == SSL_R_WRONG_VERSION_NUMBER) {
        snprintf(
            call->error_text, sizeof call->error_text, "the server answers in the clear, and is called by http://");
    } else if (tls->phase == CR_TLS_HANDSHAKING && reason == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
        snprintf(call->error_text, sizeof call->error_text, "the server closed the connection in the TLS handshake");
    } else if (reason == SSL_R_TLSV1_ALERT_PROTOCOL_VERSION || reason == SSL_R_UNSUPPORTED_PROTOCOL) {
        snprintf(call->error_text, sizeof call->error_text, "the server speaks no version of TLS from 1.2 on");
    } else if (error) {
        const char *reason_text = cr_crypto.ERR_reason_error_string(error);
        snprintf(
            call->error_text, sizeof call->error_text, "OpenSSL: %s", reason_text ? reason_text : "no reason is known");
    }
}

int cr_tls_handshake_call(cr_tls *tls) {
    cr_crypto.ERR_clear_error();
    if (cr_ssl.SSL_do_handshake(tls->ssl) == 1) {
        tls->phase = CR_TLS_READY;
        tls->call->was_resumed = cr_ssl.SSL_session_reused(tls->ssl) == 1;
        tls->call->chose_http2 = cr_tls_has_chosen_http2(tls->ssl);
        return 0;
    }
    if (cr_tls_waits(tls)) return -1;
    int error = errno;
    cr_tls_record_call_failure(tls);
    cr_crypto.ERR_clear_error();
    tls->phase = CR_TLS_BROKEN;
    errno = tls->call->error_text[0] ? EPROTO : tls->ended || !error || error == EAGAIN ? ECONNABORTED : error;
    return -1;
}
