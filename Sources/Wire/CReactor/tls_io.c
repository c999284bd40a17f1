/* The transport of TLS: what is read and written once hands are shaken, and the ends of it. */
#include "tls.h"

#include <string.h>

static bool open_state(cr_conn *conn, void *context) {
    cr_tls *tls = malloc(sizeof *tls);
    if (!tls) return false;
    memset(tls, 0, sizeof *tls);
    tls->conn = conn;
    tls->settings = context;
    tls->wants = CR_READABLE;
    conn->transport_state = tls;
    return true;
}

bool cr_tls_secure(cr_conn *conn, cr_tls_settings *settings, const char *name, const uint8_t *bytes, size_t length) {
    if (!open_state(conn, settings)) return false;
    conn->transport = &cr_tls_transport;
    cr_tls *tls = cr_tls_of(conn);
    size_t name_length = strlen(name);
    if (name_length <= CR_TLS_NAME_LIMIT) memcpy(tls->server_name, name, name_length);
    if (!cr_buffer_append(&tls->early, bytes, length)) return false;
    cr_conn_fall_silent(conn);
    cr_conn_set_reading(conn, false);
    cr_conn_begin_handshake(conn);
    /* The socket does not report what has come. */
    event_active(&conn->readable, EV_READ, 0);
    return true;
}

static bool is_first(uint8_t byte) {
    return byte == CR_TLS_HANDSHAKE_BYTE;
}

bool cr_tls_waits(cr_tls *tls) {
    int want = cr_ssl.SSL_want(tls->ssl);
    if (want != SSL_READING && want != SSL_WRITING) return false;
    if (!cr_crypto.BIO_test_flags(tls->bio, BIO_FLAGS_SHOULD_RETRY)) return false;
    tls->wants = want == SSL_READING ? CR_READABLE : CR_WRITABLE;
    errno = EAGAIN;
    return true;
}

/* Ends what is said in TLS after a failed call. Returns -1 with an errno that is final. */
static ssize_t break_off(cr_tls *tls) {
    tls->phase = CR_TLS_BROKEN;
    cr_crypto.ERR_clear_error();
    errno = ECONNRESET;
    return -1;
}

static ssize_t tls_read(cr_conn *conn, void *bytes, size_t length) {
    cr_tls *tls = cr_tls_of(conn);
    if (tls->phase == CR_TLS_BROKEN) return cr_socket_read(conn, bytes, length);
    size_t taken;
    if (cr_ssl.SSL_read_ex(tls->ssl, bytes, length, &taken) > 0) {
        tls->starved = false;
        return (ssize_t)taken;
    }
    if (cr_tls_waits(tls)) {
        tls->starved = true;
        return -1;
    }
    /* The client has said that it ends, or its socket has ended without that. */
    if (cr_ssl.SSL_get_shutdown(tls->ssl) & SSL_RECEIVED_SHUTDOWN) return 0;
    return break_off(tls);
}

static bool pending(const cr_conn *conn) {
    const cr_tls *tls = cr_tls_of(conn);
    return tls->phase == CR_TLS_READY && !tls->starved && cr_ssl.SSL_has_pending(tls->ssl);
}

/* A place in the parts of a write. */
typedef struct place {
    const struct iovec *parts;
    int left;   /* parts */
    size_t at;  /* bytes of the first one that are behind */
} place;

static void skip(place *from, size_t length) {
    while (from->left && length >= from->parts->iov_len - from->at) {
        length -= from->parts->iov_len - from->at;
        from->parts++;
        from->left--;
        from->at = 0;
    }
    from->at += length;
}

/* The bytes of the next record: where they lie, if the part has enough for one or is the last, else copied to `room`. At
 * least `least` bytes, which were there before. */
static struct iovec next_record(place from, uint8_t room[CR_TLS_RECORD], size_t least) {
    uint8_t *start = (uint8_t *)from.parts->iov_base + from.at;
    size_t here = from.parts->iov_len - from.at;
    if (here >= CR_TLS_RECORD || (from.left == 1 && here >= least)) {
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

static ssize_t tls_write(cr_conn *conn, const struct iovec *parts, int count) {
    cr_tls *tls = cr_tls_of(conn);
    uint8_t room[CR_TLS_RECORD];
    place from = {parts, count, 0};
    size_t taken = 0;
    tls->wants = CR_WRITABLE;
    if (tls->phase != CR_TLS_READY) return break_off(tls);
    skip(&from, 0);
    while (from.left) {
        struct iovec record = next_record(from, room, tls->refused);
        size_t written;
        if (cr_ssl.SSL_write_ex(tls->ssl, record.iov_base, record.iov_len, &written) <= 0) {
            if (!cr_tls_waits(tls)) return break_off(tls);
            tls->refused = record.iov_len;
            return taken ? (ssize_t)taken : -1;
        }
        tls->refused = 0;
        taken += written;
        skip(&from, written);
    }
    return (ssize_t)taken;
}

static int wants(const cr_conn *conn) {
    return cr_tls_of(conn)->wants;
}

static uint32_t unsent(const cr_conn *conn) {
    return cr_socket_unsent(conn) + cr_tls_of(conn)->unsent;
}

/* Says that nothing more comes, unless a record is left in part or the connection is to be cut. Returns -1 with EAGAIN
 * while that waits. */
static int say_end(cr_conn *conn) {
    cr_tls *tls = cr_tls_of(conn);
    if (tls->phase != CR_TLS_READY || tls->refused || conn->cut) return 0;
    if (cr_ssl.SSL_shutdown(tls->ssl) < 0) {
        if (cr_tls_waits(tls)) return -1;
        cr_crypto.ERR_clear_error();
    }
    return 0;
}

static int shut(cr_conn *conn) {
    if (say_end(conn) < 0) return -1;
    return cr_socket_shut(conn);
}

void cr_tls_drop(cr_conn *conn) {
    cr_tls *tls = cr_tls_of(conn);
    if (conn->client) cr_client_free(conn->client);
    conn->client = NULL;
    cr_tls_forget_hello(tls);
    if (tls->ssl) cr_ssl.SSL_free(tls->ssl);
    cr_buffer_clear(&tls->early);
    free(tls);
    conn->transport_state = NULL;
}

static void close_state(cr_conn *conn, bool reset) {
    cr_tls *tls = cr_tls_of(conn);
    bool is_late = conn->waiting == CR_WAITING_HANDSHAKE && conn->deadline_ns <= conn->loop->now_ns;
    if (tls->phase == CR_TLS_SHAKING && is_late) cr_tls_tell(tls, "did not complete the TLS handshake in time");
    if (!reset && !conn->shut) say_end(conn);
    cr_crypto.ERR_clear_error();
    cr_tls_drop(conn);
    cr_socket_close(conn, reset);
}

const cr_transport cr_tls_transport = {
    .secure = true,
    .open = open_state,
    .is_first = is_first,
    .handshake = cr_tls_handshake,
    .read = tls_read,
    .write = tls_write,
    .wants = wants,
    .pending = pending,
    .unsent = unsent,
    .has_left = cr_socket_has_left,
    .was_reset = cr_socket_was_reset,
    .shut = shut,
    .close = close_state,
};

const char *cr_conn_server_name(const cr_conn *conn) {
    if (conn->transport != &cr_tls_transport || !conn->transport_state) return NULL;
    const cr_tls *tls = cr_tls_of(conn);
    return tls->server_name[0] ? tls->server_name : NULL;
}
