/* A look into the mailbox of a loop, for tests. */
#ifndef MAILBOX_DOOR_H
#define MAILBOX_DOOR_H

#include "creactor.h"

/* Whether the mailbox has no job and has not woken its loop. On the loop's thread. */
bool mailbox_is_untouched(cr_loop *loop);

#endif
