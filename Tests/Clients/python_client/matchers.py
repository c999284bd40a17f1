"""Checks of the client's request models: every field of MappingRequest and every matcher that it names."""

from wiremock.client import CommonHeaders, HttpMethods, Mapping, MappingRequest, MappingResponse, Mappings, WireMockMatchers as M
from wiremock.client import BasicAuthCredentials, NearMissMatchPatternRequest, Requests

from .checks import check

JSON = '{"a":1,"b":[1,2]}'
XML = "<a><b>1</b></a>"
SPACED = '<a xmlns:n="urn:x"><n:b>1</n:b></a>'


def names(holder):
    return {key: value for key, value in vars(holder).items() if key.isupper()}


def stub(server, **request):
    server.ask("create", Mappings.create_mapping, Mapping(
        request=MappingRequest(**{"method": HttpMethods.ANY, **request}), response=MappingResponse(status=200, body="found")))


@check("matchers: every method")
def methods(server):
    for method in names(HttpMethods).values():
        Mappings.create_mapping(Mapping(
            request=MappingRequest(method=method, url="/" + method), response=MappingResponse(status=200, body="found")))
    for method in names(HttpMethods).values():
        for sent in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"):
            server.serve(f"{sent} on {method}", "/" + method, method=sent)


URLS = {
    "url": ("/a?b=1", ["/a?b=1", "/a", "/a?b=2", "/a?b=1&c=2"]),
    "url_path": ("/a", ["/a", "/a?b=1", "/a/", "/b"]),
    "url_pattern": ("/a\\?b=[0-9]+", ["/a?b=12", "/a", "/a?b=1&c=2"]),
    "url_path_pattern": ("/a/[0-9]+", ["/a/12", "/a/12?b=1", "/a/x", "/a/12/13"]),
}

for field, (pattern, paths) in URLS.items():
    @check(f"matchers: {field}")
    def url(server, field=field, pattern=pattern, paths=paths):
        stub(server, **{field: pattern})
        for path in paths:
            server.serve(path, path)


# The value of a cookie has no blanks.
VALUES = {
    "equalTo": ({M.EQUAL_TO: "a-value"}, ["a-value", "A-value", "a-values"]),
    "equalTo, case apart": ({M.EQUAL_TO: "a-value", M.CASE_INSENSITIVE: True}, ["a-value", "A-VALUE", "another"]),
    "contains": ({M.CONTAINS: "val"}, ["a-value", "vaal"]),
    "matches": ({M.MATCHES: "[a-z-]+"}, ["a-value", "a-value-1"]),
    "doesNotMatch": ({M.DOES_NOT_MATCH: "[a-z-]+"}, ["a-value", "a-value-1"]),
    "absent": ({M.ABSENT: True}, ["a-value"]),
    "anything": ({M.ANYTHING: "anything"}, ["a-value"]),
}

for field, matcher in ((f, m) for f in ("headers", "query_parameters", "cookies") for m in VALUES):
    @check(f"matchers: {field}, {matcher}")
    def value(server, field=field, matcher=matcher):
        pattern, values = VALUES[matcher]
        stub(server, url_path="/a", **{field: {"key": pattern}})
        server.serve("without", "/a")
        for value in values:
            if field == "headers":
                server.serve(value, "/a", headers={"key": value})
            elif field == "cookies":
                server.serve(value, "/a", headers={"Cookie": f"key={value}"})
            else:
                server.serve(value, "/a", params={"key": value})


BODIES = {
    "equalTo": ({M.EQUAL_TO: "text"}, ["text", "other text", ""]),
    "equalTo, case apart": ({M.EQUAL_TO: "text", M.CASE_INSENSITIVE: True}, ["TEXT", "other"]),
    "contains": ({M.CONTAINS: "ex"}, ["text", "other"]),
    "matches": ({M.MATCHES: "t.*t"}, ["text", "other"]),
    "doesNotMatch": ({M.DOES_NOT_MATCH: "t.*t"}, ["text", "other"]),
    "absent": ({M.ABSENT: True}, ["text", ""]),
    "anything": ({M.ANYTHING: "(always)"}, ["text"]),
    "equalToJson": ({M.EQUAL_TO_JSON: JSON}, [JSON, '{ "b": [1, 2], "a": 1 }', '{"a":1,"b":[2,1]}', '{"a":1,"b":[1,2],"c":3}', "text"]),
    "equalToJson, any order": ({M.EQUAL_TO_JSON: JSON, M.IGNORE_ARRAY_ORDER: True}, ['{"a":1,"b":[2,1]}', '{"a":1,"b":[1]}']),
    "equalToJson, more": ({M.EQUAL_TO_JSON: JSON, M.IGNORE_EXTRA_ELEMENTS: True}, ['{"a":1,"b":[1,2],"c":3}', '{"a":1}']),
    "equalToXml": ({M.EQUAL_TO_XML: XML}, [XML, "<a>\n <b>1</b>\n</a>", "<a><b>2</b></a>", "text"]),
    "matchesJsonPath": ({M.MATCHES_JSON_PATH: "$.b[?(@ == 2)]"}, [JSON, '{"b":[1]}', "text"]),
    "matchesJsonPath, with a value": ({M.MATCHES_JSON_PATH: {"expression": "$.a", M.EQUAL_TO: "1"}}, [JSON, '{"a":2}']),
    "matchesXPath": ({M.MATCHES_X_PATH: "/a/b[text()='1']"}, [XML, "<a><b>2</b></a>", "text"]),
    "matchesXPath, namespaces": ({M.MATCHES_X_PATH: "/a/m:b", M.X_PATH_NAMESPACES: {"m": "urn:x"}}, [SPACED, XML]),
}

for matcher in BODIES:
    @check(f"matchers: body_patterns, {matcher}")
    def body(server, matcher=matcher):
        pattern, bodies = BODIES[matcher]
        stub(server, url="/a", body_patterns=[pattern])
        for sent in bodies:
            server.serve(sent or "empty", "/a", method="POST", body=sent)


@check("matchers: several body patterns")
def bodies(server):
    stub(server, url="/a", body_patterns=[{M.CONTAINS: "a"}, {M.CONTAINS: "b"}])
    server.serve("both", "/a", method="POST", body="ab")
    server.serve("one", "/a", method="POST", body="a")


@check("matchers: basic_auth_credentials")
def credentials(server):
    stub(server, url="/a", basic_auth_credentials=BasicAuthCredentials(username="ann", password="secret"))
    server.serve("right", "/a", auth=("ann", "secret"))
    server.serve("wrong", "/a", auth=("ann", "guess"))
    server.serve("none", "/a")


@check("matchers: metadata of a request")
def metadata(server):
    stub(server, url="/a", metadata={"owner": "suite"})


@check("matchers: every common header")
def headers(server):
    # Fields about framing or forwarding would change the request itself.
    framing = {"Connection", "Content-Length", "Expect", "Host", "TE", "Upgrade", "Proxy-Connection"}
    for name in sorted(set(names(CommonHeaders).values()) - framing):
        Mappings.create_mapping(Mapping(
            request=MappingRequest(method="GET", url="/" + name, headers={name: {M.EQUAL_TO: "value-1"}}),
            response=MappingResponse(status=200, body="found", headers={"X-Seen": name})))
        server.serve(name, "/" + name, headers={name: "value-1"}, shown=["X-Seen"])
        server.serve(f"{name}, another value", "/" + name, headers={name: "value-2"})


@check("matchers: every common header, counted")
def headers_counted(server):
    for name in ("Accept", "Content-Type", "Cookie", "user-agent", "X-Csrf-TOken"):
        server.send("/a", headers={name: "value=1"})
        server.ask(name, Requests.get_matching_request_count,
                   NearMissMatchPatternRequest(url="/a", headers={name: {M.EQUAL_TO: "value=1"}}))
