/* A stream: one request and the script that answers it. It is a state machine of its own, with its own waits, pace and
 * counts; the connection's protocol sends its steps, and decides what they mean for the connection that carries it. */
#ifndef CR_STREAM_H
#define CR_STREAM_H

#include "service.h"

typedef enum cr_stream_state {
    CR_STREAM_IDLE,    /* no request, or one whose reply has ended */
    CR_STREAM_ASKING,  /* the handler is being called with its request */
    CR_STREAM_ASKED,   /* the handler owes the reply */
    CR_STREAM_LOST,    /* the same, but without a client: the reply ends as soon as it is given */
    CR_STREAM_RUNNING, /* at a step of its script */
    CR_STREAM_TIMED,   /* waits for its timer */
    CR_STREAM_YIELDED, /* waits for its turn */
    CR_STREAM_WRITING, /* waits for the protocol to send more of it */
    CR_STREAM_HOLDING, /* the handler is being told that the script has come to a HOLD or MORE */
    CR_STREAM_HELD     /* waits to be released, for its relay, or for the rest of its script */
} cr_stream_state;

struct cr_stream {
    cr_conn *conn;
    TAILQ_ENTRY(cr_stream) writers_link; /* while `queued` */
    LIST_ENTRY(cr_stream) held_link;     /* while CR_STREAM_HELD */
    TAILQ_ENTRY(cr_stream) turn_link;    /* while CR_STREAM_YIELDED */
    cr_stream_state state;
    bool queued;           /* among the connection's writers */
    bool limited;          /* the timer ends a wait of CR_STREAM_WRITING */
    bool whole;            /* all bytes of the END at `step` are sent */
    bool hung;             /* HELD at an ABORT with CR_HANG: never released */
    bool refused;          /* ends with CR_BODY_REFUSED, whatever ends it */
    int refusal;           /* what the end tells of that (cr_end) */
    uint32_t abort_code;   /* of the ABORT that ends the script, for the protocol's `stream_ended` */
    uint64_t abort_last;
    uint32_t step;         /* of the script */
    double time_scale;     /* the part of each wait of the script that is waited */
    const cr_step *script; /* from the reply to its MORE or its end, else NULL */
    cr_observer observer;
    uint64_t step_sent;    /* what was sent of this step, as the protocol counts it */
    cr_relay *relay;       /* that goes to it, or NULL */
    uint64_t step_began;   /* when a WAIT, a paced step or the wait of an END began; 0 before */
    uint64_t bytes_sent;   /* on the wire, framing included */
    uint64_t body_sent;    /* of these, bytes of the body */
    uint64_t first_byte_ns;
    void *body;            /* what the handler has for a body that it takes while it comes; NULL for none */
    bool body_coming;      /* the end of that body is still to be told */
    bool body_reads;       /* it is wanted */
    struct event timer;    /* of WAIT, paced steps and END, and of a wait to send that has a limit */
};

/* What became of a protocol's `send`. */
typedef enum cr_send {
    CR_SEND_ON,     /* the stream has come on: at the most behind its END, and then it is `whole` */
    CR_SEND_WAIT,   /* the protocol takes no more for now, and resumes the stream when it does */
    CR_SEND_PASSED, /* the rest of the answer belongs to the protocol (cr_stream_pass), which has dealt with its end */
    CR_SEND_BROKEN, /* bytes of a file or relay cannot be had: the answer breaks off */
    CR_SEND_LOST    /* the connection takes nothing any more */
} cr_send;

/* Whether a step is sent together with the one before it. */
static inline bool cr_step_goes_at_once(const cr_step *step) {
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

/* Goes to the next step, since all of this one is sent. */
static inline void cr_stream_next_step(cr_stream *stream) {
    stream->step++;
    stream->step_sent = 0;
    stream->step_began = 0;
}

/* ---- stream.c ---- */

/* Makes a stream of a connection, in memory that belongs to the protocol. */
void cr_stream_init(cr_stream *stream, cr_conn *conn);
/* Hands the request to the handler. Afterwards the stream is RUNNING, and the caller runs it, or it is ASKED and waits
 * for its reply. */
void cr_stream_ask(cr_stream *stream, const cr_request *request);
/* Begins to wait for the timer, in nanoseconds. */
void cr_stream_wait(cr_stream *stream, uint64_t ns);
/* Ends a wait of CR_STREAM_WRITING after `ns` nanoseconds, unless the stream is woken first: the protocol drops it with
 * CR_CLIENT_STALLED. For a protocol with streams that wait for their client though the connection does not. */
void cr_stream_limit_wait(cr_stream *stream, uint64_t ns);
/* The wait goes on without that limit. */
void cr_stream_unlimit_wait(cr_stream *stream);
/* Ends a wait of CR_STREAM_WRITING; the caller resumes the stream. */
void cr_stream_wake(cr_stream *stream);
/* Lets others have their turn before the script goes on. */
void cr_stream_yield(cr_stream *stream);
/* Tells the handler about a HOLD or MORE, and waits to be released. Returns true if that came at once. */
bool cr_stream_hold(cr_stream *stream);
/* Holds the stream until its client leaves, it is cancelled or the loop ends. */
void cr_stream_hang(cr_stream *stream);
/* Holds the stream until cr_stream_go_on; it may end at once, as every stream that is held. */
void cr_stream_rest(cr_stream *stream);
/* Continues a held stream at the step where it is. */
void cr_stream_go_on(cr_stream *stream);
/* Ends the script without telling the observer, since another does that. */
void cr_stream_pass(cr_stream *stream);
/* Ends the script, if one runs, and tells the observer. The caller tells the protocol what the end means for the
 * connection. */
void cr_stream_end(cr_stream *stream, cr_outcome outcome);
/* Ends a stream that its client does not want or no connection carries any more: a running script at once, an owed reply
 * when it is given, upon which the protocol's `stream_ended` is called. */
void cr_stream_lose(cr_stream *stream, cr_outcome outcome);

/* ---- streamed.c ---- */

/* Whether the handler takes the body of a request of that head while it comes. */
bool cr_conn_streams_body(cr_conn *conn, const cr_request *head, bool is_long);

/* Whether the handler is to be asked for that at the head of a request whose body may be short. */
bool cr_conn_streams_short(const cr_conn *conn);
/* The stream's request is about to be asked, before its body. */
void cr_stream_begin_body(cr_stream *stream);
/* Hands bytes of the body over, after which the connection may be closed. */
void cr_stream_give_body(cr_stream *stream, const uint8_t *bytes, size_t length);
/* Tells the end of the body, unless it was told: with trailer fields, or NULL if it is not read any more. */
void cr_stream_end_body(cr_stream *stream, const cr_request *request);

/* ---- file_step.c ---- */

enum { CR_FILE_DIRECT = 1 << 20 }; /* the most bytes of a file that are sent at once without a copy */

static inline const cr_file *cr_file_of(const cr_step *step) {
    return (const cr_file *)(const void *)step->bytes;
}

/* Bytes of the payload of a BODY, FILE, RELAY, RAW or END step from `place`, which lies in it, on: at most `limit`, those of
 * a file in a window that the next call of the same loop fills anew, and so perhaps fewer, and those of a relay that are next,
 * whatever `place` is. None if the file is shorter
 * than it should be, or cannot be read. */
cr_span cr_payload_at(cr_loop *loop, const cr_step *step, uint64_t place, uint64_t limit);
/* Whether bytes of a FILE step's payload are sent as others than they are in the file. */
bool cr_file_changes(const cr_step *step, uint64_t place, size_t length);

/* ---- interpreter.c ---- */

/* Runs the stream's script until it ends or has to wait. Afterwards the stream may be freed, or ask with its next
 * request. */
void cr_stream_run(cr_stream *stream);

#endif
