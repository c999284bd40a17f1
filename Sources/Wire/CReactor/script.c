#include "creactor.h"

static bool step_is_sound(const cr_step *step, bool last) {
    switch (step->kind) {
    case CR_STEP_HOLD:
        return last;
    case CR_STEP_WAIT:
        return !last;
    case CR_STEP_PACE:
        if (step->amount == 0) return false;
        /* fall through */
    case CR_STEP_SEND:
        return !last && step->bytes;
    case CR_STEP_FINISH:
        return last && (step->ending == CR_KEEP_ALIVE || step->ending == CR_CLOSE);
    case CR_STEP_ABORT:
        return last && (step->ending == CR_FIN || step->ending == CR_RST);
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
