#!/usr/bin/env python3
"""A little application: a page that is rendered from what a service answers. It passes the caller's `baggage` on, and so
the identity of the test that looks at the page.

    UPSTREAM=http://127.0.0.1:8080 python3 app.py PORT-FILE
"""

import html
import json
import os
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

UPSTREAM = os.environ["UPSTREAM"]
PAGE = """<!doctype html><title>Greetings</title><link rel=icon href=data:,>
<h1>{greeting}</h1><p id=later></p><a href=/second>second</a>
<script>fetch("/api/later").then((answer) => answer.text()).then((text) => document.getElementById("later").textContent = text)</script>"""


class Application(BaseHTTPRequestHandler):
    def upstream(self, path: str) -> str:
        headers = {name: self.headers[name] for name in ("baggage",) if name in self.headers}
        try:
            with urllib.request.urlopen(urllib.request.Request(UPSTREAM + path, headers=headers)) as answer:
                return str(json.load(answer)["text"])
        except urllib.error.HTTPError as error:
            return f"the service answered {error.code}"

    def do_GET(self) -> None:
        if self.path == "/api/later":
            self.answer("text/plain", self.upstream("/later"))
        else:
            greeting = self.upstream("/greeting" if self.path == "/" else self.path)
            self.answer("text/html", PAGE.format(greeting=html.escape(greeting)))

    def answer(self, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Application)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
