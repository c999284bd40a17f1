/* Fuzzes a whole connection over a pair of sockets: requests in any pieces, replies at once or late, scripts of every
 * kind, clients that close, reset or stop reading at any moment, and a loop that ends in the middle.
 *
 * The input is a program: each byte is an action, some with an argument behind them. Asserted: every reply is ended
 * exactly once, nothing is owed at the end, and the loop holds no connection that it should not. */
#include "loop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 3, HELD = 64, SCRIPTS = 8 };

static struct {
    cr_loop *loop;
    int clients[CLIENTS];
    cr_stream *held[HELD]; /* asked, and not answered yet */
    int held_count;
    int replied, ended;
    uint8_t mode; /* how the next requests are answered */
} world;

static const cr_step *scripts[SCRIPTS];

static void reply(cr_stream *stream, unsigned which) {
    world.replied++;
    cr_stream_reply(stream, scripts[which % SCRIPTS], (cr_observer){{0x1234, 0x5678, 0x9abc}});
}

static void on_request(void *context, cr_stream *stream, const cr_request *request) {
    assert(context == &world);
    /* Reads every byte that it was given. */
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < request->head_length; i++) sum ^= request->head[i];
    for (size_t i = 0; i < request->body_length; i++) sum ^= request->body[i];
    if (world.mode & 0x80 && world.held_count < HELD) {
        world.held[world.held_count++] = stream;
    } else {
        reply(stream, world.mode);
    }
}

static void answer_held(unsigned which, unsigned script) {
    if (world.held_count == 0) return;
    which %= (unsigned)world.held_count;
    cr_stream *stream = world.held[which];
    world.held[which] = world.held[--world.held_count];
    reply(stream, script);
}

static void on_end(void *context, cr_observer observer, const cr_end *end) {
    assert(context == &world && observer.words[0] == 0x1234 && observer.words[1] == 0x5678);
    assert(end->bytes_sent == 0 || end->first_byte_ns != 0);
    world.ended++;
    /* An end may lead to the answer of another request. */
    if (world.mode & 0x40) answer_held(0, world.mode);
}

static void on_refusal(void *context, int status, const char *reason, const char *peer) {
    assert(context == &world && status >= 400 && reason[0] && peer[0]);
}

static void on_trouble(void *context, const char *text) {
    assert(context == &world && text[0]);
}

static void open_client(int which) {
    if (world.clients[which] >= 0) return;
    int ends[2], size = 4096;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
    world.clients[which] = ends[0];
    struct sockaddr peer = {.sa_family = AF_UNIX};
    cr_conn_open(world.loop, ends[1], &peer, 0);
}

static void close_client(int which) {
    if (world.clients[which] >= 0) close(world.clients[which]);
    world.clients[which] = -1;
}

static void turn(int times) {
    for (int i = 0; i < times; i++) event_base_loop(world.loop->base, EVLOOP_NONBLOCK);
}

static void release_late(void *argument) {
    answer_held((unsigned)(uintptr_t)argument, (unsigned)(uintptr_t)argument >> 4);
}

static const cr_step *checked(const cr_step *steps, size_t count) {
    assert(cr_script_is_sound(steps, count));
    return steps;
}

static void make_scripts(void) {
    if (scripts[0]) return;
    static const uint8_t head[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    static uint8_t large[60000];
    memset(large, 'x', sizeof large);
    cr_step send = {.kind = CR_STEP_SEND, .bytes = head, .length = 40};
    cr_step empty = {.kind = CR_STEP_SEND, .bytes = large};
    cr_step much = {.kind = CR_STEP_SEND, .bytes = large, .length = sizeof large};
    cr_step fast = {.kind = CR_STEP_PACE, .bytes = large, .length = 5000, .amount = 1000000000000};
    cr_step slow = {.kind = CR_STEP_PACE, .bytes = large, .length = 5000, .amount = 1000};
    cr_step hour = {.kind = CR_STEP_WAIT, .amount = 3600000000000};
    cr_step moment = {.kind = CR_STEP_WAIT, .amount = 1};
    cr_step keep = {.kind = CR_STEP_FINISH, .ending = CR_KEEP_ALIVE}, end = {.kind = CR_STEP_FINISH, .ending = CR_CLOSE};
    cr_step fin = {.kind = CR_STEP_ABORT, .ending = CR_FIN}, rst = {.kind = CR_STEP_ABORT, .ending = CR_RST};
    static cr_step steps[SCRIPTS][5];
#define SCRIPT(index, count, ...)                                              \
    memcpy(steps[index], (cr_step[]){__VA_ARGS__}, (count) * sizeof(cr_step)); \
    scripts[index] = checked(steps[index], count)
    SCRIPT(0, 2, send, keep);
    SCRIPT(1, 4, empty, send, much, end);
    SCRIPT(2, 1, fin);
    SCRIPT(3, 2, send, rst);
    SCRIPT(4, 4, send, hour, send, keep);
    SCRIPT(5, 5, moment, fast, moment, much, keep);
    SCRIPT(6, 2, slow, fin);
    SCRIPT(7, 1, keep);
#undef SCRIPT
    assert(!cr_script_is_sound((cr_step[]){send}, 1) && !cr_script_is_sound((cr_step[]){keep, keep}, 2));
}

/* One action; returns behind its argument. */
static const uint8_t *act(uint8_t action, const uint8_t *at, const uint8_t *end) {
    int which = action >> 4 & 3;
    if (which == CLIENTS) which = 0;
    size_t left = (size_t)(end - at);
    uint8_t argument = left ? *at : 0;
    switch (action & 15) {
    case 0: case 1: case 2: case 3: { /* sends up to 255 bytes that follow */
        size_t count = left > 1 ? (argument < left - 1 ? argument : left - 1) : 0;
        open_client(which);
        if (count && world.clients[which] >= 0 && send(world.clients[which], at + 1, count, MSG_NOSIGNAL) < 0) break;
        turn(action & 1);
        return left ? at + 1 + count : at;
    }
    case 4:
        turn(1 + argument % 4);
        break;
    case 5:
        world.mode = argument;
        return left ? at + 1 : at;
    case 6:
        answer_held(argument, argument >> 4);
        return left ? at + 1 : at;
    case 7:
        close_client(which);
        break;
    case 8:
        if (world.clients[which] >= 0) shutdown(world.clients[which], SHUT_WR);
        break;
    case 9: { /* reads what there is */
        uint8_t buffer[4096];
        while (world.clients[which] >= 0 && recv(world.clients[which], buffer, sizeof buffer, 0) > 0) turn(1);
        break;
    }
    case 10: /* every deadline has passed */
        world.loop->now_ns = cr_clock_ns() + (argument + 1ull) * 1000000000ull;
        cr_conn_sweep(world.loop, world.loop->now_ns);
        break;
    case 11:
        cr_loop_post(world.loop, release_late, (void *)(uintptr_t)argument);
        break;
    case 12:
        cr_conn_drain(world.loop);
        break;
    case 13:
        if (argument == 0x55) cr_loop_drain(world.loop, 1000);
        break;
    default: { /* a whole request */
        static const char request[] = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
        open_client(which);
        if (world.clients[which] >= 0) (void)!send(world.clients[which], request, sizeof request - 1, MSG_NOSIGNAL);
        turn(action & 1);
        break;
    }
    }
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    make_scripts();
    memset(&world, 0, sizeof world);
    for (int i = 0; i < CLIENTS; i++) world.clients[i] = -1;
    cr_config config = cr_config_default();
    config.head_limit = 512;
    config.target_limit = 128;
    config.body_limit = 1024;
    config.connection_limit = 4;
    cr_handler handler = {&world, on_request, on_end, on_refusal, on_trouble};
    world.loop = cr_loop_new(&config, &handler);
    if (!world.loop) return 0;

    const uint8_t *end = input + size;
    while (input < end) {
        uint8_t action = *input++;
        input = act(action, input, end);
    }
    turn(2);
    /* Half of the time the loop ends before the last replies are given, as it does for slow handlers. */
    bool early = world.mode & 1;
    if (!early) {
        while (world.held_count) answer_held(0, 0);
    }
    for (int i = 0; i < CLIENTS; i++) close_client(i);
    if (!early) turn(3);
    if (early) cr_conn_close_all(world.loop);
    while (world.held_count) answer_held(0, 0);
    assert(!early || world.loop->connections == 0);
    cr_loop_free(world.loop);
    assert(world.replied == world.ended);
    return 0;
}
