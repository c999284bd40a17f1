/*
 * Compares the declarations in Sources/Matching/CLibXML2/libxml2.h with libxml2's own headers:
 *
 *     cc -fsyntax-only $(xml2-config --cflags) Tests/Oracle/xml_layout.c
 */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stddef.h>

/* This package's declarations under names of their own. */
#define xmlChar our_xmlChar
#define xmlStructuredErrorFunc our_xmlStructuredErrorFunc
#define entityDeclSAXFunc our_entityDeclSAXFunc
#define getEntitySAXFunc our_getEntitySAXFunc
#define attributeDeclSAXFunc our_attributeDeclSAXFunc
#define startElementNsSAX2Func our_startElementNsSAX2Func
#define xmlXPathFunction our_xmlXPathFunction
#define xmlExternalEntityLoader our_xmlExternalEntityLoader
#undef XML_SAX2_MAGIC
#define XML_ELEMENT_NODE OUR_ELEMENT_NODE
#define XML_ATTRIBUTE_NODE OUR_ATTRIBUTE_NODE
#define XML_TEXT_NODE OUR_TEXT_NODE
#define XML_CDATA_SECTION_NODE OUR_CDATA_SECTION_NODE
#define XML_PI_NODE OUR_PI_NODE
#define XML_COMMENT_NODE OUR_COMMENT_NODE
#define XML_DOCUMENT_NODE OUR_DOCUMENT_NODE
#define XML_NAMESPACE_DECL OUR_NAMESPACE_DECL
#define XML_PARSE_NOENT OUR_PARSE_NOENT
#define XML_PARSE_NONET OUR_PARSE_NONET
#define XML_PARSE_IGNORE_ENC OUR_PARSE_IGNORE_ENC
#define XPATH_NODESET OUR_NODESET
#define XPATH_BOOLEAN OUR_BOOLEAN
#define XPATH_NUMBER OUR_NUMBER
#define XPATH_STRING OUR_STRING
#define XML_ERR_WARNING OUR_ERR_WARNING
#define XML_FROM_NAMESPACE OUR_FROM_NAMESPACE
#define XML_FROM_XPATH OUR_FROM_XPATH
#define XML_INTERNAL_GENERAL_ENTITY OUR_INTERNAL_GENERAL_ENTITY
#define XML_EXTERNAL_GENERAL_PARSED_ENTITY OUR_EXTERNAL_GENERAL_PARSED_ENTITY
#define XML_INTERNAL_PARAMETER_ENTITY OUR_INTERNAL_PARAMETER_ENTITY
#define XML_EXTERNAL_PARAMETER_ENTITY OUR_EXTERNAL_PARAMETER_ENTITY
#undef LIBXML_VERSION
#include "../../Sources/Matching/CLibXML2/libxml2.h"
#undef XML_ELEMENT_NODE
#undef XML_ATTRIBUTE_NODE
#undef XML_TEXT_NODE
#undef XML_CDATA_SECTION_NODE
#undef XML_PI_NODE
#undef XML_COMMENT_NODE
#undef XML_DOCUMENT_NODE
#undef XML_NAMESPACE_DECL
#undef XML_PARSE_NOENT
#undef XML_PARSE_NONET
#undef XML_PARSE_IGNORE_ENC
#undef XPATH_NODESET
#undef XPATH_BOOLEAN
#undef XPATH_NUMBER
#undef XPATH_STRING
#undef XML_ERR_WARNING
#undef XML_FROM_NAMESPACE
#undef XML_FROM_XPATH
#undef XML_INTERNAL_GENERAL_ENTITY
#undef XML_EXTERNAL_GENERAL_PARSED_ENTITY
#undef XML_INTERNAL_PARAMETER_ENTITY
#undef XML_EXTERNAL_PARAMETER_ENTITY

#define PLACE(type, member) _Static_assert(offsetof(struct type, member) == offsetof(struct _##type, member), #type "." #member)
#define VALUE(name) _Static_assert((int)OUR_##name == (int)XML_##name, #name)

PLACE(xmlNs, next); PLACE(xmlNs, type); PLACE(xmlNs, href); PLACE(xmlNs, prefix);
PLACE(xmlNode, _private); PLACE(xmlNode, type); PLACE(xmlNode, name); PLACE(xmlNode, children); PLACE(xmlNode, parent);
PLACE(xmlNode, next); PLACE(xmlNode, doc); PLACE(xmlNode, ns); PLACE(xmlNode, content); PLACE(xmlNode, properties);
PLACE(xmlNode, nsDef);
_Static_assert(offsetof(struct xmlNode, ns) == offsetof(struct _xmlAttr, ns), "xmlAttr.ns");
_Static_assert(offsetof(struct xmlNode, next) == offsetof(struct _xmlAttr, next), "xmlAttr.next");
PLACE(xmlDoc, type); PLACE(xmlDoc, children); PLACE(xmlDoc, next); PLACE(xmlDoc, doc);
PLACE(xmlError, domain); PLACE(xmlError, code); PLACE(xmlError, message); PLACE(xmlError, level); PLACE(xmlError, line);
PLACE(xmlError, str1); PLACE(xmlError, str2); PLACE(xmlError, str3); PLACE(xmlError, int2);
PLACE(xmlNodeSet, nodeNr); PLACE(xmlNodeSet, nodeTab);
PLACE(xmlXPathObject, type); PLACE(xmlXPathObject, nodesetval); PLACE(xmlXPathObject, boolval);
PLACE(xmlXPathObject, floatval); PLACE(xmlXPathObject, stringval);
PLACE(xmlXPathContext, doc); PLACE(xmlXPathContext, node); PLACE(xmlXPathContext, funcHash);
PLACE(xmlXPathContext, contextSize); PLACE(xmlXPathContext, proximityPosition); PLACE(xmlXPathContext, userData);
PLACE(xmlXPathContext, error); PLACE(xmlXPathContext, cache); PLACE(xmlXPathContext, opLimit);
PLACE(xmlXPathContext, opCount); PLACE(xmlXPathContext, depth);
PLACE(xmlXPathParserContext, error); PLACE(xmlXPathParserContext, context);
PLACE(xmlSAXHandler, entityDecl); PLACE(xmlSAXHandler, initialized); PLACE(xmlSAXHandler, startElementNs);
PLACE(xmlSAXHandler, getEntity); PLACE(xmlSAXHandler, attributeDecl); PLACE(xmlSAXHandler, getParameterEntity);
PLACE(xmlSAXHandler, serror);
PLACE(xmlParserCtxt, sax); PLACE(xmlParserCtxt, userData); PLACE(xmlParserCtxt, myDoc); PLACE(xmlParserCtxt, wellFormed);

VALUE(ELEMENT_NODE); VALUE(ATTRIBUTE_NODE); VALUE(TEXT_NODE); VALUE(CDATA_SECTION_NODE); VALUE(PI_NODE);
VALUE(COMMENT_NODE); VALUE(DOCUMENT_NODE); VALUE(NAMESPACE_DECL); VALUE(PARSE_NOENT); VALUE(PARSE_NONET);
VALUE(PARSE_IGNORE_ENC); VALUE(ERR_WARNING); VALUE(FROM_NAMESPACE); VALUE(FROM_XPATH); VALUE(INTERNAL_GENERAL_ENTITY);
VALUE(EXTERNAL_GENERAL_PARSED_ENTITY); VALUE(INTERNAL_PARAMETER_ENTITY); VALUE(EXTERNAL_PARAMETER_ENTITY);
_Static_assert(
    XPATH_INVALID_TYPE == 11 && XPATH_INVALID_ARITY == 12 && XPATH_OP_LIMIT_EXCEEDED == 25, "xmlXPathError");
_Static_assert((int)OUR_NODESET == (int)XPATH_NODESET && (int)OUR_STRING == (int)XPATH_STRING, "xmlXPathObjectType");
