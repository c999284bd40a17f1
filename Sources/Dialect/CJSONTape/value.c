/* The state machine of the parser: which token may follow which. */
#include "text.h"

static inline bool is_blank(uint8_t byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *end) {
    while (at < end && is_blank(*at)) at++;
    return at;
}

#define LIKELY(condition) __builtin_expect(condition, true)
#define UNLIKELY(condition) __builtin_expect(condition, false)

static inline cj_entry entry(enum cj_kind kind, size_t start, size_t length) {
    return (cj_entry)start << 32 | (cj_entry)length << 4 | kind;
}

static inline size_t length_of(cj_entry entry) {
    return (uint32_t)entry >> 4;
}

static inline const uint8_t *text_of(cj_entry entry, const uint8_t *bytes) {
    return bytes + (entry >> 32);
}

/* The index of the entry after a value. */
static inline size_t next_index(const cj_entry *entries, size_t place) {
    return (entries[place] & 7) >= CJ_ARRAY ? entries[place] >> 32 : place + 1;
}

/* Reads a string whose opening quote is at `at`. Returns the end after the closing quote, or NULL. */
static inline const uint8_t *read_string(const uint8_t *at, const uint8_t *end, const uint8_t *bytes, cj_entry *into) {
    const uint8_t *start = at + 1;
    cj_entry escapes = 0;
    const uint8_t *quote = cj_end_of_string(start, end, &escapes);
    if (!quote || (size_t)(quote - start) > CJ_MAX_LENGTH) return NULL;
    *into = entry(CJ_STRING, start - bytes, quote - start) | escapes;
    return quote + 1;
}

bool cj_read_string(struct cj_reader *reader, const uint8_t *bytes, size_t count, cj_entry *entries) {
    if (reader->index >= count || bytes[reader->index] != '"') return false;
    const uint8_t *after = read_string(bytes + reader->index, bytes + count, bytes, entries + reader->place);
    if (!after) return false;
    reader->index = after - bytes;
    reader->place++;
    return true;
}

/* The name's bit in the Bloom filter: the same for equal names without escapes. */
static inline uint64_t kind_of_name(cj_entry name, const uint8_t *bytes) {
    size_t length = length_of(name);
    if (length == 0) return 1;
    const uint8_t *text = text_of(name, bytes);
    return UINT64_C(1) << ((length * 31 + text[length - 1] * 7 + text[0]) & 63);
}

enum likeness { DIFFERENT, SAME, UNKNOWN };

/* Returns whether an earlier member of the object has the name at `name`; unknown if one of the names has escapes. */
static enum likeness find_name(size_t object, size_t name, const cj_entry *entries, const uint8_t *bytes) {
    cj_entry wanted = entries[name];
    if (wanted & CJ_ESCAPES) return UNKNOWN;
    for (size_t place = object + 1; place < name; place = next_index(entries, place + 1)) {
        cj_entry other = entries[place];
        if (other & CJ_ESCAPES) return UNKNOWN;
        if (length_of(other) == length_of(wanted)
            && memcmp(text_of(other, bytes), text_of(wanted, bytes), length_of(other)) == 0) {
            return SAME;
        }
    }
    return DIFFERENT;
}

/* Reads a string, number or literal. Returns its end, or NULL. */
static inline __attribute__((always_inline)) const uint8_t *read_scalar(
    const uint8_t *at, const uint8_t *end, const uint8_t *bytes, cj_entry *into) {
    const uint8_t *start = at;
    switch (*at) {
    case '"': return read_string(at, end, bytes, into);
    case '-':
    case '0' ... '9':
        at = cj_end_of_number(at, end);
        if (!at || (size_t)(at - start) > CJ_MAX_LENGTH) return NULL;
        *into = entry(CJ_NUMBER, start - bytes, at - start);
        return at;
    case 't':
        if (end - at < 4 || memcmp(at, "true", 4) != 0) return NULL;
        *into = entry(CJ_TRUE, start - bytes, 4);
        return at + 4;
    case 'f':
        if (end - at < 5 || memcmp(at, "false", 5) != 0) return NULL;
        *into = entry(CJ_FALSE, start - bytes, 5);
        return at + 5;
    case 'n':
        if (end - at < 4 || memcmp(at, "null", 4) != 0) return NULL;
        *into = entry(CJ_NULL, start - bytes, 4);
        return at + 4;
    default: return NULL;
    }
}

/* The buffers of a call of cj_read_value. */
struct room {
    const uint8_t *bytes, *end;
    cj_entry *entries, *full;
    /* The first and the last element of `open`. */
    struct cj_container *root, *deepest;
};

/* See cj_read_value. With `is_guarded`, the last byte of the text is a closing brace or bracket: the text can only end
 * behind such a byte, so no other needs a bounds check. The state is kept in local variables while a value is read, so
 * that the compiler can use registers. */
static inline __attribute__((always_inline)) enum cj_progress read_value(
    struct cj_reader *reader, const struct room room, const bool is_guarded) {
    const uint8_t *const bytes = room.bytes, *const end = room.end;
    const uint8_t *at = bytes + reader->index;
    cj_entry *next = room.entries + reader->place;
    struct cj_container *open = room.root + reader->depth;
    enum cj_step step = reader->step;
    enum cj_progress progress = CJ_FAILED;

/* Whether the next byte is `byte`; checks the bounds only if necessary. */
#define IS_AT(byte) ((is_guarded || at < end) && *at == (byte))
#define SKIP_BLANKS() \
    do { \
        if (UNLIKELY(!is_guarded && at >= end)) goto stop; \
        if (UNLIKELY(*at <= ' ')) { \
            at = skip_blanks(at, end); \
            if (at >= end) goto stop; \
        } \
    } while (0)
#define EXPECT(byte) \
    do { \
        if (UNLIKELY(!IS_AT(byte))) { \
            at = skip_blanks(at, end); \
            if (at >= end || *at != (byte)) goto stop; \
        } \
    } while (0)
/* Reads a scalar, or enters an array or object. */
#define READ_VALUE() \
    do { \
        SKIP_BLANKS(); \
        if (*at == '{' || *at == '[') goto container; \
        at = read_scalar(at, end, bytes, next); \
        if (UNLIKELY(!at)) goto stop; \
        next++; \
    } while (0)
/* Continues after a comma, or skips the closing byte. */
#define SEPARATE(closing, following) \
    do { \
        if (UNLIKELY(!IS_AT(',') && !IS_AT(closing))) at = skip_blanks(at, end); \
        if (LIKELY(at < end && *at == ',')) { \
            at++; \
            goto following; \
        } \
        if (at >= end || *at != (closing)) goto stop; \
        at++; \
    } while (0)

    switch (step) {
    case CJ_STEP_VALUE:
        if (open > room.root && open->is_object) goto member;
        goto element;
    case CJ_STEP_NAME: goto name;
    case CJ_STEP_COLON: goto colon;
    case CJ_STEP_CLOSE: goto close;
    }

name:
    if (UNLIKELY(room.full - next < 2)) {
        step = CJ_STEP_NAME;
        progress = CJ_FULL;
        goto stop;
    }
    EXPECT('"');
    at = read_string(at, end, bytes, next);
    if (UNLIKELY(!at)) goto stop;
    next++;
    if (LIKELY(open->count < CJ_FEW_NAMES)) {
        uint64_t kind = next[-1] & CJ_ESCAPES ? UINT64_MAX : kind_of_name(next[-1], bytes);
        uint64_t names = open->names;
        open->names = names | kind;
        if (UNLIKELY((names & kind) != 0)) {
            enum likeness found = find_name(open->place, next - 1 - room.entries, room.entries, bytes);
            if (found == SAME) goto stop;
            if (found == UNKNOWN) {
                step = CJ_STEP_COLON;
                progress = CJ_CHECK_NAME;
                goto stop;
            }
        }
    }
colon:
    EXPECT(':');
    at++;
member:
    open->count++;
    READ_VALUE();
after_member:
    SEPARATE('}', name);
    if (UNLIKELY(open->count > CJ_FEW_NAMES)) {
        step = CJ_STEP_CLOSE;
        progress = CJ_CHECK_NAMES;
        goto stop;
    }
    goto close;

element:
    if (UNLIKELY(next >= room.full)) {
        step = CJ_STEP_VALUE;
        progress = CJ_FULL;
        goto stop;
    }
    open->count++;
    READ_VALUE();
    if (UNLIKELY(open == room.root)) goto done;
after_element:
    SEPARATE(']', element);

close:
    if (open->count > CJ_MAX_LENGTH) goto stop;
    room.entries[open->place] = entry(open->is_object ? CJ_OBJECT : CJ_ARRAY, next - room.entries, open->count);
    open--;
    if (open == room.root) goto done;
    if (UNLIKELY(is_guarded && at >= end)) goto stop;
    if (open->is_object) goto after_member;
    goto after_element;

container:
    if (UNLIKELY(open == room.deepest)) {
        /* It was counted when it was opened. */
        open->count--;
        step = CJ_STEP_VALUE;
        progress = CJ_DEEP;
        goto stop;
    }
    open++;
    open->place = next - room.entries;
    open->count = 0;
    open->names = 0;
    open->is_object = *at == '{';
    /* The entry is filled in when the end is known. */
    *next++ = 0;
    at++;
    SKIP_BLANKS();
    if (open->is_object) {
        if (LIKELY(*at != '}')) goto name;
    } else if (LIKELY(*at != ']')) {
        goto element;
    }
    at++;
    goto close;

done:
    step = CJ_STEP_VALUE;
    progress = CJ_DONE;
stop:
    reader->index = at ? (size_t)(at - bytes) : (size_t)(end - bytes);
    reader->place = next - room.entries;
    reader->depth = open - room.root;
    reader->step = step;
    return progress;
#undef IS_AT
#undef SKIP_BLANKS
#undef EXPECT
#undef READ_VALUE
#undef SEPARATE
}

enum cj_progress cj_read_value(
    struct cj_reader *reader, const uint8_t *bytes, size_t count, cj_entry *entries, size_t capacity,
    struct cj_container *open, size_t open_capacity) {
    const struct room room = {
        .bytes = bytes,
        .end = bytes + count,
        .entries = entries,
        .full = entries + capacity,
        .root = open,
        .deepest = open + open_capacity - 1,
    };
    bool is_guarded = count > reader->index && (bytes[count - 1] == '}' || bytes[count - 1] == ']');
    return is_guarded ? read_value(reader, room, true) : read_value(reader, room, false);
}
