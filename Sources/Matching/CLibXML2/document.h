#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "libxml2.h"

#include "clibxml2.h"

struct cx_document {
    xmlDoc *doc;
    xmlXPathContext *context; /* made for the first expression, reused for the next ones */
};

/* Copies an error of libxml2 unless `problem` has one: the first is the cause, the others follow from it. */
void cx_take(cx_problem *problem, cx_error error);

/* Replaces callbacks of a parser, so that what the document declares ends after `nanoseconds` with CX_TOO_LATE. */
void cx_bound_declarations(xmlParserCtxt *parser, uint64_t nanoseconds, cx_problem *problem);

/* Keeps libxml2 from printing on this thread what it reports past the callbacks of a parser or an expression. */
void cx_keep_silent(void);

/* Returns the prefix of an element or attribute as written, without a terminating 0, or NULL if there is none. */
const char *cx_prefix(const xmlNode *node, size_t *length);

#endif
