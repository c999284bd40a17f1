/* The less frequent parts of strings and numbers, and where a string needs escapes. */
#include "text.h"

static bool is_digit(uint8_t byte) {
    return (uint8_t)(byte - '0') < 10;
}

static bool is_continuation(uint8_t byte) {
    return (byte & 0xC0) == 0x80;
}

static bool is_hex_digit(uint8_t byte) {
    return is_digit(byte) || (uint8_t)((byte | 0x20) - 'a') < 6;
}

static size_t character_length(const uint8_t *at, const uint8_t *end) {
    uint8_t low = 0x80, high = 0xBF;
    size_t length = 2;
    switch (at[0]) {
    case 0xC2 ... 0xDF: break;
    case 0xE0: length = 3, low = 0xA0; break;
    case 0xED: length = 3, high = 0x9F; break;
    case 0xE1 ... 0xEC:
    case 0xEE ... 0xEF: length = 3; break;
    case 0xF0: length = 4, low = 0x90; break;
    case 0xF1 ... 0xF3: length = 4; break;
    case 0xF4: length = 4, high = 0x8F; break;
    default: return 0;
    }
    if ((size_t)(end - at) < length || at[1] < low || at[1] > high) return 0;
    if (length > 2 && !is_continuation(at[2])) return 0;
    if (length > 3 && !is_continuation(at[3])) return 0;
    return length;
}

static size_t escape_length(const uint8_t *at, const uint8_t *end) {
    if (end - at < 2) return 0;
    switch (at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return 2;
    case 'u':
        if (end - at < 6) return 0;
        for (int digit = 2; digit < 6; digit++) {
            if (!is_hex_digit(at[digit])) return 0;
        }
        return 6;
    default: return 0;
    }
}

size_t cj_special_length(const uint8_t *at, const uint8_t *end) {
    return *at == '\\' ? escape_length(at, end) : character_length(at, end);
}

/* Skips one or more digits. Returns their end, or NULL if there are none. */
static const uint8_t *end_of_digits(const uint8_t *at, const uint8_t *end) {
    const uint8_t *start = at;
    while (at < end && is_digit(*at)) at++;
    return at > start ? at : NULL;
}

const uint8_t *cj_end_of_any_number(const uint8_t *at, const uint8_t *end) {
    if (at < end && *at == '-') at++;
    const uint8_t *start = at;
    at = end_of_digits(at, end);
    if (!at || (*start == '0' && at > start + 1)) return NULL;
    if (at < end && *at == '.') {
        at = end_of_digits(at + 1, end);
        if (!at) return NULL;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        at = end_of_digits(at, end);
    }
    return at;
}

size_t cj_plain_length(const uint8_t *bytes, size_t count) {
    const uint8_t *at = bytes, *end = bytes + count;
    while ((at = cj_end_of_letters(at, end)) < end && *at >= 0x80) at++;
    return (size_t)(at - bytes);
}

size_t cj_count_special(const uint8_t *bytes, size_t count) {
    const uint8_t *at = bytes, *end = bytes + count;
    size_t special = 0;
    for (; (at = cj_end_of_letters(at, end)) < end; at++) special++;
    return special;
}
