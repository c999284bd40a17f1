/* HTTP/1.1 parsers for heads, targets and chunked bodies. Pure functions on memory, without sockets. */
#ifndef CR_HTTP_H
#define CR_HTTP_H

#include "cr_request.h"

/* Why a request, or a server's answer, is rejected. See cr_request_error_status, for requests, and
 * cr_request_error_text. */
typedef enum cr_request_error {
    CR_OK = 0,
    CR_PLAIN_ON_TLS_PORT,
    CR_TLS_ON_PLAIN_PORT,
    CR_BAD_METHOD,
    CR_BAD_TARGET,
    CR_BAD_ESCAPE,
    CR_BAD_ROOT,
    CR_BAD_VERSION,
    CR_BAD_LINE_END,
    CR_BAD_FIELD_NAME,
    CR_BAD_FIELD_SPACE,
    CR_BAD_FIELD_VALUE,
    CR_BAD_FOLD,
    CR_BAD_HOST,
    CR_INVALID_HOST,
    CR_INVALID_TARGET_HOST,
    CR_BAD_EXPECTATION,
    CR_BAD_LENGTH,
    CR_LENGTHS_DIFFER,
    CR_LENGTH_AND_CODING,
    CR_CODING_IN_1_0,
    CR_BAD_CODING,
    CR_BAD_CHUNK_SIZE,
    CR_BAD_CHUNK_END,
    CR_TOO_MUCH_CHUNK_TEXT,
    CR_BAD_TRAILER,
    CR_UNSUPPORTED_CODING,
    CR_UNSUPPORTED_VERSION,
    CR_HTTP2_OFF,
    CR_HTTP2_MISSING,
    CR_TARGET_TOO_LONG,
    CR_HEAD_TOO_LARGE,
    CR_BODY_TOO_LARGE,
    CR_HEAD_TOO_SLOW,
    CR_BODY_TOO_SLOW,
    CR_NO_MEMORY,
    CR_MEMORY_FULL,
    /* For answers only: */
    CR_BAD_STATUS,
    CR_LENGTH_TWICE,
    CR_IS_HTTP2,
    CR_IS_TLS,
    CR_UNEXPECTED_SWITCH,
    CR_TOO_MANY_FIELDS,
    CR_TOO_MANY_INFORMATIONAL,
    CR_ENDED_BEFORE,
    CR_ENDED_IN_HEAD,
    CR_ENDED_IN_BODY
} cr_request_error;

int cr_request_error_status(cr_request_error error);
const char *cr_request_error_text(cr_request_error error);
/* The reason phrase of a status that cr_request_error_status returns. */
const char *cr_status_phrase(int status);

/* ---- Heads --------------------------------------------------------------------------------------------------- */

enum { CR_INLINE_FIELDS = 24 };

/* Limits of a head, in bytes. */
typedef struct cr_head_limits {
    uint32_t length; /* request line and fields together; 431 beyond */
    uint32_t target; /* 414 beyond */
} cr_head_limits;

/* The state of parsing a head. Each byte is read once, however the head is split into reads. Offsets count from the
 * head's first byte. */
typedef struct cr_head {
    uint8_t state;
    uint8_t version_minor;
    bool in_trailers;  /* parsing trailers, where framing fields are rejected */
    bool close_wanted; /* `Connection: close` was received */
    bool keep_wanted;  /* `Connection: keep-alive` was received */
    bool expects_continue;
    bool chunked;
    bool has_length;
    bool has_host;
    bool has_coding;
    uint8_t h2c_fields;                     /* the bits of CR_H2C_ALL that were received */
    bool may_name_session, wants_websocket; /* as in cr_request */
    bool of_answer;                         /* a status line instead of a request line; trailers may be in a block of
                                               their own */
    uint16_t status;
    uint32_t position;  /* the next byte to parse */
    uint32_t mark;      /* first byte of the present token */
    uint32_t value_end; /* end of a value without trailing white space */
    uint32_t method, method_length;
    union {
        uint32_t target;
        uint32_t reason;  /* of an answer */
    };
    union {
        uint32_t target_length;
        uint32_t reason_length;
    };
    uint64_t content_length;
    cr_field current;
    uint32_t field_count;   /* header fields */
    uint32_t trailer_count;
    uint32_t field_capacity;
    cr_field *fields;       /* `inline_fields` or a block on the heap */
    cr_field inline_fields[CR_INLINE_FIELDS];
} cr_head;

/* The parts of an upgrade to HTTP/2 (RFC 7540 section 3.2): `Upgrade: h2c`, and a Connection with `upgrade` and
 * `http2-settings`. */
enum { CR_H2C_UPGRADE = 1, CR_H2C_CONNECTION_UPGRADE = 2, CR_H2C_CONNECTION_SETTINGS = 4, CR_H2C_ALL = 7 };

void cr_head_init(cr_head *head);
/* Frees the memory of a large head, and prepares for the next one. */
void cr_head_reset(cr_head *head);
/* The same for the head of an answer. */
void cr_head_reset_answer(cr_head *head);

/* Whether a field of this name may carry a session id: `cookie`, `baggage`, `x-stuntdouble-session`, in any letter
 * case. The handler need not read other fields. */
bool cr_may_name_session(const uint8_t *name, size_t length);

typedef enum cr_progress { CR_MORE, CR_DONE, CR_REFUSED } cr_progress;

/* Parses the bytes from `position` to `length`. `base` is the head's first byte and may move between calls. Returns
 * CR_DONE with `position` after the empty line, CR_MORE, or CR_REFUSED with `*error`. */
cr_progress cr_head_feed(
    cr_head *head, const uint8_t *base, size_t length, const cr_head_limits *limits, cr_request_error *error);
/* Prepares for trailer fields at `position` of the same block. */
void cr_head_begin_trailers(cr_head *head, uint32_t position);

/* ---- Targets ------------------------------------------------------------------------------------------------- */

/* Splits the target of `request`, whose head and method are set, into authority, url and path. */
cr_request_error cr_target_split(cr_request *request);

/* Whether a field value is a host, optionally with a port, or empty. */
bool cr_host_is_valid(const uint8_t *bytes, size_t length);

static inline bool cr_is_hex(uint8_t c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* ---- Chunked bodies ------------------------------------------------------------------------------------------ */

typedef struct cr_chunks {
    uint8_t state;
    uint8_t digits;
    uint16_t line_length;
    uint32_t excess; /* bytes of chunk lines in excess of the data */
    uint64_t left;   /* unread data bytes of the present chunk */
} cr_chunks;

typedef enum cr_chunk_event { CR_CHUNK_MORE, CR_CHUNK_DATA, CR_CHUNK_LAST, CR_CHUNK_REFUSED } cr_chunk_event;

void cr_chunks_init(cr_chunks *chunks);
/* The unread data bytes of the present chunk. */
uint64_t cr_chunks_announced(const cr_chunks *chunks);
/* Parses from `*bytes` to `end` and advances `*bytes`. CR_CHUNK_DATA: `data` and `length` are body bytes; call again.
 * CR_CHUNK_LAST: trailer fields follow. CR_CHUNK_REFUSED: see `*error`; a chunk longer than `limit` is rejected before
 * its data arrives. */
cr_chunk_event cr_chunks_next(cr_chunks *chunks, uint64_t limit, const uint8_t **bytes, const uint8_t *end,
    const uint8_t **data, size_t *length, cr_request_error *error);

#endif
