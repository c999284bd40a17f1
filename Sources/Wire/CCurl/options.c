#include "pool.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static curl_socket_t open_socket(const struct curl_sockaddr *address)
{
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int fd = socket(address->family, address->socktype, address->protocol);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
#endif
}

/* As libcurl does it, but not inherited by programs that are run. */
static curl_socket_t on_open(void *argument, curlsocktype purpose, struct curl_sockaddr *address)
{
    (void)purpose;
    cu_pool *pool = argument;
    curl_socket_t fd = open_socket(address);
    if (fd != CURL_SOCKET_BAD) {
        pool->hooks.watch(pool->hooks.owner, fd, CU_OPENED);
    }
    return fd;
}

/* A socket is closed only when it is no longer watched. */
static int on_close(void *argument, curl_socket_t fd)
{
    cu_pool *pool = argument;
    pool->hooks.watch(pool->hooks.owner, fd, CU_CLOSED);
    return close(fd);
}

#if LIBCURL_VERSION_NUM >= 0x075000
/* Called on a connection in front of each request. A call comes here again where libcurl begins it anew, such as when a stream
 * of HTTP/2 was refused. */
static int on_request(void *argument, char *remote, char *local, int remote_port, int local_port)
{
    (void)remote, (void)local, (void)remote_port, (void)local_port;
    cu_call *call = argument;
    if (call->was_sent)
        return CURL_PREREQFUNC_ABORT;
    call->was_sent = true;
    return CURL_PREREQFUNC_OK;
}
#endif

/* Returns from the function with the first option that is refused. */
#define SET(option, value) \
    do { \
        CURLcode code = cu_curl.curl_easy_setopt(call->easy, option, value); \
        if (code != CURLE_OK) \
            return code; \
    } while (0)

static CURLcode set_callbacks(cu_call *call)
{
    SET(CURLOPT_PRIVATE, call);
    SET(CURLOPT_ERRORBUFFER, call->error);
    SET(CURLOPT_HEADERFUNCTION, cu_on_header);
    SET(CURLOPT_HEADERDATA, call);
    SET(CURLOPT_WRITEFUNCTION, cu_on_body);
    SET(CURLOPT_WRITEDATA, call);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
    SET(CURLOPT_OPENSOCKETDATA, call->pool);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
    SET(CURLOPT_CLOSESOCKETDATA, call->pool);
#if LIBCURL_VERSION_NUM >= 0x075000
    SET(CURLOPT_PREREQFUNCTION, on_request);
    SET(CURLOPT_PREREQDATA, call);
#endif
    return CURLE_OK;
}

static long http_version(const cu_request *request)
{
    if (!request->speaks_http2)
        return CURL_HTTP_VERSION_1_1;
    return strncmp(request->url, "http:", 5) == 0 ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS;
}

static CURLcode set_manners(cu_call *call, const cu_request *request)
{
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_BUFFERSIZE, (long)CU_BUFFER_SIZE);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_HTTP_VERSION, http_version(request));
    /* The environment has no say. */
    SET(CURLOPT_PROXY, request->proxy == NULL ? "" : request->proxy);
    SET(CURLOPT_NOPROXY, "");
    if (request->proxy_user != NULL) {
        SET(CURLOPT_PROXYUSERNAME, request->proxy_user);
        SET(CURLOPT_PROXYPASSWORD, request->proxy_password);
    }
    /* libcurl sends again what was sent on a connection that was used before, if that ends without an answer. */
    SET(CURLOPT_FRESH_CONNECT, 1L);
    SET(CURLOPT_FORBID_REUSE, 1L);
    return CURLE_OK;
}

static CURLcode on_context(CURL *easy, void *context, void *argument)
{
    (void)easy;
    cu_call *call = argument;
    if (!call->stopped)
        call->pool->hooks.secure(call->argument, context);
    return CURLE_OK;
}

static CURLcode set_trust(cu_call *call, const cu_request *request)
{
    const char *file = request->checks_certificate ? request->authorities : NULL;
    if (request->tells_security) {
        SET(CURLOPT_SSL_CTX_FUNCTION, on_context);
        SET(CURLOPT_SSL_CTX_DATA, call);
    }
    SET(CURLOPT_SSL_VERIFYPEER, request->checks_certificate ? 1L : 0L);
    SET(CURLOPT_SSL_VERIFYHOST, request->checks_certificate ? 2L : 0L);
    if (request->checks_certificate && file == NULL)
        return CURLE_OK;
    SET(CURLOPT_CAINFO, file);
    SET(CURLOPT_CAPATH, NULL);
    return CURLE_OK;
}

static CURLcode set_body(cu_call *call, const cu_request *request)
{
    if (request->kind == CU_BYTES) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        SET(CURLOPT_POSTFIELDS, (char *)call->body);
    } else if (request->kind != CU_NO_BODY) {
        SET(CURLOPT_UPLOAD, 1L);
        SET(CURLOPT_READFUNCTION, cu_on_read);
        SET(CURLOPT_READDATA, call);
        SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)(request->kind == CU_STREAM ? request->stream_length : -1));
        SET(CURLOPT_TRAILERFUNCTION, cu_on_trailers);
        SET(CURLOPT_TRAILERDATA, call);
    } else if (strcmp(request->method, "HEAD") == 0) {
        SET(CURLOPT_NOBODY, 1L);
    }
    call->ends_at_head = request->kind != CU_NO_BODY && strcmp(request->method, "HEAD") == 0;
    return CURLE_OK;
}

CURLcode cu_call_configure(cu_call *call, const cu_request *request)
{
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_REQUEST_TARGET, request->target);
    SET(CURLOPT_CUSTOMREQUEST, request->method);
    SET(CURLOPT_HTTPHEADER, call->fields);
    if (call->addresses != NULL)
        SET(CURLOPT_RESOLVE, call->addresses);
    if (call->connect_to != NULL)
        SET(CURLOPT_CONNECT_TO, call->connect_to);
    CURLcode code = set_callbacks(call);
    if (code == CURLE_OK)
        code = set_manners(call, request);
    if (code == CURLE_OK)
        code = set_trust(call, request);
    return code == CURLE_OK ? set_body(call, request) : code;
}
