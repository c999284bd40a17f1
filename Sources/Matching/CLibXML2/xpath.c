#include "document.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cx_value {
    xmlXPathObject *object;
};

static void record_xpath_error(void *problem, cx_error error) {
    cx_record_error(problem, error);
}

/* Finds the node that a function is applied to: the first one of its argument, or the context node. The caller frees
 * `set`. */
static int argument_of(
    xmlXPathParserContext *parser, int arguments, xmlXPathObject **set, const xmlNode **node) {
    *set = NULL;
    *node = parser->context->node;
    if (arguments == 0) return 0;
    if (arguments > 1) {
        cx_library.xmlXPathErr(parser, XPATH_INVALID_ARITY);
        return -1;
    }
    *set = cx_library.valuePop(parser);
    if (*set == NULL || (*set)->type != XPATH_NODESET) {
        if (*set != NULL) cx_library.xmlXPathFreeObject(*set);
        cx_library.xmlXPathErr(parser, XPATH_INVALID_TYPE);
        return -1;
    }
    xmlNodeSet *nodes = (*set)->nodesetval;
    if (nodes != NULL) cx_library.xmlXPathNodeSetSort(nodes);
    *node = nodes == NULL || nodes->nodeNr == 0 ? NULL : nodes->nodeTab[0];
    return 0;
}

static char *joined(const char *prefix, size_t prefix_length, const char *local) {
    size_t length = strlen(local);
    char *text = malloc(prefix_length + length + 2);
    if (text == NULL) return NULL;
    size_t start = 0;
    if (prefix_length > 0) {
        memcpy(text, prefix, prefix_length);
        text[prefix_length] = ':';
        start = prefix_length + 1;
    }
    memcpy(text + start, local, length + 1);
    return text;
}

static char *name_of(const xmlNode *node) {
    const char *prefix = NULL;
    size_t prefix_length = 0;
    switch (node->type) {
    case XML_ELEMENT_NODE:
    case XML_ATTRIBUTE_NODE:
        prefix = cx_prefix(node, &prefix_length);
        return joined(prefix, prefix_length, (const char *)node->name);
    case XML_PI_NODE:
        return joined(NULL, 0, (const char *)node->name);
    case XML_NAMESPACE_DECL:
        prefix = (const char *)((const xmlNs *)node)->prefix;
        return prefix == NULL ? NULL : joined(NULL, 0, prefix);
    default:
        return NULL;
    }
}

/* The XPath function `name`, with the prefix as written. Without namespaces the nodes have none, and libxml2's function
 * would omit the prefix. */
static void name_function(xmlXPathParserContext *parser, int arguments) {
    xmlXPathObject *set;
    const xmlNode *node;
    if (argument_of(parser, arguments, &set, &node) != 0) return;
    char *text = node == NULL ? NULL : name_of(node);
    if (set != NULL) cx_library.xmlXPathFreeObject(set);
    cx_library.valuePush(parser, cx_library.xmlXPathNewCString(text == NULL ? "" : text));
    free(text);
}

/* Functions that read the text of nodes. libxml2 counts a call as one step, although it may read the whole document, so
 * each call checks the clock first. Those that search are defined below. */
#define TIMED_FUNCTIONS(X) \
    X("string", xmlXPathStringFunction) \
    X("starts-with", xmlXPathStartsWithFunction) \
    X("string-length", xmlXPathStringLengthFunction) \
    X("normalize-space", xmlXPathNormalizeFunction) \
    X("substring", xmlXPathSubstringFunction) \
    X("concat", xmlXPathConcatFunction) \
    X("sum", xmlXPathSumFunction) \
    X("number", xmlXPathNumberFunction) \
    X("id", xmlXPathIdFunction)

static _Thread_local uint64_t deadline;
static _Thread_local int was_late;

static uint64_t clock_now(void) {
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec : 0;
}

/* Returns 1, and aborts the evaluation, if a function that takes `nanoseconds` would end after the deadline. */
static int is_late(xmlXPathParserContext *parser, uint64_t nanoseconds) {
    uint64_t now = clock_now();
    if (now <= deadline && nanoseconds <= deadline - now) return 0;
    was_late = 1;
    cx_library.xmlXPathErr(parser, XPATH_OP_LIMIT_EXCEEDED);
    return 1;
}

#define X(name, function) \
    static void timed_##function(xmlXPathParserContext *parser, int arguments) \
    { \
        if (!is_late(parser, 0)) \
            cx_library.function(parser, arguments); \
    }
TIMED_FUNCTIONS(X)
#undef X

/* Pops the top of the stack as a string. Returns NULL after an error. */
static xmlXPathObject *pop_string(xmlXPathParserContext *parser) {
    cx_library.xmlXPathStringFunction(parser, 1);
    if (parser->error != 0) return NULL;
    xmlXPathObject *object = cx_library.valuePop(parser);
    if (object == NULL || object->type != XPATH_STRING || object->stringval == NULL) {
        if (object != NULL) cx_library.xmlXPathFreeObject(object);
        cx_library.xmlXPathErr(parser, XPATH_INVALID_TYPE);
        return NULL;
    }
    return object;
}

static void push_text(xmlXPathParserContext *parser, const char *text) {
    cx_library.valuePush(parser, cx_library.xmlXPathNewCString(text));
}

enum search { CONTAINS, BEFORE, AFTER };

/* libxml2's search is quadratic, strstr is not. */
static void search(xmlXPathParserContext *parser, int arguments, enum search kind) {
    if (is_late(parser, 0)) return;
    if (arguments != 2) {
        cx_library.xmlXPathErr(parser, XPATH_INVALID_ARITY);
        return;
    }
    xmlXPathObject *part = pop_string(parser);
    xmlXPathObject *text = part == NULL ? NULL : pop_string(parser);
    if (text == NULL) {
        if (part != NULL) cx_library.xmlXPathFreeObject(part);
        return;
    }
    char *found = strstr((char *)text->stringval, (const char *)part->stringval);
    switch (kind) {
    case CONTAINS:
        /* Left to the library, which makes the boolean: both texts are chosen to give the result at once. */
        push_text(parser, found == NULL ? "" : (const char *)part->stringval);
        push_text(parser, (const char *)part->stringval);
        cx_library.xmlXPathContainsFunction(parser, 2);
        break;
    case BEFORE:
        if (found != NULL) *found = '\0';
        push_text(parser, found == NULL ? "" : (const char *)text->stringval);
        break;
    case AFTER:
        push_text(parser, found == NULL ? "" : found + strlen((const char *)part->stringval));
        break;
    }
    cx_library.xmlXPathFreeObject(text);
    cx_library.xmlXPathFreeObject(part);
}

static void search_contains(xmlXPathParserContext *parser, int arguments) {
    search(parser, arguments, CONTAINS);
}

static void search_before(xmlXPathParserContext *parser, int arguments) {
    search(parser, arguments, BEFORE);
}

static void search_after(xmlXPathParserContext *parser, int arguments) {
    search(parser, arguments, AFTER);
}

/* `translate` searches its list for each character of the text: too long a list for too long a text is refused. */
static void bounded_translate(xmlXPathParserContext *parser, int arguments) {
    if (arguments != 3) {
        cx_library.xmlXPathErr(parser, XPATH_INVALID_ARITY);
        return;
    }
    xmlXPathObject *to = pop_string(parser);
    xmlXPathObject *from = to == NULL ? NULL : pop_string(parser);
    xmlXPathObject *text = from == NULL ? NULL : pop_string(parser);
    if (text == NULL) {
        if (from != NULL) cx_library.xmlXPathFreeObject(from);
        if (to != NULL) cx_library.xmlXPathFreeObject(to);
        return;
    }
    uint64_t steps = (uint64_t)strlen((char *)text->stringval) * (uint64_t)strlen((char *)from->stringval);
    cx_library.valuePush(parser, text);
    cx_library.valuePush(parser, from);
    cx_library.valuePush(parser, to);
    if (!is_late(parser, steps)) cx_library.xmlXPathTranslateFunction(parser, 3);
}

static void replace_function(xmlXPathContext *context, const char *name, xmlXPathFunction function) {
    /* libxml2 does not replace a registered function; it has to be removed first. */
    cx_library.xmlXPathRegisterFunc(context, (const xmlChar *)name, NULL);
    cx_library.xmlXPathRegisterFunc(context, (const xmlChar *)name, function);
}

static void catch_errors(xmlXPathContext *context, cx_problem *problem) {
    context->userData = problem;
    context->error = record_xpath_error;
    cx_silence_messages();
}

static xmlXPathContext *context_of(cx_document *document) {
    if (document->context != NULL) return document->context;
    xmlXPathContext *context = cx_library.xmlXPathNewContext(document->doc);
    if (context == NULL) return NULL;
    replace_function(context, "name", name_function);
#define X(name, function) replace_function(context, name, timed_##function);
    TIMED_FUNCTIONS(X)
#undef X
    replace_function(context, "contains", search_contains);
    replace_function(context, "substring-before", search_before);
    replace_function(context, "substring-after", search_after);
    replace_function(context, "translate", bounded_translate);
    /* Numbers the elements, so that libxml2 sorts nodes without walking along siblings. */
    cx_library.xmlXPathOrderDocElems(document->doc);
    document->context = context;
    return context;
}

static int reset(
    xmlXPathContext *context, cx_document *document, const char *const *namespaces, unsigned long operations,
    uint64_t nanoseconds, cx_problem *problem) {
    cx_library.xmlXPathRegisteredNsCleanup(context);
    context->node = (xmlNode *)document->doc;
    uint64_t now = clock_now();
    deadline = nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX;
    was_late = 0;
    context->opLimit = operations;
    context->opCount = 0;
    context->depth = 0;
    catch_errors(context, problem);
    for (; namespaces != NULL && namespaces[0] != NULL && namespaces[1] != NULL; namespaces += 2) {
        if (cx_library.xmlXPathRegisterNs(
                context, (const xmlChar *)namespaces[0], (const xmlChar *)namespaces[1]) != 0) {
            return -1;
        }
    }
    return 0;
}

static xmlXPathObject *evaluate(xmlXPathContext *context, const char *expression) {
    xmlXPathCompExpr *compiled = cx_library.xmlXPathCtxtCompile(context, (const xmlChar *)expression);
    if (compiled == NULL) return NULL;
    xmlXPathObject *object = cx_library.xmlXPathCompiledEval(compiled, context);
    cx_library.xmlXPathFreeCompExpr(compiled);
    return object;
}

cx_value *cx_evaluate(
    cx_document *document, const char *expression, const char *const *namespaces, unsigned long operations,
    uint64_t nanoseconds, cx_problem *problem) {
    memset(problem, 0, sizeof *problem);
    problem->code = CX_OUT_OF_MEMORY;
    xmlXPathContext *context = context_of(document);
    if (context == NULL || reset(context, document, namespaces, operations, nanoseconds, problem) != 0) return NULL;
    problem->code = 0;
    xmlXPathObject *object = evaluate(context, expression);
    context->userData = NULL;
    cx_value *value = object == NULL ? NULL : malloc(sizeof *value);
    if (value == NULL) {
        if (object != NULL) cx_library.xmlXPathFreeObject(object);
        if (was_late) problem->code = CX_TOO_LATE;
        else if (problem->code == 0) problem->code = CX_OUT_OF_MEMORY;
        return NULL;
    }
    if (object->type == XPATH_NODESET && object->nodesetval != NULL) cx_library.xmlXPathNodeSetSort(object->nodesetval);
    value->object = object;
    return value;
}

int cx_check(const char *expression, cx_problem *problem) {
    memset(problem, 0, sizeof *problem);
    if (cx_unavailable() != NULL) {
        problem->code = CX_UNAVAILABLE;
        return -1;
    }
    xmlXPathContext *context = cx_library.xmlXPathNewContext(NULL);
    if (context == NULL) {
        problem->code = CX_OUT_OF_MEMORY;
        return -1;
    }
    catch_errors(context, problem);
    xmlXPathCompExpr *compiled = cx_library.xmlXPathCtxtCompile(context, (const xmlChar *)expression);
    if (compiled != NULL) cx_library.xmlXPathFreeCompExpr(compiled);
    else if (problem->code == 0) problem->code = CX_OUT_OF_MEMORY;
    cx_library.xmlXPathFreeContext(context);
    return compiled == NULL ? -1 : 0;
}

void cx_value_free(cx_value *value) {
    if (value == NULL) return;
    cx_library.xmlXPathFreeObject(value->object);
    free(value);
}

int cx_value_kind(const cx_value *value) {
    switch (value->object->type) {
    case XPATH_BOOLEAN: return CX_BOOLEAN;
    case XPATH_NUMBER: return CX_NUMBER;
    case XPATH_STRING: return CX_STRING;
    default: return CX_NODES;
    }
}

size_t cx_value_count(const cx_value *value) {
    const xmlNodeSet *set = value->object->type == XPATH_NODESET ? value->object->nodesetval : NULL;
    return set == NULL || set->nodeNr < 0 ? 0 : (size_t)set->nodeNr;
}

const cx_node *cx_value_node(const cx_value *value, size_t index) {
    return index < cx_value_count(value) ? (const cx_node *)value->object->nodesetval->nodeTab[index] : NULL;
}

int cx_value_boolean(const cx_value *value) {
    return value->object->boolval != 0;
}

double cx_value_number(const cx_value *value) {
    return value->object->floatval;
}

const char *cx_value_string(const cx_value *value) {
    return value->object->stringval == NULL ? "" : (const char *)value->object->stringval;
}
