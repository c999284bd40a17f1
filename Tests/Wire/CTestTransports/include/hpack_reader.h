/* Reads header blocks of HTTP/2 for tests, with the decoder of nghttp2, which is loaded. */
#ifndef HPACK_READER_H
#define HPACK_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct hpack_reader hpack_reader;

/* NULL where nghttp2 is missing. */
hpack_reader *hpack_reader_new(void);
void hpack_reader_free(hpack_reader *reader);
/* The fields of the next block as lines `name: value`, to be freed; NULL if it is none. */
char *hpack_read(hpack_reader *reader, const uint8_t *block, size_t length);

#endif
