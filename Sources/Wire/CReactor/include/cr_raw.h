/* Raw connections to servers: bytes in both directions, with or without TLS, for protocols of other layers.
 *
 * All on the loop's thread. No callback runs inside the function that caused it. */
#ifndef CR_RAW_H
#define CR_RAW_H

#include "cr_call.h"

typedef struct cr_raw cr_raw;

/* Why a connection has ended. */
typedef enum cr_raw_code {
    CR_RAW_CLOSED,      /* the server closed it */
    CR_RAW_RESET,       /* the server or the system reset it; `os_error` says why */
    CR_RAW_UNREACHABLE, /* it could not be established; `os_error` says why */
    CR_RAW_TIMED_OUT,   /* connecting or the TLS handshake took longer than `connect_ms` */
    CR_RAW_DISTRUSTED,  /* the server's certificate is not trusted */
    CR_RAW_INSECURE,    /* the TLS handshake failed otherwise */
    CR_RAW_STOPPED      /* the loop has ended */
} cr_raw_code;

typedef struct cr_raw_hooks {
    /* Called once, when bytes may be sent. */
    void (*opened)(void *context);
    /* Called with received bytes, valid until it returns. */
    void (*received)(void *context, const uint8_t *bytes, size_t length);
    /* Called when all bytes that had to wait were written. May be NULL. */
    void (*drained)(void *context);
    /* Called once, as the last callback, unless cr_raw_close closed the connection. `text` is OpenSSL's reason, or
     * empty. */
    void (*ended)(void *context, cr_raw_code code, int os_error, const char *text);
} cr_raw_hooks;

/* Where to connect to. Everything is copied. */
typedef struct cr_raw_target {
    const char *path;            /* a Unix socket; NULL to use the addresses, */
    const cr_address *addresses; /* at least one, in order of preference */
    size_t address_count;
    uint16_t port;
    const char *name;    /* server name for TLS */
    cr_trust *trust;     /* NULL for a connection without TLS */
    uint32_t connect_ms; /* for all addresses and the handshake together */
    size_t max_unsent;   /* most bytes that may wait to be written */
} cr_raw_target;

/* Starts to connect. Returns NULL if memory is short. */
cr_raw *cr_raw_open(cr_loop *loop, const cr_raw_target *target, const cr_raw_hooks *hooks, void *context);
/* Queues a copy of the bytes. Everything queued in one loop iteration leaves in one write. Returns false, and queues
 * nothing, if the connection is not open, the limit `max_unsent` would be passed, or memory is short. */
bool cr_raw_send(cr_raw *raw, const void *bytes, size_t length);
/* Closes and frees the connection without another callback. Unsent bytes are dropped. Allowed inside a callback, but
 * not after `ended`. */
void cr_raw_close(cr_raw *raw);

#endif
