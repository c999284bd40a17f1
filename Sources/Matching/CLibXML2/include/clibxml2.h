#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <stddef.h>
#include <stdint.h>

/*
 * A narrow door to libxml2, which is opened with dlopen when the first document is parsed and never linked.
 *
 * Nothing here reads a file or the network: external entities are empty and external DTDs are not loaded. Any number of
 * threads may use different documents at once; one document belongs to one thread at a time.
 */

/* NULL when libxml2 can be used; otherwise a sentence that says why not. Loads it at the first call. Any thread. */
const char *cx_unavailable(void);

typedef struct cx_document cx_document;
typedef struct cx_node cx_node;
typedef struct cx_value cx_value;

/* An error in a document or an expression. */
typedef struct {
    int code;          /* libxml2's number; 0 where there was no error */
    int line;          /* counted from 1; 0 where it is unknown */
    int column;        /* counted from 1; 0 where it is unknown */
    char message[256]; /* UTF-8, cut where it is longer, without a line end */
    char name[128];    /* the first name that the error is about, or empty */
    char other[128];   /* the second one, or empty */
    char third[128];   /* the third one, or empty */
} cx_problem;

/* libxml2's numbers of the errors that the caller treats apart. */
enum {
    CX_OUT_OF_MEMORY = 2,
    CX_UNAVAILABLE = -1,
    CX_TOO_LARGE = -2,
};

/*
 * Parses UTF-8; an encoding that the document declares is ignored. Entities that the document declares are replaced;
 * those of other files are empty. `namespace_aware` 0: prefixes have no meaning and need no declaration.
 * NULL where it is not well-formed, and then `problem` is filled. The result is freed with `cx_document_free`.
 */
cx_document *cx_parse(const char *bytes, size_t length, int namespace_aware, cx_problem *problem);
void cx_document_free(cx_document *document);

/* The document node: its children are the root element, comments and processing instructions. */
const cx_node *cx_document_node(const cx_document *document);

enum cx_kind {
    CX_OTHER,
    CX_DOCUMENT,
    CX_ELEMENT,
    CX_ATTRIBUTE,
    CX_TEXT,
    CX_CDATA,
    CX_COMMENT,
    CX_INSTRUCTION,
    CX_NAMESPACE,
};

/* One node as it stands. Strings end with 0, are UTF-8, belong to the document, and are NULL where there is none. */
typedef struct {
    int kind;                 /* enum cx_kind */
    const char *local;        /* name without prefix; target of an instruction */
    const char *prefix;       /* as written, also where prefixes have no meaning; not ended by 0 */
    size_t prefix_length;
    const char *uri;          /* namespace; NULL where prefixes have no meaning */
    const char *content;      /* of text, CDATA, comment, instruction, namespace */
    const cx_node *parent;    /* NULL for the document */
    const cx_node *first;     /* first child; of an attribute, its first text */
    const cx_node *next;      /* next sibling, or next attribute */
    const cx_node *attribute; /* an element's first attribute */
    const cx_node *declared;  /* an element's first namespace declaration: a CX_NAMESPACE node */
} cx_facts;

void cx_read(const cx_node *node, cx_facts *facts);

/*
 * Evaluates an XPath 1.0 expression on the document node. `namespaces` is prefix, URI, prefix, URI … NULL, or NULL.
 * At most `operations` steps are done, where `pairs` is not 0 no more than that over the number of elements, and no function is called `seconds` after the start. NULL where it fails, and then `problem` is filled. The result is freed with
 * `cx_value_free` before the document is.
 */
cx_value *cx_evaluate(
    cx_document *document, const char *expression, const char *const *namespaces, unsigned long operations,
    unsigned long pairs, unsigned seconds, cx_problem *problem);
void cx_value_free(cx_value *value);

/* 0 where the expression is one of XPath 1.0; otherwise `problem` is filled. Prefixes and functions are not checked. */
int cx_check(const char *expression, cx_problem *problem);

enum cx_value_kind { CX_NODES, CX_BOOLEAN, CX_NUMBER, CX_STRING };

int cx_value_kind(const cx_value *value); /* enum cx_value_kind */
size_t cx_value_count(const cx_value *value);
const cx_node *cx_value_node(const cx_value *value, size_t index); /* in document order */
int cx_value_boolean(const cx_value *value);
double cx_value_number(const cx_value *value);
const char *cx_value_string(const cx_value *value); /* never NULL */

#endif
