/* A client of TLS over bytes that another carries, for tests. For one thread at a time. */
#ifndef TLS_CLIENT_H
#define TLS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tls_client tls_client;

/* Texts may be NULL: nothing is said or shown then. */
typedef struct tls_client_options {
    const char *server_name;
    const uint8_t *protocols; /* for ALPN: each with its length before it */
    size_t protocols_length;
    int least, most;          /* versions, such as 0x0303; 0 for OpenSSL's own */
    const char *trust;        /* PEM; NULL trusts everyone */
    const char *certificate, *key; /* PEM */
    const char *ciphers;      /* of TLS 1.2 */
    const char *groups;
    tls_client *resumed;      /* whose session is resumed */
} tls_client_options;

/* NULL if OpenSSL is not there, or an option is wrong. */
tls_client *tls_client_new(const tls_client_options *options);
void tls_client_free(tls_client *client);

/* What came from the server. */
void tls_client_take(tls_client *client, const uint8_t *bytes, size_t length);
/* Moves what is to be sent to the server to `bytes`. Returns how many. */
size_t tls_client_give(tls_client *client, uint8_t *bytes, size_t room);

enum { TLS_CLIENT_ENDED = 0, TLS_CLIENT_WAITS = -1, TLS_CLIENT_FAILED = -2 };

/* Goes on with the handshake: 1 when it is complete, else one of the above. */
int tls_client_shake(tls_client *client);
/* Decrypts: the number of bytes, or one of the above. */
long tls_client_read(tls_client *client, uint8_t *bytes, size_t room);
/* Encrypts. Returns false if it failed. */
bool tls_client_write(tls_client *client, const uint8_t *bytes, size_t length);
/* Says that nothing more comes. */
void tls_client_end(tls_client *client);
/* Asks for new keys, which the server has to answer with its own. */
bool tls_client_update_keys(tls_client *client);

/* Why a call has failed; empty if none has. */
const char *tls_client_problem(const tls_client *client);
const char *tls_client_version(const tls_client *client);
bool tls_client_is_resumed(const tls_client *client);
/* What ALPN chose, with its length; 0 for nothing. */
size_t tls_client_protocol(const tls_client *client, const uint8_t **name);
/* Writes the common name of the server's certificate; empty if there is none. */
void tls_client_server(const tls_client *client, char *name, size_t room);

#endif
