#ifndef LIBXML2_H
#define LIBXML2_H

/*
 * The parts of libxml2 in use, declared here because SwiftPM can add a system library's header path only together with
 * its linker flags, and libxml2 must not be linked. The layouts are those of libxml2's public headers, unchanged since
 * 2.9.0 (2012). Tests/Oracle/xml_layout.c compares them with the installed headers, and `layouts_agree` in load.c
 * checks a real document and context before any of them is used.
 */

#include <stddef.h>

typedef unsigned char xmlChar;

enum {
    XML_ELEMENT_NODE = 1,
    XML_ATTRIBUTE_NODE = 2,
    XML_TEXT_NODE = 3,
    XML_CDATA_SECTION_NODE = 4,
    XML_PI_NODE = 7,
    XML_COMMENT_NODE = 8,
    XML_DOCUMENT_NODE = 9,
    XML_NAMESPACE_DECL = 18,
};

enum {
    XML_PARSE_NOENT = 1 << 1,
    XML_PARSE_NONET = 1 << 11,
    XML_PARSE_IGNORE_ENC = 1 << 21,
};

enum { XPATH_NODESET = 1, XPATH_BOOLEAN = 2, XPATH_NUMBER = 3, XPATH_STRING = 4 };

enum { XML_ERR_WARNING = 1 };

enum { XML_FROM_NAMESPACE = 3, XML_FROM_XPATH = 12 };

enum {
    XML_INTERNAL_GENERAL_ENTITY = 1,
    XML_EXTERNAL_GENERAL_PARSED_ENTITY = 2,
    XML_INTERNAL_PARAMETER_ENTITY = 4,
    XML_EXTERNAL_PARAMETER_ENTITY = 5,
};

struct xmlNode;
struct xmlDoc;

struct xmlNs {
    struct xmlNs *next;
    int type;
    const xmlChar *href;
    const xmlChar *prefix;
    void *_private;
    struct xmlDoc *context;
};

/* An attribute has the same members up to `ns`. */
struct xmlNode {
    void *_private;
    int type;
    const xmlChar *name;
    struct xmlNode *children;
    struct xmlNode *last;
    struct xmlNode *parent;
    struct xmlNode *next;
    struct xmlNode *prev;
    struct xmlDoc *doc;
    struct xmlNs *ns;
    xmlChar *content;
    struct xmlNode *properties;
    struct xmlNs *nsDef;
};

struct xmlDoc {
    void *_private;
    int type;
    char *name;
    struct xmlNode *children;
    struct xmlNode *last;
    struct xmlNode *parent;
    struct xmlNode *next;
    struct xmlNode *prev;
    struct xmlDoc *doc;
};

struct xmlError {
    int domain;
    int code;
    char *message;
    int level;
    char *file;
    int line;
    char *str1;
    char *str2;
    char *str3;
    int int1;
    int int2;
    void *ctxt;
    void *node;
};

struct xmlNodeSet {
    int nodeNr;
    int nodeMax;
    struct xmlNode **nodeTab;
};

struct xmlXPathObject {
    int type;
    struct xmlNodeSet *nodesetval;
    int boolval;
    double floatval;
    xmlChar *stringval;
};

typedef void (*xmlStructuredErrorFunc)(void *user_data, const struct xmlError *error);
typedef void (*xmlGenericErrorFunc)(void *user_data, const char *format, ...);

struct xmlXPathContext {
    struct xmlDoc *doc;
    struct xmlNode *node;
    int nb_variables_unused;
    int max_variables_unused;
    void *varHash;
    int nb_types;
    int max_types;
    void *types;
    int nb_funcs_unused;
    int max_funcs_unused;
    void *funcHash;
    int nb_axis;
    int max_axis;
    void *axis;
    void *namespaces;
    int nsNr;
    void *user;
    int contextSize;
    int proximityPosition;
    int xptr;
    struct xmlNode *here;
    struct xmlNode *origin;
    void *nsHash;
    void *varLookupFunc;
    void *varLookupData;
    void *extra;
    const xmlChar *function;
    const xmlChar *functionURI;
    void *funcLookupFunc;
    void *funcLookupData;
    void *tmpNsList;
    int tmpNsNr;
    void *userData;
    xmlStructuredErrorFunc error;
    struct xmlError lastError;
    struct xmlNode *debugNode;
    void *dict;
    int flags;
    void *cache;
    unsigned long opLimit;
    unsigned long opCount;
    int depth;
};

struct xmlXPathParserContext {
    const xmlChar *cur;
    const xmlChar *base;
    int error;
    struct xmlXPathContext *context;
};

/* The callbacks of a parser that are replaced, and the first members of its context and its table of callbacks. */
typedef void *(*getEntitySAXFunc)(void *context, const xmlChar *name);
typedef void (*attributeDeclSAXFunc)(
    void *context, const xmlChar *element, const xmlChar *name, int type, int kind, const xmlChar *value, void *tokens);
typedef void (*startElementNsSAX2Func)(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes);
typedef void (*entityDeclSAXFunc)(
    void *context, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content);

struct xmlSAXHandler {
    void (*internalSubset)(void);
    void (*isStandalone)(void);
    void (*hasInternalSubset)(void);
    void (*hasExternalSubset)(void);
    void (*resolveEntity)(void);
    getEntitySAXFunc getEntity;
    entityDeclSAXFunc entityDecl;
    void (*notationDecl)(void);
    attributeDeclSAXFunc attributeDecl;
    void (*unused[15])(void); /* elementDecl to fatalError */
    getEntitySAXFunc getParameterEntity;
    void (*cdataBlock)(void);
    void (*externalSubset)(void);
    unsigned int initialized;
    void *_private;
    startElementNsSAX2Func startElementNs;
    void (*endElementNs)(void);
    xmlStructuredErrorFunc serror;
};

struct xmlParserCtxt {
    struct xmlSAXHandler *sax;
    void *userData;
    struct xmlDoc *myDoc;
    int wellFormed;
};

typedef void (*xmlXPathFunction)(struct xmlXPathParserContext *context, int arguments);
typedef void *(*xmlExternalEntityLoader)(const char *url, const char *id, void *context);

/* X(result, name, (parameters)): the functions that are looked up when the library is loaded. */
#define LIBXML2_FUNCTIONS(X) \
    X(void, xmlInitParser, (void)) \
    X(void, xmlSetExternalEntityLoader, (xmlExternalEntityLoader)) \
    X(void, xmlSetStructuredErrorFunc, (void *, xmlStructuredErrorFunc)) \
    X(void, xmlSetGenericErrorFunc, (void *, xmlGenericErrorFunc)) \
    X(struct xmlParserCtxt *, xmlNewParserCtxt, (void)) \
    X(void, xmlFreeParserCtxt, (struct xmlParserCtxt *)) \
    X(struct xmlDoc *, xmlCtxtReadMemory, (struct xmlParserCtxt *, const char *, int, const char *, const char *, int)) \
    X(void, xmlStopParser, (struct xmlParserCtxt *)) \
    X(void, xmlFreeDoc, (struct xmlDoc *)) \
    X(struct xmlXPathContext *, xmlXPathNewContext, (struct xmlDoc *)) \
    X(void, xmlXPathFreeContext, (struct xmlXPathContext *)) \
    X(int, xmlXPathRegisterNs, (struct xmlXPathContext *, const xmlChar *, const xmlChar *)) \
    X(void, xmlXPathRegisteredNsCleanup, (struct xmlXPathContext *)) \
    X(int, xmlXPathRegisterFunc, (struct xmlXPathContext *, const xmlChar *, xmlXPathFunction)) \
    X(void *, xmlXPathCtxtCompile, (struct xmlXPathContext *, const xmlChar *)) \
    X(void, xmlXPathFreeCompExpr, (void *)) \
    X(struct xmlXPathObject *, xmlXPathCompiledEval, (void *, struct xmlXPathContext *)) \
    X(void, xmlXPathFreeObject, (struct xmlXPathObject *)) \
    X(long, xmlXPathOrderDocElems, (struct xmlDoc *)) \
    X(void, xmlXPathNodeSetSort, (struct xmlNodeSet *)) \
    X(struct xmlXPathObject *, xmlXPathNewCString, (const char *)) \
    X(struct xmlXPathObject *, valuePop, (struct xmlXPathParserContext *)) \
    X(int, valuePush, (struct xmlXPathParserContext *, struct xmlXPathObject *)) \
    X(void, xmlXPathStringFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathContainsFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathStartsWithFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathStringLengthFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathNormalizeFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathSubstringFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathSubstringBeforeFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathSubstringAfterFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathTranslateFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathConcatFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathSumFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathNumberFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathIdFunction, (struct xmlXPathParserContext *, int)) \
    X(void, xmlXPathErr, (struct xmlXPathParserContext *, int)) \
    X(void, xmlSAX2EntityDecl, (void *, const xmlChar *, int, const xmlChar *, const xmlChar *, xmlChar *))

struct libxml2 {
#define X(result, name, parameters) result(*name) parameters;
    LIBXML2_FUNCTIONS(X)
#undef X
};

/* The library's functions; all members are set once `cx_unavailable` has returned NULL. */
extern struct libxml2 cx_library;

#endif
