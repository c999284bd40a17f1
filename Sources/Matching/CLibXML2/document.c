#include "document.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The error of this thread's current parse. A static, because libxml2's tree builder occupies the callback's
 * argument. */
static _Thread_local cx_problem *current_problem;
static _Thread_local int prefixes_matter;

static void copy(char *target, size_t size, const char *source) {
    size_t length = source == NULL ? 0 : strnlen(source, size - 1);
    /* Cut at a character boundary. */
    if (source != NULL && source[length] != '\0') {
        while (length > 0 && (source[length] & 0xC0) == 0x80) length--;
    }
    if (length > 0) memcpy(target, source, length);
    while (length > 0 && (target[length - 1] == '\n' || target[length - 1] == ' ')) length--;
    target[length] = '\0';
}

void cx_record_error(cx_problem *problem, cx_error error) {
    if (problem->code != 0 || error == NULL || error->level <= XML_ERR_WARNING) return;
    problem->code = error->code;
    problem->line = error->line;
    /* An expression has no lines; its position is an offset. */
    problem->column = error->domain == XML_FROM_XPATH ? error->int1 : error->int2;
    copy(problem->message, sizeof problem->message, error->message);
    copy(problem->name, sizeof problem->name, error->str1);
    copy(problem->other, sizeof problem->other, error->str2);
    copy(problem->third, sizeof problem->third, error->str3);
}

static void record_parse_error(void *context, cx_error error) {
    (void)context;
    if (current_problem != NULL && error != NULL && (prefixes_matter || error->domain != XML_FROM_NAMESPACE)) {
        cx_record_error(current_problem, error);
    }
}

static void ignore_error(void *data, cx_error error) {
    (void)data;
    (void)error;
}

/* Discards unstructured messages, such as the name of an unknown function. The error itself reaches the callback. */
static void ignore_text(void *data, const char *format, ...) {
    (void)data;
    (void)format;
}

void cx_silence_messages(void) {
    /* The handlers are per thread. */
    cx_library.xmlSetStructuredErrorFunc(NULL, ignore_error);
    cx_library.xmlSetGenericErrorFunc(NULL, ignore_text);
}

/* Declares external entities as empty ones, so that no file is ever opened for them. An entity with both elements and
 * references to entities is left undeclared: a chain of such entities could nest deeper than libxml2's limit for the
 * document itself, and libxml2 copies nested entities recursively. So is a parameter entity that refers to or declares
 * others: libxml2 does not stop at chains of these. */
static void declare_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
    const xmlChar *system_id, xmlChar *content) {
    static xmlChar nothing[] = "";
    if (type == XML_EXTERNAL_GENERAL_PARSED_ENTITY || type == XML_EXTERNAL_PARAMETER_ENTITY) {
        type = type == XML_EXTERNAL_PARAMETER_ENTITY ? XML_INTERNAL_PARAMETER_ENTITY : XML_INTERNAL_GENERAL_ENTITY;
        public_id = system_id = NULL;
        content = nothing;
    }
    if (content != NULL && strchr((const char *)content, '<') != NULL && strchr((const char *)content, '&') != NULL) {
        return;
    }
    if (content != NULL && type == XML_INTERNAL_PARAMETER_ENTITY && strchr((const char *)content, '%') != NULL) return;
    cx_library.xmlSAX2EntityDecl(context, name, type, public_id, system_id, content);
}

const char *cx_prefix(const xmlNode *node, size_t *length) {
    const char *prefix = (const char *)(node->ns != NULL ? node->ns->prefix : (const xmlChar *)node->_private);
    *length = prefix == NULL ? 0 : strcspn(prefix, ":");
    return prefix;
}

/* Removes the namespace of an element or attribute, and saves its prefix in the member that is free for
 * applications. */
static void forget_namespace(xmlNode *node) {
    if (node->ns != NULL) {
        node->_private = (void *)node->ns->prefix;
        node->ns = NULL;
        return;
    }
    /* An undeclared prefix is a part of the name. The name is in the document's dictionary, which identifies its
     * strings by address range and is freed as a whole, so a pointer into the middle of one is safe. */
    const char *colon = strchr((const char *)node->name, ':');
    if (colon == NULL || colon == (const char *)node->name || colon[1] == '\0') return;
    node->_private = (void *)node->name;
    node->name = (const xmlChar *)colon + 1;
}

static void forget_namespaces(xmlDoc *doc) {
    xmlNode *node = doc->children;
    while (node != NULL) {
        if (node->type == XML_ELEMENT_NODE) {
            forget_namespace(node);
            for (xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next) {
                forget_namespace((xmlNode *)attribute); /* xmlAttr has the same members up to `ns` */
            }
            if (node->children != NULL) {
                node = node->children;
                continue;
            }
        }
        while (node != (xmlNode *)doc && node->next == NULL) node = node->parent;
        node = node == (xmlNode *)doc ? NULL : node->next;
    }
}

static xmlDoc *parse(
    const char *bytes, int length, int namespace_aware, uint64_t nanoseconds, cx_problem *problem) {
    xmlParserCtxt *parser = cx_library.xmlNewParserCtxt();
    if (parser == NULL || parser->sax == NULL) {
        problem->code = CX_OUT_OF_MEMORY;
        return NULL;
    }
    parser->sax->entityDecl = declare_entity;
    parser->sax->serror = record_parse_error;
    cx_limit_declarations(parser, nanoseconds, problem);
    cx_silence_messages();
    current_problem = problem;
    prefixes_matter = namespace_aware;
    xmlDoc *doc = cx_library.xmlCtxtReadMemory(
        parser, bytes, length, NULL, "UTF-8", XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    current_problem = NULL;
    cx_library.xmlFreeParserCtxt(parser);
    return doc;
}

cx_document *cx_parse(
    const char *bytes, size_t length, int namespace_aware, uint64_t nanoseconds, cx_problem *problem) {
    memset(problem, 0, sizeof *problem);
    const char *missing = cx_unavailable();
    if (missing != NULL || length > INT_MAX) {
        problem->code = missing != NULL ? CX_UNAVAILABLE : CX_TOO_LARGE;
        copy(problem->message, sizeof problem->message, missing != NULL ? missing : "more than 2 GiB of XML");
        return NULL;
    }
    xmlDoc *doc = parse(bytes, (int)length, namespace_aware, nanoseconds, problem);
    cx_document *document = doc == NULL ? NULL : calloc(1, sizeof *document);
    if (document == NULL || problem->code == CX_TOO_LATE || (namespace_aware && problem->code != 0)) {
        if (doc != NULL) cx_library.xmlFreeDoc(doc);
        free(document);
        if (problem->code == 0) problem->code = CX_OUT_OF_MEMORY;
        return NULL;
    }
    document->doc = doc;
    if (!namespace_aware) forget_namespaces(doc);
    return document;
}

void cx_document_free(cx_document *document) {
    if (document == NULL) return;
    if (document->context != NULL) cx_library.xmlXPathFreeContext(document->context);
    cx_library.xmlFreeDoc(document->doc);
    free(document);
}

const cx_node *cx_document_node(const cx_document *document) {
    return (const cx_node *)document->doc;
}

static int kind(int type) {
    switch (type) {
    case XML_ELEMENT_NODE: return CX_ELEMENT;
    case XML_ATTRIBUTE_NODE: return CX_ATTRIBUTE;
    case XML_TEXT_NODE: return CX_TEXT;
    case XML_CDATA_SECTION_NODE: return CX_CDATA;
    case XML_PI_NODE: return CX_INSTRUCTION;
    case XML_COMMENT_NODE: return CX_COMMENT;
    case XML_DOCUMENT_NODE: return CX_DOCUMENT;
    case XML_NAMESPACE_DECL: return CX_NAMESPACE;
    default: return CX_OTHER;
    }
}

static void read_namespace(const xmlNs *ns, cx_facts *facts) {
    facts->local = (const char *)ns->prefix;
    facts->content = (const char *)ns->href;
    facts->next = (const cx_node *)ns->next;
}

void cx_read(const cx_node *opaque, cx_facts *facts) {
    const xmlNode *node = (const xmlNode *)opaque;
    memset(facts, 0, sizeof *facts);
    facts->kind = kind(node->type);
    if (facts->kind == CX_NAMESPACE) {
        read_namespace((const xmlNs *)opaque, facts);
        return;
    }
    facts->parent = (const cx_node *)node->parent;
    facts->next = (const cx_node *)node->next;
    switch (facts->kind) {
    case CX_ELEMENT:
        facts->attribute = (const cx_node *)node->properties;
        facts->declared = (const cx_node *)node->nsDef;
        /* fall through */
    case CX_ATTRIBUTE:
        facts->prefix = cx_prefix(node, &facts->prefix_length);
        facts->uri = node->ns == NULL ? NULL : (const char *)node->ns->href;
        facts->local = (const char *)node->name;
        facts->first = (const cx_node *)node->children;
        break;
    case CX_DOCUMENT:
        facts->first = (const cx_node *)node->children;
        break;
    case CX_INSTRUCTION:
        facts->local = (const char *)node->name;
        /* fall through */
    case CX_TEXT:
    case CX_CDATA:
    case CX_COMMENT:
        facts->content = (const char *)node->content;
        break;
    default:
        break;
    }
}
