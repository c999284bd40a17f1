/* The socket of a connection as an OpenSSL BIO. */
#include "sockets.h"
#include "tls.h"

#include <string.h>

static BIO_METHOD *method;

static ssize_t read_preread(cr_tls *tls, char *bytes, size_t length) {
    if (length > tls->preread.length) length = tls->preread.length;
    memcpy(bytes, tls->preread.bytes, length);
    cr_buffer_consume(&tls->preread, length);
    return (ssize_t)length;
}

static int on_read(BIO *bio, char *bytes, int length) {
    cr_tls *tls = cr_crypto.BIO_get_data(bio);
    cr_crypto.BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    ssize_t n =
        tls->preread.length ? read_preread(tls, bytes, (size_t)length) : cr_fd_read(tls->fd, bytes, (size_t)length);
    if (n > 0) {
        if (tls->phase == CR_TLS_NEW) {
            tls->phase = CR_TLS_HANDSHAKING;
            tls->first = (uint8_t)bytes[0];
            tls->not_tls = tls->first != CR_TLS_HANDSHAKE_BYTE;
            if (tls->not_tls) return -1;
        }
    } else if (n == 0) {
        tls->ended = true;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        cr_crypto.BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
    }
    return (int)n;
}

static int on_write(BIO *bio, const char *bytes, int length) {
    cr_tls *tls = cr_crypto.BIO_get_data(bio);
    cr_crypto.BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    struct iovec part = {(void *)bytes, (size_t)length};
    ssize_t n = cr_fd_write(tls->fd, &part, 1);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        cr_crypto.BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY);
    }
    tls->unsent = (uint32_t)(n > 0 ? length - n : length);
    return (int)n;
}

static long on_control(BIO *bio, int command, long number, void *argument) {
    (void)number, (void)argument;
    if (command == BIO_CTRL_EOF) return ((cr_tls *)cr_crypto.BIO_get_data(bio))->ended;
    return command == BIO_CTRL_FLUSH;
}

static int on_create(BIO *bio) {
    cr_crypto.BIO_set_init(bio, 1);
    return 1;
}

bool cr_tls_make_bio_method(void) {
    method = cr_crypto.BIO_meth_new(cr_crypto.BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "connection");
    return method && cr_crypto.BIO_meth_set_create(method, on_create) &&
        cr_crypto.BIO_meth_set_ctrl(method, on_control) && cr_crypto.BIO_meth_set_read(method, on_read) &&
        cr_crypto.BIO_meth_set_write(method, on_write);
}

BIO *cr_tls_make_bio(cr_tls *tls) {
    BIO *bio = cr_crypto.BIO_new(method);
    if (bio) cr_crypto.BIO_set_data(bio, tls);
    return bio;
}
