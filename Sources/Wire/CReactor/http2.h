/* HTTP/2 as shared by the files http2_*.c. nghttp2 keeps the states of frames, windows and header tables. Its callbacks
 * only schedule events, so that no handler is called inside nghttp2; cr_http2_process handles the events. */
#ifndef CR_HTTP2_H
#define CR_HTTP2_H

#include "conn.h"
#include "nghttp2_functions.h"

/* The scheduled event of a stream. */
typedef enum cr_http2_event {
    CR_HTTP2_NOTHING,
    CR_HTTP2_DISPATCH, /* its request is complete */
    CR_HTTP2_DETACH,   /* the client reset it, or nghttp2 for an error of the client */
    CR_HTTP2_RUN       /* nghttp2 took what the script granted; the script resumes when that is written */
} cr_http2_event;

typedef struct cr_http2_stream {
    cr_stream stream;                          /* first: a cast converts between both */
    TAILQ_ENTRY(cr_http2_stream) link;         /* in the connection's streams, or its spare ones */
    TAILQ_ENTRY(cr_http2_stream) event_link;   /* while an event is scheduled */
    TAILQ_ENTRY(cr_http2_stream) granted_link; /* while `has_grant` */
    int32_t id;
    cr_http2_event event;
    bool open;         /* known to nghttp2 */
    bool dispatched;   /* from its request to the end of its answer, or to the reply of a detached stream */
    bool is_ending;    /* its answer is ending; the function that ends it also releases it */
    bool refused;      /* answered by the protocol itself, with `refusal` */
    bool input_ended;  /* the client has sent END_STREAM */
    bool client_reset; /* the client has reset it */
    bool head_ended;   /* the header fields are complete; further ones are trailers */
    bool expects_continue;
    bool head_sent;         /* the final head was submitted to nghttp2 */
    bool deferred;          /* nghttp2 waits for a grant */
    bool broken;            /* bytes of a file could not be read */
    bool reset_locally;     /* reset by us, not by nghttp2 for an error of the client */
    cr_request_error error; /* found while the head was parsed */

    /* The request: */
    nghttp2_rcbuf *method, *path, *authority; /* until the first header field */
    cr_request request;                       /* offsets into `head`, as are those of the fields */
    cr_buffer head;
    cr_field *fields;
    uint32_t field_capacity;
    size_t list_size;     /* of the header list, as RFC 9113 counts it */
    uint64_t body_length; /* announced; UINT64_MAX if unknown */
    cr_buffer body;
    uint64_t deadline_ns;     /* of the body; UINT64_MAX for none */
    TAILQ_ENTRY(cr_http2_stream) body_link; /* while `body_due` */
    bool body_due;            /* bytes of a streamed body may be delivered */
    bool streaming_decided;   /* the handler was asked whether it streams the long body */
    bool streams_body;        /* the handler streams the body */
    bool body_discarded;      /* the rest of the body is dropped */
    bool is_websocket;        /* asks for WebSocket (RFC 8441): bytes after the head are input, buffered in `body` */
    bool accepts_input;       /* the input goes to the handler from its reply on, */
    bool input_paused;        /* but is paused */
    size_t window_owed;       /* delivered or buffered bytes to be added to the client's window later */
    cr_throttle *throttle;    /* of the body, or NULL */
    uint64_t throttled;       /* received bytes that the throttle holds back */
    uint8_t *upgrade_request; /* block of an HTTP/1.1 request with `Upgrade: h2c`, or NULL */

    /* The answer: */
    bool has_grant;    /* the script waits for nghttp2 to take `granted` bytes */
    uint64_t granted;  /* body bytes that nghttp2 may take from the script's step on; UINT64_MAX for all immediate
                          steps */
    uint32_t end_step; /* index of the END of an answer without a body */
    const char *refusal;
    size_t refusal_sent;
} cr_http2_stream;

TAILQ_HEAD(cr_http2_streams, cr_http2_stream);

/* Frames that are rate-limited: see http2_flood.c. */
typedef enum cr_http2_flood {
    CR_HTTP2_FLOOD_RESETS,
    CR_HTTP2_FLOOD_ERRORS,
    CR_HTTP2_FLOOD_EXCESS,
    CR_HTTP2_FLOOD_PINGS,
    CR_HTTP2_FLOOD_SETTINGS,
    CR_HTTP2_FLOOD_PRIORITIES,
    CR_HTTP2_FLOOD_EMPTY_DATA,
    CR_HTTP2_FLOOD_WINDOW_UPDATES,
    CR_HTTP2_FLOOD_CONTINUATIONS,
    CR_HTTP2_FLOOD_LARGE_HEADS,
    CR_HTTP2_FLOODS
} cr_http2_flood;

enum {
    CR_HTTP2_PARTS = 64,              /* of one write */
    CR_HTTP2_WRITE = 64 * 1024,       /* bytes of one write */
    CR_HTTP2_FRAME_ROOM = 16384 + 64, /* one frame with its head */
    CR_HTTP2_SKIPPED_RANGES = 4       /* number of remembered ranges: see http2_skipped_ids.c */
};

/* Stream ids that the client skipped: the first and the last one. */
typedef struct cr_http2_id_range {
    uint32_t first, last;
} cr_http2_id_range;

typedef struct cr_http2 {
    nghttp2_session *session; /* NULL if `server_preface` is not normal */
    cr_http2_server_preface server_preface;
    struct cr_http2_streams streams, spare;
    struct cr_http2_streams scheduled; /* with DISPATCH or DETACH */
    struct cr_http2_streams runnable;  /* with RUN */
    struct cr_http2_streams bodies;    /* with `body_due` */
    struct cr_http2_streams granted;   /* with `has_grant` */
    uint32_t spare_count;
    bool in_library;               /* nghttp2 is on the stack */
    bool processing;               /* cr_http2_process or one of its callers is on the stack */
    bool slice_over;               /* the connection's time slice is over */
    bool write_full;               /* nghttp2 was stopped because the write is full */
    bool settings_received;        /* the client has sent its first SETTINGS */
    bool closing;                  /* GOAWAY was sent: the connection ends with its last stream */
    bool reset_early;              /* a stream was reset before its client had sent all of it; the rest may still
                                      arrive */
    bool failed;                   /* GOAWAY with an error was sent: input is dropped and no request is dispatched */
    bool ending;                   /* all streams are being detached */
    bool answered;                 /* an answer has ended since the connection last began to wait */
    uint8_t flood_cause;           /* 1 + the cr_http2_flood that ends the connection */
    uint64_t slice_start_ns, slice_start_written; /* when the time slice began, and conn->written then */
    cr_http2_stream *reading_head; /* its header block is being parsed */
    cr_http2_stream *receiving;    /* the last one that got data */
    cr_http2_stream *delivering;   /* its body is being delivered */
    uint32_t last_stream_id;       /* the highest id that the client used */
    uint32_t last_processed_id;    /* the highest id that was dispatched or refused */
    uint32_t skipped_count;
    cr_http2_id_range skipped_ids[CR_HTTP2_SKIPPED_RANGES];
    uint8_t head[9];            /* of a frame, as far as it arrived: see http2_late.c */
    uint8_t head_length;
    uint32_t frame_left;        /* bytes until the next frame; at first those of the preface */
    uint64_t flood_refill_ns;
    uint32_t flood_counts[CR_HTTP2_FLOODS];
    size_t memory;     /* bytes of HTTP/2 state: see http2_memory.c */
    size_t counted;    /* of these, bytes reported to the handler */
    void *frame;       /* nghttp2's frame buffer; NULL if it has none of that size */
    size_t frame_room; /* bytes at its beginning that stay resident while the connection is idle */
    size_t released;   /* bytes of it returned to the system until a larger frame is made */
} cr_http2;

/* The frames of one write. */
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

/* Processes the scheduled events and flushes, until the connection waits. A no-op when re-entered, or while the
 * connection is in the ready queue. */
void cr_http2_process(cr_conn *conn);
/* Ends the time slice if its time is over. */
static inline void cr_http2_check_slice(cr_conn *conn) {
    cr_http2 *http2 = cr_http2_of(conn);
    if (cr_loop_read_clock(conn->loop) - http2->slice_start_ns >= CR_SLICE_NS) http2->slice_over = true;
}
/* Ends the connection with GOAWAY and a log message; answers break off. */
void cr_http2_fail(cr_conn *conn, uint32_t code, const char *reason);
/* Appends GOAWAY to the output. Returns false if the connection was closed. */
bool cr_http2_put_goaway(cr_conn *conn, uint32_t last_stream, uint32_t code, const char *text);

/* ---- http2_stream.c ---- */

/* A stream for a request of the client; NULL if memory is short. */
cr_http2_stream *cr_http2_stream_new(cr_conn *conn, int32_t id);
/* Frees a stream, unless nghttp2 or the handler still has it. */
void cr_http2_stream_release(cr_http2_stream *stream);
/* Frees the parts of a stream that hold its request. */
void cr_http2_stream_free_request(cr_http2_stream *stream);
/* Frees all streams and spare ones. */
void cr_http2_streams_free(cr_http2 *http2);
/* Frees spare streams until `count` are left. */
void cr_http2_drop_spare(cr_http2 *http2, uint32_t count);
/* Replaces the scheduled event of a stream. */
void cr_http2_schedule(cr_http2_stream *stream, cr_http2_event event);
/* Schedules or unschedules the delivery of a streamed body. */
void cr_http2_schedule_body(cr_http2_stream *stream, bool is_due);
/* Revokes what the script granted to nghttp2. */
void cr_http2_revoke_grant(cr_http2_stream *stream);

/* ---- http2_memory.c ---- */

/* A counting allocator for nghttp2. */
nghttp2_mem cr_http2_allocator(cr_http2 *http2);
/* Reports the connection's memory to the handler, if it changed by much; or reports that it is freed. */
void cr_http2_count_memory(cr_conn *conn);
void cr_http2_uncount_memory(cr_conn *conn);
/* nghttp2 made a frame that is larger than `frame_room`. */
void cr_http2_use_frame(cr_http2 *http2);
/* The protocol's `shrink`. */
void cr_http2_shrink(cr_conn *conn);

/* ---- http2_session.c ---- */

/* Creates the nghttp2 session of a connection; NULL if memory is short. */
nghttp2_session *cr_http2_session_new(cr_conn *conn);

/* ---- http2_head.c ---- */

/* Adds a header or trailer field; errors are kept in `stream->error`. */
void cr_http2_add_field(cr_http2_stream *stream, nghttp2_rcbuf *name, nghttp2_rcbuf *value);
/* Completes the header fields. */
void cr_http2_end_head(cr_http2_stream *stream);
/* Fills in the request of a parsed head. Returns CR_OK or its error. */
cr_request_error cr_http2_describe(cr_http2_stream *stream, cr_request *request);

/* ---- http2_input.c ---- */

int cr_http2_on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *conn);
int cr_http2_on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name, nghttp2_rcbuf *value,
    uint8_t flags, void *conn);
int cr_http2_on_invalid_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name,
    nghttp2_rcbuf *value, uint8_t flags, void *conn);
int cr_http2_on_data(
    nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length, void *conn);
int cr_http2_on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *conn);
/* Calls the handler with a complete request. */
void cr_http2_dispatch(cr_http2_stream *stream);
/* Sends 100 Continue. */
void cr_http2_send_continue(cr_http2_stream *stream);
/* Delivers scheduled bytes of streamed bodies. */
void cr_http2_deliver_bodies(cr_conn *conn);
/* Resets the stream of a streamed body with an error. */
void cr_http2_abort_body(cr_http2_stream *stream, cr_request_error error);
/* Ends a streamed body before the client does; its rest is dropped. */
void cr_http2_end_body(cr_http2_stream *stream);
/* The protocol's `body_length`, `set_body_reading`, `accept_input` and `set_input_reading`. */
uint64_t cr_http2_body_length(const cr_stream *stream);
void cr_http2_set_body_reading(cr_stream *stream);
bool cr_http2_accept_input(cr_stream *stream);
void cr_http2_set_input_reading(cr_stream *stream, bool reads);
/* Answers a stream with an error. */
void cr_http2_refuse(cr_http2_stream *stream, cr_request_error error);
/* The protocol's `refuse` and `body_due`. */
void cr_http2_refuse_slow(cr_conn *conn, cr_request_error error);
void cr_http2_body_due(cr_conn *conn);

/* ---- http2_skipped_ids.c ---- */

/* Checks the stream id of a HEADERS frame. Ends the connection for a skipped id. Returns 0 or an nghttp2 error. */
int cr_http2_check_stream_id(cr_http2 *http2, uint32_t id);

/* ---- http2_late.c ---- */

/* Passes received bytes to nghttp2. Returns its error, if any. */
ssize_t cr_http2_feed(cr_http2 *http2, const uint8_t *bytes, size_t length);
/* Whether this stream of the client, used or skipped, has ended. */
bool cr_http2_is_late(const cr_http2 *http2, uint32_t id);
/* Ends the connection for a frame of such a stream. Returns 0 or an nghttp2 error. */
int cr_http2_close_for_late(cr_http2 *http2);
int cr_http2_on_invalid_frame(nghttp2_session *session, const nghttp2_frame *frame, int error, void *conn);

/* ---- http2_flood.c ---- */

/* Counts a rate-limited event. Returns 0, or an nghttp2 error past the limit. */
int cr_http2_flood_count(cr_conn *conn, cr_http2_flood flood);
/* Counts a sent RST_STREAM, if an error of the client is the reason. */
int cr_http2_flood_count_reset(cr_conn *conn, const nghttp2_frame *frame);
int cr_http2_on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *head, void *conn);
/* Ends the connection of a client past a limit. */
void cr_http2_flood_close(cr_conn *conn);

/* ---- http2_send.c ---- */

/* The protocol's `send`. */
cr_send cr_http2_send(cr_stream *stream, uint64_t limit);
/* Lets nghttp2 send, as long as the connection takes bytes. */
void cr_http2_flush(cr_conn *conn);
int cr_http2_on_send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t length,
    nghttp2_data_source *source, void *conn);
int cr_http2_on_frame_sent(nghttp2_session *session, const nghttp2_frame *frame, void *conn);
/* nghttp2's data source for response bodies. */
ssize_t cr_http2_read_body(nghttp2_session *session, int32_t id, uint8_t *bytes, size_t length, uint32_t *flags,
    nghttp2_data_source *source, void *conn);

/* ---- http2_ends.c ---- */

int cr_http2_on_stream_close(nghttp2_session *session, int32_t id, uint32_t code, void *conn);
/* The protocol's `shutdown_notice`, `stream_ended` and `drop`. */
void cr_http2_shutdown_notice(cr_conn *conn);
void cr_http2_stream_ended(cr_stream *stream, cr_ending ending);
void cr_http2_drop(cr_stream *stream, cr_outcome outcome);
/* Resets a stream that nghttp2 knows. */
void cr_http2_reset(cr_http2_stream *stream, uint32_t code);
/* Sends GOAWAY: the connection takes no further streams and ends with the last one. Returns false if that was sent
 * before. */
bool cr_http2_graceful_shutdown(cr_conn *conn);

/* ---- http2_upgrade.c ---- */

/* Adopts the `Upgrade: h2c` request as stream 1. Returns false if memory is short. */
bool cr_http2_adopt_upgrade(cr_conn *conn);

#endif
