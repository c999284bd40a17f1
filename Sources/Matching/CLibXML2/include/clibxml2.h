#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <stddef.h>
#include <stdint.h>

/* XML and XPath, with libxml2. The library is not linked: the first use opens it with dlopen.
 *
 * No function reads a file or the network: external entities are empty, and external DTDs are not loaded. Threads may
 * use different documents concurrently, but a document only one at a time. */

/* Returns NULL if libxml2 can be used, otherwise a sentence that says why not. The first call opens it. Any thread. */
const char *cx_unavailable(void);

typedef struct cx_document cx_document;
typedef struct cx_node cx_node;
typedef struct cx_value cx_value;

/* An error in a document or an expression. */
typedef struct {
    int code;          /* libxml2's error code; 0 for no error */
    int line;          /* from 1; 0 if unknown */
    int column;        /* from 1; 0 if unknown */
    char message[256]; /* UTF-8 without a line end, truncated if necessary */
    char name[128];    /* the first name that the error is about, or empty */
    char other[128];   /* the second one, or empty */
    char third[128];   /* the third one, or empty */
} cx_problem;

/* libxml2's error codes to which callers give a text of their own. */
enum {
    CX_OUT_OF_MEMORY = 2,
    CX_UNAVAILABLE = -1,
    CX_TOO_LARGE = -2,
    CX_TOO_LATE = -3,
};

/* Parses UTF-8; the encoding that the document declares is ignored. References to the document's own entities are
 * replaced, external ones are empty. With `namespace_aware` 0, prefixes have no meaning and need no declaration.
 * Returns NULL and fills `problem` if the document is not well-formed, or with CX_TOO_LATE if its declarations (default
 * attributes, IDs and entities) take more than `nanoseconds` of processor time; nothing else is limited. Free the
 * result with `cx_document_free`. */
cx_document *cx_parse(
    const char *bytes, size_t length, int namespace_aware, uint64_t nanoseconds, cx_problem *problem);
void cx_document_free(cx_document *document);

/* Returns the document node. Its children are the root element, comments and processing instructions. */
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

/* A node. Its strings are UTF-8, NUL-terminated unless noted, and belong to the document; they are NULL if absent. */
typedef struct {
    int kind;           /* enum cx_kind */
    const char *local;  /* name without prefix, or target of an instruction */
    const char *prefix; /* as written, even if prefixes have no meaning; not NUL-terminated */
    size_t prefix_length;
    const char *uri;          /* namespace; NULL if prefixes have no meaning */
    const char *content;      /* of a text, CDATA, comment, instruction or namespace */
    const cx_node *parent;    /* NULL for the document */
    const cx_node *first;     /* first child; for an attribute, its first text */
    const cx_node *next;      /* next sibling, or next attribute */
    const cx_node *attribute; /* an element's first attribute */
    const cx_node *declared;  /* an element's first namespace declaration: a CX_NAMESPACE node */
} cx_facts;

void cx_read(const cx_node *node, cx_facts *facts);

/* Evaluates an XPath 1.0 expression on the document node. `namespaces` is a list of prefix, URI, prefix, URI … NULL, or
 * NULL. The evaluation is limited to `operations` steps; function calls later than `nanoseconds` after the start fail
 * with CX_TOO_LATE. Returns NULL and fills `problem` on failure. Free the result with `cx_value_free`, before the
 * document. */
cx_value *cx_evaluate(
    cx_document *document, const char *expression, const char *const *namespaces, unsigned long operations,
    uint64_t nanoseconds, cx_problem *problem);
void cx_value_free(cx_value *value);

/* Returns 0 for a valid XPath 1.0 expression, otherwise fills `problem`. Prefixes and functions are not checked. */
int cx_check(const char *expression, cx_problem *problem);

enum cx_value_kind { CX_NODES, CX_BOOLEAN, CX_NUMBER, CX_STRING };

int cx_value_kind(const cx_value *value); /* enum cx_value_kind */
size_t cx_value_count(const cx_value *value);
const cx_node *cx_value_node(const cx_value *value, size_t index); /* in document order */
int cx_value_boolean(const cx_value *value);
double cx_value_number(const cx_value *value);
const char *cx_value_string(const cx_value *value); /* never NULL */

#endif
