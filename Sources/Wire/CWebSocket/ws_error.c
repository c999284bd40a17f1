#include "cr_websocket.h"

typedef struct error_row {
    uint16_t code;
    const char *text;
} error_row;

static const error_row rows[CR_WS_ERRORS] = {
    [CR_WS_OK] = {1000, "nothing is wrong"},
    [CR_WS_RESERVED_BITS] = {1002, "a frame sets RSV2 or RSV3, for which no extension was agreed on"},
    [CR_WS_UNEXPECTED_COMPRESSION] = {1002, "a frame sets RSV1, but permessage-deflate was not agreed on"},
    [CR_WS_COMPRESSED_CONTINUATION] = {1002,
        "a control frame or a continuation sets RSV1, which only a message's first frame may"},
    [CR_WS_UNKNOWN_OPCODE] = {1002, "a frame has an opcode that is reserved: expected 0, 1, 2, 8, 9 or 10"},
    [CR_WS_UNMASKED] = {1002, "a frame of the client is not masked"},
    [CR_WS_MASKED] = {1002, "a frame of the server is masked"},
    [CR_WS_LONG_CONTROL] = {1002, "a control frame has more than 125 bytes"},
    [CR_WS_FRAGMENTED_CONTROL] = {1002, "a control frame is fragmented"},
    [CR_WS_LENGTH_TOO_WIDE] = {1002, "a frame states its length in more bytes than that needs"},
    [CR_WS_LENGTH_TOO_LARGE] = {1002, "a frame states a length whose highest bit is set"},
    [CR_WS_NOTHING_TO_CONTINUE] = {1002, "a continuation comes without a message that has begun"},
    [CR_WS_MESSAGE_NOT_ENDED] = {1002, "a message begins before the last one has ended: expected a continuation"},
    [CR_WS_CLOSE_TOO_SHORT] = {1002, "a close frame has 1 byte: expected none, or a code of 2"},
    [CR_WS_CLOSE_CODE] = {1002, "a close frame has a code that must not be sent"},
    [CR_WS_CLOSE_REASON] = {1007, "the reason of a close frame is not UTF-8"},
    [CR_WS_TEXT_NOT_UTF8] = {1007, "a text message is not UTF-8"},
    [CR_WS_NOT_DEFLATED] = {1007, "a compressed message cannot be inflated by itself"},
    [CR_WS_TEXT_TOO_LARGE] = {1009, "a text message is larger than the limit"},
    [CR_WS_BINARY_TOO_LARGE] = {1009, "a binary message is larger than the limit"},
    [CR_WS_INFLATES_TOO_LARGE] = {1009, "a compressed message inflates to more than the limit"},
    [CR_WS_TOO_MANY_FRAGMENTS] = {1009, "a message has more fragments than the limit"},
    [CR_WS_NO_MEMORY] = {1011, "there is no memory for a message"},
};

uint16_t cr_ws_error_code(cr_ws_error error) {
    return rows[error].code;
}

const char *cr_ws_error_text(cr_ws_error error) {
    return rows[error].text;
}

bool cr_ws_code_is_valid(unsigned code) {
    if (code >= 3000) return code <= 4999;
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}
