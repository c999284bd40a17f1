#!/usr/bin/env python3
"""Records the notes of the real WireMock's matchers on requests: the sub-events of serve events.

    python3 Tools/oracle/record_sub_events.py > Tests/Oracle/sub_events.json

Prints `{"bodies": [text], "cases": [{"stubs": [request pattern], "body": index in bodies, "matches": verdict, "subEvents":
[[type, text], …]}]}`: the stubs in the order in which they are added, all at `/t`; the text is a message or the detail of an
error. `REQUEST_NOT_MATCHED` is left out, and so are requests on which WireMock fails. The jar is found at
$STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package.
"""

import json

from recording import one_a_line
from wiremock import WireMock

MALFORMED = [
    "{", "{bad", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{"a" 1}', '{"a":}', "{a:1}", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]",
    '{"a":1 "b":2}', "tru", "nul", "True", "abc", "NaN", "-", "-a", "1.", "1.e", "1e", "01", "+1", ".5", '"abc', '"a\nb"', '"a\\qb"', '"\\u12"',
    '"\\u12g4"', "}", "]", ":", ",", "<a/>", "plain text", "/", "/* x", "// x", "/x", '{"a":tru}', '{"a":bad}', "[tru]", "[bad,1]", '{"a":undefined}',
    '{"a":-}', '{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":"x}', '{\n  "a": 1,\n  "b": x\n}', "\ufeff{", "é", '{"é":é}', '{"a":"\t"}', "a=1&b=2", "---\na: 1",
    "\x01", '{"a":[1,2}', '[{"a":1]', '{"a":{"b":1]}', "{,}", '{"a"::1}', '{"a":1,,"b":2}', "[1,,2]", "truefalse", "nulll", "123abc", '{"a":123abc}',
    '{"a":"b"c}', "#", '{"a":+1}', '"' + "x" * 600, "[" * 600, '{"a":' * 10, '{"a":1;}', "{1:2}", '{"a":"\\', '{"a":Infinity}', "@", "{true:1}", "$.x", "(a)",
    "x" * 300, '{"text":"' + "y" * 700 + '","b":}', "\u2028", "0x1F", "1.5.5", "1e+", "--1", '{"a":nulx}', '{"a":nul}', '{"a":false1}', "*", "%7B%7D", "\t", "   ",
    '{"a\tb":1}', '{"a', "{'a':1", "[1}", "{]", '{"a":]}', "[[1,2],[3,4", '{"a":[{"b":1},{"b":2]}', "1ex", '{"a":"\\u00', "{\r\n\"a\":\r\nx}", "😀", '{"😀":x}',
    # Texts that Jackson accepts.
    "{'a':1}", '{"a":1}}', '{"a":1} x', "[1]]", "1 2", "{}", '"x"', "5", '{"a":1,"a":2}', "/* c */ {}",
]
PATHS = [
    ("$.zz", '{"a":1}'), ("$.a.b", '{"a":1}'), ("$.a.b", '{"c":1}'), ("$.a.b.c", '{"a":{}}'), ("$.a.b.c", '{"a":{"b":5}}'), ("$.a.b", '{"a":"x"}'),
    ("$.a.b", '{"a":1.5}'), ("$.a.b", '{"a":true}'), ("$.a.b", '{"a":null}'), ("$.a.b", '{"a":[1]}'), ("$.a.b", '{"a":12345678901}'),
    ("$.a.b", '{"a":123456789012345678901234}'), ("$.a.b", '{"a":1.12345678901234567890}'), ("$.a[0]", '{"a":{}}'), ("$.a[0]", '{"a":{"k":"v"}}'),
    ("$.a[0]", '{"a":"x"}'), ("$.a[0]", '{"a":5}'), ("$.a[0]", '{"a":null}'), ("$.a[0]", "{}"), ("$.a[7]", '{"a":[1]}'), ("$.a[-7]", '{"a":[1]}'),
    ("$.a[-1]", '{"a":[]}'), ("$.a[0].b", '{"a":[]}'), ("$.a[0].b", '{"a":[1]}'), ("$.a[0].b", '{"a":[{}]}'), ("$.a[0].b.c", '{"a":[{}]}'), ("$[0]", "{}"),
    ("$[0]", "[]"), ("$.a", "[]"), ("$.a", '[{"a":1}]'), ("$.a", '"x"'), ("$.a", "5"), ("$.a", "true"), ("$.a", "null"), ("$.a", " "), ("$.a", "x"), ("$.a", "{"),
    ("$.a", "["), ("$.a", '{"a"'), ("$.a", '{"a":'), ("$.a", '{"a":}'), ("$.a", "[1 2]"), ("$.a", '{"a":1 "b":2}'), ("$.a", "}"), ("$.a", "]"), ("$.a", ":"),
    ("$.a", ","), ("$.a", "{,}"), ("$.a", '"abc'), ("$.a", '{"a":"x}'), ("$.a", '{"a":[1}'), ("$.a", '[{"a":1]'), ("$.a", "{:1}"), ("$.a", "<a/>"), ("$.a", "  <a/>"),
    ("$.a", '{"a":"b"c}'), ("$.a", '["a"b]'), ("$.a", '{"a":[1,2]'), ("$.a", "[1,2"), ("$.a", '{"b":{"c":1}'), ("$.a", "{'a"), ("$.a", '{"a":{'), ("$.a", '["x"'),
    ("$.a[*]", "{}"), ("$.a[*].b", "{}"), ("$.a..b", "{}"), ("$..a", "{}"), ("$.*.a", "{}"), ("$.a[?(@.b)]", "{}"), ("$.a[?(@.b)]", '{"a":5}'),
    ("$.a[?(@.b)]", '{"a":"x"}'), ("$[?(@.b)]", "5"), ("$.a[0:2]", "{}"), ("$.a[0:2]", '{"a":5}'), ("$.a[0,1]", '{"a":5}'), ("$.a[0,1]", "{}"), ("$['a','b']", "{}"),
    ("$['a','b']", '{"a":1}'), ("$['a','b']", "5"), ("$['a','b']", "[]"), ("$['a','b'].c", "{}"), ("$.x['a','b']", "{}"), ("$.x['a','b']", '{"x":1}'),
    ("$.a.length()", "{}"), ("$.length()", "{}"), ("$.a.length()", '{"a":5}'), ("$.a.sum()", "{}"), ("$.a.sum()", '{"a":[]}'), ("$.a.min()", '{"a":["x"]}'),
    ("$.a.first()", '{"a":[]}'), ("$.a.first()", '{"a":5}'), ("$.a.last()", '{"a":[]}'), ("$.a.index(5)", '{"a":[1]}'), ("$.a.keys()", '{"a":5}'),
    ("$.a.zork()", '{"a":5}'), ("$.a.concat('x')", "{}"), ("$.a", '{"a":null}'), ("$.a", '{"a":{}}'), ("$.a", '{"a":[]}'), ("$.a", '{"a":false}'), ("$", "{}"),
    ("$", "[]"), ("$['a b']", "{}"), ('$["a"]', "{}"), ('$["a"].b', "{}"), ("$['a\\'b']", "{}"), ("$['é'].x", "{}"), ("a.b", "{}"), ("$.a['b']['c'].d", '{"a":{"b":{}}}'),
    ("@.a", "{}"), ("$.a.b", '{"a":{"b":{}}}'), ("$.list[0].x.y", '{"list":[{"x":{}}]}'), ("$.a[0][1]", '{"a":[[1]]}'), ("$.a[0][1]", '{"a":[5]}'), ("$.a[1:].b", '{"a":[]}'),
    ("$.a", '{"b":"é\\n"}'), ("$.a[?(@.b == 1)].c", '{"a":[]}'), ("$.a[?(@.b == 1)].c", '{"a":[{"b":1}]}'), ("$.a[?(@.b == 1)]", '{"a":[{"b":2}]}'),
]
ENVELOPE = {
    "t": "x", "j": '{"id":1}', "q": '"x"', "n": 5, "f": 1.5, "e": 1e3, "b": True, "z": None, "l": [1, "a", {"k": "v"}, [2]], "o": {"k": None, "v": 1}, "el": [], "eo": {},
    "s": "", "num": "5", "xml": "<a><b>1</b></a>", "bool": "true", "null": "null", "arr": "[1,2]", "sp": ' {"id":1} ', "lone": ['{"id":1}'], "texts": ["a", "b"],
    "nums": [1, 1.0]}
FOUND_BY = [f"$.{key}" for key in ENVELOPE] + ["$.l[*]", "$.texts[*]", "$..k", "$.l[2]", "$.l[3]", "$.nope"]
TESTS = [{"equalToJson": text} for text in (
    '{"id":1}', '"x"', "5", '"5"', "1.5", "1000", "true", '"true"', "null", "[1,2]", '[1,"a",{"k":"v"},[2]]', '{"k":null,"v":1}', '{"v":1}', "[]", "{}", '""',
    '["{\\"id\\":1}"]', '"${json-unit.any-string}"', '["a","b"]', "[1,1]")] + [{"matchesJsonSchema": f'{{"type":"{kind}"}}'} for kind in (
        "object", "string", "number", "array", "null")] + [
            {"equalToJson": {"id": 1}}, {"matchesJsonPath": "$.id"}, {"matchesJsonPath": "$[0]"}, {"matchesJsonPath": "$.v"}, {"equalToXml": "<a><b>1</b></a>"},
            {"matchesXPath": "//b"}, {"equalTo": "x"}, {"equalTo": "5"}, {"equalTo": "1.5"}, {"contains": "id"}, {"matches": ".*"}, {"absent": "1"}, {"anything": "1"},
            {"doesNotContain": "x"}, {"not": {"equalToJson": "5"}}, {"and": [{"equalToJson": "5"}, {"anything": "1"}]}]
NODES = "<m><t>x</t><j>{\"id\":1}</j><n>5</n><x>&lt;a&gt;&lt;b&gt;1&lt;/b&gt;&lt;/a&gt;</x><e/><k v='{\"id\":1}'/></m>"
PLAIN = '{"a":1}'
ZZ, YY = {"matchesJsonPath": "$.zz"}, {"matchesJsonPath": "$.yy"}


def at(*patterns, **more):
    return {"url": "/t", "bodyPatterns": list(patterns), **more}


def cases():
    """Pairs of the stubs and the body."""
    for body in MALFORMED:
        yield [at({"equalToJson": '{"never":1}'})], body
    for path, body in PATHS:
        yield [at({"matchesJsonPath": path})], body
        yield [at({"matchesJsonPath": {"expression": path, "equalTo": "never"}})], body
    envelope = json.dumps(ENVELOPE)
    for path in FOUND_BY:
        for test in TESTS:
            yield [at({"matchesJsonPath": {"expression": path, **test}})], envelope
    for path in ("//t/text()", "//j/text()", "//n/text()", "//x/text()", "//k/@v", "//nope", "//t", "count(//t)"):
        for test in TESTS:
            yield [at({"matchesXPath": {"expression": path, **test}})], NODES
    # The number of repetitions, for different stubs and operators.
    yield [at(ZZ), at(YY)], PLAIN
    yield [at(ZZ), at(ZZ)], PLAIN
    yield [at(ZZ, ZZ)], PLAIN
    yield [at(ZZ, YY)], PLAIN
    yield [at({"matchesJsonPath": "$.a"}), at(ZZ)], PLAIN
    yield [at(ZZ), at({"matchesJsonPath": "$.a"})], PLAIN
    yield [{"url": "/u", "bodyPatterns": [ZZ]}], PLAIN
    yield [at(ZZ, method="PUT")], PLAIN
    yield [at(ZZ, headers={"X": {"equalTo": "1"}})], PLAIN
    yield [at({"not": ZZ})], PLAIN
    yield [at({"not": {"not": ZZ}})], PLAIN
    yield [at({"and": [ZZ, YY]})], PLAIN
    yield [at({"and": [{"matchesJsonPath": "$.a"}, YY]})], PLAIN
    yield [at({"and": [{"or": [ZZ, YY]}, YY]})], PLAIN
    yield [at({"or": [ZZ, {"matchesJsonPath": "$.a"}]})], PLAIN
    yield [at({"or": [ZZ, YY]})], PLAIN
    yield [at({"equalToJson": "{}"}), at({"equalToJson": "[]"})], "{bad"
    yield [at({"equalToJson": "{}"}, ZZ)], "{bad"
    yield [at(ZZ, {"equalToJson": "{}"})], "{bad"
    yield [at({"matchesJsonPath": {"expression": "$.m", "matchesJsonPath": "$.q"}})], '{"m":"{}"}'
    yield [at({"matchesJsonPath": {"expression": "$.m", "equalToJson": "{}"}})], '{"m":"{bad"}'
    yield [at({"matchesJsonPath": {"expression": "$.m", "and": [{"equalToJson": "{}"}, {"equalToJson": "{}"}]}})], '{"m":["{bad","{","[]"]}'
    yield [at({"matchesJsonPath": {"expression": "$.m", "matchesXPath": "//a"}})], '{"m":"{bad"}'
    yield [at({"matchesXPath": {"expression": "//a/text()", "equalToJson": "{}"}})], "<a>{bad</a>"
    for body in ("text", "<a>", "<x:a/>", "{}", "<a><b></a>"):
        yield [at({"equalToXml": "<b/>"})], body
        yield [at({"matchesXPath": "//b"})], body


def main():
    recorded, bodies = [], []
    with WireMock() as wiremock:
        for stubs, body in cases():
            wiremock.admin("POST", "/reset")
            wiremock.admin("DELETE", "/mappings")
            if any(wiremock.admin("POST", "/mappings", {"request": stub})[0] != 201 for stub in stubs):
                continue
            status, _ = wiremock.call("POST", "/t", body, {"Content-Type": "text/plain; charset=utf-8"})
            events = wiremock.admin("GET", "/requests")[1]["requests"]
            if status not in (200, 404) or not events:
                continue
            said = [[event["type"], event["data"]["errors"][0]["detail"] if "errors" in event["data"] else event["data"]["message"]]
                    for event in events[0]["subEvents"] if event["type"] != "REQUEST_NOT_MATCHED"]
            if body not in bodies:
                bodies.append(body)
            recorded.append({"stubs": stubs, "body": bodies.index(body), "matches": status == 200, "subEvents": said})
    print(one_a_line({"bodies": bodies, "cases": recorded}), end="")


if __name__ == "__main__":
    main()
