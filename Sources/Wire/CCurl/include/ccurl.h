#ifndef CCURL_H
#define CCURL_H

/* libcurl, opened by the first call to another server. */

/* NULL if libcurl can be called, otherwise the sentence that says what is missing, and the package that has it. Opens
 * the library at the first call. Any thread. */
const char *cu_unavailable(void);

#endif
