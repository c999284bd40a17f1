/* ClientHellos and their actions: at once, or deferred until a certificate was made on another thread. */
#include "tls.h"

#include <string.h>

/* ---- What it says ----------------------------------------------------------------------------------------------- */

/* Parses the SNI name; leaves it empty if it is not a host name. */
static void read_server_name(cr_tls *tls) {
    const unsigned char *list;
    size_t length;
    if (!cr_ssl.SSL_client_hello_get0_ext(tls->ssl, TLSEXT_TYPE_server_name, &list, &length)) return;
    /* The list's length, then entries: a kind, 0 for a name, its length and the name. There may be only one. */
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
    _Atomic int users;        /* the connection, and the owner of the deferred action */
    cr_mailbox *mailbox;
    cr_tls *tls;                /* NULL once the connection no longer waits; only on the loop's thread */
    cr_tls_hello_action action; /* the deferred action, once posted */
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

static void release_identity(cr_tls_hello_action *action) {
    if (action->identity) cr_identity_release(action->identity);
    action->identity = NULL;
}

void cr_tls_cancel_hello(cr_tls *tls) {
    release_identity(&tls->action);
    if (!tls->hello) return;
    tls->hello->tls = NULL;
    release(tls->hello);
    tls->hello = NULL;
}

/* Continues the handshake. */
static void resolve(void *argument) {
    cr_hello *hello = argument;
    cr_tls *tls = hello->tls;
    if (tls) {
        cr_tls_cancel_hello(tls);
        tls->action = hello->action;
        tls->action_ready = true;
        tls->wants = CR_READABLE;
        tls->owner->hello_resolved(tls);
    } else {
        release_identity(&hello->action);
    }
    release(hello);
}

void cr_hello_answer(cr_hello *hello, cr_tls_hello_action action) {
    hello->action = action;
    if (cr_mailbox_post(hello->mailbox, resolve, hello) == CR_POSTED) return;
    release_identity(&hello->action);
    release(hello);
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

static void allow_versions(SSL *ssl, int min, int max) {
    cr_ssl.SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, min, NULL);
    cr_ssl.SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, max, NULL);
}

/* Calls `on_client_hello`. Returns false if memory is short or the action is deferred. */
static bool request_action(cr_tls *tls, const cr_tls_config *config) {
    read_server_name(tls);
    const char *name = tls->server_name[0] ? tls->server_name : NULL;
    cr_hello *hello = new_hello(tls);
    if (!hello) return false;
    atomic_fetch_add_explicit(&hello->users, 1, memory_order_relaxed);
    tls->hello = hello;
    tls->action = config->on_client_hello(config->context, name, tls->origin, hello);
    if (tls->action.kind == CR_HELLO_DEFERRED) return false;
    /* No deferred action will come. */
    cr_tls_hello_action action = tls->action;
    tls->action.identity = NULL;
    cr_tls_cancel_hello(tls);
    release(hello);
    tls->action = action;
    return true;
}

/* Applies the action. Without an identity, OpenSSL sends nothing. */
static int apply_action(cr_tls *tls, int *alert) {
    tls->hello_kind = tls->action.kind;
    if (tls->hello_kind > CR_HELLO_OLD_VERSION) return SSL_CLIENT_HELLO_RETRY;
    bool is_presented = tls->action.identity && cr_identity_present(tls->action.identity, tls->ssl);
    release_identity(&tls->action);
    if (!is_presented) {
        *alert = SSL_AD_INTERNAL_ERROR;
        return SSL_CLIENT_HELLO_ERROR;
    }
    if (tls->hello_kind == CR_HELLO_OLD_VERSION) allow_versions(tls->ssl, TLS1_VERSION, TLS1_1_VERSION);
    return SSL_CLIENT_HELLO_SUCCESS;
}

int cr_tls_on_client_hello(SSL *ssl, int *alert, void *argument) {
    const cr_tls_settings *settings = argument;
    cr_tls *tls = cr_tls_of_ssl(ssl);
    /* TLS 1.3 may request a second ClientHello in one handshake. */
    if (tls->hello_handled) return SSL_CLIENT_HELLO_SUCCESS;
    if (!tls->action_ready && !request_action(tls, &settings->config)) {
        if (tls->hello) return SSL_CLIENT_HELLO_RETRY;
        *alert = SSL_AD_INTERNAL_ERROR;
        return SSL_CLIENT_HELLO_ERROR;
    }
    tls->hello_handled = true;
    return apply_action(tls, alert);
}
