/* Validates a Host field: `uri-host [":" port]` (RFC 9112 section 3.2, RFC 3986 section 3.2.2). */
#include "cr_http.h"

#include <arpa/inet.h>
#include <string.h>

static bool named[256];

/* Fills `named` before main: unreserved characters and sub-delimiters. */
__attribute__((constructor)) static void fill_named(void) {
    for (int c = 0; c < 256; c++) named[c] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    for (const char *c = "-._~!$&'()*+,;="; *c; c++) named[(uint8_t)*c] = true;
}

/* The number of bytes that form a name, up to an invalid escape. */
static size_t name_length(const uint8_t *bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        if (named[bytes[at]]) at++;
        else if (bytes[at] == '%' && length - at >= 3 && cr_is_hex(bytes[at + 1]) && cr_is_hex(bytes[at + 2])) at += 3;
        else break;
    }
    return at;
}

/* The number of bytes of an IPv6 address in brackets, optionally with a zone, as some clients send it; 0 if it is
 * none. */
static size_t literal_length(const uint8_t *bytes, size_t length) {
    const uint8_t *end = memchr(bytes, ']', length);
    if (!end) return 0;
    const uint8_t *zone = memchr(bytes, '%', (size_t)(end - bytes));
    size_t count = (size_t)((zone ? zone : end) - bytes) - 1;
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    if (count >= sizeof text) return 0;
    memcpy(text, bytes + 1, count);
    text[count] = 0;
    if (inet_pton(AF_INET6, text, &address) != 1) return 0;
    size_t zone_length = zone ? (size_t)(end - zone) - 1 : 0;
    for (size_t i = 0; i < zone_length; i++) {
        if (!named[zone[1 + i]] && zone[1 + i] != '%') return 0;
    }
    return zone && !zone_length ? 0 : (size_t)(end - bytes) + 1;
}

bool cr_host_is_valid(const uint8_t *bytes, size_t length) {
    /* Sent by clients that know no name of the server. */
    if (length == 0) return true;
    size_t at = bytes[0] == '[' ? literal_length(bytes, length) : name_length(bytes, length);
    if (at == length) return true;
    if (at == 0 || bytes[at] != ':') return false;
    uint32_t port = 0;
    for (at++; at < length; at++) {
        if (bytes[at] < '0' || bytes[at] > '9') return false;
        port = port * 10 + (bytes[at] - '0');
        if (port > UINT16_MAX) return false;
    }
    return true;
}
