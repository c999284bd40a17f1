/* The answer of another server, as it comes. */
#ifndef CR_ANSWER_H
#define CR_ANSWER_H

#include "cr_http.h"

/* How the end of an answer's body is found. */
typedef enum cr_framing {
    CR_NO_BODY,
    CR_BY_LENGTH,
    CR_BY_CHUNKS,
    CR_BY_END,   /* of the connection */
    CR_SWITCHED  /* there is none: what follows a 101 is of another protocol, until the connection ends */
} cr_framing;

/* A head or the trailers of an answer. All pointers are valid until the one who was told returns. */
typedef struct cr_answer {
    const uint8_t *head; /* status line and fields, raw, with the empty line; or the trailers */
    size_t head_length;
    uint32_t reason, reason_length; /* offsets into head, as those of fields */
    uint16_t status;
    uint8_t version_minor;          /* 1.0 or 1.1 */
    bool in_http2;                  /* the head is made of its fields alone, and has no reason */
    bool keep_alive;                /* as the server says it, and as the framing allows */
    cr_framing framing;
    uint64_t length;                /* by CR_BY_LENGTH, or as it would be without CR_NO_BODY; UINT64_MAX if it is not said */
    const cr_field *fields;
    size_t field_count;
} cr_answer;

/* The most that an answer may have of each; beyond, it is refused. */
enum {
    CR_ANSWER_HEAD_LIMIT = 1024 * 1024, /* bytes of all heads and trailers */
    CR_ANSWER_FIELD_LIMIT = 5000,       /* fields of all heads and trailers */
    CR_ANSWER_INFORMATION_LIMIT = 100   /* heads before the final one */
};

/* What the request has asked for, as far as it decides what its answer may be. */
typedef struct cr_asked {
    bool head_alone; /* by HEAD: there is no body, whatever the fields say */
    bool to_switch;  /* a 101 may be the answer */
} cr_asked;

/* How the body behind a final head of an answer ends. */
cr_framing cr_answer_framing(const cr_head *head, cr_asked asked);

/* Reads the answer to one request, however it is cut into pieces. */
typedef struct cr_answer_reader {
    uint8_t phase;
    cr_asked asked;
    cr_framing framing;
    bool keep_alive;
    bool told;                        /* the head that was read last is its user's, until the next call */
    uint16_t informations;
    uint32_t head_bytes, field_count; /* of the heads that have ended */
    uint64_t left;                    /* of a body with a length */
    cr_head head;
    cr_chunks chunks;
    uint8_t *block;                   /* a head or trailers that did not come at once */
    size_t block_length, block_capacity;
} cr_answer_reader;

typedef enum cr_answer_event {
    CR_ANSWER_MORE,    /* all bytes are read */
    CR_ANSWER_INFORMS, /* `answer` is an informational head */
    CR_ANSWER_HEAD,    /* `answer` is the final head */
    CR_ANSWER_DATA,    /* `data` and `length` are bytes of the body, or what follows a 101 */
    CR_ANSWER_END,     /* the answer is complete; `answer` has its trailers. Bytes behind it are left */
    CR_ANSWER_REFUSED  /* `fault` is the reason */
} cr_answer_event;

/* What an event is about. */
typedef struct cr_answer_piece {
    cr_answer answer;
    const uint8_t *data;
    size_t length;
    cr_fault fault;
} cr_answer_piece;

void cr_answer_reader_init(cr_answer_reader *reader, cr_asked asked);
/* Frees the memory of a large head. */
void cr_answer_reader_clear(cr_answer_reader *reader);
/* Reads from `*bytes` to `end`, and moves `*bytes` after the bytes read. To be called until there is nothing more, and not
 * after CR_ANSWER_END or CR_ANSWER_REFUSED. */
cr_answer_event cr_answer_next(cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_piece *piece);
/* The server has ended the connection: CR_ANSWER_END, or CR_ANSWER_REFUSED if the answer is not complete. */
cr_answer_event cr_answer_ended(cr_answer_reader *reader, cr_answer_piece *piece);
/* Whether a byte of the answer has come. */
bool cr_answer_has_begun(const cr_answer_reader *reader);

#endif
