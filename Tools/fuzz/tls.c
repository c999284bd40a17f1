/*
 * Fuzzes the start of TLS connections over a socket pair: arbitrary bytes in any split, or a real client whose bytes
 * are changed on the way, with each action for a hello, for listeners that accept plain HTTP too or request
 * certificates, and clients that disconnect at any moment.
 *
 * The first byte of the input is settings. Parts follow: a length, and so many bytes; for a real client, the changes of
 * its bytes: an offset in two bytes, and the bits to flip there. Asserts that the connection is gone when its client
 * is, that each handshake asks once for the hello action, which may be given later or when the loop is gone, and that a
 * client whose bytes arrive unchanged is answered.
 */
#include "tls.h"
#include "tls_transport.h"

#include <assert.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static const char certificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBlDCCATqgAwIBAgIBITAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdUZXN0IENB\n"
    "MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls\n"
    "b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARz3fZDDYjWJookn7Nm\n"
    "SagJMnLpSykUExk3qIE+0EaQWdVzU95NneH/ekbOWpLTL9jFjOFbdvMQXvF5r+Dc\n"
    "gykoo30wezAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0lBBYwFAYI\n"
    "KwYBBQUHAwEGCCsGAQUFBwMCMB0GA1UdDgQWBBQ6X8BxhhHnLgFDf25JaVyJFLUt\n"
    "FzAfBgNVHSMEGDAWgBSBmGFFy/JZl3kWVyLqUbbh1UR4TjAKBggqhkjOPQQDAgNI\n"
    "ADBFAiEAjMuLt3vMEc+5RC5G1T5+5n6zjIwcMnNqhPPECMupGW4CIEV6zglGdGVc\n"
    "YMyPGyvO0mamuJMXU6IqQWxH8SmIAzOQ\n"
    "-----END CERTIFICATE-----\n";

static const char key[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBMPC2cLsg8bhE7IS\n"
    "SXRkUOSAvZ83GdTEDd+VLOJcxMKhRANCAARz3fZDDYjWJookn7NmSagJMnLpSykU\n"
    "Exk3qIE+0EaQWdVzU95NneH/ekbOWpLTL9jFjOFbdvMQXvF5r+Dcgyko\n"
    "-----END PRIVATE KEY-----\n";

static struct {
    cr_loop *loop;
    cr_identity *identity;
    cr_tls_settings *settings[4];
    SSL_CTX *client;
    cr_tls_hello_action_kind kind;
    cr_hello *hello;   /* waiting for an answer */
    bool answers_soon; /* as long as the connection lives, but not after the end of its loop */
    int hellos, asked;
} world;

static cr_tls_hello_action on_client_hello(
    void *context, const char *server_name, const cr_origin *origin, cr_hello *hello) {
    assert(context == &world && origin && (!server_name || server_name[0]));
    world.hellos++;
    if (world.kind == CR_HELLO_DEFERRED) world.hello = hello;
    bool shows = world.kind <= CR_HELLO_OLD_VERSION;
    return (cr_tls_hello_action){world.kind, shows ? cr_identity_retain(world.identity) : NULL};
}

static void on_request(void *context, cr_stream *stream, const cr_request *request) {
    static const cr_step script[] = {
        {.kind = CR_STEP_RAW, .bytes = (const uint8_t *)"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .length = 38},
        {.kind = CR_STEP_END, .ending = CR_KEEP_ALIVE},
    };
    assert(context == &world && request->head_length);
    world.asked++;
    cr_stream_reply(stream, script, (cr_observer){{0}});
}

static void on_end(void *context, cr_observer observer, const cr_end *end) {
    assert(context == &world && end->end_ns);
    (void)observer;
}

static void on_refusal(void *context, int status, const char *reason, const char *peer) {
    assert(context == &world && status >= 400 && reason[0] && peer[0]);
}

static void on_log(void *context, const char *text) {
    assert(context == &world && text[0]);
}

/* What the fuzzer's client needs in addition to the server's functions. */
#define FUNCTIONS(X) X(TLS_client_method) X(SSL_set_connect_state) X(BIO_read) X(BIO_write)
static LOADED_TABLE(FUNCTIONS) more;
static const char *const files[] = {"libssl.so.3", NULL};
static struct loaded_library library = {LOADED_FUNCTIONS(FUNCTIONS, more), .files = files, .missing = "OpenSSL"};

static void set_up(void) {
    if (world.identity) return;
    char problem[CR_TLS_PROBLEM_ROOM];
    world.identity = cr_identity_read(certificate, sizeof certificate - 1, key, sizeof key - 1, problem);
    assert(world.identity && !loaded_library_open(&library));
    for (int i = 0; i < 4; i++) {
        cr_tls_config config = {
            .accepts_plain = i & 1,
            .offers_http2 = cr_http2_is_available,
            .client_certificates = i & 2 ? CR_CLIENT_CERTIFICATES_REQUESTED : CR_CLIENT_CERTIFICATES_IGNORED,
            .trust = certificate,
            .trust_length = sizeof certificate - 1,
            .on_client_hello = on_client_hello,
            .context = &world,
        };
        assert((world.settings[i] = cr_tls_settings_new(&config, problem)));
    }
    world.client = cr_ssl.SSL_CTX_new(more.TLS_client_method());
    assert(world.client);
}

static void run_loop(int times) {
    for (int i = 0; i < times; i++) event_base_loop(world.loop->base, EVLOOP_NONBLOCK);
}

/* Opens a connection with the settings. Returns the client's end. */
static int open_client(unsigned which) {
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFL, O_NONBLOCK);
    struct sockaddr peer = {.sa_family = AF_UNIX};
    cr_accept_config *accept_config = cr_accept_config_new(1, cr_protocol_http1());
    assert(accept_config);
    accept_config->origin.security = which & 1 ? CR_PLAIN_OR_SECURED : CR_SECURED;
    accept_config->secured = &cr_tls_transport;
    accept_config->context = world.settings[which & 3];
    assert(cr_conn_open(world.loop, ends[1], &peer, accept_config));
    cr_accept_config_release(accept_config);
    return ends[0];
}

/* Answers a deferred hello. */
static void answer(void) {
    if (world.hello) {
        cr_hello_answer(world.hello, (cr_tls_hello_action){CR_HELLO_IDENTITY, cr_identity_retain(world.identity)});
    }
    world.hello = NULL;
}

static void send_some(int client, const uint8_t *bytes, size_t length) {
    if (length) (void)!send(client, bytes, length, MSG_NOSIGNAL);
    run_loop(2);
    if (world.answers_soon) answer();
    run_loop(2);
}

/* Performs a client's handshake and sends a request; up to three bytes are changed in each flight, as the input
 * says. */
static void handshake(int client, const uint8_t *bytes, size_t length) {
    SSL *ssl = cr_ssl.SSL_new(world.client);
    BIO *in = cr_crypto.BIO_new(cr_crypto.BIO_s_mem()), *out = cr_crypto.BIO_new(cr_crypto.BIO_s_mem());
    assert(ssl && in && out);
    cr_ssl.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, "localhost");
    cr_crypto.BIO_ctrl(in, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, NULL);
    cr_ssl.SSL_set_bio(ssl, in, out);
    more.SSL_set_connect_state(ssl);
    uint8_t flight[16384];
    size_t at = 0, done;
    for (int round = 0; round < 4; round++) {
        if (cr_ssl.SSL_do_handshake(ssl) == 1) cr_ssl.SSL_write_ex(ssl, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 27, &done);
        cr_crypto.ERR_clear_error();
        int n = more.BIO_read(out, flight, sizeof flight);
        for (int change = 0; n > 0 && change < 3 && at + 3 <= length; change++, at += 3) {
            flight[(bytes[at] << 8 | bytes[at + 1]) % n] ^= bytes[at + 2];
        }
        if (n > 0) send_some(client, flight, (size_t)n);
        ssize_t came = recv(client, flight, sizeof flight, 0);
        if (came > 0) more.BIO_write(in, flight, (int)came);
    }
    cr_ssl.SSL_free(ssl);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size < 2) return 0;
    set_up();
    cr_config config = cr_config_default();
    cr_handler handler = {
        .context = &world, .on_request = on_request, .on_end = on_end, .on_refusal = on_refusal, .on_log = on_log,
    };
    world.loop = cr_loop_new(&config, &handler);
    if (!world.loop) return 0;
    world.kind = (input[0] >> 4) % (CR_HELLO_DEFERRED + 1);
    world.answers_soon = input[0] >> 4 < 8;
    world.hellos = world.asked = 0;
    int client = open_client(input[0]);
    const uint8_t *at = input + 1, *end = input + size;
    if (input[0] & 4) {
        handshake(client, at, (size_t)(end - at));
        bool is_clean =
            size == 2 && (world.kind == CR_HELLO_IDENTITY || (world.kind == CR_HELLO_DEFERRED && world.answers_soon));
        assert(!is_clean || world.asked);
    } else {
        while (at < end) {
            size_t length = *at++;
            if (length > (size_t)(end - at)) length = (size_t)(end - at);
            send_some(client, at, length);
            at += length;
        }
    }
    assert(world.hellos <= 1);
    if (input[0] & 8) shutdown(client, SHUT_WR);
    run_loop(2);
    close(client);
    run_loop(3);
    /* Lets lingering connections time out. */
    world.loop->now_ns = cr_clock_ns() + 3600000000000;
    cr_conn_sweep(world.loop, world.loop->now_ns);
    assert(world.loop->connections == 0);
    cr_loop_free(world.loop);
    answer();
    return 0;
}
