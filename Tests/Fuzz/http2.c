/* Fuzzes connections of HTTP/2 as connection.c does those of HTTP/1.1: the bytes that a client sends are frames with their
 * true lengths, or bytes that are none. */
#define FUZZ_HTTP2 1

#include "connection.c"
