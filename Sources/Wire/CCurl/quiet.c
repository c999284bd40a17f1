#include "pool.h"

#include <stdlib.h>
#include <sys/socket.h>

/*
 * The idle connections. libcurl 7.88 notices that one has ended, but not that bytes lie on it: it would read them as the answer
 * to the next request.
 */

void cu_quiet_add(cu_pool *pool, int fd)
{
    if (pool->quiet_count == pool->quiet_room) {
        size_t room = pool->quiet_room == 0 ? 16 : 2 * pool->quiet_room;
        struct pollfd *grown = realloc(pool->quiet, room * sizeof *grown);
        if (grown == NULL) {
            /* What cannot be looked after is not used again. */
            (void)shutdown(fd, SHUT_RDWR);
            return;
        }
        pool->quiet = grown;
        pool->quiet_room = room;
    }
    pool->quiet[pool->quiet_count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static struct pollfd *find(const cu_pool *pool, int fd)
{
    for (size_t i = 0; i < pool->quiet_count; i++)
        if (pool->quiet[i].fd == fd)
            return &pool->quiet[i];
    return NULL;
}

void cu_quiet_remove(cu_pool *pool, int fd)
{
    struct pollfd *place = find(pool, fd);
    if (place != NULL)
        *place = pool->quiet[--pool->quiet_count];
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
            pool->quiet[i] = pool->quiet[--pool->quiet_count];
        }
}

void cu_pool_disturbed(cu_pool *pool, int fd)
{
    if (find(pool, fd) == NULL)
        return;
    end(fd);
    cu_quiet_remove(pool, fd);
}
