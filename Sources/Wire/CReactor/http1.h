/* HTTP/1.1 as shared by the files http1_*.c: one stream per connection, for one request and reply at a time. */
#ifndef CR_HTTP1_H
#define CR_HTTP1_H

#include "conn.h"
#include "cr_http.h"

/* Coalesced answers at the beginning of the connection's output, in order: elements [first, end) of `at`. */
typedef struct cr_coalesced cr_coalesced;
typedef struct cr_coalesced_list {
    cr_coalesced *at;
    uint32_t first, end, capacity;
} cr_coalesced_list;

/* The part of an HTTP/1.1 message that is being read. */
typedef enum cr_http1_phase {
    CR_HTTP1_HEAD, /* a head, or idle before one */
    CR_HTTP1_BODY,
    CR_HTTP1_REPLYING, /* nothing: the handler owes the reply, or a script runs */
    CR_HTTP1_LEAVING   /* nothing: the next bytes belong to another protocol */
} cr_http1_phase;

/* The HTTP/1.1 state of a connection. */
typedef struct cr_http1 {
    cr_stream stream;    /* the only one */
    cr_http1_phase phase;
    bool keep_alive;         /* the request being answered allows keep-alive */
    bool continue_owed;      /* the client waits for 100 Continue */
    bool chunked;            /* the last sent head announced chunks */
    bool accepts_input;      /* bytes after the request go to the stream */
    bool streaming_decided;  /* the handler was asked whether it streams the body */
    bool coalescing;         /* more input is ready, so a complete answer is coalesced with the next ones */
    bool feeding;            /* a streamed body is being parsed, or its request dispatched */
    const cr_protocol *next; /* protocol after the reply, or NULL for HTTP/1.1 */
    cr_head head;
    cr_chunks chunks;
    cr_buffer input;     /* received and not parsed */
    cr_buffer head_block;/* a head whose body did not come in the same read */
    cr_buffer body;
    uint64_t body_received;
    uint64_t body_deadline_ns;   /* of a streamed body; 0 while it is not read */
    cr_throttle *throttle;       /* of the body, or NULL */
    cr_coalesced_list coalesced; /* answers in the connection's output */
} cr_http1;

static inline cr_http1 *cr_http1_of(const cr_conn *conn) {
    return (cr_http1 *)(void *)conn->room;
}

/* The time slice of a connection that pipelines many requests; afterwards other connections run. Coalesced answers
 * leave after CR_COALESCE_NS at the latest. */
enum { CR_SLICE_REQUESTS = 128, CR_SLICE_BYTES = 4 << 20, CR_COALESCE_NS = 500000 };

/* ---- http1_conn.c, http1_input.c, http1_send.c, http1_streamed.c ---- */

extern const cr_protocol cr_http1_protocol;

/* Parses the requests in `input`. */
void cr_http1_feed_input(cr_conn *conn);
/* Parses received bytes after those in `input`. */
void cr_http1_feed(cr_conn *conn, const uint8_t *bytes, size_t length);
/* Passes the bytes in `input` to the stream or protocol that takes them. */
void cr_http1_hand_over(cr_conn *conn);
/* Hands over the buffered input if it belongs to the stream or to the next protocol. */
static inline void cr_http1_pass_input(cr_conn *conn) {
    const cr_http1 *http1 = cr_http1_of(conn);
    if (http1->accepts_input || http1->stream.body_coming || http1->phase == CR_HTTP1_LEAVING) cr_http1_hand_over(conn);
}
/* Parses requests that were received and had to wait. */
void cr_http1_resume(cr_conn *conn);
/* Sends 100 Continue. */
void cr_http1_send_continue(cr_conn *conn);
/* Delivers bytes of a streamed body, after those in `input`, and buffers what the handler does not read yet. */
void cr_http1_receive_body(cr_conn *conn, const uint8_t *bytes, size_t length);
/* Delivers what lies in `body` and `input`, as far as the handler reads. */
void cr_http1_feed_body(cr_conn *conn);
/* Waits for bytes of a streamed body, or for the handler to read on. */
void cr_http1_wait_for_body(cr_conn *conn);
/* The protocol's `send`. */
cr_send cr_http1_send(cr_stream *stream, uint64_t limit);
/* How many of the first `sent` bytes of an answer are body without framing. */
uint64_t cr_http1_body_among(const cr_step *script, uint64_t sent);

/* ---- http1_coalesce.c ---- */

/* Appends an answer, from the stream's step to its end, to the output instead of writing it. The stream is free for
 * another request (cr_stream_clear), and the connection calls on_end later. Returns false if the answer is too large,
 * the output waits for the client, or memory is short; the output may have been written then, or the connection
 * closed. */
bool cr_http1_coalesce(cr_stream *stream, const struct iovec *parts, int count);
/* Calls on_end for the answers whose last bytes were written. May close the connection. */
void cr_http1_coalesced_written(cr_conn *conn, size_t written);
/* Calls on_end for all answers that are left, since the connection is closed. */
void cr_http1_fail_coalesced(cr_conn *conn, cr_outcome outcome);

#endif
