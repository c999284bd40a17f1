#include "cr_http.h"

#include <string.h>
#include <strings.h>

/* The number of bytes that spell a dot: 1 for `.`, 3 for `%2e`, else 0. */
static size_t dot(const uint8_t *bytes, size_t length) {
    if (length >= 1 && bytes[0] == '.') return 1;
    if (length >= 3 && bytes[0] == '%' && bytes[1] == '2' && (bytes[2] | 0x20) == 'e') return 3;
    return 0;
}

/* Returns 0 for an ordinary segment, 1 for `.`, 2 for `..`, with dots escaped or not. */
static int dots_in_segment(const uint8_t *segment, size_t length) {
    int count = 0;
    while (length > 0) {
        size_t width = dot(segment, length);
        if (width == 0) return 0;
        segment += width;
        length -= width;
        if (++count > 2) return 0;
    }
    return count;
}

/* Rejects paths that WireMock rejects: invalid escapes, and those above the root. Nothing is normalized. */
static cr_request_error check_path(const uint8_t *path, size_t length) {
    /* Most paths have neither an escape nor a dot. */
    if (!memchr(path, '%', length) && !memchr(path, '.', length)) return CR_OK;
    long depth = 0;
    size_t start = 1;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && path[i] == '%' && (length - i < 3 || !cr_is_hex(path[i + 1]) || !cr_is_hex(path[i + 2]))) {
            return CR_BAD_ESCAPE;
        }
        if (i == 0 || (i < length && path[i] != '/')) continue;
        int dots = dots_in_segment(path + start, i - start);
        depth += dots == 2 ? -1 : dots == 1 ? 0 : 1;
        if (depth < 0) return CR_BAD_ROOT;
        start = i + 1;
    }
    return CR_OK;
}

/* The offset after `scheme://`, or 0. */
static uint32_t scheme_end(const uint8_t *target, uint32_t length) {
    if (length >= 7 && strncasecmp((const char *)target, "http://", 7) == 0) return 7;
    if (length >= 8 && strncasecmp((const char *)target, "https://", 8) == 0) return 8;
    return 0;
}

/* Whether an authority, optionally with user info, has a valid host. */
static bool names_host(const uint8_t *authority, size_t length) {
    for (size_t at = length; at > 0; at--) {
        if (authority[at - 1] == '@') return length > at && cr_host_is_valid(authority + at, length - at);
    }
    return cr_host_is_valid(authority, length);
}

cr_request_error cr_target_split(cr_request *request) {
    const uint8_t *target = request->head + request->target;
    uint32_t end = request->target_length, at = 0;

    request->authority = request->target;
    request->authority_length = 0;
    bool is_connect = request->method_length == 7 && memcmp(request->head + request->method, "CONNECT", 7) == 0;
    if (is_connect && target[0] != '/') {
        request->authority_length = end;
        request->url = request->target;
        request->url_length = request->path_length = 0;
        return CR_OK;
    }
    if (target[0] == '*' && end == 1) {
        request->url = request->target;
        request->url_length = request->path_length = 1;
        return CR_OK;
    }
    if (target[0] != '/') {
        at = scheme_end(target, end);
        if (at == 0) return CR_BAD_TARGET;
        request->scheme = at == sizeof "http://" - 1 ? CR_SCHEME_HTTP : CR_SCHEME_HTTPS;
        uint32_t from = at;
        while (at < end && target[at] != '/' && target[at] != '?' && target[at] != '#') at++;
        if (at == from) return CR_BAD_TARGET;
        request->authority = request->target + from;
        request->authority_length = at - from;
        if (!names_host(target + from, at - from)) return CR_INVALID_TARGET_HOST;
    }

    const uint8_t *hash = memchr(target + at, '#', end - at);
    if (hash) end = (uint32_t)(hash - target);
    const uint8_t *mark = memchr(target + at, '?', end - at);
    uint32_t path_end = mark ? (uint32_t)(mark - target) : end;
    if (mark && path_end + 1 == end) end = path_end; /* `/a?` reads as `/a` */
    request->url = request->target + at;
    request->url_length = end - at;
    request->path_length = path_end - at;
    return request->path_length ? check_path(target + at, request->path_length) : CR_OK;
}
