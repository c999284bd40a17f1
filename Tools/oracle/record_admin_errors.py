#!/usr/bin/env python3
"""Records how the real WireMock refuses admin calls: status, code, title, pointer and message.

    python3 Tools/oracle/record_admin_errors.py

The cases are listed below; the answers are written to `Tests/Admin/AdminAPITests/Golden/errors.json`. Of a page with a Java
stack only the status is kept.
"""

import json
import sys

import recording
import wiremock

FILE = wiremock.PACKAGE / "Tests/Admin/AdminAPITests/Golden/errors.json"
STUB = "/mappings"


def header(matcher):
    """A mapping with a matcher of one header."""
    return '{"request":{"headers":{"X":%s}}}' % matcher


def body(matcher):
    """A mapping with one body matcher."""
    return '{"request":{"bodyPatterns":[%s]}}' % matcher


# Texts that are not JSON, for every call that reads one.
SYNTAX = [
    "", " ", "{", "[", "{bad", "{'name':1}", '{"name":1,}', "[1,]", "[1 2]", '{"name" 1}', '{"name":}', '{"name":1} x', "(", "x", "tru",
    "True", '"', '"a', '{"name":"b', '{"name":"\n"}', '{"name":"\\q"}', '{"name":"\\u12"}', "{}}", "{]", "[}", "01", "-", "-a", "1.", "1.x",
    "1e", "+1", ".5", "NaN", "Infinity", "-Infinity", "{,}", '{"name":1 "priority":2}', '\n\n  {"name":\n  tru}', '{"request":{"url":"/a"',
    "nul", "nulll", "<a/>", "#", "// c", "/* c", '{"name":/}', '{"name":\x01}', '{"name":"\x01"}', "\ufeff{bad", '{"name":é}', "é", "ab c",
    '{"request": {"url": "/a"}, response: {}}', '{"request" = 1}', "{null:1}", "1 2", '{"name":[1,2}', '{"name":{"name":[}}', "{{",
    "'a'", '{"name":1;"priority":2}', "=", "Tru e", '{"name":😀}', "{1:2}", "--1", "1-", "0x10", '{"name":.}', "@", '{"name":"\\', '{"name":nan}',
]

# Texts with a syntax error within, which show the reported position.
WITHIN = [
    '{"request":{"url":x', '{"request":{"url"', '{"request":{', '{"request":{"url":"/a"', '{"request":{"url":"/a" 1', '{"request":x',
    '{"request":{"headers":{"X":x', '{"request":{"headers":{"X":{"equalTo":x', '{"request":{"headers":{"X":{"equalTo":"a" "b"',
    '{"request":{"headers":{"X":{"equalTo":"a"', '{"request":{"headers":{"X" 1', '{"request":{"headers":{"X":{"equalTo":"a"}',
    '{"request":{"headers" 1', '{"request":{"bodyPatterns":[{"equalTo":x', '{"request":{"bodyPatterns":[x',
    '{"request":{"bodyPatterns":[{"equalTo":"a"},{"equalTo":x', '{"request":{"bodyPatterns":[{"equalTo":"a"} 1',
    '{"request":{"bodyPatterns":[{"and":[{"equalTo":x', '{"request":{"bodyPatterns":[{"equalToJson":{"a":x',
    '{"request":{"multipartPatterns":[{"headers":{"X":{"equalTo":x', '{"request":{"multipartPatterns":[{"name":x',
    '{"request":{"basicAuth":{"username":x', '{"request":{"customMatcher":{"parameters":{"a":x', '{"request":{"method":x',
    '{"request":{"headers":{"X":{"hasExactly":[{"equalTo":x', '{"request":{"cookies":{"X":{"equalTo":x',
    '{"request":{"queryParameters":{"X":{"equalTo":x', '{"request":{"pathParameters":{"X":{"equalTo":x', '{"request":{"host":{"equalTo":x',
    '{"metadata":{"a":x', '{"metadata":{"a":{"b":x', '{"metadata":{"a":[x', '{"response":{"headers":{"A":x', '{"response":{"headers":{"A":["b",x',
    '{"response":{"jsonBody":{"a":x', '{"response":{"jsonBody":[x', '{"response":{"status":x', '{"response":{"status":1 2',
    '{"response":{"delayDistribution":{"type":x', '{"response":{"delayDistribution":{"type":"uniform","lower":x',
    '{"response":{"transformerParameters":{"a":{"b":x', '{"response":{"transformers":[x', '{"response":{"chunkedDribbleDelay":{"numberOfChunks":x',
    '{"response":{"body":"a', '{"response":{"body":"a\nb"}}', '{"response":{"body":"a\\q"}}', '{"response":{"body":"\\u12"}}',
    '{"response":{"body":"\x01"}}', '{"response":{"body":"a\\', '{"name":"a", x}', '{"name":"a",}', '{"name":"a" x}', '{"name" x}', '{"name":}',
    '{"postServeActions":[{"name":x', '{"serveEventListeners":[{"name":x', '{"id":x', '{"persistent":tru}', '{"priority":1.x}', '{"priority":01}',
    '{"request":{"url":"/a"}},', '{"request":{"url":"/a"}}]', '{"request":{"url":"/a"]', '{"request":{"url":"/a"', '{"request":]',
]

# Expressions that Java refuses.
REGEXES = [
    "[", "(", ")", "*", "+", "?", "a**", "a{", "a{1", "a{2,1}", "a{x}", "[a", "[z-a]", "[^", "[]", "[a-", "[[", "[a&&", "(?",
    "(?<", "(?<n", "(?<1>a)", "(?<n>a)(?<n>b)", "(?P<n>a)", "(?z)", "(?:", "(?=", "(?<=a+)b", "(?<!a*)b", "\\", "\\k<x>", "\\p{Foo}",
    "\\p{", "\\x", "\\xg", "\\u12", "\\Q", "\\y", "\\c", "\\N{x}", "a)", "((a)", "(a))", "{1}", "a{99999999999}", "\\x{110000}",
    "\\0", "\\08", "x{,3}", "[[:foo:]]", "\\p{IsFoo}", "\\p", "(?i", "(?#", "[\\", "[\\q]", "a++*", "\\g1", "é[", "/users/[0-9",
    "*.json", "/api/(v1|v2", "a{1,2", "a{1,2x", "[b-\\d]", "^*", "$*", "|*", "(*a)", "(?>", "(?!", "(?<!", "(?i-", "(?i-x", "\\E",
    "\\k", "\\k{x}", "\\k<", "\\R{", "\\X", "\\b{g}", "\\b{x}", "\\p{script=Foo}", "\\p{block=Foo}", "\\p{gc=Foo}", "\\p{foo=Bar}",
    "[a-[", "[a[b]", "😀(", "a{-1}", "(?<a-b>x)", "(?<>x)", "(?'n'a)",
]

CASES = []


def case(group, method, path, text=""):
    CASES.append({"group": group, "method": method, "path": path, "body": text})


for text in SYNTAX:
    case("syntax", "POST", STUB, text)
for text in WITHIN:
    case("syntax within", "POST", STUB, text)
case("syntax within", "POST", "/mappings/import", '{"mappings":[{"request":{"url":x')
case("syntax within", "POST", "/mappings/import", '{"mappings":[{"name":"a"},x')
case("syntax within", "POST", "/mappings/import", '{"importOptions":{"duplicatePolicy":x')
case("syntax within", "POST", "/requests/count", '{"url":x')
case("syntax within", "POST", "/requests/count", '{"headers":{"X":{"equalTo":x')
case("syntax within", "POST", "/settings", '{"settings":{"fixedDelay":x')
case("syntax within", "POST", "/mappings/find-by-metadata", '{"equalTo":x')
case("syntax within", "POST", "/near-misses/request", '{"url":x')
for text in ["{bad", ""]:
    for path in ["/requests/count", "/requests/find", "/near-misses/request", "/mappings/import", "/settings"]:
        case("syntax elsewhere", "POST", path, text)
case("syntax elsewhere", "PUT", "/scenarios/none/state", "{bad")
case("syntax elsewhere", "POST", "/mappings/find-by-metadata", "{bad")

for text in REGEXES:
    case("regular expression", "POST", STUB, header(json.dumps({"matches": text})))
for text in ["[", "(a", "*"]:
    quoted = json.dumps(text)
    case("place", "POST", STUB, header('{"doesNotMatch":%s}' % quoted))
    case("place", "POST", STUB, '{"request":{"urlPattern":%s}}' % quoted)
    case("place", "POST", STUB, '{"request":{"urlPathPattern":%s}}' % quoted)
    case("place", "POST", STUB, '{"request":{"queryParameters":{"q":{"matches":%s}}}}' % quoted)
    case("place", "POST", STUB, '{"request":{"cookies":{"c":{"matches":%s}}}}' % quoted)
    case("place", "POST", STUB, '{"request":{"host":{"matches":%s}}}' % quoted)
    case("place", "POST", STUB, body('{"matches":%s}' % quoted))
    case("place", "POST", STUB, body('{"equalTo":"x"},{"matches":%s}' % quoted))
    case("place", "POST", STUB, body('{"not":{"matches":%s}}' % quoted))
    case("place", "POST", STUB, body('{"and":[{"equalTo":"a"},{"matches":%s}]}' % quoted))
    case("place", "POST", STUB, body('{"matchesJsonPath":{"expression":"$.a","matches":%s}}' % quoted))
    case("place", "POST", STUB, body('{"matchesXPath":{"expression":"//a","matches":%s}}' % quoted))
    case("place", "POST", STUB, header('{"hasExactly":[{"matches":%s}]}' % quoted))
    case("place", "POST", STUB, header('{"includes":[{"equalTo":"a"},{"matches":%s}]}' % quoted))
    case("place", "POST", STUB,
         '{"request":{"multipartPatterns":[{"headers":{"X":{"matches":%s}}}]}}' % quoted)
    case("place", "POST", STUB,
         '{"request":{"multipartPatterns":[{"bodyPatterns":[{"matches":%s}]}]}}' % quoted)
    case("place", "POST", STUB, '{"request":{"formParameters":{"q":{"matches":%s}}}}' % quoted)
    case("place", "POST", STUB, '{"request":{"pathParameters":{"q":{"matches":%s}},"urlPathTemplate":"/{q}"}}' % quoted)
    case("place", "POST", "/requests/count", '{"urlPattern":%s}' % quoted)
    case("place", "POST", "/requests/find", '{"headers":{"X":{"matches":%s}}}' % quoted)
    case("place", "POST", "/near-misses/request-pattern", '{"urlPathPattern":%s}' % quoted)
    case("place", "POST", "/mappings/find-by-metadata", '{"matches":%s}' % quoted)
    case("place", "POST", "/mappings/import", '{"mappings":[{},{"request":{"urlPattern":%s}}]}' % quoted)

for text in ["$.a[", "$..", "a[?(", "$[", "$.a[?(@.b ==)]", "", "$.", "$['a", "@.", "$.a.length(", "$[?(@.a =~ /[/)]", "()", "$[1:2:3:4]"]:
    case("document", "POST", STUB, body(json.dumps({"matchesJsonPath": text})))
for text in ["{bad", "", "[1,]", "{'a':1}", "nope"]:
    case("document", "POST", STUB, body(json.dumps({"equalToJson": text})))
    case("document", "POST", STUB, body(json.dumps({"matchesJsonSchema": text})))
for text in ["<a>", "", "<a", "x", "<a></b>", "<a>&x;</a>"]:
    case("document", "POST", STUB, body(json.dumps({"equalToXml": text})))
for text in ["//a[", "", "///", "count(", "//x:a", "foo("]:
    case("document", "POST", STUB, body(json.dumps({"matchesXPath": text})))
for text in ["bogus", "", "yyyy-MM-dd'T", "unix", "{"]:
    case("document", "POST", STUB, header(json.dumps({"before": "now", "actualFormat": text})))
for schema in ['{"type":5}', '{"type":"bogus"}', '"x"', '5', '{"pattern":"["}', '{"$ref":"#/none"}', 'true', '[]']:
    case("document", "POST", STUB, body('{"matchesJsonSchema":%s}' % schema))
for text in ["/{", "/}", "/{}", "/{a", "/{a}{a}", "/**/x", "/{a b}", "no", "", "/{a/b}"]:
    case("document", "POST", STUB, json.dumps({"request": {"urlPathTemplate": text}}))
    case("document", "POST", STUB, header(json.dumps({"matchesPathTemplate": text})))
for text in ["2020-99-99", "now +1", "x", "", "now +1 day of"]:
    case("document", "POST", STUB, header(json.dumps({"before": text})))
for response in ['{"base64Body":"***"}', '{"base64Body":"a"}', '{"body":{}}', '{"jsonBody":"x","body":"y"}', '{"fault":"X"}',
                 '{"headers":{"A":{"b":1}}}', '{"headers":[]}', '{"status":"x"}', '{"status":null}', '{"statuss":1}',
                 '{"delayDistribution":{"type":"x"}}', '{"delayDistribution":{"type":"uniform","lower":"a"}}',
                 '{"delayDistribution":{}}', '{"chunkedDribbleDelay":{"numberOfChunks":"x"}}', '{"fixedDelayMilliseconds":"x"}',
                 '{"fixedDelayMilliseconds":99999999999}', '{"transformers":"x"}', '{"bodyFileName":[]}', '{"fault":5}']:
    case("response", "POST", STUB, '{"response":%s}' % response)
for request in ['{"urll":"/"}', '{"method":{"x":1}}', '{"method":[]}', '{"urlPath":{}}', '{"port":"x"}', '{"headers":"x"}',
                '{"bodyPatterns":{}}', '{"bodyPatterns":[5]}', '{"basicAuth":{"user":"x"}}', '{"basicAuth":"x"}',
                '{"customMatcher":{"nam":"x"}}', '{"multipartPatterns":{}}', '{"multipartPatterns":[{"x":1}]}',
                '{"headers":{"X":{"equalsTo":"x"}}}', '{"headers":{"X":{}}}', '{"headers":{"X":5}}', '{"cookies":{"X":{"hasExactly":[]}}}',
                '{"host":"x"}', '{"clientIp":5}', '{"scheme":[]}', '{"queryParams":{}}', '[]', '"x"', '5', 'true']:
    case("request", "POST", STUB, '{"request":%s}' % request)
for mapping in ['[]', '"x"', '5', 'true', '{"reqest":{}}', '{"priority":"x"}', '{"priority":{}}', '{"id":"x"}', '{"id":""}',
                '{"id":"zzzzzzzz-2db4-4ad7-a99f-38c9b00da3f7"}', '{"scenarioName":[]}', '{"metadata":5}', '{"metadata":[]}',
                '{"persistent":"x"}', '{"response":5}', '{"postServeActions":5}', '{"serveEventListeners":[{"x":1}]}', '{"name":{}}',
                '{"uuid":"x"}']:
    case("mapping", "POST", STUB, mapping)
for path, text in [("/requests/count", "[]"), ("/requests/count", '{"urll":1}'), ("/requests/count", '"x"'), ("/requests/find", '{"a":1}'),
                   ("/near-misses/request", '{"urll":1}'), ("/near-misses/request", "[]"), ("/settings", '{"x":1}'),
                   ("/settings", '{"fixedDelay":"x"}'), ("/settings", "[]"), ("/mappings/import", "[]"),
                   ("/mappings/import", '{"mappings":[{"reqest":1}]}'), ("/mappings/import", '{"mappings":5}'),
                   ("/mappings/find-by-metadata", "{}"), ("/mappings/find-by-metadata", '{"equalsTo":"x"}'),
                   ("/mappings/find-by-metadata", '"x"'), ("/requests/remove", '{"x":1}'), ("/requests/remove-by-metadata", "{}")]:
    case("elsewhere", "POST", path, text)
UUID = "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"
for method, path in [("GET", "/nothing"), ("GET", "/mapping"), ("PUT", "/mappings"), ("PATCH", "/mappings"), ("POST", "/health"),
                     ("HEAD", "/mappings"), ("OPTIONS", "/mappings"), ("GET", "/mappings/reset"), ("GET", "/requests/count"),
                     ("DELETE", "/requests/find"), ("GET", "/mappings/x/y"), ("POST", "/scenarios/reset/now"), ("GET", "/mappings/x"),
                     ("DELETE", "/mappings/x"), ("PUT", "/mappings/" + UUID), ("GET", "/requests/x"), ("DELETE", "/requests/x"),
                     ("GET", "/requests/" + UUID), ("GET", "/mappings/" + UUID), ("GET", "/requests?since=x"),
                     ("GET", "/requests?matchingStub=x"), ("PUT", "/scenarios/none/state")]:
    case("path", method, path, "")


def answer(server, entry):
    text = entry["body"]
    status, reply = server.call(entry["method"], "/__admin" + entry["path"], text, {"Content-Type": "application/json"})
    try:
        return status, json.loads(reply)["errors"]
    except (ValueError, KeyError, TypeError):
        return status, None


def main():
    with wiremock.WireMock("--bind-address", "127.0.0.1", java=["-XX:TieredStopAtLevel=1"]) as server:
        for entry in CASES:
            entry["status"], entry["errors"] = answer(server, entry)
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(recording.one_a_line(CASES))
    print(f"{FILE.name}: {len(CASES)} calls", file=sys.stderr)


if __name__ == "__main__":
    main()
