#include "libxml2.h"

#include "clibxml2.h"

#include <string.h>

cx_functions cx_library;

static xmlParserInputPtr load_nothing(const char *url, const char *id, xmlParserCtxtPtr context) {
    (void)url;
    (void)id;
    (void)context;
    return NULL;
}

/* Checks the struct layouts of the headers against a new document and context with known values: the library that is
 * found may be of another version, with another ABI. */
static int layouts_agree(void) {
    static const char text[] = "<a b='c'>d</a>";
    xmlParserCtxt *parser = cx_library.xmlNewParserCtxt();
    if (parser == NULL) return 0;
    xmlDoc *doc = cx_library.xmlCtxtReadMemory(parser, text, sizeof text - 1, NULL, "UTF-8", XML_PARSE_NONET);
    int agree = doc != NULL && doc->type == XML_DOCUMENT_NODE && doc->doc == doc && parser->sax != NULL &&
        parser->userData == parser && parser->wellFormed == 1 &&
        parser->sax->entityDecl == cx_library.xmlSAX2EntityDecl && parser->sax->initialized == XML_SAX2_MAGIC &&
        parser->sax->getEntity != NULL && parser->sax->attributeDecl != NULL &&
        parser->sax->getParameterEntity != NULL && parser->sax->startElementNs != NULL && parser->sax->serror == NULL;
    const xmlNode *root = agree ? doc->children : NULL;
    agree = root != NULL && root->type == XML_ELEMENT_NODE && root->parent == (xmlNode *)doc &&
        root->properties != NULL && root->properties->type == XML_ATTRIBUTE_NODE && root->properties->ns == NULL &&
        root->nsDef == NULL && root->children != NULL && root->children->content != NULL &&
        strcmp((const char *)root->children->content, "d") == 0;
    xmlXPathContext *context = agree ? cx_library.xmlXPathNewContext(doc) : NULL;
    agree = context != NULL && context->doc == doc && context->contextSize == -1 && context->proximityPosition == -1 &&
        context->funcHash != NULL && context->error == NULL && context->cache == NULL && context->opLimit == 0 &&
        context->opCount == 0;
    if (context != NULL) cx_library.xmlXPathFreeContext(context);
    if (doc != NULL) cx_library.xmlFreeDoc(doc);
    cx_library.xmlFreeParserCtxt(parser);
    return agree;
}

static const char *prepare(void) {
    cx_library.xmlInitParser();
    cx_library.xmlSetExternalEntityLoader(load_nothing);
    return layouts_agree() ? NULL : "is built in a way that is not known here";
}

static const char *const files[] = {
#ifdef __APPLE__
    "/usr/lib/libxml2.2.dylib", "/usr/lib/libxml2.dylib", "libxml2.16.dylib", "libxml2.2.dylib",
    "/opt/homebrew/opt/libxml2/lib/libxml2.dylib", "/usr/local/opt/libxml2/lib/libxml2.dylib",
#elif LIBXML_VERSION < 21400
    "libxml2.so.2", "libxml2.so.16", "libxml2.so",
#else
    "libxml2.so.16", "libxml2.so.2", "libxml2.so",
#endif
    NULL,
};

static const char *const renamed[] = {"valuePop", "xmlXPathValuePop", "valuePush", "xmlXPathValuePush", NULL};

static struct loaded_library library = {
    LOADED_FUNCTIONS(LIBXML2_FUNCTIONS, cx_library),
    .files = files,
    .missing = "XML needs libxml2: install the package libxml2 (Debian and Ubuntu: libxml2, or libxml2-16; Homebrew: "
               "libxml2)",
    .renamed = renamed,
    .prepare = prepare,
};

const char *cx_unavailable(void) {
    return loaded_library_open(&library);
}
