/* A pool and its calls, as shared by the files of this folder. */
#ifndef CURL_POOL_H
#define CURL_POOL_H

#include "curl_library.h"

#include <sys/queue.h>

enum {
    CU_HEAD_LIMIT = 1024 * 1024,  /* bytes of all heads and trailers of an answer */
    CU_FIELD_LIMIT = 5000,        /* their lines */
    CU_INFORMATION_LIMIT = 100,   /* heads before the final one */
    CU_BUFFER_SIZE = 64 * 1024,   /* one read */
};

LIST_HEAD(cu_calls, cu_call);

/* What is to be done once libcurl has returned. */
enum cu_wish { CU_WISH_RECEIVE = 1, CU_WISH_SEND = 2, CU_WISH_END = 4 };

struct cu_pool {
    cu_hooks hooks;
    CURLM *multi;
    struct cu_calls calls;
    struct cu_calls wishing;      /* those of `calls` with a wish */
    struct cu_calls greeting;     /* those that expect the first frame of HTTP/2 in the clear */
    int inside;                   /* the depth of calls into libcurl */
    bool settling;
    bool due;                     /* libcurl's timer is to expire at once */
};

/* Lines that came, one after another. */
typedef struct cu_lines {
    uint8_t *bytes;
    size_t length, room;
} cu_lines;

struct cu_call {
    LIST_ENTRY(cu_call) link;
    LIST_ENTRY(cu_call) wish_link;
    LIST_ENTRY(cu_call) greeting_link;
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
    size_t head_bytes, head_lines; /* of the whole answer */
    int informations;
    int status;                   /* of the head that comes */
    bool in_head, answered, too_large;
    bool was_sent;
    bool greets;                  /* among `greeting` */
    bool speaks_http1;            /* HTTP/1 came in place of that frame */
    int fd;                       /* the socket from which it comes; -1 while there is none */
    bool is_cut;                  /* nothing more comes, while the request rests in the middle of its body */
    bool ends_at_head;            /* libcurl does not know that no body follows */
    char error[CURL_ERROR_SIZE];
};

/* Brackets a call into libcurl. What was wished meanwhile is done behind the outermost one, and so are its messages. */
void cu_pool_enter(cu_pool *pool);
void cu_pool_leave(cu_pool *pool);

/* Says the options of a call. */
CURLcode cu_call_configure(cu_call *call, const cu_request *request);

/* Takes the call off libcurl and frees it. Not within libcurl. */
void cu_call_free(cu_call *call);

/* Takes the call off libcurl, and tells what became of it, unless it was cancelled. Not within libcurl. */
void cu_call_end(cu_call *call, CURLcode code);

/* The first bytes of the other server have come, or nobody waits for them any more. */
void cu_call_end_greeting(cu_call *call);

/* Does what is wished of the call. Not within libcurl. */
void cu_call_fulfil(cu_call *call);

/* libcurl's callbacks. */
size_t cu_on_header(char *bytes, size_t size, size_t count, void *call);
size_t cu_on_body(char *bytes, size_t size, size_t count, void *call);
size_t cu_on_read(char *room, size_t size, size_t count, void *call);
int cu_on_trailers(struct curl_slist **list, void *call);

#endif
