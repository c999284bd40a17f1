#!/usr/bin/env python3
"""A small REST server to record: JSON, gzip, binary bodies, redirects, forms, a login with a token, an event stream.

    python3 Tools/recording/real_server.py PORT_FILE

Writes its port to PORT_FILE and serves until it is ended. Its answers depend only on the requests and their order.
"""

import gzip
import http.server
import json
import pathlib
import sys
import time
import urllib.parse

TOKEN = "tok-4f9a1c77e2b04d51"
ITEMS = {number: {"id": number, "name": f"Item {number}", "tags": ["a", f"t{number % 3}"], "price": number * 1.5} for number in range(1, 41)}
PNG = bytes(range(256)) * 3
EVENTS = [b"event: open\ndata: {\"n\":0}\n\n", b"id: 1\ndata: first line\ndata: second line\n\n", b": still here\n\n",
          b"data: {\"token\":\"" + TOKEN.encode() + b"\"}\n\n", b"event: close\ndata: bye\n\n"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    counter = 0

    def log_message(self, *_):
        pass

    def answer(self, status, content_type=None, body=b"", headers=(), coding=None):
        self.send_response(status)
        if coding == "gzip":
            body = gzip.compress(body, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        if content_type:
            self.send_header("Content-Type", content_type)
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def json(self, status, value, **other):
        self.answer(status, "application/json", json.dumps(value, indent=1 if status == 200 else None).encode(), **other)

    def handle_any(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        parts = [part for part in url.path.split("/") if part]
        coding = "gzip" if "gzip" in self.headers.get("Accept-Encoding", "") else None
        match (self.command, parts):
            case ("POST", ["login"]):
                self.json(200, {"access_token": TOKEN, "expires": 3600},
                          headers=[("Set-Cookie", f"session={TOKEN}; Path=/; HttpOnly")])
            case ("GET", ["items"]):
                chosen = list(ITEMS.values())
                if "tag" in query:
                    chosen = [item for item in chosen if set(query["tag"]) <= set(item["tags"])]
                first = int(query.get("from", ["0"])[0])
                self.json(200, {"items": chosen[first:first + 5], "total": len(chosen)}, coding=coding)
            case ("GET" | "HEAD", ["items", number]) if number.isdigit() and int(number) in ITEMS:
                self.json(200, ITEMS[int(number)], headers=[("ETag", f'"{number}"')])
            case ("POST", ["items"]):
                self.json(201, {"created": json.loads(body)}, headers=[("Location", "/items/41")])
            case ("PUT", ["items", number]):
                self.json(200, {"id": int(number), "was": len(body)})
            case ("DELETE", ["items", _]):
                self.answer(204)
            case ("POST", ["form"]):
                self.answer(200, "text/plain; charset=utf-8", b"got " + str(len(body)).encode())
            case ("GET", ["count"]):
                Handler.counter += 1
                self.answer(200, "text/plain", f"call {Handler.counter}\n".encode())
            case ("GET", ["text", name]):
                self.answer(200, "text/plain; charset=utf-8", f"{name}:\n  one line\n\nand {{{{another}}}}\n".encode(), coding=coding)
            case ("GET", ["latin"]):
                self.answer(200, "text/plain; charset=iso-8859-1", "é à\n".encode("latin-1"))
            case ("GET", ["image.png"]):
                self.answer(200, "image/png", PNG)
            case ("GET", ["large"]):
                self.json(200, {"rows": [{"n": n, "text": "x" * 50} for n in range(500)]}, coding=coding)
            case ("GET", ["old"]):
                self.answer(302, headers=[("Location", "/items")])
            case ("GET", ["events"]):
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for number, event in enumerate(EVENTS):
                    # The token is split over two chunks.
                    for piece in [event] if number != 3 else [event[:25], event[25:]]:
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                        self.wfile.flush()
                        time.sleep(0.03)
                self.wfile.write(b"0\r\n\r\n")
            case _:
                self.json(404, {"error": "not found", "path": url.path})

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = handle_any


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
    server.serve_forever()
