/*
 * Fuzzes calls to servers, in HTTP/2 and HTTP/1.1: what a server sends, in any split, while the caller stops reading,
 * sends a body, cancels or is slow, and the loop ends.
 *
 * The input is a program: each byte is an action, some followed by an argument. Asserts that each call ends exactly
 * once with its last hook, that the hooks of an answer come in order, that a complete answer has a head, that nothing
 * is lost that a server sent before it ended an answer, that no call outlives its server, and that the quota gets every
 * connection back.
 */
#include "call.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CALLS = 3, CONNECTIONS = 8, MAX_STALLS = 2 };

/* What a call does in its hooks. */
enum { PAUSES = 1, CANCELS = 2, SENDS = 4, FINISHES = 8, STALLS = 16, RESUMES = 32 };

typedef struct place {
    cr_call *call; /* NULL once it has ended */
    int server;    /* -1 if there is none */
    uint8_t habits;
    bool begun, ended, cancelled, answered, paused, wanted, in_http2;
    uint64_t body;
} place;

static struct {
    cr_loop *loop;
    cr_quota *quota;
    cr_caller *caller;
    place places[CALLS];
    uint32_t acquired; /* connections of the quota that this file has acquired */
    int stalls;
} world;

/* ---- Hooks --------------------------------------------------------------------------------------------------- */

static void cancel(place *place) {
    if (!place->call) return;
    cr_call *call = place->call;
    place->call = NULL;
    place->cancelled = true;
    cr_call_cancel(call);
}

static void stall(void) {
    if (world.stalls++ >= MAX_STALLS) return;
    for (uint64_t end = cr_clock_ns() + 2 * CR_SLICE_NS; cr_clock_ns() < end;) {}
}

static void set_reading(place *place, bool reads) {
    if (!place->call) return;
    place->paused = !reads;
    cr_call_set_reading(place->call, reads);
}

static void react(place *place, uint8_t which) {
    assert(place->begun && !place->ended && !place->cancelled);
    if (which & place->habits & STALLS) stall();
    if (which & place->habits & PAUSES) set_reading(place, false);
    if (which & place->habits & RESUMES) set_reading(place, true);
    if (which & place->habits & CANCELS) cancel(place);
}

static void read_fields(const cr_answer *answer) {
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < answer->field_count; i++) {
        const cr_field *field = &answer->fields[i];
        assert((size_t)field->name + field->name_length <= answer->head_length);
        assert((size_t)field->value + field->value_length <= answer->head_length);
        for (uint32_t at = 0; at < field->name_length; at++) sum ^= answer->head[field->name + at];
        for (uint32_t at = 0; at < field->value_length; at++) {
            uint8_t c = answer->head[field->value + at];
            assert(c == '\t' || (c >= 0x20 && c != 0x7f));
        }
    }
}

static void on_information(void *context, const cr_answer *answer) {
    place *place = context;
    assert(!place->answered && answer->status >= 100 && answer->status < 200);
    read_fields(answer);
    react(place, STALLS | CANCELS);
}

static void on_answer(void *context, const cr_answer *answer) {
    place *place = context;
    assert(!place->answered && answer->status >= 200 && answer->in_http2 == place->in_http2);
    read_fields(answer);
    place->answered = true;
    react(place, STALLS | PAUSES);
}

static void on_body(void *context, const uint8_t *bytes, size_t length) {
    place *place = context;
    assert(place->answered && length);
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < length; i++) sum ^= bytes[i];
    place->body += length;
    react(place, STALLS | PAUSES | CANCELS | RESUMES);
}

static void send_body(place *place, size_t length) {
    static const uint8_t body[20000];
    if (place->call && place->wanted) {
        place->wanted = cr_call_send(place->call, body, length < sizeof body ? length : sizeof body);
    }
}

static void finish(place *place) {
    static const uint8_t trailers[] = "Sum: 1\r\n";
    if (place->call) cr_call_finish(place->call, trailers, sizeof trailers - 1);
}

static void on_want(void *context) {
    place *place = context;
    place->wanted = true;
    if (place->habits & SENDS) send_body(place, 9000);
    if (place->habits & FINISHES) finish(place);
    react(place, STALLS | CANCELS);
}

static void on_end(void *context, const cr_call_end *end) {
    place *place = context;
    assert(place->begun && !place->ended && !place->cancelled);
    assert(end->code != CR_CALL_DONE || (end->answered && place->answered));
    assert(end->answered == place->answered);
    read_fields(end->trailers);
    char text[CR_CALL_TEXT_ROOM];
    cr_call_describe(end, "a:1", 1000, text);
    assert(text[0]);
    place->ended = true;
    place->call = NULL;
}

static const cr_call_hooks hooks = {
    .informational = on_information, .head = on_answer, .body_data = on_body, .writable = on_want, .ended = on_end,
};

/* ---- Actions ------------------------------------------------------------------------------------------------- */

static void run_loop(int times) {
    for (int i = 0; i < times; i++) event_base_loop(world.loop->base, EVLOOP_NONBLOCK);
}

/* Starts a call on a socket pair: the quota has no connection to dial with. */
static void start(place *place, uint8_t how) {
    if (place->begun) return;
    int ends[2], size = 8192;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        if (how & 0x40) setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
    while (cr_quota_acquire_connection(world.quota)) world.acquired++;
    static const char head[] = "POST /a HTTP/1.1\r\nHost: a\r\nX-B: c\r\n\r\n";
    static const uint8_t body[30000];
    static const cr_address address = {.bytes = {127, 0, 0, 1}};
    place->begun = true;
    place->server = ends[0];
    place->in_http2 = !(how & 0x80);
    cr_call_request request = {
        .context = place,
        .name = "a",
        .port = 1,
        .addresses = &address,
        .address_count = 1,
        .head = (const uint8_t *)head,
        .head_length = sizeof head - 1,
        .kind = (cr_call_body)(how % 3),
        .body = body,
        .body_length = how & 4 ? sizeof body : 5,
        .chunked = how & 8,
        .length = 10000,
        .is_head = how & 16,
        .closes = true,
        .fresh = true,
        .in_http2 = place->in_http2,
        .connect_ms = 100000,
        .stall_timeout_ms = 100000,
    };
    place->call = cr_call_start(world.caller, &request);
    assert(place->call && place->call->state == CR_CALL_QUEUED);
    cr_link *link = cr_link_open(place->call, ends[1], &address);
    assert(link);
    world.acquired--;
    cr_link_start(link, place->call);
}

static void send_bytes(place *place, const void *bytes, size_t length) {
    if (place->server >= 0) (void)!send(place->server, bytes, length, MSG_NOSIGNAL);
}

/* Sends a frame: the kind, the flags and the stream are the first three bytes, the rest is the payload. */
static void send_frame(place *place, const uint8_t *bytes, size_t length) {
    if (length < 3) return;
    uint8_t head[9] = {0, 0, (uint8_t)(length - 3), bytes[0], bytes[1], 0, 0, 0, bytes[2]};
    send_bytes(place, head, sizeof head);
    send_bytes(place, bytes + 3, length - 3);
}

/* Sends a valid part of an answer. */
static void send_part(place *place, uint8_t which) {
    static const uint8_t settings[] = {4, 0, 0}, ack[] = {4, 1, 0}, grant[] = {8, 0, 0, 0, 1, 0, 0},
                         grant_stream[] = {8, 0, 1, 0, 1, 0, 0}, ok[] = {1, 4, 1, 0x88},
                         early[] = {1, 4, 1, 0x08, 3, '1', '0', '3'}, data[] = {0, 0, 1, 'a', 'b', 'c'},
                         end[] = {0, 1, 1}, trailers[] = {1, 5, 1, 0, 1, 't', 1, '1'}, reset[] = {3, 0, 1, 0, 0, 0, 8},
                         away[] = {7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, shut[] = {4, 0, 0, 0, 4, 0, 0, 0, 0},
                         length[] = {1, 4, 1, 0x88, 0x0f, 0x0d, 1, '3'};
    static const struct { const uint8_t *bytes; size_t length;
    } frames[] = {
        {settings, sizeof settings},
        {ack, sizeof ack},
        {grant, sizeof grant},
        {grant_stream, sizeof grant_stream},
        {ok, sizeof ok},
        {early, sizeof early},
        {data, sizeof data},
        {end, sizeof end},
        {trailers, sizeof trailers},
        {reset, sizeof reset},
        {away, sizeof away},
        {shut, sizeof shut},
        {length, sizeof length},
    };
    static const char *const texts[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "3\r\nabc\r\n", "0\r\n\r\n", "HTTP/1.1 103 E\r\nA: b\r\n\r\n", "abc", "HTTP/1.1 413 No\r\n\r\n",
    };
    if (which & 0x80) {
        /* As many bytes of a body as fit in one frame. */
        static uint8_t much[9 + 16384] = {0, 0x40, 0, 0, 0, 0, 0, 0, 1};
        send_bytes(place, much, sizeof much);
    } else if (place->in_http2) {
        size_t index = which % (sizeof frames / sizeof frames[0]);
        send_frame(place, frames[index].bytes, frames[index].length);
    } else {
        const char *text = texts[which % (sizeof texts / sizeof texts[0])];
        send_bytes(place, text, strlen(text));
    }
}

static void close_server(place *place) {
    if (place->server >= 0) close(place->server);
    place->server = -1;
}

/* Reads everything the server can read. */
static void receive(place *place) {
    uint8_t room[16384];
    while (place->server >= 0 && recv(place->server, room, sizeof room, 0) > 0) run_loop(1);
}

/* Lets the stall timeout expire. */
static void expire_stall(place *place) {
    if (!place->call) return;
    place->call->progress_ns = 0;
    event_active(&place->call->timer, EV_TIMEOUT, 0);
    run_loop(1);
}

/* Executes one action. Returns the position after its argument. */
static const uint8_t *act(uint8_t action, const uint8_t *at, const uint8_t *end) {
    place *place = &world.places[(action >> 4 & 3) % CALLS];
    size_t left = (size_t)(end - at);
    uint8_t argument = left ? *at : 0;
    const uint8_t *next = left ? at + 1 : at;
    switch (action & 15) {
    case 0: start(place, argument); return next;
    case 1: case 2: { /* a frame, or bytes */
        size_t count = left > 1 ? (argument < left - 1 ? argument : left - 1) : 0;
        if (action & 1) send_frame(place, next, count);
        else send_bytes(place, next, count);
        return next + count;
    }
    case 3: case 4: send_part(place, argument); return next;
    case 5: run_loop(1 + argument % 4); return at;
    case 6: set_reading(place, argument & 1); return next;
    case 7: send_body(place, 1 + argument * 80u); return next;
    case 8: finish(place); return at;
    case 9: place->habits = argument; return next;
    case 10: receive(place); return at;
    case 11: close_server(place); return at;
    case 12: if (place->server >= 0) shutdown(place->server, SHUT_WR); return at;
    case 13: expire_stall(place); return at;
    case 14: cancel(place); return at;
    default: /* many parts without content, or with little */
        for (int i = 0; i < 50; i++) send_part(place, argument);
        return next;
    }
}

/* Closes all servers and resumes reading, so that every call ends. */
static void end_all(void) {
    for (place *place = world.places; place < world.places + CALLS; place++) {
        place->habits = 0;
        receive(place);
        close_server(place);
    }
    run_loop(4);
    for (place *place = world.places; place < world.places + CALLS; place++) set_reading(place, true);
    run_loop(40);
    for (place *place = world.places; place < world.places + CALLS; place++) {
        assert(!place->begun || place->ended || place->cancelled);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    memset(&world, 0, sizeof world);
    for (int i = 0; i < CALLS; i++) world.places[i].server = -1;
    cr_config config = cr_config_default();
    cr_handler handler = {0};
    const cr_call_limits limits = {.connections = CONNECTIONS, .idle = 1};
    world.loop = cr_loop_new(&config, &handler);
    world.quota = cr_quota_new(&limits);
    world.caller = world.loop && world.quota ? cr_caller_new(world.loop, world.quota, &hooks) : NULL;
    if (!world.caller) abort();
    const bool early = size && input[0] & 1;
    const uint8_t *end = input + size;
    for (input += size > 0; input < end;) {
        uint8_t action = *input++;
        input = act(action, input, end);
    }
    if (!early) end_all();
    cr_caller_free(world.caller);
    for (int i = 0; i < CALLS; i++) close_server(&world.places[i]);
    run_loop(2);
    cr_loop_free(world.loop);
    for (place *place = world.places; place < world.places + CALLS; place++) {
        assert(!place->begun || place->ended || place->cancelled);
    }
    assert(cr_quota_open(world.quota) == world.acquired);
    cr_quota_release(world.quota);
    return 0;
}
