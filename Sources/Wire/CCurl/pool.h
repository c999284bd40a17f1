/* A pool and its calls, as shared by the files of this folder. */
#ifndef CURL_POOL_H
#define CURL_POOL_H

#include "curl_library.h"

#include <poll.h>
#include <sys/queue.h>

enum {
    CU_HEAD_LIMIT = 1024 * 1024,  /* bytes of all heads and trailers of an answer */
    CU_FIELD_LIMIT = 5000,        /* their lines */
    CU_INFORMATION_LIMIT = 100,   /* heads before the final one */
    CU_BUFFER_SIZE = 64 * 1024,   /* one read */
    CU_IDLE_HANDLES = 64,         /* handles that are kept for later calls */
    CU_LAST_WORDS = 64 * 1024,    /* what is read of a connection that takes nothing more */
};

LIST_HEAD(cu_calls, cu_call);

/* What is to be done once libcurl has returned. */
enum cu_wish { CU_WISH_RECEIVE = 1, CU_WISH_SEND = 2, CU_WISH_END = 4 };

/* Both ends of a connection: addresses as `inet_ntop` writes them, and ports; empty and 0 where they are not known. */
typedef struct cu_ends {
    int local_port, remote_port;
    char local[46], remote[46];
} cu_ends;

/* What is known of an idle connection. */
typedef struct cu_use {
    cu_ends ends;
    cu_call *call;                /* that has chosen it, or NULL */
} cu_use;

struct cu_pool {
    cu_hooks hooks;
    CURLM *multi;
    struct cu_calls calls;
    struct cu_calls wishing;      /* those of `calls` with a wish */
    CURL *idle[CU_IDLE_HANDLES];
    int idle_count;
    int inside;                   /* the depth of calls into libcurl */
    bool settling;
    bool due;                     /* libcurl's timer is to expire at once */
    struct pollfd *quiet;         /* the sockets of idle connections, on which nothing has come */
    cu_use *quiet_uses;           /* one for each of them */
    size_t quiet_count, quiet_room;
};

/* Lines that came, one after another. */
typedef struct cu_lines {
    uint8_t *bytes;
    size_t length, room;
} cu_lines;

struct cu_call {
    LIST_ENTRY(cu_call) link;
    LIST_ENTRY(cu_call) wish_link;
    cu_pool *pool;
    CURL *easy;
    void *argument;               /* of the hooks */
    int wishes;                   /* bits of cu_wish */
    bool stopped;                 /* no hook is called any more */
    bool holds_receiving, holds_sending; /* as libcurl was told */

    struct curl_slist *fields, *addresses, *connect_to; /* each in one block */
    uint8_t *trailers;            /* the fields after the request's body, each ended by NUL */
    size_t trailers_length;
    enum cu_body kind;
    uint8_t *body;
    size_t body_length, body_at;

    cu_lines lines;               /* of the head that comes, then of the trailers */
    int fd;                       /* the socket that was last watched for the call, or -1 */
    bool is_plain;                /* without TLS */
    cu_lines last_words;          /* see cu_call_keep_last_words */
    size_t head_bytes, head_lines; /* of the whole answer */
    int informations;
    int status;                   /* of the head that comes */
    bool in_head, answered, too_large;
    bool is_once, was_sent, was_repeated;
    bool is_secure;               /* in TLS by OpenSSL */
    bool is_stale;                /* what came, or lies there, is no answer to this request: it is sent once more */
    bool is_cut;                  /* nothing more comes, while the request rests in the middle of its body */
    bool is_multiplexed;          /* the answer came in HTTP/2, among others */
    bool ends_at_head;            /* libcurl does not know that no body follows */
    char error[CURL_ERROR_SIZE];
};

/* Brackets a call into libcurl. What was wished meanwhile is done behind the outermost one, and so are its messages. */
void cu_pool_enter(cu_pool *pool);
void cu_pool_leave(cu_pool *pool);

/* A handle in its initial state; NULL without memory. */
CURL *cu_pool_take_handle(cu_pool *pool);
void cu_pool_give_handle(cu_pool *pool, CURL *easy, bool is_spent);

/* A connection is idle from now on, or no more. */
void cu_quiet_add(cu_pool *pool, int fd);
void cu_quiet_remove(cu_pool *pool, int fd);

/* A call has chosen the connection with these ends, or has let go of the one that it had chosen. */
void cu_quiet_use(cu_pool *pool, const cu_ends *ends, cu_call *call);
void cu_quiet_leave(cu_pool *pool, const cu_call *call);

/* Closes the idle connections on which anything came. What came can be no answer to a request that is still to be sent. */
void cu_quiet_check(cu_pool *pool);

/* Says the options of a call. */
CURLcode cu_call_configure(cu_call *call, const cu_request *request);

/* Takes the call off libcurl and frees it. Not within libcurl. */
void cu_call_free(cu_call *call);

/* A socket is about to be closed. A server that refuses an upload answers and closes, and its system resets the connection when
 * more of the upload comes; libcurl 7.88 sends before it reads, and gives up. The answer still lies on the socket. */
void cu_call_keep_last_words(cu_pool *pool, int fd);

/* A socket is new: whoever had one of its number has lost that. */
void cu_call_forget_socket(cu_pool *pool, int fd);

/* Tells that answer, unless the call has one. Not within libcurl. */
void cu_call_tell_last_words(cu_call *call);

/* Takes the call off libcurl, and tells what became of it, unless it was cancelled. Not within libcurl. */
void cu_call_end(cu_call *call, CURLcode code);

/* Does what is wished of the call. Not within libcurl. */
void cu_call_fulfil(cu_call *call);

/* libcurl's callbacks. */
size_t cu_on_header(char *bytes, size_t size, size_t count, void *call);
size_t cu_on_body(char *bytes, size_t size, size_t count, void *call);
size_t cu_on_read(char *room, size_t size, size_t count, void *call);
int cu_on_seek(void *call, curl_off_t offset, int origin);
int cu_on_trailers(struct curl_slist **list, void *call);

#endif
