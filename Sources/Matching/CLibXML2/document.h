#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "libxml2.h"

#include "clibxml2.h"

struct cx_document {
    struct xmlDoc *doc;
    unsigned long elements;          /* how many there are; counted at the first expression */
    struct xmlXPathContext *context; /* made at the first expression, kept for the next ones */
};

/* Copies an error of libxml2, unless one is there already: the first is the cause, the rest follow from it. */
void cx_take(cx_problem *problem, const struct xmlError *error);

/* The prefix of an element or attribute, as written; it is not ended by 0. NULL where there is none. */
const char *cx_prefix(const struct xmlNode *node, size_t *length);

#endif
