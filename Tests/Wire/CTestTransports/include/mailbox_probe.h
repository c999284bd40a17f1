/* Reads the state of a loop's mailbox, for tests. */
#ifndef MAILBOX_PROBE_H
#define MAILBOX_PROBE_H

#include "creactor.h"

/* Returns whether the mailbox has no job and has not woken its loop. On the loop's thread. */
bool mailbox_is_untouched(cr_loop *loop);

#endif
