#include "document.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cx_value {
    struct xmlXPathObject *object;
};

/* XPATH_INVALID_TYPE, XPATH_INVALID_ARITY and XPATH_OP_LIMIT_EXCEEDED. */
enum { WRONG_TYPE = 11, WRONG_COUNT = 12, LIMIT_EXCEEDED = 25 };

static void take_xpath_error(void *problem, const struct xmlError *error)
{
    cx_take(problem, error);
}

/* Discards what libxml2 would print: it reports odd characters in an expression past the context's own callback. */
static void ignore_error(void *data, const struct xmlError *error)
{
    (void)data;
    (void)error;
}

/* Discards unstructured messages, such as the name of an unknown function. The error itself reaches the callback. */
static void ignore_text(void *data, const char *format, ...)
{
    (void)data;
    (void)format;
}

/* Finds the node that a function is about: the first one of its argument, or the context node. The caller frees `set`.
 */
static int argument_of(
    struct xmlXPathParserContext *parser, int arguments, struct xmlXPathObject **set, const struct xmlNode **node)
{
    *set = NULL;
    *node = parser->context->node;
    if (arguments == 0)
        return 0;
    if (arguments > 1) {
        cx_library.xmlXPathErr(parser, WRONG_COUNT);
        return -1;
    }
    *set = cx_library.valuePop(parser);
    if (*set == NULL || (*set)->type != XPATH_NODESET) {
        if (*set != NULL)
            cx_library.xmlXPathFreeObject(*set);
        cx_library.xmlXPathErr(parser, WRONG_TYPE);
        return -1;
    }
    struct xmlNodeSet *nodes = (*set)->nodesetval;
    if (nodes != NULL)
        cx_library.xmlXPathNodeSetSort(nodes);
    *node = nodes == NULL || nodes->nodeNr == 0 ? NULL : nodes->nodeTab[0];
    return 0;
}

static char *joined(const char *prefix, size_t prefix_length, const char *local)
{
    size_t length = strlen(local);
    char *text = malloc(prefix_length + length + 2);
    if (text == NULL)
        return NULL;
    size_t start = 0;
    if (prefix_length > 0) {
        memcpy(text, prefix, prefix_length);
        text[prefix_length] = ':';
        start = prefix_length + 1;
    }
    memcpy(text + start, local, length + 1);
    return text;
}

static char *name_of(const struct xmlNode *node)
{
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
        prefix = (const char *)((const struct xmlNs *)node)->prefix;
        return prefix == NULL ? NULL : joined(NULL, 0, prefix);
    default:
        return NULL;
    }
}

/*
 * The function `name`, with the prefix as written. Without namespaces the nodes have none, and libxml2's own function
 * would omit the prefix.
 */
static void name_function(struct xmlXPathParserContext *parser, int arguments)
{
    struct xmlXPathObject *set;
    const struct xmlNode *node;
    if (argument_of(parser, arguments, &set, &node) != 0)
        return;
    char *text = node == NULL ? NULL : name_of(node);
    if (set != NULL)
        cx_library.xmlXPathFreeObject(set);
    cx_library.valuePush(parser, cx_library.xmlXPathNewCString(text == NULL ? "" : text));
    free(text);
}

/*
 * The functions that read the text of nodes. For libxml2 a call is one step, although it may read the whole document,
 * so each call checks the clock first.
 */
#define TIMED_FUNCTIONS(X) \
    X("string", xmlXPathStringFunction) \
    X("contains", xmlXPathContainsFunction) \
    X("starts-with", xmlXPathStartsWithFunction) \
    X("string-length", xmlXPathStringLengthFunction) \
    X("normalize-space", xmlXPathNormalizeFunction) \
    X("substring", xmlXPathSubstringFunction) \
    X("substring-before", xmlXPathSubstringBeforeFunction) \
    X("substring-after", xmlXPathSubstringAfterFunction) \
    X("translate", xmlXPathTranslateFunction) \
    X("concat", xmlXPathConcatFunction) \
    X("sum", xmlXPathSumFunction) \
    X("number", xmlXPathNumberFunction) \
    X("id", xmlXPathIdFunction)

static _Thread_local struct timespec deadline;

static int is_late(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 &&
        (now.tv_sec > deadline.tv_sec || (now.tv_sec == deadline.tv_sec && now.tv_nsec > deadline.tv_nsec));
}

#define X(name, function) \
    static void timed_##function(struct xmlXPathParserContext *parser, int arguments) \
    { \
        if (is_late()) \
            cx_library.xmlXPathErr(parser, LIMIT_EXCEEDED); \
        else \
            cx_library.function(parser, arguments); \
    }
TIMED_FUNCTIONS(X)
#undef X

static void replace_function(struct xmlXPathContext *context, const char *name, xmlXPathFunction function)
{
    /* libxml2 does not replace a registered function, so it is removed first. */
    cx_library.xmlXPathRegisterFunc(context, (const xmlChar *)name, NULL);
    cx_library.xmlXPathRegisterFunc(context, (const xmlChar *)name, function);
}

static void catch_errors(struct xmlXPathContext *context, cx_problem *problem)
{
    context->userData = problem;
    context->error = take_xpath_error;
    /* These handlers belong to the thread. */
    cx_library.xmlSetStructuredErrorFunc(NULL, ignore_error);
    cx_library.xmlSetGenericErrorFunc(NULL, ignore_text);
}

static struct xmlXPathContext *context_of(cx_document *document)
{
    if (document->context != NULL)
        return document->context;
    struct xmlXPathContext *context = cx_library.xmlXPathNewContext(document->doc);
    if (context == NULL)
        return NULL;
    replace_function(context, "name", name_function);
#define X(name, function) replace_function(context, name, timed_##function);
    TIMED_FUNCTIONS(X)
#undef X
    /* Numbers the elements, so that libxml2 can sort nodes without walking along their siblings. */
    long elements = cx_library.xmlXPathOrderDocElems(document->doc);
    document->elements = elements > 0 ? (unsigned long)elements : 0;
    document->context = context;
    return context;
}

static int reset(
    struct xmlXPathContext *context, cx_document *document, const char *const *namespaces, unsigned long operations,
    unsigned long pairs, unsigned seconds, cx_problem *problem)
{
    cx_library.xmlXPathRegisteredNsCleanup(context);
    context->node = (struct xmlNode *)document->doc;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += seconds;
    unsigned long most = pairs / (document->elements + 1);
    context->opLimit = pairs != 0 && most < operations ? most + 1 : operations;
    context->opCount = 0;
    context->depth = 0;
    catch_errors(context, problem);
    for (; namespaces != NULL && namespaces[0] != NULL && namespaces[1] != NULL; namespaces += 2)
        if (cx_library.xmlXPathRegisterNs(
                context, (const xmlChar *)namespaces[0], (const xmlChar *)namespaces[1]) != 0)
            return -1;
    return 0;
}

static struct xmlXPathObject *evaluate(struct xmlXPathContext *context, const char *expression)
{
    void *compiled = cx_library.xmlXPathCtxtCompile(context, (const xmlChar *)expression);
    if (compiled == NULL)
        return NULL;
    struct xmlXPathObject *object = cx_library.xmlXPathCompiledEval(compiled, context);
    cx_library.xmlXPathFreeCompExpr(compiled);
    return object;
}

cx_value *cx_evaluate(
    cx_document *document, const char *expression, const char *const *namespaces, unsigned long operations,
    unsigned long pairs, unsigned seconds, cx_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->code = CX_OUT_OF_MEMORY;
    struct xmlXPathContext *context = context_of(document);
    if (context == NULL || reset(context, document, namespaces, operations, pairs, seconds, problem) != 0)
        return NULL;
    problem->code = 0;
    struct xmlXPathObject *object = evaluate(context, expression);
    context->userData = NULL;
    cx_value *value = object == NULL ? NULL : malloc(sizeof *value);
    if (value == NULL) {
        if (object != NULL)
            cx_library.xmlXPathFreeObject(object);
        if (problem->code == 0)
            problem->code = CX_OUT_OF_MEMORY;
        return NULL;
    }
    if (object->type == XPATH_NODESET && object->nodesetval != NULL)
        cx_library.xmlXPathNodeSetSort(object->nodesetval);
    value->object = object;
    return value;
}

int cx_check(const char *expression, cx_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    if (cx_unavailable() != NULL) {
        problem->code = CX_UNAVAILABLE;
        return -1;
    }
    struct xmlXPathContext *context = cx_library.xmlXPathNewContext(NULL);
    if (context == NULL) {
        problem->code = CX_OUT_OF_MEMORY;
        return -1;
    }
    catch_errors(context, problem);
    void *compiled = cx_library.xmlXPathCtxtCompile(context, (const xmlChar *)expression);
    if (compiled != NULL)
        cx_library.xmlXPathFreeCompExpr(compiled);
    else if (problem->code == 0)
        problem->code = CX_OUT_OF_MEMORY;
    cx_library.xmlXPathFreeContext(context);
    return compiled == NULL ? -1 : 0;
}

void cx_value_free(cx_value *value)
{
    if (value == NULL)
        return;
    cx_library.xmlXPathFreeObject(value->object);
    free(value);
}

int cx_value_kind(const cx_value *value)
{
    switch (value->object->type) {
    case XPATH_BOOLEAN: return CX_BOOLEAN;
    case XPATH_NUMBER: return CX_NUMBER;
    case XPATH_STRING: return CX_STRING;
    default: return CX_NODES;
    }
}

size_t cx_value_count(const cx_value *value)
{
    const struct xmlNodeSet *set = value->object->type == XPATH_NODESET ? value->object->nodesetval : NULL;
    return set == NULL || set->nodeNr < 0 ? 0 : (size_t)set->nodeNr;
}

const cx_node *cx_value_node(const cx_value *value, size_t index)
{
    return index < cx_value_count(value) ? (const cx_node *)value->object->nodesetval->nodeTab[index] : NULL;
}

int cx_value_boolean(const cx_value *value)
{
    return value->object->boolval != 0;
}

double cx_value_number(const cx_value *value)
{
    return value->object->floatval;
}

const char *cx_value_string(const cx_value *value)
{
    return value->object->stringval == NULL ? "" : (const char *)value->object->stringval;
}
