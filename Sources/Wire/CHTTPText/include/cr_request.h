/* A request as values: its texts are places in one block. */
#ifndef CR_REQUEST_H
#define CR_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct cr_client cr_client; /* the certificate that a client has shown */

/* A header or trailer field as offsets into the head block; white space around the value is left out. */
typedef struct cr_field {
    uint32_t name, name_length;
    uint32_t value, value_length;
} cr_field;

/* What connections of a listener may begin with. */
typedef enum cr_security {
    CR_PLAIN,
    CR_SECURED,
    CR_PLAIN_OR_SECURED /* as the first byte says */
} cr_security;

/* What a target says of the scheme. */
typedef enum cr_scheme {
    CR_SCHEME_UNTOLD, /* it is that of the connection */
    CR_SCHEME_HTTP,
    CR_SCHEME_HTTPS
} cr_scheme;

/* What the requests that come to one listener have in common. */
typedef struct cr_origin {
    uint64_t tag;     /* of cr_listen_tagged, 0 for other listeners */
    uint16_t port;    /* 0 for a Unix socket */
    uint8_t security; /* a cr_security; a request's own `secure` says what its connection has begun with */
} cr_origin;

/* A request. All pointers are valid only until on_request returns. */
typedef struct cr_request {
    const uint8_t *head; /* request line and fields, raw, followed by trailer fields */
    size_t head_length;
    uint32_t method, method_length; /* offsets into head, as all that follow */
    uint32_t target, target_length; /* as it was sent */
    uint32_t authority, authority_length; /* of an absolute-form or CONNECT target; else length 0 */
    uint32_t url, url_length;       /* path and query: no scheme, authority, fragment, nor an empty query */
    uint32_t path_length;           /* the part of url before the first `?` */
    uint8_t version_major, version_minor; /* 1.0, 1.1 or 2.0 */
    bool keep_alive;                /* the client wants the connection kept, and the loop is not draining */
    bool secure;                    /* the request came through TLS */
    uint8_t scheme;                 /* a cr_scheme: of an absolute-form target, or of `:scheme` */
    bool tunnelled;                 /* it came through a tunnel that was opened: see cr_stream_open_tunnel */
    bool streamed;                  /* the body is not in it: see cr_stream_accept_body */
    bool may_name_session;          /* it has a header field of a name for which cr_may_name_session is true */
    bool wants_websocket;           /* it has `Upgrade: websocket`, of HTTP/1.1 */
    cr_origin origin;
    cr_client *client;              /* the certificate that the client has shown (cr_tls.h); NULL if none */
    const cr_field *fields;         /* header fields, then trailer fields */
    size_t field_count;             /* header fields alone */
    size_t trailer_count;
    const uint8_t *body;
    size_t body_length;
    const char *peer;               /* the client's numeric address, "unix" for a Unix socket */
    size_t peer_length;
    uint16_t peer_port;
    uint64_t wall_ns;               /* the time at which the request was complete, in nanoseconds since 1970 */
    uint64_t clock_ns;              /* the same in monotonic nanoseconds */
} cr_request;

/* The number of bytes of a request in one block. */
static inline size_t cr_request_size(const cr_request *request) {
    size_t fields = (request->field_count + request->trailer_count) * sizeof(cr_field);
    return request->head_length + request->body_length + fields + request->peer_length;
}

/* Copies a request into one block of cr_request_size bytes: head, body, fields and the client's address. */
static inline void cr_request_copy(const cr_request *request, void *to) {
    uint8_t *at = (uint8_t *)to;
    memcpy(at, request->head, request->head_length);
    at += request->head_length;
    if (request->body_length) memcpy(at, request->body, request->body_length);
    at += request->body_length;
    size_t fields = (request->field_count + request->trailer_count) * sizeof(cr_field);
    if (fields) memcpy(at, request->fields, fields);
    memcpy(at + fields, request->peer, request->peer_length);
}

#endif
