#ifndef CJSONTAPE_H
#define CJSONTAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses a JSON text (RFC 8259) into a flat array of entries: one for each value, followed by the contents of an array
 * or object, and one for the name of each member, right before its value. All memory is the caller's; nothing is
 * allocated. */

/* An entry, from its lowest bit: 3 bits of kind; 1 bit that says whether a string has escapes; 28 bits of length, that
 * of the text in bytes, or the number of elements or members; 32 bits of position, the offset where the text starts
 * (for a string after the quote), or the index of the entry after an array or object. */
typedef uint64_t cj_entry;

enum cj_kind { CJ_NULL, CJ_TRUE, CJ_FALSE, CJ_NUMBER, CJ_STRING, CJ_ARRAY, CJ_OBJECT };

enum {
    /* The bit of a string with escapes. */
    CJ_ESCAPES = 8,
    /* The largest text an entry can describe, in bytes; longer input is rejected. */
    CJ_MAX_LENGTH = (1 << 28) - 1,
    /* The names of an object with at most so many members are compared as they are read. */
    CJ_FEW_NAMES = 16,
};

/* An open array or object. */
struct cj_container {
    /* A Bloom filter of 64 bits of the names read so far. */
    uint64_t names;
    /* The index of its entry. */
    uint32_t place;
    /* The number of elements or members that were started. */
    uint32_t count;
    bool is_object;
};

enum cj_step { CJ_STEP_VALUE, CJ_STEP_NAME, CJ_STEP_COLON, CJ_STEP_CLOSE };

/* The state of a parser. All zero at the start; the caller may skip bytes before a value. */
struct cj_reader {
    /* The offset of the next byte. */
    size_t index;
    /* The index of the next entry. */
    size_t place;
    /* The number of open arrays and objects. */
    size_t depth;
    /* The next token that is expected. */
    enum cj_step step;
};

enum cj_progress {
    /* A value has been read. */
    CJ_DONE,
    /* The text is malformed, repeats a name, or has a value that is too large for an entry. */
    CJ_FAILED,
    /* Fewer than two entries are free. Call again with more. */
    CJ_FULL,
    /* Arrays and objects are nested deeper than `open` has room for. Call again with more. */
    CJ_DEEP,
    /* The caller must find whether the name in the entry before `place` is that of an earlier member, because one of
     * the names has escapes. Call again if it is not. */
    CJ_CHECK_NAME,
    /* The caller must find whether the names of the object whose entries end before `place` differ, because it has more
     * than CJ_FEW_NAMES. Call again if they do. */
    CJ_CHECK_NAMES,
};

/* Reads a value with its contents, up to its last byte. `bytes` has `count` bytes, fewer than 2^32, and `entries` room
 * for `capacity`. `open` has one element more than arrays and objects can be nested: the innermost is at `depth`, and
 * the first is unused; all are zero at the start. */
enum cj_progress cj_read_value(
    struct cj_reader *reader, const uint8_t *bytes, size_t count, cj_entry *entries, size_t capacity,
    struct cj_container *open, size_t open_capacity);

/* Reads a string into the next entry, which must be free. Returns whether there is a string. */
bool cj_read_string(struct cj_reader *reader, const uint8_t *bytes, size_t count, cj_entry *entries);

/* The length of the prefix of a UTF-8 text that needs no escaping in JSON: up to the first quote, backslash or control
 * character. */
size_t cj_plain_length(const uint8_t *bytes, size_t count);

/* The number of quotes, backslashes, control characters and non-ASCII bytes. */
size_t cj_count_special(const uint8_t *bytes, size_t count);

#endif
