#include "libxml2.h"

#include "clibxml2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct libxml2 cx_library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];

#define INSTALL "XML needs libxml2: install the package libxml2 (Debian and Ubuntu: libxml2, or libxml2-16; Homebrew: libxml2)"

/* The library's file names, the most specific first. */
static const char *const names[] = {
#ifdef __APPLE__
    "/usr/lib/libxml2.2.dylib", "/usr/lib/libxml2.dylib", "libxml2.16.dylib", "libxml2.2.dylib",
    "/opt/homebrew/opt/libxml2/lib/libxml2.dylib", "/usr/local/opt/libxml2/lib/libxml2.dylib",
#else
    "libxml2.so.2", "libxml2.so.16", "libxml2.so",
#endif
};

/* Returns a function's name in later versions. */
static const char *later_name(const char *name)
{
    if (strcmp(name, "valuePop") == 0)
        return "xmlXPathValuePop";
    if (strcmp(name, "valuePush") == 0)
        return "xmlXPathValuePush";
    return NULL;
}

static void *find(void *library, const char *name)
{
    void *address = dlsym(library, name);
    if (address == NULL && later_name(name) != NULL)
        address = dlsym(library, later_name(name));
    if (address == NULL && reason[0] == '\0')
        snprintf(reason, sizeof reason, INSTALL "; the one found has no function %s", name);
    return address;
}

static void *load_nothing(const char *url, const char *id, void *context)
{
    (void)url;
    (void)id;
    (void)context;
    return NULL;
}

/* Checks the layouts of libxml2.h against values that a new document and context are known to have. */
static int layouts_agree(void)
{
    static const char text[] = "<a b='c'>d</a>";
    struct xmlParserCtxt *parser = cx_library.xmlNewParserCtxt();
    if (parser == NULL)
        return 0;
    struct xmlDoc *doc = cx_library.xmlCtxtReadMemory(parser, text, sizeof text - 1, NULL, "UTF-8", XML_PARSE_NONET);
    int agree = doc != NULL && doc->type == XML_DOCUMENT_NODE && doc->doc == doc && parser->sax != NULL &&
        parser->userData == parser && parser->wellFormed == 1 &&
        parser->sax->entityDecl == cx_library.xmlSAX2EntityDecl && parser->sax->initialized == 0xDEEDBEAF &&
        parser->sax->getEntity != NULL && parser->sax->attributeDecl != NULL &&
        parser->sax->getParameterEntity != NULL && parser->sax->startElementNs != NULL && parser->sax->serror == NULL;
    const struct xmlNode *root = agree ? doc->children : NULL;
    agree = root != NULL && root->type == XML_ELEMENT_NODE && root->parent == (struct xmlNode *)doc &&
        root->properties != NULL && root->properties->type == XML_ATTRIBUTE_NODE && root->properties->ns == NULL &&
        root->nsDef == NULL && root->children != NULL && root->children->content != NULL &&
        strcmp((const char *)root->children->content, "d") == 0;
    struct xmlXPathContext *context = agree ? cx_library.xmlXPathNewContext(doc) : NULL;
    agree = context != NULL && context->doc == doc && context->contextSize == -1 && context->proximityPosition == -1 &&
        context->funcHash != NULL && context->error == NULL && context->cache == NULL && context->opLimit == 0 &&
        context->opCount == 0;
    if (context != NULL)
        cx_library.xmlXPathFreeContext(context);
    if (doc != NULL)
        cx_library.xmlFreeDoc(doc);
    cx_library.xmlFreeParserCtxt(parser);
    return agree;
}

static void load(void)
{
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(reason, sizeof reason, INSTALL);
        return;
    }
/* POSIX reads a function from dlsym with this cast through void *. */
#define X(result, name, parameters) *(void **)&cx_library.name = find(library, #name);
    LIBXML2_FUNCTIONS(X)
#undef X
    if (reason[0] != '\0')
        return;
    cx_library.xmlInitParser();
    cx_library.xmlSetExternalEntityLoader(load_nothing);
    if (!layouts_agree())
        snprintf(reason, sizeof reason, INSTALL "; the one found is built in a way that is not known here");
}

const char *cx_unavailable(void)
{
    pthread_once(&once, load);
    return reason[0] == '\0' ? NULL : reason;
}
