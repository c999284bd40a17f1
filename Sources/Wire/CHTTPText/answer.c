/* Answers of servers: heads, body framing and trailers. Contradictory ones are rejected, since a client behind us might
 * read them differently. */
#include "cr_answer.h"

#include <stdlib.h>
#include <string.h>

enum reader_phase { PHASE_HEAD, PHASE_BODY, PHASE_TRAILERS, PHASE_END };

static const cr_head_limits limits = {.length = CR_ANSWER_HEAD_LIMIT};

cr_framing cr_answer_framing(const cr_head *head, cr_expected_answer expected) {
    if (head->status == 101) return CR_SWITCHED;
    if (expected.is_head || head->status < 200 || head->status == 204 || head->status == 304) return CR_NO_BODY;
    if (head->chunked) return CR_BY_CHUNKS;
    return head->has_length ? CR_BY_LENGTH : CR_BY_END;
}

void cr_answer_reader_init(cr_answer_reader *reader, cr_expected_answer expected) {
    memset(reader, 0, offsetof(cr_answer_reader, head));
    reader->expected = expected;
    cr_head_init(&reader->head);
    cr_head_reset_answer(&reader->head);
    cr_chunks_init(&reader->chunks);
    reader->block = NULL;
    reader->block_length = reader->block_capacity = 0;
}

void cr_answer_reader_clear(cr_answer_reader *reader) {
    cr_head_reset_answer(&reader->head);
    free(reader->block);
    reader->block = NULL;
    reader->block_length = reader->block_capacity = 0;
}

bool cr_answer_has_begun(const cr_answer_reader *reader) {
    return reader->phase != PHASE_HEAD || reader->informational_count || reader->head.position;
}

static cr_answer_event refuse(cr_answer_details *details, cr_request_error error) {
    details->error = error;
    return CR_ANSWER_REFUSED;
}

/* The answer is complete, so far without trailers. */
static cr_answer_event finish(cr_answer_reader *reader, cr_answer_details *details) {
    reader->phase = PHASE_END;
    details->answer = (cr_answer){.keep_alive = reader->keep_alive, .framing = reader->framing};
    return CR_ANSWER_END;
}

/* ---- Heads and trailers -------------------------------------------------------------------------------------- */

static bool append(cr_answer_reader *reader, const uint8_t *bytes, size_t length) {
    size_t needed = reader->block_length + length;
    if (needed > reader->block_capacity) {
        size_t capacity = reader->block_capacity ? reader->block_capacity : 1024;
        while (capacity < needed) capacity *= 2;
        uint8_t *grown = realloc(reader->block, capacity);
        if (!grown) return false;
        reader->block = grown;
        reader->block_capacity = capacity;
    }
    if (length) memcpy(reader->block + reader->block_length, bytes, length);
    reader->block_length = needed;
    return true;
}

/* Checks the limits of all heads and trailers together. */
static cr_request_error check_limits(const cr_answer_reader *reader) {
    const cr_head *head = &reader->head;
    if (reader->field_count + head->field_count + head->trailer_count > CR_ANSWER_FIELD_LIMIT) {
        return CR_TOO_MANY_FIELDS;
    }
    return reader->head_bytes + head->position > CR_ANSWER_HEAD_LIMIT ? CR_HEAD_TOO_LARGE : CR_OK;
}

/* An HTTP/2-only server begins with SETTINGS. */
static bool is_settings_frame(const uint8_t *bytes, size_t length) {
    return length >= 4 && bytes[0] == 0 && bytes[3] == 4;
}

/* A TLS-only server sends an alert or a handshake record. No answer begins with such a byte. */
static bool is_tls_record(const uint8_t *bytes, size_t length) {
    return length && (bytes[0] == 0x15 || bytes[0] == 0x16);
}

/* Parses a head or trailers at `*bytes`, or in the block if they began in an earlier read. CR_DONE: `*head` is the
 * first byte. CR_MORE: all bytes are consumed. */
static cr_progress feed(cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, const uint8_t **head,
    cr_request_error *error) {
    size_t before = reader->block_length, here = (size_t)(end - *bytes);
    const uint8_t *base = *bytes;
    if (before) {
        /* No head is longer than the limit. */
        size_t room = CR_ANSWER_HEAD_LIMIT - before;
        if (!append(reader, *bytes, here < room ? here : room)) {
            *error = CR_NO_MEMORY;
            return CR_REFUSED;
        }
        base = reader->block;
    }
    size_t length = before ? reader->block_length : here;
    cr_progress progress = cr_head_feed(&reader->head, base, length, &limits, error);
    if (progress == CR_REFUSED && *error == CR_BAD_STATUS) {
        if (is_settings_frame(base, length)) *error = CR_IS_HTTP2;
        else if (is_tls_record(base, length)) *error = CR_IS_TLS;
    }
    cr_request_error beyond = progress == CR_REFUSED ? CR_OK : check_limits(reader);
    if (beyond) {
        *error = beyond;
        progress = CR_REFUSED;
    }
    if (progress == CR_MORE) {
        if (!before && !append(reader, *bytes, here)) {
            *error = CR_NO_MEMORY;
            return CR_REFUSED;
        }
        *bytes = end;
    } else if (progress == CR_DONE) {
        *bytes += reader->head.position - before;
        *head = base;
    }
    return progress;
}

static bool keeps_alive(const cr_answer_reader *reader) {
    const cr_head *head = &reader->head;
    if (reader->framing == CR_BY_END || reader->framing == CR_SWITCHED || head->close_wanted) return false;
    /* A server without chunks may not know where its body ends. */
    return head->version_minor == 1 || (head->keep_wanted && !head->has_coding);
}

static void describe(const cr_answer_reader *reader, const uint8_t *bytes, cr_answer *answer) {
    const cr_head *head = &reader->head;
    *answer = (cr_answer){
        .head = bytes,
        .head_length = head->position,
        .reason = head->reason,
        .reason_length = head->reason_length,
        .status = head->status,
        .version_minor = head->version_minor,
        .keep_alive = reader->keep_alive,
        .framing = reader->framing,
        .length = head->has_length ? head->content_length : UINT64_MAX,
        .fields = head->fields,
        .field_count = head->field_count + head->trailer_count,
    };
}

/* The reported head is no longer needed. */
static void finish_head(cr_answer_reader *reader) {
    reader->head_bytes += reader->head.position;
    reader->field_count += reader->head.field_count;
    reader->block_length = 0;
    reader->head_reported = false;
    cr_head_reset_answer(&reader->head);
}

static cr_answer_event next_head(
    cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_details *details) {
    cr_head *head = &reader->head;
    if (reader->head_reported) finish_head(reader);
    const uint8_t *first = NULL;
    switch (feed(reader, bytes, end, &first, &details->error)) {
    case CR_MORE: return CR_ANSWER_MORE;
    case CR_REFUSED: return CR_ANSWER_REFUSED;
    case CR_DONE: break;
    }
    if (head->status == 101 && !reader->expected.may_switch) return refuse(details, CR_UNEXPECTED_SWITCH);
    if (head->status < 200 && head->status != 101) {
        if (++reader->informational_count > CR_ANSWER_INFORMATIONAL_LIMIT) {
            return refuse(details, CR_TOO_MANY_INFORMATIONAL);
        }
        describe(reader, first, &details->answer);
        reader->head_reported = true;
        return CR_ANSWER_INFORMATIONAL;
    }
    reader->framing = cr_answer_framing(head, reader->expected);
    reader->keep_alive = keeps_alive(reader);
    reader->left = reader->framing == CR_BY_LENGTH ? head->content_length : 0;
    reader->phase = PHASE_BODY;
    reader->head_reported = true;
    describe(reader, first, &details->answer);
    return CR_ANSWER_HEAD;
}

static cr_answer_event next_trailers(
    cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_details *details) {
    const uint8_t *first = NULL;
    switch (feed(reader, bytes, end, &first, &details->error)) {
    case CR_MORE: return CR_ANSWER_MORE;
    case CR_REFUSED: return CR_ANSWER_REFUSED;
    case CR_DONE: break;
    }
    finish(reader, details);
    describe(reader, first, &details->answer);
    return CR_ANSWER_END;
}

/* ---- Bodies -------------------------------------------------------------------------------------------------- */

static cr_answer_event emit_data(const uint8_t **bytes, size_t length, cr_answer_details *details) {
    details->data = *bytes;
    details->length = length;
    *bytes += length;
    return length ? CR_ANSWER_DATA : CR_ANSWER_MORE;
}

static cr_answer_event next_chunk(
    cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_details *details) {
    switch (
        cr_chunks_next(&reader->chunks, UINT64_MAX, bytes, end, &details->data, &details->length, &details->error)) {
    case CR_CHUNK_MORE: return CR_ANSWER_MORE;
    case CR_CHUNK_DATA: return CR_ANSWER_DATA;
    case CR_CHUNK_REFUSED:
        return refuse(details, details->error == CR_BODY_TOO_LARGE ? CR_BAD_CHUNK_SIZE : details->error);
    case CR_CHUNK_LAST: break;
    }
    cr_head_begin_trailers(&reader->head, 0);
    reader->phase = PHASE_TRAILERS;
    return *bytes < end ? next_trailers(reader, bytes, end, details) : CR_ANSWER_MORE;
}

static cr_answer_event next_of_body(
    cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_details *details) {
    size_t here = (size_t)(end - *bytes);
    if (reader->head_reported) finish_head(reader);
    switch (reader->framing) {
    case CR_NO_BODY:
        return finish(reader, details);
    case CR_BY_LENGTH:
        if (!reader->left) return finish(reader, details);
        if (here > reader->left) here = (size_t)reader->left;
        reader->left -= here;
        return emit_data(bytes, here, details);
    case CR_BY_CHUNKS:
        return next_chunk(reader, bytes, end, details);
    case CR_BY_END:
    case CR_SWITCHED:
        break;
    }
    return emit_data(bytes, here, details);
}

cr_answer_event cr_answer_next(
    cr_answer_reader *reader, const uint8_t **bytes, const uint8_t *end, cr_answer_details *details) {
    switch ((enum reader_phase)reader->phase) {
    case PHASE_HEAD: return *bytes < end ? next_head(reader, bytes, end, details) : CR_ANSWER_MORE;
    case PHASE_BODY: return next_of_body(reader, bytes, end, details);
    case PHASE_TRAILERS: return next_trailers(reader, bytes, end, details);
    case PHASE_END: break;
    }
    return finish(reader, details);
}

cr_answer_event cr_answer_ended(cr_answer_reader *reader, cr_answer_details *details) {
    if (reader->phase == PHASE_HEAD) {
        return refuse(details, cr_answer_has_begun(reader) ? CR_ENDED_IN_HEAD : CR_ENDED_BEFORE);
    }
    bool is_end = reader->phase == PHASE_END || reader->framing == CR_NO_BODY || reader->framing == CR_BY_END ||
        reader->framing == CR_SWITCHED || (reader->framing == CR_BY_LENGTH && !reader->left);
    return is_end ? finish(reader, details) : refuse(details, CR_ENDED_IN_BODY);
}
