#ifndef CBROTLI_H
#define CBROTLI_H

#include <stddef.h>
#include <stdint.h>

/* Decompresses Brotli (RFC 7932) with libbrotlidec. The library is not linked: the first call opens it with dlopen.
 * Most systems have it, as a dependency of curl. */

/* The result: all was decompressed; the input is malformed or truncated; the output exceeds the buffer; the library is
 * not installed. */
enum cb_result { CB_DONE, CB_MALFORMED, CB_TOO_LARGE, CB_MISSING };

/* Decompresses `size` bytes into `room`, a buffer of `*count` bytes, and sets `*count` to the number of bytes written,
 * whatever the result. Any thread. */
enum cb_result cb_decompress(const uint8_t *bytes, size_t size, uint8_t *room, size_t *count);

#endif
