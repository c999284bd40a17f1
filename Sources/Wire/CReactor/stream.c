#include "conn.h"
#include "relay.h"

static void on_timer(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_stream *stream = argument;
    cr_conn *conn = stream->conn;
    if (stream->state == CR_STREAM_WRITING) {
        cr_conn_ref(conn);
        cr_loop_read_clock(conn->loop);
        conn->protocol->drop(stream, CR_CLIENT_STALLED);
        cr_conn_unref(conn);
    } else {
        stream->state = CR_STREAM_RUNNING;
        conn->protocol->resume(stream);
    }
}

void cr_stream_init(cr_stream *stream, cr_conn *conn) {
    *stream = (cr_stream){.conn = conn};
    event_assign(&stream->timer, conn->loop->base, -1, 0, on_timer, stream);
}

void cr_stream_dispatch(cr_stream *stream, const cr_request *request) {
    cr_handler *handler = &cr_service_of(stream->conn->loop)->handler;
    stream->state = CR_STREAM_DISPATCHING;
    stream->time_scale = 1;
    stream->conn->owed_replies++;
    handler->on_request(handler->context, stream, request);
    /* Earlier answers do not wait for this one. An on_end in here may let the handler reply. */
    if (stream->state == CR_STREAM_DISPATCHING) cr_stream_flush_earlier(stream);
    if (stream->state != CR_STREAM_DISPATCHING) return;
    stream->state = CR_STREAM_AWAITING_REPLY;
    stream->conn->protocol->stream_waits(stream);
}

void cr_stream_wait(cr_stream *stream, uint64_t ns) {
    struct timeval delay = cr_timeval(ns);
    stream->state = CR_STREAM_TIMED;
    stream->conn->protocol->stream_waits(stream);
    event_add(&stream->timer, &delay);
}

void cr_stream_limit_wait(cr_stream *stream, uint64_t ns) {
    struct timeval delay = cr_timeval(ns);
    stream->write_limited = true;
    event_add(&stream->timer, &delay);
}

void cr_stream_unlimit_wait(cr_stream *stream) {
    if (stream->write_limited) event_del(&stream->timer);
    stream->write_limited = false;
}

/* Removes the stream from the writers and its limit. */
static void stop_waiting_to_send(cr_stream *stream) {
    cr_stream_unlimit_wait(stream);
    if (stream->queued) cr_conn_remove_writer(stream->conn, stream);
}

void cr_stream_wake(cr_stream *stream) {
    stop_waiting_to_send(stream);
    stream->state = CR_STREAM_RUNNING;
}

void cr_stream_yield(cr_stream *stream) {
    cr_loop *loop = stream->conn->loop;
    stream->state = CR_STREAM_YIELDED;
    TAILQ_INSERT_TAIL(&cr_service_of(loop)->yielded, stream, ready_link);
    stream->conn->protocol->stream_waits(stream);
    cr_loop_schedule_ready(loop);
}

static void wait_held(cr_stream *stream) {
    cr_loop *loop = stream->conn->loop;
    stream->state = CR_STREAM_HELD;
    LIST_INSERT_HEAD(&cr_service_of(loop)->held, stream, held_link);
    /* The wait may never end, and the client may have disconnected. */
    if (loop->draining || stream->conn->client_closed) {
        stream->conn->protocol->drop(stream, loop->draining ? CR_STOPPED : CR_CLIENT_DISCONNECTED);
    } else {
        stream->conn->protocol->stream_waits(stream);
    }
}

bool cr_stream_hold(cr_stream *stream) {
    cr_loop *loop = stream->conn->loop;
    const cr_step *step = &stream->script[stream->step];
    stream->state = CR_STREAM_HOLDING;
    if (step->kind == CR_STEP_MORE) stream->script = NULL;
    cr_service_of(loop)->handler.on_hold(cr_service_of(loop)->handler.context, stream, stream->observer, step);
    if (stream->state != CR_STREAM_HOLDING) return stream->state == CR_STREAM_RUNNING;
    wait_held(stream);
    return false;
}

void cr_stream_hang(cr_stream *stream) {
    stream->hung = true;
    wait_held(stream);
}

void cr_stream_suspend(cr_stream *stream) {
    wait_held(stream);
}

/* Removes the stream from the list in which it waits. */
static void stop_waiting(cr_stream *stream) {
    if (stream->state == CR_STREAM_TIMED) event_del(&stream->timer);
    if (stream->state == CR_STREAM_HELD) LIST_REMOVE(stream, held_link);
    if (stream->state == CR_STREAM_YIELDED) {
        TAILQ_REMOVE(&cr_service_of(stream->conn->loop)->yielded, stream, ready_link);
    }
    stop_waiting_to_send(stream);
}

void cr_stream_clear(cr_stream *stream) {
    stream->state = CR_STREAM_IDLE;
    stream->script = NULL;
    stream->end_sent = false;
    stream->hung = false;
    stream->refused = false;
    stream->refusal = 0;
    stream->step = 0;
    stream->step_sent = 0;
    stream->step_began = 0;
    stream->bytes_sent = 0;
    stream->body_sent = 0;
    stream->first_byte_ns = 0;
    if (stream->relay) cr_relay_unbind(stream);
}

void cr_stream_end(cr_stream *stream, cr_outcome outcome) {
    if (stream->state < CR_STREAM_RUNNING) return;
    if (stream->state > CR_STREAM_RUNNING) stop_waiting(stream);
    cr_loop *loop = stream->conn->loop;
    if (stream->hung) outcome = CR_ABORTED;
    if (stream->refused) outcome = CR_BODY_REFUSED;
    uint64_t body = outcome == CR_SENT ? 0 : stream->body_sent;
    cr_end end = {outcome, stream->bytes_sent, body, stream->first_byte_ns, loop->now_ns, stream->refusal};
    cr_stream_clear(stream);
    cr_service_of(loop)->handler.on_end(cr_service_of(loop)->handler.context, stream->observer, &end);
}

cr_end cr_stream_progress(const cr_stream *stream) {
    return (cr_end){CR_SENT, stream->bytes_sent, 0, stream->first_byte_ns, stream->conn->loop->now_ns, 0};
}

void cr_stream_detach(cr_stream *stream, cr_outcome outcome) {
    if (stream->state == CR_STREAM_DISPATCHING || stream->state == CR_STREAM_AWAITING_REPLY) {
        stream->state = CR_STREAM_DETACHED;
    } else {
        cr_stream_end(stream, outcome);
    }
}

/* Runs a stream whose wait is over. On an ended connection, where the end of one stream lets the handler answer
 * another, the protocol is about to end it instead. */
static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    if (conn->state == CR_CONN_OPEN) conn->protocol->resume(stream);
}

void cr_stream_reply(cr_stream *stream, const cr_step *script, cr_observer observer) {
    cr_conn *conn = stream->conn;
    cr_stream_state before = stream->state;
    stream->state = CR_STREAM_RUNNING;
    stream->script = script;
    stream->observer = observer;
    conn->owed_replies--;
    if (before == CR_STREAM_DETACHED) {
        cr_conn_ref(conn);
        cr_stream_end(stream, CR_CLIENT_DISCONNECTED);
        conn->protocol->stream_ended(stream, CR_RST);
        cr_conn_unref(conn);
    } else if (before == CR_STREAM_AWAITING_REPLY) {
        resume(stream);
    } /* else the reply came inside on_request, and the dispatcher runs the script */
}

void cr_streams_run_ready(cr_loop *loop) {
    const uint64_t began_ns = cr_loop_read_clock(loop);
    const cr_stream *last = TAILQ_LAST(&cr_service_of(loop)->yielded, cr_yielded_list), *stream = NULL;
    while (!TAILQ_EMPTY(&cr_service_of(loop)->yielded) && stream != last && loop->now_ns - began_ns < CR_SLICE_NS) {
        cr_stream *next = TAILQ_FIRST(&cr_service_of(loop)->yielded);
        stream = next; /* compared only: it may be freed afterwards */
        TAILQ_REMOVE(&cr_service_of(loop)->yielded, next, ready_link);
        next->state = CR_STREAM_RUNNING;
        resume(next);
        cr_loop_read_clock(loop);
    }
}

/* Continues a held stream at a step of a script. */
static void continue_at(cr_stream *stream, const cr_step *script, uint32_t step) {
    bool waits = stream->state == CR_STREAM_HELD;
    if (waits) LIST_REMOVE(stream, held_link);
    stream->state = CR_STREAM_RUNNING;
    stream->script = script;
    stream->step = step;
    if (waits) resume(stream);
}

void cr_stream_release(cr_stream *stream) {
    continue_at(stream, stream->script, stream->step + 1);
}

void cr_stream_resume(cr_stream *stream) {
    continue_at(stream, stream->script, stream->step);
}

void cr_stream_extend(cr_stream *stream, const cr_step *script) {
    continue_at(stream, script, 0);
}

void cr_stream_set_time_scale(cr_stream *stream, double scale) {
    stream->time_scale = scale;
}

void cr_stream_cancel(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    cr_conn_ref(conn);
    conn->protocol->drop(stream, CR_CANCELLED);
    cr_conn_unref(conn);
}

void cr_stream_flush_earlier(cr_stream *stream) {
    if (stream->conn->has_coalesced) cr_conn_flush(stream->conn);
}

void *cr_stream_extract_body(cr_stream *stream, const cr_request *request) {
    return stream->conn->protocol->extract_body(stream, request);
}

bool cr_stream_accept_input(cr_stream *stream) {
    const cr_protocol *protocol = stream->conn->protocol;
    return protocol->accept_input && protocol->accept_input(stream);
}

void cr_stream_set_input_reading(cr_stream *stream, bool reads) {
    const cr_protocol *protocol = stream->conn->protocol;
    if (protocol->set_input_reading && stream->conn->state == CR_CONN_OPEN) protocol->set_input_reading(stream, reads);
}

bool cr_stream_upgrade(cr_stream *stream, const cr_protocol *protocol) {
    const cr_protocol *present = stream->conn->protocol;
    return present->upgrade && present->upgrade(stream, protocol, false);
}

bool cr_stream_upgrade_forced(cr_stream *stream, const cr_protocol *protocol) {
    const cr_protocol *present = stream->conn->protocol;
    return present->upgrade && present->upgrade(stream, protocol, true);
}

void cr_body_free(void *body) {
    free(body);
}

cr_loop *cr_stream_loop(const cr_stream *stream) {
    return stream->conn->loop;
}
