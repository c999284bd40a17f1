/* CWebSocket: WebSocket frames (RFC 6455) and their compression (RFC 7692). Pure functions on memory, without sockets.
 * Of HTTP it knows only the values of the four handshake fields. */
#ifndef CR_WEBSOCKET_H
#define CR_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- What can be wrong ---------------------------------------------------------------------------------------- */

typedef enum cr_ws_error {
    CR_WS_OK,
    CR_WS_RESERVED_BITS,
    CR_WS_UNEXPECTED_COMPRESSION,
    CR_WS_COMPRESSED_CONTINUATION,
    CR_WS_UNKNOWN_OPCODE,
    CR_WS_UNMASKED,
    CR_WS_MASKED,
    CR_WS_LONG_CONTROL,
    CR_WS_FRAGMENTED_CONTROL,
    CR_WS_LENGTH_TOO_WIDE,
    CR_WS_LENGTH_TOO_LARGE,
    CR_WS_NOTHING_TO_CONTINUE,
    CR_WS_MESSAGE_NOT_ENDED,
    CR_WS_CLOSE_TOO_SHORT,
    CR_WS_CLOSE_CODE,
    CR_WS_CLOSE_REASON,
    CR_WS_TEXT_NOT_UTF8,
    CR_WS_NOT_DEFLATED,
    CR_WS_TEXT_TOO_LARGE,
    CR_WS_BINARY_TOO_LARGE,
    CR_WS_INFLATES_TOO_LARGE,
    CR_WS_TOO_MANY_FRAGMENTS,
    CR_WS_NO_MEMORY,
    CR_WS_ERRORS
} cr_ws_error;

/* The close code of an error, and a sentence of at most 100 bytes. */
uint16_t cr_ws_error_code(cr_ws_error error);
const char *cr_ws_error_text(cr_ws_error error);

/* Whether a close frame may have this code (RFC 6455 section 7.4, and later IANA registrations). */
bool cr_ws_code_is_valid(unsigned code);

/* ---- UTF-8, as it comes --------------------------------------------------------------------------------------- */

/* A position in a text; all zero at its beginning. */
typedef struct cr_ws_utf8 {
    uint8_t left;     /* missing bytes of a character; 0 between two characters */
    uint8_t min, max; /* allowed range of the next byte */
} cr_ws_utf8;

/* Validates bytes of a text. Returns false at the first invalid byte. The text is complete if `left` is 0 after the
 * last byte. */
bool cr_ws_utf8_feed(cr_ws_utf8 *at, const uint8_t *bytes, size_t length);

/* ---- Reading frames ------------------------------------------------------------------------------------------- */

typedef enum cr_ws_opcode {
    CR_WS_CONTINUATION = 0,
    CR_WS_TEXT = 1,
    CR_WS_BINARY = 2,
    CR_WS_CLOSE = 8,
    CR_WS_PING = 9,
    CR_WS_PONG = 10
} cr_ws_opcode;

typedef struct cr_ws_settings {
    bool reads_server;                 /* frames of a server, which are not masked */
    bool deflate;                      /* permessage-deflate was negotiated, without context takeover by the sender */
    uint32_t fragment_limit;           /* per message */
    uint64_t text_limit, binary_limit; /* bytes per message, compressed and inflated */
} cr_ws_settings;

/* 1 MiB for text and binary messages, in 131,072 fragments. */
cr_ws_settings cr_ws_settings_default(void);

/* A growing array of bytes. */
typedef struct cr_ws_bytes {
    uint8_t *bytes;
    size_t length, capacity;
} cr_ws_bytes;

void cr_ws_bytes_free(cr_ws_bytes *bytes);

/* Parses the frames of one side. Between two messages it uses no other memory. */
typedef struct cr_ws_reader {
    cr_ws_settings settings;
    cr_ws_bytes message; /* of the present message, unmasked and perhaps compressed; or of the one just delivered */
    uint8_t *control;    /* payload of a partial control frame, or NULL */
    uint64_t left;       /* missing payload bytes of the frame */
    uint32_t fragments;  /* of the message so far */
    cr_ws_utf8 text;
    uint8_t mask[4];
    uint8_t header[14];
    uint8_t header_length;/* received bytes; 0 between two frames */
    uint8_t control_length;
    uint8_t opcode;  /* of the frame; 0xff until its header is complete */
    uint8_t message_opcode; /* CR_WS_TEXT or CR_WS_BINARY within a message, else 0 */
    uint8_t phase;   /* index of the mask's next byte */
    bool final;      /* the last frame of its message */
    bool compressed; /* the message is compressed */
    bool delivered;  /* `message` was delivered and is to be freed */
    bool over;       /* after a close frame or an error: input is ignored */
} cr_ws_reader;

typedef enum cr_ws_event {
    CR_WS_MORE,    /* all bytes are consumed */
    CR_WS_MESSAGE, /* a complete message */
    CR_WS_PINGED,
    CR_WS_PONGED,
    CR_WS_CLOSED, /* a close frame; later input is ignored */
    CR_WS_REFUSED /* an error; later input is ignored */
} cr_ws_event;

/* The details of an event. */
typedef struct cr_ws_details {
    const uint8_t *bytes;  /* the message, the payload of a ping or pong, or the close reason; valid until the next
                              call */
    size_t length;
    bool is_text;          /* validated UTF-8 */
    bool was_compressed;
    uint32_t fragments; /* of the message; 1 for a single frame */
    uint16_t code;      /* of the close frame, 1005 if it has none; or to close with after an error */
    cr_ws_error error;
} cr_ws_details;

void cr_ws_reader_init(cr_ws_reader *reader, const cr_ws_settings *settings);
/* Frees an unfinished message. */
void cr_ws_reader_clear(cr_ws_reader *reader);
/* Parses from `*bytes`, which it advances, to the next event. Unmasks the bytes in place. */
cr_ws_event cr_ws_next(cr_ws_reader *reader, uint8_t **bytes, uint8_t *end, cr_ws_details *details);
/* The number of bytes that the reader has allocated. */
size_t cr_ws_reader_memory(const cr_ws_reader *reader);

/* ---- Writing frames ------------------------------------------------------------------------------------------- */

enum { CR_WS_HEADER_ROOM = 14, CR_WS_CONTROL_LIMIT = 125 };

typedef struct cr_ws_frame {
    uint8_t opcode;
    bool final;
    bool compressed;      /* RSV1, on a message's first frame */
    bool masked;
    uint8_t mask[4];
} cr_ws_frame;

/* Writes a frame header and returns its length. Room: CR_WS_HEADER_ROOM. */
size_t cr_ws_put_header(uint8_t *at, const cr_ws_frame *frame, uint64_t length);
/* Masks or unmasks bytes; the first one has index `phase` in its frame. */
void cr_ws_mask(uint8_t *bytes, size_t length, const uint8_t mask[4], size_t phase);
/* Writes the payload of a close frame: the code and as many whole characters of the reason as fit; nothing for code
 * 1005. Returns its length. Room: CR_WS_CONTROL_LIMIT. */
size_t cr_ws_put_close(uint8_t *at, uint16_t code, const uint8_t *reason, size_t length);

/* ---- Compression ---------------------------------------------------------------------------------------------- */

/* Compresses a message for frames with RSV1 and a receiver window of 2^window_bits bytes (8 to 15). `to` is empty at
 * first; free it with cr_ws_bytes_free. Returns false if memory is short. */
bool cr_ws_deflate(const uint8_t *bytes, size_t length, unsigned window_bits, cr_ws_bytes *to);
/* Inflates a message to at most `limit` bytes. Returns CR_WS_OK, CR_WS_NOT_DEFLATED, CR_WS_INFLATES_TOO_LARGE or
 * CR_WS_NO_MEMORY. `to` is empty at first; free it with cr_ws_bytes_free in any case. */
cr_ws_error cr_ws_inflate(const uint8_t *bytes, size_t length, uint64_t limit, cr_ws_bytes *to);

/* ---- The handshake -------------------------------------------------------------------------------------------- */

enum { CR_WS_ACCEPT_LENGTH = 28 };

/* Computes `Sec-WebSocket-Accept` for a key. Returns false if the key is not 16 bytes in Base64. */
bool cr_ws_accept(char at[CR_WS_ACCEPT_LENGTH], const uint8_t *key, size_t length);

/* The negotiated parameters of permessage-deflate. */
typedef struct cr_ws_deflate_params {
    bool agreed;
    bool names_server_window;   /* the offer has server_max_window_bits, so the answer repeats it */
    uint8_t server_window_bits; /* of the server's compression: 8 to 15 */
} cr_ws_deflate_params;

/* Parses one `Sec-WebSocket-Extensions` field of a request; call it for each, in order. The first acceptable offer of
 * permessage-deflate counts. `params` is zero at first. Returns false if the field is malformed. */
bool cr_ws_parse_deflate_offers(cr_ws_deflate_params *params, const uint8_t *value, size_t length);
/* Writes the answer to the accepted offer and returns its length. Room: CR_WS_DEFLATE_ANSWER_ROOM. */
size_t cr_ws_put_deflate_answer(char *at, const cr_ws_deflate_params *params);
/* Parses a server's answer to CR_WS_DEFLATE_OFFER. Returns whether it is allowed: no extension, or permessage-deflate
 * without server context takeover. */
bool cr_ws_parse_deflate_answer(cr_ws_deflate_params *params, const uint8_t *value, size_t length);

enum { CR_WS_DEFLATE_ANSWER_ROOM = 128 };
/* The offer of a client that keeps no state between messages. */
#define CR_WS_DEFLATE_OFFER "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

/* Takes the next token off a list such as `Sec-WebSocket-Protocol`. Returns 1 with the token, 0 at the end of the list,
 * -1 if it is malformed. */
int cr_ws_next_token(const uint8_t **at, const uint8_t *end, const uint8_t **token, size_t *length);

#endif
