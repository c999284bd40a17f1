/* A transport that does everything that one may do, for tests: it encrypts by XOR, in records.
 *
 * The client begins with the four bytes `XOR?`, or with `XORM` to speak the protocol of `mux_protocol.h`, and gets `XOR!`.
 * From then on each side sends records: a kind, a length of
 * two bytes (the low one first), and that many bytes. `D` carries data, each byte XORed with a key that depends on its
 * place in all data of that direction. `P` asks the client for an `R` before more data comes. `U` says nothing. `F` ends the
 * data of its sender.
 *
 * By draws of a generator a read takes only a part, or waits for the socket to be writable until a `U` is out; a write takes
 * only a part, or sends a `P` and waits for the socket to be readable until the `R` is here. Whole records stand in memory
 * while the socket has nothing more. */
#ifndef XOR_TRANSPORT_H
#define XOR_TRANSPORT_H

#include "creactor.h"

/* Listens at a free port of 127.0.0.1 for connections that begin with the transport, or, with CR_PLAIN_OR_SECURED, with
 * plain bytes if the first is no `X`, and returns the port. Requests carry the tag. Each connection has a generator of its own,
 * the first one of `seed`, the others of the numbers behind it. Before the loop runs. -1 with errno set on failure. */
int xor_listen(cr_loop *loop, uint32_t seed, cr_security security, uint64_t tag);

/* The byte of the key for the byte of data at `place`. */
uint8_t xor_key(uint64_t place);

/* How often all connections together waited for the other direction, so that a test knows that they did. */
typedef struct xor_counts {
    uint64_t reads_that_waited_for_writable;
    uint64_t writes_that_waited_for_readable;
    uint64_t partial_writes;
    uint64_t reads_of_pending_bytes;
} xor_counts;

xor_counts xor_count_waits(void);

#endif
