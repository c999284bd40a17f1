#include "cr_websocket.h"

#include <string.h>

size_t cr_ws_put_header(uint8_t *at, const cr_ws_frame *frame, uint64_t length) {
    size_t wide = length < 126 ? 0 : length < 65536 ? 2 : 8;
    at[0] = (uint8_t)((frame->final ? 0x80 : 0) | (frame->compressed ? 0x40 : 0) | (frame->opcode & 0x0f));
    at[1] = (uint8_t)((frame->masked ? 0x80 : 0) | (wide == 0 ? length : wide == 2 ? 126 : 127));
    for (size_t i = 0; i < wide; i++) at[2 + i] = (uint8_t)(length >> (8 * (wide - 1 - i)));
    if (!frame->masked) return 2 + wide;
    memcpy(at + 2 + wide, frame->mask, 4);
    return 2 + wide + 4;
}

void cr_ws_mask(uint8_t *bytes, size_t length, const uint8_t mask[4], size_t phase) {
    uint8_t turned[8];
    for (size_t i = 0; i < 8; i++) turned[i] = mask[(phase + i) & 3];
    uint64_t eight;
    memcpy(&eight, turned, 8);
    size_t at = 0;
    for (uint64_t word; at + 8 <= length; at += 8) {
        memcpy(&word, bytes + at, 8);
        word ^= eight;
        memcpy(bytes + at, &word, 8);
    }
    for (; at < length; at++) bytes[at] ^= turned[at & 7];
}

size_t cr_ws_put_close(uint8_t *at, uint16_t code, const uint8_t *reason, size_t length) {
    if (code == 1005) return 0;
    at[0] = (uint8_t)(code >> 8);
    at[1] = (uint8_t)code;
    if (length > CR_WS_CONTROL_LIMIT - 2) {
        length = CR_WS_CONTROL_LIMIT - 2;
        while (length && (reason[length] & 0xc0) == 0x80) length--;
    }
    if (length) memcpy(at + 2, reason, length);
    return 2 + length;
}
