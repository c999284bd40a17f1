#ifndef CREACTOR_H
#define CREACTOR_H
/** The text of the event library's version, for `--version`. */
const char *cr_event_library(void);
#endif
