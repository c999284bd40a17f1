#!/usr/bin/env python3
"""Sends generated exchanges through proxies, and compares byte for byte what the target got and what the client got.

    python3 Tools/proxy/exchanges.py --daemon .build/debug/stuntdouble --count 10000 --seed 1

Each exchange has its own method, fields, query and body (up to 10 MiB, few of them large; chunked or not; with or without
trailers), and so has its answer. Targets: a Python server, directly and behind a second Stunt Double, behind nginx, and behind
WireMock ($STUNTDOUBLE_ORACLE), if they are installed. nginx and WireMock change fields, so only bodies and a digest of the received
request are compared there. Prints a line for each target; exits with 1 if anything differs.
"""

import argparse
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

METHODS = ["GET", "GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"]
STATUSES = [200, 200, 200, 200, 201, 202, 206, 226, 302, 304, 204, 400, 404, 409, 418, 500, 503]
OWN = {"connection", "user-agent", "stunt-double-hop", "host", "content-length", "transfer-encoding"}


class Reader:
    """Reads messages off a socket."""

    def __init__(self, sock):
        self.socket, self.rest = sock, b""

    def more(self):
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise EOFError
        self.rest += piece

    def until(self, mark):
        while mark not in self.rest:
            self.more()
        found, _, self.rest = self.rest.partition(mark)
        return found

    def exactly(self, count):
        pieces, have = [self.rest[:count]], min(count, len(self.rest))
        self.rest = self.rest[count:]
        while have < count:
            piece = self.socket.recv(min(1 << 18, count - have))
            if not piece:
                raise EOFError
            pieces.append(piece)
            have += len(piece)
        return b"".join(pieces)

    def message(self, bodiless=False):
        """First line, fields as pairs, body, trailers, and whether it came in chunks."""
        lines = self.until(b"\r\n\r\n").decode("latin1").split("\r\n")
        fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        named = {name.lower(): value for name, value in fields}
        body, trailers, chunked = b"", [], False
        if bodiless:
            pass
        elif "chunked" in named.get("transfer-encoding", ""):
            chunked, pieces = True, []
            while size := int(self.until(b"\r\n").split(b";")[0], 16):
                pieces.append(self.exactly(size))
                self.exactly(2)
            while line := self.until(b"\r\n"):
                trailers.append(tuple(part.strip() for part in line.decode("latin1").split(":", 1)))
            body = b"".join(pieces)
        elif "content-length" in named:
            body = self.exactly(int(named["content-length"]))
        return lines[0], fields, body, trailers, chunked


def shown(fields):
    return [field for field in fields if field[0].lower() not in OWN]


class Exchange:
    """A request and its answer, generated from a number."""

    def __init__(self, seed, number, large):
        draw = random.Random(f"{seed}-{number}")
        self.number, self.method = number, draw.choice(METHODS)
        text = lambda letters, most: "".join(draw.choice(letters) for _ in range(draw.randint(1, most)))
        word = "abcdefghijklmnopqrstuvwxyz0123456789-._~"
        escaped = ["%20", "%2F", "%C3%A4", "%7c", "+", ";", ",", "!", "'", "(", ")", "*", ":", "@", "$"]
        segment = lambda: "".join(draw.choice([text(word, 6), draw.choice(escaped)]) for _ in range(draw.randint(1, 4)))
        self.path = f"/{number}/" + "/".join(segment() for _ in range(draw.randint(0, 4)))
        if draw.random() < 0.6:
            self.path += "?" + "&".join(segment() + draw.choice(["", "=" + segment()]) for _ in range(draw.randint(1, 4)))
        values = word + " ,;=/\"()"
        fields = lambda: [("X-" + text("abcXYZ", 5), text(values, 40).strip() or "v") for _ in range(draw.randint(0, 6))]
        size = lambda: draw.choice([0, 1, draw.randint(2, 300), draw.randint(300, 20_000), draw.randint(20_000, 200_000)]) \
            if not (large and draw.random() < 0.005) else draw.randint(1 << 20, 10 << 20)
        bodiless = self.method in ("GET", "HEAD", "OPTIONS") or draw.random() < 0.2
        self.body = b"" if bodiless else draw.randbytes(size())
        self.chunked = bool(self.body) and draw.random() < 0.4
        self.fields = fields() + ([("Content-Type", "application/x-" + text("abc", 3))] if self.body else [])
        self.trailers = [("X-T-" + text("abc", 3), text(word, 9))] if self.chunked and draw.random() < 0.4 else []
        self.accepts = draw.choice([None, "gzip", "identity", "gzip, br"])
        self.status = draw.choice(STATUSES)
        self.answer_fields = fields() + [("Content-Type", draw.choice(["text/plain", "application/json", "image/png"]))]
        if self.status == 302:
            self.answer_fields.append(("Location", "/elsewhere"))
        self.answer_body = b"" if self.status in (204, 304) or self.method == "HEAD" else draw.randbytes(size())
        self.answer_chunked = draw.random() < 0.4 and self.status not in (204, 304) and self.method != "HEAD"
        self.answer_trailers = [("X-E-" + text("abc", 3), text(word, 9))] if self.answer_chunked and draw.random() < 0.4 else []
        if draw.random() < 0.2 and self.answer_body:
            self.answer_fields.append(("Content-Encoding", "x-random"))
        self.cuts = [draw.randint(1, 70_000) for _ in range(200)]

    def chunks(self, body, trailers):
        pieces, place, index = [], 0, 0
        while place < len(body):
            piece = body[place:place + self.cuts[index % 200]]
            pieces.append(b"%x\r\n%s\r\n" % (len(piece), piece))
            place, index = place + len(piece), index + 1
        lines = "".join(f"{name}: {value}\r\n" for name, value in trailers)
        return b"".join(pieces) + b"0\r\n" + lines.encode() + b"\r\n"

    def message(self, line, fields, body, chunked, trailers, states_length):
        head = [line] + [f"{name}: {value}" for name, value in fields]
        if chunked:
            head.append("Transfer-Encoding: chunked")
        elif states_length:
            head.append(f"Content-Length: {len(body)}")
        return ("\r\n".join(head) + "\r\n\r\n").encode() + (self.chunks(body, trailers) if chunked else body)

    def request(self, host):
        fields = [("Host", host)] + self.fields + ([("Accept-Encoding", self.accepts)] if self.accepts else [])
        return self.message(f"{self.method} {self.path} HTTP/1.1", fields, self.body, self.chunked, self.trailers, bool(self.body))

    def answer(self):
        states = self.status not in (204, 304) and self.method != "HEAD"
        return self.message(f"HTTP/1.1 {self.status} Word {self.number}", self.answer_fields, self.answer_body, self.answer_chunked,
                            self.answer_trailers, states)


class Target:
    """Answers each exchange, and stores the requests it received."""

    def __init__(self, seed, large):
        self.seed, self.large, self.got = seed, large, {}
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = Reader(connection)
        try:
            while True:
                message = reader.message()
                number = int(message[0].split("/")[1].split("?")[0])
                self.got[number] = message
                connection.sendall(Exchange(self.seed, number, self.large).answer())
        except (EOFError, OSError):
            connection.close()


def difference(exchange, got, received, strict):
    """The difference; None if there is none."""
    line, fields, body, trailers, chunked = got
    if line != f"{exchange.method} {exchange.path} HTTP/1.1" and strict:
        return f"the request line {line!r}"
    if body != exchange.body:
        return f"{len(body)} bytes of {len(exchange.body)} arrived, or others"
    if strict:
        sent = exchange.fields + ([("Accept-Encoding", exchange.accepts)] if exchange.accepts else [])
        if shown(fields) != sent:
            return f"the request's fields {shown(fields)} for {sent}"
        if chunked != exchange.chunked or trailers != exchange.trailers:
            return f"the request's chunks {chunked} and trailers {trailers}"
    line, fields, body, trailers, chunked = received
    if int(line.split()[1]) != exchange.status:
        return f"the status line {line!r}: {body[:200]!r}"
    if body != exchange.answer_body:
        return f"{len(body)} bytes of {len(exchange.answer_body)} came back, or others"
    if strict:
        if line != f"HTTP/1.1 {exchange.status} Word {exchange.number}":
            return f"the status line {line!r}"
        if shown(fields) != exchange.answer_fields:
            return f"the answer's fields {shown(fields)} for {exchange.answer_fields}"
        if exchange.method != "HEAD" and chunked != exchange.answer_chunked or trailers != exchange.answer_trailers:
            return f"the answer's chunks {chunked} and trailers {trailers}"
    return None


def run(name, port, target, numbers, seed, large, strict):
    """Sends the exchanges over several connections. Returns the number that differ."""
    failures, lock = [], threading.Lock()
    turns = iter(numbers)

    def client():
        connection = reader = None
        while True:
            with lock:
                number = next(turns, None)
            if number is None:
                return
            exchange = Exchange(seed, number, large)
            if name == "wiremock" and exchange.accepts and "gzip" in exchange.accepts:
                exchange.accepts = None
            try:
                if connection is None:
                    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    reader = Reader(connection)
                threading.Thread(target=connection.sendall, args=(exchange.request("localhost"),), daemon=True).start()
                bodiless = exchange.method == "HEAD" or exchange.status in (204, 304)
                received = reader.message(bodiless)
                what = difference(exchange, target.got.pop(number), received, strict)
                if any(field[0].lower() == "connection" and field[1] == "close" for field in received[1]):
                    connection = None
            except (EOFError, OSError, ValueError, KeyError) as error:
                what, connection = f"{type(error).__name__} {error}", None
            if what:
                with lock:
                    failures.append((number, f"{exchange.method} {exchange.path}: {what}"))

    began = time.monotonic()
    threads = [threading.Thread(target=client) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{name}: {len(numbers)} exchanges in {time.monotonic() - began:.1f} s, {len(failures)} differ")
    for number, what in sorted(failures)[:10]:
        print(f"    {number}: {what[:500]}")
    return len(failures)


class Daemon:
    def __init__(self, binary, target, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        pathlib.Path(self.folder.name, "a.yaml").write_text(f'ANY /**: {{ proxy: "http://127.0.0.1:{target}" }}\n')
        ready = pathlib.Path(self.folder.name, "port.txt")
        self.process = subprocess.Popen([binary, self.folder.name, "--port", "0", "--port-file", str(ready)],
                                        env=environment, stdout=subprocess.DEVNULL, stderr=None if os.environ.get("SHOW") else subprocess.DEVNULL)
        while not ready.exists() or not ready.read_text().strip():
            time.sleep(0.02)
        self.port = int(ready.read_text().strip())

    def end(self):
        self.process.terminate()
        self.process.wait()


def nginx(target, folder):
    """Starts nginx in front of the target; None if it is not installed."""
    binary = shutil.which("nginx")
    if not binary:
        return None, None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    pathlib.Path(folder, "nginx.conf").write_text(f"""
        {"user root;" if os.getuid() == 0 else ""} daemon off; pid {folder}/pid; error_log {folder}/log; worker_processes 1; events {{}}
        http {{ access_log off; client_max_body_size 0; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
                server {{ listen 127.0.0.1:{port}; location / {{ proxy_http_version 1.1; proxy_set_header Connection "";
                    proxy_pass http://127.0.0.1:{target}; }} }} }}""")
    process = subprocess.Popen([binary, "-p", folder, "-c", "nginx.conf"], stderr=subprocess.DEVNULL)
    wait_for(port)
    return process, port


def wait_for(port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)


def wiremock(target):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "oracle"))
    from wiremock import WireMock
    return WireMock("--proxy-all", f"http://127.0.0.1:{target}", "--no-request-journal")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="no bodies of megabytes")
    parser.add_argument("--only", help="python, second, nginx or wiremock")
    options = parser.parse_args()
    target = Target(options.seed, not options.small)
    numbers, differing = range(options.count), 0

    def through(name, port, strict):
        nonlocal differing
        daemon = Daemon(options.daemon, port)
        differing += run(name, daemon.port, target, numbers, options.seed, not options.small, strict)
        daemon.end()

    wanted = lambda name: options.only in (None, name)
    if wanted("python"):
        through("python", target.port, True)
    if wanted("second"):
        second = Daemon(options.daemon, target.port)
        through("second", second.port, True)
        second.end()
    if wanted("nginx"):
        with tempfile.TemporaryDirectory() as folder:
            process, port = nginx(target.port, folder)
            if process:
                through("nginx", port, False)
                process.terminate()
                process.wait()
            else:
                print("nginx: not installed")
    if wanted("wiremock"):
        if os.environ.get("STUNTDOUBLE_ORACLE") and shutil.which("java"):
            with wiremock(target.port) as jar:
                through("wiremock", jar.port, False)
        else:
            print("wiremock: no $STUNTDOUBLE_ORACLE")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
