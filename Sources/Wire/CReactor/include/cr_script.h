/* Wire scripts: what is sent on a stream, step by step.
 *
 * The steps speak HTTP: a head, a body, an end. The connection's protocol sends them and decides on the bytes. A
 * constant response holds its bytes already rendered for HTTP/1.1, so it leaves in one write without a copy. Another
 * protocol finds head, fields and body in the same memory. */
#ifndef CR_SCRIPT_H
#define CR_SCRIPT_H

#include "cr_text.h"

typedef struct cr_stream cr_stream;

/* ---- Steps --------------------------------------------------------------------------------------------------- */

typedef enum cr_step_kind {
    CR_STEP_WAIT,  /* waits `nanoseconds` on a timer */
    CR_STEP_HEAD,  /* status, reason and fields */
    CR_STEP_BODY,  /* bytes of the body */
    CR_STEP_FILE,  /* bytes of the body, read from a file while it is sent */
    CR_STEP_RELAY, /* what arrives through a cr_relay, until the relay is closed and drained */
    CR_STEP_RAW,   /* bytes that are sent unframed */
    CR_STEP_HOLD,  /* waits without a time-out for cr_stream_release */
    CR_STEP_END,   /* completes the response; `ending` is CR_KEEP_ALIVE or CR_CLOSE, the bytes are trailers */
    CR_STEP_ABORT, /* ends the response here, complete or not; `ending` from CR_FIN on */
    CR_STEP_MORE   /* the rest is not known yet: waits without a time-out for cr_stream_extend */
} cr_step_kind;

/* How a response ends: END takes the first two values, ABORT the others. In HTTP/1.1 the connection ends with the
 * response. In HTTP/2, CR_HANG, CR_RESET_STREAM and CR_BREAK_OFF end the stream only. */
typedef enum cr_ending {
    CR_KEEP_ALIVE,
    CR_CLOSE,        /* the connection takes no further request and closes; in HTTP/2 after the other responses */
    CR_FIN,          /* closes the connection with FIN */
    CR_RST,          /* resets the connection */
    CR_NO_CLOSE_NOTIFY, /* closes without a TLS close_notify */
    CR_HANG,         /* sends nothing more and stays open until the client leaves */
    CR_RESET_STREAM, /* RST_STREAM with the code in `rate`; HTTP/1.1: CR_RST */
    CR_GOAWAY,       /* GOAWAY with the code in `rate` and the last stream in `nanoseconds` (UINT64_MAX for this
                        one), then closes; HTTP/1.1: CR_FIN */
    CR_GARBAGE,      /* sends bytes of no protocol, then closes */
    CR_BREAK_OFF     /* RST_STREAM with INTERNAL_ERROR; HTTP/1.1: CR_FIN */
} cr_ending;

/* HEAD and END keep their text as cr_put_status_line and cr_put_field (cr_text.h) write it, a head with its empty line,
 * trailers without one. cr_head_read and cr_next_field parse this record. HOLD and MORE keep the name of what they wait
 * for, or nothing. */
typedef struct cr_step {
    uint8_t kind; /* a cr_step_kind */
    union {
        uint8_t ending; /* END and ABORT: a cr_ending */
        bool chunked;   /* HEAD: HTTP/1.1 sends the body in chunks */
        bool torn;      /* BODY, FILE and RELAY: breaks off at its length; HTTP/1.1 announces a chunk one byte longer
                           and does not end it */
    };
    uint8_t lead, trail;  /* BODY and END: bytes of pre-rendered HTTP/1.1 framing at either end. 0 `lead` means none:
                             the protocol adds its own. */
    uint32_t rate;        /* BODY, FILE, RELAY and RAW: bytes per second; 0 sends all at once. END with CR_CLOSE:
                             milliseconds from its last byte to the end of the connection. ABORT: an HTTP/2 error
                             code. */
    const uint8_t *bytes; /* all but WAIT and ABORT; NULL for no bytes. FILE: a cr_file. RELAY: a cr_relay. */
    union {
        uint64_t length;      /* number of bytes. RELAY: at most; UINT64_MAX for all that arrive */
        uint64_t nanoseconds; /* WAIT; ABORT with CR_GOAWAY: the last stream */
    };
} cr_step;

/* A byte of a file that is sent changed. */
typedef struct cr_flip {
    uint64_t offset; /* from the beginning of the file */
    uint8_t mask;    /* XOR mask applied to the byte */
} cr_flip;

/* The bytes of a FILE step: `length` bytes from `offset` on. If the file is too short when it is sent, the stream is
 * reset. */
typedef struct cr_file {
    int fd; /* open for reading while the script runs */
    uint64_t offset;
    const cr_flip *flips; /* sorted by offset; valid while the script runs */
    size_t flip_count;
} cr_file;

/* The bytes of RELAY steps: a producer, such as a call to another server, feeds the one stream whose script has them.
 * Several steps of one relay continue where the last one stopped. Belongs to one loop's thread, and must outlive its
 * stream. */
typedef struct cr_relay cr_relay;

typedef struct cr_relay_hooks {
    void (*room)(void *context);                   /* more may be added, after cr_relay_add returned false */
    void (*detached)(void *context);               /* the stream ended before all was sent; further bytes are dropped */
    void (*memory)(void *context, int64_t change); /* the buffer grew or shrank by `change` bytes. NULL if memory is
                                                      not counted */
} cr_relay_hooks;

/* Returns NULL if memory is short. The callbacks may add and close, nothing else. */
cr_relay *cr_relay_new(const cr_relay_hooks *hooks);
/* Frees the relay without a callback. */
void cr_relay_free(cr_relay *relay);
/* The context of the callbacks; NULL at first. */
void cr_relay_set_context(cr_relay *relay, void *context);
void *cr_relay_context(const cr_relay *relay);
/* Connects the relay to its stream before the stream comes to a step of it, so that `detached` is called. Between
 * cr_stream_reply and on_end. */
void cr_relay_attach(cr_relay *relay, cr_stream *stream);
/* Adds bytes. They are sent from where they are; what the client does not take is copied. Returns false to pause the
 * producer until `room`. */
bool cr_relay_add(cr_relay *relay, const uint8_t *bytes, size_t length);
/* Whether more may be added now. */
bool cr_relay_has_room(const cr_relay *relay);
/* Ends the relay: no more bytes are added. */
void cr_relay_close(cr_relay *relay);
/* The number of buffered bytes. */
size_t cr_relay_buffered(const cr_relay *relay);
/* Copies `length` buffered bytes from `offset` on. */
void cr_relay_copy(const cr_relay *relay, size_t offset, uint8_t *to, size_t length);
/* XORs one buffered byte with `mask`. */
void cr_relay_flip(cr_relay *relay, size_t offset, uint8_t mask);

/* Whether the interpreter can run the steps without further checks: the last one, and no other, is END, ABORT or MORE,
 * and each is consistent. Any thread. */
bool cr_script_is_sound(const cr_step *steps, size_t count);

/* ---- HTTP/1.1 rendering of a step ---------------------------------------------------------------------------- */

enum { CR_CHUNK_LEAD_ROOM = 20 };

/* The number of bytes that cr_render writes for a HEAD, BODY, RAW, END, HOLD or MORE step. */
size_t cr_rendered_length(const cr_step *step, bool chunked);
/* Writes the step to `at` in HTTP/1.1 framing and makes the step refer to that copy. `chunked`: the head before it
 * announced chunks. Returns the number of bytes. Steps rendered into one block leave in one write. */
size_t cr_render(cr_step *step, bool chunked, uint8_t *at);

/* ---- Content of a step, for any protocol ---------------------------------------------------------------------- */

/* The bytes of a BODY, RAW or END step without HTTP/1.1's framing. */
static inline cr_span cr_payload(const cr_step *step) {
    cr_span span = {step->bytes ? step->bytes + step->lead : NULL, step->length - step->lead - step->trail};
    return span;
}

/* Parses a HEAD step: its status and reason. Returns the fields, for cr_next_field. */
static inline cr_span cr_head_read(const cr_step *head, int64_t *status, cr_span *reason) {
    return cr_read_head((cr_span){head->bytes, head->length}, status, reason);
}
/* The value of the first field of a HEAD step with this name, in any letter case; NULL bytes if there is none. */
static inline cr_span cr_find_field(const cr_step *head, const char *name) {
    return cr_find_in_head((cr_span){head->bytes, head->length}, name);
}

/* ---- Streams ---------------------------------------------------------------------------------------------------- */

/* Multiplies the waits of this request's answer by `scale`, from 0 on, and slows its paced steps likewise. On the
 * loop's thread, before cr_stream_reply. */
void cr_stream_set_time_scale(cr_stream *stream, double scale);

#endif
