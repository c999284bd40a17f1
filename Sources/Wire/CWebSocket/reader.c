/* The frame parser (RFC 6455 section 5). A message that arrives in one read is delivered in place. */
#include "cr_websocket.h"

#include <stdlib.h>
#include <string.h>

enum { NO_OPCODE = 0xff, INITIAL_CAPACITY = 256 };

cr_ws_settings cr_ws_settings_default(void) {
    return (cr_ws_settings){.fragment_limit = 131072, .text_limit = 1 << 20, .binary_limit = 1 << 20};
}

void cr_ws_reader_init(cr_ws_reader *reader, const cr_ws_settings *settings) {
    *reader = (cr_ws_reader){.settings = *settings, .opcode = NO_OPCODE};
}

static void free_control(cr_ws_reader *reader) {
    free(reader->control);
    reader->control = NULL;
    reader->control_length = 0;
}

void cr_ws_reader_clear(cr_ws_reader *reader) {
    cr_ws_bytes_free(&reader->message);
    free_control(reader);
    reader->over = true;
}

size_t cr_ws_reader_memory(const cr_ws_reader *reader) {
    return reader->message.capacity + (reader->control ? CR_WS_CONTROL_LIMIT : 0);
}

static bool is_control(uint8_t opcode) {
    return opcode & 8;
}

static uint64_t limit_of(const cr_ws_reader *reader) {
    return reader->message_opcode == CR_WS_TEXT ? reader->settings.text_limit : reader->settings.binary_limit;
}

static cr_ws_event refuse(cr_ws_reader *reader, cr_ws_error error, cr_ws_details *details) {
    cr_ws_reader_clear(reader);
    *details = (cr_ws_details){.code = cr_ws_error_code(error), .error = error};
    return CR_WS_REFUSED;
}

/* ---- Headers -------------------------------------------------------------------------------------------------- */

/* Checks the first byte of a frame as soon as it arrives. */
static cr_ws_error check_first(const cr_ws_reader *reader, uint8_t byte) {
    uint8_t opcode = byte & 0x0f;
    bool compressed = byte & 0x40;
    if (byte & 0x30) return CR_WS_RESERVED_BITS;
    if (compressed && !reader->settings.deflate) return CR_WS_UNEXPECTED_COMPRESSION;
    if (opcode > CR_WS_PONG || (opcode > CR_WS_BINARY && opcode < CR_WS_CLOSE)) return CR_WS_UNKNOWN_OPCODE;
    if (compressed && (is_control(opcode) || opcode == CR_WS_CONTINUATION)) return CR_WS_COMPRESSED_CONTINUATION;
    if (is_control(opcode)) return byte & 0x80 ? CR_WS_OK : CR_WS_FRAGMENTED_CONTROL;
    if (opcode == CR_WS_CONTINUATION) return reader->message_opcode ? CR_WS_OK : CR_WS_NOTHING_TO_CONTINUE;
    return reader->message_opcode ? CR_WS_MESSAGE_NOT_ENDED : CR_WS_OK;
}

static cr_ws_error check_second(const cr_ws_reader *reader, uint8_t byte) {
    if ((byte & 0x80) && reader->settings.reads_server) return CR_WS_MASKED;
    if (!(byte & 0x80) && !reader->settings.reads_server) return CR_WS_UNMASKED;
    return is_control(reader->header[0] & 0x0f) && (byte & 0x7f) > CR_WS_CONTROL_LIMIT ? CR_WS_LONG_CONTROL : CR_WS_OK;
}

/* The number of length bytes after the second byte. */
static size_t extended_length_size(uint8_t second) {
    second &= 0x7f;
    return second == 127 ? 8 : second == 126 ? 2 : 0;
}

/* Starts the frame whose header is complete. */
static cr_ws_error begin_frame(cr_ws_reader *reader) {
    const uint8_t *header = reader->header;
    size_t more = extended_length_size(header[1]);
    uint64_t length = more ? 0 : header[1] & 0x7f;
    for (size_t i = 0; i < more; i++) length = length << 8 | header[2 + i];
    if (length >> 63) return CR_WS_LENGTH_TOO_LARGE;
    if (more && length < (more == 2 ? 126 : 65536)) return CR_WS_LENGTH_TOO_WIDE;
    memcpy(reader->mask, header + 2 + more, 4);
    if (!(header[1] & 0x80)) memset(reader->mask, 0, 4);
    reader->opcode = header[0] & 0x0f;
    reader->final = header[0] & 0x80;
    reader->phase = 0;
    reader->left = length;
    reader->header_length = 0;
    if (is_control(reader->opcode)) return CR_WS_OK;
    if (reader->opcode != CR_WS_CONTINUATION) {
        reader->message_opcode = reader->opcode;
        reader->compressed = header[0] & 0x40;
        reader->fragments = 0;
        reader->text = (cr_ws_utf8){0};
    }
    if (reader->fragments == reader->settings.fragment_limit) return CR_WS_TOO_MANY_FRAGMENTS;
    reader->fragments++;
    if (length > limit_of(reader) - reader->message.length) {
        return reader->message_opcode == CR_WS_TEXT ? CR_WS_TEXT_TOO_LARGE : CR_WS_BINARY_TOO_LARGE;
    }
    return CR_WS_OK;
}

/* Parses a header. The opcode is set once it is complete. */
static cr_ws_error read_header(cr_ws_reader *reader, uint8_t **bytes, const uint8_t *end) {
    size_t needed = 2;
    while (*bytes < end) {
        uint8_t byte = *(*bytes)++;
        reader->header[reader->header_length++] = byte;
        cr_ws_error error = CR_WS_OK;
        if (reader->header_length == 1) error = check_first(reader, byte);
        if (reader->header_length == 2) error = check_second(reader, byte);
        if (error) return error;
        if (reader->header_length >= 2) {
            needed = 2 + extended_length_size(reader->header[1]) + (reader->header[1] & 0x80 ? 4 : 0);
        }
        if (reader->header_length == needed) return begin_frame(reader);
    }
    return CR_WS_OK;
}

/* ---- Messages ------------------------------------------------------------------------------------------------- */

/* Appends to the message. Its capacity grows with received bytes, never with the announced length. */
static bool append(cr_ws_reader *reader, const uint8_t *bytes, size_t length) {
    cr_ws_bytes *message = &reader->message;
    size_t wanted = message->length + length;
    if (wanted > message->capacity) {
        size_t room = message->capacity * 2 > wanted ? message->capacity * 2 : wanted;
        /* No more than the rest of a last frame will follow. */
        uint64_t last = (uint64_t)message->length + reader->left;
        if (reader->final && room > last) room = (size_t)last;
        if (!reader->final && room < INITIAL_CAPACITY) room = INITIAL_CAPACITY;
        uint8_t *wider = realloc(message->bytes, room);
        if (!wider) return false;
        message->bytes = wider;
        message->capacity = room;
    }
    if (length) memcpy(message->bytes + message->length, bytes, length);
    message->length = wanted;
    return true;
}

/* Replaces a complete message by its inflated bytes. */
static cr_ws_error inflate_message(cr_ws_reader *reader, const uint8_t *bytes, size_t length) {
    cr_ws_bytes inflated = {0};
    cr_ws_error error = cr_ws_inflate(bytes, length, limit_of(reader), &inflated);
    if (!error && reader->message_opcode == CR_WS_TEXT &&
        !cr_ws_utf8_feed(&reader->text, inflated.bytes, inflated.length)) {
        error = CR_WS_TEXT_NOT_UTF8;
    }
    cr_ws_bytes_free(&reader->message);
    reader->message = inflated;
    return error;
}

/* Delivers the message at `bytes`. */
static cr_ws_event finish_message(cr_ws_reader *reader, const uint8_t *bytes, size_t length, cr_ws_details *details) {
    if (reader->compressed) {
        cr_ws_error error = inflate_message(reader, bytes, length);
        if (error) return refuse(reader, error, details);
        bytes = reader->message.bytes;
        length = reader->message.length;
    }
    if (reader->message_opcode == CR_WS_TEXT && reader->text.left) return refuse(reader, CR_WS_TEXT_NOT_UTF8, details);
    *details = (cr_ws_details){
        .bytes = bytes,
        .length = length,
        .is_text = reader->message_opcode == CR_WS_TEXT,
        .was_compressed = reader->compressed,
        .fragments = reader->fragments,
    };
    reader->delivered = reader->message.bytes != NULL;
    reader->message_opcode = 0;
    return CR_WS_MESSAGE;
}

/* Parses the payload of a data frame. */
static cr_ws_event read_data(cr_ws_reader *reader, uint8_t **bytes, const uint8_t *end, cr_ws_details *details) {
    size_t here = (size_t)(end - *bytes), length = here < reader->left ? here : (size_t)reader->left;
    uint8_t *data = *bytes;
    cr_ws_mask(data, length, reader->mask, reader->phase);
    if (reader->message_opcode == CR_WS_TEXT && !reader->compressed && !cr_ws_utf8_feed(&reader->text, data, length)) {
        return refuse(reader, CR_WS_TEXT_NOT_UTF8, details);
    }
    *bytes += length;
    bool is_whole = length == reader->left && reader->final;
    if (is_whole && !reader->message.length) {
        reader->left = 0;
        reader->opcode = NO_OPCODE;
        return finish_message(reader, data, length, details);
    }
    if (!append(reader, data, length)) return refuse(reader, CR_WS_NO_MEMORY, details);
    reader->left -= length;
    reader->phase = (uint8_t)((reader->phase + length) & 3);
    if (reader->left) return CR_WS_MORE;
    reader->opcode = NO_OPCODE;
    return is_whole ? finish_message(reader, reader->message.bytes, reader->message.length, details) : CR_WS_MORE;
}

/* ---- Control frames ------------------------------------------------------------------------------------------- */

static cr_ws_event finish_close(cr_ws_reader *reader, const uint8_t *bytes, size_t length, cr_ws_details *details) {
    if (length == 1) return refuse(reader, CR_WS_CLOSE_TOO_SHORT, details);
    *details = (cr_ws_details){.code = 1005};
    reader->over = true;
    if (length == 0) return CR_WS_CLOSED;
    unsigned code = (unsigned)bytes[0] << 8 | bytes[1];
    if (!cr_ws_code_is_valid(code)) return refuse(reader, CR_WS_CLOSE_CODE, details);
    cr_ws_utf8 text = {0};
    if (!cr_ws_utf8_feed(&text, bytes + 2, length - 2) || text.left) return refuse(reader, CR_WS_CLOSE_REASON, details);
    *details = (cr_ws_details){.bytes = bytes + 2, .length = length - 2, .code = (uint16_t)code};
    return CR_WS_CLOSED;
}

/* Parses the payload of a control frame, at most CR_WS_CONTROL_LIMIT bytes. */
static cr_ws_event read_control(cr_ws_reader *reader, uint8_t **bytes, const uint8_t *end, cr_ws_details *details) {
    size_t here = (size_t)(end - *bytes), length = here < reader->left ? here : (size_t)reader->left;
    const uint8_t *payload = *bytes;
    cr_ws_mask(*bytes, length, reader->mask, reader->phase);
    *bytes += length;
    if (length < reader->left || reader->control) {
        if (!reader->control && !(reader->control = malloc(CR_WS_CONTROL_LIMIT))) {
            return refuse(reader, CR_WS_NO_MEMORY, details);
        }
        if (length) memcpy(reader->control + reader->control_length, payload, length);
        reader->control_length = (uint8_t)(reader->control_length + length);
        reader->left -= length;
        reader->phase = (uint8_t)((reader->phase + length) & 3);
        if (reader->left) return CR_WS_MORE;
        payload = reader->control;
        length = reader->control_length;
    }
    uint8_t opcode = reader->opcode;
    reader->opcode = NO_OPCODE;
    if (opcode == CR_WS_CLOSE) return finish_close(reader, payload, length, details);
    *details = (cr_ws_details){.bytes = payload, .length = length};
    return opcode == CR_WS_PING ? CR_WS_PINGED : CR_WS_PONGED;
}

/* ---- The reader ----------------------------------------------------------------------------------------------- */

/* Frees what the last call delivered. */
static void free_delivered(cr_ws_reader *reader) {
    if (reader->delivered) {
        cr_ws_bytes_free(&reader->message);
        reader->delivered = false;
    }
    if (reader->control && reader->opcode == NO_OPCODE) free_control(reader);
}

cr_ws_event cr_ws_next(cr_ws_reader *reader, uint8_t **bytes, uint8_t *end, cr_ws_details *details) {
    *details = (cr_ws_details){0};
    free_delivered(reader);
    while (!reader->over) {
        if (reader->opcode == NO_OPCODE) {
            cr_ws_error error = read_header(reader, bytes, end);
            if (error) return refuse(reader, error, details);
            if (reader->opcode == NO_OPCODE) return CR_WS_MORE;
        }
        /* A frame without payload is complete with its header. */
        if (*bytes == end && reader->left) return CR_WS_MORE;
        bool control = is_control(reader->opcode);
        cr_ws_event event =
            control ? read_control(reader, bytes, end, details) : read_data(reader, bytes, end, details);
        if (event != CR_WS_MORE) return event;
        if (reader->opcode != NO_OPCODE) return CR_WS_MORE;
    }
    *bytes = end;
    return CR_WS_MORE;
}
