/* Calls to other servers for tests: runs a loop on its own thread, and records the hooks of its calls as text.
 * Thread-safe; each function returns when the loop has executed it. */
#ifndef CALL_HARNESS_H
#define CALL_HARNESS_H

#include "cr_call.h"

typedef struct call_harness call_harness;

/* `quota` may be shared by several harnesses. Returns NULL if out of memory. */
call_harness *call_harness_new(cr_quota *quota);
/* Stops the loop, which ends its calls, and frees everything. */
void call_harness_free(call_harness *harness);
/* Stops the loop only. */
void call_harness_stop(call_harness *harness);

typedef struct harness_call {
    const char *addresses; /* separated by spaces */
    const char *name;
    uint16_t port;
    cr_trust *trust;
    const char *head;
    const uint8_t *body;   /* with CR_CALL_BYTES; copied */
    size_t body_length;
    bool streams, chunked; /* the body is sent with call_harness_send */
    uint64_t length;
    bool is_head, may_switch, expects_continue, closes, fresh, retryable;
    uint32_t connect_ms, stall_timeout_ms, continue_ms; /* 0 for the defaults: 10 s, 10 s, 1 s */
    bool paused;                                        /* from the start */
    bool pauses;                                        /* after each part of its body */
    const char *denied;                                 /* an address that `may_connect` denies; or NULL */
} harness_call;

/* Starts a call. Returns its number, or -1 if it cannot be started. */
int call_harness_start(call_harness *harness, const harness_call *call);
/* Starts a call in the hook that reports the end of another one. Returns its number, which is valid from then on. */
int call_harness_start_behind(call_harness *harness, int other, const harness_call *call);
bool call_harness_send(call_harness *harness, int call, const uint8_t *bytes, size_t length);
void call_harness_finish(call_harness *harness, int call, const char *trailers);
void call_harness_set_reading(call_harness *harness, int call, bool reads);
void call_harness_cancel(call_harness *harness, int call);
/* Closes all pooled connections, ends all calls, and allows no others. */
void call_harness_end_caller(call_harness *harness);

/* Waits until the text of the call contains `text`. Returns false after 20 s. */
bool call_harness_wait(call_harness *harness, int call, const char *text);
/* Waits for the next hook of the call, at most 10 ms. */
void call_harness_wait_briefly(call_harness *harness, int call);
/* Writes the hooks of the call so far, as one NUL-terminated line:
 *
 *   103 [Link: a] | 200 OK [Content-Length: 5] | <hello> | done [X-T: 1]
 *
 * A body of more than 2,000 bytes is `<N bytes>`. `wants` says that a streamed body may be sent. A call that fails
 * ends with `failed: ` and the message, in which the server's address is `server`; `, repeated` follows if it was
 * retried. */
void call_harness_text(call_harness *harness, int call, char *text, size_t room);
/* The bytes of the body that the call has received. */
uint64_t call_harness_received(call_harness *harness, int call);
/* The client certificate that was presented in the handshake. */
cr_presented_cert call_harness_presented(call_harness *harness, int call);
/* Returns whether the connection has resumed a TLS session. */
bool call_harness_was_resumed(call_harness *harness, int call);
/* The open connections of the loop. */
uint32_t call_harness_connections(call_harness *harness);

#endif
