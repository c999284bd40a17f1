/* How HTTP/1.1 sends: a response that lies in one piece in one write, other steps as the parts of one, and files without a
 * copy where the transport can do that. What a relay has when its step is sent is a piece, framed like a step of its own. A
 * step's `step_sent` counts its bytes on the wire, framing included; of a relay, those of the present piece. */
#include "http1.h"
#include "relay.h"

#include <string.h>

/* ---- The framing of a body ------------------------------------------------------------------------------------- */

static size_t put(uint8_t *at, const void *bytes, size_t length) {
    memcpy(at, bytes, length);
    return length;
}

/* Writes a number in hexadecimal and a line end; returns the number of bytes. */
static size_t put_size(uint8_t *at, uint64_t number) {
    size_t digits = 1;
    for (uint64_t rest = number >> 4; rest; rest >>= 4) digits++;
    for (size_t place = digits; place > 0; number >>= 4) at[--place] = (uint8_t) "0123456789ABCDEF"[number & 15];
    return digits + put(at + digits, "\r\n", 2);
}

static bool is_of_body(const cr_step *step) {
    return step->kind == CR_STEP_BODY || step->kind == CR_STEP_FILE || step->kind == CR_STEP_RELAY;
}

/* The bytes around the payload of a step. */
typedef struct frame {
    uint8_t lead[CR_CHUNK_LEAD_ROOM];
    size_t lead_length;
    const char *trail;
    bool left_out; /* whether the payload is not sent */
} frame;

/* The length of the payload that is framed. */
static uint64_t framed_length(const cr_step *step) {
    return step->kind == CR_STEP_RELAY ? cr_relay_of(step)->piece : step->length;
}

static frame frame_of(const cr_step *step, bool chunked) {
    frame frame = {.lead_length = 0, .trail = ""};
    if (step->lead) return frame;
    uint64_t length = framed_length(step);
    if (is_of_body(step) && chunked && length) {
        bool torn = step->kind == CR_STEP_RELAY ? cr_relay_of(step)->piece_torn : step->torn;
        frame.lead_length = put_size(frame.lead, length + (torn ? 1 : 0));
        if (!torn) frame.trail = "\r\n";
    } else if (step->kind == CR_STEP_END && chunked) {
        frame.lead_length = put(frame.lead, "0\r\n", 3);
        frame.trail = "\r\n";
    } else if (step->kind == CR_STEP_END) {
        /* Without chunks there is no place for trailers. */
        frame.left_out = true;
    }
    return frame;
}

size_t cr_rendered_length(const cr_step *step, bool chunked) {
    frame frame = frame_of(step, chunked);
    return frame.lead_length + step->length + strlen(frame.trail);
}

size_t cr_render(cr_step *step, bool chunked, uint8_t *at) {
    frame frame = frame_of(step, chunked);
    uint8_t *start = at;
    at += put(at, frame.lead, frame.lead_length);
    if (step->length) at += put(at, step->bytes, step->length);
    at += put(at, frame.trail, strlen(frame.trail));
    step->bytes = start;
    step->length = (uint64_t)(at - start);
    step->lead += (uint8_t)frame.lead_length;
    step->trail += (uint8_t)strlen(frame.trail);
    return step->length;
}

/* ---- What was sent --------------------------------------------------------------------------------------------- */

/* The bytes of a step on the wire. */
typedef struct extent {
    uint64_t lead, payload, trail;
} extent;

static extent extent_of(const cr_step *step, bool chunked) {
    if (step->lead) return (extent){step->lead, step->length - step->lead - step->trail, step->trail};
    frame frame = frame_of(step, chunked);
    return (extent){frame.lead_length, frame.left_out ? 0 : framed_length(step), strlen(frame.trail)};
}

/* Of bytes of a step from `start` on, those that are payload. */
static uint64_t payload_among(const extent *extent, uint64_t start, uint64_t length) {
    uint64_t end = start + length, last = extent->lead + extent->payload;
    if (start < extent->lead) start = extent->lead;
    if (end > last) end = last;
    return start < end ? end - start : 0;
}

/* Ends the piece of a relay, all of which is on the wire. Returns whether the step ends with it. */
static bool end_piece(cr_stream *stream, const cr_step *step) {
    cr_relay *relay = cr_relay_of(step);
    relay->piece = 0;
    stream->step_sent = 0;
    if (!cr_relay_ends_after(relay, step, 0)) return false;
    relay->passed = 0;
    return true;
}

/* Moves a stream behind bytes that are on the wire, and counts those of its body. */
static void advance(cr_stream *stream, bool *chunked, uint64_t written) {
    for (;;) {
        const cr_step *step = &stream->script[stream->step];
        extent extent = extent_of(step, *chunked);
        uint64_t whole = extent.lead + extent.payload + extent.trail, left = whole - stream->step_sent;
        uint64_t here = written < left ? written : left;
        uint64_t payload = is_of_body(step) ? payload_among(&extent, stream->step_sent, here) : 0;
        stream->body_sent += payload;
        if (step->kind == CR_STEP_RELAY) cr_relay_take(cr_relay_of(step), payload);
        stream->step_sent += here;
        written -= here;
        if (stream->step_sent < whole) return;
        if (step->kind == CR_STEP_RELAY && !end_piece(stream, step)) return;
        if (step->kind == CR_STEP_HEAD) *chunked = step->chunked;
        stream->whole = step->kind == CR_STEP_END;
        if (stream->whole) return;
        cr_stream_next_step(stream);
        bool was_laid = step[1].kind == CR_STEP_RELAY && cr_relay_of(step + 1)->piece;
        if (!was_laid && !cr_step_goes_at_once(step + 1)) return;
    }
}

uint64_t cr_http1_body_among(const cr_step *script, uint64_t sent) {
    cr_stream stream = {.script = script};
    bool chunked = false;
    advance(&stream, &chunked, sent);
    return stream.body_sent;
}

static void note_written(cr_stream *stream, size_t written) {
    cr_stream_note_sent(stream, written);
    advance(stream, &cr_http1_of(stream->conn)->chunked, written);
}

static cr_send failure(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK ? CR_SEND_WAIT : CR_SEND_LOST;
}

/* Leaves an answer, of which these parts are all, to the connection if others of the same turn may follow it. */
static bool pass_to_connection(cr_stream *stream, const cr_step *end, const struct iovec *parts, int count) {
    if (!cr_http1_of(stream->conn)->gathering || end->ending != CR_KEEP_ALIVE || stream->bytes_sent) return false;
    if (!cr_http1_gather(stream, parts, count)) return false;
    cr_stream_pass(stream);
    stream->conn->protocol->stream_ended(stream, CR_KEEP_ALIVE);
    return true;
}

/* ---- A response in one piece ----------------------------------------------------------------------------------- */

/* A response whose bytes on the wire lie in memory as they are sent, from its head on. */
typedef struct piece {
    const cr_step *end; /* NULL if the response is not in one piece */
    size_t length;
    uint64_t body;
} piece;

static piece piece_at(const cr_step *head) {
    static const piece none = {NULL, 0, 0};
    const uint8_t *next = head->bytes + head->length;
    const cr_step *step = head + 1;
    uint64_t body = 0;
    for (; step->kind == CR_STEP_BODY && !step->rate; step++) {
        if (step->bytes != next || !(step->lead || !head->chunked)) return none;
        next += step->length;
        body += step->length - step->lead - step->trail;
    }
    if (step->kind != CR_STEP_END || (head->chunked && !step->lead)) return none;
    /* Without chunks, an end has no bytes on the wire. */
    if (step->lead) {
        if (step->bytes != next) return none;
        next += step->length;
    }
    return (piece){step, (size_t)(next - head->bytes), body};
}

/* Sends a response that is in one piece, as most are: nothing is laid out. */
static cr_send send_piece(cr_stream *stream, const piece *piece) {
    struct iovec part = {(void *)stream->script[stream->step].bytes, piece->length};
    if (pass_to_connection(stream, piece->end, &part, 1)) return CR_SEND_PASSED;
    ssize_t written = cr_conn_write(stream->conn, &part, 1);
    if (written < 0) return failure();
    if ((size_t)written < piece->length) {
        note_written(stream, (size_t)written);
        return CR_SEND_WAIT;
    }
    cr_stream_note_sent(stream, piece->length);
    stream->body_sent += piece->body;
    stream->step = (uint32_t)(piece->end - stream->script);
    stream->whole = true;
    return CR_SEND_ON;
}

/* ---- Steps in parts -------------------------------------------------------------------------------------------- */

enum { PARTS = 16, STEPS = 16 };

/* The bytes of one or several steps, in order, without the first `skip` ones. Bytes adjacent in memory are one part, so
 * that steps rendered in advance are sent as one. */
typedef struct layout {
    int count;
    bool full;       /* whether something did not fit */
    uint64_t skip;   /* bytes still to be left out, since they were sent already */
    size_t total;    /* bytes in the parts */
    size_t copied;   /* bytes used of `copies` */
    cr_relay *relay; /* of which there is a piece, the only one; or NULL */
    uint64_t relayed; /* bytes of its payload */
    struct iovec at[PARTS];
    uint8_t copies[PARTS * CR_CHUNK_LEAD_ROOM];
} layout;

static void begin_layout(layout *layout, uint64_t skip) {
    layout->count = 0;
    layout->full = false;
    layout->skip = skip;
    layout->total = 0;
    layout->copied = 0;
    layout->relay = NULL;
}

/* Adds bytes that stay in place until they are written. */
static void add(layout *layout, const void *bytes, uint64_t length) {
    if (length <= layout->skip) {
        layout->skip -= length;
        return;
    }
    uint8_t *start = (uint8_t *)bytes + layout->skip;
    length -= layout->skip;
    layout->skip = 0;
    if (layout->full) return;
    struct iovec *next = &layout->at[layout->count];
    if (layout->count && (uint8_t *)next[-1].iov_base + next[-1].iov_len == start) {
        next[-1].iov_len += length;
    } else if (layout->count < PARTS) {
        *next = (struct iovec){start, length};
        layout->count++;
    } else {
        layout->full = true;
        return;
    }
    layout->total += length;
}

/* Adds a copy of a chunk's lead. */
static void add_lead(layout *layout, const frame *frame) {
    uint8_t *copy = layout->copies + layout->copied;
    /* As many leads fit as parts, of which each is one, unless it is left out. */
    if (layout->copied + frame->lead_length > sizeof layout->copies) {
        layout->full = true;
        return;
    }
    memcpy(copy, frame->lead, frame->lead_length);
    layout->copied += frame->lead_length;
    add(layout, copy, frame->lead_length);
}

/* Adds a piece of what a relay has, of which `sent` bytes are on the wire: a new one of at most `limit` bytes if none is. */
static void lay_piece(layout *layout, cr_stream *stream, const cr_step *step, uint64_t sent, uint64_t limit, bool chunked) {
    cr_relay *relay = cr_relay_of(step);
    cr_relay_go_to(relay, stream);
    if (!relay->piece) {
        relay->piece = cr_relay_ready(relay, step, limit);
        relay->piece_torn = step->torn && relay->passed + relay->piece == step->length;
    }
    extent extent = extent_of(step, chunked);
    frame frame = frame_of(step, chunked);
    uint64_t past = payload_among(&extent, 0, sent);
    add_lead(layout, &frame);
    layout->skip -= past;
    layout->relay = relay;
    layout->relayed = relay->piece - past;
    add(layout, cr_relay_bytes(relay), layout->relayed);
    add(layout, frame.trail, strlen(frame.trail));
}

static void lay(layout *layout, const cr_step *step, bool *chunked) {
    if (step->kind == CR_STEP_HEAD) *chunked = step->chunked;
    if (step->lead || step->kind == CR_STEP_HEAD || step->kind == CR_STEP_RAW) {
        add(layout, step->bytes, step->length);
        return;
    }
    frame frame = frame_of(step, *chunked);
    if (frame.left_out) return;
    add_lead(layout, &frame);
    add(layout, step->bytes, step->length);
    add(layout, frame.trail, strlen(frame.trail));
}

/* Limits the parts to their first bytes. */
static void limit_layout(layout *layout, uint64_t limit) {
    if (limit >= layout->total) return;
    size_t length = (size_t)limit;
    layout->total = length;
    layout->count = 0;
    while (length) {
        struct iovec *part = &layout->at[layout->count++];
        if (part->iov_len > length) part->iov_len = length;
        length -= part->iov_len;
    }
}

static cr_send write_layout(cr_stream *stream, const layout *layout) {
    ssize_t written = layout->total ? cr_conn_write(stream->conn, layout->at, layout->count) : 0;
    if (written < 0) return failure();
    note_written(stream, (size_t)written);
    return (size_t)written < layout->total ? CR_SEND_WAIT : CR_SEND_ON;
}

/* Whether the step behind the one that was laid out last goes with it. A relay goes as far as it has come, and what is behind
 * it with its last piece. */
static bool goes_on(const layout *layout, const cr_step *step) {
    if (layout->full || step->kind == CR_STEP_END) return false;
    if (step->kind == CR_STEP_RELAY && !cr_relay_ends_after(layout->relay, step, layout->relayed)) return false;
    const cr_step *next = step + 1;
    if (next->kind != CR_STEP_RELAY) return cr_step_goes_at_once(next);
    return !layout->relay && !next->rate && cr_relay_ready(cr_relay_of(next), next, 1);
}

/* Sends the stream's step in one write, without a copy, and those right after it if there is no limit. */
static cr_send send_steps(cr_stream *stream, uint64_t limit) {
    const cr_step *step = &stream->script[stream->step];
    bool chunked = cr_http1_of(stream->conn)->chunked, is_relay = step->kind == CR_STEP_RELAY;
    layout layout;
    begin_layout(&layout, stream->step_sent);
    if (is_relay) lay_piece(&layout, stream, step, stream->step_sent, limit, chunked);
    else lay(&layout, step, &chunked);
    for (int i = 1; limit == UINT64_MAX && i < STEPS && goes_on(&layout, step); i++) {
        step++;
        if (step->kind == CR_STEP_RELAY) lay_piece(&layout, stream, step, 0, limit, chunked);
        else lay(&layout, step, &chunked);
    }
    bool is_all = step->kind == CR_STEP_END && !layout.full && layout.total && !layout.relay;
    if (is_all && pass_to_connection(stream, step, layout.at, layout.count)) return CR_SEND_PASSED;
    if (!is_relay) limit_layout(&layout, limit);
    return write_layout(stream, &layout);
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* Sends bytes of the payload from `place` on without a copy. CR_SEND_ON without progress if that cannot be. */
static cr_send send_directly(cr_stream *stream, const cr_step *step, uint64_t place, uint64_t limit) {
    cr_conn *conn = stream->conn;
    uint64_t left = step->length - place;
    size_t length = left < CR_FILE_DIRECT ? (size_t)left : CR_FILE_DIRECT;
    if (length > limit) length = (size_t)limit;
    if (!conn->transport->send_file || cr_file_changes(step, place, length)) return CR_SEND_ON;
    if (!cr_conn_flush(conn)) return failure();
    const cr_file *file = cr_file_of(step);
    ssize_t sent = conn->transport->send_file(conn, file->fd, file->offset + place, length);
    if (sent == 0) return CR_SEND_BROKEN;
    /* A file that cannot be sent like this is read instead. */
    if (sent < 0) return errno == EINVAL || errno == ENOSYS ? CR_SEND_ON : failure();
    conn->written += (size_t)sent;
    note_written(stream, (size_t)sent);
    return CR_SEND_ON;
}

/* Sends one window of the file, with the framing before and behind it. */
static cr_send send_window(cr_stream *stream, const cr_step *step, const extent *extent, uint64_t limit) {
    layout layout;
    begin_layout(&layout, stream->step_sent);
    frame frame = frame_of(step, cr_http1_of(stream->conn)->chunked);
    add_lead(&layout, &frame);
    uint64_t place = stream->step_sent < extent->lead ? 0 : stream->step_sent - extent->lead;
    if (place < extent->payload) {
        cr_span window = cr_payload_at(stream->conn->loop, step, place, limit);
        if (!window.length) return CR_SEND_BROKEN;
        layout.skip = 0;
        add(&layout, window.bytes, window.length);
        place += window.length;
    } else {
        layout.skip -= extent->payload;
    }
    if (place >= extent->payload) add(&layout, frame.trail, strlen(frame.trail));
    limit_layout(&layout, limit);
    return write_layout(stream, &layout);
}

/* Sends a part of the file, so that other streams get their turn. */
static cr_send send_file(cr_stream *stream, uint64_t limit) {
    const uint32_t before = stream->step;
    const uint64_t sent_before = stream->step_sent;
    const cr_step *step = &stream->script[before];
    extent extent = extent_of(step, cr_http1_of(stream->conn)->chunked);
    bool in_payload = sent_before >= extent.lead && sent_before - extent.lead < extent.payload;
    cr_send result = in_payload ? send_directly(stream, step, sent_before - extent.lead, limit) : CR_SEND_ON;
    if (result != CR_SEND_ON) return result;
    if (stream->step == before && stream->step_sent == sent_before) result = send_window(stream, step, &extent, limit);
    bool goes_on = result != CR_SEND_ON || stream->step != before || limit != UINT64_MAX;
    return goes_on ? result : CR_SEND_WAIT;
}

cr_send cr_http1_send(cr_stream *stream, uint64_t limit) {
    const cr_step *step = &stream->script[stream->step];
    if (step->kind == CR_STEP_FILE) return send_file(stream, limit);
    if (step->kind == CR_STEP_HEAD && !stream->step_sent) {
        piece piece = piece_at(step);
        if (piece.end) return send_piece(stream, &piece);
    }
    return send_steps(stream, limit);
}
