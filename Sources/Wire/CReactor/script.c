#include "cr_script.h"

/* Whether the bytes match the stated lengths, with framing only where a step can have any. */
static bool bytes_are_sound(const cr_step *step) {
    if (step->length && !step->bytes) return false;
    bool framed = step->kind == CR_STEP_BODY || step->kind == CR_STEP_END;
    if (!framed && (step->lead || step->trail)) return false;
    return (uint64_t)step->lead + step->trail <= step->length && (step->lead || !step->trail);
}

static bool step_is_sound(const cr_step *step, bool last) {
    switch ((cr_step_kind)step->kind) {
    case CR_STEP_WAIT:
        return !last;
    case CR_STEP_HEAD:
    case CR_STEP_BODY:
    case CR_STEP_FILE:
    case CR_STEP_RAW:
    case CR_STEP_HOLD:
        return !last && bytes_are_sound(step);
    case CR_STEP_RELAY:
        return !last && step->bytes && !step->lead && !step->trail;
    case CR_STEP_END:
        if (step->rate && step->ending != CR_CLOSE) return false;
        return last && bytes_are_sound(step) && (step->ending == CR_KEEP_ALIVE || step->ending == CR_CLOSE);
    case CR_STEP_ABORT:
        if (step->rate && step->ending != CR_RESET_STREAM && step->ending != CR_GOAWAY) return false;
        return last && step->ending >= CR_FIN && step->ending <= CR_BREAK_OFF;
    case CR_STEP_MORE:
        return last && bytes_are_sound(step);
    }
    return false;
}

bool cr_script_is_sound(const cr_step *steps, size_t count) {
    if (count == 0 || count > UINT32_MAX) return false;
    for (size_t i = 0; i < count; i++) {
        if (!step_is_sound(&steps[i], i == count - 1)) return false;
    }
    return true;
}
