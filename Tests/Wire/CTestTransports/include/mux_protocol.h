/* A protocol of many streams on a connection, for tests. It shows that a stream is not its connection, and that a script
 * says HTTP, of which the text of HTTP/1.1 that a script carries is one rendering.
 *
 * The client sends envelopes: the number of a stream, a kind, the length of what follows (four bytes, the highest first),
 * and that many bytes:
 *
 *   Q  a request: a method, a space and a target
 *   C  the same, and of the body comes only what is granted
 *   G  four bytes, the highest first: so many bytes more of the body may come
 *   L  a request after whose answer the connection ends as that does
 *   X  nothing: it does not want the answer any more, and gets X as soon as there would be one
 *
 * and gets frames: the number of the stream, a kind, the number of the frame in its answer, from 0 (four bytes), a length
 * (four bytes), and that many bytes. So a frame that was made twice, and one that was made and not sent, are seen.
 *
 *   H  a head: the digits of the status
 *   N  the name of a field or a trailer, V its value
 *   D  bytes of the body, at most MUX_PAYLOAD
 *   R  raw bytes, at most MUX_PAYLOAD
 *   E  nothing: the answer is whole
 *   X  nothing: the answer has ended before its end
 *
 * A stream that is granted nothing for the length of the idle time-out ends, and the others go on. A number that is at
 * least MUX_STREAMS, a request on a stream that is in use, and whatever else is none of this ends the connection. */
#ifndef MUX_PROTOCOL_H
#define MUX_PROTOCOL_H

#include "creactor.h"

enum { MUX_STREAMS = 32, MUX_PAYLOAD = 1000 };

const cr_protocol *mux_protocol(void);

/* Listens with the protocol at a free port of 127.0.0.1, and returns the port. Before the loop runs. -1 with errno set on
 * failure. */
int mux_listen(cr_loop *loop);

/* How many connections to the port have a state of the protocol, which is freed when nobody owes them an answer any
 * more. */
int mux_open_states(uint16_t port);

/* How many envelopes of answers the sockets of connections to the port did not take at once. */
int mux_blocked_writes(uint16_t port);

#endif
