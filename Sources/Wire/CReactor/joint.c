/* The server's side of a tunnel behind a 101: a call, whose server goes on in another protocol with the client. */
#include "call.h"
#include "tunnel.h"

typedef struct cr_joint {
    cr_tunnel tunnel;
    cr_call *call; /* until it has ended */
} cr_joint;

static cr_call *call_of(cr_tunnel *tunnel) {
    return ((cr_joint *)(void *)tunnel)->call;
}

static void send_up(cr_tunnel *tunnel, const uint8_t *bytes, size_t length) {
    tunnel->full = !cr_call_send(call_of(tunnel), bytes, length);
}

static void finish_call(cr_tunnel *tunnel) {
    cr_call_finish(call_of(tunnel), NULL, 0);
}

static void read_on(cr_tunnel *tunnel, bool reads) {
    cr_call_read(call_of(tunnel), reads || tunnel->server_ended);
}

static void cancel(cr_tunnel *tunnel) {
    cr_call *call = call_of(tunnel);
    if (tunnel->client_broke && call->link) call->link->conn->reset = true;
    cr_call_cancel(call);
}

static const cr_tunnel_server joint_server = {
    .send = send_up,
    .finish = finish_call,
    .read = read_on,
    .close = cancel,
};

/* ---- What the call tells ---------------------------------------------------------------------------------------- */

static void body(void *context, const uint8_t *bytes, size_t length) {
    cr_tunnel_bring(context, bytes, length);
}

static void wants(void *context) {
    cr_tunnel *tunnel = context;
    tunnel->full = false;
    cr_tunnel_settle(tunnel);
}

static void server_ended(void *context) {
    cr_tunnel *tunnel = context;
    tunnel->server_ended = true;
    cr_tunnel_settle(tunnel);
}

static void call_ended(void *context, const cr_call_end *end) {
    cr_tunnel *tunnel = context;
    tunnel->server = NULL;
    tunnel->server_ended = true;
    /* A server that ends TLS without close_notify has ended: what it has sent arrives. Two that have rested for too long end in
     * order. */
    tunnel->rested = end->code == CR_CALL_TIMED_OUT;
    tunnel->broken = end->code != CR_CALL_DONE && end->code != CR_CALL_CUT_BODY && end->code != CR_CALL_TIMED_OUT;
    cr_tunnel_settle(tunnel);
}

static const cr_call_hooks joint_hooks = {
    .body = body,
    .wants = wants,
    .input_ended = server_ended,
    .ended = call_ended,
};

bool cr_call_join(cr_call *call, cr_stream *stream, cr_tunnel_ended *ended, void *context) {
    cr_joint *joint = cr_tunnel_begin(stream, sizeof *joint, &joint_server, ended, context);
    if (!joint) return false;
    joint->call = call;
    cr_call_read(call, false);
    call->hooks = &joint_hooks;
    call->context = joint;
    return true;
}
