#!/usr/bin/env python3
"""Records generated exchanges, replays them, and compares the answers.

    python3 Tools/recording/torture.py --daemon .build/bin/stuntdouble [--count 5000] [--seed 1]

Methods, targets, header fields, encodings, charsets, framing and sizes (to 10 MiB) are random. Secrets are planted in requests
and responses, beside harmless values with similar names. Runs once with routes and once with WireMock's mappings:
`validate --strict` must pass, every request must get its answer again, and no file, log or report may contain a secret. Exits
with 1 if anything is wrong.
"""

import argparse
import base64
import gzip
import json
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zlib

SECRET_NAMES = ["access_token", "refreshToken", "ACCESS-TOKEN", "client_secret", "password", "api_key", "X-Api-Key",
                "sessionId", "private.key", "authToken", "id_token", "db_password", "passphrase"]
PLAIN_NAMES = ["token_type", "keyboard", "author", "name", "max_tokens", "monkey", "passenger", "id", "status"]
TYPES = ["text/plain", "text/plain; charset=utf-8", "text/html; charset=iso-8859-1", "application/octet-stream", "image/png", None]
METHODS = ["GET"] * 8 + ["POST"] * 5 + ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "X-ODD"]
STATUSES = [200] * 12 + [201, 202, 204, 301, 302, 400, 401, 404, 409, 418, 422, 429, 500, 503]


class Exchange:
    """A request's bytes and the target's answer. `body` is the decoded body of the answer."""

    def __init__(self, number):
        self.number = number
        self.method, self.target = "GET", b"/"
        self.fields, self.content = [], b""
        self.status, self.answer_fields, self.body, self.sent = 200, [], b"", b""
        self.framing, self.trailers = "length", []

    def request(self):
        lines = [f"{self.method} ".encode() + self.target + b" HTTP/1.1", b"Host: torture.test"]
        lines += [name.encode() + b": " + value for name, value in self.fields]
        if self.content or self.method in ("POST", "PUT", "PATCH"):
            lines.append(b"Content-Length: %d" % len(self.content))
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.content

    def response(self):
        lines = [b"HTTP/1.1 %d Answer" % self.status] + [name.encode() + b": " + value for name, value in self.answer_fields]
        has_body = self.method != "HEAD" and self.status not in (204, 304)
        if self.framing == "chunked" and has_body:
            lines.append(b"Transfer-Encoding: chunked")
            if self.trailers:
                lines.append(b"Trailer: " + b", ".join(name.encode() for name, _ in self.trailers))
            text, step = b"", max(len(self.sent) // 3, 1)
            for start in range(0, len(self.sent), step):
                part = self.sent[start:start + step]
                text += b"%x\r\n" % len(part) + part + b"\r\n"
            text += b"0\r\n" + b"".join(name.encode() + b": " + value + b"\r\n" for name, value in self.trailers) + b"\r\n"
        else:
            if self.status not in (204, 304) and self.framing != "close":
                lines.append(b"Content-Length: %d" % len(self.sent))
            text = self.sent if has_body else b""
        if self.framing == "close":
            lines.append(b"Connection: close")
        return b"\r\n".join(lines) + b"\r\n\r\n" + text


class Maker:
    """Generates exchanges. `secrets` has every planted secret."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.secrets, self.plain = [], []

    def secret(self):
        made = "sEc" + "".join(self.draw.choices("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=self.draw.randrange(12, 40)))
        self.secrets.append(made)
        return made

    def harmless(self):
        made = "pLain" + "".join(self.draw.choices("abcdefghjkmnpqrstuvwxyz23456789", k=10))
        self.plain.append(made)
        return made

    def word(self):
        return "".join(self.draw.choices("abcdefghijklmnopqrstuvwxyzäöß€中\"'\\<>&{} -_./", k=self.draw.randrange(1, 12)))

    def pairs(self):
        names = self.draw.sample(SECRET_NAMES, self.draw.randrange(1, 5))
        found = [(name, self.secret()) for name in names]
        found += [(name, self.harmless()) for name in self.draw.sample(PLAIN_NAMES, 3)]
        self.draw.shuffle(found)
        return found

    def json(self, depth=0):
        draw, made = self.draw, {}
        for name, value in self.pairs() if draw.random() < 0.5 else []:
            made[name] = value
        for _ in range(draw.randrange(1, 4)):
            made["k" + self.word()] = draw.choice(
                [None, True, draw.randrange(10**6), draw.random(), self.word(), [], {}, 1e300, "{{x}}", "\ufffd", "line\nline\r\n\t\0"])
        if draw.random() < 0.2:
            made["sent"] = [["Authorization", "Bearer " + self.secret()], ["X-Plain", self.harmless()]]
            made["named"] = {"name": "password", "value": {"a": [self.secret()]}}
            made["schema"] = {"password": {"type": "string", "title": self.harmless()}, "code": "if (token === other) f(token => 1)"}
        if depth < 3 and draw.random() < 0.6:
            made["in" + self.word()] = self.json(depth + 1)
        if depth < 3 and draw.random() < 0.4:
            made["list"] = [self.json(depth + 1) for _ in range(draw.randrange(1, 3))]
        return made

    def document(self):
        """A media type and a body; documents hold secrets."""
        draw = self.draw
        kind = draw.randrange(12)
        if kind < 4:
            text = json.dumps(self.json(), ensure_ascii=draw.random() < 0.5, indent=draw.choice([None, 2]))
            return draw.choice([b"application/json", b"application/json; charset=utf-8", b"application/vnd.x+json"]), text.encode()
        if kind == 4:
            return b"application/x-www-form-urlencoded", urllib.parse.urlencode(self.pairs()).encode()
        if kind == 5:
            inner = "".join(f"<i n='{self.harmless()}'/><{name.replace('_', '-')}>{value}</{name.replace('_', '-')}>" for name, value in self.pairs())
            return b"application/xml", f"<?xml version='1.0'?><r password=\"{self.secret()}\">{inner}<t>&lt;&#65;</t></r>".encode()
        if kind == 6:
            rows = b"".join(b"event: e\ndata: " + json.dumps(dict(self.pairs())).encode() + b"\n\n" for _ in range(3))
            return b"text/event-stream", rows
        if kind == 7:
            parts = b"".join(f"--bOuNd\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n".encode() for name, value in self.pairs())
            return b"multipart/form-data; boundary=bOuNd", parts + b"--bOuNd--\r\n"
        if kind == 8:
            text = " ".join(f"{name}={value}" for name, value in self.pairs())
            return b"text/plain; charset=utf-8", f"{text}\n{{{{another}}}} ü{draw.choice(['', chr(10), chr(10) * 3])}".encode()
        if kind == 9:
            return draw.choice([b"text/xml", b"application/json"]), draw.choice(
                [b"\n<?xml version='1.0'?><a/>", b"<a>", b"{\"a\":", b"a=1&b=2", b"<x:a/>", b"<a>&nope;</a>", b"<a/><b/>", b"\xff\xfe", b"NaN", b"{'a':1}"])
        if kind == 10:
            charset = draw.choice(["iso-8859-1", "utf-16", "utf-16le", "windows-1252", "shift_jis"])
            text = "grüß" if charset != "shift_jis" else "日本"
            return f"text/plain; charset={charset}".encode(), (text * 3 + "\n").encode(charset)
        return b"application/octet-stream", draw.randbytes(draw.choice([1, 7, 300, 5000]))

    def target(self, number):
        draw = self.draw
        path = b"/t%d" % number + draw.choice([b"", b"/", b"/a%20b", b"/%C3%A4", b"/%FF", b"//x", b"/a;b=c", b"/{x}", b"/a+b", b"/*", b"/$^(", b"/'q'", b"/\xc3\xa9"])
        if draw.random() < 0.4:
            query = [(draw.choice(["q", "a b", "ü", "x[]", "e"]), self.word()) for _ in range(draw.randrange(1, 4))]
            if draw.random() < 0.3:
                query.append((draw.choice(["api_key", "access_token", "accessToken"]), self.secret()))
            if draw.random() < 0.05:
                query.append(("state", "s" * draw.randrange(900, 3000)))
            path += b"?" + urllib.parse.urlencode(query).encode()
        return path

    def exchange(self, number):
        draw, one = self.draw, Exchange(number)
        one.method, one.target = draw.choice(METHODS), self.target(number)
        if one.method in ("POST", "PUT", "PATCH", "PROPFIND", "REPORT") and draw.random() < 0.9:
            kind, one.content = self.document()
            one.fields.append(("Content-Type", kind))
        if draw.random() < 0.2:
            one.fields.append(("Authorization", b"Bearer " + self.secret().encode()))
        if draw.random() < 0.1:
            one.fields.append(("Cookie", f"theme=dark; session={self.secret()}".encode()))
        one.status = draw.choice(STATUSES)
        kind, one.body = self.document()
        if draw.random() < 0.1:
            one.body = b""
        if draw.random() < 0.004:
            one.body = draw.randbytes(1 << 10) * draw.choice([1 << 10, 10 << 10])
            kind = b"application/octet-stream"
        if draw.random() < 0.002 and one.content:
            one.content = draw.randbytes(1 << 10) * draw.choice([1 << 9, 9 << 10])
            one.fields = [("Content-Type", b"application/octet-stream")]
        if one.status in (204, 304):
            one.body = b""
        elif draw.random() < 0.95:
            one.answer_fields.append(("Content-Type", kind))
        one.sent = one.body
        coding = draw.choice([None] * 6 + ["gzip", "deflate"]) if one.body else None
        if coding:
            one.sent = gzip.compress(one.body, mtime=0) if coding == "gzip" else zlib.compress(one.body)
            one.answer_fields.append(("Content-Encoding", coding.encode()))
            one.fields.append(("Accept-Encoding", coding.encode()))
        one.framing = draw.choice(["length"] * 5 + ["chunked"] * 3 + ["close"])
        if one.framing == "chunked" and draw.random() < 0.3 and one.status not in (204, 304) and one.method != "HEAD":
            one.trailers = [("X-Sum", str(number).encode())]
        if one.status in (301, 302):
            one.answer_fields.append(("Location", b"/next/%d" % number))
        for name, value in [("X-One", self.word().encode("latin-1", "ignore").strip()), ("x-lower", b"a, b"), ("Link", f"</a?api_key={self.secret()}&p={number}>; rel=x".encode()),
                            ("X-Long", b"v" * 3000), ("Set-Cookie", f"session={self.secret()}; Path=/".encode()), ("ETag", b'"v%d"' % number)]:
            if draw.random() < 0.1:
                one.answer_fields.append((name, value))
        return one


class Target:
    """The recorded server: the number in a request's path selects its answer."""

    def __init__(self, exchanges):
        self.exchanges = exchanges
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                threading.Thread(target=self.serve, args=(self.socket.accept()[0],), daemon=True).start()
            except OSError:
                return

    def serve(self, client):
        reader = client.makefile("rb")
        while line := reader.readline():
            length, chunked = 0, False
            while (field := reader.readline()) not in (b"\r\n", b""):
                low = field.lower()
                if low.startswith(b"content-length:"):
                    length = int(field.split(b":")[1])
                chunked |= low.startswith(b"transfer-encoding:")
            if chunked:
                while size := int(reader.readline().split(b";")[0], 16):
                    reader.read(size + 2)
                reader.readline()
            else:
                reader.read(length)
            one = self.exchanges[int(re.search(rb"/t(\d+)", line)[1])]
            client.sendall(one.response())
            if one.framing == "close":
                break
        client.close()


class Seen:
    def __init__(self, status, fields, body, trailers):
        self.status, self.fields, self.body, self.trailers = status, fields, body, trailers


class Client:
    """A connection that stays open as long as the server allows."""

    def __init__(self, port):
        self.port, self.socket = port, None

    def ask(self, one):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
            self.reader = self.socket.makefile("rb")
        self.socket.sendall(one.request())
        while True:
            status = int(self.reader.readline().split()[1])
            fields = self.head()
            if status != 100:
                break
        low = {name.lower(): value for name, value in fields}
        body, trailers = b"", []
        if one.method == "HEAD" or status in (204, 304):
            pass
        elif b"chunked" in low.get("transfer-encoding", b""):
            while size := int(self.reader.readline().split(b";")[0], 16):
                body += self.reader.read(size)
                self.reader.readline()
            trailers = self.head()
        elif "content-length" in low:
            body = self.reader.read(int(low["content-length"]))
        else:
            body = self.reader.read()
            low["connection"] = b"close"
        if low.get("connection", b"").lower() == b"close":
            self.socket.close()
            self.socket = None
        coding = low.get("content-encoding", b"")
        if body and coding == b"gzip":
            body = gzip.decompress(body)
        elif body and coding == b"deflate":
            body = zlib.decompress(body)
        return Seen(status, fields, body, trailers)

    def head(self):
        fields = []
        while (line := self.reader.readline()) not in (b"\r\n", b"\n", b""):
            name, _, value = line.partition(b":")
            fields.append((name.decode("latin-1"), value.strip()))
        return fields


def first_difference(now, was, place=""):
    """The first difference of two JSON values, with its place."""
    if isinstance(now, dict) and isinstance(was, dict) and now.keys() == was.keys():
        pairs = [(now[key], was[key], f"{place}/{key}") for key in was]
    elif isinstance(now, list) and isinstance(was, list) and len(now) == len(was):
        pairs = [(*pair, f"{place}/{index}") for index, pair in enumerate(zip(now, was))]
    else:
        return f": at {place or 'the root'} {str(now)[:200]!r}, was {str(was)[:200]!r}"
    return next((first_difference(*pair) for pair in pairs if pair[0] != pair[1]), "")


class Judge:
    def __init__(self, maker):
        self.maker = maker
        self.pattern = re.compile("|".join(sorted(map(re.escape, maker.secrets), key=len, reverse=True)).encode() or b"$^")

    def hidden(self, text):
        # The scheme of credentials may be hidden with them.
        return self.pattern.sub(b"REDACTED", text).replace(b"Bearer REDACTED", b"REDACTED")

    def form(self, body, kind):
        """A body in a canonical form, independent of its layout."""
        if b"json" in kind:
            try:
                return json.loads(self.hidden(body), parse_constant=str)
            except ValueError:
                pass
        return self.hidden(body)

    def difference(self, one, seen):
        """The difference of an answer from the recorded one; an empty result if there is none."""
        kind = dict(one.answer_fields).get("Content-Type", b"")
        if seen.status != one.status:
            return f"status {seen.status}, was {one.status}"
        if one.method != "HEAD" and self.form(seen.body, kind) != self.form(one.body, kind):
            place = first_difference(self.form(seen.body, kind), self.form(one.body, kind))
            return f"body {seen.body[:200]!r}, was {one.body[:200]!r} ({kind!r}){place}"
        left_out = {"content-encoding", "content-length", "transfer-encoding", "connection", "trailer", "matched-stub-id", "date"}
        def named(fields):
            return sorted((name.lower(), self.hidden(value)) for name, value in fields if name.lower() not in left_out)
        was, now = named(one.answer_fields), named(seen.fields)
        if missing := [field for field in was if field not in now]:
            return f"fields {missing} are not in {now}"
        if one.trailers and [value for name, value in seen.trailers if name.lower() == "x-sum"] != [one.trailers[0][1]]:
            return f"trailers {seen.trailers}"
        return None

    def leaks(self, text):
        """The secrets in a text: plain, in Base64 and percent-encoded."""
        found = set(self.pattern.findall(text)) | set(self.pattern.findall(urllib.parse.unquote_to_bytes(text)))
        for run in re.findall(rb"[A-Za-z0-9+/_-]{24,}={0,2}", text):
            run = run.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
            for start in range(4):
                whole = run[start:start + (len(run) - start) // 4 * 4]
                found.update(self.pattern.findall(base64.b64decode(whole)))
        found.update(self.pattern.findall(text.replace(b"\0", b"")))
        return found


class Process:
    def __init__(self, arguments, folder, ready):
        self.errors = folder / f"errors-{len(list(folder.glob('errors-*')))}"
        self.process = subprocess.Popen([str(one) for one in arguments], stdout=subprocess.PIPE, stderr=open(self.errors, "wb"))
        line = self.process.stdout.readline()
        self.output = [line]
        found = re.search(ready, line)
        if not found:
            sys.exit(f"torture: {line!r} {self.errors.read_text()}")
        self.port = int(found[1])
        self.thread = threading.Thread(target=lambda: self.output.extend(self.process.stdout), daemon=True)
        self.thread.start()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=300)
        self.thread.join()
        return status

    def printed(self):
        return b"".join(self.output) + self.errors.read_bytes()


def admin(port, path):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(f"GET /__admin/{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return connection.makefile("rb").read()


def torture(options, form):
    maker = Maker(options.seed)
    exchanges = [maker.exchange(number) for number in range(options.count)]
    judge, target = Judge(maker), Target(exchanges)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stuntdouble-torture-"))
    mocks, problems, shown = folder / "mocks", 0, {}

    def wrong(what):
        nonlocal problems
        problems += 1
        kind = what.split(":")[0]
        shown[kind] = shown.get(kind, 0) + 1
        if shown[kind] <= options.show:
            print(f"  {form}: {what}")

    recorder = Process([options.daemon, "record", "--target", f"http://127.0.0.1:{target.port}", "--to", mocks, "--port", 0,
                        "--format", form], folder, rb"at http://[^ ]*:(\d+)")
    client = Client(recorder.port)
    for one in exchanges:
        if difference := judge.difference(one, client.ask(one)):
            wrong(f"passed on: {one.number} {one.method} {one.target[:80]!r}: {difference}")
    reports = {name: admin(recorder.port, name) for name in ("report", "report?format=junit", "report?format=text", "report?format=html")}
    status = recorder.end()
    if status:
        wrong(f"record: exit status {status}: {recorder.errors.read_text(errors='replace')[-2000:]}")
    if found := judge.leaks(recorder.printed()):
        wrong(f"log: {len(found)} secrets, such as {found.pop()!r}")
    kept = b""
    for path in mocks.rglob("*"):
        if path.is_file():
            kept += path.read_bytes()
            if found := judge.leaks(path.read_bytes()):
                wrong(f"file: {path} holds {len(found)} secrets, such as {found.pop()!r}")
    check = subprocess.run([options.daemon, "validate", str(mocks), "--strict"], capture_output=True, text=True)
    if check.returncode:
        wrong(f"validate: status {check.returncode} {check.stdout[-2000:]}{check.stderr[-2000:]}")
    daemon = Process([options.daemon, mocks, "--port", 0, "--no-watch", "--verbose", "--redact"], folder, rb"http://[^ ]*:(\d+)")
    client = Client(daemon.port)
    for one in exchanges:
        if difference := judge.difference(one, client.ask(one)):
            wrong(f"replay: {one.number} {one.method} {one.target[:80]!r} {one.content[:80]!r}: {difference}")
    reports |= {"served " + name: admin(daemon.port, name) for name in ("report", "report?format=junit", "report?format=text", "report?format=html")}
    for name, text in reports.items():
        if found := judge.leaks(text):
            wrong(f"report: {name} holds {len(found)} secrets, such as {found.pop()!r}")
    if daemon.end():
        wrong("served: exit status")
    if found := judge.leaks(daemon.printed()):
        wrong(f"served log: {len(found)} secrets, such as {found.pop()!r}")
    print(f"{form}: {len(exchanges)} exchanges, {len(maker.secrets)} secrets, {problems} problems {shown} ({folder})")
    target.socket.close()
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=6, help="problems of a kind that are shown")
    options = parser.parse_args()
    return 1 if sum([torture(options, form) for form in ("yaml", "wiremock")]) else 0


if __name__ == "__main__":
    sys.exit(main())
