/* HTTP/2 on a connection, as shared by the files http2_*.c. nghttp2 keeps the states of frames, windows and header tables;
 * its callbacks only note what has happened, so that no handler is ever called within one of its calls. What was noted is
 * done by `cr_http2_work`. */
#ifndef CR_HTTP2_H
#define CR_HTTP2_H

#include "conn.h"
#include "nghttp2_functions.h"

/* What a connection has to do for a stream. */
typedef enum cr_http2_event {
    CR_HTTP2_NOTHING,
    CR_HTTP2_ASK,   /* its request is complete */
    CR_HTTP2_LOSE,  /* the client has reset it, or the library for an error of the client */
    CR_HTTP2_RUN    /* what its script has granted was taken: the script goes on when that is sent */
} cr_http2_event;

typedef struct cr_http2_stream {
    cr_stream stream; /* first, so that it is found by its address */
    TAILQ_ENTRY(cr_http2_stream) link;         /* of the connection's streams, or of the spare ones */
    TAILQ_ENTRY(cr_http2_stream) event_link;   /* while there is an event */
    TAILQ_ENTRY(cr_http2_stream) granted_link; /* while `grants` */
    int32_t id;
    cr_http2_event event;
    bool open;         /* the library knows it */
    bool asked;        /* from its request to the end of its answer, or to the reply that nobody wants any more */
    bool ends;         /* its answer is just ending: whoever ends it lets go of it */
    bool refused;      /* answered by the protocol itself, with `refusal` */
    bool input_ended;  /* the client has sent END_STREAM */
    bool left;         /* the client has reset it */
    bool head_ended;   /* the header fields have come: what follows are trailer fields */
    bool expects_continue;
    bool announced;    /* the final head of the answer was handed to the library */
    bool deferred;     /* the library waits for cr_http2_grant */
    bool broken;       /* bytes of a file could not be had */
    bool dismissed;    /* reset by the protocol, and not by the library for an error of the client */
    cr_fault fault;    /* found while the head came */

    /* The request. */
    nghttp2_rcbuf *method, *path, *authority; /* until the first header field */
    cr_request request;    /* offsets into `head`; those of the fields, too */
    cr_buffer head;
    cr_field *fields;
    uint32_t field_capacity;
    size_t list_size;      /* of the header list, as RFC 9113 counts it */
    uint64_t body_length;  /* as announced; UINT64_MAX if it was not */
    cr_buffer body;
    uint64_t deadline_ns;  /* of the body; UINT64_MAX if there is none */
    TAILQ_ENTRY(cr_http2_stream) body_link; /* while `body_due` */
    bool body_due;         /* something of a body that is taken while it comes may be handed over */
    bool body_asked;       /* the handler was asked whether it takes the long body while it comes */
    bool streams;          /* it does */
    bool body_over;        /* its rest is not taken any more */
    size_t unacknowledged; /* bytes of such a body for which the client's window is still to be given */
    cr_throttle *throttle; /* of the body, or NULL */
    uint64_t withheld;     /* bytes of the body that came and are not read yet, as the throttle has it */
    uint8_t *carried;      /* the block of a request that came in HTTP/1.1, or NULL */

    /* The answer. */
    bool grants;           /* the script waits for the library to take what it has granted */
    uint64_t granted;      /* bytes of the body, from the script's step on, that the library may take; UINT64_MAX for as
                              many steps as go at once */
    uint32_t end_step;     /* the END of an answer without a body */
    const char *refusal;
    size_t refusal_sent;
} cr_http2_stream;

TAILQ_HEAD(cr_http2_streams, cr_http2_stream);

/* What clients may do now and then, and not all the time: see http2_calm.c. */
typedef enum cr_http2_nuisance {
    CR_HTTP2_RESETS,
    CR_HTTP2_ERRORS,
    CR_HTTP2_EXCESS,
    CR_HTTP2_PINGS,
    CR_HTTP2_SETTINGS,
    CR_HTTP2_PRIORITIES,
    CR_HTTP2_EMPTY_DATA,
    CR_HTTP2_WINDOW_UPDATES,
    CR_HTTP2_CONTINUATIONS,
    CR_HTTP2_LARGE_HEADS,
    CR_HTTP2_NUISANCES
} cr_http2_nuisance;

enum {
    CR_HTTP2_PARTS = 64,              /* of one write */
    CR_HTTP2_WRITE = 64 * 1024,       /* bytes of one write */
    CR_HTTP2_FRAME_ROOM = 16384 + 64, /* of one frame, with its head */
    CR_HTTP2_GAPS = 4 /* that are remembered: see http2_gaps.c */
};

/* Streams that the client has passed over: the first and the last one. */
typedef struct cr_http2_gap {
    uint32_t first, last;
} cr_http2_gap;

typedef struct cr_http2 {
    nghttp2_session *session; /* NULL if the connection only looks as if it spoke HTTP/2 */
    cr_greeting greeting;
    struct cr_http2_streams streams, spare;
    struct cr_http2_streams due;     /* with ASK or LOSE */
    struct cr_http2_streams taken;   /* with RUN */
    struct cr_http2_streams bodies;  /* with `body_due` */
    struct cr_http2_streams granted; /* that wait for the library to take what they have granted */
    uint32_t spare_count;
    bool inside;     /* the library is on the stack */
    bool working;    /* so is cr_http2_work, or what calls it */
    bool yields;     /* the connection's turn is over */
    bool paused;     /* the library stopped since the write is full */
    bool ready;      /* the client has sent its first SETTINGS */
    bool closing;    /* GOAWAY was sent: the connection ends with its last stream */
    bool cut_short;  /* a stream was reset before its client had sent all: some of it may still come */
    bool failed;     /* GOAWAY with an error was sent: what comes is dropped, and no further request is asked */
    bool ending;     /* the streams are being lost */
    bool answered;   /* an answer has ended since the connection last began to wait */
    uint8_t calm;    /* 1 + the nuisance for which the connection ends */
    uint64_t turn_ns, turn_written; /* the time, and what the connection had written, when its turn began */
    cr_http2_stream *heading;   /* whose header block is being read */
    cr_http2_stream *receiving; /* the last one that was given data */
    cr_http2_stream *giving;    /* whose body is being handed over */
    uint32_t last_begun;        /* the id of the stream that the client has begun last */
    uint32_t last_acted;        /* of those whose requests were handed over or refused, the last one */
    uint32_t gap_count;
    cr_http2_gap gaps[CR_HTTP2_GAPS];
    uint8_t head[9];            /* of a frame, as far as it came: see http2_late.c */
    uint8_t head_length;
    uint32_t frame_left;        /* bytes until the next one, at first those of the preface */
    uint64_t calm_ns;
    uint32_t nuisances[CR_HTTP2_NUISANCES];
    size_t memory;    /* bytes that the connection has for HTTP/2: see http2_memory.c */
    size_t counted;   /* of these, those of which the handler knows */
    void *frame;      /* the library's block in which it makes frames; NULL if there is none of that size */
    size_t frame_room; /* bytes at its beginning that are kept while the connection is idle */
    size_t released;  /* bytes of it that the system has, until a frame needs more than that room */
} cr_http2;

/* What leaves a connection in one write. */
struct cr_frames {
    size_t length;
    int part_count;
    struct iovec parts[CR_HTTP2_PARTS]; /* in `bytes`, or in place */
    uint8_t bytes[CR_HTTP2_WRITE];
};

static inline cr_http2 *cr_http2_of(const cr_conn *conn) {
    return conn->protocol_state;
}

static inline cr_http2_stream *cr_http2_stream_of(cr_stream *stream) {
    return (cr_http2_stream *)stream;
}

/* ---- http2_conn.c ---- */

/* Does what was noted, and sends what there is, until the connection waits. Nothing within itself, or while the connection
 * waits for its turn. */
void cr_http2_work(cr_conn *conn);
/* Notes whether the connection's turn has taken its time. */
static inline void cr_http2_watch_turn(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (cr_loop_read_clock(conn->loop) - http2->turn_ns >= CR_TURN_NS) http2->yields = true;
}
/* Ends the connection with GOAWAY, a line for the log and no more of its answers. */
void cr_http2_fail(cr_conn *conn, uint32_t code, const char *reason);
/* Appends GOAWAY to the connection's output. Returns false if the connection was closed. */
bool cr_http2_put_goaway(cr_conn *conn, uint32_t last_stream, uint32_t code, const char *text);

/* ---- http2_stream.c ---- */

/* A stream for a request of the client; NULL if memory is short. */
cr_http2_stream *cr_http2_stream_new(cr_conn *conn, int32_t id);
/* Frees a stream, unless the library or the handler still has it. */
void cr_http2_stream_release(cr_http2_stream *stream);
/* Frees all that a stream has for its request. */
void cr_http2_stream_forget_request(cr_http2_stream *stream);
/* Frees the streams that are left, and the spare ones. */
void cr_http2_streams_free(cr_http2 *http2);
/* Frees spare streams until `count` are left. */
void cr_http2_drop_spare(cr_http2 *http2, uint32_t count);
/* Notes what is to be done for the stream, instead of anything before. */
void cr_http2_note(cr_http2_stream *stream, cr_http2_event event);
/* Notes that something of a body may be handed over, or that nothing is any more. */
void cr_http2_note_body(cr_http2_stream *stream, bool is_due);
/* Lets the library take no more of the stream's script. */
void cr_http2_withdraw(cr_http2_stream *stream);

/* ---- http2_memory.c ---- */

/* The library's allocator for a connection, which counts. */
nghttp2_mem cr_http2_allocator(cr_http2 *http2);
/* Tells the handler how much memory the connection has now, if that has changed by much; or that it has none. */
void cr_http2_count_memory(cr_conn *conn);
void cr_http2_count_nothing(cr_conn *conn);
/* The library has made a frame that is larger than the room kept for that. */
void cr_http2_use_frame(cr_http2 *http2);
/* The protocol's `shrink`. */
void cr_http2_shrink(cr_conn *conn);

/* ---- http2_session.c ---- */

/* Makes the library's side of a connection; NULL if memory is short. */
nghttp2_session *cr_http2_session_new(cr_conn *conn);

/* ---- http2_head.c ---- */

/* Adds a field of the header block; faults are noted. */
void cr_http2_add_field(cr_http2_stream *stream, nghttp2_rcbuf *name, nghttp2_rcbuf *value);
/* Notes that all header fields are there. */
void cr_http2_end_head(cr_http2_stream *stream);
/* Describes the request whose head was read; returns CR_OK or its fault. */
cr_fault cr_http2_describe(cr_http2_stream *stream, cr_request *request);

/* ---- http2_input.c ---- */

int cr_http2_on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *conn);
int cr_http2_on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name, nghttp2_rcbuf *value,
                       uint8_t flags, void *conn);
int cr_http2_on_invalid_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                               nghttp2_rcbuf *value, uint8_t flags, void *conn);
int cr_http2_on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length, void *conn);
int cr_http2_on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *conn);
/* Hands a complete request to the handler. */
void cr_http2_ask(cr_http2_stream *stream);
/* Tells a client that waits before sending the body to go on. */
void cr_http2_send_continue(cr_http2_stream *stream);
/* Hands over what is due of bodies that are taken while they come. */
void cr_http2_give_bodies(cr_conn *conn);
/* Ends the stream of such a body, since there is a fault in it. */
void cr_http2_give_up_body(cr_http2_stream *stream, cr_fault fault);
/* Ends such a body before the client has, whose rest is not taken. */
void cr_http2_end_body(cr_http2_stream *stream);
/* The protocol's `body_length` and `read_body`. */
uint64_t cr_http2_body_length(const cr_stream *stream);
void cr_http2_read_body_on(cr_stream *stream);
/* Answers a stream by itself. */
void cr_http2_refuse(cr_http2_stream *stream, cr_fault fault);
/* The protocol's `refuse` and `body_due`. */
void cr_http2_refuse_slow(cr_conn *conn, cr_fault fault);
void cr_http2_body_due(cr_conn *conn);

/* ---- http2_gaps.c ---- */

/* Looks at a HEADERS frame. Ends the connection if it is on a stream that the client has passed over. Returns 0, or the
 * library's error. */
int cr_http2_check_begin(cr_http2 *http2, uint32_t id);

/* ---- http2_late.c ---- */

/* Gives the library what has come. Returns its error if there is one. */
ssize_t cr_http2_take(cr_http2 *http2, const uint8_t *bytes, size_t length);
/* Whether a stream that the client has begun, or passed over, has ended. */
bool cr_http2_is_late(const cr_http2 *http2, uint32_t id);
/* Ends the connection for such a frame. Returns 0, or the library's error. */
int cr_http2_end_for_late(cr_http2 *http2);
int cr_http2_on_invalid_frame(nghttp2_session *session, const nghttp2_frame *frame, int error, void *conn);

/* ---- http2_calm.c ---- */

/* Counts what a client should not do all the time. Returns 0, or the library's error that ends the connection. */
int cr_http2_count(cr_conn *conn, cr_http2_nuisance nuisance);
/* The same for RST_STREAM that is sent, if an error of the client is the reason. */
int cr_http2_count_reset(cr_conn *conn, const nghttp2_frame *frame);
int cr_http2_on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *head, void *conn);
/* Ends the connection of a client that did too much of it. */
void cr_http2_calm_down(cr_conn *conn);

/* ---- http2_send.c ---- */

/* The protocol's `send`. */
cr_send cr_http2_send(cr_stream *stream, uint64_t limit);
/* Lets the library send, as long as the connection takes it. */
void cr_http2_pump(cr_conn *conn);
int cr_http2_on_send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t length,
                          nghttp2_data_source *source, void *conn);
int cr_http2_on_frame_sent(nghttp2_session *session, const nghttp2_frame *frame, void *conn);
/* The source of the bodies of answers. */
ssize_t cr_http2_read_body(nghttp2_session *session, int32_t id, uint8_t *bytes, size_t length, uint32_t *flags,
                           nghttp2_data_source *source, void *conn);

/* ---- http2_ends.c ---- */

int cr_http2_on_stream_close(nghttp2_session *session, int32_t id, uint32_t code, void *conn);
/* The protocol's `say_goodbye`, `stream_ended` and `drop`. */
void cr_http2_say_goodbye(cr_conn *conn);
void cr_http2_stream_ended(cr_stream *stream, cr_ending ending);
void cr_http2_drop(cr_stream *stream, cr_outcome outcome);
/* Resets a stream that the library knows. */
void cr_http2_reset(cr_http2_stream *stream, uint32_t code);
/* Says that the connection takes no further streams, and ends with the last one. Returns false if that was said. */
bool cr_http2_close_soon(cr_conn *conn);

/* ---- http2_upgrade.c ---- */

/* The request of the connection that the protocol before has left, as stream 1. Returns false if memory is short. */
bool cr_http2_take_carried(cr_conn *conn);

#endif
