/* A TLS client without a socket, for tests: the caller carries the bytes. Not thread-safe. */
#ifndef TLS_CLIENT_H
#define TLS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tls_client tls_client;

/* Strings may be NULL for the default. */
typedef struct tls_client_options {
    const char *server_name;
    const uint8_t *protocols; /* for ALPN, each preceded by its length */
    size_t protocols_length;
    int min_version, max_version;  /* such as 0x0303; 0 for OpenSSL's default */
    const char *trust;             /* PEM; NULL to trust every server */
    const char *certificate, *key; /* PEM */
    const char *ciphers;           /* for TLS 1.2 */
    const char *groups;
    tls_client *resumed;      /* the client whose session is resumed */
} tls_client_options;

/* Returns NULL if OpenSSL is not installed, or an option is invalid. */
tls_client *tls_client_new(const tls_client_options *options);
void tls_client_free(tls_client *client);

/* Adds bytes from the server. */
void tls_client_feed(tls_client *client, const uint8_t *bytes, size_t length);
/* Moves bytes for the server to `bytes`. Returns their number. */
size_t tls_client_read_output(tls_client *client, uint8_t *bytes, size_t room);

enum { TLS_CLIENT_ENDED = 0, TLS_CLIENT_WAITS = -1, TLS_CLIENT_FAILED = -2 };

/* Continues the handshake. Returns 1 when it is complete, otherwise one of the results above. */
int tls_client_handshake(tls_client *client);
/* Decrypts. Returns the number of bytes, or one of the results above. */
long tls_client_read(tls_client *client, uint8_t *bytes, size_t room);
/* Encrypts. Returns false on failure. */
bool tls_client_write(tls_client *client, const uint8_t *bytes, size_t length);
/* Sends close_notify. */
void tls_client_end(tls_client *client);
/* Requests a key update, which the server answers with its own. */
bool tls_client_update_keys(tls_client *client);

/* The error message of the last call that failed; empty if none has. */
const char *tls_client_problem(const tls_client *client);
const char *tls_client_version(const tls_client *client);
bool tls_client_is_resumed(const tls_client *client);
/* The protocol that ALPN has chosen. Returns its length; 0 for none. */
size_t tls_client_protocol(const tls_client *client, const uint8_t **name);
/* Writes the common name of the server's certificate; empty if it has none. */
void tls_client_server(const tls_client *client, char *name, size_t room);

#endif
