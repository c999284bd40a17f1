#include "document.h"

#include <time.h>

/* Declarations can cost far more time than their length suggests: an attribute with a default is added to each element
 * of its name and compared with all others there, an ID with all before it, and an entity is copied at each use. Each
 * of these events checks the clock, and the parser is stopped at the deadline. */

/* The state of this thread's parse. libxml2 parses entities with elements in contexts of their own, but with the same
 * callbacks. */
static _Thread_local struct {
    xmlSAXHandler standard; /* libxml2's callbacks */
    cx_problem *problem;
    uint64_t start;       /* monotonic time */
    uint64_t spent;       /* the thread's processor time at the start */
    uint64_t nanoseconds; /* the limit of processor time */
    int64_t credit;       /* comparisons of attributes left until the next check of the clock */
} current;

/* Comparisons of attributes between two checks of the clock: about a tenth of a millisecond. */
enum { PAIRS_PER_CHECK = 100000 };

static uint64_t now(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec : 0;
}

/* Returns 1, and stops the parser, after the deadline. The monotonic clock is read first: it needs no system call, the
 * processor's does. */
static int is_late(void *context) {
    if (current.problem->code != CX_TOO_LATE) {
        if (now(CLOCK_MONOTONIC) - current.start < current.nanoseconds) return 0;
        if (now(CLOCK_THREAD_CPUTIME_ID) - current.spent < current.nanoseconds) return 0;
        current.problem->code = CX_TOO_LATE;
    }
    cx_library.xmlStopParser(context);
    return 1;
}

static xmlEntityPtr get_entity(void *context, const xmlChar *name) {
    return is_late(context) ? NULL : current.standard.getEntity(context, name);
}

static xmlEntityPtr get_parameter_entity(void *context, const xmlChar *name) {
    return is_late(context) ? NULL : current.standard.getParameterEntity(context, name);
}

static void start_element(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes) {
    int64_t count = 8 + (int64_t)namespace_count + attribute_count;
    current.credit -= count * count;
    if (current.credit < 0) {
        current.credit = PAIRS_PER_CHECK;
        if (is_late(context)) return;
    }
    current.standard.startElementNs(
        context, name, prefix, uri, namespace_count, namespaces, attribute_count, default_count, attributes);
}

static void declare_attribute(
    void *context, const xmlChar *element, const xmlChar *name, int type, int kind, const xmlChar *value,
    xmlEnumerationPtr tokens) {
    /* libxml2 frees `tokens` in here, so this is always called. */
    current.standard.attributeDecl(context, element, name, type, kind, value, tokens);
    xmlParserCtxt *parser = context;
    if (value != NULL) parser->sax->startElementNs = start_element;
    is_late(context);
}

void cx_limit_declarations(xmlParserCtxt *parser, uint64_t nanoseconds, cx_problem *problem) {
    current.standard = *parser->sax;
    current.problem = problem;
    current.start = now(CLOCK_MONOTONIC);
    current.spent = now(CLOCK_THREAD_CPUTIME_ID);
    current.nanoseconds = nanoseconds;
    current.credit = PAIRS_PER_CHECK;
    parser->sax->getEntity = get_entity;
    parser->sax->getParameterEntity = get_parameter_entity;
    parser->sax->attributeDecl = declare_attribute;
}
