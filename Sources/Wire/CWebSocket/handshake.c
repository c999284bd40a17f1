/* Handshake fields (RFC 6455 section 4.2, RFC 7692 section 7.1). */
#include "cr_websocket.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- The key -------------------------------------------------------------------------------------------------- */

static uint32_t rotate_left(uint32_t word, unsigned bits) {
    return word << bits | word >> (32 - bits);
}

/* Adds a block to a SHA-1 sum (RFC 3174). OpenSSL is loaded for TLS only, so it is not used here. */
static void add_block(uint32_t sum[5], const uint8_t block[64]) {
    uint32_t words[80], a = sum[0], b = sum[1], c = sum[2], d = sum[3], e = sum[4];
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *at = block + 4 * i;
        words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (size_t i = 16; i < 80; i++) {
        words[i] = rotate_left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    for (size_t i = 0; i < 80; i++) {
        uint32_t mixed = i < 20 ? ((b & c) | (~b & d)) + 0x5a827999
            : i < 40            ? (b ^ c ^ d) + 0x6ed9eba1
            : i < 60            ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                : (b ^ c ^ d) + 0xca62c1d6;
        uint32_t next = rotate_left(a, 5) + mixed + e + words[i];
        e = d;
        d = c;
        c = rotate_left(b, 30);
        b = a;
        a = next;
    }
    const uint32_t more[5] = {a, b, c, d, e};
    for (size_t i = 0; i < 5; i++) sum[i] += more[i];
}

/* SHA-1 of 60 bytes: a key and the fixed text after it. */
static void sum_of_60(const uint8_t text[60], uint8_t digest[20]) {
    uint32_t sum[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t blocks[128] = {0};
    memcpy(blocks, text, 60);
    blocks[60] = 0x80;
    blocks[126] = (60 * 8) >> 8;
    blocks[127] = (60 * 8) & 0xff;
    add_block(sum, blocks);
    add_block(sum, blocks + 64);
    for (size_t i = 0; i < 20; i++) digest[i] = (uint8_t)(sum[i / 4] >> (24 - 8 * (i % 4)));
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Whether the text is 16 bytes in Base64: 22 digits, the last one without bits of a 17th byte. */
static bool is_key(const uint8_t *key, size_t length) {
    if (length != 24 || key[22] != '=' || key[23] != '=') return false;
    for (size_t i = 0; i < 22; i++) {
        if (!key[i] || !strchr(digits, key[i])) return false;
    }
    return (strchr(digits, key[21]) - digits) % 16 == 0;
}

bool cr_ws_accept(char at[CR_WS_ACCEPT_LENGTH], const uint8_t *key, size_t length) {
    if (!is_key(key, length)) return false;
    uint8_t text[60], digest[21];
    memcpy(text, key, 24);
    memcpy(text + 24, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", 36);
    sum_of_60(text, digest);
    digest[20] = 0;
    for (size_t i = 0; i < 28; i++) {
        unsigned triple =
            (unsigned)digest[i / 4 * 3] << 16 | (unsigned)digest[i / 4 * 3 + 1] << 8 | digest[i / 4 * 3 + 2];
        at[i] = digits[triple >> (18 - 6 * (i % 4)) & 63];
    }
    at[27] = '=';
    return true;
}

/* ---- Lists ---------------------------------------------------------------------------------------------------- */

typedef struct text {
    const uint8_t *at, *end;
} text;

static void skip_spaces(text *text) {
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t')) text->at++;
}

static bool is_next(const text *text, char c) {
    return text->at < text->end && *text->at == (uint8_t)c;
}

static bool consume(text *text, char c) {
    skip_spaces(text);
    if (!is_next(text, c)) return false;
    text->at++;
    skip_spaces(text);
    return true;
}

static bool is_token_byte(uint8_t c) {
    return c > 0x20 && c < 0x7f && !strchr("()<>@,;:\\\"/[]?={}", c);
}

static bool parse_token(text *from, text *token) {
    skip_spaces(from);
    token->at = from->at;
    while (from->at < from->end && is_token_byte(*from->at)) from->at++;
    token->end = from->at;
    return token->at < token->end;
}

static bool is_text(text text, const char *wanted) {
    size_t length = (size_t)(text.end - text.at);
    return length == strlen(wanted) && strncasecmp((const char *)text.at, wanted, length) == 0;
}

int cr_ws_next_token(const uint8_t **at, const uint8_t *end, const uint8_t **token, size_t *length) {
    text from = {*at, end}, found;
    while (consume(&from, ',')) {}
    skip_spaces(&from);
    *at = from.at;
    if (from.at == end) return 0;
    if (!parse_token(&from, &found)) return -1;
    skip_spaces(&from);
    if (from.at < end && !is_next(&from, ',')) return -1;
    *at = from.at;
    *token = found.at;
    *length = (size_t)(found.end - found.at);
    return 1;
}

/* ---- Extensions ----------------------------------------------------------------------------------------------- */

/* The parameters of one permessage-deflate. */
typedef struct parameters {
    bool is_wrong;                         /* one is unknown, repeated or has an invalid value */
    bool server_takeover, client_takeover; /* `…_no_context_takeover` is present */
    bool server_window, client_window;     /* `…_max_window_bits` is present */
    uint8_t server_bits;                   /* its value, or 0 */
} parameters;

/* Parses a parameter's value, quoted or not; a quoted one must be a token, too (RFC 6455 section 9.1). */
static bool parse_value(text *from, text *value) {
    skip_spaces(from);
    if (!is_next(from, '"')) return parse_token(from, value);
    from->at++;
    bool is_whole = parse_token(from, value);
    if (!is_whole || value->at == from->end || !is_next(from, '"')) return false;
    from->at++;
    return true;
}

/* Parses 8 to 15 without a leading zero; 0 for anything else. */
static uint8_t window_bits(text value) {
    size_t length = (size_t)(value.end - value.at);
    if (length == 1 && (*value.at == '8' || *value.at == '9')) return (uint8_t)(*value.at - '0');
    if (length == 2 && value.at[0] == '1' && value.at[1] >= '0' && value.at[1] <= '5') {
        return (uint8_t)(10 + value.at[1] - '0');
    }
    return 0;
}

static void record_parameter(parameters *found, text name, bool has_value, text value) {
    bool *flag = is_text(name, "server_no_context_takeover") ? &found->server_takeover
        : is_text(name, "client_no_context_takeover")        ? &found->client_takeover
        : is_text(name, "server_max_window_bits")            ? &found->server_window
        : is_text(name, "client_max_window_bits")            ? &found->client_window
                                                             : NULL;
    bool wants_bits = flag == &found->server_window || flag == &found->client_window;
    uint8_t bits = has_value && wants_bits ? window_bits(value) : 0;
    if (!flag || *flag || (has_value && !bits) || (!has_value && flag == &found->server_window)) {
        found->is_wrong = true;
        return;
    }
    *flag = true;
    if (flag == &found->server_window) found->server_bits = bits;
}

/* Parses the next extension of a field: 1 with its name and parameters, 0 at the end, -1 if it is malformed. */
static int next_extension(text *from, text *name, parameters *found) {
    *found = (parameters){0};
    while (consume(from, ',')) {}
    skip_spaces(from);
    if (from->at == from->end) return 0;
    if (!parse_token(from, name)) return -1;
    while (consume(from, ';')) {
        text parameter, value = {0};
        if (!parse_token(from, &parameter)) return -1;
        bool has_value = consume(from, '=');
        if (has_value && !parse_value(from, &value)) return -1;
        record_parameter(found, parameter, has_value, value);
    }
    skip_spaces(from);
    return from->at == from->end || is_next(from, ',') ? 1 : -1;
}

bool cr_ws_parse_deflate_offers(cr_ws_deflate_params *params, const uint8_t *value, size_t length) {
    text from = {value, value + length}, name;
    parameters found;
    int result;
    while ((result = next_extension(&from, &name, &found)) > 0) {
        if (params->agreed || found.is_wrong || !is_text(name, "permessage-deflate")) continue;
        *params = (cr_ws_deflate_params){
            .agreed = true,
            .names_server_window = found.server_window,
            .server_window_bits = found.server_window ? found.server_bits : 15,
        };
    }
    return result == 0;
}

size_t cr_ws_put_deflate_answer(char *at, const cr_ws_deflate_params *params) {
    if (!params->agreed) return 0;
    int length = params->names_server_window
        ? snprintf(at, CR_WS_DEFLATE_ANSWER_ROOM, "%s; server_max_window_bits=%u", CR_WS_DEFLATE_OFFER,
            (unsigned)params->server_window_bits)
        : snprintf(at, CR_WS_DEFLATE_ANSWER_ROOM, "%s", CR_WS_DEFLATE_OFFER);
    return (size_t)length;
}

bool cr_ws_parse_deflate_answer(cr_ws_deflate_params *params, const uint8_t *value, size_t length) {
    text from = {value, value + length}, name;
    parameters found;
    int result;
    *params = (cr_ws_deflate_params){.server_window_bits = 15};
    while ((result = next_extension(&from, &name, &found)) > 0) {
        bool is_offered = is_text(name, "permessage-deflate") && !found.client_window;
        if (params->agreed || found.is_wrong || !is_offered || !found.server_takeover) return false;
        params->agreed = true;
        if (found.server_window) {
            params->names_server_window = true;
            params->server_window_bits = found.server_bits;
        }
    }
    return result == 0;
}
