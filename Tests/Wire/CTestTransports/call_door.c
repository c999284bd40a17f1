#include "call_door.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 4096, TEXT = 8192, SHOWN_BODY = 2000, ADDRESSES = 16 };

typedef struct told {
    call_door *door;
    cr_call *call;          /* on the loop's thread; NULL before and after */
    door_call how;
    uint8_t *body_copy;
    char *head_copy, *denied_copy, *addresses_copy, *name_copy;
    struct told *behind;    /* to be begun with this one's end */
    bool pauses, wanted;
    cr_shown shown;
    bool was_resumed;
    /* Guarded by the door's lock: */
    char text[TEXT];
    size_t length;
    char body[SHOWN_BODY];
    uint64_t received;      /* of the whole body, and of the part that is being told */
    uint64_t part;
} told;

struct call_door {
    cr_loop *loop;
    cr_caller *caller;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    told *calls[CALLS];
    int count;
    bool stopped;
};

/* ---- What calls are told ------------------------------------------------------------------------------------- */

static void change(call_door *door) {
    pthread_cond_broadcast(&door->changed);
    pthread_mutex_unlock(&door->lock);
}

__attribute__((format(printf, 2, 3))) static void put(told *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->length, TEXT - to->length, format, arguments);
    va_end(arguments);
    size_t left = TEXT - to->length - 1;
    to->length += (size_t)length < left ? (size_t)length : left;
}

/* Writes the body that was told last, and begins another part. */
static void begin(told *to) {
    if (to->part) {
        if (to->length) put(to, " | ");
        if (to->part <= SHOWN_BODY) put(to, "<%.*s>", (int)to->part, to->body);
        else put(to, "<%llu bytes>", (unsigned long long)to->part);
    }
    to->part = 0;
    if (to->length) put(to, " | ");
}

static void put_fields(told *to, const cr_answer *answer) {
    for (size_t i = 0; i < answer->field_count; i++) {
        const cr_field *field = &answer->fields[i];
        put(to, " [%.*s: %.*s]", (int)field->name_length, (const char *)answer->head + field->name, (int)field->value_length,
            (const char *)answer->head + field->value);
    }
}

static void on_head(void *context, const cr_answer *answer) {
    told *to = context;
    pthread_mutex_lock(&to->door->lock);
    begin(to);
    put(to, "%u", answer->status);
    if (answer->reason_length) put(to, " %.*s", (int)answer->reason_length, (const char *)answer->head + answer->reason);
    put_fields(to, answer);
    change(to->door);
}

static void on_body(void *context, const uint8_t *bytes, size_t length) {
    told *to = context;
    pthread_mutex_lock(&to->door->lock);
    for (size_t i = 0; i < length && to->part + i < SHOWN_BODY; i++) to->body[to->part + i] = (char)bytes[i];
    to->part += length;
    to->received += length;
    bool pauses = to->how.pauses;
    change(to->door);
    if (pauses) cr_call_read(to->call, false);
}

static void on_input_ended(void *context) {
    told *to = context;
    pthread_mutex_lock(&to->door->lock);
    begin(to);
    put(to, "input ended");
    change(to->door);
}

static void on_wants(void *context) {
    told *to = context;
    pthread_mutex_lock(&to->door->lock);
    if (!to->wanted) {
        begin(to);
        put(to, "wants");
    }
    to->wanted = true;
    change(to->door);
}

static bool on_admits(void *context, const cr_address *address) {
    const told *to = context;
    cr_address denied;
    return !to->how.denied || !cr_address_read(to->how.denied, &denied) || denied.is_v6 != address->is_v6 ||
        memcmp(denied.bytes, address->bytes, sizeof denied.bytes) != 0;
}

static void start(told *to);

static void on_end(void *context, const cr_call_end *end) {
    told *to = context;
    told *behind = to->behind;
    pthread_mutex_lock(&to->door->lock);
    begin(to);
    to->call = NULL;
    to->shown = end->shown;
    to->was_resumed = end->was_resumed;
    if (end->code == CR_CALL_DONE) {
        put(to, "done");
        put_fields(to, end->trailers);
    } else {
        char text[CR_CALL_TEXT_ROOM];
        cr_call_describe(end, "server", to->how.patience_ms, text);
        put(to, "failed: %s", text);
    }
    if (end->was_repeated) put(to, ", repeated");
    change(to->door);
    if (behind) start(behind);
}

static const cr_call_hooks hooks = {
    .admits = on_admits, .informs = on_head, .answers = on_head, .body = on_body, .input_ended = on_input_ended,
    .wants = on_wants, .ended = on_end,
};

/* ---- The loop ------------------------------------------------------------------------------------------------ */

static void ignore_end(void *context, cr_observer observer, const cr_end *end) {
    (void)context, (void)observer, (void)end;
}

static void ignore_refusal(void *context, int status, const char *reason, const char *peer) {
    (void)context, (void)status, (void)reason, (void)peer;
}

static void ignore_trouble(void *context, const char *text) {
    (void)context, (void)text;
}

static void ignore_request(void *context, cr_stream *stream, const cr_request *request) {
    (void)context, (void)stream, (void)request;
}

call_door *call_door_new(cr_quota *quota) {
    call_door *door = calloc(1, sizeof *door);
    cr_config config = cr_config_default();
    cr_handler handler = {
        .on_request = ignore_request, .on_end = ignore_end, .on_refusal = ignore_refusal, .on_trouble = ignore_trouble,
    };
    door->loop = cr_loop_new(&config, &handler);
    door->caller = cr_caller_new(door->loop, quota, &hooks);
    pthread_mutex_init(&door->lock, NULL);
    pthread_cond_init(&door->changed, NULL);
    if (cr_loop_start(door->loop)) abort();
    /* Otherwise what is posted first would be done beside the loop. */
    while (!cr_loop_is_running(door->loop)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return door;
}

/* Something to be done on the loop's thread. */
typedef struct job {
    call_door *door;
    void (*run)(struct job *job);
    told *to;
    const uint8_t *bytes;
    size_t length;
    bool flag;
    uint32_t number;
    bool is_done; /* guarded by the door's lock */
} job;

static void run_job(void *argument) {
    job *job = argument;
    job->run(job);
    pthread_mutex_lock(&job->door->lock);
    job->is_done = true;
    change(job->door);
}

static void perform(job *job) {
    if (!cr_loop_post(job->door->loop, run_job, job)) abort();
    pthread_mutex_lock(&job->door->lock);
    while (!job->is_done) pthread_cond_wait(&job->door->changed, &job->door->lock);
    pthread_mutex_unlock(&job->door->lock);
}

static void do_stop(job *job) {
    cr_loop_stop(job->door->loop);
}

void call_door_stop(call_door *door) {
    if (door->stopped) return;
    door->stopped = true;
    perform(&(job){.door = door, .run = do_stop});
    cr_loop_join(door->loop);
}

static void do_end_caller(job *job) {
    cr_caller_free(job->door->caller);
    job->door->caller = NULL;
}

void call_door_end_caller(call_door *door) {
    perform(&(job){.door = door, .run = do_end_caller});
}

void call_door_free(call_door *door) {
    call_door_stop(door);
    if (door->caller) cr_caller_free(door->caller);
    cr_loop_free(door->loop);
    for (int i = 0; i < door->count; i++) {
        told *to = door->calls[i];
        free(to->body_copy);
        free(to->head_copy);
        free(to->denied_copy);
        free(to->addresses_copy);
        free(to->name_copy);
        free(to);
    }
    pthread_cond_destroy(&door->changed);
    pthread_mutex_destroy(&door->lock);
    free(door);
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

static void start(told *to) {
    const door_call *how = &to->how;
    cr_address addresses[ADDRESSES];
    cr_call_request request = {
        .context = to, .name = how->name, .port = how->port, .trust = how->trust, .addresses = addresses,
        .address_count = read_addresses(how->addresses, addresses), .head = (const uint8_t *)how->head,
        .head_length = strlen(how->head), .kind = how->streams ? CR_CALL_STREAM : how->body ? CR_CALL_BYTES : CR_CALL_NO_BODY,
        .body = how->body, .body_length = how->body_length, .chunked = how->chunked, .length = how->length,
        .head_alone = how->head_alone, .to_switch = how->to_switch, .expects_continue = how->expects_continue,
        .closes = how->closes, .fresh = how->fresh, .repeats = how->repeats, .connect_ms = how->connect_ms,
        .patience_ms = how->patience_ms, .continue_ms = how->continue_ms,
    };
    to->call = to->door->caller ? cr_call_start(to->door->caller, &request) : NULL;
    if (to->call && how->paused) cr_call_read(to->call, false);
    if (to->call) return;
    pthread_mutex_lock(&to->door->lock);
    put(to, "not begun");
    change(to->door);
}

static void do_start(job *job) {
    start(job->to);
}

static char *copy_text(const char *text) {
    return text ? strdup(text) : NULL;
}

/* Takes a number for a call. */
static int add(call_door *door, const door_call *call) {
    told *to = calloc(1, sizeof *to);
    to->door = door;
    to->how = *call;
    to->how.head = to->head_copy = copy_text(call->head);
    to->how.denied = to->denied_copy = copy_text(call->denied);
    to->how.addresses = to->addresses_copy = copy_text(call->addresses);
    to->how.name = to->name_copy = copy_text(call->name);
    if (!to->how.connect_ms) to->how.connect_ms = 10000;
    if (!to->how.patience_ms) to->how.patience_ms = 10000;
    if (!to->how.continue_ms) to->how.continue_ms = 1000;
    if (call->body) {
        to->body_copy = malloc(call->body_length + 1);
        memcpy(to->body_copy, call->body, call->body_length);
        to->how.body = to->body_copy;
    }
    pthread_mutex_lock(&door->lock);
    if (door->count == CALLS) abort();
    int number = door->count++;
    door->calls[number] = to;
    pthread_mutex_unlock(&door->lock);
    return number;
}

int call_door_start(call_door *door, const door_call *call) {
    int number = add(door, call);
    perform(&(job){.door = door, .run = do_start, .to = door->calls[number]});
    return number;
}

static void do_follow(job *job) {
    told *first = job->door->calls[job->number];
    first->behind = job->to;
}

int call_door_start_behind(call_door *door, int other, const door_call *call) {
    int number = add(door, call);
    perform(&(job){.door = door, .run = do_follow, .to = door->calls[number], .number = (uint32_t)other});
    return number;
}

static void do_send(job *job) {
    job->flag = job->to->call && cr_call_send(job->to->call, job->bytes, job->length);
}

bool call_door_send(call_door *door, int call, const uint8_t *bytes, size_t length) {
    job job = {.door = door, .run = do_send, .to = door->calls[call], .bytes = bytes, .length = length};
    perform(&job);
    return job.flag;
}

static void do_finish(job *job) {
    if (job->to->call) cr_call_finish(job->to->call, job->bytes, job->length);
}

void call_door_finish(call_door *door, int call, const char *trailers) {
    perform(&(job){.door = door, .run = do_finish, .to = door->calls[call], .bytes = (const uint8_t *)trailers,
                   .length = strlen(trailers)});
}

static void do_read(job *job) {
    if (job->to->call) cr_call_read(job->to->call, job->flag);
}

void call_door_read(call_door *door, int call, bool reads) {
    perform(&(job){.door = door, .run = do_read, .to = door->calls[call], .flag = reads});
}

static void do_cancel(job *job) {
    if (job->to->call) cr_call_cancel(job->to->call);
    job->to->call = NULL;
}

void call_door_cancel(call_door *door, int call) {
    perform(&(job){.door = door, .run = do_cancel, .to = door->calls[call]});
}

static void do_count(job *job) {
    job->number = cr_loop_connections(job->door->loop);
}

uint32_t call_door_connections(call_door *door) {
    job job = {.door = door, .run = do_count};
    perform(&job);
    return job.number;
}

/* ---- What was told ------------------------------------------------------------------------------------------- */

/* Writes all that was told, with the body that is being told. */
static void write_text(const told *to, char *text, size_t room) {
    if (!to->part) snprintf(text, room, "%s", to->text);
    else if (to->part <= SHOWN_BODY) snprintf(text, room, "%s%s<%.*s", to->text, to->length ? " | " : "", (int)to->part, to->body);
    else snprintf(text, room, "%s | <%llu bytes", to->text, (unsigned long long)to->part);
}

bool call_door_wait(call_door *door, int call, const char *wanted) {
    static _Thread_local char text[TEXT + SHOWN_BODY + 8];
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    int code = 0;
    pthread_mutex_lock(&door->lock);
    for (;;) {
        write_text(door->calls[call], text, sizeof text);
        if (strstr(text, wanted) || code) break;
        code = pthread_cond_timedwait(&door->changed, &door->lock, &until);
    }
    pthread_mutex_unlock(&door->lock);
    return strstr(text, wanted) != NULL;
}

void call_door_wait_briefly(call_door *door, int call) {
    (void)call;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&door->lock);
    pthread_cond_timedwait(&door->changed, &door->lock, &until);
    pthread_mutex_unlock(&door->lock);
}

void call_door_text(call_door *door, int call, char *text, size_t room) {
    pthread_mutex_lock(&door->lock);
    write_text(door->calls[call], text, room);
    pthread_mutex_unlock(&door->lock);
}

uint64_t call_door_received(call_door *door, int call) {
    pthread_mutex_lock(&door->lock);
    uint64_t received = door->calls[call]->received;
    pthread_mutex_unlock(&door->lock);
    return received;
}

cr_shown call_door_shown(call_door *door, int call) {
    pthread_mutex_lock(&door->lock);
    cr_shown shown = door->calls[call]->shown;
    pthread_mutex_unlock(&door->lock);
    return shown;
}

bool call_door_was_resumed(call_door *door, int call) {
    pthread_mutex_lock(&door->lock);
    bool was_resumed = door->calls[call]->was_resumed;
    pthread_mutex_unlock(&door->lock);
    return was_resumed;
}
