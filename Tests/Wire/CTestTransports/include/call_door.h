/* Calls to other servers for tests: a loop on a thread of its own, and what its calls are told, as text. Each function may be called
 * by any thread, and returns when the loop has done what it says. */
#ifndef CALL_DOOR_H
#define CALL_DOOR_H

#include "cr_call.h"

typedef struct call_door call_door;

/* `quota` may be shared by several doors. NULL if memory is short. */
call_door *call_door_new(cr_quota *quota);
/* Stops the loop, upon which its calls end, and frees all. */
void call_door_free(call_door *door);
/* Stops the loop alone. */
void call_door_stop(call_door *door);

typedef struct door_call {
    const char *addresses; /* with spaces between them */
    const char *name;
    uint16_t port;
    cr_trust *trust;
    const char *head;
    const uint8_t *body;   /* of CR_CALL_BYTES; copied */
    size_t body_length;
    bool streams, chunked; /* the body is sent by call_door_send */
    uint64_t length;
    bool head_alone, to_switch, expects_continue, closes, fresh, repeats;
    uint32_t connect_ms, patience_ms, continue_ms; /* 0 for 10 s, 10 s, 1 s */
    bool paused;           /* from the beginning */
    bool pauses;           /* after each piece of its body */
    const char *denied;    /* an address that may not be connected to; or NULL */
} door_call;

/* Begins a call, and returns its number; -1 if it cannot begin. */
int call_door_start(call_door *door, const door_call *call);
/* Begins a call as soon as another one ends, in the hook that tells that. Returns its number, which is good from then on. */
int call_door_start_behind(call_door *door, int other, const door_call *call);
bool call_door_send(call_door *door, int call, const uint8_t *bytes, size_t length);
void call_door_finish(call_door *door, int call, const char *trailers);
void call_door_read(call_door *door, int call, bool reads);
void call_door_cancel(call_door *door, int call);
/* Closes all connections that are kept, and ends all calls; no others begin. */
void call_door_end_caller(call_door *door);

/* Waits until what the call was told has `text` in it. Returns false after 20 s. */
bool call_door_wait(call_door *door, int call, const char *text);
/* Waits until a call is told something, for 10 ms at the most. */
void call_door_wait_briefly(call_door *door, int call);
/* Writes what the call was told until now, with its NUL:
 *
 *   103 [Link: a] | 200 OK [Content-Length: 5] | <hello> | done [X-T: 1]
 *
 * Bodies of more than 2,000 bytes are `<N bytes>`. A streamed body has `wants` when it may begin. A call that fails ends with
 * `failed: ` and the sentence, with the server as `server`; what was done twice has `, repeated` behind that. */
void call_door_text(call_door *door, int call, char *text, size_t room);
/* The bytes of the body that the call was told. */
uint64_t call_door_received(call_door *door, int call);
/* What the server was shown in the handshake. */
cr_shown call_door_shown(call_door *door, int call);
/* Whether its connection has resumed a session. */
bool call_door_was_resumed(call_door *door, int call);
/* The open connections of the loop. */
uint32_t call_door_connections(call_door *door);

#endif
