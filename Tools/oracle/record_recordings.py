#!/usr/bin/env python3
"""Records which stubs the real WireMock makes of exchanges with another server, and which record specs it refuses.

    python3 Tools/oracle/record_recordings.py > Tests/Oracle/recordings.json

The output:

    {"cases": [{"name", "exchanges": […], "spec": {…}, "answer": {…}, "files": {name: Base64}}, …],
     "specs": [{"spec", "status", "answer"}, …]}

An exchange has `method`, `target`, `headers` and `body` (Base64) of the request, and `status`, `answerHeaders` and
`answerBody` of the answer, in the order in which they were made. A spec is a JSON document, or a text that is none.
In answers and names of files each id is replaced by `id-1`, `id-2`… in their order.
The jar is found as in record_matching.py.
"""

import base64
import gzip
import http.client
import json
import pathlib
import re
import socket
import threading

import recording
import wiremock

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Upstream:
    """Answers each request with the bytes that were put last."""

    def __init__(self):
        self.answer = b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rb") as stream:
                line, length = stream.readline(), 0
                while (line := stream.readline()).strip():
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                stream.read(length)
                connection.sendall(self.answer)


def exchange(target="/", method="GET", headers=(), body=b"", status=200, answer=b"", answer_headers=()):
    return {"method": method, "target": target, "headers": [list(field) for field in headers],
            "body": base64.b64encode(body).decode(), "status": status,
            "answerHeaders": [list(field) for field in answer_headers],
            "answerBody": base64.b64encode(answer).decode()}


def post(content_type, body, target="/posted", **other):
    headers = [("Content-Type", content_type)] if content_type else []
    return exchange(target, "POST", headers, body, **other)


def typed(content_type, answer, target="/answered", **other):
    return exchange(target, answer=answer, answer_headers=[("Content-Type", content_type)], **other)


PNG = bytes(range(137, 190))
POSTS = [
    post("application/json", b'{"x": [2, 1]}', "/json"), post("application/vnd.api+json; charset=utf-8", b"{}", "/vnd"),
    post("text/xml", b"<a/>", "/xml"), post("text/plain", b"plain", "/plain"), post(None, b"untyped", "/untyped"),
    post("application/octet-stream", b"\x00\xff", "/binary"), post("application/x-www-form-urlencoded", b"a=1&b=2", "/form"),
    post("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--\r\n", "/parts"),
    post("text/plain; charset=iso-8859-1", "é".encode("latin-1"), "/latin"),
]
ANSWERS = [
    typed("application/json", b'{"a": 1}', "/a.txt"), typed("text/plain", b"text", "/b"), typed("image/png", PNG, "/c"),
    typed("image/svg+xml", b"<svg/>", "/d.svg"), typed("application/pdf", b"%PDF", "/e"), typed("video/mp4", b"\x00", "/f.mp4"),
    exchange("/g.bin", answer=b"\x00\x01"), exchange("/h", answer=b'{"json": true}'), exchange("/i", answer=b" <x></x> "),
    exchange("/j", answer=b"neither"), exchange("/k", status=204), typed("text/csv", b"a,b", "/l.csv?x=1"),
    exchange("/m%20n.d/e", answer=b"x"), exchange("/", answer=b"root"), typed("text/html", b"<p>", "/n"),
]
THREE = [exchange("/counted", answer=str(number).encode()) for number in (1, 2, 3)]

CASES = [
    ("nothing", [], {}),
    ("defaults", [exchange("/one", answer=b"1"), exchange("/two/", status=404, answer=b"2")], {}),
    ("names", [exchange(target, answer=b"x") for target in (
        "/", "/a/b/c", "/A%20b/C.d", "/%C3%85ngstr%C3%B6m/%E2%9C%93", "/a--b__c/", "/__x__/", "/a.b.c", "/x$y!z",
        "/" + "long/" * 60)], {}),
    ("queries", [exchange(target) for target in (
        "/q?a=1", "/q?a=1&a=2&b=3", "/q?b&a=", "/q?a=x+y%20z&%C3%A9=%C3%A9", "/q?a=1&&b=2&", "/q?A=1&a=2",
        "/q?at=2026-01-01T00:00:00+01:00")], {}),
    ("bodies", POSTS, {}),
    ("bodies without flags", POSTS, {"requestBodyPattern": {
        "matcher": "auto", "ignoreArrayOrder": False, "ignoreExtraElements": False, "caseInsensitive": True}}),
    ("bodies as texts", POSTS, {"requestBodyPattern": {"matcher": "equalTo"}}),
    ("bodies as texts in any case", POSTS, {"requestBodyPattern": {"matcher": "equalTo", "caseInsensitive": True}}),
    ("bodies as JSON", POSTS[:2], {"requestBodyPattern": {"matcher": "equalToJson"}}),
    ("bodies as JSON with a flag", POSTS[:2], {"requestBodyPattern": {"matcher": "equalToJson", "ignoreArrayOrder": False}}),
    ("bodies as XML", POSTS[2:3], {"requestBodyPattern": {"matcher": "equalToXml"}}),
    ("bodies as WireMock's client asks", POSTS[:1], {"requestBodyPatternFactory": {"matcher": "equalTo"}}),
    ("methods", [exchange("/m", method) for method in ("DELETE", "PUT", "PATCH", "OPTIONS", "PROPFIND")], {}),
    ("headers", [
        exchange("/h", headers=[("Accept", "a"), ("X-One", "1"), ("X-One", "2"), ("Other", "o")]), exchange("/none"),
        exchange("/lower", headers=[("accept", "b")])],
     {"captureHeaders": {"Accept": {"caseInsensitive": True}, "X-One": {}, "X-Two": {}, "other": {"caseInsensitive": False}}}),
    ("answers", ANSWERS, {}),
    ("answers in files", ANSWERS, {"extractBodyCriteria": {"textSizeThreshold": 0, "binarySizeThreshold": 0}}),
    ("larger texts in files", ANSWERS, {"extractBodyCriteria": {"textSizeThreshold": "4"}}),
    ("larger bytes in files", ANSWERS, {"extractBodyCriteria": {"binarySizeThreshold": "0.002 KB"}}),
    ("headers of answers", [exchange("/h", answer=b"x", answer_headers=[
        ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"), ("ETag", '"1"'), ("x-lower", "1")])], {}),
    ("gzip", [
        exchange("/t", answer=gzip.compress(b"text"), answer_headers=[("Content-Type", "text/plain"), ("Content-Encoding", "gzip")]),
        exchange("/b", answer=gzip.compress(PNG), answer_headers=[("Content-Type", "image/png"), ("Content-Encoding", "gzip")]),
        post("text/plain", gzip.compress(b"sent"), "/s")], {}),
    ("repeats", [exchange("/other"), *THREE, exchange("/a/b%20c?x=1", answer=b"4"), exchange("/a/b%20c?x=1", answer=b"5")], {}),
    ("repeats dropped", [exchange("/other"), *THREE], {"repeatsAsScenarios": False}),
    ("repeats in files", THREE, {"extractBodyCriteria": {"binarySizeThreshold": 0}}),
    ("repeats with bodies", [post("text/plain", b"a"), post("text/plain", b"b"), post("text/plain", b"a")], {}),
    ("not kept", [exchange("/one")], {"persist": False}),
    ("filtered by URL", [exchange("/a/1"), exchange("/b/1"), exchange("/a/2")], {"filters": {"urlPathPattern": "/a/.*"}}),
    ("filtered by method and header", [
        exchange("/a", headers=[("X", "1")]), exchange("/b"), exchange("/c", "POST", headers=[("X", "1")])],
     {"filters": {"method": "GET", "headers": {"X": {"equalTo": "1"}}, "unknown": 1}}),
]

SPECS = [
    "", "x", "[]", "5", '"x"', "true", "{}", '{"foo":1}', '{"targetBaseUrl":5}', '{"targetBaseUrl":[]}', '{"filters":5}', '{"filters":"x"}',
    '{"filters":[]}', '{"filters":{"foo":1}}', '{"filters":{"ids":5}}', '{"filters":{"ids":["x"]}}', '{"filters":{"ids":[null]}}',
    '{"filters":{"urlPattern":"("}}', '{"filters":{"method":5}}', '{"filters":{"headers":{"A":{"foo":1}}}}',
    '{"filters":{"allowNonProxied":"x"}}', '{"filters":{"allowNonProxied":null}}', '{"filters":null}', '{"captureHeaders":[]}',
    '{"captureHeaders":5}', '{"captureHeaders":{"A":{"x":1}}}', '{"captureHeaders":{"A":null}}', '{"captureHeaders":{"A":5}}',
    '{"captureHeaders":{"A":{"caseInsensitive":"no"}}}', '{"requestBodyPattern":{"matcher":"foo"}}',
    '{"requestBodyPattern":{"matcher":"equalToXml","a":1}}', '{"requestBodyPattern":{"matcher":"equalTo","ignoreArrayOrder":true}}',
    '{"requestBodyPattern":{"matcher":"equalToJson","caseInsensitive":true}}', '{"requestBodyPattern":{"x":3}}',
    '{"requestBodyPattern":{"ignoreArrayOrder":3}}', '{"requestBodyPattern":{"ignoreArrayOrder":"x"}}', '{"requestBodyPattern":5}',
    '{"extractBodyCriteria":{"textSizeThreshold":"x"}}', '{"extractBodyCriteria":{"textSizeThreshold":"5 T"}}',
    '{"extractBodyCriteria":{"textSizeThreshold":"5 KiB"}}', '{"extractBodyCriteria":{"textSizeThreshold":" 1,5 mb "}}',
    '{"extractBodyCriteria":5}', '{"extractBodyCriteria":{"textSizeThreshold":true}}', '{"extractBodyCriteria":{"x":1}}',
    '{"outputFormat":"x"}', '{"outputFormat":"Full"}', '{"outputFormat":null}', '{"outputFormat":5}', '{"persist":"maybe"}',
    '{"persist":"true"}', '{"persist":1}', '{"persist":1.5}', '{"repeatsAsScenarios":"x"}', '{"transformers":"x"}',
    '{"transformers":["x",5]}', '{"transformers":[{}]}', '{"transformerParameters":5}', '{"transformerParameters":{"a":1}}',
    '{"captureAllHeaders":true}', '{"requestBodyPatternFactory":5}', '{"requestBodyPatternFactory":{"matcher":"equalToXml","a":1}}',
]


def named(text, names):
    return ID.sub(lambda found: names.setdefault(found[0], f"id-{len(names) + 1}"), text)


def raw_answer(one):
    body = base64.b64decode(one["answerBody"])
    fields = one["answerHeaders"] + ([] if one["status"] == 204 else [["Content-Length", str(len(body))]]) + [["Connection", "close"]]
    lines = [f'HTTP/1.1 {one["status"]} Said'] + [f"{name}: {value}" for name, value in fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def ask(port, one):
    body = base64.b64decode(one["body"])
    fields = [["Host", "localhost"], *one["headers"], ["Connection", "close"]]
    if body:
        fields.append(["Content-Length", str(len(body))])
        if body[:2] == b"\x1f\x8b":
            fields.append(["Content-Encoding", "gzip"])
            one["headers"].append(["Content-Encoding", "gzip"])
    head = "\r\n".join([f'{one["method"]} {one["target"]} HTTP/1.1'] + [f"{name}: {value}" for name, value in fields])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + body)
        while connection.recv(65536):
            pass


def snapshot(server, text):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/__admin/recordings/snapshot", text.encode())
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def record_case(server, upstream, name, exchanges, spec):
    exchanges = json.loads(json.dumps(exchanges))
    server.admin("DELETE", "/requests")
    server.admin("DELETE", "/mappings")
    server.admin("POST", "/mappings", {"request": {}, "response": {"proxyBaseUrl": f"http://127.0.0.1:{upstream.port}"}})
    for one in exchanges:
        upstream.answer = raw_answer(one)
        ask(server.port, one)
    folder = pathlib.Path(server.root.name, "__files")
    before = set(folder.glob("*"))
    status, answer = snapshot(server, json.dumps(spec))
    assert status == 200, (name, answer)
    names = {}
    case = {"name": name, "exchanges": exchanges, "spec": spec, "answer": json.loads(named(json.dumps(answer), names))}
    files = {named(path.name, names): base64.b64encode(path.read_bytes()).decode() for path in set(folder.glob("*")) - before}
    return case | {"files": dict(sorted(files.items()))}


def main():
    upstream = Upstream()
    with wiremock.WireMock() as server:
        cases = [record_case(server, upstream, *case) for case in CASES]
        specs = [{"spec": text, "status": status, "answer": answer}
                 for text in SPECS if text != "" for status, answer in [snapshot(server, text)]]
    for spec in specs:
        if spec["status"] == 200:
            del spec["answer"]
    print(recording.one_a_line({"cases": cases, "specs": specs}), end="")


main()
