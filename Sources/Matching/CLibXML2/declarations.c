#include "document.h"

#include <time.h>

/*
 * What a document declares may cost far more than its length: an attribute with a default belongs to each element of
 * its name and is compared with all others there, an ID with all before it, and an entity is copied wherever it is
 * used. So each use looks at the clock, and the parser is stopped when it is late.
 */

/* The parse of this thread. Entities with elements are parsed with contexts of their own, but the same callbacks. */
static _Thread_local struct {
    xmlSAXHandler standard; /* libxml2's callbacks */
    cx_problem *problem;
    uint64_t start;                /* monotonic */
    uint64_t spent;                /* the thread's processor time at the start */
    uint64_t nanoseconds;          /* the processor time that the parse has */
    int64_t credit;                /* pairs of attributes to compare up to the next look at the clock */
} current;

/* The pairs between two looks at the clock: about a tenth of a millisecond. */
enum { STRETCH = 100000 };

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec : 0;
}

/* Returns 1, and stops the parser, if the time is spent. The processor's clock takes a system call, the other none. */
static int is_late(void *context)
{
    if (current.problem->code != CX_TOO_LATE) {
        if (now(CLOCK_MONOTONIC) - current.start < current.nanoseconds)
            return 0;
        if (now(CLOCK_THREAD_CPUTIME_ID) - current.spent < current.nanoseconds)
            return 0;
        current.problem->code = CX_TOO_LATE;
    }
    cx_library.xmlStopParser(context);
    return 1;
}

static xmlEntityPtr get_entity(void *context, const xmlChar *name)
{
    return is_late(context) ? NULL : current.standard.getEntity(context, name);
}

static xmlEntityPtr get_parameter_entity(void *context, const xmlChar *name)
{
    return is_late(context) ? NULL : current.standard.getParameterEntity(context, name);
}

static void start_element(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes)
{
    int64_t count = 8 + (int64_t)namespace_count + attribute_count;
    current.credit -= count * count;
    if (current.credit < 0) {
        current.credit = STRETCH;
        if (is_late(context))
            return;
    }
    current.standard.startElementNs(
        context, name, prefix, uri, namespace_count, namespaces, attribute_count, default_count, attributes);
}

static void declare_attribute(
    void *context, const xmlChar *element, const xmlChar *name, int type, int kind, const xmlChar *value,
    xmlEnumerationPtr tokens)
{
    /* libxml2 frees the tokens in here, so it is called in any case. */
    current.standard.attributeDecl(context, element, name, type, kind, value, tokens);
    xmlParserCtxt *parser = context;
    if (value != NULL)
        parser->sax->startElementNs = start_element;
    is_late(context);
}

void cx_bound_declarations(xmlParserCtxt *parser, uint64_t nanoseconds, cx_problem *problem)
{
    current.standard = *parser->sax;
    current.problem = problem;
    current.start = now(CLOCK_MONOTONIC);
    current.spent = now(CLOCK_THREAD_CPUTIME_ID);
    current.nanoseconds = nanoseconds;
    current.credit = STRETCH;
    parser->sax->getEntity = get_entity;
    parser->sax->getParameterEntity = get_parameter_entity;
    parser->sax->attributeDecl = declare_attribute;
}
