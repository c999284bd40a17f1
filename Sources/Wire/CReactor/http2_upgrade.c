/* HTTP/2 without TLS on a connection that begins as HTTP/1.1: after `Upgrade: h2c` (RFC 7540 section 3.2), or with the
 * HTTP/2 client preface. */
#include "http2.h"

#include <string.h>

enum { SETTINGS_ROOM = 256 };

/* What HTTP/1.1 hands to HTTP/2: the request and its settings, then the bytes of both. */
typedef struct h2c_upgrade {
    cr_request request; /* first: a cast converts between both */
    bool is_head;
    size_t settings_length;
    uint8_t settings[SETTINGS_ROOM];
    uint8_t bytes[];
} h2c_upgrade;

static int digit(uint8_t c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '-' || c == '+' ? 62 : c == '_' || c == '/' ? 63 : -1;
}

/* Decodes base64url without padding. Returns false if it is invalid or too long. */
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

/* Parses HTTP2-Settings, which must occur once. */
static bool read_settings(const cr_request *request, h2c_upgrade *to) {
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

/* Copies the request. Returns NULL if its upgrade fields are wrong or memory is short. */
static h2c_upgrade *copy_request(const cr_request *request) {
    size_t count = request->field_count + request->trailer_count;
    h2c_upgrade *block = malloc(sizeof *block + count * sizeof(cr_field) + request->head_length + request->body_length);
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
    conn->upgrade_request = copy_request(request);
    if (!conn->upgrade_request) return false;
    static const char reason[] = "Switching Protocols";
    uint8_t text[CR_STATUS_LINE_ROOM + sizeof reason + 2 * (CR_FIELD_ROOM + 20) + 2], *at = text;
    at += cr_put_status_line(at, 101, (const uint8_t *)reason, sizeof reason - 1);
    at += cr_put_field(at, (const uint8_t *)"Connection", 10, (const uint8_t *)"Upgrade", 7);
    at += cr_put_field(at, (const uint8_t *)"Upgrade", 7, (const uint8_t *)"h2c", 3);
    memcpy(at, "\r\n", 2);
    cr_conn_send(conn, text, (size_t)(at + 2 - text));
    return true;
}

bool cr_http2_adopt_upgrade(cr_conn *conn) {
    h2c_upgrade *upgrade = conn->upgrade_request;
    conn->upgrade_request = NULL;
    if (!upgrade) return true;
    cr_http2_stream *stream = cr_http2_stream_new(conn, 1);
    if (!stream ||
        cr_nghttp2.nghttp2_session_upgrade2(
            cr_http2_of(conn)->session, upgrade->settings, upgrade->settings_length, upgrade->is_head, stream)) {
        free(upgrade);
        return false;
    }
    cr_http2_of(conn)->last_stream_id = 1;
    /* These settings came with the request; the client's HTTP/2 preface is still to come. */
    cr_http2_of(conn)->settings_received = false;
    stream->upgrade_request = (uint8_t *)upgrade;
    stream->head_ended = stream->input_ended = true;
    cr_http2_schedule(stream, CR_HTTP2_DISPATCH);
    return true;
}

cr_request_error cr_http2_check_preface(cr_conn *conn) {
    if (conn->transport->secure) return CR_UNSUPPORTED_VERSION;
    if (!cr_service_of(conn->loop)->config.plain_http2) return CR_HTTP2_OFF;
    return cr_http2_is_available() ? CR_OK : CR_HTTP2_MISSING;
}
