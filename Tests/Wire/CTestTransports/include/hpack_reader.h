/* Decodes header blocks of HTTP/2 for tests, with nghttp2, which is opened with dlopen. */
#ifndef HPACK_READER_H
#define HPACK_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct hpack_reader hpack_reader;

/* Returns NULL if nghttp2 is not installed. */
hpack_reader *hpack_reader_new(void);
void hpack_reader_free(hpack_reader *reader);
/* Decodes the next block to lines `name: value`. Returns NULL if it is malformed. The caller frees the result. */
char *hpack_read(hpack_reader *reader, const uint8_t *block, size_t length);

#endif
