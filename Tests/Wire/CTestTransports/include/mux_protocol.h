/* A protocol of many streams on a connection, for tests. It shows that a stream is not its connection.
 *
 * Each side sends envelopes: the number of a stream, a kind, the length of what follows (four bytes, the highest first), and
 * that many bytes. The client sends
 *
 *   Q  a request: a method, a space and a target
 *   X  nothing: it does not want the answer any more, and gets X as soon as there would be one
 *
 * and gets, of each stream in order,
 *
 *   D  bytes of the answer, at most MUX_PAYLOAD
 *   E  nothing: the answer is whole
 *   X  nothing: the answer has ended before its end
 *
 * The framing of an answer begins it with a line of the stream's number and the status, and then gives its body as it is.
 * A number that is at least MUX_STREAMS, a request on a stream that is in use, and whatever else is none of this ends the
 * connection. */
#ifndef MUX_PROTOCOL_H
#define MUX_PROTOCOL_H

#include "creactor.h"

enum { MUX_STREAMS = 32, MUX_PAYLOAD = 1000 };

/* Listens with the protocol at a free port of 127.0.0.1, and returns the port. Before the loop runs. -1 with errno set on
 * failure. */
int mux_listen(cr_loop *loop);

/* How many connections to the port have a state of the protocol, which is freed when nobody owes them an answer any
 * more. */
int mux_open_states(uint16_t port);

/* How many envelopes of answers the sockets of connections to the port did not take at once. */
int mux_blocked_writes(uint16_t port);

#endif
