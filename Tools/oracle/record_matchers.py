#!/usr/bin/env python3
"""Records which generated requests match which generated patterns in the real WireMock, with every field and matcher.

    python3 Tools/oracle/record_matchers.py > Tests/Oracle/matchers.json

The output:

    {"seed": …, "cases": [{"pattern": {…}, "requests": [{…}, …]}, …], "refused": [{"pattern", "status", "detail"}, …]}

`pattern` is a request pattern in WireMock's form. A request has `matches`, WireMock's verdict, and

    method, target   as sent
    headers          [[name, value], …] as sent, without those that frame the message; `Host: localhost` was sent if none is named
    body             Base64; left out if there was none
    scheme           left out if it was http

It came from 127.0.0.1. Dates were compared in a server whose time zone is UTC; `now` is at least 15 years from any other
date. `refused` contains the patterns that WireMock refused. Requests that the server itself refused (400, 5xx) are left out.
The jar is found as in record_matching.py.
"""

import base64
import json
import random
import socket
import ssl
import sys

import matchers
import record_matching
import recording
import wiremock

SEED = 20261121
CASES = 1300
REQUESTS = 4


class Server(record_matching.Server):
    def __init__(self):
        self.https_port = wiremock.free_port()
        super().__init__(
            "--https-port", str(self.https_port), "--no-request-journal", java=["-Duser.timezone=UTC", "-Duser.language=en"])

    def connect(self, scheme):
        if scheme == "http":
            return socket.create_connection(("127.0.0.1", self.port), timeout=5)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.https_port), timeout=5))

    def ask(self, request):
        """WireMock's verdict, or None if it failed on the request."""
        headers = list(request["headers"])
        if not any(name == "Host" for name, _ in headers):
            headers.insert(0, ["Host", "localhost"])
        body = request["body"]
        if body is not None:
            headers.append(["Content-Length", str(len(body))])
        headers.append(["Connection", "close"])
        lines = [f'{request["method"]} {request["target"]} HTTP/1.1'] + [f"{name}: {value}" for name, value in headers]
        with self.connect(request["scheme"]) as connection:
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b""))
            reply = b""
            try:
                while chunk := connection.recv(65536):
                    reply += chunk
            except (TimeoutError, ssl.SSLError, ConnectionError):
                pass
        status = reply.split(b" ", 2)[1:2]
        if b"Matched-Stub-Id" in reply:
            return True
        return False if status == [b"404"] else None


def recorded(request, verdict):
    entry = {"method": request["method"], "target": request["target"], "headers": request["headers"]}
    if request["body"] is not None:
        entry["body"] = base64.b64encode(request["body"]).decode()
    if request["scheme"] != "http":
        entry["scheme"] = request["scheme"]
    return {**entry, "matches": verdict}


def main():
    rng = random.Random(SEED)
    cases, refused, pairs, matching, broken = [], [], 0, 0, 0
    with Server() as server:
        for _ in range(CASES):
            pattern, requests = matchers.drawn_case(rng, REQUESTS)
            server.call("DELETE", "/__admin/mappings")
            status, reply = server.call("POST", "/__admin/mappings", json.dumps({"request": pattern, "response": {"status": 204}}))
            if status != 201:
                detail = json.loads(reply)["errors"][0].get("detail", "") if status == 422 else ""
                refused.append({"pattern": pattern, "status": status, "detail": detail})
                continue
            verdicts = [(request, server.ask(request)) for request in requests]
            # A pattern without a match proves little, so only every second one is kept.
            if not any(verdict for _, verdict in verdicts) and rng.random() < 0.5:
                continue
            known = [recorded(request, verdict) for request, verdict in verdicts if verdict is not None]
            unique = list({json.dumps(entry): entry for entry in known}.values())
            broken += len(requests) - len(known)
            pairs += len(unique)
            matching += sum(entry["matches"] for entry in unique)
            cases.append({"pattern": pattern, "requests": unique})
    print(recording.one_a_line({"seed": SEED, "cases": cases, "refused": refused}), end="")
    print(f"{len(cases)} patterns, {pairs} pairs of which {matching} match, {len(refused)} patterns refused, {broken} requests left out",
          file=sys.stderr)


if __name__ == "__main__":
    main()
