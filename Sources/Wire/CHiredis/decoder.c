/* Replies parsed by hiredis, whose callbacks collect them as a list of items. */
#include "chiredis.h"
#include "hiredis_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LINE = 64 * 1024, /* of an error, a status or a number */
    MAX_IDLE_BUFFER = 64 * 1024   /* bytes that hiredis's buffer keeps while idle */
};

/* The callbacks of hiredis from 1.0 on, and before. Both are declared here, since the loaded library may differ from
 * the header. */
struct new_functions {
    void *(*create_string)(const redisReadTask *, char *, size_t);
    void *(*create_array)(const redisReadTask *, size_t);
    void *(*create_integer)(const redisReadTask *, long long);
    void *(*create_double)(const redisReadTask *, double, char *, size_t);
    void *(*create_nil)(const redisReadTask *);
    void *(*create_bool)(const redisReadTask *, int);
    void (*free_object)(void *);
};

struct old_functions {
    void *(*create_string)(const redisReadTask *, char *, size_t);
    void *(*create_array)(const redisReadTask *, int);
    void *(*create_integer)(const redisReadTask *, long long);
    void *(*create_nil)(const redisReadTask *);
    void (*free_object)(void *);
};

struct ch_decoder {
    redisReader *reader;
    size_t max_size;
    struct ch_item *items;
    size_t count, capacity;
    uint8_t *bytes;
    size_t length, room;
    int depth;              /* of arrays that are incomplete */
    int64_t left[CH_DEPTH]; /* missing items of each */
    enum ch_result result;  /* CH_MALFORMED or a later value is permanent */
    char problem[160];
};

/* The parsing decoder. hiredis versions differ in where they keep a context. */
static _Thread_local struct ch_decoder *current;

/* ---- What hiredis calls ------------------------------------------------------------------------------------------ */

static void *fail(enum ch_result result, const char *problem) {
    if (current->result == CH_INCOMPLETE) {
        current->result = result;
        snprintf(current->problem, sizeof current->problem, "%s", problem);
    }
    return NULL;
}

static void *refuse_type(void) {
    return fail(CH_MALFORMED, "it has a type of RESP3, which was not asked for");
}

static size_t consumed(const struct ch_decoder *decoder) {
    return decoder->count * sizeof *decoder->items + decoder->length;
}

/* Whether so many more items and bytes fit. */
static bool has_room(size_t items, size_t bytes) {
    size_t left = current->max_size - consumed(current);
    return bytes <= left && items <= (left - bytes) / sizeof *current->items;
}

/* Counts an item, and the arrays that it completes. */
static void count_item(void) {
    while (current->depth && --current->left[current->depth - 1] == 0) current->depth--;
}

static struct ch_item *add(enum ch_kind kind, size_t bytes) {
    if (!has_room(1, bytes)) return fail(CH_TOO_LARGE, "");
    if (current->count == current->capacity) {
        size_t capacity = current->capacity ? current->capacity * 2 : 16;
        struct ch_item *items = realloc(current->items, capacity * sizeof *items);
        if (!items) return fail(CH_NO_MEMORY, "");
        current->items = items;
        current->capacity = capacity;
    }
    struct ch_item *item = &current->items[current->count++];
    *item = (struct ch_item){.kind = kind, .offset = current->length, .length = bytes};
    return item;
}

static void *create_string(const redisReadTask *task, char *text, size_t length) {
    enum ch_kind kind;
    switch (task->type) {
    case REDIS_REPLY_STRING: kind = CH_BYTES; break;
    case REDIS_REPLY_STATUS: kind = CH_STATUS; break;
    case REDIS_REPLY_ERROR: kind = CH_ERROR; break;
    default: return refuse_type();
    }
    if (!add(kind, length)) return NULL;
    if (current->room - current->length < length) {
        size_t room = current->room * 2 > current->length + length ? current->room * 2 : current->length + length;
        uint8_t *bytes = realloc(current->bytes, room);
        if (!bytes) return fail(CH_NO_MEMORY, "");
        current->bytes = bytes;
        current->room = room;
    }
    if (length) memcpy(current->bytes + current->length, text, length);
    current->length += length;
    count_item();
    return current;
}

static void *create_array(const redisReadTask *task, size_t count) {
    if (task->type != REDIS_REPLY_ARRAY) return refuse_type();
    if (!has_room(count < SIZE_MAX ? count + 1 : count, 0)) return fail(CH_TOO_LARGE, "");
    if (count && current->depth == CH_DEPTH) return fail(CH_MALFORMED, "its arrays lie too deep in arrays");
    struct ch_item *item = add(CH_ARRAY, 0);
    if (!item) return NULL;
    item->number = (int64_t)count;
    if (count) current->left[current->depth++] = (int64_t)count;
    else count_item();
    return current;
}

static void *create_old_array(const redisReadTask *task, int count) {
    return count < 0 ? fail(CH_TOO_LARGE, "") : create_array(task, (size_t)count);
}

static void *create_integer(const redisReadTask *task, long long number) {
    if (task->type != REDIS_REPLY_INTEGER) return refuse_type();
    struct ch_item *item = add(CH_INTEGER, 0);
    if (!item) return NULL;
    item->number = number;
    count_item();
    return current;
}

static void *create_nil(const redisReadTask *task) {
    /* Null bytes or a null array; RESP3 has a type of its own. */
    if (task->type == REDIS_REPLY_NIL) return refuse_type();
    if (!add(CH_NULL, 0)) return NULL;
    count_item();
    return current;
}

static void *refuse_double(const redisReadTask *task, double number, char *text, size_t length) {
    (void)task, (void)number, (void)text, (void)length;
    return refuse_type();
}

static void *refuse_bool(const redisReadTask *task, int is_true) {
    (void)task, (void)is_true;
    return refuse_type();
}

/* All objects are the decoder. */
static void free_object(void *object) {
    (void)object;
}

static struct new_functions new_functions = {
    create_string, create_array, create_integer, refuse_double, create_nil, refuse_bool, free_object,
};
static struct old_functions old_functions = {
    create_string, create_old_array, create_integer, create_nil, free_object,
};

/* ---- The decoder ------------------------------------------------------------------------------------------------- */

struct ch_decoder *ch_decoder_new(size_t max_size) {
    struct ch_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    void *functions = hiredis_is_old() ? (void *)&old_functions : (void *)&new_functions;
    decoder->reader = hiredis.redisReaderCreateWithFunctions(functions);
    if (!decoder->reader) {
        free(decoder);
        return NULL;
    }
    decoder->reader->maxbuf = MAX_IDLE_BUFFER;
    decoder->max_size = max_size;
    return decoder;
}

void ch_decoder_free(struct ch_decoder *decoder) {
    hiredis.redisReaderFree(decoder->reader);
    free(decoder->items);
    free(decoder->bytes);
    free(decoder);
}

const char *ch_decoder_problem(const struct ch_decoder *decoder) {
    return decoder->problem;
}

static enum ch_result end_with(struct ch_decoder *decoder, enum ch_result result, const char *problem) {
    decoder->result = result;
    snprintf(decoder->problem, sizeof decoder->problem, "%s", problem);
    return result;
}

enum ch_result ch_decoder_feed(struct ch_decoder *decoder, const uint8_t *bytes, size_t length) {
    if (decoder->result != CH_INCOMPLETE) return decoder->result;
    if (hiredis.redisReaderFeed(decoder->reader, (const char *)bytes, length) == REDIS_OK) return CH_INCOMPLETE;
    return end_with(decoder, CH_NO_MEMORY, "");
}

/* Checks an incomplete reply: hiredis accepts any length, and searches a line without an end again and again. */
static enum ch_result check_rest(struct ch_decoder *decoder) {
    const redisReader *reader = decoder->reader;
    const char *rest = reader->buf + reader->pos;
    size_t length = reader->len - reader->pos;
    const char *line_end = length ? memchr(rest, '\n', length < MAX_LINE ? length : MAX_LINE) : NULL;
    if (!line_end) {
        if (length < MAX_LINE) return CH_INCOMPLETE;
        return end_with(decoder, CH_MALFORMED, "it has a line without an end");
    }
    /* hiredis is behind the type byte. Other types end with their line. */
    unsigned long long announced = strtoull(rest, NULL, 10);
    size_t left = decoder->max_size - consumed(decoder);
    if (length > left || announced > left) return end_with(decoder, CH_TOO_LARGE, "");
    return CH_INCOMPLETE;
}

static void forget_reply(struct ch_decoder *decoder) {
    decoder->count = decoder->length = 0;
    /* Memory of a large reply is freed. */
    if (decoder->capacity * sizeof *decoder->items > MAX_IDLE_BUFFER) {
        free(decoder->items);
        decoder->items = NULL;
        decoder->capacity = 0;
    }
    if (decoder->room > MAX_IDLE_BUFFER) {
        free(decoder->bytes);
        decoder->bytes = NULL;
        decoder->room = 0;
    }
}

enum ch_result ch_decoder_next(struct ch_decoder *decoder, struct ch_reply *reply) {
    if (decoder->result != CH_INCOMPLETE) return decoder->result;
    if (decoder->count && !decoder->depth) forget_reply(decoder);
    void *object = NULL;
    current = decoder;
    int status = hiredis.redisReaderGetReply(decoder->reader, &object);
    current = NULL;
    if (decoder->result != CH_INCOMPLETE) return decoder->result;
    if (status != REDIS_OK) {
        enum ch_result result = decoder->reader->err == REDIS_ERR_OOM ? CH_NO_MEMORY : CH_MALFORMED;
        return end_with(decoder, result, decoder->reader->errstr);
    }
    if (!object) return check_rest(decoder);
    *reply = (struct ch_reply){.items = decoder->items, .count = decoder->count, .bytes = decoder->bytes};
    return CH_COMPLETE;
}

/* ---- Commands ---------------------------------------------------------------------------------------------------- */

char *ch_command(const uint8_t *bytes, const size_t *lengths, size_t count, size_t *length) {
    const char **words = malloc((count ? count : 1) * sizeof *words);
    if (!words) return NULL;
    for (size_t i = 0, at = 0; i < count; at += lengths[i++]) words[i] = (const char *)bytes + at;
    char *command = NULL;
    /* hiredis returns an int or a long long, depending on its version; a command is shorter than both. */
    int written = (int)hiredis.redisFormatCommandArgv(&command, (int)count, words, lengths);
    free(words);
    if (written < 0) return NULL;
    *length = (size_t)written;
    return command;
}

void ch_release(char *command) {
    hiredis.redisFreeCommand(command);
}
