/* A transport for tests that uses everything a transport may do: it encrypts by XOR, in records.
 *
 * The client begins with the four bytes `XOR?`, or `XORM` for the protocol of `mux_protocol.h`, and the server answers
 * `XOR!`. From then on both sides send records: a kind, a length of two bytes (little-endian), and the payload. `D`
 * carries data, each byte XORed with a key that depends on its offset in all data of that direction. `P` asks the
 * client for an `R`, and no more data is sent until it arrives. `U` has no meaning. `F` ends the data of its sender.
 *
 * A random generator makes a read return only a part, or wait for writability until a `U` is sent; and a write accept
 * only a part, or send a `P` and wait for readability until the `R` arrives. Whole records can be buffered in memory
 * while the socket has nothing more. */
#ifndef XOR_TRANSPORT_H
#define XOR_TRANSPORT_H

#include "creactor.h"

/* Listens on a free port of 127.0.0.1, before the loop runs. With CR_PLAIN_OR_SECURED, a connection whose first byte is
 * not `X` is plain. Requests carry the tag. The generator of the first connection has `seed`, the next ones the numbers
 * after it. Returns the port, or -1 with errno. */
int xor_listen(cr_loop *loop, uint32_t seed, cr_security security, uint64_t tag);

/* The key byte for the data byte at `place`. */
uint8_t xor_key(uint64_t place);

/* How often a read waited for writability and a write for readability, on all connections, so that a test can check
 * that this occurred. */
typedef struct xor_counts {
    uint64_t reads_that_waited_for_writable;
    uint64_t writes_that_waited_for_readable;
    uint64_t partial_writes;
    uint64_t reads_of_pending_bytes;
} xor_counts;

xor_counts xor_count_waits(void);

#endif
