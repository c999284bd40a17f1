/* The server's side of a tunnel after a 101: a call whose server speaks another protocol with the client. */
#include "call.h"
#include "tunnel.h"

typedef struct call_tunnel {
    cr_tunnel tunnel;
    cr_call *call; /* until it has ended */
} call_tunnel;

static cr_call *call_of(cr_tunnel *tunnel) {
    return ((call_tunnel *)(void *)tunnel)->call;
}

static void send_to_server(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    tunnel->full = !cr_call_send(call_of(tunnel), bytes, length);
}

static void finish_call(cr_tunnel *tunnel) {
    cr_call_finish(call_of(tunnel), NULL, 0);
}

static void set_reading(cr_tunnel *tunnel, bool reads) {
    cr_call_set_reading(call_of(tunnel), reads || tunnel->server_ended);
}

static void cancel(cr_tunnel *tunnel) {
    cr_call *call = call_of(tunnel);
    if (tunnel->client_broke && call->link) call->link->conn->reset = true;
    cr_call_cancel(call);
}

static const cr_tunnel_server call_tunnel_server = {
    .send = send_to_server,
    .finish = finish_call,
    .read = set_reading,
    .close = cancel,
};

/* ---- Hooks of the call ------------------------------------------------------------------------------------------ */

static void body(void *context, const uint8_t *bytes, size_t length) {
    cr_tunnel_forward(context, bytes, length);
}

static void writable(void *context) {
    cr_tunnel *tunnel = context;
    tunnel->full = false;
    cr_tunnel_update(tunnel);
}

static void server_ended(void *context) {
    cr_tunnel *tunnel = context;
    tunnel->server_ended = true;
    cr_tunnel_update(tunnel);
}

static void call_ended(void *context, const cr_call_end *end) {
    cr_tunnel *tunnel = context;
    tunnel->server = NULL;
    tunnel->server_ended = true;
    /* TLS without close_notify is an end: what the server sent arrives. A time-out ends both sides in order. */
    tunnel->timed_out = end->code == CR_CALL_TIMED_OUT;
    tunnel->broken = end->code != CR_CALL_DONE && end->code != CR_CALL_CUT_BODY && end->code != CR_CALL_TIMED_OUT;
    cr_tunnel_update(tunnel);
}

static const cr_call_hooks call_tunnel_hooks = {
    .body_data = body,
    .writable = writable,
    .input_ended = server_ended,
    .ended = call_ended,
};

bool cr_call_tunnel(cr_call *call, cr_stream *stream, cr_tunnel_ended *ended, void *context) {
    call_tunnel *tunnel = cr_tunnel_begin(stream, sizeof *tunnel, &call_tunnel_server, ended, context);
    if (!tunnel) return false;
    tunnel->call = call;
    cr_call_set_reading(call, false);
    call->hooks = &call_tunnel_hooks;
    call->context = tunnel;
    return true;
}
