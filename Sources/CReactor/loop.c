#include "creactor.h"

#include <sys/types.h>
#include <event2/event.h>

const char *cr_event_library(void) {
    return event_get_version();
}
