#!/usr/bin/env python3
"""Records the real WireMock's reports on requests that no stub matches.

    python3 Tools/oracle/record_reports.py > Tests/Oracle/reports.json

Each case is `{"stubs": [mapping], "request": text, "report": text}`: the stubs in the order in which they are added, the
request as it is sent (ISO 8859-1), and the body of the answer. The jar is found at $STUNTDOUBLE_ORACLE or as
../shared/oracle/*.jar beside the package. Only the standard library is used.
"""

import json

from recording import one_a_line
from wiremock import WireMock


def request(target="/thing", method="GET", headers=(), body=b""):
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost:8080"]
    lines += [f"{name}: {value}" for name, value in headers]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def stub(pattern, **more):
    return {"request": pattern, "response": {"status": 200}, **more}


FORM = ("Content-Type", "application/x-www-form-urlencoded")
JSON = ("Content-Type", "application/json")
MULTIPART = ("Content-Type", "multipart/form-data; boundary=X")
PARTS = (b'--X\r\nContent-Disposition: form-data; name="a"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n'
         b'--X\r\nContent-Disposition: form-data; name="b"\r\n\r\n{"x":1}\r\n--X--\r\n')
LONG = "The post stub with a really long name that ought to wrap and let us see exactly how that looks when it is done"


def cases():
    """Pairs of the stubs and the request."""
    yield [], request()
    yield [stub({"url": "/thing", "method": "POST"})], request()
    yield [stub({"url": "/thin", "method": "GET"})], request()
    yield [stub({"url": "/thin"})], request(method="PURGE")
    yield [stub({"url": "/thin"}, name="A name")], request()
    yield [stub({"url": "/thin"}, name=LONG)], request()
    yield [stub({"method": "POST"})], request()
    for key, text in (("urlPath", "/thin"), ("urlPattern", "/thin.*x"), ("urlPathPattern", "/th[a-z]{2}"), ("urlPathTemplate", "/x/{id}"),
                      ("urlPattern", "/thing?x=1"), ("urlPattern", "/thing\\?x=1"), ("urlPathPattern", "/a?b"), ("url", "thing"),
                      ("urlPath", "thing"), ("urlPattern", "thing.*"), ("urlPattern", "?")):
        yield [stub({key: text, "method": "GET"})], request("/thing?x=2")
    yield [stub({"urlPattern": "/thing?x=.*|/thing.*", "method": "POST"})], request("/thing?x=2")
    for matcher in ({"equalTo": "correct value"}, {"contains": "correct value"}, {"matches": "c.*"}, {"doesNotMatch": "w.*"},
                    {"doesNotContain": "wrong"}, {"absent": True}, {"not": {"equalTo": "wrong value"}}, {"equalTo": "x", "caseInsensitive": True},
                    {"and": [{"contains": "a"}, {"contains": "zz"}]}, {"or": [{"equalTo": "a"}, {"equalTo": "b"}]},
                    {"hasExactly": [{"equalTo": "1"}, {"contains": "2"}]}, {"includes": [{"equalTo": "1"}, {"matches": "2"}]},
                    {"before": "2020-01-01T00:00:00Z"}, {"equalToJson": "{\"a\":1}"}, {"matchesJsonPath": "$.a"},
                    {"matchesJsonPath": {"expression": "$.a", "equalTo": "1"}}, {"equalToXml": "<a/>"}, {"matchesXPath": "//a"},
                    {"anything": "x"}, {"includes": [{"absent": True}]}, {"hasExactly": [{"equalTo": "1"}]}):
        yield [stub({"url": "/thing", "headers": {"X-My-Header": matcher}})], request(headers=[("X-My-Header", "wrong value")])
        yield [stub({"url": "/thing", "headers": {"X-My-Header": matcher}})], request()
        yield [stub({"urlPath": "/thing", "queryParameters": {"q": matcher}})], request("/thing?q=wrong&r=1&q=two")
        yield [stub({"urlPath": "/thing", "queryParameters": {"q": matcher}})], request()
    for matcher in ({"equalTo": "a"}, {"contains": "a"}, {"absent": True}, {"matches": "a+"}, {"not": {"equalTo": "v"}}):
        yield [stub({"url": "/thing", "cookies": {"k": matcher}})], request(headers=[("Cookie", "k=v; j=w")])
        yield [stub({"url": "/thing", "cookies": {"z": matcher}})], request(headers=[("Cookie", "k=v; j=w")])
        yield [stub({"url": "/thing", "cookies": {"k": matcher}})], request(headers=[("Cookie", "k=v; k=w")])
        yield [stub({"urlPath": "/thing", "formParameters": {"k": matcher}})], request(method="POST", headers=[FORM], body=b"k=v&j=w&k=x")
        yield [stub({"urlPath": "/thing", "formParameters": {"z": matcher}})], request(method="POST", headers=[FORM], body=b"k=v")
        yield [stub({"urlPathTemplate": "/thing/{id}", "pathParameters": {"id": matcher}})], request("/thing/v")
        yield [stub({"urlPathTemplate": "/thing/{id}", "pathParameters": {"id": matcher}})], request("/other/v")
        yield [stub({"host": matcher, "url": "/thing"})], request()
        yield [stub({"clientIp": matcher, "url": "/thing"})], request()
        yield [stub({"urlPath": "/thing", "queryParameters": {"a": matcher, "b": {"equalTo": "1"}}, "headers": {"H": matcher}})], request("/thing?b=1")
    yield [stub({"port": 9, "url": "/thing"})], request()
    yield [stub({"scheme": "https", "url": "/thing"})], request()
    yield [stub({"scheme": "https", "port": 9, "host": {"equalTo": "x"}, "clientIp": {"contains": "8"}, "url": "/thing"})], request()
    yield [stub({"url": "/thing", "basicAuth": {"username": "u", "password": "p"}})], request()
    yield [stub({"url": "/thing", "basicAuth": {"username": "u", "password": "p"}})], request(headers=[("Authorization", "Basic abc")])
    yield [stub({"url": "/thing", "headers": {"Accept": {"matches": "text/plain.*"}, "X-My-Header": {"contains": "correct value"}}})], \
        request("/thin", headers=[("X-My-Header", "wrong value"), ("Accept", "text/plain")])
    thing = {"thing": {"stuff": [1, 2, 3]}}
    bodies = [b"", b"plain text", b'{"thing":{"nothing":{}}}', b'{"thing":{"stuff":[1,2,3],"more":null,"b":true,"n":1.50}}',
              b"<a><b>1</b><c x='1'/></a>", b"\x01\x02\xff", b"[1,{\"a\":2}]", b"line one\nline two\n\nline four"]
    for matcher in ({"equalTo": "expected text"}, {"contains": "zzz"}, {"matches": "[a-z]"}, {"doesNotContain": "e"}, {"absent": True},
                    {"equalToJson": thing}, {"equalToJson": json.dumps(thing)}, {"equalToJson": thing, "ignoreArrayOrder": True, "ignoreExtraElements": True},
                    {"matchesJsonPath": "$.none"}, {"matchesJsonPath": {"expression": "$.thing", "equalToJson": "{\"a\":1}"}},
                    {"matchesJsonPath": {"expression": "$.thing.stuff", "contains": "zz"}}, {"matchesJsonPath": {"expression": "$.thing.stuff[0]", "equalTo": "9"}},
                    {"equalToXml": "<a><b>2</b></a>"}, {"matchesXPath": "//z"}, {"matchesXPath": {"expression": "//b/text()", "equalTo": "2"}},
                    {"matchesXPath": {"expression": "//b", "equalTo": "2"}}, {"binaryEqualTo": "AQID"}, {"matchesJsonSchema": "{\"type\":\"boolean\"}"},
                    {"matchesJsonSchema": {"type": "boolean"}, "schemaVersion": "V7"}, {"not": {"contains": "e"}},
                    {"and": [{"contains": "zz"}, {"equalTo": "y"}]}, {"or": [{"contains": "zz"}, {"equalToJson": "{}"}]}, {"before": "2020-01-01"}):
        for body in bodies:
            yield [stub({"url": "/thing", "method": "POST", "bodyPatterns": [matcher]})], request(method="POST", body=body)
    yield [stub({"url": "/thing", "bodyPatterns": [{"contains": "plain"}, {"contains": "zz"}, {"equalTo": "q"}]})], request(method="POST", body=b"plain")
    for pattern in ({"bodyPatterns": [{"equalTo": "zz"}]}, {"name": "part-1", "headers": {"Content-Type": {"contains": "json"}}, "bodyPatterns": [{"equalToJson": "{\"x\":2}"}]},
                    {"matchingType": "ALL", "bodyPatterns": [{"contains": "hello"}]}, {"matchingType": "ANY", "headers": {"Content-Disposition": {"contains": "name=\"z\""}}},
                    {"name": "a", "fileName": "g.txt", "bodyPatterns": [{"equalTo": "hello"}]}):
        for sent in (request(method="POST", headers=[MULTIPART], body=PARTS), request(method="POST", body=b"none")):
            yield [stub({"url": "/thing", "multipartPatterns": [pattern]})], sent
    yield [stub({"url": "/thing", "customMatcher": {"name": "unknown-one"}})], request()
    yield [stub({"url": "/thing"}, scenarioName="My scenario", requiredScenarioState="Second")], request()
    yield [stub({"url": "/thin"}, scenarioName="My scenario", requiredScenarioState="Started")], request()
    yield [stub({"url": "/thin"}, scenarioName="My scenario", newScenarioState="Second")], request()
    words = "a rather long value that goes on and on until it does not fit into the column any more, which is when it is wrapped"
    for width in ("80", "60", "200", "30", "10", "0", "-5", "nonsense", "119.5"):
        yield [stub({"url": "/thing", "headers": {"X": {"equalTo": words}}, "bodyPatterns": [{"equalTo": words}]}, name=LONG)], \
            request("/thin", "POST", [("X-WireMock-Console-Width", width), ("X", words[::-1])], words.encode())
    yield [stub({"url": "/" + "a" * 150})], request("/" + "b" * 150)
    yield [stub({"url": "/é"}, name="Ünïcode – naïve")], request("/%C3%A9")
    yield [stub({"url": "/a"}), stub({"url": "/thin"}), stub({"url": "/thinx"})], request()
    yield [stub({"url": "/thing", "method": "POST"}), stub({"url": "/thin", "method": "GET"})], request()
    yield [stub({"url": "/thing", "method": "PUT"}, name="first"), stub({"url": "/thing", "method": "POST"}, name="second")], request()
    yield [stub({"url": "/thing", "method": "PUT"}, name="first", priority=1), stub({"url": "/thing", "method": "POST"}, name="second")], request()
    yield [stub({"url": "/thing", "headers": {"A": {"equalTo": "1"}, "B": {"equalTo": "2"}}, "queryParameters": {"q": {"equalTo": "1"}},
                 "cookies": {"c": {"equalTo": "1"}}, "bodyPatterns": [{"equalTo": "1"}]})], request(headers=[("A", "1"), ("b", "3")])
    yield [stub({"urlPath": "/thing", "method": "GET"})], request("/thin", headers=[("Accept", "application/json")])
    yield [stub({"urlPath": "/thing", "method": "GET"})], request("/thin", headers=[("Accept-Encoding", "gzip")])
    # Paths of JSON and XML with their results.
    found = (b'{"list":[1,"two",null,{"k":"v"},[3,"x"]],"one":{"k":null,"j":[1.50,true]},"text":"{\\"id\\":1}","number":1.0,"big":12345678901234567890,'
             b'"flag":true,"none":null,"empty":[],"void":{},"blank":"","lines":"a\\nb"}')
    for expression in ("$.list", "$.list[*]", "$.list[0]", "$.list[2]", "$.list[3]", "$.list[4]", "$..k", "$.one", "$.text", "$.number", "$.big", "$.flag", "$.none",
                       "$.empty", "$.void", "$.blank", "$.lines", "$.missing", "$.missing.deeper", "$.list[?(@.k)]", "$.list[9]", "$.list.length()"):
        for operator in ("equalTo", "contains", "equalToJson", "matches"):
            expected = '"zzz"' if operator == "equalToJson" else "zzz"
            yield [stub({"url": "/thing", "method": "POST", "bodyPatterns": [{"matchesJsonPath": {"expression": expression, operator: expected}}]})], \
                request(method="POST", headers=[JSON], body=found)
    for matcher in ({"absent": True}, {"not": {"contains": "i"}}, {"and": [{"contains": "zz"}, {"contains": "yy"}]}, {"or": [{"contains": "zz"}, {"contains": "yy"}]},
                    {"matchesJsonPath": "$.zz"}, {"matchesJsonPath": {"expression": "$.id", "equalTo": "2"}}, {"matchesJsonSchema": '{"type":"array"}'},
                    {"equalToJson": {"id": 2}}, {"doesNotContain": "id"}, {"equalToXml": "<a/>"}, {"before": "2020-01-01"}):
        yield [stub({"url": "/thing", "method": "POST", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.text", **matcher}}]})], \
            request(method="POST", headers=[JSON], body=found)
    for expression in ("//b", "//b/text()", "//b/@k", "/a", "//zz", "count(//b)", "//comment()"):
        for body in (b"<a><b k='1'>x</b><b k='2'>y</b><!--c--></a>", b"<a/>", b"none"):
            yield [stub({"url": "/thing", "method": "POST", "bodyPatterns": [{"matchesXPath": {"expression": expression, "equalTo": "zzz"}}]})], \
                request(method="POST", body=body)
    # URLs without a leading slash, matching or not.
    for key, text in (("urlPattern", ".*"), ("urlPattern", ".*thing"), ("urlPattern", ".*thin"), ("urlPattern", "(/thing|/other)"), ("urlPattern", "^/thing$"),
                      ("urlPathPattern", ".*"), ("urlPathPattern", ".*thing"), ("urlPathPattern", ".+x"), ("urlPathPattern", "[/]thing"), ("url", ""), ("urlPath", ""),
                      ("urlPattern", ""), ("urlPathPattern", ""), ("url", "http://localhost:8080/thing"), ("url", "?q=1"), ("urlPath", "*"), ("urlPathTemplate", "thing/{id}"),
                      ("urlPathTemplate", "{id}"), ("urlPattern", "\\/thing"), ("urlPattern", "\\?x"), ("urlPattern", "x?"), ("urlPathPattern", "x?y"), ("url", "thing?x"),
                      ("urlPattern", "/a?b?c"), ("urlPattern", "/a\\?b?c"), ("urlPathTemplate", "/x?{id}"), ("urlPathPattern", ".*/a?")):
        for method in ("GET", "POST"):
            yield [stub({key: text, "method": method})], request()
    # Basic authentication among other headers.
    basic = {"username": "user", "password": "secret"}
    for headers in ({}, {"Zeta": {"equalTo": "1"}}, {"Aaa": {"equalTo": "1"}}, {"Aaa": {"equalTo": "1"}, "Zeta": {"contains": "2"}}, {"Zeta": {"equalTo": "1"}, "Aaa": {"contains": "2"}},
                    {"Authorization": {"contains": "zz"}}, {"Authorization": {"contains": "zz"}, "Zeta": {"equalTo": "1"}}, {"authorization": {"contains": "Basic"}}):
        for sent in ([], [("Authorization", "Basic dXNlcjpzZWNyZXQ=")], [("Authorization", "Bearer x"), ("Zeta", "1")], [("Authorization", "Basic eA=="), ("Authorization", "Bearer y")]):
            yield [stub({"url": "/thing", "method": "POST", "headers": headers, "basicAuth": basic})], request(headers=sent)
    # Of several parts, those that fail.
    several = [
        {"name": "a", "matchingType": "ANY", "headers": {"Content-Type": {"contains": "text"}}, "bodyPatterns": [{"contains": "hello"}]},
        {"name": "b", "matchingType": "ANY", "bodyPatterns": [{"matchesJsonPath": "$.title"}]}]
    for sent in (request(method="POST", headers=[MULTIPART], body=PARTS), request(method="POST", body=b"none")):
        yield [stub({"url": "/thing", "multipartPatterns": several})], sent
    all_parts = {"matchingType": "ALL", "headers": {"Content-Type": {"contains": "text"}}, "bodyPatterns": [{"contains": "hello"}]}
    yield [stub({"url": "/thing", "multipartPatterns": [all_parts]})], request(method="POST", headers=[MULTIPART], body=PARTS)


def main():
    recorded = []
    with WireMock() as wiremock:
        for stubs, sent in cases():
            wiremock.admin("POST", "/reset")
            wiremock.admin("DELETE", "/mappings")
            accepted = all(wiremock.admin("POST", "/mappings", mapping)[0] == 201 for mapping in stubs)
            if not accepted:
                continue
            head, _, body = wiremock.raw(sent).partition(b"\r\n\r\n")
            recorded.append({"stubs": stubs, "request": sent.decode("latin-1"), "head": head.decode("latin-1"),
                             "report": unchunked(head, body).decode("utf-8", "replace")})
    print(one_a_line(json.dumps({"cases": recorded})), end="")


def unchunked(head, body):
    if b"chunked" not in head.lower():
        return body
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            break
        whole += rest[:length]
        body = rest[length + 2:]
    return whole


if __name__ == "__main__":
    main()
