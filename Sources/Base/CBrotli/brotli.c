#include "cbrotli.h"
#include "loaded_library.h"

/* Without the header at build time there is no decoder: every call returns CB_MISSING. */
#if __has_include(<brotli/decode.h>)
#include <brotli/decode.h>

#define FUNCTIONS(X) X(BrotliDecoderCreateInstance) X(BrotliDecoderDestroyInstance) X(BrotliDecoderDecompressStream)
static LOADED_TABLE(FUNCTIONS) brotli;
static const char *const files[] = {"libbrotlidec.so.1", "libbrotlidec.1.dylib",
    "/opt/homebrew/lib/libbrotlidec.1.dylib", "/usr/local/lib/libbrotlidec.1.dylib", NULL};
static struct loaded_library library = {
    LOADED_FUNCTIONS(FUNCTIONS, brotli),
    .files = files,
    .missing = "reading br needs Brotli: install libbrotli1, or brew install brotli",
};

enum cb_result cb_decompress(const uint8_t *bytes, size_t size, uint8_t *room, size_t *count) {
    size_t free_bytes = *count;
    *count = 0;
    if (loaded_library_open(&library) != NULL) return CB_MISSING;
    BrotliDecoderState *state = brotli.BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (state == NULL) return CB_MISSING;
    size_t total = 0;
    BrotliDecoderResult result =
        brotli.BrotliDecoderDecompressStream(state, &size, &bytes, &free_bytes, &room, &total);
    brotli.BrotliDecoderDestroyInstance(state);
    *count = total;
    if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) return CB_TOO_LARGE;
    return result == BROTLI_DECODER_RESULT_SUCCESS && size == 0 ? CB_DONE : CB_MALFORMED;
}

#else

enum cb_result cb_decompress(const uint8_t *bytes, size_t size, uint8_t *room, size_t *count) {
    (void)bytes;
    (void)size;
    (void)room;
    *count = 0;
    return CB_MISSING;
}

#endif
