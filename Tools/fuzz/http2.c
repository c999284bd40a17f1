/* Fuzzes connections of HTTP/2 as connection.c does those of HTTP/1.1: the client sends frames with correct lengths, or
 * arbitrary bytes. */
#define FUZZ_HTTP2 1

#include "connection.c"
