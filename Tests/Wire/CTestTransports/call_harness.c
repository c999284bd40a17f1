#include "call_harness.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 4096, TEXT = 8192, SHOWN_BODY = 2000, ADDRESSES = 16 };

typedef struct recorded_call {
    call_harness *harness;
    cr_call *call;          /* on the loop's thread; NULL before its start and after its end */
    harness_call how;
    uint8_t *body_copy;
    char *head_copy, *denied_copy, *addresses_copy, *name_copy;
    struct recorded_call *next_call;    /* to be started when this one ends */
    bool pauses, wanted;
    cr_presented_cert presented;
    bool was_resumed;
    /* Guarded by the harness's lock: */
    char text[TEXT];
    size_t length;
    char body[SHOWN_BODY];
    uint64_t received;      /* bytes of the whole body, and of the current part */
    uint64_t part;
} recorded_call;

struct call_harness {
    cr_loop *loop;
    cr_caller *caller;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    recorded_call *calls[CALLS];
    int count;
    bool stopped;
};

/* ---- Hooks --------------------------------------------------------------------------------------------------- */

static void change(call_harness *harness) {
    pthread_cond_broadcast(&harness->changed);
    pthread_mutex_unlock(&harness->lock);
}

__attribute__((format(printf, 2, 3))) static void put(recorded_call *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->length, TEXT - to->length, format, arguments);
    va_end(arguments);
    size_t left = TEXT - to->length - 1;
    to->length += (size_t)length < left ? (size_t)length : left;
}

/* Writes the last part of the body, and starts the next part of the text. */
static void begin(recorded_call *to) {
    if (to->part) {
        if (to->length) put(to, " | ");
        if (to->part <= SHOWN_BODY) put(to, "<%.*s>", (int)to->part, to->body);
        else put(to, "<%llu bytes>", (unsigned long long)to->part);
    }
    to->part = 0;
    if (to->length) put(to, " | ");
}

static void put_fields(recorded_call *to, const cr_answer *answer) {
    for (size_t i = 0; i < answer->field_count; i++) {
        const cr_field *field = &answer->fields[i];
        put(to, " [%.*s: %.*s]", (int)field->name_length, (const char *)answer->head + field->name,
            (int)field->value_length, (const char *)answer->head + field->value);
    }
}

static void on_head(void *context, const cr_answer *answer) {
    recorded_call *to = context;
    pthread_mutex_lock(&to->harness->lock);
    begin(to);
    put(to, "%u", answer->status);
    if (answer->reason_length) {
        put(to, " %.*s", (int)answer->reason_length, (const char *)answer->head + answer->reason);
    }
    put_fields(to, answer);
    change(to->harness);
}

static void on_body(void *context, const uint8_t *bytes, size_t length) {
    recorded_call *to = context;
    pthread_mutex_lock(&to->harness->lock);
    for (size_t i = 0; i < length && to->part + i < SHOWN_BODY; i++) to->body[to->part + i] = (char)bytes[i];
    to->part += length;
    to->received += length;
    bool pauses = to->how.pauses;
    change(to->harness);
    if (pauses) cr_call_set_reading(to->call, false);
}

static void on_input_ended(void *context) {
    recorded_call *to = context;
    pthread_mutex_lock(&to->harness->lock);
    begin(to);
    put(to, "input ended");
    change(to->harness);
}

static void on_writable(void *context) {
    recorded_call *to = context;
    pthread_mutex_lock(&to->harness->lock);
    if (!to->wanted) {
        begin(to);
        put(to, "wants");
    }
    to->wanted = true;
    change(to->harness);
}

static bool on_admits(void *context, const cr_address *address) {
    const recorded_call *to = context;
    cr_address denied;
    return !to->how.denied || !cr_address_read(to->how.denied, &denied) || denied.is_v6 != address->is_v6 ||
        memcmp(denied.bytes, address->bytes, sizeof denied.bytes) != 0;
}

static void start(recorded_call *to);

static void on_end(void *context, const cr_call_end *end) {
    recorded_call *to = context;
    recorded_call *next_call = to->next_call;
    pthread_mutex_lock(&to->harness->lock);
    begin(to);
    to->call = NULL;
    to->presented = end->presented;
    to->was_resumed = end->was_resumed;
    if (end->code == CR_CALL_DONE) {
        put(to, "done");
        put_fields(to, end->trailers);
    } else {
        char text[CR_CALL_TEXT_ROOM];
        cr_call_describe(end, "server", to->how.stall_timeout_ms, text);
        put(to, "failed: %s", text);
    }
    if (end->was_retried) put(to, ", repeated");
    change(to->harness);
    if (next_call) start(next_call);
}

static const cr_call_hooks hooks = {
    .may_connect = on_admits,
    .informational = on_head,
    .head = on_head,
    .body_data = on_body,
    .input_ended = on_input_ended,
    .writable = on_writable,
    .ended = on_end,
};

/* ---- The loop ------------------------------------------------------------------------------------------------ */

static void ignore_end(void *context, cr_observer observer, const cr_end *end) {
    (void)context, (void)observer, (void)end;
}

static void ignore_refusal(void *context, int status, const char *reason, const char *peer) {
    (void)context, (void)status, (void)reason, (void)peer;
}

static void ignore_log(void *context, const char *text) {
    (void)context, (void)text;
}

static void ignore_request(void *context, cr_stream *stream, const cr_request *request) {
    (void)context, (void)stream, (void)request;
}

call_harness *call_harness_new(cr_quota *quota) {
    call_harness *harness = calloc(1, sizeof *harness);
    cr_config config = cr_config_default();
    cr_handler handler = {
        .on_request = ignore_request, .on_end = ignore_end, .on_refusal = ignore_refusal, .on_log = ignore_log,
    };
    harness->loop = cr_loop_new(&config, &handler);
    harness->caller = cr_caller_new(harness->loop, quota, &hooks);
    pthread_mutex_init(&harness->lock, NULL);
    pthread_cond_init(&harness->changed, NULL);
    if (cr_loop_start(harness->loop)) abort();
    /* Before that, a posted job would run on the posting thread. */
    while (!cr_loop_is_running(harness->loop)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return harness;
}

/* A job for the loop's thread. */
typedef struct job {
    call_harness *harness;
    void (*run)(struct job *job);
    recorded_call *to;
    const uint8_t *bytes;
    size_t length;
    bool flag;
    uint32_t number;
    bool is_done; /* guarded by the harness's lock */
} job;

static void run_job(void *argument) {
    job *job = argument;
    job->run(job);
    pthread_mutex_lock(&job->harness->lock);
    job->is_done = true;
    change(job->harness);
}

static void perform(job *job) {
    if (!cr_loop_post(job->harness->loop, run_job, job)) abort();
    pthread_mutex_lock(&job->harness->lock);
    while (!job->is_done) pthread_cond_wait(&job->harness->changed, &job->harness->lock);
    pthread_mutex_unlock(&job->harness->lock);
}

static void do_stop(job *job) {
    cr_loop_stop(job->harness->loop);
}

void call_harness_stop(call_harness *harness) {
    if (harness->stopped) return;
    harness->stopped = true;
    perform(&(job){.harness = harness, .run = do_stop});
    cr_loop_join(harness->loop);
}

static void do_end_caller(job *job) {
    cr_caller_free(job->harness->caller);
    job->harness->caller = NULL;
}

void call_harness_end_caller(call_harness *harness) {
    perform(&(job){.harness = harness, .run = do_end_caller});
}

void call_harness_free(call_harness *harness) {
    call_harness_stop(harness);
    if (harness->caller) cr_caller_free(harness->caller);
    cr_loop_free(harness->loop);
    for (int i = 0; i < harness->count; i++) {
        recorded_call *to = harness->calls[i];
        free(to->body_copy);
        free(to->head_copy);
        free(to->denied_copy);
        free(to->addresses_copy);
        free(to->name_copy);
        free(to);
    }
    pthread_cond_destroy(&harness->changed);
    pthread_mutex_destroy(&harness->lock);
    free(harness);
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

static size_t read_addresses(const char *list, cr_address addresses[ADDRESSES]) {
    size_t count = 0;
    while (*list && count < ADDRESSES) {
        size_t length = strcspn(list, " ");
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)length, list);
        if (!cr_address_read(text, &addresses[count++])) abort();
        list += length + (list[length] == ' ');
    }
    return count;
}

static void start(recorded_call *to) {
    const harness_call *how = &to->how;
    cr_address addresses[ADDRESSES];
    cr_call_request request = {
        .context = to,
        .name = how->name,
        .port = how->port,
        .trust = how->trust,
        .addresses = addresses,
        .address_count = read_addresses(how->addresses, addresses),
        .head = (const uint8_t *)how->head,
        .head_length = strlen(how->head),
        .kind = how->streams ? CR_CALL_STREAM
            : how->body      ? CR_CALL_BYTES
                             : CR_CALL_NO_BODY,
        .body = how->body,
        .body_length = how->body_length,
        .chunked = how->chunked,
        .length = how->length,
        .is_head = how->is_head,
        .may_switch = how->may_switch,
        .expects_continue = how->expects_continue,
        .closes = how->closes,
        .fresh = how->fresh,
        .retryable = how->retryable,
        .connect_ms = how->connect_ms,
        .stall_timeout_ms = how->stall_timeout_ms,
        .continue_ms = how->continue_ms,
    };
    to->call = to->harness->caller ? cr_call_start(to->harness->caller, &request) : NULL;
    if (to->call && how->paused) cr_call_set_reading(to->call, false);
    if (to->call) return;
    pthread_mutex_lock(&to->harness->lock);
    put(to, "not begun");
    change(to->harness);
}

static void do_start(job *job) {
    start(job->to);
}

static char *copy_text(const char *text) {
    return text ? strdup(text) : NULL;
}

/* Allocates the number of a call. */
static int add(call_harness *harness, const harness_call *call) {
    recorded_call *to = calloc(1, sizeof *to);
    to->harness = harness;
    to->how = *call;
    to->how.head = to->head_copy = copy_text(call->head);
    to->how.denied = to->denied_copy = copy_text(call->denied);
    to->how.addresses = to->addresses_copy = copy_text(call->addresses);
    to->how.name = to->name_copy = copy_text(call->name);
    if (!to->how.connect_ms) to->how.connect_ms = 10000;
    if (!to->how.stall_timeout_ms) to->how.stall_timeout_ms = 10000;
    if (!to->how.continue_ms) to->how.continue_ms = 1000;
    if (call->body) {
        to->body_copy = malloc(call->body_length + 1);
        memcpy(to->body_copy, call->body, call->body_length);
        to->how.body = to->body_copy;
    }
    pthread_mutex_lock(&harness->lock);
    if (harness->count == CALLS) abort();
    int number = harness->count++;
    harness->calls[number] = to;
    pthread_mutex_unlock(&harness->lock);
    return number;
}

int call_harness_start(call_harness *harness, const harness_call *call) {
    int number = add(harness, call);
    perform(&(job){.harness = harness, .run = do_start, .to = harness->calls[number]});
    return number;
}

static void do_follow(job *job) {
    recorded_call *first = job->harness->calls[job->number];
    first->next_call = job->to;
}

int call_harness_start_behind(call_harness *harness, int other, const harness_call *call) {
    int number = add(harness, call);
    perform(&(job){.harness = harness, .run = do_follow, .to = harness->calls[number], .number = (uint32_t)other});
    return number;
}

static void do_send(job *job) {
    job->flag = job->to->call && cr_call_send(job->to->call, job->bytes, job->length);
}

bool call_harness_send(call_harness *harness, int call, const uint8_t *bytes, size_t length) {
    job job = {.harness = harness, .run = do_send, .to = harness->calls[call], .bytes = bytes, .length = length};
    perform(&job);
    return job.flag;
}

static void do_finish(job *job) {
    if (job->to->call) cr_call_finish(job->to->call, job->bytes, job->length);
}

void call_harness_finish(call_harness *harness, int call, const char *trailers) {
    perform(&(job){.harness = harness,
        .run = do_finish,
        .to = harness->calls[call],
        .bytes = (const uint8_t *)trailers,
        .length = strlen(trailers)});
}

static void do_read(job *job) {
    if (job->to->call) cr_call_set_reading(job->to->call, job->flag);
}

void call_harness_set_reading(call_harness *harness, int call, bool reads) {
    perform(&(job){.harness = harness, .run = do_read, .to = harness->calls[call], .flag = reads});
}

static void do_cancel(job *job) {
    if (job->to->call) cr_call_cancel(job->to->call);
    job->to->call = NULL;
}

void call_harness_cancel(call_harness *harness, int call) {
    perform(&(job){.harness = harness, .run = do_cancel, .to = harness->calls[call]});
}

static void do_count(job *job) {
    job->number = cr_loop_connections(job->harness->loop);
}

uint32_t call_harness_connections(call_harness *harness) {
    job job = {.harness = harness, .run = do_count};
    perform(&job);
    return job.number;
}

/* ---- The recorded text --------------------------------------------------------------------------------------- */

/* Writes the recorded text, with the current part of the body. */
static void write_text(const recorded_call *to, char *text, size_t room) {
    if (!to->part) snprintf(text, room, "%s", to->text);
    else if (to->part <= SHOWN_BODY) {
        snprintf(text, room, "%s%s<%.*s", to->text, to->length ? " | " : "", (int)to->part, to->body);
    } else snprintf(text, room, "%s | <%llu bytes", to->text, (unsigned long long)to->part);
}

bool call_harness_wait(call_harness *harness, int call, const char *wanted) {
    static _Thread_local char text[TEXT + SHOWN_BODY + 8];
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    int code = 0;
    pthread_mutex_lock(&harness->lock);
    for (;;) {
        write_text(harness->calls[call], text, sizeof text);
        if (strstr(text, wanted) || code) break;
        code = pthread_cond_timedwait(&harness->changed, &harness->lock, &until);
    }
    pthread_mutex_unlock(&harness->lock);
    return strstr(text, wanted) != NULL;
}

void call_harness_wait_briefly(call_harness *harness, int call) {
    (void)call;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&harness->lock);
    pthread_cond_timedwait(&harness->changed, &harness->lock, &until);
    pthread_mutex_unlock(&harness->lock);
}

void call_harness_text(call_harness *harness, int call, char *text, size_t room) {
    pthread_mutex_lock(&harness->lock);
    write_text(harness->calls[call], text, room);
    pthread_mutex_unlock(&harness->lock);
}

uint64_t call_harness_received(call_harness *harness, int call) {
    pthread_mutex_lock(&harness->lock);
    uint64_t received = harness->calls[call]->received;
    pthread_mutex_unlock(&harness->lock);
    return received;
}

cr_presented_cert call_harness_presented(call_harness *harness, int call) {
    pthread_mutex_lock(&harness->lock);
    cr_presented_cert presented = harness->calls[call]->presented;
    pthread_mutex_unlock(&harness->lock);
    return presented;
}

bool call_harness_was_resumed(call_harness *harness, int call) {
    pthread_mutex_lock(&harness->lock);
    bool was_resumed = harness->calls[call]->was_resumed;
    pthread_mutex_unlock(&harness->lock);
    return was_resumed;
}
