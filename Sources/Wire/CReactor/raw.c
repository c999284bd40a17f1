/* Raw connections to servers: a connection whose protocol hands everything on. */
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
    RAW_DIALLED,  /* the socket is connected; that is still to be looked at */
    RAW_SHAKING,  /* the transport shakes hands */
    RAW_OPEN,
    RAW_ENDED     /* what is still to be told */
} raw_state;

struct cr_raw {
    cr_tls_call tls;   /* first, as it is the context of the transport */
    uint32_t users;    /* its owner until the end, and what its connection begins with */
    raw_state state;
    cr_loop *loop;
    cr_conn *conn;     /* from SHAKING on, until it is closed */
    cr_dial *dial;     /* while DIALLING an address */
    int fd;            /* while DIALLED, else -1 */
    cr_timer *timer;   /* the limit of connecting, or what is to be done next; with the loop's end. NULL once it has ended */
    cr_raw_hooks hooks;
    void *context;
    bool is_owned;     /* by somebody who is to be told */
    cr_buffer gathered;  /* bytes that leave together, once what happens now has been seen to */
    struct event leaving; /* sends them */
    bool late;         /* it did not connect in time */
    size_t most_unsent;
    uint64_t connect_ns;
    uint16_t port;
    cr_raw_code code;  /* of ENDED */
    int os_error;
    char text[sizeof((cr_tls_call *)0)->trouble];
    size_t address_count;
    cr_address addresses[]; /* then the name, and the path */
};

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static void release(void *argument) {
    cr_raw *raw = argument;
    if (--raw->users) return;
    if (raw->tls.trust) cr_trust_release(raw->tls.trust);
    cr_buffer_clear(&raw->gathered);
    free(raw);
}

static void cancel_timer(cr_raw *raw) {
    if (raw->timer) cr_timer_cancel(raw->timer);
    raw->timer = NULL;
}

static void tell_end(cr_raw *raw) {
    cancel_timer(raw);
    event_del(&raw->leaving);
    raw->is_owned = false;
    raw->hooks.ended(raw->context, raw->code, raw->os_error, raw->text);
    release(raw);
}

static void on_due(void *argument);
static void on_loop_end(void *argument);
static void on_leaving(evutil_socket_t fd, short what, void *argument);

/* Returns false if memory is short. */
static bool plan(cr_raw *raw, uint64_t delay_ns) {
    cancel_timer(raw);
    raw->timer = cr_timer_start(raw->loop, delay_ns, on_due, on_loop_end, raw);
    return raw->timer;
}

static void end(cr_raw *raw, cr_raw_code code, int os_error, const char *text) {
    raw->state = RAW_ENDED;
    raw->code = code;
    raw->os_error = os_error;
    strncpy(raw->text, text, sizeof raw->text - 1);
    if (raw->is_owned) tell_end(raw);
}

static void close_conn(cr_raw *raw) {
    cr_conn *conn = raw->conn;
    if (!conn) return;
    cr_conn_enter(conn);
    cr_conn_close(conn, CR_CLIENT_GONE);
    cr_conn_leave(conn);
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
    event_del(&raw->leaving);
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
    tell_end(raw);
}

/* ---- The protocol ------------------------------------------------------------------------------------------------- */

static cr_raw *raw_of(const cr_conn *conn) {
    return conn->beginning->context;
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
    cr_conn_close(conn, CR_CLIENT_GONE);
}

static void drained(cr_conn *conn) {
    const cr_raw *raw = raw_of(conn);
    if (raw->is_owned && raw->state == RAW_OPEN && raw->hooks.drained) raw->hooks.drained(raw->context);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    cr_raw *raw = raw_of(conn);
    const int error = conn->error;
    const char *text = raw->tls.trouble;
    raw->conn = NULL;
    if (!raw->is_owned) return;
    if (outcome == CR_STOPPED) end(raw, CR_RAW_STOPPED, 0, "");
    else if (raw->late) end(raw, CR_RAW_TIMED_OUT, 0, "");
    else if (raw->tls.distrusted) end(raw, CR_RAW_DISTRUSTED, error, text);
    else if (raw->state == RAW_SHAKING) end(raw, CR_RAW_INSECURE, error, text);
    else end(raw, error ? CR_RAW_RESET : CR_RAW_CLOSED, error, text);
}

/* It may be closed by the hook. */
static void open_now(cr_raw *raw) {
    raw->state = RAW_OPEN;
    cr_conn_wait_for(raw->conn, CR_WAITING_STEP);
    cr_socket_probe(raw->conn);
    if (!plan(raw, UINT64_MAX)) {
        close_conn(raw);
        return;
    }
    raw->hooks.opened(raw->context);
}

static void ready(cr_conn *conn) {
    cr_raw *raw = raw_of(conn);
    if (raw->is_owned) open_now(raw);
}

static const cr_protocol protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .ended = ended,
    .ready = ready,
    .drained = drained,
};

/* ---- The beginning ------------------------------------------------------------------------------------------------ */

/* Makes a connection of a connected socket, which it takes over. */
static void adopt(cr_raw *raw, int fd, const struct sockaddr *peer) {
    cr_beginning *beginning = calloc(1, sizeof *beginning);
    if (!beginning) {
        close(fd);
        end(raw, CR_RAW_UNREACHABLE, ENOMEM, "");
        return;
    }
    const bool is_secured = raw->tls.trust;
    *beginning = (cr_beginning){
        .users = 1,
        .calls = true,
        .origin = {.port = raw->port, .security = is_secured ? CR_SECURED : CR_PLAIN},
        .protocol = &protocol,
        .secured = &cr_tls_call_transport,
        .context = raw,
        .free_context = release,
    };
    raw->users++;
    raw->state = RAW_SHAKING;
    cr_conn *conn = raw->conn = cr_conn_open(raw->loop, fd, peer, beginning);
    if (!conn) {
        end(raw, CR_RAW_UNREACHABLE, ENOMEM, "");
    } else if (is_secured) {
        /* During the handshake, too. */
        if (!conn->protocol) cr_conn_speak(conn, &protocol, NULL, 0);
        cr_conn_wait_for(conn, CR_WAITING_STEP);
    } else {
        cr_conn_enter(conn);
        open_now(raw);
        cr_conn_leave(conn);
    }
    cr_beginning_release(beginning);
}

static void dialled(void *argument, int fd, const cr_address *address, int error) {
    cr_raw *raw = argument;
    raw->dial = NULL;
    if (fd < 0) {
        end(raw, CR_RAW_UNREACHABLE, error, "");
        return;
    }
    struct sockaddr_storage peer;
    cr_address_put(address, raw->port, &peer);
    adopt(raw, fd, (struct sockaddr *)&peer);
}

static void on_due(void *argument) {
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
        if (plan(raw, raw->connect_ns)) {
            adopt(raw, fd, &peer);
        } else {
            close(fd);
            end(raw, CR_RAW_UNREACHABLE, ENOMEM, "");
        }
        break;
    case RAW_SHAKING:
        raw->late = true;
        close_conn(raw);
        break;
    case RAW_ENDED:
        tell_end(raw);
        break;
    case RAW_OPEN:
        break;
    }
}

/* A Unix socket is connected to at once, or not at all. */
static void dial_path(cr_raw *raw, const char *path) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    int error = ENAMETOOLONG;
    if (length < sizeof place.sun_path) {
        memcpy(place.sun_path, path, length + 1);
        raw->fd = cr_dial_socket(AF_UNIX);
        error = raw->fd < 0 || connect(raw->fd, (struct sockaddr *)&place, sizeof place) < 0 ? errno : 0;
    }
    raw->state = RAW_DIALLED;
    if (!error) return;
    drop_dial(raw);
    raw->state = RAW_ENDED;
    raw->code = CR_RAW_UNREACHABLE;
    raw->os_error = error;
}

cr_raw *cr_raw_open(cr_loop *loop, const cr_raw_place *place, const cr_raw_hooks *hooks, void *context) {
    size_t count = place->path ? 0 : place->address_count;
    size_t name_length = place->name ? strlen(place->name) + 1 : 1;
    cr_raw *raw = calloc(1, sizeof *raw + count * sizeof *raw->addresses + name_length);
    if (!raw) return NULL;
    raw->users = 1;
    raw->loop = loop;
    event_assign(&raw->leaving, loop->base, -1, 0, on_leaving, raw);
    raw->fd = -1;
    raw->hooks = *hooks;
    raw->context = context;
    raw->is_owned = true;
    raw->most_unsent = place->most_unsent;
    raw->connect_ns = place->connect_ms * 1000000ull;
    raw->port = place->port;
    raw->address_count = count;
    if (count) memcpy(raw->addresses, place->addresses, count * sizeof *raw->addresses);
    char *name = (char *)(raw->addresses + count);
    if (place->name) memcpy(name, place->name, name_length);
    raw->tls.name = name;
    raw->tls.offers_nothing = true;
    raw->tls.trust = place->trust ? cr_trust_retain(place->trust) : NULL;
    if (place->path) dial_path(raw, place->path);
    if (!plan(raw, place->path ? 0 : raw->connect_ns)) {
        cr_raw_close(raw);
        return NULL;
    }
    if (place->path) return raw;
    raw->dial = cr_dial_start(loop, raw->addresses, count, raw->port, NULL, NULL, dialled, raw);
    if (raw->dial) return raw;
    cr_raw_close(raw);
    return NULL;
}

/* ---- Sending ------------------------------------------------------------------------------------------------------ */

/* Sends what was gathered. May end the connection. */
static void send_now(cr_raw *raw) {
    cr_conn *conn = raw->conn;
    if (!conn || !raw->gathered.length) return;
    cr_buffer gathered = raw->gathered;
    raw->gathered = (cr_buffer){0};
    cr_conn_enter(conn);
    cr_conn_send(conn, gathered.bytes, gathered.length);
    cr_conn_leave(conn);
    cr_buffer_clear(&gathered);
}

static void on_leaving(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    send_now(argument);
}

bool cr_raw_send(cr_raw *raw, const void *bytes, size_t length) {
    if (raw->state != RAW_OPEN || !raw->conn) return false;
    if (raw->conn->output.length + raw->gathered.length + length > raw->most_unsent) return false;
    if (!raw->gathered.length) event_active(&raw->leaving, EV_TIMEOUT, 0);
    return cr_buffer_append(&raw->gathered, bytes, length);
}
