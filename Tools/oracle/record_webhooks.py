"""Prints what WireMock's webhooks send, and what the journal says of them.

    python3 Tools/oracle/record_webhooks.py > Tests/Oracle/webhooks.json

A case has the members of its stub beside the request, the method and body that the stub is asked with, and the answer that a
raw server gives the webhook. In texts, `{target}` stands for that server's host and port, and `{closed}` for a port where
nobody listens.
"""

import base64
import http.client
import json
import re
import socket
import threading
import time

from recording import one_a_line
from wiremock import WireMock, free_port

OK = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok"
HOOK = "http://{target}/hook"


def received(connection):
    try:
        return connection.recv(65536)
    except OSError:
        return b""


class Target:
    """A server that keeps the bytes of each request, and answers as it is told."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.name = "127.0.0.1:%d" % self.socket.getsockname()[1]
        self.received = []
        self.answer = OK
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        with connection:
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    piece = received(connection)
                    if not piece:
                        return
                    data += piece
                head, _, data = data.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)\ncontent-length: *(\d+)", head)
                length = int(length[1]) if length else 0
                while len(data) < length:
                    data += connection.recv(65536)
                self.received.append(head + b"\r\n\r\n" + data[:length])
                data = data[length:]
                if self.answer == "":
                    return
                connection.sendall(self.answer.encode("latin-1"))
                if b"close" in self.answer.lower().encode():
                    return


def listener(parameters, **more):
    return {"serveEventListeners": [{"name": "webhook", "parameters": parameters, **more}]}


def case(parameters, *, count=1, **more):
    return {"stub": listener(parameters), "count": count, **more}


def cases():
    post = {"method": "POST", "url": HOOK}
    # Spellings.
    yield case({**post, "body": "b"})
    yield {"stub": {"postServeActions": [{"name": "webhook", "parameters": {**post, "body": "b"}}]}, "count": 1}
    yield {"stub": {"postServeActions": {"webhook": {**post, "body": "b"}}}, "count": 1}
    yield {"stub": {"postServeActions": [{"name": "webhook", "parameters": {"url": HOOK}}],
                    **listener({**post, "body": "b"})}, "count": 2}
    yield {"stub": listener({"url": HOOK}, requestPhases=["AFTER_COMPLETE"]), "count": 1}
    for phase in ("BEFORE_MATCH", "AFTER_MATCH", "BEFORE_RESPONSE_SENT"):
        yield {"stub": listener({"url": HOOK}, requestPhases=[phase]), "count": 0}
    yield {"stub": listener({"url": HOOK}, requestPhases=["AFTER_MATCH", "AFTER_COMPLETE"]), "count": 1}
    yield {"stub": listener({"url": HOOK}, requestPhases=[]), "count": 0}
    yield {"stub": listener({"url": HOOK}, requestPhases=None), "count": 1}
    yield {"stub": {"serveEventListeners": [{"name": "unknown", "parameters": {"a": 1}}]}, "count": 0}
    yield {"stub": {"postServeActions": [{"name": "unknown", "parameters": {"a": 1}}]}, "count": 0}
    yield {"stub": {"serveEventListeners": [{"name": "Webhook", "parameters": {"url": HOOK}}]}, "count": 0}
    yield {"stub": {"serveEventListeners": [{"name": "webhook"}]}, "count": 0}
    yield {"stub": {"postServeActions": [{"name": "webhook"}]}, "count": 0}
    yield {"stub": {"serveEventListeners": [
        {"name": "webhook", "parameters": {"url": "http://{target}/one"}},
        {"name": "webhook", "parameters": {"url": "http://{target}/two", "delay": {"type": "fixed", "milliseconds": 300}}}]},
        "count": 2}
    # Methods, and which have a body.
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "FOO", "post", "ANY",
                   "GET_OR_HEAD"):
        yield case({"method": method, "url": HOOK, "body": "b"})
    for method in ("POST", "PUT", "PATCH"):
        yield case({"method": method, "url": HOOK})
    yield case({"url": HOOK})
    yield case({"method": "", "url": HOOK}, count=None)
    yield case({"method": "BAD METHOD", "url": HOOK}, count=None)
    yield case({"method": 5, "url": HOOK}, count=None)
    yield case({"method": None, "url": HOOK}, count=None)
    # Headers.
    yield case({**post, "headers": {"X-One": "1", "X-Two": ["a", "b"], "Content-Type": "application/json"}, "body": "{}"})
    yield case({**post, "headers": {"content-type": "text/plain"}, "body": "b"})
    yield case({**post, "headers": {"Host": "example.org", "User-Agent": "me", "Connection": "close",
                                    "Content-Length": "5", "Accept-Encoding": "gzip"}, "body": "b"})
    yield case({**post, "headers": {"Content-Length": "1"}, "body": "b"})
    yield case({**post, "headers": {"Transfer-Encoding": "chunked"}, "body": "b"}, count=None)
    yield case({**post, "headers": {"Content-Encoding": "gzip"}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-A": 5, "X-B": True, "X-C": ["{{originalRequest.method}}", 5]}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-A": None}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-A": []}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-A": {"a": 1}}, "body": "b"}, count=None)
    yield case({**post, "headers": {}, "body": "b"})
    yield case({**post, "headers": None, "body": "b"})
    yield case({**post, "headers": [{"key": "X-A", "value": "b"}], "body": "b"}, count=None)
    yield case({**post, "headers": "X-A: b", "body": "b"}, count=None)
    yield case({**post, "headers": {"X A": "b"}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-A": "a\r\nX-B: c"}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-A": "ä€"}, "body": "b"}, count=None)
    yield case({**post, "headers": {"X-{{originalRequest.method}}": "a"}, "body": "b"}, count=None)
    # Bodies.
    yield case({**post, "body": ""})
    yield case({**post, "body": None})
    yield case({**post, "body": "ä€"})
    yield case({**post, "body": 5}, count=None)
    yield case({**post, "body": {"a": 1}}, count=None)
    yield case({**post, "body": ["a"]}, count=None)
    yield case({**post, "jsonBody": {"a": 1}}, count=None)
    yield case({**post, "bodyFileName": "a.txt"}, count=None)
    yield case({**post, "base64Body": "AAEC/w=="})
    yield case({**post, "base64Body": "!"}, count=None)
    yield case({**post, "base64Body": ""}, count=None)
    yield case({**post, "base64Body": "AAEC/w==", "body": "b"})
    yield case({**post, "base64Body": base64.b64encode(b"{{originalRequest.method}}").decode()})
    yield case({**post, "headers": {"Content-Type": "multipart/form-data; boundary=x"},
                "body": "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n"})
    yield case({**post, "headers": {"Content-Type": "text/plain; charset=iso-8859-1"}, "body": "ä"})
    # Templates.
    yield case({"method": "{{originalRequest.method}}", "url": "http://{target}/{{originalRequest.query.a}}",
                "headers": {"X-A": "{{originalRequest.headers.X-A}}", "X-B": ["{{parameters.one}}", "{{parameters.two.a}}"]},
                "body": "{{jsonPath originalRequest.body '$.name'}} {{parameters.one}} {{parameters.two.a}}",
                "one": "1", "two": {"a": "{{originalRequest.method}}"}}, request={"path": "?a=q", "body": "{\"name\":\"n\"}"})
    yield case({**post, "body": "{{request.method}}|{{response.body}}|{{parameters.url}}|{{parameters.method}}|{{parameters.body}}"})
    yield case({**post, "body": "{{originalRequest.id}}|{{originalRequest.url}}|{{originalRequest.baseUrl}}|"
                                "{{originalRequest.clientIp}}"})
    yield case({**post, "body": "{{#if}}"}, count=None)
    yield case({**post, "body": "{{unknown 1}}"}, count=None)
    yield case({**post, "url": "http://{target}/{{#if}}", "body": "b"}, count=None)
    yield case({**post, "body": "{{jsonPath originalRequest.body '$.missing'}}x"}, request={"body": "{\"name\":\"n\"}"})
    yield case({**post, "body": "{{{jsonPath 5}}}"}, count=None)
    yield case({**post, "body": "{{date}}"[:0] + "{{math 1 '+' 2}}{{upper parameters.a}}", "a": "x"}, count=None)
    yield case({**post, "body": "{{originalRequest.body}}"}, request={"body": "<a>&amp;</a>"})
    yield {"stub": {**listener({**post, "body": "{{originalRequest.pathSegments.[0]}}"}),
                    "response": {"body": "{{request.method}}", "transformers": ["response-template"]}}, "count": 1}
    # URLs.
    for url in (None, "", "hook", "//{target}/hook", "ftp://{target}/hook", "http://", "http://{target}", "http://{target}?a=b",
                "http://{target}/a b", "http://{target}/a?b=c d", "http://{target}/%zz", "http://{target}/ä",
                "http://{target}/a//b/../c?x={y}", "HTTP://{target}/hook", "http://{target}/a#frag", "http://u:p@{target}/hook",
                "http://{target}:x/hook", "http://127.0.0.1:99999/hook", " http://{target}/hook ", 5, "http://[::1/hook"):
        yield case({"method": "GET", "url": url}, count=None)
    yield case({"method": "GET"}, count=None)
    yield case({"method": "GET", "url": HOOK + "?a=b&c=%20d&a=e"})
    yield case({**post, "headers": {"Content-Type": "application/x-www-form-urlencoded", "Cookie": "a=b"}, "body": "a=b&c=d"})
    # Delays.
    yield case({**post, "body": "b", "delay": {"type": "fixed", "milliseconds": 200}})
    yield case({**post, "body": "b", "delay": {"type": "uniform", "lower": 100, "upper": 200}})
    yield case({**post, "body": "b", "delay": {"type": "lognormal", "median": 50, "sigma": 0.1}})
    yield case({**post, "body": "b", "delay": {"type": "fixed", "milliseconds": "200"}}, count=None)
    yield case({**post, "body": "b", "delay": {"type": "fixed", "milliseconds": "{{parameters.d}}"}, "d": 5}, count=None)
    yield case({**post, "body": "b", "delay": {"type": "fixed"}}, count=None)
    yield case({**post, "body": "b", "delay": {"type": "other"}}, count=None)
    yield case({**post, "body": "b", "delay": {"milliseconds": 5}}, count=None)
    yield case({**post, "body": "b", "delay": {"type": "fixed", "milliseconds": 5, "more": 1}}, count=None)
    yield case({**post, "body": "b", "delay": 200}, count=None)
    yield case({**post, "body": "b", "delay": None})
    yield case({**post, "body": "b", "delay": {}}, count=None)
    yield case({**post, "body": "b", "delay": {"type": "fixed", "milliseconds": -5}}, count=None)
    yield case({**post, "body": "b", "delay": {"type": "uniform", "lower": 200, "upper": 100}}, count=None)
    yield case({**post, "body": "b", "fixedDelayMilliseconds": 200})
    # What the target answers.
    for answer in ("HTTP/1.1 500 Server Error\r\nContent-Length: 4\r\n\r\noops", "HTTP/1.1 204 No Content\r\n\r\n",
                   "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
                   "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end",
                   "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nx-b: 3\r\nSet-Cookie: a=b\r\nContent-Type: application/json\r\n"
                   "Content-Length: 2\r\n\r\n{}",
                   "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\x00\xff\x80", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xc3\xa4",
                   "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n\r\nab"):
        yield case({**post, "body": "b"}, answer=answer)
    for answer in ("", "nonsense\r\n\r\nclose", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nshort"):
        yield case({**post, "body": "b"}, answer=answer, count=None)
    yield case({**post, "url": "http://{closed}/hook", "body": "b"}, count=0)
    yield case({**post, "url": "http://nowhere.invalid/hook", "body": "b"}, count=0)
    yield case({**post, "url": "https://{target}/hook", "body": "b"}, count=None)
    yield case({**post, "body": "b"}, flags=["--deny-proxy-targets", "127.0.0.1"], count=0)
    yield {"stub": {"name": "named", **listener({**post, "body": "b"})}, "flags": ["--deny-proxy-targets", "127.0.0.1"],
           "count": 0}
    yield case({**post, "body": "b"}, flags=["--allow-proxy-targets", "127.0.0.1"])
    yield case({**post, "body": "b"}, flags=["--logged-response-body-size-limit", "1"])
    yield case({**post, "body": "b"}, flags=["--preserve-host-header"])
    # Beside what else a stub does.
    yield {"stub": {**listener({"url": HOOK}), "response": {"fault": "EMPTY_RESPONSE"}}, "count": 1}
    yield {"stub": {**listener({"url": HOOK}), "response": {"fixedDelayMilliseconds": 200}}, "count": 1}
    yield {"stub": {**listener({"url": HOOK}), "response": {"bodyFileName": "missing.txt"}}, "count": None}


def normal(value, target, closed, own=""):
    """The value without what differs from run to run. `own` is WireMock's port."""
    if isinstance(value, int) and str(value) == target.split(":")[1]:
        return "{port}"
    if isinstance(value, int) and str(value) == closed.split(":")[1]:
        return "{closedPort}"
    if isinstance(value, dict):
        return {key: 0 if key in ("timeOffsetNanos", "loggedDate") else
                "" if key == "loggedDateString" else normal(member, target, closed, own) for key, member in value.items()}
    if isinstance(value, list):
        return [normal(member, target, closed, own) for member in value]
    if isinstance(value, str):
        value = value.replace(target, "{target}").replace(closed, "{closed}")
        value = value.replace(target.split(":")[1], "{port}").replace(closed.split(":")[1], "{closedPort}")
        if own:
            value = value.replace(own, "{ownPort}")
        return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "{uuid}", value)
    return value


def record(wiremock, case, target):
    closed = "127.0.0.1:%d" % free_port()
    given = json.dumps({"request": {"urlPath": "/x"}, "response": {"body": "r"}, **case["stub"]})
    mapping = json.loads(given.replace("{target}", target.name).replace("{closed}", closed))
    wiremock.admin("POST", "/reset")
    target.received, target.answer = [], case.get("answer", OK)
    status, answer = wiremock.admin("POST", "/mappings", mapping)
    result = dict(case)
    if status != 201:
        return {**result, "refused": status, "errors": normal(answer, target.name, closed)}
    asked = case.get("request", {})
    wiremock.connection = None
    try:
        wiremock.call("POST", "/x" + asked.get("path", ""), asked.get("body", "q"), {"X-A": "a"})
    except (OSError, http.client.HTTPException):
        pass
    count = case["count"]
    events = []
    for turn in range(60 if count else 25):
        time.sleep(0.05 if turn < 20 else 0.2)
        requests = wiremock.admin("GET", "/requests")[1]["requests"]
        events = requests[0]["subEvents"] if requests else []
        done = [event for event in events if event["type"] in ("WEBHOOK_RESPONSE", "ERROR")]
        if len(done) >= (1 if count is None else max(count, 1)):
            break
    result["received"] = [normal(each.decode("latin-1"), target.name, closed, str(wiremock.port)) for each in target.received]
    result["subEvents"] = normal(events, target.name, closed, str(wiremock.port))
    return result


def main():
    target = Target()
    recorded = []
    all_cases = list(cases())
    for flags in dict.fromkeys(tuple(each.get("flags", ())) for each in all_cases):
        with WireMock(*flags, files={"__files/a.txt": "file"}) as wiremock:
            for each in all_cases:
                if tuple(each.get("flags", ())) == flags:
                    recorded.append(record(wiremock, each, target))
    print(one_a_line(recorded), end="")


if __name__ == "__main__":
    main()
