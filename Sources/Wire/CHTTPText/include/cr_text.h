/* Text of HTTP/1.1 heads and trailers: writing it and parsing it back (RFC 9112). No other file does either. */
#ifndef CR_TEXT_H
#define CR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cr_span {
    const uint8_t *bytes;
    size_t length;
} cr_span;

/* ---- Writing it ----------------------------------------------------------------------------------------------- */

/* These functions write to `at`, which must have the stated room, and return the number of bytes. Text is UTF-8 and is
 * sent as ISO-8859-1. Other characters, and CR, LF and NUL, become question marks; in values, spaces. */

/* Writes `HTTP/1.1 200 OK` and a line end; the code has at least three digits. Room: CR_STATUS_LINE_ROOM plus the
 * reason. */
size_t cr_put_status_line(uint8_t *at, int64_t status, const uint8_t *reason, size_t reason_length);
/* Writes `Name: value` and a line end; a colon in the name becomes a question mark. Room: CR_FIELD_ROOM plus name and
 * value. */
size_t cr_put_field(uint8_t *at, const uint8_t *name, size_t name_length, const uint8_t *value, size_t value_length);

enum { CR_STATUS_LINE_ROOM = 40, CR_FIELD_ROOM = 4 };

/* ---- Reading it back ------------------------------------------------------------------------------------------ */

/* Parses status and reason of a head written by these functions. Returns its fields, for cr_next_field. */
cr_span cr_read_head(cr_span head, int64_t *status, cr_span *reason);
/* Takes the first field off `fields`, from cr_read_head or trailers. Returns false if there is none. Skips HTTP/1.1
 * framing and connection fields, as HTTP/2 requires (RFC 9113 section 8.2.2): Connection, Keep-Alive, Proxy-Connection,
 * Transfer-Encoding, Upgrade. */
bool cr_next_field(cr_span *fields, cr_span *name, cr_span *value);
/* The value of the first field with this name, in any letter case; NULL bytes if there is none. */
cr_span cr_find_in_head(cr_span head, const char *name);

#endif
