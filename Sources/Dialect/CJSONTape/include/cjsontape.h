#ifndef CJSONTAPE_H
#define CJSONTAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a JSON text (RFC 8259) into entries: one for each value, before the contents of an array or object, and one for the
 * name of each member, right before its value. All memory is the caller's; nothing is allocated. */

/* An entry, from its lowest bit: the kind in 3 bits; in 1 whether a string has escapes; in 28 the length of the text in
 * bytes, or the number of elements or members; in 32 the offset at which the text starts, after the quote for a string, or
 * the place after the last value of an array or object. */
typedef uint64_t cj_entry;

enum cj_kind { CJ_NULL, CJ_TRUE, CJ_FALSE, CJ_NUMBER, CJ_STRING, CJ_ARRAY, CJ_OBJECT };

enum {
    /* The bit of an entry that says that a string has escapes. */
    CJ_ESCAPES = 8,
    /* What is longer has no entry. */
    CJ_MOST_LENGTH = (1 << 28) - 1,
    /* Up to so many members of an object, names are compared as they are read. */
    CJ_FEW_NAMES = 16,
};

/* An open array or object. */
struct cj_container {
    /* A set of 64 kinds of names, those of the names read so far. */
    uint64_t names;
    /* The place of its entry. */
    uint32_t place;
    /* The number of elements or members that have begun. */
    uint32_t count;
    bool is_object;
};

enum cj_step { CJ_STEP_VALUE, CJ_STEP_NAME, CJ_STEP_COLON, CJ_STEP_CLOSE };

/* How far a text has been read. All zero at its start; the caller may skip bytes before a value. */
struct cj_reader {
    /* The offset of the next byte. */
    size_t index;
    /* The place of the next entry. */
    size_t place;
    /* The number of open arrays and objects. */
    size_t depth;
    /* What comes next. */
    enum cj_step step;
};

enum cj_progress {
    /* A value has been read. */
    CJ_DONE,
    /* The text is no JSON, repeats a name, or has what is too long for an entry. */
    CJ_FAILED,
    /* Fewer than two entries are free. The reading goes on where there are more. */
    CJ_FULL,
    /* No more array or object can be opened. The reading goes on where there is room for it. */
    CJ_DEEP,
    /* Whether the name in the entry before `place` is that of an earlier member is for the caller to find, because one of
     * the names has escapes. The reading goes on if it is not. */
    CJ_CHECK_NAME,
    /* Whether the names of the object whose entries end before `place` differ is for the caller to find, because it has
     * more than CJ_FEW_NAMES. The reading goes on if they do. */
    CJ_CHECK_NAMES,
};

/* Reads a value and its contents, up to its last byte. There are `count` bytes, fewer than 2^32, and room for `capacity`
 * entries. `open` has room for one more array or object than can be open: that at `depth` is the innermost, and the first
 * is none; all are zero at the start. */
enum cj_progress cj_read_value(
    struct cj_reader *reader, const uint8_t *bytes, size_t count, cj_entry *entries, size_t capacity,
    struct cj_container *open, size_t open_capacity);

/* Reads a string into the next entry, for which there must be room. Returns whether there is a string. */
bool cj_read_string(struct cj_reader *reader, const uint8_t *bytes, size_t count, cj_entry *entries);

/* The number of bytes at the beginning of a text in UTF-8 that stand in a JSON string as they are: those before the first
 * quote, backslash or control character. */
size_t cj_plain_length(const uint8_t *bytes, size_t count);

/* The number of quotes, backslashes, control characters and bytes beyond ASCII. */
size_t cj_count_special(const uint8_t *bytes, size_t count);

#endif
