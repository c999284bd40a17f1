#include "script.h"

#include <stdlib.h>
#include <string.h>

cr_blob *cr_blob_copy(const void *bytes, size_t length) {
    if (length > SIZE_MAX - sizeof(cr_blob)) return NULL;
    cr_blob *blob = malloc(sizeof *blob + length);
    if (!blob) return NULL;
    atomic_init(&blob->references, 1);
    blob->length = length;
    if (length) memcpy(blob->bytes, bytes, length);
    return blob;
}

cr_blob *cr_blob_retain(cr_blob *blob) {
    atomic_fetch_add_explicit(&blob->references, 1, memory_order_relaxed);
    return blob;
}

void cr_blob_release(cr_blob *blob) {
    if (blob && atomic_fetch_sub_explicit(&blob->references, 1, memory_order_acq_rel) == 1) free(blob);
}

size_t cr_blob_length(const cr_blob *blob) {
    return blob->length;
}

const uint8_t *cr_blob_bytes(const cr_blob *blob) {
    return blob->bytes;
}

/* A step that the interpreter can run without a further check. */
static bool step_is_sound(const cr_step *step, bool last) {
    switch (step->kind) {
    case CR_STEP_WAIT:
        return !last;
    case CR_STEP_PACE:
        if (step->amount == 0) return false;
        /* fall through */
    case CR_STEP_SEND:
        return !last && step->blob && step->offset <= step->blob->length &&
               step->length <= step->blob->length - step->offset;
    case CR_STEP_FINISH:
        return last && (step->ending == CR_KEEP_ALIVE || step->ending == CR_CLOSE);
    case CR_STEP_ABORT:
        return last && (step->ending == CR_FIN || step->ending == CR_RST);
    }
    return false;
}

/* A script with room for `count` steps, and one reference. */
static cr_script *allocate(size_t count) {
    cr_script *script = malloc(sizeof *script + count * sizeof script->steps[0]);
    if (!script) return NULL;
    atomic_init(&script->references, 1);
    script->count = (uint32_t)count;
    return script;
}

/* Copies steps and retains their blobs. */
static void copy_steps(cr_step *to, const cr_step *from, size_t count) {
    memcpy(to, from, count * sizeof *to);
    for (size_t i = 0; i < count; i++) {
        bool carries_bytes = from[i].kind == CR_STEP_SEND || from[i].kind == CR_STEP_PACE;
        to[i].blob = carries_bytes ? cr_blob_retain(from[i].blob) : NULL;
    }
}

cr_script *cr_script_new(const cr_step *steps, size_t count) {
    if (count == 0 || count > UINT32_MAX) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!step_is_sound(&steps[i], i == count - 1)) return NULL;
    }
    cr_script *script = allocate(count);
    if (script) copy_steps(script->steps, steps, count);
    return script;
}

cr_script *cr_script_delayed(const cr_script *script, uint64_t ns) {
    if (script->count == UINT32_MAX) return NULL;
    cr_script *delayed = allocate((size_t)script->count + 1);
    if (!delayed) return NULL;
    delayed->steps[0] = (cr_step){.kind = CR_STEP_WAIT, .amount = ns};
    copy_steps(delayed->steps + 1, script->steps, script->count);
    return delayed;
}

cr_script *cr_script_retain(cr_script *script) {
    atomic_fetch_add_explicit(&script->references, 1, memory_order_relaxed);
    return script;
}

void cr_script_release(cr_script *script) {
    if (!script || atomic_fetch_sub_explicit(&script->references, 1, memory_order_acq_rel) != 1) return;
    for (uint32_t i = 0; i < script->count; i++) cr_blob_release(script->steps[i].blob);
    free(script);
}
