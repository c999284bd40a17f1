/* TLS settings of listeners. */
#include "tls.h"

#include <stdio.h>
#include <string.h>

/* ---- Protocols -------------------------------------------------------------------------------------------------- */

static bool offers_http2(const cr_tls_settings *settings) {
    return settings->config.offers_http2 && settings->config.offers_http2();
}

static const unsigned char *find(const unsigned char *list, unsigned length, const char *name) {
    size_t name_length = strlen(name);
    for (unsigned at = 0; at < length; at += 1u + list[at]) {
        if (list[at] == name_length && at + 1 + name_length <= length && !memcmp(list + at + 1, name, name_length)) {
            return list + at;
        }
    }
    return NULL;
}

/* Whether the chosen cipher is allowed in HTTP/2: those forbidden by RFC 9113 appendix A lack ephemeral keys or are not
 * AEAD. */
static bool suits_http2(SSL *ssl) {
    const SSL_CIPHER *cipher = cr_ssl.SSL_get_pending_cipher(ssl);
    if (!cipher) return false;
    int exchange = cr_ssl.SSL_CIPHER_get_kx_nid(cipher);
    bool is_ephemeral = exchange == NID_kx_ecdhe || exchange == NID_kx_dhe || exchange == NID_kx_any;
    return is_ephemeral && cr_ssl.SSL_CIPHER_is_aead(cipher);
}

/* ALPN: chooses among the client's protocols. A client that offers none of ours gets an alert. */
static int on_protocols(SSL *ssl, const unsigned char **chosen, unsigned char *chosen_length, const unsigned char *list,
    unsigned length, void *argument) {
    const unsigned char *found = offers_http2(argument) ? find(list, length, "h2") : NULL;
    if (found && !suits_http2(ssl)) found = NULL;
    if (!found) found = find(list, length, "http/1.1");
    if (!found) found = find(list, length, "http/1.0");
    if (!found) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = found + 1;
    *chosen_length = *found;
    return SSL_TLSEXT_ERR_OK;
}

/* ---- Settings --------------------------------------------------------------------------------------------------- */

static bool trust(void *context, X509 *certificate) {
    X509_STORE *store = cr_ssl.SSL_CTX_get_cert_store(context);
    bool done = cr_crypto.X509_STORE_add_cert(store, certificate) && cr_ssl.SSL_CTX_add_client_CA(context, certificate);
    cr_crypto.X509_free(certificate);
    return done;
}

/* Requests client certificates. Returns NULL or the problem. */
static const char *request_client_certificates(SSL_CTX *context, const cr_tls_config *config) {
    if (config->client_certificates == CR_CLIENT_CERTIFICATES_IGNORED) return NULL;
    int count = cr_tls_read_certificates(config->trust, config->trust_length, trust, context);
    if (count == 0) return "the trusted authorities of clients are no PEM with a line -----BEGIN CERTIFICATE-----";
    if (count < 0) return "a certificate of the trusted authorities of clients cannot be read";
    bool required = config->client_certificates == CR_CLIENT_CERTIFICATES_REQUIRED;
    cr_ssl.SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
    /* An intermediate authority or the client's own certificate may be trusted. */
    cr_crypto.X509_VERIFY_PARAM_set_flags(cr_ssl.SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
    return NULL;
}

/* Security level 0 allows presenting weak keys and old versions on purpose; the cipher list stays strong. */
static void set_up(SSL_CTX *context, cr_tls_settings *settings) {
    cr_ssl.SSL_CTX_set_security_level(context, 0);
    cr_ssl.SSL_CTX_set_cipher_list(context, "HIGH:!aNULL:!MD5:!PSK:!SRP:!CAMELLIA:!ARIA:!AESCCM");
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, TLS1_3_VERSION, NULL);
    cr_ssl.SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_MODE,
        SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS, NULL);
    /* A read returns after a protocol message, so that a client that sends only these does not hold the loop. */
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_CLEAR_MODE, SSL_MODE_AUTO_RETRY, NULL);
    /* Reads a record's header and content in one call. */
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, NULL);
    /* Clients keep sessions in tickets. */
    cr_ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
    cr_ssl.SSL_CTX_set_num_tickets(context, 1);
    cr_ssl.SSL_CTX_set_client_hello_cb(context, cr_tls_on_client_hello, settings);
    cr_ssl.SSL_CTX_set_alpn_select_cb(context, on_protocols, settings);
}

static void free_settings(cr_tls_settings *settings) {
    if (settings->context) cr_ssl.SSL_CTX_free(settings->context);
    free(settings);
}

static const char *fill(cr_tls_settings *settings, const cr_tls_config *config) {
    settings->users = 1;
    settings->config = *config;
    settings->config.trust = NULL;
    settings->context = cr_ssl.SSL_CTX_new(cr_ssl.TLS_server_method());
    if (!settings->context) {
        cr_crypto.ERR_clear_error();
        return "OpenSSL has no memory left, or its configuration is wrong";
    }
    set_up(settings->context, settings);
    cr_crypto.ERR_clear_error();
    return request_client_certificates(settings->context, config);
}

cr_tls_settings *cr_tls_settings_new(const cr_tls_config *config, char problem[CR_TLS_PROBLEM_ROOM]) {
    const char *reason = cr_tls_unavailable();
    cr_tls_settings *settings = reason ? NULL : calloc(1, sizeof *settings);
    if (!reason) reason = settings ? fill(settings, config) : "out of memory";
    if (!reason) return settings;
    snprintf(problem, CR_TLS_PROBLEM_ROOM, "%s", reason);
    if (settings) free_settings(settings);
    return NULL;
}

cr_tls_settings *cr_tls_settings_retain(cr_tls_settings *settings) {
    atomic_fetch_add_explicit(&settings->users, 1, memory_order_relaxed);
    return settings;
}

bool cr_tls_accepts_plain(const cr_tls_settings *settings) {
    return settings->config.accepts_plain;
}

void cr_tls_settings_release(cr_tls_settings *settings) {
    if (atomic_fetch_sub_explicit(&settings->users, 1, memory_order_acq_rel) > 1) return;
    if (settings->config.free_context) settings->config.free_context(settings->config.context);
    free_settings(settings);
}

bool cr_tls_begin(cr_tls *tls) {
    SSL *ssl = cr_ssl.SSL_new(tls->settings->context);
    BIO *bio = ssl ? cr_tls_make_bio(tls) : NULL;
    if (!bio) {
        if (ssl) cr_ssl.SSL_free(ssl);
        cr_crypto.ERR_clear_error();
        return false;
    }
    cr_ssl.SSL_set_bio(ssl, bio, bio);
    cr_ssl.SSL_set_accept_state(ssl);
    tls->ssl = ssl;
    tls->bio = bio;
    return true;
}
