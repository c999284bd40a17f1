#!/usr/bin/env python3
"""Records how the real WireMock compares, searches and formats XML.

    python3 Tools/oracle/record_xml.py > Tests/Oracle/xml.json

The jar is found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package. Only the standard library is used.

Only a body pattern decides each request. Its distance is taken from the near misses: the distance of the whole request
divided by that of a body that is certainly wrong.
"""

import base64
import itertools
import json
import random

import recording
import wiremock

SEPARATOR = "\u241e"


class Server(wiremock.WireMock):
    def __enter__(self):
        super().__enter__()
        self.add({"contains": "certainly not there"})
        self.wrong = self.near_miss("x")
        return self

    def ask(self, method, path, body=None, headers=None):
        status, answer = self.call(method, path, body, headers)
        return status, answer.decode()

    def post(self, path, text, **headers):
        return self.ask("POST", path, text.encode(), {"Content-Type": "application/xml", **headers})

    def add(self, pattern, **response):
        self.ask("DELETE", "/__admin/mappings")
        return self.ask("POST", "/__admin/mappings", json.dumps({
            "request": {"method": "POST", "url": "/x", "bodyPatterns": [pattern]}, "response": {"status": 200, **response}}))

    def near_miss(self, text):
        _, answer = self.ask("POST", "/__admin/near-misses/request", json.dumps({
            "url": "/x", "absoluteUrl": "http://localhost/x", "method": "POST", "headers": {}, "cookies": {},
            "bodyAsBase64": base64.b64encode(text.encode()).decode(), "clientIp": "127.0.0.1"}))
        try:
            return json.loads(answer)["nearMisses"][0]["matchResult"]["distance"]
        except (ValueError, KeyError, IndexError):
            return None

    def verdict(self, text):
        """Whether the only stub matches; None if the server fails."""
        status, _ = self.post("/x", text)
        return {200: True, 404: False}.get(status)

    def distance(self, text):
        found = self.near_miss(text)
        return round(found / self.wrong, 9) if isinstance(found, (int, float)) else None


def equality_groups(generator):
    """An expected text, options, and the texts to compare with it."""
    plain = [
        "<a/>", "<a></a>", "<b/>", "<a>1</a>", "<a>2</a>", "<a> 1 </a>", "<a>\n1\n</a>", "<a x='1'/>", "<a x=' 1 '/>", "<a x='2'/>",
        "<a y='1'/>", "<a x='1' y='2'/>", "<a y='2' x='1'/>", "<a><b/></a>", "<a><c/></a>", "<a> <b/> </a>", "<a><b/><c/></a>",
        "<a><c/><b/></a>", "<a><b/><b/></a>", "<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>", "<a><b>1</b><c>2</c><b>3</b></a>",
        "<a><b>3</b><b>1</b><c>2</c></a>", "<a><!-- c --></a>", "<a><!-- c --><b/></a>", "<a>1<!-- c -->2</a>", "<a>12</a>",
        "<!-- c --><a/>", "<a/><!-- c -->", "<?xml version='1.0' encoding='UTF-8'?><a/>", "<?xml version='1.0' encoding='ISO-8859-1'?><a>\u00e9</a>",
        "<a>\u00e9</a>", "<a>e\u0301</a>", "<a><?p q?></a>", "<a><?p r?></a>", "<a><?s q?></a>", "<?p q?><a/>", "<a><![CDATA[1]]></a>",
        "<a>x<b/>y</a>", "<a>x<b/>z</a>", "<a>xy<b/></a>", "<a>&lt;</a>", "<a>&#60;</a>", "<a>\u00a01\u00a0</a>",
        "<!DOCTYPE a><a/>", "<!DOCTYPE b><b/>", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x.dtd'><a/>", "<!DOCTYPE a [<!ENTITY x '1'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;</a>", "<!DOCTYPE a [<!ATTLIST a x CDATA '1'>]><a/>",
        "", " ", "x", "<a", "<a>", "<a></b>", "<a/><b/>", "<a>&x;</a>", "{}", "<a><b><c><d>1</d></c></b></a>", "<a><b><c><d>2</d></c></b></a>",
    ]
    for expected in plain:
        yield expected, {}, plain
    ordered = ["<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>", "<a><b>1</b><b>2</b><b>3</b></a>", "<a><b x='1'>1</b><b x='2'>1</b></a>",
               "<a><b x='2'>1</b><b x='1'>1</b></a>", "<a><b><c>1</c></b><b><c>2</c></b></a>", "<a><b><c>2</c></b><b><c>1</c></b></a>",
               "<a><b>10</b><b>9</b></a>", "<a><b>9</b><b>10</b></a>", "<a><b>1</b><c/><b>2</b></a>", "<a><b>2</b><b>1</b><c/></a>"]
    for expected in ordered:
        yield expected, {"ignoreOrderOfSameNode": True}, ordered
        yield expected, {"ignoreOrderOfSameNode": False}, ordered
    spaced = ["<a xmlns='u'/>", "<p:a xmlns:p='u'/>", "<q:a xmlns:q='u'/>", "<q:a xmlns:q='v'/>", "<a/>", "<p:a/>",
              "<p:a xmlns:p='u' p:x='1'/>", "<q:a xmlns:q='u' q:x='1'/>", "<q:a xmlns:q='u' x='1'/>", "<a xmlns='u'><b/></a>",
              "<a xmlns='u'><b xmlns=''/></a>", "<p:a xmlns:p='u'><p:b/></p:a>", "<a xmlns='u'><b xmlns='v'/></a>", "<a><b/></a>",
              "<a xmlns:p='u' p:x='1'/>", "<a xmlns:q='u' q:x='1'/>", "<a xmlns:q='v' q:x='1'/>", "<a x='1'/>", "<a xmlns:p='u'/>",
              "<s:E xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:B><m:x xmlns:m='u'>1</m:x></s:B></s:E>",
              "<e:E xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:B><x xmlns='u'>1</x></e:B></e:E>",
              "<p:a xmlns:p='u'><p:b/><p:c/></p:a>", "<q:a xmlns:q='u'><q:c/><q:b/></q:a>"]
    for expected in spaced:
        for awareness in (None, "STRICT", "LEGACY", "NONE"):
            yield expected, {"namespaceAwareness": awareness} if awareness else {}, spaced
    instance = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
    schemas = [f"<a {instance} xsi:schemaLocation='u v'/>", f"<a {instance} xsi:schemaLocation='u w'/>", f"<a {instance}/>", "<a/>",
               f"<a {instance} xsi:noNamespaceSchemaLocation='u'/>", f"<a {instance} xsi:noNamespaceSchemaLocation='v'/>",
               f"<a {instance} xsi:type='T'/>", f"<a {instance} xsi:type='S'/>", f"<a {instance} xmlns:p='u' xsi:type='p:T'/>",
               f"<a {instance} xmlns:q='u' xsi:type='q:T'/>", f"<a {instance} xsi:nil='true'/>"]
    for expected in schemas:
        yield expected, {}, schemas
    comparisons = ["ELEMENT_TAG_NAME", "SCHEMA_LOCATION", "NO_NAMESPACE_SCHEMA_LOCATION", "NODE_TYPE", "NAMESPACE_URI", "TEXT_VALUE",
                   "PROCESSING_INSTRUCTION_TARGET", "PROCESSING_INSTRUCTION_DATA", "ELEMENT_NUM_ATTRIBUTES", "ATTR_VALUE",
                   "CHILD_NODELIST_LENGTH", "CHILD_LOOKUP", "ATTR_NAME_LOOKUP", "XML_VERSION", "XML_STANDALONE", "XML_ENCODING",
                   "HAS_DOCTYPE_DECLARATION", "DOCTYPE_NAME", "DOCTYPE_PUBLIC_ID", "DOCTYPE_SYSTEM_ID",
                   "ATTR_VALUE_EXPLICITLY_SPECIFIED", "NAMESPACE_PREFIX", "CHILD_NODELIST_SEQUENCE"]
    exempted = ["<a/>", "<b/>", "<a xmlns='u'/>", "<a>1</a>", "<a>2</a>", "<a x='1'/>", "<a x='2'/>", "<a y='1'/>", "<a x='1' y='1'/>",
                "<a><b/></a>", "<a><b/><c/></a>", "<a><c/><b/></a>", "<a><?p q?></a>", "<a><?p r?></a>", "<a><?s q?></a>",
                f"<a {instance} xsi:schemaLocation='u v'/>", f"<a {instance} xsi:schemaLocation='u w'/>",
                f"<a {instance} xsi:noNamespaceSchemaLocation='u'/>", "<a><b/><b/></a>"]
    sets = [[name] for name in comparisons] + [
        ["CHILD_NODELIST_LENGTH", "CHILD_LOOKUP"], ["ELEMENT_NUM_ATTRIBUTES", "ATTR_NAME_LOOKUP"],
        ["CHILD_NODELIST_LENGTH", "CHILD_LOOKUP", "ELEMENT_TAG_NAME"], ["TEXT_VALUE", "ATTR_VALUE"], comparisons]
    for names in sets:
        for expected in ("<a/>", "<a xmlns='u'/>", "<a x='1'>1</a>", "<a><b/><c/></a>", "<a><?p q?></a>", exempted[15], exempted[17]):
            yield expected, {"exemptedComparisons": names}, exempted
    texts = ["", "1", "-1.5e+3", ".5", "5.", "+1", "1,5", "abc", "b", "2020-01-02", "2020-01-02T03:04:05Z", "2020-1-2x", "20-13-45", "Jan 2, 2020",
             "02/01/2020", "January 2, 2020", "3 Mar 2020", "20200102", "12:30", "12:30 PM", "Thu, 02 Jan 2020 03:04:05 GMT",
             "2020-01-02T03:04:05+01:00", "${xmlunit.ignore}", "a1b", "{1}", "1.5", " 7 "]
    placeholders = ["${xmlunit.ignore}", "${xmlunit.isNumber}", "${xmlunit.isDateTime}", "${xmlunit.isDateTime(dd/MM/yyyy)}",
                    "${xmlunit.isDateTime(yyyyMMdd)}", "${xmlunit.isDateTime(d MMM yyyy)}", "${xmlunit.isDateTime(HH:mm)}",
                    "${xmlunit.isDateTime(hh:mm a)}", "${xmlunit.isDateTime(EEE, dd MMM yyyy HH:mm:ss z)}",
                    "${xmlunit.isDateTime(yyyy-MM-dd'T'HH:mm:ssXXX)}", "${xmlunit.isDateTime(yyyy-MM-dd'T'HH:mm:ssZ)}",
                    "${xmlunit.matchesRegex(b)}", "${xmlunit.matchesRegex(^[a-z]+$)}", "${xmlunit.matchesRegex(\\d+)}",
                    "${xmlunit.matchesRegex((a|1)b)}", "${xmlunit.matchesRegex(a{1,2})}", "${xmlunit.matchesRegex()}", "${xmlunit.matchesRegex}",
                    "${xmlunit.matchesRegex(()}", "${xmlunit.unknown}", " ${xmlunit.ignore} ", "${ xmlunit.ignore }", "${xmlunit.isDateTime()}",
                    "x${xmlunit.ignore}", "${xmlunit.isnumber}", "${xmlunit.isNumber }", "${xmlunit.isNumber()}", "#{xmlunit.ignore}"]
    for placeholder in placeholders:
        escaped = placeholder.replace("&", "&amp;").replace("<", "&lt;")
        actual = [f"<a>{text}</a>" for text in texts] + ["<a/>", "<a><b/></a>", "<a>1<b/></a>", "<a><![CDATA[1]]></a>"]
        yield f"<a>{escaped}</a>", {"enablePlaceholders": True}, actual
        values = [f"<a x='{text}'/>" for text in texts[:12]] + ["<a/>", "<a y='1'/>", "<a x='1' y='1'/>"]
        quoted = escaped.replace("'", "&apos;")
        yield f"<a x='{quoted}'/>", {"enablePlaceholders": True}, values
    yield "<a>${xmlunit.ignore}</a>", {}, ["<a>1</a>", "<a/>", "<a>${xmlunit.ignore}</a>"]
    yield "<a x='${xmlunit.ignore}' y='${xmlunit.isNumber}'><b>${xmlunit.ignore}</b><c>${xmlunit.isNumber}</c></a>", {"enablePlaceholders": True}, [
        "<a x='1' y='2'><b>1</b><c>2</c></a>", "<a y='2'><c>2</c><b/></a>", "<a x='1'><b>1</b><c>2</c></a>", "<a y='2'><c>2</c></a>",
        "<a y='2' z='1'><b/><c>2</c></a>", "<a y='x'><b/><c>2</c></a>"]
    for opening, closing in (("\\[\\[", "\\]\\]"), ("<<", ">>"), ("\\$\\{", "}"), ("[$#]\\{", "\\}"), ("", ""), (" ", " "), ("(a|b)", "c")):
        options = {"enablePlaceholders": True, "placeholderOpeningDelimiterRegex": opening, "placeholderClosingDelimiterRegex": closing}
        for text in ("[[xmlunit.ignore]]", "&lt;&lt;xmlunit.ignore>>", "${xmlunit.ignore}", "#{xmlunit.isNumber}", "axmlunit.isNumberc",
                     "[[ xmlunit.matchesRegex(^1$) ]]"):
            yield f"<a>{text}</a>", options, ["<a>1</a>", "<a>x</a>", "<a/>"]
    yield from drawn_equality(generator)


def element(generator, depth=0):
    name = generator.choice("abc")
    attributes = "".join(f" {key}='{generator.choice('12')}'" for key in generator.sample("xyz", generator.choice([0, 0, 1, 2])))
    if depth == 3 or generator.random() < 0.4:
        text = generator.choice(["", "", "1", "2", " 1 ", "<!-- 1 -->"])
        return f"<{name}{attributes}>{text}</{name}>"
    space = generator.choice(["", "", " ", "\n  "])
    children = [element(generator, depth + 1) for _ in range(generator.randint(1, 3))]
    return f"<{name}{attributes}>{space}{space.join(children)}{space}</{name}>"


def drawn_equality(generator):
    for _ in range(60):
        expected = element(generator)
        options = {}
        if generator.random() < 0.4:
            options["ignoreOrderOfSameNode"] = True
        if generator.random() < 0.3:
            options["namespaceAwareness"] = generator.choice(["STRICT", "LEGACY"])
        actual = [expected] + [element(generator) for _ in range(3)]
        for old, new in itertools.permutations(["'1'", "'2'", ">1<", ">2<", "<a>", "<b>"], 2):
            changed = expected.replace(old, new, 1)
            if changed not in actual and generator.random() < 0.3:
                actual.append(changed)
        yield expected, options, actual


def xpath_groups():
    """Expressions, namespaces, and the documents they are evaluated on."""
    documents = [
        "<a><!-- c --><?p d?><x y='1'>1</x><x y='2'><z>t</z></x></a>", "<a>x<![CDATA[y<]]>z</a>", "<a>\n  <b>t</b>\n\n  <b>u &lt; &amp; v</b> mixed <c/></a>",
        "<a><p:x>1</p:x></a>", "<a xmlns:p='u' xmlns='d' p:q='&quot;&#10;'><p:x q=\"'\">1</p:x></a>",
        "<r><i n='3'>10</i><i n='1'>2.5</i><i n='2'>-4</i></r>", "<a xml:lang='en'><b xml:space='preserve'> <c/> </b></a>", "<a b='2' a='1'/>",
        "<!DOCTYPE a [<!ENTITY e 'v'>]><a>&e;<x>&e;w</x></a>", "<a>\u00e9\u20ac\U0001f600<x>\u00e9</x></a>", "x", "", "<a>",
        "<s:E xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><m:x xmlns:m='u'><m:y>1</m:y></m:x></s:Body></s:E>",
    ]
    expressions = [
        "//x", "//x/text()", "//x/@y", "//@*", "//*", "/a", "/", "/*", "//comment()", "//processing-instruction()", "//nope", "//x[1]",
        "(//x)[last()]", "//x[@y='2']", "//x[@y=2]/z", "//x[z]", "//x[.='1']", "//x[text()='1']", "//x | //z", "//b", "//b[2]", "//a/text()", "..", ".",
        "count(//x)", "count(//*) div 3", "1 div 0", "-1 div 0", "0 div 0", "-0", "1000000*1000000*1000000", "0.0005", "0.0015", "2.5", "1234.5678",
        "1234567", "sum(//i)", "sum(//i/@n)", "sum(//x)", "number('x')", "true()", "false()", "//x=1", "not(//nope)", "boolean(//nope)", "string(//x)",
        "string(//nope)", "name(//x)", "name(/*)", "local-name(/*/*)", "name(/*/*)", "namespace-uri(/*)", "concat('a',\"b\")", "''",
        "substring('12345',2,3)", "normalize-space(' a  b ')", "string-length(//x)", "translate('abc','b','x')", "contains(//b,'t')",
        "starts-with('abc','a')", "substring-after('a=b','=')", "floor(2.5)", "ceiling(2.5)", "round(2.5)", "round(-2.5)", "5 mod 2", "id('q')",
        "lang('en')", "//*[lang('en')]", "//*[local-name()='x']", "//*[name()='p:x']", "//i[@n>1]", "//i[position()<3]", "//i/following-sibling::i",
        "//i/preceding-sibling::i[1]", "//z/ancestor::*", "//z/..", "descendant::z", "//x/self::x", "//p:x", "//@p:q", "//@q", "p:x",
        "//x[", "foo()", "$v", "//x[foo()]", "", " ", "//", "a b", "/E/Body/x/y", "/Envelope/Body", "//*[@q]", "//b/text()", "//node()",
    ]
    for expression in expressions:
        yield expression, None, documents
    for expression in ("//p:x", "//d:a", "//p:x/text()", "//@p:q", "/d:a", "//z:x", "//x", "/s:E/s:Body/p:x/p:y", "//p:y/text()", "//*", "//*[name()='p:x']",
                       "local-name(//p:x)", "name(//p:x)", "namespace-uri(//p:x)", "count(//p:*)"):
        yield expression, {"p": "u", "d": "d", "s": "http://schemas.xmlsoap.org/soap/envelope/"}, documents


SUB_MATCHERS = [
    {"equalTo": "1"}, {"equalTo": "t"}, {"contains": "1"}, {"matches": "[0-9]+"}, {"matches": "<x.*"}, {"doesNotContain": "1"}, {"absent": True},
    {"anything": "(always)"}, {"not": {"equalTo": "1"}}, {"equalToXml": "<x y='1'>1</x>"}, {"equalToJson": "1"}, {"doesNotMatch": "1"},
]


LAYOUTS = [
    "<a/>", "<a></a>", "<a>t</a>", "<a> t </a>", "<a>\n t\n</a>", "<a> </a>", "<a><b/></a>", "<a><b>x</b><c/></a>", "<a>x<b/>y</a>",
    "<a>\n  <b>t</b>\n\n  <b>u &lt; &gt; &amp; \" ' v</b> mixed <c/></a>", "<a>x<![CDATA[y<]]>z</a>", "<a><![CDATA[y<]]></a>", "<a><b/><![CDATA[y]]></a>",
    "<a><![CDATA[y]]><b/></a>", "<a>x<![CDATA[y]]><b/></a>", "<a><!-- c --><b/></a>", "<!-- p --><a/><!-- q -->", "<!-- p -->\n<a><b/></a>\n<!-- q -->",
    "<?p q?><a><?r s?></a>", "<a>t<!-- c --></a>", "<a><?r s?>t</a>", "<a><?r?></a>", "<a b='2' a='1' c='&lt;&gt;&amp;&quot;&apos; &#10;&#9;&#13;'/>",
    "<?xml version='1.0' encoding='UTF-8'?>\n<a/>", "<?xml version='1.0' standalone='yes'?><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;z</a>",
    "<!DOCTYPE a SYSTEM 'x.dtd'><a/>", "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;</a>", "<p:a xmlns:p='u' p:z='1' b='2'><p:c xmlns='d'/></p:a>",
    "<a xmlns='u' xmlns:b='v' a='1'/>", "<p:a/>", "<a p:b='1'/>", "<a>\u00e9\u20ac\U0001f600\u00a0&#13;\t</a>", "<a b='\u00e9\U0001f600\u00a0'/>", "<a>x\n<b>y\n</b>\n</a>",
    "<a><b> <c/> </b></a>", "<a><b xml:space='preserve'> <c/> </b></a>", "<a xml:space='preserve'><b xml:space='default'><c/></b></a>",
    "<a>  <b/>text</a>", "<a>text  <b/>  </a>", "<a>text\n   more<b/></a>", "<a>\r\n<b/></a>", "<a>\r\nx\r\n</a>", "<a><b/> x <c/> y </a>", "<a><b>  </b></a>",
    "<a>]]&gt;</a>", "<a>&#133;&#127;&#8232;</a>", "<a><b><c><d><e>1</e></d></c></b></a>", "<a><b>1</b>\n<!-- c -->\n</a>", "x", "", "<a>", "<a/><b/>",
]


REFUSED = [
    "", " ", "x", "<a", "<a>", "<a></b>", "<a b></a>", "<a b=1/>", "<a b='1' b='2'/>", "<a/><b/>", "<a>&x;</a>", "<a>&</a>", "\ufeff<a/>",
    " <?xml version='1.0'?><a/>", "<a>\u0001</a>", "<p:a/>", "<a p:b='1'/>", "<?xml version='2.0'?><a/>", "<a>]]></a>", "<!-- -- --><a/>", "<a b='<'/>", "text <a/>",
    "<a/>text", "<a>\n<b>\n</c></a>", "<a><b></a></b>", "<1/>", "< a/>", "<a>&#0;</a>", "<a><![CDATA[</a>", "<a><!-- </a>", "<?p",
    "<!DOCTYPE a [<!ENTITY x '&x;'>]><a>&x;</a>", "{\"a\":1}", "<a:b:c/>", "<a xmlns:p=''/>", "<a x='1'y='2'/>",
]


def record(server):
    generator = random.Random(20260501)
    equality = []
    for expected, options, texts in equality_groups(generator):
        status, _ = server.add({"equalToXml": expected, **options})
        group = {"expected": expected, "options": options, "accepted": status == 201}
        if status == 201:
            group["cases"] = [{"text": text, "matches": server.verdict(text), "distance": server.distance(text)} for text in dict.fromkeys(texts)]
        if not any(g["expected"] == expected and g["options"] == options for g in equality):
            equality.append(group)

    xpath = []
    for expression, namespaces, texts in xpath_groups():
        extra = {"xPathNamespaces": namespaces} if namespaces else {}
        group = {"expression": expression, "namespaces": namespaces, "cases": [{"text": text} for text in texts]}
        status, _ = server.add({"matchesXPath": expression, **extra})
        group["accepted"] = status == 201
        if status == 201:
            for case in group["cases"]:
                case["matches"] = server.verdict(case["text"])
        if namespaces is None and "'" not in expression or '"' not in expression and namespaces is None:
            quote = "'" if "'" not in expression else '"'
            template = "{{#each (xPath request.body %s%s%s)}}{{{this}}}%s{{/each}}" % (quote, expression, quote, SEPARATOR)
            server.ask("DELETE", "/__admin/mappings")
            server.ask("POST", "/__admin/mappings", json.dumps({
                "request": {"url": "/x"}, "response": {"body": template, "transformers": ["response-template"]}}))
            for case in group["cases"]:
                status, answer = server.post("/x", case["text"])
                if status == 200 and "[ERROR" not in answer and case.get("matches"):
                    case["values"] = answer.split(SEPARATOR)[:-1]
        xpath.append(group)

    advanced = []
    for expression, namespaces in (("//x", None), ("//x/text()", None), ("count(//x)", None), ("//nope", None), ("//x/@y", None), ("//p:x", {"p": "u"})):
        for matcher in SUB_MATCHERS:
            extra = {"xPathNamespaces": namespaces} if namespaces else {}
            server.add({"matchesXPath": {"expression": expression, **matcher}, **extra})
            texts = ["<a><x y='1'>1</x><x y='2'><z>t</z></x></a>", "<a><x y='1'>1</x></a>", "<a/>", "x", "<a xmlns:p='u'><p:x>1</p:x></a>"]
            advanced.append({"expression": expression, "namespaces": namespaces, "matcher": matcher,
                             "cases": [{"text": text, "matches": server.verdict(text)} for text in texts]})

    def template(body):
        server.ask("DELETE", "/__admin/mappings")
        server.ask("POST", "/__admin/mappings", json.dumps({
            "request": {"url": "/x"}, "response": {"body": body, "transformers": ["response-template"]}}))

    layout = [{"text": text} for text in LAYOUTS]
    for name, body in (("pretty", "{{{formatXml request.body}}}"), ("compact", "{{{formatXml request.body format='compact'}}}"),
                       ("element", "{{{xPath request.body '/*'}}}")):
        template(body)
        for case in layout:
            status, answer = server.post("/x", case["text"])
            case[name] = None if status != 200 or answer.startswith("[ERROR") else answer

    refused = []
    for text in REFUSED:
        status, answer = server.add({"equalToXml": text})
        refused.append({"text": text, "detail": json.loads(answer)["errors"][0].get("detail") if status == 422 else None})
    return {"equality": equality, "xpath": xpath, "advanced": advanced, "layout": layout, "refused": refused}


def main():
    with Server() as server:
        answers = record(server)
    print(recording.one_a_line(answers), end="")


if __name__ == "__main__":
    main()
