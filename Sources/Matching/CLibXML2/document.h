#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "libxml2.h"

#include "clibxml2.h"

struct cx_document {
    xmlDoc *doc;
    xmlXPathContext *context; /* created for the first expression, then reused */
};

/* Copies an error of libxml2 unless `problem` has one already: later errors follow from the first. */
void cx_record_error(cx_problem *problem, cx_error error);

/* Replaces callbacks of a parser, so that it is stopped with CX_TOO_LATE when the declarations have taken
 * `nanoseconds`. */
void cx_limit_declarations(xmlParserCtxt *parser, uint64_t nanoseconds, cx_problem *problem);

/* Keeps libxml2 on this thread from printing errors that bypass the callbacks of a parser or an expression. */
void cx_silence_messages(void);

/* Returns the prefix of an element or attribute as written, not NUL-terminated, or NULL if it has none. */
const char *cx_prefix(const xmlNode *node, size_t *length);

#endif
