#include "mux_protocol.h"

#include "conn.h"
#include "framing.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { ENVELOPE_HEAD = 6 };

typedef struct mux_stream {
    cr_stream stream; /* first, so that it is found by its address */
    uint8_t number;
    bool used; /* from its request to its end, or to the reply that nobody wants any more */
} mux_stream;

typedef struct mux_state {
    cr_buffer in; /* envelopes as they came, the last one perhaps in part */
    mux_stream streams[MUX_STREAMS];
} mux_state;

/* By the port of the listener. */
static struct {
    _Atomic int open_states, blocked_writes;
} counts[1 << 16];

int mux_open_states(uint16_t port) {
    return counts[port].open_states;
}

int mux_blocked_writes(uint16_t port) {
    return counts[port].blocked_writes;
}

static uint8_t number_of(const cr_stream *stream) {
    return ((const mux_stream *)stream)->number;
}

/* ---- Envelopes ----------------------------------------------------------------------------------------------- */

static size_t length_of(const uint8_t *envelope) {
    return (size_t)envelope[2] << 24 | (size_t)envelope[3] << 16 | (size_t)envelope[4] << 8 | envelope[5];
}

/* Sends an envelope with bytes of the parts, as many as it may have. Returns their number; -1 if the connection is
 * closed. */
static ssize_t send_envelope(cr_stream *stream, char kind, const struct iovec *parts, int count) {
    uint8_t envelope[ENVELOPE_HEAD + MUX_PAYLOAD] = {number_of(stream), (uint8_t)kind};
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        size_t room = MUX_PAYLOAD - length, taken = parts[i].iov_len < room ? parts[i].iov_len : room;
        if (taken) memcpy(envelope + ENVELOPE_HEAD + length, parts[i].iov_base, taken);
        length += taken;
    }
    envelope[4] = (uint8_t)(length >> 8);
    envelope[5] = (uint8_t)length;
    return cr_conn_send(stream->conn, envelope, ENVELOPE_HEAD + length) ? (ssize_t)length : -1;
}

/* ---- What is waited for -------------------------------------------------------------------------------------- */

/* What a connection waits for that has only this stream. */
static cr_waiting waiting_of(const mux_stream *stream) {
    if (!stream->used) return CR_WAITING_REQUEST;
    switch (stream->stream.state) {
    case CR_STREAM_LOST:
        return CR_WAITING_REQUEST;
    case CR_STREAM_ASKING:
    case CR_STREAM_ASKED:
        return CR_WAITING_REPLY;
    case CR_STREAM_HOLDING:
    case CR_STREAM_HELD:
        return CR_WAITING_HOLD;
    case CR_STREAM_WRITING:
        return CR_WAITING_WRITE;
    default:
        return CR_WAITING_STEP;
    }
}

/* Waits for what the streams wait for: of several kinds for the last one, as only CR_WAITING_WRITE has a time-out. */
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
    if (stream->state != CR_STREAM_WRITING) {
        update_waiting(conn);
        return;
    }
    conn->unsent = conn->transport->unsent(conn);
    cr_conn_wait_for(conn, CR_WAITING_WRITE);
    cr_conn_add_writer(conn, stream);
}

/* ---- Ends ---------------------------------------------------------------------------------------------------- */

/* Tells the client that a stream has ended, whose number may be used again. */
static void finish(cr_stream *stream, char kind) {
    cr_conn *conn = stream->conn;
    ((mux_stream *)stream)->used = false;
    if (conn->state != CR_CONN_OPEN || send_envelope(stream, kind, NULL, 0) < 0) return;
    conn->served = true;
    update_waiting(conn);
    if (conn->loop->draining && conn->waiting == CR_WAITING_REQUEST) cr_conn_linger(conn);
}

static void stream_ended(cr_stream *stream, cr_ending ending) {
    finish(stream, ending == CR_RST || ending == CR_FIN ? 'X' : 'E');
}

static void drop(cr_stream *stream, cr_outcome outcome) {
    cr_stream_end(stream, outcome);
    finish(stream, 'X');
}

/* ---- Requests ------------------------------------------------------------------------------------------------ */

/* Returns false if the request is none. */
static bool ask(cr_conn *conn, mux_stream *stream, const uint8_t *head, size_t length) {
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
        .peer = conn->peer,
        .peer_length = conn->peer_length,
        .peer_port = conn->peer_port,
        .local_port = conn->local_port,
        .listener_tag = conn->listener_tag,
        .wall_ns = conn->loop->now_ns + conn->loop->wall_offset_ns,
        .clock_ns = conn->loop->now_ns,
    };
    if (!target || target == length || cr_target_split(&request) != CR_OK) return false;
    cr_stream_init(&stream->stream, conn);
    stream->used = true;
    cr_stream_ask(&stream->stream, &request);
    if (stream->stream.state == CR_STREAM_RUNNING) cr_stream_run(&stream->stream);
    return true;
}

/* Ends a stream whose answer nobody wants any more, as soon as there is one. */
static void give_up(mux_stream *stream) {
    if (!stream->used) return;
    cr_stream_lose(&stream->stream, CR_CLIENT_GONE);
    if (stream->stream.state != CR_STREAM_LOST) finish(&stream->stream, 'X');
}

/* Returns false if the envelope is none. */
static bool take(cr_conn *conn, const uint8_t *envelope, size_t length) {
    mux_state *state = conn->protocol_state;
    if (envelope[0] >= MUX_STREAMS) return false;
    mux_stream *stream = &state->streams[envelope[0]];
    if (envelope[1] == 'Q') return !stream->used && ask(conn, stream, envelope + ENVELOPE_HEAD, length);
    if (envelope[1] != 'X') return false;
    give_up(stream);
    return true;
}

static void received(cr_conn *conn, size_t length) {
    mux_state *state = conn->protocol_state;
    if (!cr_buffer_append(&state->in, conn->loop->scratch, length)) {
        cr_conn_close(conn, CR_CLIENT_GONE);
        return;
    }
    size_t at = 0;
    while (conn->state == CR_CONN_OPEN && state->in.length - at >= ENVELOPE_HEAD) {
        const uint8_t *envelope = state->in.bytes + at;
        size_t payload = length_of(envelope);
        if (state->in.length - at - ENVELOPE_HEAD < payload) break;
        if (!take(conn, envelope, payload)) cr_conn_close(conn, CR_CLIENT_GONE);
        at += ENVELOPE_HEAD + payload;
    }
    cr_buffer_consume(&state->in, at);
}

static void input_ended(cr_conn *conn) {
    cr_conn_close(conn, CR_CLIENT_GONE);
}

static void *take_body(cr_stream *stream, const cr_request *request) {
    (void)stream, (void)request;
    return NULL;
}

/* ---- Answers ------------------------------------------------------------------------------------------------- */

static void lay(cr_stream *stream, const cr_step *step, cr_parts *parts) {
    if (step->kind == CR_STEP_HEAD) {
        int64_t status;
        cr_span reason;
        cr_head_read(step, &status, &reason);
        char line[CR_CHUNK_LEAD_ROOM];
        int length = snprintf(line, sizeof line, "%d %d\n", number_of(stream), (int)status);
        cr_parts_copy(parts, line, (size_t)length);
    } else if (step->kind != CR_STEP_END) {
        cr_span payload = cr_payload(step);
        cr_parts_add(parts, payload.bytes, payload.length);
    }
}

static const cr_framing framing = {.lay = lay};

/* Takes no more than one envelope, so that the other streams have their turn. */
static ssize_t write_stream(cr_stream *stream, const struct iovec *parts, int count) {
    if (stream->conn->output.length) {
        errno = EAGAIN;
        return -1;
    }
    ssize_t taken = send_envelope(stream, 'D', parts, count);
    if (taken < 0) errno = ECONNRESET;
    else if (stream->conn->output.length) counts[stream->conn->local_port].blocked_writes++;
    return taken;
}

static void resume(cr_stream *stream) {
    cr_conn *conn = stream->conn;
    if (conn->state != CR_CONN_OPEN) abort();
    cr_conn_enter(conn);
    cr_loop_read_clock(conn->loop);
    cr_stream_run(stream);
    cr_conn_leave(conn);
}

/* ---- The connection ------------------------------------------------------------------------------------------ */

static bool open_state(cr_conn *conn) {
    mux_state *state = calloc(1, sizeof *state);
    if (!state) return false;
    for (int i = 0; i < MUX_STREAMS; i++) state->streams[i].number = (uint8_t)i;
    /* A client that does not read is soon noticed. */
    int few = 16 * 1024;
    setsockopt(conn->fd, SOL_SOCKET, SO_SNDBUF, &few, sizeof few);
    conn->protocol_state = state;
    counts[conn->local_port].open_states++;
    return true;
}

static void free_state(cr_conn *conn) {
    mux_state *state = conn->protocol_state;
    for (int i = 0; i < MUX_STREAMS; i++) {
        if (state->streams[i].used) abort();
    }
    cr_buffer_clear(&state->in);
    free(state);
    counts[conn->local_port].open_states--;
}

static void ended(cr_conn *conn, cr_outcome outcome) {
    mux_state *state = conn->protocol_state;
    for (int i = 0; i < MUX_STREAMS; i++) {
        mux_stream *stream = &state->streams[i];
        if (!stream->used) continue;
        cr_stream_lose(&stream->stream, outcome);
        if (stream->stream.state != CR_STREAM_LOST) stream->used = false;
    }
}

static const cr_protocol mux_protocol = {
    .framing = &framing,
    .open = open_state,
    .free = free_state,
    .received = received,
    .input_ended = input_ended,
    .ended = ended,
    .write = write_stream,
    .take_body = take_body,
    .stream_waits = stream_waits,
    .resume = resume,
    .stream_ended = stream_ended,
    .drop = drop,
};

int mux_listen(cr_loop *loop) {
    cr_listener *listener = cr_listen_tcp(loop, "127.0.0.1", 0, false);
    if (!listener) return -1;
    listener->origin.protocol = &mux_protocol;
    return cr_listener_port(listener);
}
