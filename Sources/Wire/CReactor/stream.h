/* A stream: one request and the script that answers it. It is a state machine of its own; the connection's protocol
 * decides what its steps mean for the connection that carries it. */
#ifndef CR_STREAM_H
#define CR_STREAM_H

#include "loop.h"

typedef enum cr_stream_state {
    CR_STREAM_IDLE,    /* no request, or one whose reply has ended */
    CR_STREAM_ASKING,  /* the handler is being called with its request */
    CR_STREAM_ASKED,   /* the handler owes the reply */
    CR_STREAM_LOST,    /* the same, but without a client: the reply ends as soon as it is given */
    CR_STREAM_RUNNING, /* at a step of its script */
    CR_STREAM_TIMED,   /* waits for its timer */
    CR_STREAM_YIELDED, /* waits for its turn */
    CR_STREAM_WRITING, /* waits for the connection to take bytes */
    CR_STREAM_HOLDING, /* the handler is being told that the script has come to a HOLD or MORE */
    CR_STREAM_HELD     /* waits to be released, or for the rest of its script */
} cr_stream_state;

struct cr_stream {
    cr_conn *conn;
    TAILQ_ENTRY(cr_stream) writers_link; /* while `queued` */
    LIST_ENTRY(cr_stream) held_link;     /* while CR_STREAM_HELD */
    TAILQ_ENTRY(cr_stream) turn_link;    /* while CR_STREAM_YIELDED */
    cr_stream_state state;
    bool queued;           /* among the connection's writers */
    bool chunked;          /* what the last HEAD said */
    uint32_t step;         /* of the script */
    const cr_framing *framing; /* of the reply to this request */
    double time_scale;     /* the part of each wait of the script that is waited */
    const cr_step *script; /* from the reply to its MORE or its end, else NULL */
    cr_observer observer;
    size_t step_sent;      /* bytes of this step that are on the wire */
    uint64_t step_began;   /* when a WAIT, a paced step or the wait of an END began; 0 before */
    uint64_t bytes_sent;
    uint64_t body_before;  /* bytes of the body in scripts that the present one continues */
    uint64_t first_byte_ns;
    struct event timer;    /* of WAIT, paced steps and END */
};

/* ---- stream.c ---- */

/* Makes a stream of a connection, in memory that belongs to the protocol. */
void cr_stream_init(cr_stream *stream, cr_conn *conn);
/* Hands the request to the handler. Afterwards the stream is RUNNING, and the caller runs it, or it is ASKED and waits
 * for its reply. */
void cr_stream_ask(cr_stream *stream, const cr_request *request);
/* Begins to wait for the timer, in nanoseconds. */
void cr_stream_wait(cr_stream *stream, uint64_t ns);
/* Lets others have their turn before the script goes on. */
void cr_stream_yield(cr_stream *stream);
/* Tells the handler about a HOLD or MORE, and waits to be released. Returns true if that came at once. */
bool cr_stream_hold(cr_stream *stream);
/* Ends the script without telling the observer, since another does that. */
void cr_stream_pass(cr_stream *stream);
/* Ends the script, if one runs, and tells the observer. The caller tells the protocol what the end means for the
 * connection. */
void cr_stream_end(cr_stream *stream, cr_outcome outcome);
/* Ends a stream that its client does not want or no connection carries any more: a running script at once, an owed reply
 * when it is given, upon which the protocol's `stream_ended` is called. */
void cr_stream_lose(cr_stream *stream, cr_outcome outcome);

/* ---- body_sent.c ---- */

/* The bytes of the body, without framing, in the first `count` steps of a script. */
uint64_t cr_body_length(const cr_step *script, uint32_t count);
/* The bytes of the body, without framing, that the stream has sent. */
uint64_t cr_stream_body_sent(cr_stream *stream);

/* ---- interpreter.c ---- */

/* Runs the stream's script until it ends or has to wait. Afterwards the stream may be freed, or ask with its next
 * request. */
void cr_stream_run(cr_stream *stream);

#endif
