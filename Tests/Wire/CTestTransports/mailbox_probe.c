#include "mailbox_probe.h"

#include "loop.h"

#include <poll.h>

bool mailbox_is_untouched(cr_loop *loop) {
    struct pollfd wake = {.fd = loop->mailbox->wake_read, .events = POLLIN};
    return !atomic_load(&loop->mailbox->jobs) && poll(&wake, 1, 0) == 0;
}
