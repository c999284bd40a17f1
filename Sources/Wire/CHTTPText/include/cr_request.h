/* A request: offsets and pointers into one block. */
#ifndef CR_REQUEST_H
#define CR_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct cr_client_cert cr_client_cert; /* the certificate of a client */

/* A header or trailer field as offsets into the head, without white space around the value. */
typedef struct cr_field {
    uint32_t name, name_length;
    uint32_t value, value_length;
} cr_field;

/* What connections of a listener may begin with. */
typedef enum cr_security {
    CR_PLAIN,
    CR_SECURED,
    CR_PLAIN_OR_SECURED /* decided by the first byte */
} cr_security;

/* The scheme in a request target. */
typedef enum cr_scheme {
    CR_SCHEME_UNSPECIFIED, /* none: that of the connection */
    CR_SCHEME_HTTP,
    CR_SCHEME_HTTPS
} cr_scheme;

/* What all requests of one listener have in common. */
typedef struct cr_origin {
    uint64_t tag;     /* of cr_listen_tagged, 0 for other listeners */
    uint16_t port;    /* 0 for a Unix socket */
    uint8_t security; /* a cr_security; `secure` of a request is that of its connection */
} cr_origin;

/* A request. All pointers are valid only until on_request returns. */
typedef struct cr_request {
    const uint8_t *head; /* raw request line and fields, then trailer fields */
    size_t head_length;
    uint32_t method, method_length;       /* offsets into head, as all that follow */
    uint32_t target, target_length;       /* as sent */
    uint32_t authority, authority_length; /* of an absolute-form or CONNECT target; else length 0 */
    uint32_t url, url_length;             /* path and query without scheme, authority, fragment or empty query */
    uint32_t path_length;                 /* of url, before the first `?` */
    uint8_t version_major, version_minor; /* 1.0, 1.1 or 2.0 */
    bool keep_alive;                      /* the client keeps the connection open, and the loop is not draining */
    bool secure;                          /* the connection uses TLS */
    uint8_t scheme;                       /* a cr_scheme, of an absolute-form target or of `:scheme` */
    bool intercepted;                     /* came through an intercepted CONNECT: see cr_stream_intercept_tunnel */
    bool streamed;                        /* has no body here: see cr_stream_accept_body */
    bool may_name_session;                /* has a field for which cr_may_name_session is true */
    bool wants_websocket;                 /* `Upgrade: websocket` of HTTP/1.1, or its HTTP/2 equivalent */
    cr_origin origin;
    cr_client_cert *client; /* the client's certificate (cr_tls.h), or NULL */
    const cr_field *fields; /* header fields, then trailer fields */
    size_t field_count;     /* header fields only */
    size_t trailer_count;
    const uint8_t *body;
    size_t body_length;
    const char *peer;               /* numeric address; "unix" for a Unix socket */
    size_t peer_length;
    uint16_t peer_port;
    uint64_t wall_ns;  /* when the request was complete, in nanoseconds since 1970 */
    uint64_t clock_ns; /* the same, monotonic */
} cr_request;

/* The size of a request in one block. */
static inline size_t cr_request_size(const cr_request *request) {
    size_t fields = (request->field_count + request->trailer_count) * sizeof(cr_field);
    return request->head_length + request->body_length + fields + request->peer_length;
}

/* Copies head, body, fields and the client's address into one block of cr_request_size bytes. */
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
