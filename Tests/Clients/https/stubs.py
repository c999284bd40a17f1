"""The twenty stubs of the table as WireMock's mappings, and the requests that they answer."""

import base64
import gzip
import hashlib
import json

MEGABYTE = bytes(range(256)) * 4096
FILE = ("A line of a file that is served from the disk, again and again.\n" * 4_000).encode()
TEXT = "Grüße, 世界 🚀"
EVENTS = "event: tick\nid: 1\ndata: {\"n\":1}\n\ndata: two\ndata: lines\n\n"


class Stub:
    """One row of the table."""

    def __init__(self, title, request, response, method="GET", path=None, headers=None, body=b"", status=200, answer=None, shows=None,
                 is_ours=False):
        self.title = title
        self.mapping = {"request": request, "response": response}
        self.method, self.headers, self.body = method, headers or {}, body
        self.path = path or request.get("urlPath") or request["url"]
        #: The expected answer: the status, and the body if it matters.
        self.status, self.answer = status, answer
        #: Required header fields.
        self.shows = shows or {}
        #: WireMock has no equivalent.
        self.is_ours = is_ours


def json_of(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


BASIC = "Basic " + base64.b64encode(b"alice:secret").decode()
STUBS = [
    Stub("GET", {"method": "GET", "urlPath": "/get"}, {"body": "hello", "headers": {"Content-Type": "text/plain"}}, answer=b"hello",
         shows={"content-type": "text/plain"}),
    Stub("POST, matched by its JSON", {"method": "POST", "urlPath": "/orders", "bodyPatterns": [{"equalToJson": {"item": "tea", "count": 2}}]},
         {"status": 201, "jsonBody": {"id": 7}}, "POST", headers={"Content-Type": "application/json"},
         body=b'{"count": 2, "item": "tea"}', status=201, answer=b'{"id":7}'),
    Stub("PUT of 1 MB", {"method": "PUT", "urlPath": "/upload", "bodyPatterns": [{"binaryEqualTo": base64.b64encode(MEGABYTE).decode()}]},
         {"body": "stored"}, "PUT", headers={"Content-Type": "application/octet-stream"}, body=MEGABYTE, answer=b"stored"),
    Stub("PATCH", {"method": "PATCH", "urlPath": "/patch", "bodyPatterns": [{"contains": "half"}]}, {"body": "patched"}, "PATCH",
         headers={"Content-Type": "text/plain"}, body=b"half of it", answer=b"patched"),
    Stub("DELETE, 204", {"method": "DELETE", "urlPath": "/gone"}, {"status": 204}, "DELETE", status=204, answer=b""),
    Stub("HEAD", {"method": "HEAD", "urlPath": "/head"}, {"headers": {"X-Head": "yes"}}, "HEAD", answer=b"", shows={"x-head": "yes"}),
    Stub("a body of 1 MB", {"urlPath": "/large"}, {"base64Body": base64.b64encode(MEGABYTE).decode()}, answer=MEGABYTE),
    Stub("a file", {"urlPath": "/file"}, {"bodyFileName": "page.txt"}, answer=FILE),
    Stub("gzip", {"urlPath": "/zipped"}, {"body": "zip " * 1_000, "headers": {"Content-Type": "text/plain"}},
         headers={"Accept-Encoding": "gzip"}, answer=b"zip " * 1_000),
    Stub("304 to an ETag", {"urlPath": "/cached", "headers": {"If-None-Match": {"equalTo": '"one"'}}},
         {"status": 304, "headers": {"ETag": '"one"'}}, headers={"If-None-Match": '"one"'}, status=304, answer=b""),
    Stub("a redirect", {"urlPath": "/moved"}, {"status": 302, "headers": {"Location": "/get"}}, status=302),
    Stub("a dribble", {"urlPath": "/dribble"}, {"body": "0123456789", "chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 200}},
         answer=b"0123456789"),
    Stub("a delay", {"urlPath": "/late"}, {"body": "late", "fixedDelayMilliseconds": 200}, answer=b"late"),
    Stub("a template", {"urlPath": "/template"},
         {"body": "{{request.query.name}} by {{request.scheme}}", "transformers": ["response-template"]}, path="/template?name=tea",
         answer="tea by {scheme}"),
    Stub("forty header fields", {"urlPath": "/fields", "headers": {f"X-Ask-{n}": {"equalTo": f"{n}" * 30} for n in range(40)}},
         {"body": "fields", "headers": {f"X-Say-{n}": f"{n}" * 30 for n in range(40)}},
         headers={f"X-Ask-{n}": f"{n}" * 30 for n in range(40)}, answer=b"fields", shows={f"x-say-{n}": f"{n}" * 30 for n in range(40)}),
    Stub("cookies", {"urlPath": "/cookies", "cookies": {"session": {"equalTo": "abc"}}},
         {"body": "known", "headers": {"X-Known": "yes"}}, headers={"Cookie": "session=abc; other=1"}, answer=b"known"),
    Stub("basic authentication", {"urlPath": "/secret", "basicAuthCredentials": {"username": "alice", "password": "secret"}},
         {"body": "let in"}, headers={"Authorization": BASIC}, answer=b"let in"),
    Stub("Unicode in path and body", {"urlPathPattern": "/gr%C3%BC%C3%9Fe|/grüße"},
         {"body": TEXT, "headers": {"Content-Type": "text/plain; charset=utf-8"}}, path="/gr%C3%BC%C3%9Fe", answer=TEXT.encode()),
    Stub("404", {"urlPath": "/not-there"}, {"status": 404, "body": "nobody"}, status=404, answer=b"nobody"),
    Stub("an event stream", {"urlPath": "/ticks"},
         {"stream": [{"event": "tick", "id": "1", "data": {"n": 1}}, {"after": "50ms", "data": "two\nlines"}]}, answer=EVENTS.encode(),
         shows={"content-type": "text/event-stream"}, is_ours=True),
]


def write(folder):
    """Writes the stubs into a folder, in WireMock's layout."""
    (folder / "mappings").mkdir(parents=True)
    (folder / "__files").mkdir()
    stubs = [stub.mapping for stub in STUBS if not stub.is_ours]
    (folder / "mappings" / "twenty.json").write_text(json.dumps({"mappings": stubs}), encoding="utf-8")
    (folder / "__files" / "page.txt").write_bytes(FILE)


def requests(base):
    """The requests in the form that the clients read."""
    return [
        {"url": base + stub.path, "method": stub.method, "headers": stub.headers, "body": base64.b64encode(stub.body).decode()}
        for stub in STUBS
    ]


def verdict(stub, outcome, scheme):
    """`ok`, or the difference in a few words. `outcome` has `error`, or `status`, `headers` (names in lower case) and `body` (base64)."""
    if "error" in outcome:
        return outcome["error"]
    if "class" in outcome:
        return "ok" if outcome["class"] == stub.status // 100 else f"{outcome['class']}xx"
    body = base64.b64decode(outcome.get("body") or "")
    headers = {name.lower(): value for name, value in (outcome.get("headers") or {}).items()}
    # Some clients follow the redirect, others report it.
    if stub.status == 302 and outcome["status"] == 200 and (body == b"hello" or outcome.get("body") is None):
        return "ok"
    if outcome["status"] != stub.status:
        return str(outcome["status"])
    wanted = stub.answer.replace("{scheme}", scheme).encode() if isinstance(stub.answer, str) else stub.answer
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    if wanted is not None and outcome.get("body") is not None and body != wanted:
        digest = hashlib.sha256(body).hexdigest()[:8]
        return f"{len(body)} bytes instead of {len(wanted)} ({digest})" if len(body) != len(wanted) else "other bytes"
    if outcome.get("headers") is not None:
        for name, value in stub.shows.items():
            if not headers.get(name, "").startswith(value):
                return f"{name}: {headers.get(name, 'none')}"
    return "ok"
