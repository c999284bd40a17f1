/* Raw connections to servers: bytes both ways, in the clear or over TLS, for protocols that other layers speak.
 *
 * All on the loop's thread. No hook is called before the function returns that led to it. */
#ifndef CR_RAW_H
#define CR_RAW_H

#include "cr_call.h"

typedef struct cr_raw cr_raw;

/* Why a connection has ended. */
typedef enum cr_raw_code {
    CR_RAW_CLOSED,      /* the server closed it */
    CR_RAW_RESET,       /* the server, or the system, reset it; `os_error` says why */
    CR_RAW_UNREACHABLE, /* it was not made; `os_error` says why */
    CR_RAW_TIMED_OUT,   /* it was not made, or the handshake not completed, within `connect_ms` */
    CR_RAW_DISTRUSTED,  /* the server's certificate is not good */
    CR_RAW_INSECURE,    /* the handshake has failed otherwise */
    CR_RAW_STOPPED      /* the loop has ended */
} cr_raw_code;

typedef struct cr_raw_hooks {
    /* Called once: bytes may be sent. */
    void (*opened)(void *context);
    /* Called with bytes that came, good until it returns. */
    void (*received)(void *context, const uint8_t *bytes, size_t length);
    /* Called when all bytes have left of which some had to wait. May be NULL. */
    void (*drained)(void *context);
    /* Called once and last, unless the connection was closed by `cr_raw_close`. `text` is what TLS has to say, or empty. */
    void (*ended)(void *context, cr_raw_code code, int os_error, const char *text);
} cr_raw_hooks;

/* Where a connection leads. All is copied. */
typedef struct cr_raw_place {
    const char *path;            /* of a Unix socket; NULL for addresses, */
    const cr_address *addresses; /* of which there is at least one, in the order in which they are preferred */
    size_t address_count;
    uint16_t port;
    const char *name;            /* of the server in TLS */
    cr_trust *trust;             /* NULL in the clear */
    uint32_t connect_ms;         /* for all addresses together and the handshake */
    size_t most_unsent;          /* bytes that wait for the server to take them */
} cr_raw_place;

/* Begins to connect. Returns NULL if memory is short. */
cr_raw *cr_raw_open(cr_loop *loop, const cr_raw_place *place, const cr_raw_hooks *hooks, void *context);
/* Sends bytes, which are copied: all that are sent while the loop sees to what has happened leave together. Returns false, and sends
 * none of them, if the connection is not open, more would wait than may, or memory is short. */
bool cr_raw_send(cr_raw *raw, const void *bytes, size_t length);
/* Closes the connection, and frees it; no hook is called any more. What has not left is dropped. Also within a hook, but not
 * after `ended`. */
void cr_raw_close(cr_raw *raw);

#endif
