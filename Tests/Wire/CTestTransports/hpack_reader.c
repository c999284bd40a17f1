#include "hpack_reader.h"

#include "loaded_library.h"

#include <nghttp2/nghttp2.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) \
    X(nghttp2_hd_inflate_new) X(nghttp2_hd_inflate_del) X(nghttp2_hd_inflate_hd2) X(nghttp2_hd_inflate_end_headers)

static LOADED_TABLE(FUNCTIONS) nghttp2;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/libnghttp2/lib/libnghttp2.14.dylib", "/usr/local/opt/libnghttp2/lib/libnghttp2.14.dylib",
#else
    "libnghttp2.so.14",
#endif
    NULL,
};

static struct loaded_library library = {
    LOADED_FUNCTIONS(FUNCTIONS, nghttp2), .files = files, .missing = "the tests of HTTP/2 need nghttp2",
};

struct hpack_reader {
    nghttp2_hd_inflater *inflater;
};

hpack_reader *hpack_reader_new(void) {
    if (loaded_library_open(&library)) return NULL;
    hpack_reader *reader = calloc(1, sizeof *reader);
    if (reader && nghttp2.nghttp2_hd_inflate_new(&reader->inflater)) abort();
    return reader;
}

void hpack_reader_free(hpack_reader *reader) {
    nghttp2.nghttp2_hd_inflate_del(reader->inflater);
    free(reader);
}

char *hpack_read(hpack_reader *reader, const uint8_t *block, size_t length) {
    char *text = calloc(1, 1);
    size_t used = 0;
    for (;;) {
        nghttp2_nv field;
        int flags = 0;
        ssize_t taken = nghttp2.nghttp2_hd_inflate_hd2(reader->inflater, &field, &flags, block, length, 1);
        if (taken < 0 || !text) {
            free(text);
            return NULL;
        }
        block += taken;
        length -= (size_t)taken;
        if (flags & NGHTTP2_HD_INFLATE_EMIT) {
            text = realloc(text, used + field.namelen + field.valuelen + 4);
            if (!text) abort();
            memcpy(text + used, field.name, field.namelen);
            used += field.namelen;
            memcpy(text + used, ": ", 2);
            memcpy(text + used + 2, field.value, field.valuelen);
            used += 2 + field.valuelen;
            text[used++] = '\n';
            text[used] = 0;
        }
        if (flags & NGHTTP2_HD_INFLATE_FINAL) break;
    }
    nghttp2.nghttp2_hd_inflate_end_headers(reader->inflater);
    return text;
}
