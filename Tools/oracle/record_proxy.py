#!/usr/bin/env python3
"""Records what the real WireMock sends on to another server, and what its clients get of the answer.

    python3 Tools/oracle/record_proxy.py > Tests/Oracle/proxy.json

Each case is `{"name": …, "flags": […], "response": {…}, "request": "…", "answer": "…", "got": {…}, "client": {…}}`: the stub's
response, the bytes that the client sends, and those that the other server answers (none closes the connection, "slow" answers
late); what that server got (null: nothing), and what the client got. Of heads there are the fields in groups by their names in
lower case, without those about the connection, and bodies are without chunks. `{target}` stands for the other server's port.
Java is needed; the jar is found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package.
"""

import json
import re
import socket
import threading
import time

from recording import one_a_line
from wiremock import WireMock

OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
# About a connection, of the client library's, or different on purpose.
HIDDEN_REQUEST = {"connection", "user-agent", "stunt-double-hop"}
HIDDEN_ANSWER = {"connection", "transfer-encoding", "matched-stub-id"}


def parsed(data, hidden):
    """First line, fields and body of a message."""
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin1").split("\r\n")
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        fields.setdefault(name.strip().lower(), []).append(value.strip())
    if "chunked" in "".join(fields.get("transfer-encoding", [])):
        body = unchunked(body)
    return lines[0], {name: fields[name] for name in sorted(fields) if name not in hidden}, body.decode("latin1")


def unchunked(data):
    body = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        count = int(size.split(b";")[0] or b"0", 16)
        if count == 0:
            break
        body += data[:count]
        data = data[count + 2:]
    return body


class Target:
    """The other server: keeps what it gets, and says what the case says."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.answer, self.got = OK, None
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.settimeout(5)
        data = b""
        try:
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                data += piece
            head = data.partition(b"\r\n\r\n")[0]
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            if length:
                while len(data) < len(head) + 4 + int(length[1]):
                    data += connection.recv(65536)
            elif re.search(rb"(?i)\r\ntransfer-encoding", head):
                while not data.endswith(b"0\r\n\r\n"):
                    data += connection.recv(65536)
            self.got = data
            if self.answer == "slow":
                time.sleep(1.5)
            elif self.answer:
                connection.sendall(self.answer.replace("{target}", str(self.port)).encode("latin1"))
        except OSError:
            pass
        finally:
            connection.close()


def request(method="GET", target="/x?q=1", fields=(), body=None):
    lines = [f"{method} {target} HTTP/1.1", "Host: me.example:99", "Connection: close", *fields]
    if body is not None and not any(field.lower().startswith("transfer-encoding") for field in fields):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines) + "\r\n\r\n" + (body or "")


BASE = "http://localhost:{target}"


def cases():
    def case(name, response=None, sent=None, answer=OK, flags=()):
        merged = {"proxyBaseUrl": BASE, **(response or {})}
        return {"name": name, "flags": list(flags), "response": merged, "request": sent or request(), "answer": answer}

    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND", "FOO"):
        yield case(f"{method} without a body", sent=request(method))
        yield case(f"{method} with an empty body", sent=request(method, fields=["Content-Type: a/b"], body=""))
        yield case(f"{method} with a body", sent=request(method, fields=["Content-Type: a/b"], body="abc"))
    yield case("a body in chunks", sent=request("POST", fields=["Content-Type: a/b", "Transfer-Encoding: chunked"],
                                                body="3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"))
    yield case("no body in chunks", sent=request("POST", fields=["Content-Type: a/b", "Transfer-Encoding: chunked"], body="0\r\n\r\n"))
    for field in ("User-Agent: ua", "TE: trailers", "Keep-Alive: 3", "Cookie: a=b\r\nCookie: c=d", "Proxy-Connection: x",
                  "Proxy-Authorization: z", "Via: zz", "X-A: 1\r\nX-A: 2", "X-Empty:", "Authorization: Basic abc",
                  'If-None-Match: "x"', "Accept: */*", "Accept-Encoding: gzip, br;q=1.0, deflate", "Range: bytes=0-1",
                  "X-Forwarded-For: 1.2.3.4", "Origin: http://page"):
        yield case(f"the field {field!r}", sent=request(fields=[field]))
    for target in ("/", "/?a=b", "/a%20b/c?x=1&y=%7c", "/a+b;x=%2F/../c?x=1&&=&x", "/%26%26The%20Lord%26", "/a//b/", "/a?b?c", "/\u00e4"):
        yield case(f"the target {target}", sent=request(target=target))
    for base in (BASE + "/", BASE + "/base", BASE + "/base/", BASE + "?a=b", BASE + "/p?a=b", BASE + "/p#frag", " " + BASE + "/sp ",
                 "HTTP://LOCALHOST:{target}", "ftp://localhost/x", "http://localhost:1", "http://127.0.0.1:1/", "http://[::1]:1",
                 "http://no-such-host.invalid:8080/a"):
        yield case(f"the base {base}", {"proxyBaseUrl": base})
    for target in ("/a/b/c", "/a/b", "/x/a/b/c", "/a%2Fb/c", "/a/b?q", "/"):
        yield case(f"a prefix removed from {target}", {"proxyUrlPrefixToRemove": "/a/b"}, request(target=target))
    yield case("a prefix removed in front of a base", {"proxyUrlPrefixToRemove": "/a", "proxyBaseUrl": BASE + "/base/"}, request(target="/a/c"))
    yield case("fields added", {"additionalProxyRequestHeaders": {"X-Add": ["1", "2"], "X-C": "mine"}}, request(fields=["X-C: theirs"]))
    yield case("a host added", {"additionalProxyRequestHeaders": {"Host": "other"}})
    yield case("fields removed", {"removeProxyRequestHeaders": ["X-REM", "host", "accept"]}, request(fields=["X-Rem: 1", "Accept: a/b", "X-Stays: 1"]))
    template = {"transformers": ["response-template"]}
    yield case("templates", {**template, "proxyBaseUrl": BASE + "/{{request.path.[0]}}", "headers": {"X-R": "{{request.path}}"},
                             "additionalProxyRequestHeaders": {"X-T": "{{request.method}}"}}, request(target="/seg"))
    yield case("fields for the client", {"headers": {"X-Up": "own", "X-Two": ["1", "2"]}}, answer="HTTP/1.1 200 OK\r\nX-Up: theirs\r\nContent-Length: 2\r\n\r\nok")
    yield case("a content type for the client", {"headers": {"Content-Type": "q/r"}}, answer="HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nok")
    yield case("status and body of the stub", {"status": 418, "body": "own", "statusMessage": "Mine"})
    yield case("a fault of the stub", {"fault": "EMPTY_RESPONSE"})
    yield case("a dribble", {"chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 10}})
    yield case("a delay", {"fixedDelayMilliseconds": 10})
    for name, answer in {
        "in chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        "to the end of the connection": "HTTP/1.1 200 OK\r\n\r\nhello",
        "in HTTP/1.0": "HTTP/1.0 200 OK\r\nX: 1\r\n\r\nhello",
        "with fields of the connection": "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nUpgrade: x\r\nTE: q\r\n"
                                         "Set-Cookie: a=b\r\nset-cookie: c=d\r\nServer: up\r\nDate: now\r\nVia: q\r\nContent-Length: 1\r\n\r\nx",
        "with a reason": "HTTP/1.1 299 Foo Bar\r\nContent-Length: 1\r\n\r\nx",
        "without a reason": "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
        "404": "HTTP/1.1 404 Nope\r\nContent-Length: 1\r\n\r\nx",
        "500": "HTTP/1.1 500 Oops\r\nContent-Length: 1\r\n\r\nx",
        "204": "HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n",
        "304": 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 10\r\n\r\n',
        "302": "HTTP/1.1 302 Found\r\nLocation: http://localhost:{target}/other\r\nContent-Length: 0\r\n\r\n",
        "401": 'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
        "999": "HTTP/1.1 999 Wow\r\nContent-Length: 1\r\n\r\nx",
        "after 100": "HTTP/1.1 100 Continue\r\n\r\n" + OK,
        "after 103": "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK,
        "for pages": "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: http://a\r\nContent-Length: 1\r\n\r\nx",
        "with line feeds": "HTTP/1.1 200 OK\nX: 1\nContent-Length: 2\n\nok",
        "that is none": "lkjsdf lksjdf\r\n\r\n",
        "that does not come": "",
    }.items():
        yield case(f"an answer {name}", answer=answer)
    yield case("an answer to HEAD", sent=request("HEAD"), answer="HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: 1\r\n\r\n")
    accepting = request(fields=["User-Agent: ua", "Accept-Encoding: gzip, br;q=1.0, deflate"])
    yield case("the client's host", sent=accepting, flags=["--preserve-host-header"])
    yield case("the client's name", sent=accepting, flags=["--preserve-user-agent-proxy-header"])
    yield case("some codings", sent=accepting, flags=["--supported-proxy-encodings", "gzip,deflate"])
    yield case("no coding", sent=request(fields=["Accept-Encoding: br"]), flags=["--supported-proxy-encodings", "gzip,deflate"])
    for flags in (["--deny-proxy-targets", "127.0.0.1"], ["--deny-proxy-targets", "localhost,*.invalid"], ["--allow-proxy-targets", "10.0.0.1"],
                  ["--allow-proxy-targets", "localhost"]):
        for base in (BASE, "http://no-such.invalid:{target}"):
            yield case(f"{flags[0]} {flags[1]} and {base}", {"proxyBaseUrl": base}, flags=flags)
    yield case("a server that is slow", answer="slow", flags=["--proxy-timeout", "500"])
    yield case("a page's request", sent=request(fields=["Origin: http://page"]), flags=["--enable-stub-cors"],
               answer="HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: http://other\r\nContent-Length: 2\r\n\r\nok")


def exchange(wiremock, target, case):
    target.answer, target.got = case["answer"], None
    response = json.loads(json.dumps(case["response"]).replace("{target}", str(target.port)))
    wiremock.admin("POST", "/mappings/reset")
    status, answer = wiremock.admin("POST", "/mappings", {"request": {"urlPattern": ".*"}, "response": response})
    assert status == 201, answer
    with socket.create_connection(("127.0.0.1", wiremock.port), timeout=10) as client:
        client.sendall(case["request"].encode())
        data = b""
        while piece := client.recv(65536):
            data += piece
    hide = lambda value: json.loads(json.dumps(value).replace(str(target.port), "{target}"))
    line, fields, body = parsed(data, HIDDEN_ANSWER)
    client = hide({"status": int(line.split()[1]), "fields": fields, "body": body})
    got = None
    if target.got is not None:
        line, fields, body = parsed(target.got, HIDDEN_REQUEST)
        got = hide({"line": line, "fields": fields, "body": body})
    return {**case, "got": got, "client": client}


def main():
    target = Target()
    groups = {}
    for case in cases():
        groups.setdefault(json.dumps(case["flags"]), []).append(case)
    recorded = []
    for flags, group in groups.items():
        with WireMock(*json.loads(flags)) as wiremock:
            recorded += [exchange(wiremock, target, case) for case in group]
    print(one_a_line(json.dumps(recorded)), end="")


if __name__ == "__main__":
    main()
