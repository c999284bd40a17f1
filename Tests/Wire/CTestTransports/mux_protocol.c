#include "mux_protocol.h"

#include "conn.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { ENVELOPE_HEAD = 6, FRAME_HEAD = 10 };

typedef struct mux_stream {
    cr_stream stream; /* first, so that the address of the stream is that of its state */
    uint8_t number;
    bool used;        /* from its request to its end; for a cancelled one, to the reply */
    bool last;        /* the connection ends with its answer */
    bool starved;     /* it waits for a grant */
    uint64_t granted; /* bytes of the body that may be sent */
    cr_buffer made;   /* frames that are not sent yet, starting at `made_at` */
    size_t made_at;
    uint64_t made_of;                /* bytes of the payload in them */
    uint32_t made_count, sent_count; /* numbers of the answer's frames */
} mux_stream;

typedef struct mux_state {
    cr_buffer in; /* received envelopes, the last one possibly incomplete */
    mux_stream streams[MUX_STREAMS];
} mux_state;

/* Indexed by the listener's port. */
static struct {
    _Atomic int open_states, blocked_writes;
} counts[1 << 16];

int mux_open_states(uint16_t port) {
    return counts[port].open_states;
}

int mux_blocked_writes(uint16_t port) {
    return counts[port].blocked_writes;
}

static mux_stream *mux_of(cr_stream *stream) {
    return (mux_stream *)stream;
}

static void put_number(uint8_t *at, size_t number) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(number >> (24 - 8 * i));
}

static size_t number_at(const uint8_t *at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* ---- Frames -------------------------------------------------------------------------------------------------- */

static void put_frame_head(const mux_stream *mux, uint8_t *at, char kind, uint32_t count, size_t length) {
    at[0] = mux->number;
    at[1] = (uint8_t)kind;
    put_number(at + 2, count);
    put_number(at + 6, length);
}

/* Makes a frame. It takes the answer's next number, so it must not be made again. */
static void make_frame(mux_stream *mux, char kind, cr_span payload) {
    uint8_t head[FRAME_HEAD];
    put_frame_head(mux, head, kind, mux->made_count++, payload.length);
    if (!cr_buffer_append(&mux->made, head, sizeof head)) abort();
    if (payload.length && !cr_buffer_append(&mux->made, payload.bytes, payload.length)) abort();
}

static void make_fields(mux_stream *mux, cr_span fields) {
    cr_span name, value;
    while (cr_next_field(&fields, &name, &value)) {
        make_frame(mux, 'N', name);
        make_frame(mux, 'V', value);
    }
}

static void make_head(mux_stream *mux, const cr_step *head) {
    int64_t status;
    cr_span reason, fields = cr_head_read(head, &status, &reason);
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%d", (int)status);
    make_frame(mux, 'H', (cr_span){(const uint8_t *)digits, length});
    make_fields(mux, fields);
}

/* Drops frames that will not be sent. */
static void drop_made(mux_stream *mux) {
    cr_buffer_clear(&mux->made);
    mux->made_at = 0;
}

/* ---- Waiting ------------------------------------------------------------------------------------------------- */

/* What a connection with this stream alone would wait for. */
static cr_waiting waiting_of(const mux_stream *stream) {
    if (!stream->used) return CR_WAITING_REQUEST;
    switch (stream->stream.state) {
    case CR_STREAM_DETACHED:
        return CR_WAITING_REQUEST;
    case CR_STREAM_DISPATCHING:
    case CR_STREAM_AWAITING_REPLY:
        return CR_WAITING_REPLY;
    case CR_STREAM_HOLDING:
    case CR_STREAM_HELD:
        return CR_WAITING_HOLD;
    case CR_STREAM_WRITING:
        return stream->starved ? CR_WAITING_STEP : CR_WAITING_WRITE;
    default:
        return CR_WAITING_STEP;
    }
}

/* Updates what the connection waits for: the latest in the order of cr_waiting of what its streams wait for, since only
 * CR_WAITING_WRITE has a timeout. */
static void update_waiting(cr_conn *conn) {
    const mux_state *state = conn->protocol_state;
    cr_waiting waiting = CR_WAITING_REQUEST;
    for (int i = 0; i < MUX_STREAMS; i++) {
        cr_waiting own = waiting_of(&state->streams[i]);
        if (own > waiting) waiting = own;
    }
    if (conn->waiting != waiting) cr_conn_wait_for(conn, waiting);
}

static void stream_waits(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    if (stream->state != CR_STREAM_WRITING || mux_of(stream)->starved) {
        update_waiting(conn);
        /* A stream that waits does not block the others, so the stream times out, not the connection. */
        if (stream->state == CR_STREAM_WRITING) {
            cr_stream_limit_wait(stream, cr_service_of(conn->loop)->timeout_ns[CR_WAITING_WRITE]);
        }
        return;
    }
    cr_conn_wait_to_write(conn);
    cr_conn_add_writer(conn, stream);
}

/* ---- Ends ---------------------------------------------------------------------------------------------------- */

/* Frees the number of a stream that has ended, and tells the client if the answer was aborted. */
static void finish(cr_stream *stream, cr_ending ending) {
    cr_conn *conn = stream->conn;
    mux_stream *mux = mux_of(stream);
    mux->used = false;
    drop_made(mux);
    if (conn->state != CR_CONN_OPEN) return;
    bool is_broken = ending >= CR_FIN;
    if (mux->last && ending == CR_RST) {
        conn->reset = true;
        cr_conn_close(conn, CR_ABORTED);
        return;
    }
    uint8_t head[FRAME_HEAD];
    put_frame_head(mux, head, 'X', mux->sent_count, 0);
    if (is_broken && !cr_conn_send(conn, head, sizeof head)) return;
    conn->served = true;
    update_waiting(conn);
    if (mux->last || (conn->loop->draining && conn->waiting == CR_WAITING_REQUEST)) cr_conn_linger(conn);
}

static void drop(cr_stream *stream, cr_outcome outcome) {
    cr_stream_end(stream, outcome);
    finish(stream, CR_FIN);
}

/* ---- Requests ------------------------------------------------------------------------------------------------ */

/* Returns false if the request is malformed. */
static bool ask(cr_conn *conn, mux_stream *stream, char kind, const uint8_t *head, size_t length) {
    const uint8_t *space = memchr(head, ' ', length);
    uint32_t target = space ? (uint32_t)(space - head) + 1 : 0;
    cr_request request = {
        .head = head,
        .head_length = length,
        .method_length = target - 1,
        .target = target,
        .target_length = (uint32_t)length - target,
        .version_major = 2,
        .keep_alive = !conn->loop->draining,
        .secure = conn->transport->secure,
        .peer = conn->peer,
        .peer_length = conn->peer_length,
        .peer_port = conn->peer_port,
        .origin = conn->accept_config->origin,
        .wall_ns = conn->loop->now_ns + conn->loop->wall_offset_ns,
        .clock_ns = conn->loop->now_ns,
    };
    if (!target || target == length || cr_target_split(&request) != CR_OK) return false;
    cr_stream_init(&stream->stream, conn);
    stream->used = true;
    stream->last = kind == 'L';
    stream->starved = false;
    stream->granted = kind == 'C' ? 0 : UINT64_MAX;
    stream->made_count = stream->sent_count = 0;
    cr_stream_dispatch(&stream->stream, &request);
    if (stream->stream.state == CR_STREAM_RUNNING) cr_stream_run(&stream->stream);
    return true;
}

/* Ends a cancelled stream as soon as it has a reply. */
static void give_up(mux_stream *stream) {
    if (!stream->used) return;
    cr_stream_detach(&stream->stream, CR_CLIENT_DISCONNECTED);
    if (stream->stream.state != CR_STREAM_DETACHED) finish(&stream->stream, CR_FIN);
}

static void resume(cr_stream *stream);

/* Grants more bytes of the body. */
static void grant(mux_stream *stream, size_t bytes) {
    if (!stream->used) return;
    stream->granted += bytes;
    if (!stream->starved) return;
    stream->starved = false;
    cr_stream_wake(&stream->stream);
    resume(&stream->stream);
}

/* Returns false if the envelope is malformed. */
static bool process(cr_conn *conn, const uint8_t *envelope, size_t length) {
    mux_state *state = conn->protocol_state;
    if (envelope[0] >= MUX_STREAMS) return false;
    mux_stream *stream = &state->streams[envelope[0]];
    char kind = (char)envelope[1];
    switch (kind) {
    case 'Q': case 'C': case 'L':
        return !stream->used && ask(conn, stream, kind, envelope + ENVELOPE_HEAD, length);
    case 'G':
        if (length != 4) return false;
        grant(stream, number_at(envelope + ENVELOPE_HEAD));
        return true;
    case 'X':
        give_up(stream);
        return true;
    default:
        return false;
    }
}

static void received(cr_conn *conn, const uint8_t *bytes, size_t length) {
    mux_state *state = conn->protocol_state;
    if (!cr_buffer_append(&state->in, bytes, length)) {
        cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        return;
    }
    size_t at = 0;
    while (conn->state == CR_CONN_OPEN && state->in.length - at >= ENVELOPE_HEAD) {
        const uint8_t *envelope = state->in.bytes + at;
        size_t payload = number_at(envelope + 2);
        if (state->in.length - at - ENVELOPE_HEAD < payload) break;
        if (!process(conn, envelope, payload)) cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
        at += ENVELOPE_HEAD + payload;
    }
    cr_buffer_consume(&state->in, at);
}

static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_DISCONNECTED);
}

static void *extract_body(cr_stream *stream, const cr_request *request) {
    (void)stream, (void)request;
    return NULL;
}

/* ---- Answers ------------------------------------------------------------------------------------------------- */

/* Makes the frames of the step; of a body, at most one frame. Returns false if reading the body fails. */
static bool make(cr_stream *stream, uint64_t limit) {
    mux_stream *mux = mux_of(stream);
    const cr_step *step = &stream->script[stream->step];
    mux->made_of = 0;
    if (step->kind == CR_STEP_HEAD) {
        make_head(mux, step);
    } else if (step->kind == CR_STEP_END) {
        make_fields(mux, cr_payload(step));
        make_frame(mux, 'E', (cr_span){NULL, 0});
    } else if (cr_payload(step).length > stream->step_sent) {
        bool is_raw = step->kind == CR_STEP_RAW;
        if (limit > MUX_PAYLOAD) limit = MUX_PAYLOAD;
        if (!is_raw && limit > mux->granted) limit = mux->granted;
        mux->starved = limit == 0;
        if (mux->starved) return true;
        cr_span payload = cr_payload_at(stream->conn->loop, step, stream->step_sent, limit);
        if (!payload.length) return false;
        make_frame(mux, is_raw ? 'R' : 'D', payload);
        mux->made_of = payload.length;
        if (!is_raw && mux->granted != UINT64_MAX) mux->granted -= payload.length;
    }
    return true;
}

/* Sends the frames that were made, each only if the connection accepts it whole. */
static cr_send send_made(cr_stream *stream) {
    mux_stream *mux = mux_of(stream);
    cr_conn *conn = stream->conn;
    while (mux->made_at < mux->made.length) {
        if (conn->output.length) return CR_SEND_WAIT;
        const uint8_t *frame = mux->made.bytes + mux->made_at;
        size_t length = FRAME_HEAD + number_at(frame + 6);
        if (!cr_conn_send(conn, frame, length)) return CR_SEND_CLOSED;
        if (conn->output.length) counts[conn->accept_config->origin.port].blocked_writes++;
        mux->made_at += length;
        mux->sent_count++;
        cr_stream_count_sent(stream, length);
    }
    drop_made(mux);
    return CR_SEND_ON;
}

/* Sends at most one frame of a body, so that other streams get their slice. */
static cr_send send_frames(cr_stream *stream, uint64_t limit) {
    mux_stream *mux = mux_of(stream);
    const cr_step *step = &stream->script[stream->step];
    if (!mux->made.length && !make(stream, limit)) return CR_SEND_BROKEN;
    if (mux->starved) return CR_SEND_WAIT;
    cr_send result = send_made(stream);
    if (result != CR_SEND_ON) return result;
    stream->step_sent += mux->made_of;
    if (step->kind == CR_STEP_BODY || step->kind == CR_STEP_FILE) stream->body_sent += mux->made_of;
    if (step->kind == CR_STEP_END) {
        stream->end_sent = true;
    } else if (step->kind == CR_STEP_HEAD || stream->step_sent == cr_payload(step).length) {
        cr_stream_next_step(stream);
    }
    return mux->made_of && limit == UINT64_MAX ? CR_SEND_WAIT : CR_SEND_ON;
}

static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    if (conn->state != CR_CONN_OPEN) abort();
    cr_conn_ref(conn);
    cr_loop_read_clock(conn->loop);
    cr_stream_run(stream);
    cr_conn_unref(conn);
}

/* ---- The connection ------------------------------------------------------------------------------------------ */

static bool open_state(cr_conn *conn) {
    mux_state *state = calloc(1, sizeof *state);
    if (!state) return false;
    for (int i = 0; i < MUX_STREAMS; i++) state->streams[i].number = (uint8_t)i;
    /* So that a client that does not read is noticed soon. */
    int few = 16 * 1024;
    setsockopt(conn->fd, SOL_SOCKET, SO_SNDBUF, &few, sizeof few);
    conn->protocol_state = state;
    counts[conn->accept_config->origin.port].open_states++;
    return true;
}

static void free_state(cr_conn *conn) {
    mux_state *state = conn->protocol_state;
    for (int i = 0; i < MUX_STREAMS; i++) {
        if (state->streams[i].used) abort();
    }
    cr_buffer_clear(&state->in);
    free(state);
    counts[conn->accept_config->origin.port].open_states--;
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    mux_state *state = conn->protocol_state;
    for (int i = 0; i < MUX_STREAMS; i++) {
        mux_stream *stream = &state->streams[i];
        if (!stream->used) continue;
        cr_stream_detach(&stream->stream, outcome);
        drop_made(stream);
        if (stream->stream.state != CR_STREAM_DETACHED) stream->used = false;
    }
}

static const cr_protocol row = {
    .open = open_state,
    .free = free_state,
    .received = received,
    .input_ended = input_ended,
    .ended = ended,
    .send = send_frames,
    .extract_body = extract_body,
    .stream_waits = stream_waits,
    .resume = resume,
    .stream_ended = finish,
    .drop = drop,
};

const cr_protocol *mux_protocol(void) {
    return &row;
}

int mux_listen(cr_loop *loop) {
    cr_listener *listener = cr_listen_tcp(loop, "127.0.0.1", 0, false, &row);
    if (!listener) return -1;
    return cr_listener_port(listener);
}
