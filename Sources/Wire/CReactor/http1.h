/* HTTP/1.1 on a connection, as shared by the files http1_*.c: one stream for one request and reply at a time. */
#ifndef CR_HTTP1_H
#define CR_HTTP1_H

#include "conn.h"
#include "cr_http.h"

/* Answers whose bytes are at the beginning of the connection's output, in their order: those in [first, end) of `at`. */
typedef struct cr_gathered cr_gathered;
typedef struct cr_gathered_list {
    cr_gathered *at;
    uint32_t first, end, capacity;
} cr_gathered_list;

/* The part of an HTTP/1.1 message that is being read. */
typedef enum cr_http1_phase {
    CR_HTTP1_HEAD, /* a head, or idle before one */
    CR_HTTP1_BODY,
    CR_HTTP1_REPLYING, /* nothing: the handler owes the reply, or a script is running */
    CR_HTTP1_LEAVING /* nothing: what follows is of another protocol */
} cr_http1_phase;

/* The state of a connection that speaks HTTP/1.1. */
typedef struct cr_http1 {
    cr_stream stream;    /* the only one */
    cr_http1_phase phase;
    bool keep_alive;     /* of the request being answered */
    bool continue_owed;  /* the client waits for 100 Continue */
    bool chunked;        /* what the last head that was sent says */
    bool takes_input;    /* the stream is given what follows its request */
    bool body_asked;     /* the handler was asked whether it takes the body while it comes */
    bool gathering;      /* more of the input is ready: an answer that is whole leaves with those after it */
    bool feeding;        /* a body that it takes is being read, or its request asked */
    const cr_protocol *next; /* what the connection speaks after the reply, or NULL for this */
    cr_head head;
    cr_chunks chunks;
    cr_buffer input;     /* bytes read and not consumed yet */
    cr_buffer head_block;/* the head, if its body did not come in the same read */
    cr_buffer body;
    uint64_t body_received;
    uint64_t body_deadline_ns; /* of a body that is taken while it comes; 0 while it is not read */
    cr_throttle *throttle; /* of the body that is being read, or NULL */
    cr_gathered_list gathered; /* answers in the connection's output */
} cr_http1;

static inline cr_http1 *cr_http1_of(const cr_conn *conn) {
    return (cr_http1 *)(void *)conn->room;
}

/* The turn of a connection that sends many requests at once: afterwards all others have theirs. What was gathered does not
 * wait for all of it. */
enum { CR_TURN_REQUESTS = 128, CR_TURN_BYTES = 4 << 20, CR_GATHER_NS = 500000 };

/* ---- http1_conn.c, http1_input.c, http1_send.c, http1_streamed.c ---- */

extern const cr_protocol cr_http1_protocol;

/* Reads as many requests as there are in `input`. */
void cr_http1_feed_input(cr_conn *conn);
/* Reads requests from bytes that were received, after those in `input`. */
void cr_http1_feed(cr_conn *conn, const uint8_t *bytes, size_t length);
/* Hands the bytes in `input` to the stream or the protocol that they are for. */
void cr_http1_hand_over(cr_conn *conn);
/* Does so if they are not HTTP/1.1's. */
static inline void cr_http1_pass_input(cr_conn *conn) {
    const cr_http1 *http1 = cr_http1_of(conn);
    if (http1->takes_input || http1->stream.body_coming || http1->phase == CR_HTTP1_LEAVING) cr_http1_hand_over(conn);
}
/* Reads the requests that were received and had to wait. */
void cr_http1_go_on(cr_conn *conn);
/* Tells a client that waits before sending the body to go on. */
void cr_http1_send_continue(cr_conn *conn);
/* Hands over bytes of a body that is taken while it comes, after those in `input`, and keeps what is not wanted yet. */
void cr_http1_receive_body(cr_conn *conn, const uint8_t *bytes, size_t length);
/* Hands over what lies in `body` and `input`, as far as it is wanted. */
void cr_http1_feed_body(cr_conn *conn);
/* Waits for such a body, or for it to be wanted. */
void cr_http1_wait_for_body(cr_conn *conn);
/* The protocol's `send`. */
cr_send cr_http1_send(cr_stream *stream, uint64_t limit);
/* The bytes of the body, without framing, among the first `sent` bytes of an answer. */
uint64_t cr_http1_body_among(const cr_step *script, uint64_t sent);

/* ---- http1_gathered.c ---- */

/* Appends the bytes of an answer, from the stream's step to its end, to the output instead of writing them; its observer is
 * told the end by the connection, and the stream is free for another request (cr_stream_pass). Returns false if it is too
 * large, the output waits for the client, or memory is short; the output may have been written then, or the connection
 * closed. */
bool cr_http1_gather(cr_stream *stream, const struct iovec *parts, int count);
/* Tells the ends of the answers of which the last bytes were written. This may close the connection. */
void cr_http1_note_gathered(cr_conn *conn, size_t written);
/* Tells the ends of all answers that are left, since the connection is closed. */
void cr_http1_lose_gathered(cr_conn *conn, cr_outcome outcome);

#endif
