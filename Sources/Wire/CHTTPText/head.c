#include "cr_http.h"

#include <stdlib.h>
#include <string.h>

enum head_state {
    STATE_START,      /* skips empty lines before the request line (RFC 9112 section 2.2) */
    STATE_START_LF,
    STATE_METHOD,
    STATE_TARGET,
    STATE_VERSION,
    STATE_LINE_LF,
    STATE_FIELD_START,
    STATE_NAME,
    STATE_BEFORE_VALUE,
    STATE_VALUE,
    STATE_VALUE_LF,
    STATE_END_LF,
    STATE_PROTOCOL,   /* of a status line, like the next two */
    STATE_STATUS,
    STATE_REASON
};

/* Classes of bytes, one bit each. */
enum { TOKEN = 1, TARGET = 2, VALUE = 4 };

static uint8_t classes[256];

/* Fills `classes` before main: one table lookup per byte is faster than comparisons. */
__attribute__((constructor)) static void fill_classes(void) {
    for (int c = 0; c < 256; c++) {
        uint8_t class = 0;
        if (c > 0x20 && c != 0x7f) class |= TARGET;
        if ((c >= 0x20 && c != 0x7f) || c == '\t') class |= VALUE;
        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) class |= TOKEN;
        if (c && strchr("!#$%&'*+-.^_`|~", c)) class |= TOKEN;
        classes[c] = class;
    }
}

void cr_head_init(cr_head *head) {
    memset(head, 0, offsetof(cr_head, inline_fields));
    head->fields = head->inline_fields;
    head->field_capacity = CR_INLINE_FIELDS;
}

void cr_head_reset(cr_head *head) {
    if (head->fields != head->inline_fields) free(head->fields);
    cr_head_init(head);
}

void cr_head_reset_answer(cr_head *head) {
    cr_head_reset(head);
    head->of_answer = true;
    head->state = STATE_PROTOCOL;
}

/* Compares bytes with a text of lower-case letters, digits and `-`, ignoring case. Among bytes of a field, only letters
 * become those of the text by setting this bit. */
static inline bool text_is(const uint8_t *bytes, size_t length, const char *text) {
    if (strlen(text) != length) return false;
    for (size_t i = 0; i < length; i++) {
        if ((bytes[i] | 0x20) != (uint8_t)text[i]) return false;
    }
    return true;
}

/* ---- What a field means for the framing ---------------------------------------------------------------------- */

static cr_request_error read_length(cr_head *head, const uint8_t *value, size_t length) {
    if (length == 0) return CR_BAD_LENGTH;
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9') return CR_BAD_LENGTH;
        uint64_t digit = value[i] - '0';
        /* A number beyond 64 bits is too large, not malformed. */
        number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
    }
    if (head->has_length && head->content_length != number) return CR_LENGTHS_DIFFER;
    if (head->has_length && head->of_answer) return CR_LENGTH_TWICE;
    head->has_length = true;
    head->content_length = number;
    return CR_OK;
}

/* Calls `read` with each non-empty element of a comma-separated list. */
static cr_request_error each_element(cr_head *head, const uint8_t *value, size_t length,
    cr_request_error (*read)(cr_head *head, const uint8_t *element, size_t length)) {
    size_t start = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && value[i] != ',') continue;
        size_t from = start, to = i;
        while (from < to && (value[from] == ' ' || value[from] == '\t')) from++;
        while (to > from && (value[to - 1] == ' ' || value[to - 1] == '\t')) to--;
        if (to > from) {
            cr_request_error error = read(head, value + from, to - from);
            if (error) return error;
        }
        start = i + 1;
    }
    return CR_OK;
}

static cr_request_error read_coding(cr_head *head, const uint8_t *element, size_t length) {
    head->has_coding = true;
    if (!text_is(element, length, "chunked")) return CR_UNSUPPORTED_CODING;
    if (head->chunked) return CR_BAD_CODING;
    head->chunked = true;
    return CR_OK;
}

static cr_request_error read_connection(cr_head *head, const uint8_t *element, size_t length) {
    if (text_is(element, length, "close")) head->close_wanted = true;
    if (text_is(element, length, "keep-alive")) head->keep_wanted = true;
    if (text_is(element, length, "upgrade")) head->h2c_fields |= CR_H2C_CONNECTION_UPGRADE;
    if (text_is(element, length, "http2-settings")) head->h2c_fields |= CR_H2C_CONNECTION_SETTINGS;
    return CR_OK;
}

/* HTTP/1.0 has no expectations (RFC 9110 section 10.1.1). */
static cr_request_error read_expectation(cr_head *head, const uint8_t *element, size_t length) {
    head->expects_continue = text_is(element, length, "100-continue");
    return head->expects_continue || head->version_minor == 0 ? CR_OK : CR_BAD_EXPECTATION;
}

static cr_request_error read_upgrade(cr_head *head, const uint8_t *element, size_t length) {
    if (text_is(element, length, "h2c")) head->h2c_fields |= CR_H2C_UPGRADE;
    if (text_is(element, length, "websocket")) head->wants_websocket = true;
    return CR_OK;
}

bool cr_may_name_session(const uint8_t *name, size_t length) {
    switch (length) {
    case 6: return text_is(name, 6, "cookie");
    case 7: return text_is(name, 7, "baggage");
    case 21: return text_is(name, 21, "x-stuntdouble-session");
    default: return false;
    }
}

/* Evaluates the seven fields that determine the framing, and those that may carry a session id. Compares lengths first,
 * since most names match none. */
static cr_request_error read_field(cr_head *head, const uint8_t *base, const cr_field *field) {
    const uint8_t *name = base + field->name, *value = base + field->value;
    size_t length = field->value_length;
    switch (field->name_length) {
    case 4:
        if (!text_is(name, 4, "host")) return CR_OK;
        if (head->of_answer) return CR_OK;
        if (head->in_trailers) return CR_BAD_TRAILER;
        if (head->has_host) return CR_BAD_HOST;
        head->has_host = true;
        return cr_host_is_valid(value, length) ? CR_OK : CR_INVALID_HOST;
    case 6:
        if (cr_may_name_session(name, 6)) head->may_name_session = true;
        if (!text_is(name, 6, "expect") || head->in_trailers || head->of_answer) return CR_OK;
        return each_element(head, value, length, read_expectation);
    case 7:
        if (cr_may_name_session(name, 7)) head->may_name_session = true;
        if (!text_is(name, 7, "upgrade") || head->in_trailers) return CR_OK;
        return each_element(head, value, length, read_upgrade);
    case 10:
        if (!text_is(name, 10, "connection") || head->in_trailers) return CR_OK;
        return each_element(head, value, length, read_connection);
    case 14:
        if (!text_is(name, 14, "content-length")) return CR_OK;
        return head->in_trailers ? CR_BAD_TRAILER : read_length(head, value, length);
    case 17:
        if (!text_is(name, 17, "transfer-encoding")) return CR_OK;
        if (head->in_trailers) return CR_BAD_TRAILER;
        if (head->of_answer && head->has_coding) return CR_BAD_CODING;
        cr_request_error error = each_element(head, value, length, read_coding);
        return error ? error : head->has_coding ? CR_OK : CR_BAD_CODING;
    case 21:
        if (cr_may_name_session(name, 21)) head->may_name_session = true;
        return CR_OK;
    default:
        return CR_OK;
    }
}

static cr_request_error add_field(cr_head *head, const uint8_t *base) {
    uint32_t count = head->field_count + head->trailer_count;
    if (count == head->field_capacity) {
        uint32_t capacity = head->field_capacity * 2;
        bool is_inline = head->fields == head->inline_fields;
        cr_field *grown = realloc(is_inline ? NULL : head->fields, capacity * sizeof *grown);
        if (!grown) return CR_NO_MEMORY;
        if (is_inline) memcpy(grown, head->inline_fields, sizeof head->inline_fields);
        head->fields = grown;
        head->field_capacity = capacity;
    }
    head->fields[count] = head->current;
    if (head->in_trailers) {
        head->trailer_count++;
    } else {
        head->field_count++;
    }
    return read_field(head, base, &head->current);
}

/* A length beyond 63 bits is rejected, since others might parse it differently. */
static cr_request_error check_answer(const cr_head *head) {
    if (head->has_length && head->content_length > INT64_MAX) return CR_BAD_LENGTH;
    return head->has_coding && head->has_length ? CR_LENGTH_AND_CODING : CR_OK;
}

/* Checks that need the complete head. */
static cr_request_error check_head(const cr_head *head) {
    if (head->in_trailers) return CR_OK;
    if (head->of_answer) return check_answer(head);
    if (head->has_coding && head->version_minor == 0) return CR_CODING_IN_1_0;
    if (head->has_coding && head->has_length) return CR_LENGTH_AND_CODING;
    if (!head->has_host && head->version_minor == 1) return CR_BAD_HOST;
    return CR_OK;
}

/* ---- The request line ---------------------------------------------------------------------------------------- */

/* Parses the version: the text between the second space and the CR. */
static cr_request_error read_version(cr_head *head, const uint8_t *version, size_t length) {
    if (length != 8 || memcmp(version, "HTTP/", 5) != 0 || version[6] != '.') return CR_BAD_VERSION;
    if (version[5] < '0' || version[5] > '9' || version[7] < '0' || version[7] > '9') return CR_BAD_VERSION;
    if (version[5] != '1') return CR_UNSUPPORTED_VERSION;
    head->version_minor = version[7] == '0' ? 0 : 1;
    return CR_OK;
}

/* Parses the three digits of a status. */
static cr_request_error read_status(cr_head *head, const uint8_t *digits, size_t length) {
    if (length != 3 || digits[0] == '0') return CR_BAD_STATUS;
    for (int i = 0; i < 3; i++) {
        if (digits[i] < '0' || digits[i] > '9') return CR_BAD_STATUS;
        head->status = (uint16_t)(head->status * 10 + (digits[i] - '0'));
    }
    return CR_OK;
}

static cr_request_error too_large(const cr_head *head) {
    return head->state == STATE_TARGET ? CR_TARGET_TOO_LONG : CR_HEAD_TOO_LARGE;
}

/* ---- The machine: lines end with CR LF or a lone LF (RFC 9112 section 2.2), never with a lone CR ----------------- */

void cr_head_begin_trailers(cr_head *head, uint32_t position) {
    head->in_trailers = true;
    head->state = STATE_FIELD_START;
    head->position = position;
}

/* Skips bytes of one class from `at` on. Returns the position after them. */
static inline size_t skip(const uint8_t *base, size_t at, size_t length, uint8_t class) {
    while (at < length && (classes[base[at]] & class)) at++;
    return at;
}

/* Like `skip`, eight bytes at a time. For classes that contain all bytes from `min` on except DEL. */
static inline size_t skip_text(const uint8_t *base, size_t at, size_t length, uint8_t class, uint8_t min) {
    const uint64_t ones = UINT64_MAX / 255, highs = ones * 0x80;
    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && length - at >= sizeof ones) {
        uint64_t bytes;
        memcpy(&bytes, base + at, sizeof bytes);
        uint64_t deletes = bytes ^ (ones * 0x7f);
        /* The high bit of each byte below `min`, or DEL. A borrow may also set that of a byte after the first such. */
        uint64_t others = (((bytes - ones * min) & ~bytes) | ((deletes - ones) & ~deletes)) & highs;
        if (others) {
            at += (size_t)__builtin_ctzll(others) / 8;
            break;
        }
        at += sizeof bytes;
    }
    return skip(base, at, length, class);
}

#define REFUSE(reason) \
    do { \
        *error = (reason); \
        return CR_REFUSED; \
    } while (0)

#define CHECK(call) \
    do { \
        *error = (call); \
        if (*error) return CR_REFUSED; \
    } while (0)

/* Completes a head whose empty line ends at `at`. */
static cr_progress finish(cr_head *head, size_t at, cr_request_error *error) {
    CHECK(check_head(head));
    head->position = (uint32_t)at + 1;
    return CR_DONE;
}

/* Advances to the next byte, within the states of one line. */
#define NEXT \
    { \
        if (++at == length) break; \
        c = base[at]; \
    }

cr_progress cr_head_feed(
    cr_head *head, const uint8_t *base, size_t available, const cr_head_limits *limits, cr_request_error *error) {
    size_t length = available < limits->length ? available : limits->length;
    size_t at = head->position;
    while (at < length) {
        uint8_t c = base[at];
        switch (head->state) {
        case STATE_START:
            if (c == '\r' || c == '\n') {
                if (c == '\r') head->state = STATE_START_LF;
                at++;
                break;
            }
            head->mark = (uint32_t)at;
            head->state = STATE_METHOD;
            /* fall through */
        case STATE_METHOD:
            at = skip(base, at, length, TOKEN);
            if (at == length) break;
            if (base[at] != ' ' || at == head->mark) REFUSE(CR_BAD_METHOD);
            head->method = head->mark;
            head->method_length = (uint32_t)at - head->mark;
            head->mark = (uint32_t)at + 1;
            head->state = STATE_TARGET;
            NEXT
            /* fall through */
        case STATE_TARGET:
            at = skip_text(base, at, length, TARGET, 0x21);
            if (at - head->mark > limits->target) REFUSE(CR_TARGET_TOO_LONG);
            if (at == length) break;
            if (at == head->mark) REFUSE(CR_BAD_TARGET);
            if (base[at] == '\r' || base[at] == '\n') REFUSE(CR_BAD_VERSION);
            if (base[at] != ' ') REFUSE(CR_BAD_TARGET);
            head->target = head->mark;
            head->target_length = (uint32_t)at - head->mark;
            head->mark = (uint32_t)at + 1;
            head->state = STATE_VERSION;
            NEXT
            /* fall through */
        case STATE_VERSION:
            at = skip_text(base, at, length, VALUE, 0x20);
            if (at - head->mark > 8) REFUSE(CR_BAD_VERSION);
            if (at == length) break;
            CHECK(read_version(head, base + head->mark, at - head->mark));
            if (base[at] != '\r' && base[at] != '\n') REFUSE(CR_BAD_VERSION);
            head->state = base[at] == '\r' ? STATE_LINE_LF : STATE_FIELD_START;
            at++;
            break;
        case STATE_START_LF:
            if (c != '\n') REFUSE(CR_BAD_LINE_END);
            head->state = STATE_START;
            at++;
            break;
        case STATE_LINE_LF:
            if (c != '\n') REFUSE(CR_BAD_LINE_END);
            head->state = STATE_FIELD_START;
            NEXT
            /* fall through */
        case STATE_FIELD_START:
            if (c == '\r') {
                at++;
                head->state = STATE_END_LF;
                break;
            }
            if (c == '\n') return finish(head, at, error);
            if (c == ' ' || c == '\t') REFUSE(CR_BAD_FOLD);
            head->mark = (uint32_t)at;
            head->state = STATE_NAME;
            /* fall through */
        case STATE_NAME:
            at = skip(base, at, length, TOKEN);
            if (at == length) break;
            if (base[at] == ' ' || base[at] == '\t') REFUSE(CR_BAD_FIELD_SPACE);
            if (base[at] != ':' || at == head->mark) REFUSE(CR_BAD_FIELD_NAME);
            head->current.name = head->mark;
            head->current.name_length = (uint32_t)at - head->mark;
            head->state = STATE_BEFORE_VALUE;
            NEXT
            /* fall through */
        case STATE_BEFORE_VALUE:
            while (at < length && (base[at] == ' ' || base[at] == '\t')) at++;
            if (at == length) break;
            head->mark = head->value_end = (uint32_t)at;
            head->state = STATE_VALUE;
            /* fall through */
        case STATE_VALUE: {
            size_t from = at;
            at = skip_text(base, at, length, VALUE, 0x20);
            size_t end = at;
            while (end > from && (base[end - 1] == ' ' || base[end - 1] == '\t')) end--;
            if (end > from) head->value_end = (uint32_t)end;
            if (at == length) break;
            if (base[at] != '\r' && base[at] != '\n') REFUSE(CR_BAD_FIELD_VALUE);
            head->current.value = head->mark;
            head->current.value_length = head->value_end - head->mark;
            head->state = STATE_VALUE_LF;
            if (base[at] == '\r') at++;
            if (at == length) break;
            c = base[at];
        }
            /* fall through */
        case STATE_VALUE_LF:
            if (c != '\n') REFUSE(CR_BAD_LINE_END);
            CHECK(add_field(head, base));
            at++;
            head->state = STATE_FIELD_START;
            break;
        case STATE_END_LF:
            if (c != '\n') REFUSE(CR_BAD_LINE_END);
            return finish(head, at, error);
        case STATE_PROTOCOL:
            at = skip(base, at, length, TARGET);
            if (at - head->mark > 8) REFUSE(CR_BAD_STATUS);
            if (at == length) break;
            if (base[at] != ' ') REFUSE(CR_BAD_STATUS);
            *error = read_version(head, base + head->mark, at - head->mark);
            if (*error) REFUSE(*error == CR_UNSUPPORTED_VERSION ? *error : CR_BAD_STATUS);
            head->mark = (uint32_t)at + 1;
            head->state = STATE_STATUS;
            NEXT
            /* fall through */
        case STATE_STATUS:
            at = skip(base, at, length, TARGET);
            if (at - head->mark > 3) REFUSE(CR_BAD_STATUS);
            if (at == length) break;
            CHECK(read_status(head, base + head->mark, at - head->mark));
            /* The space before an empty reason may be missing. */
            head->mark = (uint32_t)at + (base[at] == ' ');
            head->state = STATE_REASON;
            at = head->mark;
            if (at == length) break;
            /* fall through */
        case STATE_REASON:
            at = skip_text(base, at, length, VALUE, 0x20);
            if (at == length) break;
            if (base[at] != '\r' && base[at] != '\n') REFUSE(CR_BAD_STATUS);
            head->reason = head->mark;
            head->reason_length = (uint32_t)at - head->mark;
            head->state = base[at] == '\r' ? STATE_LINE_LF : STATE_FIELD_START;
            at++;
            break;
        }
    }
    head->position = (uint32_t)at;
    if (at >= limits->length) REFUSE(too_large(head));
    return CR_MORE;
}
