#include "conn.h"

#include <stddef.h>
#include <string.h>

cr_config cr_config_default(void) {
    return (cr_config){
        .head = {.length = 32 * 1024, .target = 16 * 1024},
        .body_limit = 100ull * 1024 * 1024,
        .stream_threshold = 1024 * 1024,
        .connection_limit = 60000,
        .handshake_timeout_ms = 10000,
        .head_timeout_ms = 30000,
        .body_timeout_ms = 30000,
        .body_idle_timeout_ms = 30000,
        .idle_timeout_ms = 75000,
        .linger_timeout_ms = 2000,
        .plain_http2 = true,
        .stream_limit = 128,
    };
}

/* ---- Deadlines ------------------------------------------------------------------------------------------------ */

/* The sweep interval: a quarter of the shortest time-out, between 25 ms and 1 s. */
static uint64_t sweep_interval_ns(const cr_config *config) {
    uint64_t shortest = config->head_timeout_ms;
    if (config->handshake_timeout_ms < shortest) shortest = config->handshake_timeout_ms;
    if (config->body_timeout_ms < shortest) shortest = config->body_timeout_ms;
    if (config->body_idle_timeout_ms < shortest) shortest = config->body_idle_timeout_ms;
    if (config->idle_timeout_ms < shortest) shortest = config->idle_timeout_ms;
    if (config->linger_timeout_ms < shortest) shortest = config->linger_timeout_ms;
    uint64_t ms = shortest / 4;
    return (ms < 25 ? 25 : ms > 1000 ? 1000 : ms) * 1000000ull;
}

static void on_sweep(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    cr_loop *loop = argument;
    cr_loop_read_wall_clock(loop);
    cr_conn_sweep(loop, cr_loop_read_clock(loop));
    if (loop->connections == 0) event_del(&cr_service_of(loop)->sweep);
}

/* ---- The guest of a loop ---------------------------------------------------------------------------------------- */

static void accepted(cr_listener *listener, int fd, const struct sockaddr *peer) {
    cr_conn_open(listener->loop, fd, peer, listener->accept_config);
}

static void *longest_idle(cr_loop *loop) {
    return cr_conn_longest_idle(loop);
}

static void close_idle(void *idle) {
    cr_conn_close(idle, CR_SENT);
    cr_conn_free_if_done(idle);
}

static void write_log(cr_loop *loop, const char *text) {
    const cr_handler *handler = &cr_service_of(loop)->handler;
    handler->on_log(handler->context, text);
}

static void listener_closed(cr_listener *listener) {
    cr_accept_config_release(listener->accept_config);
}

static bool run_ready(cr_loop *loop) {
    cr_service *service = cr_service_of(loop);
    cr_streams_run_ready(loop);
    cr_conn_run_ready(loop);
    cr_conn_run_reads(loop);
    cr_conn_run_handshakes(loop);
    return !TAILQ_EMPTY(&service->yielded) || !TAILQ_EMPTY(&service->waiting[CR_WAITING_READY]) ||
        !TAILQ_EMPTY(&service->queued_reads) || !TAILQ_EMPTY(&service->handshakes);
}

static void close_all(cr_loop *loop) {
    cr_conn_close_all(loop);
    event_del(&cr_service_of(loop)->sweep);
}

static void free_service(cr_loop *loop) {
    cr_service *service = cr_service_of(loop);
    free(service->file_window);
    free(service->frames);
    free(service);
}

static const cr_loop_delegate delegate = {
    .accepted = accepted,
    .longest_idle = longest_idle,
    .close_idle = close_idle,
    .log = write_log,
    .listener_closed = listener_closed,
    .run_ready = run_ready,
    .drain = cr_conn_drain,
    .stop = cr_conn_stop_scripts,
    .close = close_all,
    .free = free_service,
};

cr_loop *cr_loop_new(const cr_config *config, const cr_handler *handler) {
    cr_service *service = malloc(sizeof *service);
    if (!service) return NULL;
    /* The buffer at the end is written before it is read; clearing it would touch its pages at every start. */
    memset(service, 0, offsetof(cr_service, scratch));
    cr_loop *loop = &service->loop;
    service->config = *config;
    service->max_unstreamed_body =
        config->stream_threshold < config->body_limit ? config->stream_threshold : config->body_limit;
    service->handler = *handler;
    service->sweep_ns = sweep_interval_ns(config);
    service->http2 = &cr_http2_protocol;
    LIST_INIT(&service->half_closed);
    LIST_INIT(&service->held);
    TAILQ_INIT(&service->yielded);
    TAILQ_INIT(&service->queued_reads);
    TAILQ_INIT(&service->handshakes);
    cr_waiting_init(loop);
    if (cr_loop_init(loop, &delegate, (cr_loop_limits){config->connection_limit, config->descriptor_limit}) < 0) {
        free(service);
        return NULL;
    }
    event_assign(&service->sweep, loop->base, -1, EV_PERSIST, on_sweep, loop);
    return loop;
}
