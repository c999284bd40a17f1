#include "conn.h"
#include "framing.h"

enum {
    STEPS = 16, /* steps that are sent in one write */
    PACE_TICK_NS = 10000000,
    RUN_NS = 500000 /* the longest that a script runs on without a wait */
};

typedef enum run_result { RUN_ON, RUN_BLOCKED, RUN_ENDED } run_result;

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

static void note_sent(cr_stream *stream, size_t written) {
    if (written && !stream->first_byte_ns) stream->first_byte_ns = cr_loop_read_clock(stream->conn->loop);
    stream->bytes_sent += written;
    stream->step_sent += written;
}

static void next_step(cr_stream *stream) {
    stream->step++;
    stream->step_sent = 0;
    stream->step_began = 0;
}

static run_result run_finish(cr_stream *stream, cr_ending ending);
static run_result run_abort(cr_stream *stream, cr_ending ending);
static run_result run_end(cr_stream *stream);

/* The nanoseconds that the stream takes for a wait of `ns` in its script. */
static uint64_t scaled_ns(const cr_stream *stream, uint64_t ns) {
    if (stream->time_scale == 1) return ns;
    double scaled = (double)ns * stream->time_scale;
    return scaled < 0x1p63 ? (uint64_t)scaled : UINT64_MAX;
}

/* The bytes a second that the stream may send of a step; 0 for any number of them. */
static uint64_t scaled_rate(const cr_stream *stream, const cr_step *step) {
    if (stream->time_scale == 1 || !step->rate) return step->rate;
    double scaled = step->rate / stream->time_scale;
    if (!(scaled < 0x1p63)) return 0;
    return scaled < 1 ? 1 : (uint64_t)scaled;
}

static bool goes_at_once(const cr_step *step) {
    switch ((cr_step_kind)step->kind) {
    case CR_STEP_BODY:
    case CR_STEP_RAW:
        return step->rate == 0;
    case CR_STEP_HEAD:
    case CR_STEP_END:
        return true;
    default:
        return false;
    }
}

/* The END of a response that HTTP/1.1 sends as it lies in memory: `length` bytes in one piece, from its head on. NULL for
 * any other. */
static const cr_step *end_of_piece(const cr_step *head, size_t *length) {
    const uint8_t *next = head->bytes + head->length;
    const cr_step *step = head + 1;
    for (; step->kind == CR_STEP_BODY && !step->rate; step++) {
        if (step->bytes != next || !(step->lead || !head->chunked)) return NULL;
        next += step->length;
    }
    if (step->kind != CR_STEP_END || (head->chunked && !step->lead)) return NULL;
    /* Without chunks, an end has no bytes on the wire. */
    if (step->lead) {
        if (step->bytes != next) return NULL;
        next += step->length;
    }
    *length = (size_t)(next - head->bytes);
    return step;
}

/* Leaves an answer, of which these parts are all, to the connection if others of the same turn may follow it. */
static bool pass_to_connection(cr_stream *stream, const cr_step *end, const struct iovec *parts, int count) {
    if (!stream->conn->gathering || end->ending != CR_KEEP_ALIVE || stream->bytes_sent || stream->body_before) return false;
    if (!cr_conn_gather(stream, parts, count)) return false;
    cr_stream_pass(stream);
    stream->conn->protocol->stream_ended(stream, CR_KEEP_ALIVE);
    return true;
}

/* Sends a response that is in one piece, as most are: nothing is laid out. */
static run_result run_piece(cr_stream *stream, const cr_step *end, size_t length) {
    const cr_step *head = &stream->script[stream->step];
    struct iovec part = {(void *)head->bytes, length};
    stream->chunked = head->chunked;
    if (pass_to_connection(stream, end, &part, 1)) return RUN_ENDED;
    ssize_t written = stream->conn->protocol->write(stream, &part, 1);
    if (written < 0) return write_failed(stream);
    note_sent(stream, (size_t)written);
    if ((size_t)written < length) {
        while (stream->step_sent >= stream->script[stream->step].length) {
            stream->step_sent -= stream->script[stream->step++].length;
        }
        return wait_for_writable(stream);
    }
    stream->step = (uint32_t)(end - stream->script);
    stream->step_sent = end->lead ? end->length : 0;
    return run_end(stream);
}

/* Sends this step and those right after it in one write, without a copy. */
static run_result run_send(cr_stream *stream) {
    const cr_step *first = &stream->script[stream->step];
    if (first->kind == CR_STEP_HEAD && !stream->step_sent && stream->framing == &cr_http1_framing) {
        size_t length;
        const cr_step *end = end_of_piece(first, &length);
        if (end) return run_piece(stream, end, length);
    }
    cr_parts parts;
    cr_parts_init(&parts, stream->step_sent);
    uint64_t ends[STEPS]; /* of each step, in bytes from the beginning of the first one */
    uint32_t count = 0;
    do {
        stream->framing->lay(stream, &first[count], &parts);
        ends[count++] = parts.laid;
    } while (count < STEPS && !parts.full && first[count - 1].kind != CR_STEP_END && goes_at_once(&first[count]));

    if (parts.total) {
        const cr_step *last = &first[count - 1];
        bool is_all = last->kind == CR_STEP_END && !parts.full;
        if (is_all && pass_to_connection(stream, last, parts.at, parts.count)) return RUN_ENDED;
        ssize_t written = stream->conn->protocol->write(stream, parts.at, parts.count);
        if (written < 0) return write_failed(stream);
        note_sent(stream, (size_t)written);
        parts.total -= (size_t)written;
    }
    uint32_t complete = 0;
    while (complete < count && ends[complete] <= stream->step_sent) complete++;
    if (complete == count && first[count - 1].kind == CR_STEP_END) {
        if (count > 1) stream->step_sent -= ends[count - 2];
        stream->step += count - 1;
        return run_end(stream);
    }
    if (complete) stream->step_sent -= ends[complete - 1];
    stream->step += complete;
    return parts.total ? wait_for_writable(stream) : RUN_ON;
}

static run_result wait_for_timer(cr_stream *stream, uint64_t ns) {
    cr_stream_wait(stream, ns);
    return RUN_BLOCKED;
}

/* What is left of the nanoseconds that a step takes from its beginning, which may be now. The loop's own clock decides:
 * without a precise clock, the event library may fire early. */
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
    next_step(stream);
    return RUN_ON;
}

/* The END at which the stream is was sent: the connection may still have to wait before it closes. */
static run_result run_end(cr_stream *stream) {
    const cr_step *end = &stream->script[stream->step];
    if (end->rate) {
        uint64_t left = time_left(stream, end->rate * 1000000ull);
        if (left) return wait_for_timer(stream, left);
    }
    return run_finish(stream, end->ending);
}

/* The nanoseconds from the beginning of a paced step until `bytes` may have been sent. */
static uint64_t pace_time_ns(uint64_t bytes, uint64_t rate) {
    return (uint64_t)((__uint128_t)bytes * 1000000000u / rate) + 1;
}

/* The number of bytes of a step that may have been sent by now, `passed` nanoseconds after its beginning; UINT64_MAX
 * without a rate. */
static uint64_t due_bytes(cr_stream *stream, uint64_t rate, uint64_t *passed) {
    if (!rate) return UINT64_MAX;
    uint64_t now = cr_loop_read_clock(stream->conn->loop);
    if (!stream->step_began) stream->step_began = now;
    *passed = now - stream->step_began;
    return (uint64_t)((__uint128_t)*passed * rate / 1000000000u);
}

static run_result run_pace(cr_stream *stream) {
    const cr_step *step = &stream->script[stream->step];
    cr_parts parts;
    cr_parts_init(&parts, stream->step_sent);
    stream->framing->lay(stream, step, &parts);
    if (stream->step_sent == parts.laid) {
        next_step(stream);
        return RUN_ON;
    }
    uint64_t passed = 0;
    const uint64_t rate = scaled_rate(stream, step);
    uint64_t due = due_bytes(stream, rate, &passed);
    if (due <= stream->step_sent) {
        uint64_t next = pace_time_ns(stream->step_sent + 1, rate) - passed;
        return wait_for_timer(stream, next < PACE_TICK_NS ? PACE_TICK_NS : next);
    }
    cr_parts_limit(&parts, due - stream->step_sent < parts.total ? (size_t)due - stream->step_sent : parts.total);
    ssize_t written = stream->conn->protocol->write(stream, parts.at, parts.count);
    if (written < 0) return write_failed(stream);
    note_sent(stream, (size_t)written);
    if ((size_t)written < parts.total) return wait_for_writable(stream);
    return stream->step_sent == parts.laid ? RUN_ON : wait_for_timer(stream, PACE_TICK_NS);
}

/* Sends one window of the file, so that other streams get their turn. */
static run_result run_file(cr_stream *stream) {
    const cr_step *step = &stream->script[stream->step];
    uint64_t passed = 0;
    const uint64_t rate = scaled_rate(stream, step);
    uint64_t due = due_bytes(stream, rate, &passed);
    if (due <= stream->step_sent) {
        uint64_t next = pace_time_ns(stream->step_sent + 1, rate) - passed;
        return wait_for_timer(stream, next < PACE_TICK_NS ? PACE_TICK_NS : next);
    }
    ssize_t sent = cr_stream_send_file(stream, step, due - stream->step_sent);
    if (sent < 0) return errno ? write_failed(stream) : run_abort(stream, CR_RST);
    if (sent > 0) {
        note_sent(stream, (size_t)sent);
        return rate ? RUN_ON : wait_for_writable(stream);
    }
    cr_parts parts;
    cr_parts_init(&parts, stream->step_sent);
    if (!cr_parts_lay_file(&parts, step, stream, due - stream->step_sent)) return run_abort(stream, CR_RST);
    if (stream->step_sent == parts.laid) {
        next_step(stream);
        return RUN_ON;
    }
    if (due - stream->step_sent < parts.total) cr_parts_limit(&parts, due - stream->step_sent);
    ssize_t written = stream->conn->protocol->write(stream, parts.at, parts.count);
    if (written < 0) return write_failed(stream);
    note_sent(stream, (size_t)written);
    if (stream->step_sent == parts.laid) {
        next_step(stream);
        return RUN_ON;
    }
    bool paused = rate && (size_t)written == parts.total;
    return paused ? wait_for_timer(stream, PACE_TICK_NS) : wait_for_writable(stream);
}

static run_result run_finish(cr_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->conn;
    /* A client that closed both directions answers bytes with a reset, on the same machine at once. */
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
    if (goes_at_once(step)) return run_send(stream);
    /* The answers before this one neither wait for it nor end with it. */
    if (cr_conn_has_gathered(stream->conn) && !cr_conn_flush(stream->conn)) return write_failed(stream);
    switch ((cr_step_kind)step->kind) {
    case CR_STEP_WAIT:
        return run_wait(stream);
    case CR_STEP_ABORT:
        return run_abort(stream, step->ending);
    case CR_STEP_FILE:
        return run_file(stream);
    case CR_STEP_HOLD:
    case CR_STEP_MORE:
        return run_hold(stream);
    default:
        return run_pace(stream);
    }
}

void cr_stream_run(cr_stream *stream) {
    uint64_t began_ns = 0;
    for (uint32_t count = 1; run_step(stream) == RUN_ON; count++) {
        if (count % STEPS) continue;
        uint64_t now_ns = cr_clock_ns();
        if (!began_ns) began_ns = now_ns;
        if (now_ns - began_ns < RUN_NS) continue;
        cr_stream_yield(stream);
        return;
    }
}
