#!/usr/bin/env python3
"""Records a small real server, stops it, and compares the answers of the stubs with those of the server.

    python3 Tools/recording/replay.py --daemon .build/debug/stuntdouble [--calls 500] [--jar wiremock-standalone.jar]

Runs once with routes and once with WireMock's mappings: `validate --strict` must pass, and all answers must be the same, JSON by
value. With --jar, WireMock serves the mappings, too. Exits with 1 if anything differs.
"""

import argparse
import gzip
import http.client
import json
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOKEN = "tok-4f9a1c77e2b04d51"


def calls(count):
    """Calls of all kinds; those that depend on their order keep it."""
    draw = random.Random(20261127)
    fixed = [
        ("POST", "/login", b'{"user": "ann", "password": "hunter2hunter2"}', {"Content-Type": "application/json"}),
        ("GET", "/events", b"", {}), ("GET", "/latin", b"", {}), ("GET", "/image.png", b"", {}), ("GET", "/large", b"", {}),
        ("GET", "/old", b"", {}), ("GET", f"/items?api_key={TOKEN}&from=5", b"", {}),
        ("POST", "/form", b"name=ann&password=hunter2hunter2", {"Content-Type": "application/x-www-form-urlencoded"}),
        ("HEAD", "/items/1", b"", {}), ("GET", "/count", b"", {}), ("GET", "/count", b"", {}), ("GET", "/count", b"", {}),
    ]
    made = []
    for number in range(count - len(fixed)):
        kind = draw.randrange(9)
        item = draw.randrange(1, 50)
        gzipped = {"Accept-Encoding": "gzip"} if draw.random() < 0.5 else {}
        made.append([
            ("GET", f"/items/{item}", b"", {}), ("GET", f"/items?from={item}", b"", gzipped),
            ("GET", f"/items?tag=a&tag=t{item % 3}", b"", gzipped),
            ("POST", "/items", json.dumps({"name": f"n{item}", "list": [1, {"a": None}]}).encode(), {"Content-Type": "application/json"}),
            ("PUT", f"/items/{item}", b'{"name":"x"}', {"Content-Type": "application/json"}), ("DELETE", f"/items/{item}", b"", {}),
            ("GET", f"/text/n{item}", b"", gzipped), ("GET", f"/none/{item}", b"", {}),
            ("GET", f"/items/{item}?fields=name&q=a%20b%26c", b"", {}),
        ][kind])
    draw.shuffle(made)
    return fixed + made


def ask(port, call):
    method, path, body, headers = call
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    if body:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body or None)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.getheader("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    fields = {name: answer.getheader(name) for name in ("Content-Type", "Location", "ETag", "Set-Cookie")}
    return answer.status, fields, body


def same(call, expected, found):
    """Whether an answer is the recorded one. A secret may have become a placeholder; JSON is compared by value."""
    def plain(body, fields):
        text = body.replace(TOKEN.encode(), b"REDACTED")
        if (fields["Content-Type"] or "").startswith("application/json") and text:
            return json.loads(text)
        return text
    hide = lambda fields: {name: value and value.replace(TOKEN, "REDACTED") for name, value in fields.items()}
    return (expected[0] == found[0] and hide(expected[1]) == hide(found[1])
            and plain(expected[2], expected[1]) == plain(found[2], found[1]))


class Process:
    def __init__(self, arguments, ready=None):
        self.process = subprocess.Popen([str(one) for one in arguments], stdout=subprocess.PIPE, text=True)
        self.lines = []
        self.port = None
        if ready:
            line = self.process.stdout.readline()
            self.lines.append(line)
            self.port = int(re.search(ready, line)[1])

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.lines += self.process.stdout.read().splitlines()
        return self.process.wait(timeout=60)


def compare(port, made, expected, what):
    wrong = 0
    for call, answer in zip(made, expected):
        found = ask(port, call)
        if not same(call, answer, found):
            wrong += 1
            if wrong <= 5:
                print(f"  {what}: {call[0]} {call[1]} {call[2][:60]}\n    was {answer}\n    is  {found}")
    print(f"{what}: {len(made) - wrong} of {len(made)} answers are the same")
    return wrong


def record(options, form, made):
    """Records the calls. Returns the folder and the answers."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stuntdouble-record-"))
    port_file = folder / "port"
    server = subprocess.Popen([sys.executable, str(HERE / "real_server.py"), str(port_file)])
    mocks = folder / "mocks"
    try:
        while not port_file.exists() or not port_file.read_text():
            time.sleep(0.02)
        recorder = Process([options.daemon, "record", "--target", f"http://127.0.0.1:{port_file.read_text()}", "--to", mocks,
                            "--port", 0, "--format", form, "--keep-timing"], ready=r"at http://[^ ]*:(\d+)")
        answers = [ask(recorder.port, call) for call in made]
        status = recorder.end()
    finally:
        server.terminate()
        server.wait()
    print(f"{form}: recorded with exit status {status}: " + "; ".join(recorder.lines[-4:]))
    return mocks, answers, status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--jar")
    options = parser.parse_args()
    made = calls(options.calls)
    wrong = 0
    for form in ("yaml", "wiremock"):
        mocks, answers, status = record(options, form, made)
        wrong += status
        leaks = [str(path) for path in mocks.rglob("*") if path.is_file() and any(
            secret in path.read_bytes() for secret in (TOKEN.encode(), b"hunter2hunter2"))]
        if leaks:
            wrong += 1
            print(f"{form}: secrets in {leaks}")
        check = subprocess.run([options.daemon, "validate", str(mocks), "--strict"], capture_output=True, text=True)
        print(f"{form}: validate --strict: {check.returncode} {check.stdout[-300:]}{check.stderr[-300:]}")
        wrong += check.returncode
        daemon = Process([options.daemon, mocks, "--port", 0, "--no-watch"], ready=r"http://[^ ]*:(\d+)")
        wrong += compare(daemon.port, made, answers, form)
        daemon.end()
        if form == "wiremock" and options.jar:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            jar = subprocess.Popen(["java", "-jar", options.jar, "--port", str(port), "--root-dir", str(mocks), "--disable-banner"],
                                   stdout=subprocess.DEVNULL)
            for _ in range(200):
                try:
                    ask(port, ("GET", "/__admin/health", b"", {}))
                    break
                except OSError:
                    time.sleep(0.1)
            wrong += compare(port, made, answers, "WireMock's jar")
            jar.terminate()
            jar.wait()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
