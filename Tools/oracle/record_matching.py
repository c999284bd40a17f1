#!/usr/bin/env python3
"""Records which requests match which patterns in the real WireMock.

    python3 Tools/oracle/record_matching.py > Tests/Oracle/matching.json

The cases are about paths, methods, headers and query parameters, in the format described in record_matchers.py. The jar is
found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package. Only the standard library is used.
"""

import json
import random
import socket
import sys

import recording
import wiremock


def header(name, matcher):
    return {"headers": {name: matcher}}


def query(name, matcher):
    return {"queryParameters": {name: matcher}}


def get(target, *headers, method="GET"):
    return [method, target, [list(h) for h in headers]]


def written_cases():
    """Pairs of a request pattern and requests."""
    paths = [get(t) for t in ("/a", "/a/", "/a?x=1", "/a?", "/A", "/a%20b", "/a+b", "//a", "/a/../b", "/a%2Fb", "/a?x=1&y=2")]
    yield {}, paths
    for url in ("/a", "/a?x=1", "/a?y=2&x=1", "/a%20b", "/a+b", "//a", "/a?"):
        yield {"url": url}, paths
        yield {"urlPath": url}, paths
    for regex in ("/a.*", "/a", "/[ab]", "/a\\?x=[0-9]+", "(?i)/A", "/a(\\?.*)?", "/a|/b", ".*", "/a?x=1", "\\Q/a\\E.*", "/+a",
                  "/(?!b).*", "[^?]*", "/\\p{Lower}", "/[a-z&&[^b-z]]", "/a%20.*"):
        yield {"urlPattern": regex}, paths
        yield {"urlPathPattern": regex}, paths
    templated = [get(t) for t in ("/c/1", "/c/1/", "/c/", "/c", "/c/1/2", "/c/1/x/2", "/c/a.json", "/c/.json", "/c/1?x=2", "/c/x-y-z",
                                  "/c/a%2Fb", "/c/{id}")]
    for template in ("/c/{id}", "/c/{id}/x/{b}", "/c/**", "/c**", "/**", "**", "/c/{id}.json", "/c/{a}-{b}", "/{a}/{b}", "/{;a*}/1",
                     "/**/2", "/c/{}", "/c/1", "/c/{a}{b}", "/**/x/**"):
        yield {"urlPathTemplate": template}, templated
    for name, matcher in (("id", {"equalTo": "1"}), ("id", {"matches": "[a-z.]+"}), ("id", {"absent": True}), ("no", {"absent": True}),
                          ("no", {"equalTo": "1"}), ("id", {"contains": "%2F"}), ("id", {"doesNotContain": "j"})):
        yield {"urlPathTemplate": "/c/{id}", "pathParameters": {name: matcher}}, templated
        yield {"urlPathPattern": "/c/.*", "pathParameters": {name: matcher}}, templated[:2]
    methods = [get("/m", method=m) for m in ("GET", "HEAD", "POST", "PUT", "get", "PURGE", "FANCY")]
    for method in ("GET", "ANY", "get", "POST", "PURGE", "GET_OR_HEAD", "HEAD", "FANCY"):
        yield {"method": method, "url": "/m"}, methods

    values = ["v", "V", "", "vv", "a v b", "123", "é", "É", "v,w"]
    matchers = [
        {"equalTo": "v"}, {"equalTo": "V", "caseInsensitive": True}, {"equalTo": "é"}, {"equalTo": "É", "caseInsensitive": True},
        {"equalTo": ""}, {"contains": "v"}, {"contains": ""}, {"doesNotContain": "v"}, {"matches": "v+"}, {"matches": ".*"},
        {"matches": "[0-9]+"}, {"matches": "(?i)v"}, {"matches": "."}, {"doesNotMatch": "v.*"}, {"absent": True},
        {"anything": "(always)"}, {"not": {"equalTo": "v"}}, {"not": {"absent": True}}, {"not": {"contains": "v"}},
        {"and": [{"contains": "v"}, {"doesNotContain": "w"}]}, {"or": [{"equalTo": "v"}, {"equalTo": "123"}]},
        {"or": [{"absent": True}, {"equalTo": "v"}]}, {"and": [{"not": {"absent": True}}, {"matches": "v*"}]},
        {"hasExactly": [{"equalTo": "v"}, {"equalTo": "w"}]}, {"includes": [{"equalTo": "v"}, {"contains": "w"}]},
        {"hasExactly": [{"contains": "v"}]}, {"includes": [{"equalTo": "v"}]}, {"includes": [{"absent": True}]},
        {"hasExactly": [{"matches": ".*"}, {"matches": ".*"}]},
    ]
    header_requests = [get("/h")] + [get("/h", ("X-K", v)) for v in values] + [
        get("/h", ("x-k", "v")), get("/h", ("X-K", "v"), ("X-K", "w")), get("/h", ("X-K", "w"), ("x-k", "v")),
        get("/h", ("X-K", "v"), ("X-K", "v"), ("X-K", "w")), get("/h", ("X-K", "  v  "))]
    query_requests = [get("/q"), get("/q?"), get("/q?k"), get("/q?k="), get("/q?k=v"), get("/q?K=v"), get("/q?k=V"), get("/q?k=v&k=w"),
                      get("/q?k=w&k=v"), get("/q?k=v&k=v&k=w"), get("/q?k=v%20v"), get("/q?k=a+v+b"), get("/q?k=123&j"), get("/q?k=%C3%A9"),
                      get("/q?%6B=v"), get("/q?k=v=w"), get("/q?&k=v&&"), get("/q?k=v,w"), get("/q?k=%C3%89"), get("/q?j=v")]
    for matcher in matchers:
        yield {"url": "/h", **header("X-k", matcher)}, header_requests
        yield {"urlPath": "/q", **query("k", matcher)}, query_requests
    for name in ("", "a b", "a+b", "a=b", "é"):
        yield {"urlPath": "/q", **query(name, {"equalTo": "1"})}, [
            get("/q?a+b=1"), get("/q?a%20b=1"), get("/q?a%2Bb=1"), get("/q?%C3%A9=1"), get("/q?=1"), get("/q?a%3Db=1"), get("/q?")]
        yield {"urlPath": "/q", **query(name, {"absent": True})}, [get("/q?"), get("/q?a&&b"), get("/q?&"), get("/q?a%20b"), get("/q?&a")]
    dates = ("2026-03-01T10:00:00+01:00", "2026-03-01T10:00+01:00", "2026-03-01T10:00:00.123456789+01:00", "2026-03-01T10:00:00+0100",
             "2026-02-30T10:00:00+01:00", "2026-03-01T24:00:00+01:00", "2026-03-01T10:00:00+18:30", "2026-03-01t10:00:00+01:00",
             "2026-03-01T10:00:00+01", "2026-03-01T10:00:00+01:00:30", "2026-03-01T10:00:00+01:00x", "20260-03-01T10:00:00+01:00",
             "2026-03-01T10:00:00.+01:00", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00+18:00", "2024-02-29T10:00:00+01:00")
    for date in dates:
        yield {"urlPath": "/q", **query("d", {"equalTo": date})}, [get("/q?d=" + date), get("/q?d=" + date.replace("+", "%2B"))]
    yield {"url": "/h", "headers": {"A": {"equalTo": "1"}, "B": {"absent": True}}}, [
        get("/h", ("a", "1")), get("/h", ("a", "1"), ("b", "2")), get("/h", ("b", "2")), get("/h")]
    yield {"urlPath": "/q", "queryParameters": {"a": {"equalTo": "1"}, "b": {"matches": "\\d+"}}}, [
        get("/q?a=1&b=2"), get("/q?b=2&a=1"), get("/q?a=1"), get("/q?a=1&b=x"), get("/q?a=2&b=2&a=1")]


def drawn_cases(generator, count):
    """Random regular expressions with few letters, which exercise the differences between the two dialects."""
    atoms = ["a", "b", ".", "[ab]", "[^a]", "\\w", "\\d", "(a|b)", "(?:ab)", "[a-c&&[^b]]", "\\Qa.\\E", "(?i:A)", "\\p{Alpha}", "(a)\\1",
             "(?=a)a", "\\x61", "[^\\W\\d]", "[a[0-9]]", "(?<!b)a", "(?>a+)"]
    quantifiers = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "*?", "++", "?+", "{0,1}"]
    for _ in range(count):
        regex = "/" + "".join(generator.choice(atoms) + generator.choice(quantifiers) for _ in range(generator.randint(1, 4)))
        if generator.random() < 0.2:
            regex += "|/" + generator.choice(atoms)
        requests = [get("/" + "".join(generator.choice("aabbc1.A") for _ in range(generator.randint(0, 4)))) for _ in range(6)]
        yield {"urlPathPattern": regex}, requests


class Server(wiremock.WireMock):
    def answer(self, request):
        """The status of the answer to a request, which is sent byte for byte."""
        method, target, headers = request
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close"] + [f"{n}: {v}" for n, v in headers]
        with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            reply = b""
            try:
                while chunk := connection.recv(65536):
                    reply += chunk
            except TimeoutError:
                print(f"no end of the answer to {request}: {reply[:200]}", file=sys.stderr)
        return int((reply.split(b" ", 2) + [b"0", b"0"])[1]), b"Matched-Stub-Id" in reply


def main():
    recorded, skipped, pairs = [], [], 0
    with Server("--no-request-journal") as server:
        for pattern, requests in [*written_cases(), *drawn_cases(random.Random(20261121), 60)]:
            server.call("DELETE", "/__admin/mappings")
            status, reply = server.call("POST", "/__admin/mappings", json.dumps({"request": pattern, "response": {"status": 204}}))
            if status != 201:
                skipped.append({"pattern": pattern, "status": status, "detail": json.loads(reply)["errors"][0].get("detail", "")})
                continue
            answers = []
            for request in requests:
                status, matched = server.answer(request)
                # 400 and 5xx mean that the server failed on the request, not that the pattern did not match.
                if matched or status == 404:
                    answers.append({"method": request[0], "target": request[1], "headers": request[2], "matches": matched})
            pairs += len(answers)
            recorded.append({"pattern": pattern, "requests": answers})
    print(recording.one_a_line({"cases": recorded, "refused": skipped}), end="")
    print(f"{len(recorded)} patterns, {pairs} pairs, {len(skipped)} patterns refused", file=sys.stderr)


if __name__ == "__main__":
    main()
