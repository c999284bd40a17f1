/* Runs the scripts of streams: waits, pace and ends. The protocol sends the bytes. */
#include "conn.h"
#include "relay.h"

enum {
    CHECKED_STEPS = 16, /* steps between two readings of the clock */
    PACE_TICK_NS = 10000000,
    RUN_NS = 500000 /* longest run without a wait */
};

typedef enum run_result { RUN_ON, RUN_BLOCKED, RUN_ENDED } run_result;

static run_result run_finish(cr_stream *stream, cr_ending ending);
static run_result run_abort(cr_stream *stream, cr_ending ending);
static run_result run_end(cr_stream *stream);

/* A wait of `ns`, scaled. */
static uint64_t scaled_ns(const cr_stream *stream, uint64_t ns) {
    if (stream->time_scale == 1) return ns;
    double scaled = (double)ns * stream->time_scale;
    return scaled < 0x1p63 ? (uint64_t)scaled : UINT64_MAX;
}

/* The scaled rate of a step, in bytes per second; 0 for no limit. */
static uint64_t scaled_rate(const cr_stream *stream, const cr_step *step) {
    if (stream->time_scale == 1 || !step->rate) return step->rate;
    double scaled = step->rate / stream->time_scale;
    if (!(scaled < 0x1p63)) return 0;
    return scaled < 1 ? 1 : (uint64_t)scaled;
}

static run_result wait_to_send(cr_stream *stream) {
    stream->state = CR_STREAM_WRITING;
    stream->conn->protocol->stream_waits(stream);
    return RUN_BLOCKED;
}

static run_result run_closed(cr_stream *stream) {
    cr_conn_close(stream->conn, CR_CLIENT_DISCONNECTED);
    return RUN_ENDED;
}

/* Sends from the step on, at most `limit`. */
static run_result run_send(cr_stream *stream, uint64_t limit) {
    switch (stream->conn->protocol->send(stream, limit)) {
    case CR_SEND_ON:
        return stream->end_sent ? run_end(stream) : RUN_ON;
    case CR_SEND_WAIT:
        return wait_to_send(stream);
    case CR_SEND_BROKEN:
        stream->abort_code = 2; /* HTTP/2 INTERNAL_ERROR */
        return run_abort(stream, CR_RESET_STREAM);
    case CR_SEND_HANDED_OVER:
        return RUN_ENDED;
    case CR_SEND_CLOSED:
        break;
    }
    return run_closed(stream);
}

static run_result wait_for_timer(cr_stream *stream, uint64_t ns) {
    cr_stream_wait(stream, ns);
    return RUN_BLOCKED;
}

/* The rest of a step's `ns`, from its beginning, which may be now. The loop's own clock decides: without a precise
 * clock, libevent may fire early. */
static uint64_t time_left(cr_stream *stream, uint64_t ns) {
    uint64_t amount = scaled_ns(stream, ns);
    uint64_t now = cr_loop_read_clock(stream->conn->loop);
    if (!stream->step_began) stream->step_began = now;
    uint64_t passed = now - stream->step_began;
    return passed < amount ? amount - passed : 0;
}

static run_result run_wait(cr_stream *stream) {
    uint64_t left = time_left(stream, stream->script[stream->step].nanoseconds);
    if (left) return wait_for_timer(stream, left);
    cr_stream_next_step(stream);
    return RUN_ON;
}

/* The stream's END was sent; the connection may have to wait before it closes. */
static run_result run_end(cr_stream *stream) {
    const cr_step *end = &stream->script[stream->step];
    if (end->rate) {
        uint64_t left = time_left(stream, end->rate * 1000000ull);
        if (left) return wait_for_timer(stream, left);
    }
    return run_finish(stream, end->ending);
}

/* Nanoseconds from the beginning of a paced step until `bytes` are due. */
static uint64_t pace_time_ns(uint64_t bytes, uint64_t rate) {
    return (uint64_t)((__uint128_t)bytes * 1000000000u / rate) + 1;
}

/* Bytes of a step that are due, `*passed` nanoseconds after its beginning; UINT64_MAX without a rate. */
static uint64_t due_bytes(cr_stream *stream, uint64_t rate, uint64_t *passed) {
    if (!rate) return UINT64_MAX;
    uint64_t now = cr_loop_read_clock(stream->conn->loop);
    if (!stream->step_began) stream->step_began = now;
    *passed = now - stream->step_began;
    return (uint64_t)((__uint128_t)*passed * rate / 1000000000u);
}

/* Sends the due bytes of a paced step, or a time slice of a file. `sent` is what was sent of the step. */
static run_result run_paced(cr_stream *stream, uint64_t sent) {
    const uint32_t before = stream->step;
    const cr_step *step = &stream->script[before];
    if (!step->length) {
        cr_stream_next_step(stream);
        return RUN_ON;
    }
    uint64_t passed = 0;
    const uint64_t rate = scaled_rate(stream, step);
    uint64_t due = due_bytes(stream, rate, &passed);
    if (due <= sent) {
        uint64_t next = pace_time_ns(sent + 1, rate) - passed;
        return wait_for_timer(stream, next < PACE_TICK_NS ? PACE_TICK_NS : next);
    }
    run_result result = run_send(stream, rate ? due - sent : UINT64_MAX);
    bool paused = result == RUN_ON && rate && stream->step == before;
    return paused ? wait_for_timer(stream, PACE_TICK_NS) : result;
}

/* Sends what a relay has, or waits for more. */
static run_result run_relay(cr_stream *stream) {
    const cr_step *step = &stream->script[stream->step];
    cr_relay *relay = cr_relay_of(step);
    cr_relay_bind(relay, stream);
    if (relay->broken) {
        stream->abort_code = 2; /* HTTP/2 INTERNAL_ERROR */
        return run_abort(stream, CR_RESET_STREAM);
    }
    if (relay->chunk || cr_relay_ready(relay, step, UINT64_MAX)) return run_paced(stream, relay->passed);
    if (cr_relay_ends_after(relay, step, 0)) {
        relay->passed = 0;
        cr_stream_next_step(stream);
        return RUN_ON;
    }
    /* Frees what a burst allocated. */
    if (relay->counted) cr_relay_clear(relay);
    relay->waiting = true;
    cr_stream_suspend(stream);
    return RUN_BLOCKED;
}

static run_result run_finish(cr_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->conn;
    /* A client that closed both directions resets the connection on the first byte, at once on the same machine. */
    if (cr_conn_has_disconnected(conn)) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return RUN_ENDED;
    }
    cr_stream_end(stream, CR_SENT);
    conn->protocol->stream_ended(stream, ending);
    return RUN_ENDED;
}

static run_result run_abort(cr_stream *stream, cr_ending ending) {
    if (ending == CR_HANG) {
        cr_stream_hang(stream);
        return RUN_BLOCKED;
    }
    cr_stream_end(stream, CR_ABORTED);
    stream->conn->protocol->stream_ended(stream, ending);
    return RUN_ENDED;
}

static run_result run_hold(cr_stream *stream) {
    return cr_stream_hold(stream) ? RUN_ON : RUN_BLOCKED;
}

static run_result run_step(cr_stream *stream) {
    if (stream->relay) cr_relay_notify_room(stream->relay);
    const cr_step *step = &stream->script[stream->step];
    if (cr_step_is_immediate(step)) return stream->end_sent ? run_end(stream) : run_send(stream, UINT64_MAX);
    /* Earlier answers neither wait for this one nor end with it. */
    if (stream->conn->has_coalesced && !cr_conn_flush(stream->conn)) {
        return errno == EAGAIN ? wait_to_send(stream) : run_closed(stream);
    }
    switch ((cr_step_kind)step->kind) {
    case CR_STEP_WAIT:
        return run_wait(stream);
    case CR_STEP_ABORT:
        stream->abort_code = step->rate;
        stream->abort_last = step->nanoseconds;
        return run_abort(stream, step->ending);
    case CR_STEP_HOLD:
    case CR_STEP_MORE:
        return run_hold(stream);
    case CR_STEP_RELAY:
        return run_relay(stream);
    default:
        return run_paced(stream, stream->step_sent);
    }
}

void cr_stream_run(cr_stream *stream) {
    uint64_t began_ns = 0;
    for (uint32_t count = 1; run_step(stream) == RUN_ON; count++) {
        if (count % CHECKED_STEPS) continue;
        uint64_t now_ns = cr_clock_ns();
        if (!began_ns) began_ns = now_ns;
        if (now_ns - began_ns < RUN_NS) continue;
        cr_stream_yield(stream);
        return;
    }
}
