/* A client and a server that speak another protocol with each other, since the server has answered with a 101: their bytes pass as
 * they are, each direction until its end. What one side does not take yet is kept, one read at the most, and the other side is
 * not read meanwhile. */
#include "call.h"

typedef struct cr_joint {
    cr_sequel sequel;
    cr_conn *conn;       /* the client's, which may still be sent the 101 */
    cr_call *call;       /* NULL once it has ended */
    bool open;           /* the connection speaks for it */
    bool broken;         /* the server has reset its side, or the call failed */
    bool client_ended, server_ended; /* nothing more comes from there */
    uint64_t up, down;   /* bytes passed on */
    void (*ended)(void *context, uint64_t up, uint64_t down);
    void *context;
} cr_joint;

static cr_joint *joint_of(const cr_conn *conn) {
    return (cr_joint *)conn->tunnel;
}

/* Ends the call and tells the end, once. */
static void finish(cr_joint *joint) {
    cr_call *call = joint->call;
    void (*ended)(void *, uint64_t, uint64_t) = joint->ended;
    joint->call = NULL;
    joint->ended = NULL;
    if (call) cr_call_cancel(call);
    if (ended) ended(joint->context, joint->up, joint->down);
}

static void free_joint(cr_conn *conn) {
    cr_joint *joint = joint_of(conn);
    finish(joint);
    free(joint);
    conn->tunnel = NULL;
}

/* Waits for the client: to send, or to take what is kept for it. */
static void wait_for_client(cr_conn *conn) {
    if (conn->state != CR_CONN_OPEN) return;
    if (conn->output.length) {
        if (conn->waiting != CR_WAITING_WRITE) cr_conn_wait_to_write(conn);
    } else if (conn->waiting != CR_WAITING_HOLD) {
        cr_conn_wait_for(conn, CR_WAITING_HOLD);
    }
}

/* Ends the client's connection as the call has ended, which comes behind the last bytes for the server; or our side of it behind
 * the last bytes of the server. */
static void pass_end(cr_joint *joint) {
    cr_conn *conn = joint->conn;
    if (!joint->open || conn->state != CR_CONN_OPEN) return;
    if (joint->broken) {
        conn->reset = true;
        cr_conn_close(conn, CR_CLIENT_GONE);
    } else if (!joint->call) {
        if (!conn->output.length) cr_conn_linger(conn);
    } else if (joint->server_ended && !conn->output.length && !conn->shut) {
        conn->shut = conn->transport->shut(conn) == 0 || errno != EAGAIN;
    }
}

/* ---- The client's side ------------------------------------------------------------------------------------------ */

static bool open_state(cr_conn *conn) {
    cr_joint *joint = joint_of(conn);
    joint->open = true;
    if (joint->call) cr_call_read(joint->call, true);
    return true;
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    cr_joint *joint = joint_of(conn);
    joint->up += length;
    if (joint->call && length && !cr_call_send(joint->call, bytes, length)) cr_conn_set_reading(conn, false);
    wait_for_client(conn);
    pass_end(joint);
}

static void input_ended(cr_conn *conn) {
    cr_joint *joint = joint_of(conn);
    joint->client_ended = true;
    cr_conn_close_input(conn);
    if (joint->call) cr_call_finish(joint->call, NULL, 0);
    pass_end(joint);
}

/* The client has taken what was kept for it. */
static void take_turn(cr_conn *conn) {
    cr_joint *joint = joint_of(conn);
    cr_conn_wait_for(conn, CR_WAITING_HOLD);
    if (joint->call) cr_call_read(joint->call, true);
    pass_end(joint);
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    (void)outcome;
    finish(joint_of(conn));
}

/* What is joined has no end that could be waited for. */
static void say_goodbye(cr_conn *conn) {
    cr_conn_close(conn, CR_STOPPED);
}

static const cr_protocol joint_protocol = {
    .open = open_state,
    .received = received,
    .input_ended = input_ended,
    .take_turn = take_turn,
    .ended = ended,
    .say_goodbye = say_goodbye,
};

/* ---- The server's side ------------------------------------------------------------------------------------------ */

static void body(void *context, const uint8_t *bytes, size_t length) {
    cr_joint *joint = context;
    cr_conn *conn = joint->conn;
    joint->down += length;
    cr_conn_enter(conn);
    if (cr_conn_send(conn, bytes, length) && conn->output.length) {
        cr_call_read(joint->call, false);
        wait_for_client(conn);
    }
    cr_conn_leave(conn);
}

static void wants(void *context) {
    cr_joint *joint = context;
    if (joint->open && joint->conn->state == CR_CONN_OPEN) cr_conn_set_reading(joint->conn, !joint->client_ended);
}

static void server_ended(void *context) {
    cr_joint *joint = context;
    cr_conn *conn = joint->conn;
    joint->server_ended = true;
    cr_conn_enter(conn);
    pass_end(joint);
    cr_conn_leave(conn);
}

static void call_ended(void *context, const cr_call_end *end) {
    cr_joint *joint = context;
    cr_conn *conn = joint->conn;
    joint->call = NULL;
    joint->server_ended = true;
    /* A server that ends TLS without close_notify has ended: what it has sent arrives. Two that have rested for too long end in
     * order. */
    joint->broken = end->code != CR_CALL_DONE && end->code != CR_CALL_CUT_BODY && end->code != CR_CALL_TIMED_OUT;
    cr_conn_enter(conn);
    pass_end(joint);
    cr_conn_leave(conn);
}

static const cr_call_hooks joint_hooks = {
    .body = body,
    .wants = wants,
    .input_ended = server_ended,
    .ended = call_ended,
};

bool cr_call_join(cr_call *call, cr_stream *stream, void (*ended)(void *context, uint64_t up, uint64_t down), void *context) {
    cr_conn *conn = stream->conn;
    cr_joint *joint = conn->tunnel ? NULL : calloc(1, sizeof *joint);
    if (!joint || !cr_stream_upgrade_kept(stream, &joint_protocol)) {
        free(joint);
        return false;
    }
    *joint = (cr_joint){.sequel = {free_joint}, .conn = conn, .call = call, .ended = ended, .context = context};
    conn->tunnel = &joint->sequel;
    cr_call_read(call, false);
    call->hooks = &joint_hooks;
    call->context = joint;
    return true;
}
