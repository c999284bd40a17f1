/* A stream: one request and the script that answers it, a state machine with its own waits, pace and counters. The
 * connection's protocol sends the steps and decides what they mean for the connection. */
#ifndef CR_STREAM_H
#define CR_STREAM_H

#include "service.h"

typedef enum cr_stream_state {
    CR_STREAM_IDLE,           /* no request, or one whose reply has ended */
    CR_STREAM_DISPATCHING,    /* inside the handler's on_request */
    CR_STREAM_AWAITING_REPLY, /* the handler owes the reply */
    CR_STREAM_DETACHED,       /* like AWAITING_REPLY, without a client: the reply ends as soon as it is given */
    CR_STREAM_RUNNING,        /* at a step of its script */
    CR_STREAM_TIMED,          /* waits for its timer */
    CR_STREAM_YIELDED,        /* waits in the ready queue */
    CR_STREAM_WRITING,        /* waits until the protocol can send more */
    CR_STREAM_HOLDING,        /* inside the handler's on_hold */
    CR_STREAM_HELD            /* waits for its release, its relay, or the rest of its script */
} cr_stream_state;

struct cr_stream {
    cr_conn *conn;
    TAILQ_ENTRY(cr_stream) writers_link; /* while `queued` */
    LIST_ENTRY(cr_stream) held_link;     /* while CR_STREAM_HELD */
    TAILQ_ENTRY(cr_stream) ready_link;   /* while CR_STREAM_YIELDED */
    cr_stream_state state;
    bool queued;         /* it is in the connection's `writers` */
    bool write_limited;  /* the timer limits a wait of CR_STREAM_WRITING */
    bool end_sent;       /* all bytes of the END at `step` are sent */
    bool hung;           /* HELD at an ABORT with CR_HANG: never released */
    bool refused;        /* ends with CR_BODY_REFUSED, whatever ends it */
    int refusal;         /* cr_end.refusal of that */
    uint32_t abort_code; /* of the ABORT that ended the script, for `stream_ended` */
    uint64_t abort_last;
    uint32_t step;         /* index in the script */
    double time_scale;     /* factor for the script's waits */
    const cr_step *script; /* from the reply to its MORE or its end, else NULL */
    cr_observer observer;
    uint64_t step_sent;  /* sent of this step, in the protocol's unit */
    cr_relay *relay;     /* the relay that feeds it, or NULL */
    uint64_t step_began; /* when a WAIT, a paced step or the wait of an END began; 0 before */
    uint64_t bytes_sent; /* on the wire, with framing */
    uint64_t body_sent;  /* of these, bytes of the body */
    uint64_t first_byte_ns;
    void *body;         /* the handler's context for a streamed request body; NULL for none */
    bool body_coming;   /* the end of that body was not reported yet */
    bool body_reading;  /* the handler wants its bytes */
    struct event timer; /* of WAIT, paced steps and END, and for `write_limited` */
};

/* The result of a protocol's `send`. */
typedef enum cr_send {
    CR_SEND_ON,          /* progress: the stream is at a later step, at most at its END, and then `end_sent` */
    CR_SEND_WAIT,        /* the protocol takes no more for now, and resumes the stream later */
    CR_SEND_HANDED_OVER, /* the protocol took over the rest of the answer and its end (cr_stream_clear) */
    CR_SEND_BROKEN,      /* bytes of a file or relay cannot be read: the answer breaks off */
    CR_SEND_CLOSED       /* the connection cannot send any more */
} cr_send;

/* Whether a step is sent together with the one before it. */
static inline bool cr_step_is_immediate(const cr_step *step) {
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

/* Advances to the next step, once this one is sent. */
static inline void cr_stream_next_step(cr_stream *stream) {
    stream->step++;
    stream->step_sent = 0;
    stream->step_began = 0;
}

/* ---- stream.c ---- */

/* Initializes a stream in memory that belongs to the protocol. */
void cr_stream_init(cr_stream *stream, cr_conn *conn);
/* Calls the handler with the request. Afterwards the stream is RUNNING, and the caller runs it, or it is
 * AWAITING_REPLY. */
void cr_stream_dispatch(cr_stream *stream, const cr_request *request);
/* Waits for the timer. */
void cr_stream_wait(cr_stream *stream, uint64_t ns);
/* Limits a wait of CR_STREAM_WRITING to `ns`: unless the stream is woken first, the protocol drops it with
 * CR_CLIENT_STALLED. For a protocol whose streams wait for the client while the connection does not. */
void cr_stream_limit_wait(cr_stream *stream, uint64_t ns);
/* Removes that limit; the wait continues. */
void cr_stream_unlimit_wait(cr_stream *stream);
/* Ends a wait of CR_STREAM_WRITING; the caller resumes the stream. */
void cr_stream_wake(cr_stream *stream);
/* Puts the stream into the ready queue, so that others run first. */
void cr_stream_yield(cr_stream *stream);
/* Calls on_hold for a HOLD or MORE and waits. Returns true if the handler continued the stream at once. */
bool cr_stream_hold(cr_stream *stream);
/* Holds the stream until its client leaves, it is cancelled or the loop ends. */
void cr_stream_hang(cr_stream *stream);
/* Holds the stream until cr_stream_resume. Like every held stream, it may be dropped at once. */
void cr_stream_suspend(cr_stream *stream);
/* Continues a held stream at its present step. */
void cr_stream_resume(cr_stream *stream);
/* Resets the stream's state without calling on_end, which another caller does. */
void cr_stream_clear(cr_stream *stream);
/* Ends the script, if one runs, and calls on_end. The caller tells the protocol what this means for the connection. */
void cr_stream_end(cr_stream *stream, cr_outcome outcome);
/* Detaches a stream from its client: a running script ends at once, an owed reply when it is given. In the latter case
 * the protocol's `stream_ended` is called. */
void cr_stream_detach(cr_stream *stream, cr_outcome outcome);

/* ---- streamed.c ---- */

/* Asks the handler whether it streams the body of this request. */
bool cr_conn_streams_body(cr_conn *conn, const cr_request *head, bool is_long);

/* Whether the handler is asked for short bodies, too. */
bool cr_conn_streams_short(const cr_conn *conn);
/* Prepares the stream for a body that follows the dispatch of its request. */
void cr_stream_begin_body(cr_stream *stream);
/* Passes bytes of the body to on_body. The connection may be closed afterwards. */
void cr_stream_deliver_body(cr_stream *stream, const uint8_t *bytes, size_t length);
/* Reports the end of the body, once: with trailer fields, or NULL if the rest is not read. */
void cr_stream_end_body(cr_stream *stream, const cr_request *request);

/* ---- file_step.c ---- */

enum { CR_FILE_DIRECT = 1 << 20 }; /* most bytes of a file sent at once without a copy */

static inline const cr_file *cr_file_of(const cr_step *step) {
    return (const cr_file *)(const void *)step->bytes;
}

/* The payload of a BODY, FILE, RELAY, RAW or END step from `offset` on, at most `limit` bytes. Bytes of a file are in a
 * window that the next call of the same loop overwrites, and may be fewer. A relay returns its next bytes, whatever
 * `offset` is. Empty if the file is too short or cannot be read. */
cr_span cr_payload_at(cr_loop *loop, const cr_step *step, uint64_t offset, uint64_t limit);
/* Whether bytes of this range of a FILE step are sent changed. */
bool cr_file_has_flips(const cr_step *step, uint64_t offset, size_t length);

/* ---- interpreter.c ---- */

/* Runs the stream's script until it ends or waits. Afterwards the stream may be freed, or already serve its next
 * request. */
void cr_stream_run(cr_stream *stream);

#endif
