/* How HTTP/1.1 sends: a contiguous response in one write, other steps gathered into parts, files without a copy where
 * the transport can. The bytes that a relay has when its step is sent form one chunk. `step_sent` counts bytes on the
 * wire with framing; for a relay, those of the present chunk. */
#include "http1.h"
#include "relay.h"

#include <string.h>

/* ---- The framing of a body ------------------------------------------------------------------------------------- */

static size_t put(uint8_t *at, const void *bytes, size_t length) {
    memcpy(at, bytes, length);
    return length;
}

/* Writes a number in hexadecimal and a line end. Returns the number of bytes. */
static size_t put_size(uint8_t *at, uint64_t number) {
    size_t digits = 1;
    for (uint64_t rest = number >> 4; rest; rest >>= 4) digits++;
    for (size_t index = digits; index > 0; number >>= 4) at[--index] = (uint8_t) "0123456789ABCDEF"[number & 15];
    return digits + put(at + digits, "\r\n", 2);
}

static bool is_of_body(const cr_step *step) {
    return step->kind == CR_STEP_BODY || step->kind == CR_STEP_FILE || step->kind == CR_STEP_RELAY;
}

/* The framing of a step. */
typedef struct frame {
    uint8_t lead[CR_CHUNK_LEAD_ROOM];
    size_t lead_length;
    const char *trail;
    bool omitted; /* the payload is not sent */
} frame;

/* The length of the framed payload. */
static uint64_t framed_length(const cr_step *step) {
    return step->kind == CR_STEP_RELAY ? cr_relay_of(step)->chunk : step->length;
}

static frame frame_of(const cr_step *step, bool chunked) {
    frame frame = {.lead_length = 0, .trail = ""};
    if (step->lead) return frame;
    uint64_t length = framed_length(step);
    if (is_of_body(step) && chunked && length) {
        bool torn = step->kind == CR_STEP_RELAY ? cr_relay_of(step)->chunk_torn : step->torn;
        frame.lead_length = put_size(frame.lead, length + (torn ? 1 : 0));
        if (!torn) frame.trail = "\r\n";
    } else if (step->kind == CR_STEP_END && chunked) {
        frame.lead_length = put(frame.lead, "0\r\n", 3);
        frame.trail = "\r\n";
    } else if (step->kind == CR_STEP_END) {
        /* Trailers need chunks. */
        frame.omitted = true;
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
    return (extent){frame.lead_length, frame.omitted ? 0 : framed_length(step), strlen(frame.trail)};
}

/* How many of `length` bytes of a step, from `start` on, are payload. */
static uint64_t payload_among(const extent *extent, uint64_t start, uint64_t length) {
    uint64_t end = start + length, last = extent->lead + extent->payload;
    if (start < extent->lead) start = extent->lead;
    if (end > last) end = last;
    return start < end ? end - start : 0;
}

/* Ends a relay's chunk, which is written. Returns whether the step ends with it. */
static bool end_chunk(cr_stream *stream, const cr_step *step) {
    cr_relay *relay = cr_relay_of(step);
    relay->chunk = 0;
    stream->step_sent = 0;
    if (!cr_relay_ends_after(relay, step, 0)) return false;
    relay->passed = 0;
    return true;
}

/* Advances a stream past written bytes, and counts those of its body. */
static void advance(cr_stream *stream, bool *chunked, uint64_t written) {
    for (;;) {
        const cr_step *step = &stream->script[stream->step];
        extent extent = extent_of(step, *chunked);
        uint64_t whole = extent.lead + extent.payload + extent.trail, left = whole - stream->step_sent;
        uint64_t here = written < left ? written : left;
        uint64_t payload = is_of_body(step) ? payload_among(&extent, stream->step_sent, here) : 0;
        stream->body_sent += payload;
        if (step->kind == CR_STEP_RELAY) cr_relay_consume(cr_relay_of(step), payload);
        stream->step_sent += here;
        written -= here;
        if (stream->step_sent < whole) return;
        if (step->kind == CR_STEP_RELAY && !end_chunk(stream, step)) return;
        if (step->kind == CR_STEP_HEAD) *chunked = step->chunked;
        stream->end_sent = step->kind == CR_STEP_END;
        if (stream->end_sent) return;
        cr_stream_next_step(stream);
        bool has_chunk = step[1].kind == CR_STEP_RELAY && cr_relay_of(step + 1)->chunk;
        if (!has_chunk && !cr_step_is_immediate(step + 1)) return;
    }
}

uint64_t cr_http1_body_among(const cr_step *script, uint64_t sent) {
    cr_stream stream = {.script = script};
    bool chunked = false;
    advance(&stream, &chunked, sent);
    return stream.body_sent;
}

static void count_written(cr_stream *stream, size_t written) {
    cr_stream_count_sent(stream, written);
    advance(stream, &cr_http1_of(stream->conn)->chunked, written);
}

static cr_send failure(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK ? CR_SEND_WAIT : CR_SEND_CLOSED;
}

/* Coalesces a complete answer with further ones of the same time slice, if possible. */
static bool coalesce(cr_stream *stream, const cr_step *end, const struct iovec *parts, int count) {
    if (!cr_http1_of(stream->conn)->coalescing || end->ending != CR_KEEP_ALIVE || stream->bytes_sent) return false;
    if (!cr_http1_coalesce(stream, parts, count)) return false;
    cr_stream_clear(stream);
    stream->conn->protocol->stream_ended(stream, CR_KEEP_ALIVE);
    return true;
}

/* ---- A response in one piece ----------------------------------------------------------------------------------- */

/* A response whose bytes lie in memory as they are sent, from its head on. */
typedef struct contiguous {
    const cr_step *end; /* NULL if the response is not contiguous */
    size_t length;
    uint64_t body;
} contiguous;

static contiguous find_contiguous(const cr_step *head) {
    static const contiguous none = {NULL, 0, 0};
    const uint8_t *next = head->bytes + head->length;
    const cr_step *step = head + 1;
    uint64_t body = 0;
    for (; step->kind == CR_STEP_BODY && !step->rate; step++) {
        if (step->bytes != next || !(step->lead || !head->chunked)) return none;
        next += step->length;
        body += step->length - step->lead - step->trail;
    }
    if (step->kind != CR_STEP_END || (head->chunked && !step->lead)) return none;
    /* Without chunks, END has no bytes on the wire. */
    if (step->lead) {
        if (step->bytes != next) return none;
        next += step->length;
    }
    return (contiguous){step, (size_t)(next - head->bytes), body};
}

/* Sends a contiguous response, the usual case. */
static cr_send send_contiguous(cr_stream *stream, const contiguous *contiguous) {
    struct iovec part = {(void *)stream->script[stream->step].bytes, contiguous->length};
    if (coalesce(stream, contiguous->end, &part, 1)) return CR_SEND_HANDED_OVER;
    ssize_t written = cr_conn_write(stream->conn, &part, 1);
    if (written < 0) return failure();
    if ((size_t)written < contiguous->length) {
        count_written(stream, (size_t)written);
        return CR_SEND_WAIT;
    }
    cr_stream_count_sent(stream, contiguous->length);
    stream->body_sent += contiguous->body;
    stream->step = (uint32_t)(contiguous->end - stream->script);
    stream->end_sent = true;
    return CR_SEND_ON;
}

/* ---- Steps in parts -------------------------------------------------------------------------------------------- */

enum { PARTS = 16, STEPS = 16 };

/* The bytes of one or several steps, without the first `skip` ones. Bytes adjacent in memory are one part, so
 * pre-rendered steps leave as one. */
typedef struct layout {
    int count;
    bool full;        /* something did not fit */
    uint64_t skip;    /* bytes still to skip, as they were sent before */
    size_t total;     /* bytes in the parts */
    size_t copied;    /* used bytes of `copies` */
    cr_relay *relay;  /* the only relay with a chunk in the layout, or NULL */
    uint64_t relayed; /* payload bytes of that chunk */
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
    /* There is room for one lead per part; leads past that do not fit. */
    if (layout->copied + frame->lead_length > sizeof layout->copies) {
        layout->full = true;
        return;
    }
    memcpy(copy, frame->lead, frame->lead_length);
    layout->copied += frame->lead_length;
    add(layout, copy, frame->lead_length);
}

/* Adds a relay's chunk, of which `sent` bytes were written; without one, a new chunk of at most `limit` bytes. */
static void add_chunk(
    layout *layout, cr_stream *stream, const cr_step *step, uint64_t sent, uint64_t limit, bool chunked) {
    cr_relay *relay = cr_relay_of(step);
    cr_relay_bind(relay, stream);
    if (!relay->chunk) {
        relay->chunk = cr_relay_ready(relay, step, limit);
        relay->chunk_torn = step->torn && relay->passed + relay->chunk == step->length;
    }
    extent extent = extent_of(step, chunked);
    frame frame = frame_of(step, chunked);
    uint64_t past = payload_among(&extent, 0, sent);
    add_lead(layout, &frame);
    layout->skip -= past;
    layout->relay = relay;
    layout->relayed = relay->chunk - past;
    add(layout, cr_relay_bytes(relay), layout->relayed);
    add(layout, frame.trail, strlen(frame.trail));
}

static void add_step(layout *layout, const cr_step *step, bool *chunked) {
    if (step->kind == CR_STEP_HEAD) *chunked = step->chunked;
    if (step->lead || step->kind == CR_STEP_HEAD || step->kind == CR_STEP_RAW) {
        add(layout, step->bytes, step->length);
        return;
    }
    frame frame = frame_of(step, *chunked);
    if (frame.omitted) return;
    add_lead(layout, &frame);
    add(layout, step->bytes, step->length);
    add(layout, frame.trail, strlen(frame.trail));
}

/* Cuts the parts to their first `limit` bytes. */
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
    count_written(stream, (size_t)written);
    return (size_t)written < layout->total ? CR_SEND_WAIT : CR_SEND_ON;
}

/* Whether the step after `step` goes into the same write. A relay's next steps follow only its last chunk. */
static bool continues(const layout *layout, const cr_step *step) {
    if (layout->full || step->kind == CR_STEP_END) return false;
    if (step->kind == CR_STEP_RELAY && !cr_relay_ends_after(layout->relay, step, layout->relayed)) return false;
    const cr_step *next = step + 1;
    if (next->kind != CR_STEP_RELAY) return cr_step_is_immediate(next);
    return !layout->relay && !next->rate && cr_relay_ready(cr_relay_of(next), next, 1);
}

/* Sends the stream's step in one write without a copy, and immediate steps after it if there is no limit. */
static cr_send send_steps(cr_stream *stream, uint64_t limit) {
    const cr_step *step = &stream->script[stream->step];
    bool chunked = cr_http1_of(stream->conn)->chunked, is_relay = step->kind == CR_STEP_RELAY;
    layout layout;
    begin_layout(&layout, stream->step_sent);
    if (is_relay) add_chunk(&layout, stream, step, stream->step_sent, limit, chunked);
    else add_step(&layout, step, &chunked);
    for (int i = 1; limit == UINT64_MAX && i < STEPS && continues(&layout, step); i++) {
        step++;
        if (step->kind == CR_STEP_RELAY) add_chunk(&layout, stream, step, 0, limit, chunked);
        else add_step(&layout, step, &chunked);
    }
    bool is_all = step->kind == CR_STEP_END && !layout.full && layout.total && !layout.relay;
    if (is_all && coalesce(stream, step, layout.at, layout.count)) return CR_SEND_HANDED_OVER;
    if (!is_relay) limit_layout(&layout, limit);
    return write_layout(stream, &layout);
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* Sends payload from `offset` on without a copy. Returns CR_SEND_ON without progress if the transport cannot. */
static cr_send send_directly(cr_stream *stream, const cr_step *step, uint64_t offset, uint64_t limit) {
    cr_conn *conn = stream->conn;
    uint64_t left = step->length - offset;
    size_t length = left < CR_FILE_DIRECT ? (size_t)left : CR_FILE_DIRECT;
    if (length > limit) length = (size_t)limit;
    if (!conn->transport->send_file || cr_file_has_flips(step, offset, length)) return CR_SEND_ON;
    if (!cr_conn_flush(conn)) return failure();
    const cr_file *file = cr_file_of(step);
    ssize_t sent = conn->transport->send_file(conn, file->fd, file->offset + offset, length);
    if (sent == 0) return CR_SEND_BROKEN;
    /* The caller reads such a file instead. */
    if (sent < 0) return errno == EINVAL || errno == ENOSYS ? CR_SEND_ON : failure();
    conn->written += (size_t)sent;
    count_written(stream, (size_t)sent);
    return CR_SEND_ON;
}

/* Sends one window of the file with its framing. */
static cr_send send_window(cr_stream *stream, const cr_step *step, const extent *extent, uint64_t limit) {
    layout layout;
    begin_layout(&layout, stream->step_sent);
    frame frame = frame_of(step, cr_http1_of(stream->conn)->chunked);
    add_lead(&layout, &frame);
    uint64_t offset = stream->step_sent < extent->lead ? 0 : stream->step_sent - extent->lead;
    if (offset < extent->payload) {
        cr_span window = cr_payload_at(stream->conn->loop, step, offset, limit);
        if (!window.length) return CR_SEND_BROKEN;
        layout.skip = 0;
        add(&layout, window.bytes, window.length);
        offset += window.length;
    } else {
        layout.skip -= extent->payload;
    }
    if (offset >= extent->payload) add(&layout, frame.trail, strlen(frame.trail));
    limit_layout(&layout, limit);
    return write_layout(stream, &layout);
}

/* Sends a part of the file, so that other streams can run. */
static cr_send send_file(cr_stream *stream, uint64_t limit) {
    const uint32_t before = stream->step;
    const uint64_t sent_before = stream->step_sent;
    const cr_step *step = &stream->script[before];
    extent extent = extent_of(step, cr_http1_of(stream->conn)->chunked);
    bool in_payload = sent_before >= extent.lead && sent_before - extent.lead < extent.payload;
    cr_send result = in_payload ? send_directly(stream, step, sent_before - extent.lead, limit) : CR_SEND_ON;
    if (result != CR_SEND_ON) return result;
    if (stream->step == before && stream->step_sent == sent_before) result = send_window(stream, step, &extent, limit);
    bool continues = result != CR_SEND_ON || stream->step != before || limit != UINT64_MAX;
    return continues ? result : CR_SEND_WAIT;
}

cr_send cr_http1_send(cr_stream *stream, uint64_t limit) {
    const cr_step *step = &stream->script[stream->step];
    if (step->kind == CR_STEP_FILE) return send_file(stream, limit);
    if (step->kind == CR_STEP_HEAD && !stream->step_sent) {
        contiguous contiguous = find_contiguous(step);
        if (contiguous.end) return send_contiguous(stream, &contiguous);
    }
    return send_steps(stream, limit);
}
