/* Incremental parser of a server's answer. */
#ifndef CR_ANSWER_H
#define CR_ANSWER_H

#include "cr_http.h"

/* How the end of an answer's body is found. */
typedef enum cr_framing {
    CR_NO_BODY,
    CR_BY_LENGTH,
    CR_BY_CHUNKS,
    CR_BY_END,  /* end of the connection */
    CR_SWITCHED /* after a 101, bytes of another protocol until the connection ends */
} cr_framing;

/* A head, or the trailers, of an answer. All pointers are valid until the callee returns. */
typedef struct cr_answer {
    const uint8_t *head; /* raw status line and fields with the empty line; or the trailers */
    size_t head_length;
    uint32_t reason, reason_length; /* offsets into head, as are those of fields */
    uint16_t status;
    uint8_t version_minor; /* 1.0 or 1.1 */
    bool in_http2;         /* head has fields only, and no reason */
    bool keep_alive;       /* allowed by the server and by the framing */
    cr_framing framing;
    uint64_t length;                /* the announced length; UINT64_MAX if there is none */
    const cr_field *fields;
    size_t field_count;
} cr_answer;

/* Limits of one answer; beyond them it is rejected. */
enum {
    CR_ANSWER_HEAD_LIMIT = 1024 * 1024, /* bytes of all heads and trailers */
    CR_ANSWER_FIELD_LIMIT = 5000,       /* fields of all heads and trailers */
    CR_ANSWER_INFORMATIONAL_LIMIT = 100 /* informational heads */
};

/* What the request decides about its answer. */
typedef struct cr_expected_answer {
    bool is_head;    /* the method is HEAD: no body, whatever the fields say */
    bool may_switch; /* a 101 is allowed */
} cr_expected_answer;

/* The framing of the body after a final head. */
cr_framing cr_answer_framing(const cr_head *head, cr_expected_answer expected);

/* Parses the answer to one request from reads of any size. */
typedef struct cr_answer_reader {
    uint8_t phase;
    cr_expected_answer expected;
    cr_framing framing;
    bool keep_alive;
    bool head_reported;                        /* the last head was reported, and is kept until the next call */
    uint16_t informational_count;
    uint32_t head_bytes, field_count; /* of all earlier heads */
    uint64_t left;                    /* of a body with a length */
    cr_head head;
    cr_chunks chunks;
    uint8_t *block;                   /* a head or trailers that came in several reads */
    size_t block_length, block_capacity;
} cr_answer_reader;

typedef enum cr_answer_event {
    CR_ANSWER_MORE,   /* all bytes are consumed */
    CR_ANSWER_INFORMATIONAL, /* `answer` is an informational head */
    CR_ANSWER_HEAD,   /* `answer` is the final head */
    CR_ANSWER_DATA,   /* `data` and `length` are bytes of the body, or after a 101 */
    CR_ANSWER_END,    /* the answer is complete; `answer` has its trailers. Later bytes are left */
    CR_ANSWER_REFUSED /* `error` says why */
} cr_answer_event;

/* The details of an event. */
typedef struct cr_answer_details {
    cr_answer answer;
    const uint8_t *data;
    size_t length;
    cr_request_error error;
} cr_answer_details;

void cr_answer_reader_init(cr_answer_reader *reader, cr_expected_answer expected);
/* Frees the memory of a large head. */
void cr_answer_reader_clear(cr_answer_reader *reader);
/* Parses from `*bytes` to `end` and advances `*bytes`. Call it until CR_ANSWER_MORE, but not after CR_ANSWER_END or
 * CR_ANSWER_REFUSED. */
cr_answer_event cr_answer_next(
    cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_details *details);
/* The server has closed the connection: returns CR_ANSWER_END, or CR_ANSWER_REFUSED if the answer is incomplete. */
cr_answer_event cr_answer_ended(cr_answer_reader *reader, cr_answer_details *details);
/* Whether a byte of the answer has arrived. */
bool cr_answer_has_begun(const cr_answer_reader *reader);

#endif
