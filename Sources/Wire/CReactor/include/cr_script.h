/* Wire scripts: what happens on a stream, step by step.
 *
 * The steps are in terms of HTTP: a head, a body, an end. The connection's protocol sends them, and decides on the bytes
 * on the wire. A constant response contains its bytes rendered for HTTP/1.1, so that they are sent in one write without
 * a copy; another protocol finds head, fields and body in the same memory. */
#ifndef CR_SCRIPT_H
#define CR_SCRIPT_H

#include "cr_text.h"

typedef struct cr_stream cr_stream;

/* ---- Steps --------------------------------------------------------------------------------------------------- */

typedef enum cr_step_kind {
    CR_STEP_WAIT,  /* a timer of `nanoseconds`; no thread sleeps */
    CR_STEP_HEAD,  /* status, reason and fields */
    CR_STEP_BODY,  /* a piece of the body */
    CR_STEP_FILE,  /* a piece of the body that is read from a file while it is sent */
    CR_STEP_RELAY, /* what comes through a cr_relay, until that is closed and all of it sent */
    CR_STEP_RAW,   /* bytes that are sent unframed */
    CR_STEP_HOLD,  /* waits without a time-out for cr_stream_release */
    CR_STEP_END,   /* the response is complete: `ending` CR_KEEP_ALIVE or CR_CLOSE. Its bytes are trailers. */
    CR_STEP_ABORT, /* the response ends here, complete or not: `ending` from CR_FIN on */
    CR_STEP_MORE   /* what follows is not known yet: waits without a time-out for cr_stream_extend */
} cr_step_kind;

/* How a response ends: END takes the first two, ABORT the others. In HTTP/1.1 its connection ends with it; in HTTP/2, with
 * CR_HANG, CR_RESET_STREAM and CR_BREAK_OFF the stream alone. */
typedef enum cr_ending {
    CR_KEEP_ALIVE,
    CR_CLOSE,        /* the connection takes no further request, and closes; in HTTP/2, after the answers to others */
    CR_FIN,          /* the connection closes in order */
    CR_RST,          /* it is reset */
    CR_CUT,          /* it closes without what the transport says at its end (close_notify) */
    CR_HANG,         /* nothing more comes, and nothing ends until the client leaves */
    CR_RESET_STREAM, /* RST_STREAM with the code in `rate`; HTTP/1.1: CR_RST */
    CR_GOAWAY,       /* GOAWAY with the code in `rate` and the last stream in `nanoseconds`, UINT64_MAX for this one, and
                        then the connection closes; HTTP/1.1: CR_FIN */
    CR_GARBAGE,      /* bytes that are of no protocol, and then the connection closes */
    CR_BREAK_OFF     /* RST_STREAM with INTERNAL_ERROR; HTTP/1.1: CR_FIN */
} cr_ending;

/* HEAD and END keep their text as cr_put_status_line and cr_put_field (cr_text.h) write it, a head with the empty line at its end,
 * trailers without one: a compact record, which cr_head_read and cr_next_field parse. HOLD and MORE keep the name of
 * what they wait for, or nothing. */
typedef struct cr_step {
    uint8_t kind; /* a cr_step_kind */
    union {
        uint8_t ending; /* END and ABORT: a cr_ending */
        bool chunked;   /* HEAD: HTTP/1.1 sends the body in chunks */
        bool torn;      /* BODY, FILE and RELAY: breaks off at its length; HTTP/1.1 announces a chunk a byte longer, and
                           does not end it */
    };
    uint8_t lead, trail;  /* BODY and END: how many bytes at either end are HTTP/1.1's framing, rendered in advance.
                             With `lead` 0 there is none, and the protocol adds its own. */
    uint32_t rate;        /* BODY, FILE, RELAY and RAW: bytes a second; 0 sends all at once. END with CR_CLOSE: milliseconds
                             from its last byte to the end of the connection. ABORT: a code of HTTP/2. */
    const uint8_t *bytes; /* all but WAIT and ABORT; may be NULL for no bytes. FILE: a cr_file. RELAY: a cr_relay. */
    union {
        uint64_t length;      /* of the bytes. RELAY: at the most; UINT64_MAX for all that come */
        uint64_t nanoseconds; /* WAIT; ABORT with CR_GOAWAY: the last stream */
    };
} cr_step;

/* A byte of a file that is sent as another one. */
typedef struct cr_flip {
    uint64_t place; /* counted from the beginning of the file */
    uint8_t mask;   /* the bits that are sent the other way round */
} cr_flip;

/* The bytes of a FILE step: `length` bytes of a file, from `offset` on. If the file has become too short by the time it
 * is sent, the stream is reset. */
typedef struct cr_file {
    int fd; /* open for reading, as long as the script runs */
    uint64_t offset;
    const cr_flip *flips; /* in the order of their places, which lie anywhere in the file; kept as long as the script */
    size_t flip_count;
} cr_file;

/* The bytes of RELAY steps: what a producer, such as a call to another server, gives to the one stream whose script has
 * them, while it comes. Steps of the same relay, in one script or several, send one after another what comes through it. It
 * belongs to one loop's thread, where all of its functions are called, and must live until its stream has ended. */
typedef struct cr_relay cr_relay;

typedef struct cr_relay_hooks {
    void (*room)(void *context); /* more may be added, after cr_relay_add has returned false */
    void (*gone)(void *context); /* the stream has ended before all was sent, and whatever is added from now on is dropped */
    void (*memory)(void *context, int64_t change); /* so many bytes more, or less, are taken. NULL if nothing counts */
} cr_relay_hooks;

/* NULL if memory is short. The hooks may add and close, and nothing else. */
cr_relay *cr_relay_new(const cr_relay_hooks *hooks);
/* No hook is called within. */
void cr_relay_free(cr_relay *relay);
/* The context of the hooks, at first NULL. */
void cr_relay_set_context(cr_relay *relay, void *context);
void *cr_relay_context(const cr_relay *relay);
/* Lets the relay know its stream before that has come to a step of it, so that `gone` is told from now on. Between
 * cr_stream_reply and on_end. */
void cr_relay_attach(cr_relay *relay, cr_stream *stream);
/* Adds bytes, all of which are taken: sent from where they are, and copied as far as the client takes none for now. Returns
 * false if no more should be added until `room`. */
bool cr_relay_add(cr_relay *relay, const uint8_t *bytes, size_t length);
/* Whether more may be added now. */
bool cr_relay_has_room(const cr_relay *relay);
/* Nothing more comes. */
void cr_relay_close(cr_relay *relay);
/* The number of bytes that are kept to be sent. */
size_t cr_relay_kept(const cr_relay *relay);
/* Copies such bytes, from a place among them on. */
void cr_relay_copy(const cr_relay *relay, size_t place, uint8_t *to, size_t length);
/* Has the byte at a place among them sent with these bits the other way round. */
void cr_relay_flip(cr_relay *relay, size_t place, uint8_t mask);

/* Whether the steps are a script that the interpreter can run without further checks: the last one, and no other, is
 * END, ABORT or MORE, and each is consistent. Any thread. */
bool cr_script_is_sound(const cr_step *steps, size_t count);

/* ---- What HTTP/1.1 makes of a step --------------------------------------------------------------------------- */

enum { CR_CHUNK_LEAD_ROOM = 20 };

/* The number of bytes that cr_render writes for a HEAD, BODY, RAW, END, HOLD or MORE step. */
size_t cr_rendered_length(const cr_step *step, bool chunked);
/* Writes a step to `at` in HTTP/1.1's framing, where `chunked` states how the head before it frames the body, and makes
 * the step refer to that place. A script with all steps rendered into one block is sent in one write. */
size_t cr_render(cr_step *step, bool chunked, uint8_t *at);

/* ---- What a step says, for any protocol ----------------------------------------------------------------------- */

/* The bytes of a BODY, RAW or END step without HTTP/1.1's framing. */
static inline cr_span cr_payload(const cr_step *step) {
    cr_span span = {step->bytes ? step->bytes + step->lead : NULL, step->length - step->lead - step->trail};
    return span;
}

/* The status and the reason of a HEAD step. Returns its fields, to be given to cr_next_field. */
static inline cr_span cr_head_read(const cr_step *head, int64_t *status, cr_span *reason) {
    return cr_read_head((cr_span){head->bytes, head->length}, status, reason);
}
/* The value of the first field of a HEAD step with a name, in any letter case; NULL bytes if there is none. */
static inline cr_span cr_find_field(const cr_step *head, const char *name) {
    return cr_find_in_head((cr_span){head->bytes, head->length}, name);
}

/* ---- Streams ---------------------------------------------------------------------------------------------------- */

/* Makes the waits of the answer to this request last `scale` times as long, from 0 on, and its paced steps likewise. On
 * the loop's thread, before cr_stream_reply. */
void cr_stream_set_time_scale(cr_stream *stream, double scale);

#endif
