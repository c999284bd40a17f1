/* A multiplexed protocol for tests: many streams on one connection. It checks that a stream is independent of its
 * connection, and that a script describes HTTP in general, of which HTTP/1.1 is only one encoding.
 *
 * The client sends envelopes: the number of a stream, a kind, the length of the payload (four bytes, big-endian), and
 * the payload:
 *
 *   Q  a request: a method, a space and a target
 *   C  the same, with flow control: of the body only granted bytes are sent
 *   G  four bytes, big-endian: grants so many more bytes of the body
 *   L  a request after whose answer the connection ends in the same way
 *   X  no payload: cancels the request; the server sends X when it would have answered
 *
 * The server sends frames: the number of the stream, a kind, the number of the frame within its answer, from 0 (four
 * bytes), the length of the payload (four bytes), and the payload. The numbers show frames that were made twice, or
 * made and not sent.
 *
 *   H  a head: the digits of the status
 *   N  the name of a field or a trailer, V its value
 *   D  bytes of the body, at most MUX_PAYLOAD
 *   R  raw bytes, at most MUX_PAYLOAD
 *   E  no payload: the answer is complete
 *   X  no payload: the answer was aborted
 *
 * A stream that is granted nothing for the idle timeout ends; the others continue. The connection is closed by a stream
 * number of at least MUX_STREAMS, a request on a stream in use, and any malformed envelope. */
#ifndef MUX_PROTOCOL_H
#define MUX_PROTOCOL_H

#include "creactor.h"

enum { MUX_STREAMS = 32, MUX_PAYLOAD = 1000 };

const cr_protocol *mux_protocol(void);

/* Listens with the protocol on a free port of 127.0.0.1, before the loop runs. Returns the port, or -1 with errno. */
int mux_listen(cr_loop *loop);

/* The number of connections to the port whose protocol state is not freed yet. It is freed when no answer is pending
 * any more. */
int mux_open_states(uint16_t port);

/* How often the socket of a connection to the port blocked in the middle of an answer's frames. */
int mux_blocked_writes(uint16_t port);

#endif
