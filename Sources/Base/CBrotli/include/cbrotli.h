#ifndef CBROTLI_H
#define CBROTLI_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decompresses Brotli (RFC 7932) with libbrotlidec, which is never linked: the first call loads it. curl brings it
 * along on most systems.
 */

/* What became of it: all was decompressed; it is malformed or cut; it is larger than the room; there is no decoder. */
enum cb_result { CB_DONE, CB_MALFORMED, CB_TOO_LARGE, CB_MISSING };

/*
 * Decompresses `size` bytes into `room`, which has space for `*count`, and sets `*count` to what was written, whatever
 * the result. Any thread.
 */
enum cb_result cb_decompress(const uint8_t *bytes, size_t size, uint8_t *room, size_t *count);

#endif
