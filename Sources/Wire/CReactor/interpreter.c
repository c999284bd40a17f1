#include "conn.h"

enum {
    PARTS = 16,           /* SEND steps that go out in one write */
    PACE_TICK_NS = 10000000
};

typedef enum run_result { RUN_ON, RUN_BLOCKED, RUN_ENDED } run_result;

/* Notes what a write took, and moves over the steps that are complete. */
static void advance(cr_stream *stream, size_t written) {
    if (written && !stream->first_byte_ns) stream->first_byte_ns = cr_loop_read_clock(stream->conn->loop);
    stream->bytes_sent += written;
    for (;;) {
        const cr_step *step = &stream->script[stream->step];
        if (step->kind != CR_STEP_SEND) return;
        size_t left = step->length - stream->step_sent;
        if (written < left) {
            stream->step_sent += written;
            return;
        }
        written -= left;
        stream->step++;
        stream->step_sent = 0;
    }
}

static run_result wait_for_writable(cr_stream *stream) {
    stream->state = CR_STREAM_WRITING;
    stream->conn->protocol->stream_waits(stream);
    return RUN_BLOCKED;
}

static run_result write_failed(cr_stream *stream) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return wait_for_writable(stream);
    cr_conn_close(stream->conn, CR_CLIENT_GONE);
    return RUN_ENDED;
}

/* Sends this SEND step and those right behind it in one write, straight from where they lie. */
static run_result run_send(cr_stream *stream) {
    struct iovec parts[PARTS];
    int count = 0;
    size_t total = 0, skipped = stream->step_sent;
    for (uint32_t i = stream->step; count < PARTS && stream->script[i].kind == CR_STEP_SEND; i++) {
        const cr_step *step = &stream->script[i];
        parts[count].iov_base = (uint8_t *)step->bytes + skipped;
        parts[count].iov_len = step->length - skipped;
        total += parts[count++].iov_len;
        skipped = 0;
    }
    if (total == 0) {
        advance(stream, 0);
        return RUN_ON;
    }
    ssize_t written = stream->conn->protocol->write(stream, parts, count);
    if (written < 0) return write_failed(stream);
    advance(stream, (size_t)written);
    return (size_t)written == total ? RUN_ON : wait_for_writable(stream);
}

static run_result wait_for_timer(cr_stream *stream, uint64_t ns) {
    cr_stream_wait(stream, ns);
    return RUN_BLOCKED;
}

/* The step is over only by our own clock: where the event library has no precise one, a timer may fire too early. */
static run_result run_wait(cr_stream *stream) {
    uint64_t amount = stream->script[stream->step].amount;
    uint64_t now = cr_loop_read_clock(stream->conn->loop);
    if (!stream->step_began) stream->step_began = now;
    uint64_t passed = now - stream->step_began;
    if (passed < amount) return wait_for_timer(stream, amount - passed);
    stream->step++;
    stream->step_began = 0;
    return RUN_ON;
}

/* How many nanoseconds from its beginning a PACE step needs until `bytes` may be out. */
static uint64_t pace_time_ns(uint64_t bytes, uint64_t rate) {
    return (uint64_t)((__uint128_t)bytes * 1000000000u / rate) + 1;
}

static run_result run_pace(cr_stream *stream) {
    const cr_step *step = &stream->script[stream->step];
    if (step->length == 0) {
        stream->step++;
        return RUN_ON;
    }
    uint64_t now = cr_loop_read_clock(stream->conn->loop);
    if (!stream->step_began) stream->step_began = now;
    uint64_t passed = now - stream->step_began;
    __uint128_t due = (__uint128_t)passed * step->amount / 1000000000u;
    size_t allowed = due > step->length ? step->length : (size_t)due;
    if (allowed <= stream->step_sent) {
        uint64_t next = pace_time_ns(stream->step_sent + 1, step->amount) - passed;
        return wait_for_timer(stream, next < PACE_TICK_NS ? PACE_TICK_NS : next);
    }
    struct iovec part = {(uint8_t *)step->bytes + stream->step_sent, allowed - stream->step_sent};
    ssize_t written = stream->conn->protocol->write(stream, &part, 1);
    if (written < 0) return write_failed(stream);
    if (written && !stream->first_byte_ns) stream->first_byte_ns = now;
    stream->bytes_sent += (size_t)written;
    stream->step_sent += (size_t)written;
    if (stream->step_sent == step->length) {
        stream->step++;
        stream->step_sent = 0;
        stream->step_began = 0;
        return RUN_ON;
    }
    return (size_t)written < part.iov_len ? wait_for_writable(stream) : wait_for_timer(stream, PACE_TICK_NS);
}

static run_result run_finish(cr_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->conn;
    /* A client that closed both its sides answers bytes with a reset, on the same machine before they are out. */
    if (cr_conn_is_left(conn)) {
        cr_conn_close(conn, CR_CLIENT_GONE);
        return RUN_ENDED;
    }
    cr_stream_end(stream, CR_SENT);
    conn->protocol->stream_ended(stream, ending);
    return RUN_ENDED;
}

static run_result run_abort(cr_stream *stream, cr_ending ending) {
    cr_stream_end(stream, CR_ABORTED);
    stream->conn->protocol->stream_ended(stream, ending);
    return RUN_ENDED;
}

static run_result run_hold(cr_stream *stream) {
    return cr_stream_hold(stream) ? RUN_ON : RUN_BLOCKED;
}

static run_result run_step(cr_stream *stream) {
    const cr_step *step = &stream->script[stream->step];
    switch (step->kind) {
    case CR_STEP_WAIT:
        return run_wait(stream);
    case CR_STEP_SEND:
        return run_send(stream);
    case CR_STEP_PACE:
        return run_pace(stream);
    case CR_STEP_FINISH:
        return run_finish(stream, step->ending);
    case CR_STEP_ABORT:
        return run_abort(stream, step->ending);
    case CR_STEP_HOLD:
        return run_hold(stream);
    }
    return RUN_ENDED;
}

void cr_stream_run(cr_stream *stream) {
    while (run_step(stream) == RUN_ON) continue;
}
