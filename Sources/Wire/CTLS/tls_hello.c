/* A client's hello, and the answer to it: at once, or once what it needs has been made beside the loop. */
#include "tls.h"

#include <string.h>

/* ---- What it says ----------------------------------------------------------------------------------------------- */

/* Reads the name of the server that a client asks for; none if it is no name of a host. */
static void read_server_name(cr_tls *tls) {
    const unsigned char *list;
    size_t length;
    if (!cr_ssl.SSL_client_hello_get0_ext(tls->ssl, TLSEXT_TYPE_server_name, &list, &length)) return;
    /* The list's length, then entries: a kind, which is 0 for a name, its length and the name. One is all there may be. */
    if (length < 5 || list[2] != TLSEXT_NAMETYPE_host_name) return;
    size_t name_length = (size_t)list[3] << 8 | list[4];
    if (name_length > length - 5 || name_length > CR_TLS_NAME_LIMIT) return;
    for (size_t i = 0; i < name_length; i++) {
        unsigned char c = list[5 + i];
        bool is_valid = c > ' ' && c < 127;
        tls->server_name[i] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
        if (!is_valid) {
            tls->server_name[0] = 0;
            return;
        }
    }
    tls->server_name[name_length] = 0;
}

/* ---- Answers that come later ------------------------------------------------------------------------------------ */

struct cr_hello {
    _Atomic int users;        /* the connection, and whoever owes the answer */
    cr_mailbox *mailbox;
    cr_tls *tls;              /* NULL once the connection waits no longer; on the loop's thread alone */
    cr_tls_greeting greeting; /* the answer, once it is on its way */
};

static cr_hello *new_hello(cr_tls *tls) {
    cr_hello *hello = calloc(1, sizeof *hello);
    if (!hello) return NULL;
    hello->users = 1;
    hello->mailbox = cr_loop_mailbox(tls->loop);
    hello->tls = tls;
    return hello;
}

static void release(cr_hello *hello) {
    if (atomic_fetch_sub_explicit(&hello->users, 1, memory_order_acq_rel) > 1) return;
    cr_mailbox_release(hello->mailbox);
    free(hello);
}

static void release_identity(cr_tls_greeting *greeting) {
    if (greeting->identity) cr_identity_release(greeting->identity);
    greeting->identity = NULL;
}

void cr_tls_forget_hello(cr_tls *tls) {
    release_identity(&tls->answer);
    if (!tls->hello) return;
    tls->hello->tls = NULL;
    release(tls->hello);
    tls->hello = NULL;
}

/* Lets the handshake go on. */
static void arrive(void *argument) {
    cr_hello *hello = argument;
    cr_tls *tls = hello->tls;
    if (tls) {
        cr_tls_forget_hello(tls);
        tls->answer = hello->greeting;
        tls->answered = true;
        tls->wants = CR_READABLE;
        tls->owner->arrived(tls);
    } else {
        release_identity(&hello->greeting);
    }
    release(hello);
}

void cr_hello_answer(cr_hello *hello, cr_tls_greeting greeting) {
    hello->greeting = greeting;
    if (cr_mailbox_post(hello->mailbox, arrive, hello) == CR_POSTED) return;
    release_identity(&hello->greeting);
    release(hello);
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

static void allow_versions(SSL *ssl, int least, int most) {
    cr_ssl.SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, least, NULL);
    cr_ssl.SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, most, NULL);
}

/* Asks the listener. Returns false if memory is short, or the answer comes later. */
static bool ask(cr_tls *tls, const cr_tls_config *config) {
    read_server_name(tls);
    const char *name = tls->server_name[0] ? tls->server_name : NULL;
    cr_hello *hello = new_hello(tls);
    if (!hello) return false;
    atomic_fetch_add_explicit(&hello->users, 1, memory_order_relaxed);
    tls->hello = hello;
    tls->answer = config->greet(config->context, name, tls->origin, hello);
    if (tls->answer.kind == CR_GREET_LATER) return false;
    /* Nobody else owes an answer. */
    cr_tls_greeting answer = tls->answer;
    tls->answer.identity = NULL;
    cr_tls_forget_hello(tls);
    release(hello);
    tls->answer = answer;
    return true;
}

/* Goes on as the answer says. Nothing is said in TLS if it shows no identity. */
static int follow(cr_tls *tls, int *alert) {
    tls->greeting = tls->answer.kind;
    if (tls->greeting > CR_GREET_OLD_VERSION) return SSL_CLIENT_HELLO_RETRY;
    bool is_shown = tls->answer.identity && cr_identity_show(tls->answer.identity, tls->ssl);
    release_identity(&tls->answer);
    if (!is_shown) {
        *alert = SSL_AD_INTERNAL_ERROR;
        return SSL_CLIENT_HELLO_ERROR;
    }
    if (tls->greeting == CR_GREET_OLD_VERSION) allow_versions(tls->ssl, TLS1_VERSION, TLS1_1_VERSION);
    return SSL_CLIENT_HELLO_SUCCESS;
}

int cr_tls_on_hello(SSL *ssl, int *alert, void *argument) {
    const cr_tls_settings *settings = argument;
    cr_tls *tls = cr_tls_of_ssl(ssl);
    /* A second hello, as TLS 1.3 may ask for, is of the same handshake. */
    if (tls->greeted) return SSL_CLIENT_HELLO_SUCCESS;
    if (!tls->answered && !ask(tls, &settings->config)) {
        if (tls->hello) return SSL_CLIENT_HELLO_RETRY;
        *alert = SSL_AD_INTERNAL_ERROR;
        return SSL_CLIENT_HELLO_ERROR;
    }
    tls->greeted = true;
    return follow(tls, alert);
}
