#if !__has_include(<event2/event.h>)
#error "libevent is missing: apt-get install libevent-dev, or brew install libevent and swift package purge-cache"
#endif
/* Include a libc header before any event2 header: Debian's event-config.h defines _GNU_SOURCE, and a module that reads
 * it first gets a different fd_set than the rest of the program. */
#include <sys/types.h>
#include <sys/select.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/util.h>
