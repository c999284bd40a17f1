/* Reading and writing TLS after the handshake, and its end. */
#include "sockets.h"
#include "tls.h"

#include <string.h>

cr_tls *cr_tls_new(cr_tls_settings *settings, cr_loop *loop, int fd, const cr_origin *origin, const cr_tls_owner *owner,
    void *context) {
    cr_tls *tls = malloc(sizeof *tls);
    if (!tls) return NULL;
    memset(tls, 0, sizeof *tls);
    tls->settings = settings;
    tls->loop = loop;
    tls->fd = fd;
    tls->origin = origin;
    tls->owner = owner;
    tls->context = context;
    tls->wants = CR_READABLE;
    return tls;
}

void cr_tls_free(cr_tls *tls) {
    cr_crypto.ERR_clear_error();
    if (tls->client) cr_client_cert_free(tls->client);
    cr_tls_cancel_hello(tls);
    if (tls->ssl) cr_ssl.SSL_free(tls->ssl);
    cr_buffer_clear(&tls->preread);
    free(tls);
}

bool cr_tls_waits(cr_tls *tls) {
    int want = cr_ssl.SSL_want(tls->ssl);
    if (want != SSL_READING && want != SSL_WRITING) return false;
    if (!cr_crypto.BIO_test_flags(tls->bio, BIO_FLAGS_SHOULD_RETRY)) return false;
    tls->wants = want == SSL_READING ? CR_READABLE : CR_WRITABLE;
    errno = EAGAIN;
    return true;
}

/* Ends TLS after a failed call. Returns -1 with a final errno: EPROTO if the peer closed without close_notify. */
static ssize_t break_off(cr_tls *tls) {
    bool is_cut = tls->ended && tls->phase == CR_TLS_READY;
    if (tls->call && tls->phase == CR_TLS_READY) cr_tls_record_call_failure(tls);
    tls->phase = CR_TLS_BROKEN;
    cr_crypto.ERR_clear_error();
    errno = is_cut ? EPROTO : ECONNRESET;
    return -1;
}

/* The socket cannot be written any more. What a server sent before can still be read. */
static ssize_t fail_write(void) {
    errno = ECONNRESET;
    return -1;
}

ssize_t cr_tls_read(cr_tls *tls, void *bytes, size_t length) {
    if (tls->phase == CR_TLS_BROKEN) return cr_fd_read(tls->fd, bytes, length);
    size_t taken;
    if (cr_ssl.SSL_read_ex(tls->ssl, bytes, length, &taken) > 0) {
        tls->starved = false;
        return (ssize_t)taken;
    }
    if (cr_tls_waits(tls)) {
        tls->starved = true;
        return -1;
    }
    /* The client sent close_notify, or its socket closed without one. */
    if (cr_ssl.SSL_get_shutdown(tls->ssl) & SSL_RECEIVED_SHUTDOWN) return 0;
    return break_off(tls);
}

bool cr_tls_pending(const cr_tls *tls) {
    return tls->phase == CR_TLS_READY && !tls->starved && cr_ssl.SSL_has_pending(tls->ssl);
}

/* A position in the parts of a write. */
typedef struct cursor {
    const struct iovec *parts;
    int left;  /* parts */
    size_t at; /* bytes of the first part that are behind */
} cursor;

static void skip(cursor *from, size_t length) {
    while (from->left && length >= from->parts->iov_len - from->at) {
        length -= from->parts->iov_len - from->at;
        from->parts++;
        from->left--;
        from->at = 0;
    }
    from->at += length;
}

/* The bytes of the next record: in place if the part has enough or is the last, else copied to `room`. At least `min`
 * bytes, which a partial write has announced. */
static struct iovec next_record(cursor from, uint8_t room[CR_TLS_RECORD], size_t min) {
    uint8_t *start = (uint8_t *)from.parts->iov_base + from.at;
    size_t here = from.parts->iov_len - from.at;
    if (here >= CR_TLS_RECORD || (from.left == 1 && here >= min)) {
        return (struct iovec){start, here < CR_TLS_RECORD ? here : CR_TLS_RECORD};
    }
    size_t length = 0;
    while (from.left && length < CR_TLS_RECORD) {
        size_t take = from.parts->iov_len - from.at;
        if (take > CR_TLS_RECORD - length) take = CR_TLS_RECORD - length;
        memcpy(room + length, (uint8_t *)from.parts->iov_base + from.at, take);
        length += take;
        skip(&from, take);
    }
    return (struct iovec){room, length};
}

ssize_t cr_tls_write(cr_tls *tls, const struct iovec *parts, int count) {
    uint8_t room[CR_TLS_RECORD];
    cursor from = {parts, count, 0};
    size_t taken = 0;
    tls->wants = CR_WRITABLE;
    if (tls->phase != CR_TLS_READY) return break_off(tls);
    skip(&from, 0);
    while (from.left) {
        struct iovec record = next_record(from, room, tls->refused);
        size_t written;
        if (cr_ssl.SSL_write_ex(tls->ssl, record.iov_base, record.iov_len, &written) <= 0) {
            if (!cr_tls_waits(tls)) return tls->call && !cr_crypto.ERR_peek_error() ? fail_write() : break_off(tls);
            tls->refused = record.iov_len;
            return taken ? (ssize_t)taken : -1;
        }
        tls->refused = 0;
        taken += written;
        skip(&from, written);
    }
    return (ssize_t)taken;
}

int cr_tls_close_notify(cr_tls *tls, bool is_cut) {
    if (tls->phase != CR_TLS_READY || tls->refused || is_cut) return 0;
    if (cr_ssl.SSL_shutdown(tls->ssl) < 0) {
        if (cr_tls_waits(tls)) return -1;
        cr_crypto.ERR_clear_error();
    }
    return 0;
}
