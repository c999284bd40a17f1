#ifndef LIBXML2_H
#define LIBXML2_H

#include "loaded_library.h"

/* A system header, so that warnings in libxml2's headers are no errors. */
#pragma clang system_header

#if !__has_include(<libxml/parser.h>)
#error "the headers of libxml2 are missing: `make deps`, or install libxml2-dev (Debian and Ubuntu), libxml2 (Homebrew)"
#endif

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

/* The type of the error that callbacks get. */
#if LIBXML_VERSION < 21200
typedef xmlError *cx_error;
#else
typedef const xmlError *cx_error;
#endif

/* The functions that are looked up when the library is opened. */
#define LIBXML2_FUNCTIONS(X) \
    X(xmlInitParser) \
    X(xmlSetExternalEntityLoader) \
    X(xmlSetStructuredErrorFunc) \
    X(xmlSetGenericErrorFunc) \
    X(xmlNewParserCtxt) \
    X(xmlFreeParserCtxt) \
    X(xmlCtxtReadMemory) \
    X(xmlStopParser) \
    X(xmlFreeDoc) \
    X(xmlXPathNewContext) \
    X(xmlXPathFreeContext) \
    X(xmlXPathRegisterNs) \
    X(xmlXPathRegisteredNsCleanup) \
    X(xmlXPathRegisterFunc) \
    X(xmlXPathCtxtCompile) \
    X(xmlXPathFreeCompExpr) \
    X(xmlXPathCompiledEval) \
    X(xmlXPathFreeObject) \
    X(xmlXPathOrderDocElems) \
    X(xmlXPathNodeSetSort) \
    X(xmlXPathNewCString) \
    X(valuePop) \
    X(valuePush) \
    X(xmlXPathStringFunction) \
    X(xmlXPathContainsFunction) \
    X(xmlXPathStartsWithFunction) \
    X(xmlXPathStringLengthFunction) \
    X(xmlXPathNormalizeFunction) \
    X(xmlXPathSubstringFunction) \
    X(xmlXPathSubstringBeforeFunction) \
    X(xmlXPathSubstringAfterFunction) \
    X(xmlXPathTranslateFunction) \
    X(xmlXPathConcatFunction) \
    X(xmlXPathSumFunction) \
    X(xmlXPathNumberFunction) \
    X(xmlXPathIdFunction) \
    X(xmlXPathErr) \
    X(xmlSAX2EntityDecl)

/* libxml2's functions; all members are set once `cx_unavailable` has returned NULL. */
typedef LOADED_TABLE(LIBXML2_FUNCTIONS) cx_functions;
extern cx_functions cx_library;

#endif
