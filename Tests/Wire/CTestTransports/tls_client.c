#include "tls_client.h"

#include "loaded_library.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libcrypto's functions are found through libssl, which depends on it. */
#define FUNCTIONS(X) \
    X(BIO_free) \
    X(BIO_new) X(BIO_new_mem_buf) X(BIO_read) X(BIO_s_mem) X(BIO_write) X(BIO_ctrl) X(ERR_clear_error) \
        X(ERR_peek_error) X(ERR_reason_error_string) X(EVP_PKEY_free) X(PEM_read_bio_PrivateKey) X(PEM_read_bio_X509) \
            X(SSL_CTX_ctrl) X(SSL_CTX_free) X(SSL_CTX_get_cert_store) X(SSL_CTX_new) X(SSL_CTX_set_alpn_protos) \
                X(SSL_CTX_set_cipher_list) X(SSL_CTX_set_security_level) X(SSL_CTX_set_verify) \
                    X(SSL_CTX_use_PrivateKey) X(SSL_CTX_use_certificate) X(SSL_SESSION_free) X(SSL_ctrl) \
                        X(SSL_do_handshake) X(SSL_free) X(SSL_get0_alpn_selected) X(SSL_get0_peer_certificate) \
                            X(SSL_get1_session) X(SSL_get_error) X(SSL_get_version) X(SSL_key_update) X(SSL_new) \
                                X(SSL_read) X(SSL_session_reused) X(SSL_set_bio) X(SSL_set_connect_state) \
                                    X(SSL_set_session) X(SSL_set_shutdown) X(SSL_shutdown) X(SSL_write) \
                                        X(TLS_client_method) X(X509_NAME_get_text_by_NID) X(X509_STORE_add_cert) \
                                            X(X509_free) X(X509_get_subject_name)

static LOADED_TABLE(FUNCTIONS) ssl;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib", "/usr/local/opt/openssl@3/lib/libssl.3.dylib",
#else
    "libssl.so.3",
#endif
    NULL,
};

static struct loaded_library library = {
    LOADED_FUNCTIONS(FUNCTIONS, ssl), .files = files, .missing = "the tests of TLS need OpenSSL 3",
};

struct tls_client {
    SSL_CTX *context;
    SSL *ssl;
    BIO *in, *out;
    char problem[160];
};

static bool trust(SSL_CTX *context, const char *pem) {
    BIO *source = ssl.BIO_new_mem_buf(pem, -1);
    X509 *certificate = ssl.PEM_read_bio_X509(source, NULL, NULL, NULL);
    bool done = certificate && ssl.X509_STORE_add_cert(ssl.SSL_CTX_get_cert_store(context), certificate);
    ssl.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    ssl.X509_free(certificate);
    ssl.BIO_free(source);
    return done;
}

static bool show(SSL_CTX *context, const char *certificate_pem, const char *key_pem) {
    BIO *source = ssl.BIO_new_mem_buf(certificate_pem, -1), *key_source = ssl.BIO_new_mem_buf(key_pem, -1);
    X509 *certificate = ssl.PEM_read_bio_X509(source, NULL, NULL, NULL);
    EVP_PKEY *key = ssl.PEM_read_bio_PrivateKey(key_source, NULL, NULL, NULL);
    bool done = certificate && key && ssl.SSL_CTX_use_certificate(context, certificate) == 1 &&
        ssl.SSL_CTX_use_PrivateKey(context, key) == 1;
    ssl.X509_free(certificate);
    ssl.EVP_PKEY_free(key);
    ssl.BIO_free(source);
    ssl.BIO_free(key_source);
    return done;
}

static bool set_up(SSL_CTX *context, const tls_client_options *options) {
    ssl.SSL_CTX_set_security_level(context, 0);
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, options->min_version, NULL);
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, options->max_version, NULL);
    if (options->groups && !ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, (void *)options->groups)) {
        return false;
    }
    if (options->ciphers && !ssl.SSL_CTX_set_cipher_list(context, options->ciphers)) return false;
    if (options->trust && !trust(context, options->trust)) return false;
    if (options->certificate && !show(context, options->certificate, options->key)) return false;
    unsigned length = (unsigned)options->protocols_length;
    return !options->protocols || ssl.SSL_CTX_set_alpn_protos(context, options->protocols, length) == 0;
}

static bool begin(tls_client *client, const tls_client_options *options) {
    client->context = ssl.SSL_CTX_new(ssl.TLS_client_method());
    if (!client->context || !set_up(client->context, options)) return false;
    client->ssl = ssl.SSL_new(client->context);
    if (options->server_name) {
        ssl.SSL_ctrl(
            client->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)options->server_name);
    }
    if (options->resumed) {
        SSL_SESSION *session = ssl.SSL_get1_session(options->resumed->ssl);
        if (!session || !ssl.SSL_set_session(client->ssl, session)) return false;
        ssl.SSL_SESSION_free(session);
    }
    client->in = ssl.BIO_new(ssl.BIO_s_mem());
    client->out = ssl.BIO_new(ssl.BIO_s_mem());
    /* An empty buffer means that more bytes are needed, not the end. */
    ssl.BIO_ctrl(client->in, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, NULL);
    ssl.SSL_set_bio(client->ssl, client->in, client->out);
    ssl.SSL_set_connect_state(client->ssl);
    return true;
}

tls_client *tls_client_new(const tls_client_options *options) {
    if (loaded_library_open(&library)) return NULL;
    tls_client *client = calloc(1, sizeof *client);
    if (client && !begin(client, options)) {
        tls_client_free(client);
        client = NULL;
    }
    ssl.ERR_clear_error();
    return client;
}

void tls_client_free(tls_client *client) {
    /* Without a shutdown OpenSSL would not let the session be resumed. */
    if (client->ssl) ssl.SSL_set_shutdown(client->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    ssl.SSL_free(client->ssl);
    ssl.SSL_CTX_free(client->context);
    free(client);
}

void tls_client_feed(tls_client *client, const uint8_t *bytes, size_t length) {
    if (length && ssl.BIO_write(client->in, bytes, (int)length) != (int)length) abort();
}

size_t tls_client_read_output(tls_client *client, uint8_t *bytes, size_t room) {
    int n = ssl.BIO_read(client->out, bytes, (int)room);
    return n > 0 ? (size_t)n : 0;
}

/* Maps the return value `n` of an OpenSSL call to one of the results. */
static int result(tls_client *client, int n) {
    int error = ssl.SSL_get_error(client->ssl, n);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return TLS_CLIENT_WAITS;
    if (error == SSL_ERROR_ZERO_RETURN) return TLS_CLIENT_ENDED;
    const char *reason = ssl.ERR_reason_error_string(ssl.ERR_peek_error());
    snprintf(client->problem, sizeof client->problem, "%s", reason ? reason : "unknown");
    ssl.ERR_clear_error();
    return TLS_CLIENT_FAILED;
}

int tls_client_handshake(tls_client *client) {
    ssl.ERR_clear_error();
    int n = ssl.SSL_do_handshake(client->ssl);
    return n == 1 ? 1 : result(client, n);
}

long tls_client_read(tls_client *client, uint8_t *bytes, size_t room) {
    ssl.ERR_clear_error();
    int n = ssl.SSL_read(client->ssl, bytes, (int)room);
    return n > 0 ? n : result(client, n);
}

bool tls_client_write(tls_client *client, const uint8_t *bytes, size_t length) {
    ssl.ERR_clear_error();
    return ssl.SSL_write(client->ssl, bytes, (int)length) == (int)length;
}

void tls_client_end(tls_client *client) {
    ssl.SSL_shutdown(client->ssl);
    ssl.ERR_clear_error();
}

bool tls_client_update_keys(tls_client *client) {
    return ssl.SSL_key_update(client->ssl, SSL_KEY_UPDATE_REQUESTED) == 1 && ssl.SSL_do_handshake(client->ssl) == 1;
}

const char *tls_client_problem(const tls_client *client) {
    return client->problem;
}

const char *tls_client_version(const tls_client *client) {
    return ssl.SSL_get_version(client->ssl);
}

bool tls_client_is_resumed(const tls_client *client) {
    return ssl.SSL_session_reused(client->ssl);
}

size_t tls_client_protocol(const tls_client *client, const uint8_t **name) {
    unsigned length;
    ssl.SSL_get0_alpn_selected(client->ssl, name, &length);
    return length;
}

void tls_client_server(const tls_client *client, char *name, size_t room) {
    X509 *certificate = ssl.SSL_get0_peer_certificate(client->ssl);
    name[0] = 0;
    if (certificate) {
        ssl.X509_NAME_get_text_by_NID(ssl.X509_get_subject_name(certificate), NID_commonName, name, (int)room);
    }
}
