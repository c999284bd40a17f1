/* Finds the end of strings and numbers. */
#ifndef CJSONTAPE_TEXT_H
#define CJSONTAPE_TEXT_H

#include "cjsontape.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The length of an escape sequence or a non-ASCII character (table 3-7 of the Unicode standard). Returns 0 if it is
 * malformed, or a control character. */
size_t cj_special_length(const uint8_t *at, const uint8_t *end);

/* Finds the end of any number (RFC 8259, section 6). Returns NULL if it is malformed. */
const uint8_t *cj_end_of_any_number(const uint8_t *at, const uint8_t *end);

/* Finds the first byte of a string that needs a closer look: a quote, a backslash, a control character or a non-ASCII
 * byte. Returns `end` if there is none. */
static inline const uint8_t *cj_end_of_letters(const uint8_t *at, const uint8_t *end) {
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    while (end - at >= 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        __m128i special = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        special = _mm_or_si128(special, _mm_cmpeq_epi8(_mm_max_epu8(bytes, control), control));
        /* The sign bit of each byte, which non-ASCII bytes have set, too. */
        int mask = _mm_movemask_epi8(_mm_or_si128(special, bytes));
        if (mask) return at + __builtin_ctz(mask);
        at += 16;
    }
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t each = UINT64_C(0x0101010101010101);
    while (end - at >= 8) {
        uint64_t bytes;
        memcpy(&bytes, at, 8);
        uint64_t quotes = bytes ^ each * '"', backslashes = bytes ^ each * '\\';
        /* The high bit of each special byte. Bytes above the first of them may be marked by mistake. */
        uint64_t special = ((bytes - each * 0x20) | (quotes - each) | (backslashes - each) | bytes) & each * 0x80;
        if (special) return at + __builtin_ctzll(special) / 8;
        at += 8;
    }
#endif
    while (at < end && *at != '"' && *at != '\\' && *at >= 0x20 && *at < 0x80) at++;
    return at;
}

/* Finds the closing quote of a string whose text starts at `at`. Sets `escapes` to CJ_ESCAPES if it has any. Returns
 * NULL if it is malformed. */
static inline const uint8_t *cj_end_of_string(const uint8_t *at, const uint8_t *end, cj_entry *escapes) {
    while (true) {
        at = cj_end_of_letters(at, end);
        if (at >= end) return NULL;
        if (*at == '"') return at;
        if (*at == '\\') *escapes = CJ_ESCAPES;
        size_t length = cj_special_length(at, end);
        if (length == 0) return NULL;
        at += length;
    }
}

/* Finds the end of a number. Returns NULL if it is malformed. */
static inline const uint8_t *cj_end_of_number(const uint8_t *at, const uint8_t *end) {
#ifdef __SSE2__
    /* Most numbers are short, without sign, exponent or leading zero. */
    if (end - at >= 16 && *at != '-') {
        __m128i above = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)at), _mm_set1_epi8('0'));
        __m128i nine = _mm_set1_epi8(9);
        unsigned others = ~_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(above, nine), nine)) & 0xFFFF;
        if (others) {
            int digits = __builtin_ctz(others);
            if (digits > 0 && (*at != '0' || digits == 1)) {
                if (at[digits] != '.' && (at[digits] | 0x20) != 'e') return at + digits;
                others &= others - 1;
                if (at[digits] == '.' && others) {
                    int length = __builtin_ctz(others);
                    if (length > digits + 1 && (at[length] | 0x20) != 'e') return at + length;
                }
            }
        }
    }
#endif
    return cj_end_of_any_number(at, end);
}

#endif
