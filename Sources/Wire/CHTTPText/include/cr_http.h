/* HTTP/1.1 as bytes: the parser of heads, targets and chunked bodies. Pure functions on memory, without sockets. */
#ifndef CR_HTTP_H
#define CR_HTTP_H

#include "cr_request.h"

/* The faults of a request or an answer; `cr_fault_status`, for requests, and `cr_fault_text` describe them. */
typedef enum cr_fault {
    CR_OK = 0,
    CR_NOT_SECURED,
    CR_SECURED_HELLO,
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
    /* Of answers alone: */
    CR_BAD_STATUS,
    CR_LENGTH_TWICE,
    CR_IS_HTTP2,
    CR_IS_TLS,
    CR_UNASKED_SWITCH,
    CR_TOO_MANY_FIELDS,
    CR_TOO_MANY_INFORMATIONS,
    CR_ENDED_BEFORE,
    CR_ENDED_IN_HEAD,
    CR_ENDED_IN_BODY
} cr_fault;

int cr_fault_status(cr_fault fault);
const char *cr_fault_text(cr_fault fault);
/* Returns the phrase of a status, "Bad Request" for 400 and so on; only for the statuses of cr_fault_status. */
const char *cr_status_phrase(int status);

/* ---- Heads --------------------------------------------------------------------------------------------------- */

enum { CR_INLINE_FIELDS = 24 };

/* The bytes that a head may have. */
typedef struct cr_head_limits {
    uint32_t length; /* request line and fields together; 431 beyond */
    uint32_t target; /* 414 beyond */
} cr_head_limits;

/* The state of parsing a head. Each byte is read once, however the head is split into reads. All offsets count from the
 * head's first byte. */
typedef struct cr_head {
    uint8_t state;
    uint8_t version_minor;
    bool in_trailers;     /* whether fields follow the body: framing fields are refused there */
    bool close_wanted;    /* whether `Connection: close` was received */
    bool keep_wanted;     /* whether `Connection: keep-alive` was received */
    bool expects_continue;
    bool chunked;
    bool has_length;
    bool has_host;
    bool has_coding;
    uint8_t http2_wishes; /* of CR_WISHES_HTTP2, those that were received */
    bool may_name_session, wants_websocket; /* as in cr_request */
    bool of_answer;       /* it begins with a status line, and trailers may follow in a block of their own */
    uint16_t status;
    uint32_t position;    /* the next byte to read */
    uint32_t mark;        /* the first byte of the current token */
    uint32_t value_end;   /* after the last byte of a value that is not white space */
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

/* What a request has that asks for HTTP/2 (RFC 7540 section 3.2): `Upgrade: h2c`, and a Connection that names both fields.
 */
enum { CR_WISH_H2C = 1, CR_WISH_UPGRADE = 2, CR_WISH_SETTINGS = 4, CR_WISHES_HTTP2 = 7 };

void cr_head_init(cr_head *head);
/* Frees the memory of a large head, and prepares for the next one. */
void cr_head_reset(cr_head *head);
/* The same for the head of an answer. */
void cr_head_reset_answer(cr_head *head);

/* Whether a field of this name may say which session a request is for, so that the handler has to read no other fields:
 * `cookie`, `baggage`, `x-stuntdouble-session`, in any letter case. */
bool cr_may_name_session(const uint8_t *name, size_t length);

typedef enum cr_progress { CR_MORE, CR_DONE, CR_REFUSED } cr_progress;

/* Parses the bytes from `position` to `length`. `base` is the head's first byte; it may move between calls. CR_DONE:
 * `position` is after the empty line. CR_REFUSED: `*fault` is the reason. */
cr_progress cr_head_feed(cr_head *head, const uint8_t *base, size_t length, const cr_head_limits *limits, cr_fault *fault);
/* Prepares for trailer fields at `position` of the same block. */
void cr_head_begin_trailers(cr_head *head, uint32_t position);

/* ---- Targets ------------------------------------------------------------------------------------------------- */

/* Splits the target of `request` (head and method set) into authority, url and path. */
cr_fault cr_target_split(cr_request *request);

/* Whether bytes that a field may have are a host, perhaps with a port, or empty. */
bool cr_host_is_valid(const uint8_t *bytes, size_t length);

static inline bool cr_is_hex(uint8_t c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* ---- Chunked bodies ------------------------------------------------------------------------------------------ */

typedef struct cr_chunks {
    uint8_t state;
    uint8_t digits;
    uint16_t line_length;
    uint32_t excess; /* bytes of the lines of all chunks that no data makes up for */
    uint64_t left; /* data bytes of this chunk that have not been read */
} cr_chunks;

typedef enum cr_chunk_event { CR_CHUNK_MORE, CR_CHUNK_DATA, CR_CHUNK_LAST, CR_CHUNK_REFUSED } cr_chunk_event;

void cr_chunks_init(cr_chunks *chunks);
/* The bytes of the present chunk's data that have not been read. */
uint64_t cr_chunks_announced(const cr_chunks *chunks);
/* Reads from `*bytes` to `end`, and moves `*bytes` after the bytes read. CR_CHUNK_DATA: `data` and `length` are body
 * bytes, call again. CR_CHUNK_LAST: the trailer fields follow. CR_CHUNK_REFUSED: `*fault` is the reason; a chunk with
 * more than `limit` bytes is refused before they arrive. */
cr_chunk_event cr_chunks_next(cr_chunks *chunks, uint64_t limit, const uint8_t **bytes, const uint8_t *end,
                              const uint8_t **data, size_t *length, cr_fault *fault);

#endif
