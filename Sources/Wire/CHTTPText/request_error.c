#include "cr_http.h"

typedef struct error_row {
    int status;
    const char *text;
} error_row;

static const error_row rows[] = {
    [CR_OK] = {200, "OK"},
    [CR_PLAIN_ON_TLS_PORT] = {400, "this port speaks HTTPS: use https:// instead of http://"},
    [CR_TLS_ON_PLAIN_PORT] = {400,
        "begins with a TLS handshake; this port speaks plain HTTP (use --https-port or --tls auto)"},
    [CR_BAD_METHOD] = {400, "the method is not a token"},
    [CR_BAD_TARGET] = {400, "the request target is not a path, an absolute URL, an authority or *"},
    [CR_BAD_ESCAPE] = {400, "the path has a % without two hex digits after it"},
    [CR_BAD_ROOT] = {400, "the path climbs above the root"},
    [CR_BAD_VERSION] = {400, "the request line does not end with HTTP/1.0 or HTTP/1.1"},
    [CR_BAD_LINE_END] = {400, "the head contains a lone CR"},
    [CR_BAD_FIELD_NAME] = {400, "a header name is not a token"},
    [CR_BAD_FIELD_SPACE] = {400, "a header has white space before its colon"},
    [CR_BAD_FIELD_VALUE] = {400, "a header value has a control character"},
    [CR_BAD_FOLD] = {400, "a header is folded over several lines"},
    [CR_BAD_HOST] = {400, "HTTP/1.1 needs exactly one Host header"},
    [CR_INVALID_HOST] = {400, "the Host header is no host with a port"},
    [CR_INVALID_TARGET_HOST] = {400, "the authority of the request target is no host with a port"},
    [CR_BAD_EXPECTATION] = {417, "the only expectation that can be met is 100-continue"},
    [CR_BAD_LENGTH] = {400, "Content-Length is not a number"},
    [CR_LENGTHS_DIFFER] = {400, "several Content-Length headers differ"},
    [CR_LENGTH_AND_CODING] = {400, "both Content-Length and Transfer-Encoding are given"},
    [CR_CODING_IN_1_0] = {400, "HTTP/1.0 has no Transfer-Encoding"},
    [CR_BAD_CODING] = {400, "Transfer-Encoding must name chunked once, and last"},
    [CR_BAD_CHUNK_SIZE] = {400, "a chunk size is not a hexadecimal number"},
    [CR_BAD_CHUNK_END] = {400, "a chunk does not have its stated size"},
    [CR_BAD_TRAILER] = {400, "a trailer field would change the framing of the message"},
    [CR_UNSUPPORTED_CODING] = {501, "the only supported Transfer-Encoding is chunked"},
    [CR_UNSUPPORTED_VERSION] = {505, "the supported HTTP versions are 1.0 and 1.1"},
    [CR_HTTP2_OFF] = {505, "HTTP/2 without TLS is switched off"},
    [CR_HTTP2_MISSING] = {505,
        "HTTP/2 needs nghttp2: install its library (Debian and Ubuntu: libnghttp2-14; Homebrew: libnghttp2)"},
    [CR_TARGET_TOO_LONG] = {414, "the request target is longer than the limit"},
    [CR_HEAD_TOO_LARGE] = {431, "the request head is larger than the limit"},
    [CR_BODY_TOO_LARGE] = {413, "the request body is larger than the limit"},
    [CR_HEAD_TOO_SLOW] = {408, "the request head did not arrive in time"},
    [CR_BODY_TOO_SLOW] = {408, "the request body did not arrive in time"},
    [CR_NO_MEMORY] = {503, "out of memory for the request"},
    [CR_MEMORY_FULL] = {503, "the memory limit of the server has no room for the request body; try again later"},
    [CR_BAD_STATUS] = {502, "it begins with no status line of HTTP/1.0 or HTTP/1.1"},
    [CR_LENGTH_TWICE] = {502, "several Content-Length headers are given"},
    [CR_IS_HTTP2] = {502, "it speaks HTTP/2 alone"},
    [CR_IS_TLS] = {502, "it speaks TLS, and is called by https://"},
    [CR_UNEXPECTED_SWITCH] = {502, "it switched to another protocol, which nobody had asked for"},
    [CR_TOO_MANY_FIELDS] = {502, "the header fields are more than the limit"},
    [CR_TOO_MANY_INFORMATIONAL] = {502, "the informational answers are more than the limit"},
    [CR_TOO_MUCH_CHUNK_TEXT] = {400, "the chunks have more extensions than data"},
    [CR_ENDED_BEFORE] = {502, "the connection ended without an answer"},
    [CR_ENDED_IN_HEAD] = {502, "the connection ended before the end of the head"},
    [CR_ENDED_IN_BODY] = {502, "the connection ended before the end of the body"},
};

int cr_request_error_status(cr_request_error error) {
    return rows[error].status;
}

const char *cr_request_error_text(cr_request_error error) {
    return rows[error].text;
}

const char *cr_status_phrase(int status) {
    switch (status) {
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 417: return "Expectation Failed";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Bad Request";
    }
}
