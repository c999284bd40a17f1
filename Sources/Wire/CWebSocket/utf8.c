#include "cr_websocket.h"

#include <string.h>

/* The number of leading ASCII bytes. */
static size_t skip_ascii(const uint8_t *bytes, size_t length) {
    size_t at = 0;
    for (uint64_t word; at + 8 <= length; at += 8) {
        memcpy(&word, bytes + at, 8);
        if (word & 0x8080808080808080u) break;
    }
    while (at < length && bytes[at] < 0x80) at++;
    return at;
}

/* Starts a character of several bytes (RFC 3629 section 4). */
static bool begin(cr_ws_utf8 *at, uint8_t byte) {
    at->min = 0x80;
    at->max = 0xbf;
    if (byte < 0xc2 || byte > 0xf4) return false;
    if (byte < 0xe0) {
        at->left = 1;
    } else if (byte < 0xf0) {
        at->left = 2;
        if (byte == 0xe0) at->min = 0xa0; /* overlong */
        if (byte == 0xed) at->max = 0x9f; /* surrogates */
    } else {
        at->left = 3;
        if (byte == 0xf0) at->min = 0x90; /* overlong */
        if (byte == 0xf4) at->max = 0x8f; /* beyond U+10FFFF */
    }
    return true;
}

bool cr_ws_utf8_feed(cr_ws_utf8 *at, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (at->left) {
            if (bytes[i] < at->min || bytes[i] > at->max) return false;
            *at = (cr_ws_utf8){.left = (uint8_t)(at->left - 1), .min = 0x80, .max = 0xbf};
            continue;
        }
        i += skip_ascii(bytes + i, length - i);
        if (i < length && !begin(at, bytes[i])) return false;
    }
    return true;
}
