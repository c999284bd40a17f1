/* Raw connections to servers: a connection whose protocol passes everything on. */
#include "cr_raw.h"

#include "conn.h"
#include "dial.h"
#include "tls_transport.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef enum raw_state {
    RAW_DIALLING,
    RAW_DIALLED,     /* the Unix socket is connected; the open is still to be reported */
    RAW_HANDSHAKING, /* the transport shakes hands */
    RAW_OPEN,
    RAW_ENDED     /* the end is still to be reported */
} raw_state;

struct cr_raw {
    cr_tls_call tls; /* first: it is the transport's context */
    uint32_t users;  /* its owner until the end, and the connection's accept config */
    raw_state state;
    cr_loop *loop;
    cr_conn *conn;   /* from HANDSHAKING on, until it is closed */
    cr_dial *dial;   /* while DIALLING an address */
    int fd;          /* while DIALLED, else -1 */
    cr_timer *timer; /* the connect time-out, a deferred report, or only the loop's end; NULL once that has come */
    cr_raw_hooks hooks;
    void *context;
    bool is_owned;            /* the owner has not closed it and was not told its end */
    cr_buffer coalesced;      /* bytes to be written in this loop iteration */
    struct event flush_event; /* writes them */
    bool timed_out;           /* it did not connect in time */
    size_t max_unsent;
    uint64_t connect_ns;
    uint16_t port;
    cr_raw_code code;  /* of ENDED */
    int os_error;
    char text[sizeof((cr_tls_call *)0)->error_text];
    size_t address_count;
    cr_address addresses[]; /* then the name and the path */
};

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static void release(void *argument) {
    cr_raw *raw = argument;
    if (--raw->users) return;
    if (raw->tls.trust) cr_trust_release(raw->tls.trust);
    cr_buffer_clear(&raw->coalesced);
    free(raw);
}

static void cancel_timer(cr_raw *raw) {
    if (raw->timer) cr_timer_cancel(raw->timer);
    raw->timer = NULL;
}

static void report_end(cr_raw *raw) {
    cancel_timer(raw);
    event_del(&raw->flush_event);
    raw->is_owned = false;
    raw->hooks.ended(raw->context, raw->code, raw->os_error, raw->text);
    release(raw);
}

static void on_timer(void *argument);
static void on_loop_end(void *argument);
static void on_flush(evutil_socket_t fd, short what, void *argument);

/* Returns false if memory is short. */
static bool arm_timer(cr_raw *raw, uint64_t delay_ns) {
    cancel_timer(raw);
    raw->timer = cr_timer_start(raw->loop, delay_ns, on_timer, on_loop_end, raw);
    return raw->timer;
}

static void end(cr_raw *raw, cr_raw_code code, int os_error, const char *text) {
    raw->state = RAW_ENDED;
    raw->code = code;
    raw->os_error = os_error;
    strncpy(raw->text, text, sizeof raw->text - 1);
    if (raw->is_owned) report_end(raw);
}

static void close_conn(cr_raw *raw) {
    cr_conn *conn = raw->conn;
    if (!conn) return;
    cr_conn_ref(conn);
    cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
    cr_conn_unref(conn);
}

static void drop_dial(cr_raw *raw) {
    if (raw->dial) cr_dial_cancel(raw->dial);
    raw->dial = NULL;
    if (raw->fd >= 0) close(raw->fd);
    raw->fd = -1;
}

void cr_raw_close(cr_raw *raw) {
    raw->is_owned = false;
    cancel_timer(raw);
    event_del(&raw->flush_event);
    drop_dial(raw);
    close_conn(raw);
    release(raw);
}

static void on_loop_end(void *argument) {
    cr_raw *raw = argument;
    raw->timer = NULL;
    raw->is_owned = false;
    drop_dial(raw);
    close_conn(raw);
    raw->state = RAW_ENDED;
    raw->code = CR_RAW_STOPPED;
    report_end(raw);
}

/* ---- The protocol ------------------------------------------------------------------------------------------------ */

static cr_raw *raw_of(const cr_conn *conn) {
    return conn->accept_config->context;
}

static bool open_state(cr_conn *conn) {
    (void)conn;
    return true;
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    const cr_raw *raw = raw_of(conn);
    if (length && raw->is_owned && raw->state == RAW_OPEN) raw->hooks.received(raw->context, bytes, length);
}

static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
}

static void drained(cr_conn *conn) {
    const cr_raw *raw = raw_of(conn);
    if (raw->is_owned && raw->state == RAW_OPEN && raw->hooks.drained) raw->hooks.drained(raw->context);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    cr_raw *raw = raw_of(conn);
    const int error = conn->error;
    const char *text = raw->tls.error_text;
    raw->conn = NULL;
    if (!raw->is_owned) return;
    if (outcome == CR_STOPPED) end(raw, CR_RAW_STOPPED, 0, "");
    else if (raw->timed_out) end(raw, CR_RAW_TIMED_OUT, 0, "");
    else if (raw->tls.distrusted) end(raw, CR_RAW_DISTRUSTED, error, text);
    else if (raw->state == RAW_HANDSHAKING) end(raw, CR_RAW_INSECURE, error, text);
    else end(raw, error ? CR_RAW_RESET : CR_RAW_CLOSED, error, text);
}

/* The callback may close the connection. */
static void report_open(cr_raw *raw) {
    raw->state = RAW_OPEN;
    cr_conn_wait_for(raw->conn, CR_WAITING_STEP);
    cr_socket_probe(raw->conn);
    if (!arm_timer(raw, UINT64_MAX)) {
        close_conn(raw);
        return;
    }
    raw->hooks.opened(raw->context);
}

static void ready(cr_conn *conn) {
    cr_raw *raw = raw_of(conn);
    if (raw->is_owned) report_open(raw);
}

static const cr_protocol protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .ended = ended,
    .ready = ready,
    .drained = drained,
};

/* ---- The beginning ----------------------------------------------------------------------------------------------- */

/* Opens a connection on a connected socket, which it takes over. */
static void open_conn(cr_raw *raw, int fd, const struct sockaddr *peer) {
    cr_accept_config *accept_config = calloc(1, sizeof *accept_config);
    if (!accept_config) {
        close(fd);
        end(raw, CR_RAW_UNREACHABLE, ENOMEM, "");
        return;
    }
    const bool is_secured = raw->tls.trust;
    *accept_config = (cr_accept_config){
        .users = 1,
        .is_outgoing = true,
        .origin = {.port = raw->port, .security = is_secured ? CR_SECURED : CR_PLAIN},
        .protocol = &protocol,
        .secured = &cr_tls_call_transport,
        .context = raw,
        .free_context = release,
    };
    raw->users++;
    raw->state = RAW_HANDSHAKING;
    cr_conn *conn = raw->conn = cr_conn_open(raw->loop, fd, peer, accept_config);
    if (!conn) {
        end(raw, CR_RAW_UNREACHABLE, ENOMEM, "");
    } else if (is_secured) {
        /* The protocol is needed during the handshake, too. */
        if (!conn->protocol) cr_conn_set_protocol(conn, &protocol, NULL, 0);
        cr_conn_wait_for(conn, CR_WAITING_STEP);
    } else {
        cr_conn_ref(conn);
        report_open(raw);
        cr_conn_unref(conn);
    }
    cr_accept_config_release(accept_config);
}

static void on_dialled(void *argument, int fd, const cr_address *address, int error) {
    cr_raw *raw = argument;
    raw->dial = NULL;
    if (fd < 0) {
        end(raw, CR_RAW_UNREACHABLE, error, "");
        return;
    }
    struct sockaddr_storage peer;
    cr_address_put(address, raw->port, &peer);
    open_conn(raw, fd, (struct sockaddr *)&peer);
}

static void on_timer(void *argument) {
    cr_raw *raw = argument;
    raw->timer = NULL;
    const struct sockaddr peer = {.sa_family = AF_UNIX};
    int fd = raw->fd;
    switch (raw->state) {
    case RAW_DIALLING:
        drop_dial(raw);
        end(raw, CR_RAW_TIMED_OUT, 0, "");
        break;
    case RAW_DIALLED:
        raw->fd = -1;
        if (arm_timer(raw, raw->connect_ns)) {
            open_conn(raw, fd, &peer);
        } else {
            close(fd);
            end(raw, CR_RAW_UNREACHABLE, ENOMEM, "");
        }
        break;
    case RAW_HANDSHAKING:
        raw->timed_out = true;
        close_conn(raw);
        break;
    case RAW_ENDED:
        report_end(raw);
        break;
    case RAW_OPEN:
        break;
    }
}

/* Connecting to a Unix socket succeeds or fails at once. */
static void dial_path(cr_raw *raw, const char *path) {
    struct sockaddr_un target = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    int error = ENAMETOOLONG;
    if (length < sizeof target.sun_path) {
        memcpy(target.sun_path, path, length + 1);
        raw->fd = cr_dial_socket(AF_UNIX);
        error = raw->fd < 0 || connect(raw->fd, (struct sockaddr *)&target, sizeof target) < 0 ? errno : 0;
    }
    raw->state = RAW_DIALLED;
    if (!error) return;
    drop_dial(raw);
    raw->state = RAW_ENDED;
    raw->code = CR_RAW_UNREACHABLE;
    raw->os_error = error;
}

cr_raw *cr_raw_open(cr_loop *loop, const cr_raw_target *target, const cr_raw_hooks *hooks, void *context) {
    size_t count = target->path ? 0 : target->address_count;
    size_t name_length = target->name ? strlen(target->name) + 1 : 1;
    cr_raw *raw = calloc(1, sizeof *raw + count * sizeof *raw->addresses + name_length);
    if (!raw) return NULL;
    raw->users = 1;
    raw->loop = loop;
    event_assign(&raw->flush_event, loop->base, -1, 0, on_flush, raw);
    raw->fd = -1;
    raw->hooks = *hooks;
    raw->context = context;
    raw->is_owned = true;
    raw->max_unsent = target->max_unsent;
    raw->connect_ns = target->connect_ms * 1000000ull;
    raw->port = target->port;
    raw->address_count = count;
    if (count) memcpy(raw->addresses, target->addresses, count * sizeof *raw->addresses);
    char *name = (char *)(raw->addresses + count);
    if (target->name) memcpy(name, target->name, name_length);
    raw->tls.name = name;
    raw->tls.offers_nothing = true;
    raw->tls.trust = target->trust ? cr_trust_retain(target->trust) : NULL;
    if (target->path) dial_path(raw, target->path);
    if (!arm_timer(raw, target->path ? 0 : raw->connect_ns)) {
        cr_raw_close(raw);
        return NULL;
    }
    if (target->path) return raw;
    raw->dial = cr_dial_start(loop, raw->addresses, count, raw->port, NULL, NULL, on_dialled, raw);
    if (raw->dial) return raw;
    cr_raw_close(raw);
    return NULL;
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

/* Writes the coalesced bytes. May end the connection. */
static void flush_coalesced(cr_raw *raw) {
    cr_conn *conn = raw->conn;
    if (!conn || !raw->coalesced.length) return;
    cr_buffer coalesced = raw->coalesced;
    raw->coalesced = (cr_buffer){0};
    cr_conn_ref(conn);
    cr_conn_send(conn, coalesced.bytes, coalesced.length);
    cr_conn_unref(conn);
    cr_buffer_clear(&coalesced);
}

static void on_flush(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    flush_coalesced(argument);
}

bool cr_raw_send(cr_raw *raw, const void *bytes, size_t length) {
    if (raw->state != RAW_OPEN || !raw->conn) return false;
    if (raw->conn->output.length + raw->coalesced.length + length > raw->max_unsent) return false;
    if (!raw->coalesced.length) event_active(&raw->flush_event, EV_TIMEOUT, 0);
    return cr_buffer_append(&raw->coalesced, bytes, length);
}
