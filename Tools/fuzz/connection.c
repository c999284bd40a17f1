/* Fuzzes a whole connection over a pair of sockets: requests in any pieces, immediate or late replies, scripts of every
 * kind, held streams that continue or are cancelled, clients that close, reset or stop reading at any moment, and a
 * loop that ends in the middle.
 *
 * The input is a program: each byte is an action, some followed by an argument. Asserts that every reply ends exactly
 * once, that none is pending at the end, that the loop keeps no connection too long, and that it reads no script that
 * has ended or reached its hold. http2.c does the same with clients that send frames of HTTP/2. */
#include "http1.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 3, PENDING = 64, SCRIPTS = 20, STEPS = 5, RUNS = 256, EXTENSIONS = 64 };

/* A reply that has not ended. */
typedef struct run {
    cr_stream *stream; /* NULL if the slot is free */
    cr_step *script;   /* a copy, freed as soon as the loop must no longer read it */
    bool held;
} run;

static struct {
    cr_loop *loop;
    int clients[CLIENTS];
    cr_stream *pending[PENDING]; /* requests without an answer yet */
    int pending_count;
    run runs[RUNS];
    int replied, ended, extended;
    uint8_t mode; /* how the next requests are answered */
} world;

static cr_step scripts[SCRIPTS][STEPS];

#ifndef FUZZ_HTTP2
enum { FUZZ_HTTP2 = 0 };
#endif

/* An encoding other than HTTP/1.1: sends the kind of each step, and of heads and trailers the fields, a part at a
 * time. */
static cr_send send_frames(cr_stream *stream, uint64_t limit) {
    const cr_step *step = &stream->script[stream->step];
    uint8_t bytes[4096] = {step->kind};
    size_t length = 1;
    if (stream->conn->output.length) return CR_SEND_WAIT;
    cr_span payload = cr_payload(step), name, value, reason;
    int64_t status;
    if (step->kind == CR_STEP_BODY || step->kind == CR_STEP_RAW) {
        if (limit > sizeof bytes - 1) limit = sizeof bytes - 1;
        cr_span part = {NULL, 0};
        if (payload.length) part = cr_payload_at(stream->conn->loop, step, stream->step_sent, limit);
        assert(part.length == 0 || part.length <= payload.length - stream->step_sent);
        if (part.length) memcpy(bytes + 1, part.bytes, part.length);
        length += part.length;
        stream->step_sent += part.length;
        if (step->kind == CR_STEP_BODY) stream->body_sent += part.length;
    } else {
        if (step->kind == CR_STEP_HEAD) payload = cr_head_read(step, &status, &reason);
        while (cr_next_field(&payload, &name, &value) && length + name.length + value.length <= sizeof bytes) {
            memcpy(bytes + length, name.bytes, name.length);
            length += name.length;
            memcpy(bytes + length, value.bytes, value.length);
            length += value.length;
        }
        stream->step_sent = payload.length = 0;
    }
    if (!cr_conn_send(stream->conn, bytes, length)) return CR_SEND_CLOSED;
    cr_stream_count_sent(stream, length);
    stream->end_sent = step->kind == CR_STEP_END;
    if (!stream->end_sent && stream->step_sent == payload.length) cr_stream_next_step(stream);
    return CR_SEND_ON;
}

static cr_protocol frames; /* like HTTP/1.1, with send_frames */

static cr_step *copy_of(unsigned which) {
    cr_step *copy = malloc(sizeof scripts[0]);
    assert(copy);
    memcpy(copy, scripts[which % SCRIPTS], sizeof scripts[0]);
    return copy;
}

static void reply(cr_stream *stream, unsigned which) {
    unsigned offset = 0;
    while (world.runs[offset].stream) offset++;
    assert(offset < RUNS);
    world.runs[offset] = (run){.stream = stream, .script = copy_of(which)};
    world.replied++;
    cr_stream_reply(stream, world.runs[offset].script, (cr_observer){{0x1234, 0x5678, offset}});
}

static run *run_of(cr_observer observer) {
    assert(observer.opaque[0] == 0x1234 && observer.opaque[1] == 0x5678 && observer.opaque[2] < RUNS);
    run *run = &world.runs[observer.opaque[2]];
    assert(run->stream);
    return run;
}

static void release(run *run) {
    free(run->script);
    run->script = NULL;
}

/* Resumes a held run: after its HOLD, or with another script after MORE. */
static void resume(run *run, unsigned which) {
    assert(run->held);
    run->held = false;
    if (run->script) {
        cr_stream_release(run->stream);
        return;
    }
    run->script = copy_of(which);
    world.extended++;
    cr_stream_extend(run->stream, run->script);
}

static void on_request(void *context, cr_stream *stream, const cr_request *request) {
    assert(context == &world);
    /* Reads every byte of the request. */
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < request->head_length; i++) sum ^= request->head[i];
    for (size_t i = 0; i < request->body_length; i++) sum ^= request->body[i];
    if (world.mode & 0x80 && world.pending_count < PENDING) {
        world.pending[world.pending_count++] = stream;
    } else {
        /* Some streams accept input after their requests, and some connections switch protocols after an answer. */
        if (world.replied % 3 == 1) cr_stream_accept_input(stream);
        if (world.replied % 3 == 2) cr_stream_upgrade(stream, &frames);
        reply(stream, world.mode);
    }
}

static void answer_pending(unsigned which, unsigned script) {
    if (world.pending_count == 0) return;
    which %= (unsigned)world.pending_count;
    cr_stream *stream = world.pending[which];
    world.pending[which] = world.pending[--world.pending_count];
    reply(stream, script);
}

static void on_end(void *context, cr_observer observer, const cr_end *end) {
    assert(context == &world);
    run *run = run_of(observer);
    release(run);
    run->stream = NULL;
    assert(end->bytes_sent == 0 || end->first_byte_ns != 0);
    world.ended++;
    /* An end may let the next request be answered. */
    if (world.mode & 0x40) answer_pending(0, world.mode);
}

static void on_hold(void *context, cr_stream *stream, cr_observer observer, const cr_step *step) {
    assert(context == &world);
    run *run = run_of(observer);
    assert(run->stream == stream && !run->held);
    assert(step->kind == CR_STEP_HOLD || step->kind == CR_STEP_MORE);
    if (step->kind == CR_STEP_MORE) release(run);
    run->held = true;
    /* The rest may be available already. */
    if (world.mode & 0x20 && world.extended < EXTENSIONS) resume(run, world.mode + (unsigned)world.extended);
}

static void on_input(void *context, cr_stream *stream, cr_observer observer, const uint8_t *bytes, size_t length) {
    assert(context == &world && length > 0);
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < length; i++) sum ^= bytes[i];
    run *run = run_of(observer);
    assert(run->stream == stream);
    if (bytes[0] & 1) cr_stream_set_input_reading(stream, bytes[0] & 2);
    if (run->held && world.mode & 0x20 && world.extended < EXTENSIONS) resume(run, bytes[0]);
}

static void on_refusal(void *context, int status, const char *reason, const char *peer) {
    assert(context == &world && status >= 400 && reason[0] && peer[0]);
}

static void on_log(void *context, const char *text) {
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
    /* The first reference is this function's. */
    static cr_accept_config http1 = {.users = 1, .protocol = &cr_http1_protocol},
                            framed = {.users = 1, .protocol = &frames};
    cr_conn_open(world.loop, ends[1], &peer, world.mode & 0x10 && !FUZZ_HTTP2 ? &framed : &http1);
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0";
    if (FUZZ_HTTP2) (void)!send(ends[0], preface, sizeof preface, MSG_NOSIGNAL);
}

/* Sends a frame of HTTP/2: the kind, the flags and the stream are the first three bytes, the rest is the payload. */
static void send_frame(int fd, const uint8_t *bytes, size_t length) {
    if (length < 3) return;
    uint8_t head[9] = {0, 0, (uint8_t)(length - 3), bytes[0], bytes[1], 0, 0, 0, bytes[2]};
    (void)!send(fd, head, sizeof head, MSG_NOSIGNAL);
    (void)!send(fd, bytes + 3, length - 3, MSG_NOSIGNAL);
}

/* Sends a whole request of HTTP/2, on one stream after another; every third one opens a WebSocket, with the first of
 * its input. */
static void send_request_frame(int fd, int which) {
    static uint8_t streams[CLIENTS];
    if (world.replied == 0) streams[which] = 0;
    uint8_t id = (uint8_t)(streams[which]++ * 2 + 1);
    if (streams[which] % 3 == 2) {
        uint8_t channel[] = "\1\4\0\2\7CONNECT\0\11:protocol\11websocket\x86\x84\x41\1a",
                input[] = {0, 0, id, 1, id, 7};
        channel[2] = id;
        send_frame(fd, channel, sizeof channel - 1);
        send_frame(fd, input, sizeof input);
        return;
    }
    uint8_t frame[] = {1, 5, id, 0x82, 0x86, 0x84, 0x41, 1, 'a'};
    send_frame(fd, frame, sizeof frame);
}

static void close_client(int which) {
    if (world.clients[which] >= 0) close(world.clients[which]);
    world.clients[which] = -1;
}

static void run_loop(int times) {
    for (int i = 0; i < times; i++) event_base_loop(world.loop->base, EVLOOP_NONBLOCK);
}

static void release_late(void *argument) {
    answer_pending((unsigned)(uintptr_t)argument, (unsigned)(uintptr_t)argument >> 4);
}

/* Continues a held stream, or cancels any running one. */
static void touch_run(void *argument) {
    unsigned how = (unsigned)(uintptr_t)argument, wanted = how >> 1 & 3;
    for (run *run = world.runs; run < world.runs + RUNS; run++) {
        if (!run->stream || (how & 1 && !run->held) || wanted-- > 0) continue;
        if (how & 1) {
            resume(run, how >> 3);
        } else {
            cr_stream_cancel(run->stream);
        }
        return;
    }
}

static void make_scripts(void) {
    static bool made;
    if (made) return;
    made = true;
    static uint8_t large[60000], lines[4096], rendered[128];
    memset(large, 'x', sizeof large);
    size_t length = cr_put_status_line(lines, 200, (const uint8_t *)"OK", 2);
    for (int i = 0; i < 40; i++) {
        length += cr_put_field(lines + length, (const uint8_t *)"Na:me", 5, (const uint8_t *)"va\xc3\xa9lue", 7);
    }
    static const uint8_t trailers[] = "Sum: 1\r\n";
    cr_step head = {.kind = CR_STEP_HEAD, .bytes = lines, .length = length, .chunked = true};
    cr_step plain = {.kind = CR_STEP_HEAD, .bytes = lines, .length = length};
    cr_step body = {.kind = CR_STEP_BODY, .bytes = large, .length = 300};
    cr_step torn = {.kind = CR_STEP_BODY, .bytes = large, .length = 5, .torn = true};
    cr_step framed = {.kind = CR_STEP_BODY, .bytes = large, .length = 20};
    size_t room = cr_rendered_length(&framed, true);
    assert(room <= sizeof rendered && cr_render(&framed, true, rendered) == room);
    assert(framed.lead == 4 && framed.trail == 2 && cr_payload(&framed).length == 20);
    cr_step empty = {.kind = CR_STEP_BODY, .bytes = large};
    cr_step much = {.kind = CR_STEP_RAW, .bytes = large, .length = sizeof large};
    cr_step chunk = {.kind = CR_STEP_BODY, .bytes = large, .length = sizeof large};
    cr_step fast = {.kind = CR_STEP_BODY, .bytes = large, .length = 5000, .rate = UINT32_MAX};
    cr_step slow = {.kind = CR_STEP_RAW, .bytes = large, .length = 5000, .rate = 1000};
    cr_step hour = {.kind = CR_STEP_WAIT, .nanoseconds = 3600000000000};
    cr_step moment = {.kind = CR_STEP_WAIT, .nanoseconds = 1};
    cr_step keep = {.kind = CR_STEP_END, .ending = CR_KEEP_ALIVE, .bytes = trailers, .length = sizeof trailers - 1};
    cr_step end = {.kind = CR_STEP_END, .ending = CR_CLOSE};
    cr_step fin = {.kind = CR_STEP_ABORT, .ending = CR_FIN}, hang = {.kind = CR_STEP_ABORT, .ending = CR_HANG};
    cr_step reset = {.kind = CR_STEP_ABORT, .ending = CR_RESET_STREAM, .rate = 8},
            rst = {.kind = CR_STEP_ABORT, .ending = CR_RST};
    cr_step away = {.kind = CR_STEP_ABORT, .ending = CR_GOAWAY, .nanoseconds = UINT64_MAX};
    cr_step garbage = {.kind = CR_STEP_ABORT, .ending = CR_GARBAGE};
    cr_step hold = {.kind = CR_STEP_HOLD, .bytes = trailers, .length = 3}, more = {.kind = CR_STEP_MORE};
#define SCRIPT(index, count, ...)                                                \
    memcpy(scripts[index], (cr_step[]){__VA_ARGS__}, (count) * sizeof(cr_step)); \
    assert(cr_script_is_sound(scripts[index], count))
    SCRIPT(0, 3, head, body, keep);
    SCRIPT(1, 5, empty, head, chunk, much, end);
    SCRIPT(2, 1, fin);
    SCRIPT(16, 3, head, body, hang);
    SCRIPT(17, 3, head, chunk, reset);
    SCRIPT(18, 3, plain, body, away);
    SCRIPT(19, 3, head, body, garbage);
    SCRIPT(3, 3, head, torn, rst);
    SCRIPT(4, 5, head, hour, hold, body, keep);
    SCRIPT(5, 5, moment, fast, moment, chunk, keep);
    SCRIPT(6, 2, slow, fin);
    SCRIPT(7, 1, keep);
    SCRIPT(8, 1, more);
    SCRIPT(9, 2, head, more);
    SCRIPT(10, 4, empty, much, plain, more);
    SCRIPT(11, 5, moment, body, hold, moment, more);
    SCRIPT(12, 2, slow, more);
    SCRIPT(13, 2, hour, more);
    SCRIPT(14, 5, head, framed, fast, much, more);
    SCRIPT(15, 5, hold, hold, plain, body, end);
#undef SCRIPT
    assert(!cr_script_is_sound((cr_step[]){head}, 1) && !cr_script_is_sound((cr_step[]){keep, keep}, 2));
    assert(!cr_script_is_sound((cr_step[]){more, keep}, 2) && !cr_script_is_sound((cr_step[]){hold}, 1));
    body.lead = body.trail = 200;
    assert(!cr_script_is_sound((cr_step[]){body, keep}, 2));
}

/* Executes one action. Returns the position after its argument. */
static const uint8_t *act(uint8_t action, const uint8_t *at, const uint8_t *end) {
    int which = action >> 4 & 3;
    if (which == CLIENTS) which = 0;
    size_t left = (size_t)(end - at);
    uint8_t argument = left ? *at : 0;
    switch (action & 15) {
    case 0: case 1: case 2: case 3: { /* sends up to 255 bytes that follow */
        size_t count = left > 1 ? (argument < left - 1 ? argument : left - 1) : 0;
        open_client(which);
        if (FUZZ_HTTP2 && !(action & 2)) {
            if (count && world.clients[which] >= 0) send_frame(world.clients[which], at + 1, count);
        } else if (count && world.clients[which] >= 0 && send(world.clients[which], at + 1, count, MSG_NOSIGNAL) < 0) {
            break;
        }
        run_loop(action & 1);
        return left ? at + 1 + count : at;
    }
    case 4:
        run_loop(1 + argument % 4);
        break;
    case 5:
        world.mode = argument;
        return left ? at + 1 : at;
    case 6:
        answer_pending(argument, argument >> 4);
        return left ? at + 1 : at;
    case 7:
        close_client(which);
        break;
    case 8:
        if (world.clients[which] >= 0) shutdown(world.clients[which], SHUT_WR);
        break;
    case 9: { /* reads what there is */
        uint8_t buffer[4096];
        while (world.clients[which] >= 0 && recv(world.clients[which], buffer, sizeof buffer, 0) > 0) run_loop(1);
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
    case 15:
        if (argument & 0x80) {
            cr_loop_post(world.loop, touch_run, (void *)(uintptr_t)(argument & 0x7f));
        } else {
            touch_run((void *)(uintptr_t)argument);
        }
        return left ? at + 1 : at;
    default: { /* a whole request */
        static const char request[] = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
        open_client(which);
        if (world.clients[which] < 0) break;
        if (FUZZ_HTTP2) send_request_frame(world.clients[which], which);
        else (void)!send(world.clients[which], request, sizeof request - 1, MSG_NOSIGNAL);
        break;
    }
    }
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    make_scripts();
    frames = cr_http1_protocol;
    frames.send = send_frames;
    memset(&world, 0, sizeof world);
    for (int i = 0; i < CLIENTS; i++) world.clients[i] = -1;
    cr_config config = cr_config_default();
    config.head.length = 512;
    config.head.target = 128;
    config.body_limit = 1024;
    config.connection_limit = 4;
    config.http2_extended_connect = true;
    cr_handler handler = {
        .context = &world,
        .on_request = on_request,
        .on_end = on_end,
        .on_refusal = on_refusal,
        .on_log = on_log,
        .on_hold = on_hold,
        .on_input = on_input,
    };
    world.loop = cr_loop_new(&config, &handler);
    if (!world.loop) return 0;

    const uint8_t *end = input + size;
    while (input < end) {
        uint8_t action = *input++;
        input = act(action, input, end);
    }
    run_loop(2);
    /* In half of the runs the loop ends before the last replies, as it does with slow handlers. */
    bool early = world.mode & 1;
    if (!early) {
        while (world.pending_count) answer_pending(0, 0);
    }
    for (int i = 0; i < CLIENTS; i++) close_client(i);
    if (!early) run_loop(3);
    if (early) cr_conn_close_all(world.loop);
    while (world.pending_count) answer_pending(0, 0);
    assert(!early || world.loop->connections == 0);
    cr_loop_free(world.loop);
    assert(world.replied == world.ended);
    return 0;
}
