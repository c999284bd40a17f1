/* The text of HTTP/1.1 heads and trailers. */
#include "cr_text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static size_t put(uint8_t *at, const void *bytes, size_t length) {
    memcpy(at, bytes, length);
    return length;
}

/* Writes UTF-8 as ISO-8859-1, which is never longer. */
static size_t put_text(uint8_t *at, const uint8_t *text, size_t length, uint8_t substitute) {
    uint8_t *start = at;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = text[i];
        if (byte >= 0x80 && byte < 0xc0) continue; /* a continuation byte of a character already written */
        if ((byte == 0xc2 || byte == 0xc3) && i + 1 < length) {
            *at++ = (uint8_t)(byte << 6 | (text[i + 1] & 0x3f));
        } else if (byte >= 0x80 || byte == '\r' || byte == '\n' || byte == 0) {
            *at++ = substitute;
        } else {
            *at++ = byte;
        }
    }
    return (size_t)(at - start);
}

size_t cr_put_status_line(uint8_t *at, int64_t status, const uint8_t *reason, size_t reason_length) {
    uint8_t *start = at;
    at += put(at, "HTTP/1.1 ", 9);
    at += (size_t)snprintf((char *)at, 24, "%03lld ", (long long)status);
    at += put_text(at, reason, reason_length, '?');
    at += put(at, "\r\n", 2);
    return (size_t)(at - start);
}

size_t cr_put_field(uint8_t *at, const uint8_t *name, size_t name_length, const uint8_t *value, size_t value_length) {
    uint8_t *start = at;
    at += put_text(at, name, name_length, '?');
    for (uint8_t *c = start; c < at; c++) {
        if (*c == ':') *c = '?';
    }
    at += put(at, ": ", 2);
    at += put_text(at, value, value_length, ' ');
    at += put(at, "\r\n", 2);
    return (size_t)(at - start);
}

/* ---- Reading it back ------------------------------------------------------------------------------------------ */

/* The length of the first line without its line end. */
static size_t line_length(cr_span text) {
    const uint8_t *end = text.length ? memchr(text.bytes, '\r', text.length) : NULL;
    return end ? (size_t)(end - text.bytes) : text.length;
}

static cr_span after(cr_span text, size_t length) {
    size_t skipped = length + 2 < text.length ? length + 2 : text.length;
    return (cr_span){text.bytes + skipped, text.length - skipped};
}

cr_span cr_read_head(cr_span text, int64_t *status, cr_span *reason) {
    size_t line = line_length(text), at = sizeof "HTTP/1.1 " - 1;
    *status = 0;
    for (; at < line && text.bytes[at] != ' '; at++) *status = *status * 10 + (text.bytes[at] - '0');
    at = at < line ? at + 1 : line;
    *reason = (cr_span){text.bytes + at, line - at};
    return after(text, line);
}

static bool is_named(cr_span name, const char *text) {
    return name.length == strlen(text) && strncasecmp((const char *)name.bytes, text, name.length) == 0;
}

static bool is_of_connection(cr_span name) {
    return is_named(name, "Connection") || is_named(name, "Transfer-Encoding") || is_named(name, "Keep-Alive") ||
           is_named(name, "Proxy-Connection") || is_named(name, "Upgrade");
}

bool cr_next_field(cr_span *fields, cr_span *name, cr_span *value) {
    for (;;) {
        size_t line = line_length(*fields);
        if (line == 0) return false;
        const uint8_t *start = fields->bytes, *colon = memchr(start, ':', line);
        size_t name_length = colon ? (size_t)(colon - start) : line;
        size_t value_start = name_length + 2 < line ? name_length + 2 : line;
        *name = (cr_span){start, name_length};
        *value = (cr_span){start + value_start, line - value_start};
        *fields = after(*fields, line);
        if (!is_of_connection(*name)) return true;
    }
}

cr_span cr_find_in_head(cr_span head, const char *wanted) {
    int64_t status;
    cr_span reason, name, value, fields = cr_read_head(head, &status, &reason);
    while (cr_next_field(&fields, &name, &value)) {
        if (is_named(name, wanted)) return value;
    }
    return (cr_span){NULL, 0};
}
