/* HTTP/2 in the clear on a connection that begins as HTTP/1.1: after `Upgrade: h2c` (RFC 7540 section 3.2), or because the
 * client begins with the preface of HTTP/2. */
#include "http2.h"

#include <string.h>

enum { SETTINGS_ROOM = 256 };

/* What the first request leaves to HTTP/2: a cr_request, then this, then the bytes of both. */
typedef struct carried {
    cr_request request; /* first, so that it is found by its address */
    bool is_head;
    size_t settings_length;
    uint8_t settings[SETTINGS_ROOM];
    uint8_t bytes[];
} carried;

static int digit(uint8_t c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '-' || c == '+' ? 62 : c == '_' || c == '/' ? 63 : -1;
}

/* Decodes base64url without its padding. Returns false if it is none, or too long. */
static bool decode(cr_span text, uint8_t *to, size_t *length) {
    uint32_t bits = 0;
    int count = 0;
    *length = 0;
    while (text.length && text.bytes[text.length - 1] == '=') text.length--;
    for (size_t i = 0; i < text.length; i++) {
        int value = digit(text.bytes[i]);
        if (value < 0 || *length == SETTINGS_ROOM) return false;
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        to[(*length)++] = (uint8_t)(bits >> count);
    }
    return *length % 6 == 0;
}

/* The value of HTTP2-Settings, if the request has it once. */
static bool read_settings(const cr_request *request, carried *to) {
    static const char name[] = "http2-settings";
    int count = 0;
    for (size_t i = 0; i < request->field_count; i++) {
        const cr_field *field = &request->fields[i];
        if (field->name_length != sizeof name - 1) continue;
        const uint8_t *text = request->head + field->name;
        size_t same = 0;
        while (same < sizeof name - 1 && (text[same] | (text[same] >= 'A' ? 0x20 : 0)) == name[same]) same++;
        if (same < sizeof name - 1) continue;
        cr_span value = {request->head + field->value, field->value_length};
        if (count++ || !decode(value, to->settings, &to->settings_length)) return false;
    }
    return count == 1;
}

static void *copy(uint8_t **at, const void *bytes, size_t length) {
    uint8_t *to = *at;
    if (length) memcpy(to, bytes, length);
    *at += length;
    return to;
}

/* A copy of the request; NULL if it does not ask for HTTP/2 as it should, or memory is short. */
static carried *carry(const cr_request *request) {
    size_t count = request->field_count + request->trailer_count;
    carried *block = malloc(sizeof *block + count * sizeof(cr_field) + request->head_length + request->body_length);
    if (!block) return NULL;
    if (!read_settings(request, block)) {
        free(block);
        return NULL;
    }
    block->request = *request;
    block->is_head = request->method_length == 4 && memcmp(request->head + request->method, "HEAD", 4) == 0;
    uint8_t *at = block->bytes;
    block->request.fields = copy(&at, request->fields, count * sizeof(cr_field));
    block->request.head = copy(&at, request->head, request->head_length);
    block->request.body = copy(&at, request->body, request->body_length);
    return block;
}

bool cr_http2_upgrade(cr_conn *conn, const cr_request *request) {
    if (!cr_service_of(conn->loop)->config.plain_http2 || request->secure || !cr_http2_is_available()) return false;
    conn->carried = carry(request);
    if (!conn->carried) return false;
    static const char reason[] = "Switching Protocols";
    uint8_t text[CR_STATUS_LINE_ROOM + sizeof reason + 2 * (CR_FIELD_ROOM + 20) + 2], *at = text;
    at += cr_put_status_line(at, 101, (const uint8_t *)reason, sizeof reason - 1);
    at += cr_put_field(at, (const uint8_t *)"Connection", 10, (const uint8_t *)"Upgrade", 7);
    at += cr_put_field(at, (const uint8_t *)"Upgrade", 7, (const uint8_t *)"h2c", 3);
    memcpy(at, "\r\n", 2);
    cr_conn_send(conn, text, (size_t)(at + 2 - text));
    return true;
}

bool cr_http2_take_carried(cr_conn *conn) {
    carried *carried = conn->carried;
    conn->carried = NULL;
    if (!carried) return true;
    cr_http2_stream *stream = cr_http2_stream_new(conn, 1);
    if (!stream || cr_nghttp2.nghttp2_session_upgrade2(cr_http2_of(conn)->session, carried->settings,
                                                       carried->settings_length, carried->is_head, stream)) {
        free(carried);
        return false;
    }
    cr_http2_of(conn)->last_begun = 1;
    /* These settings were part of a request: it has still to begin to speak HTTP/2. */
    cr_http2_of(conn)->ready = false;
    stream->carried = (uint8_t *)carried;
    stream->head_ended = stream->input_ended = true;
    cr_http2_note(stream, CR_HTTP2_ASK);
    return true;
}

cr_fault cr_http2_check_preface(cr_conn *conn) {
    if (conn->transport->secure) return CR_UNSUPPORTED_VERSION;
    if (!cr_service_of(conn->loop)->config.plain_http2) return CR_HTTP2_OFF;
    return cr_http2_is_available() ? CR_OK : CR_HTTP2_MISSING;
}
