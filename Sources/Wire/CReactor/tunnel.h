/* Tunnels: relay bytes between a client's connection and a server, each direction until its end. What one side does not
 * take yet is buffered, at most one read, and the other side is not read meanwhile. */
#ifndef CR_TUNNEL_H
#define CR_TUNNEL_H

#include "conn.h"

typedef struct cr_tunnel cr_tunnel;

/* The server's side. */
typedef struct cr_tunnel_server {
    /* Sends bytes, and buffers what the server does not take yet: `full` is set meanwhile. */
    void (*send)(cr_tunnel *tunnel, const uint8_t *bytes, size_t length);
    /* Ends our side after the buffered bytes. */
    void (*finish)(cr_tunnel *tunnel);
    /* Sets whether the server is read. */
    void (*read)(cr_tunnel *tunnel, bool reads);
    /* Ends both directions at once; with a reset if the client broke off. */
    void (*close)(cr_tunnel *tunnel);
} cr_tunnel_server;

/* The first member of a server side's state. */
struct cr_tunnel {
    cr_continuation continuation;
    cr_conn *conn;     /* the client's, which may still be sending the answer before */
    const cr_tunnel_server *server; /* NULL once the server side has ended both directions */
    bool open;         /* the connection speaks the tunnel's protocol */
    bool full;         /* the server side buffers bytes */
    bool broken;       /* the server broke off: reset the client's connection */
    bool client_broke; /* the client broke off: reset the server's, see `close` */
    bool client_ended, server_ended; /* that side has ended its direction */
    bool timed_out;    /* ends because neither side sent anything for too long */
    uint64_t up, down; /* bytes received from the client, and from the server */
    cr_tunnel_ended *ended;
    void *context;
};

/* ---- tunnel.c: the client's side ---- */

/* Creates a tunnel of `size` bytes, zero but for its first member, which starts after the reply and belongs to the
 * client's connection. Returns NULL if the protocol has no upgrade or memory is short. */
void *cr_tunnel_begin(
    cr_stream *stream, size_t size, const cr_tunnel_server *server, cr_tunnel_ended *ended, void *context);
/* Sends bytes of the server to the client. This and the next function may free the tunnel. */
void cr_tunnel_forward(cr_tunnel *tunnel, const uint8_t *bytes, size_t length);
/* Acts on changes of the server's side: forwards its end, adjusts reading of both sides, and waits. */
void cr_tunnel_update(cr_tunnel *tunnel);

#endif
