#include "pool.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/*
 * The idle connections. libcurl 7.88 notices that one has ended, but not that bytes lie on it: it would read them as the answer
 * to the next request.
 *
 * A connection that a call has chosen stays here, with its user, until libcurl says what to watch it for. That may be never: an
 * answer that is there at once is read at once, and the call rests in the middle of it or has ended.
 */

/* The port of an address, which is written into `text`. */
static int write_end(const struct sockaddr_storage *address, char text[46])
{
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *end = (const struct sockaddr_in *)address;
        return inet_ntop(AF_INET, &end->sin_addr, text, 46) == NULL ? 0 : ntohs(end->sin_port);
    }
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *end = (const struct sockaddr_in6 *)address;
        return inet_ntop(AF_INET6, &end->sin6_addr, text, 46) == NULL ? 0 : ntohs(end->sin6_port);
    }
    return 0;
}

static cu_ends ends_of(int fd)
{
    cu_ends ends = { 0 };
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) == 0)
        ends.local_port = write_end(&address, ends.local);
    length = sizeof address;
    if (getpeername(fd, (struct sockaddr *)&address, &length) == 0)
        ends.remote_port = write_end(&address, ends.remote);
    return ends;
}

static bool are_equal(const cu_ends *a, const cu_ends *b)
{
    return a->local_port == b->local_port && a->remote_port == b->remote_port && a->local_port != 0
           && strcmp(a->local, b->local) == 0 && strcmp(a->remote, b->remote) == 0;
}

/* Makes room for one more. */
static bool grow(cu_pool *pool)
{
    if (pool->quiet_count < pool->quiet_room)
        return true;
    size_t room = pool->quiet_room == 0 ? 16 : 2 * pool->quiet_room;
    struct pollfd *places = realloc(pool->quiet, room * sizeof *places);
    if (places != NULL)
        pool->quiet = places;
    cu_use *uses = realloc(pool->quiet_uses, room * sizeof *uses);
    if (uses != NULL)
        pool->quiet_uses = uses;
    if (places == NULL || uses == NULL)
        return false;
    pool->quiet_room = room;
    return true;
}

void cu_quiet_add(cu_pool *pool, int fd)
{
    if (!grow(pool)) {
        /* What cannot be looked after is not used again. */
        (void)shutdown(fd, SHUT_RDWR);
        return;
    }
    pool->quiet_uses[pool->quiet_count] = (cu_use){ .ends = ends_of(fd) };
    pool->quiet[pool->quiet_count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* The index of a socket; `quiet_count` if it is not there. `poll` passes over those in use, whose numbers are inverted. */
static size_t find(const cu_pool *pool, int fd)
{
    size_t i = 0;
    while (i < pool->quiet_count && pool->quiet[i].fd != fd && pool->quiet[i].fd != ~fd)
        i++;
    return i;
}

static void remove_at(cu_pool *pool, size_t i)
{
    pool->quiet[i] = pool->quiet[--pool->quiet_count];
    pool->quiet_uses[i] = pool->quiet_uses[pool->quiet_count];
}

void cu_quiet_remove(cu_pool *pool, int fd)
{
    size_t i = find(pool, fd);
    if (i < pool->quiet_count)
        remove_at(pool, i);
}

void cu_quiet_use(cu_pool *pool, const cu_ends *ends, cu_call *call)
{
    for (size_t i = 0; i < pool->quiet_count; i++)
        if (are_equal(&pool->quiet_uses[i].ends, ends)) {
            pool->quiet_uses[i].call = call;
            if (pool->quiet[i].fd >= 0)
                pool->quiet[i].fd = ~pool->quiet[i].fd;
            return;
        }
}

void cu_quiet_leave(cu_pool *pool, const cu_call *call)
{
    for (size_t i = 0; i < pool->quiet_count; i++)
        if (pool->quiet_uses[i].call == call) {
            pool->quiet_uses[i].call = NULL;
            pool->quiet[i].fd = ~pool->quiet[i].fd;
        }
}

/* Ends a connection whose socket stays libcurl's: to that it looks like one that the server has closed, which it drops. After
 * the shutdown nothing more comes in, so that what has come can be taken out. */
static void end(int fd)
{
    char bytes[4096];
    if (shutdown(fd, SHUT_RDWR) == 0)
        while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
            ;
}

void cu_quiet_check(cu_pool *pool)
{
    if (pool->quiet_count == 0 || poll(pool->quiet, (nfds_t)pool->quiet_count, 0) <= 0)
        return;
    for (size_t i = pool->quiet_count; i-- > 0;)
        if (pool->quiet[i].revents != 0) {
            end(pool->quiet[i].fd);
            remove_at(pool, i);
        }
}

void cu_pool_disturbed(cu_pool *pool, int fd)
{
    size_t i = find(pool, fd);
    if (i == pool->quiet_count || pool->quiet_uses[i].call != NULL)
        return;
    end(fd);
    remove_at(pool, i);
}
