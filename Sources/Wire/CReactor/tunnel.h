/* Tunnels: a client's connection whose bytes pass between it and a server as they are, each direction until its end. What one side
 * does not take yet is kept, one read at the most, and the other side is not read meanwhile. */
#ifndef CR_TUNNEL_H
#define CR_TUNNEL_H

#include "conn.h"

typedef struct cr_tunnel cr_tunnel;

/* The server's side. */
typedef struct cr_tunnel_server {
    /* Sends bytes, of which it keeps what the server does not take yet: `full` is set meanwhile. */
    void (*send)(cr_tunnel *tunnel, const uint8_t *bytes, size_t length);
    /* Ends our side, behind what is kept. */
    void (*finish)(cr_tunnel *tunnel);
    /* Begins or stops to read, or goes on as before. */
    void (*read)(cr_tunnel *tunnel, bool reads);
    /* Ends both sides at once: with a reset if the client has broken off. */
    void (*close)(cr_tunnel *tunnel);
} cr_tunnel_server;

/* The first member of what a server's side has. */
struct cr_tunnel {
    cr_sequel sequel;
    cr_conn *conn;                   /* the client's, which may still be sent the answer before */
    const cr_tunnel_server *server;  /* NULL once that has ended both sides */
    bool open;                       /* the connection speaks for it */
    bool full;                       /* the server has not taken all that came for it */
    bool broken;                     /* the server has broken off, and so must the client's connection */
    bool client_broke;               /* the client has broken off, and so must the server's: see `close` */
    bool client_ended, server_ended; /* nothing more comes from there */
    bool rested;                     /* it ends, since nothing has come from either side for too long */
    uint64_t up, down;               /* bytes that have come from the client, and from the server */
    cr_tunnel_ended *ended;
    void *context;
};

/* ---- tunnel.c: the client's side ---- */

/* Lets a tunnel of `size` bytes, zero but for its first member, follow the reply to a client, and belong to its connection. NULL if
 * that cannot have one, or memory is short. */
void *cr_tunnel_begin(cr_stream *stream, size_t size, const cr_tunnel_server *server, cr_tunnel_ended *ended,
                      void *context);
/* Passes on what has come from the server. The tunnel may be gone afterwards, as behind the next one. */
void cr_tunnel_bring(cr_tunnel *tunnel, const uint8_t *bytes, size_t length);
/* Acts on what has changed on the server's side: passes on its end, reads whatever side has room on the other one, and waits. */
void cr_tunnel_settle(cr_tunnel *tunnel);

#endif
