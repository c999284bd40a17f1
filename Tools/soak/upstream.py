#!/usr/bin/env python3
"""Webhooks and proxied requests mixed on one daemon: each is delivered once, and memory levels off.

    upstream.py --daemon PATH [--seconds 120] [--clients 4]

Clients request stubs with webhooks, with and without a delay and with a failure that is retried, and proxy stubs. Fails if an
answer is wrong, if a webhook is missing or comes twice, or if the memory in the last quarter is more than 16 MiB above that in
the second.
"""

import argparse
import collections
import http.client
import http.server
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
from Tests.daemon import DaemonProcess  # pylint: disable=wrong-import-position

SLACK = 16 << 20
STUBS = """
POST /now/{{n}}: {{ webhook: {{ url: "{target}/now-{{{{path.n}}}}", body: "{{{{originalRequest.body}}}}" }} }}
POST /late/{{n}}: {{ webhook: {{ url: "{target}/late-{{{{path.n}}}}", json: {{ a: "{{{{response.body}}}}" }}, delay: 50ms }} }}
POST /again/{{n}}: {{ webhook: {{ url: "{target}/again-{{{{path.n}}}}", body: b, retry: {{ times: 3, backoff: 5ms }} }} }}
POST /two/{{n}}: {{ webhooks: [ "{target}/first-{{{{path.n}}}}", "{target}/second-{{{{path.n}}}}" ] }}
ANY /proxied/**: {{ proxy: "{target}" }}
"""


class Target(http.server.ThreadingHTTPServer):
    """Counts the calls by path; fails the first call of each path that is to be retried."""

    daemon_threads = True
    request_queue_size = 1_000

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls = collections.Counter()
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.lock:
            self.server.calls[self.path] += 1
            is_first = self.server.calls[self.path] == 1
        body = b"x" * (20_000 if self.path.startswith("/proxied") else 2)
        self.send_response(503 if is_first and self.path.startswith("/again") else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


def resident(daemon):
    fields = pathlib.Path(f"/proc/{daemon.process.pid}/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGESIZE")


def play(port, number, until, expected, failures):
    """Sends requests until the time is over; counts the calls that the target must see."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    turn = 0
    while time.monotonic() < until and not failures:
        turn += 1
        name = f"{number}-{turn}"
        kind = ("now", "late", "again", "two", "proxied")[turn % 5]
        connection.request("POST", f"/{kind}/{name}", "y" * 1_000)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200 or kind == "proxied" and len(body) != 20_000:
            failures.append(f"/{kind}/{name} got {answer.status} with {len(body)} bytes")
        if kind == "two":
            expected.update([f"/first-{name}", f"/second-{name}"])
        elif kind == "again":
            expected[f"/again-{name}"] += 2
        else:
            expected[f"/proxied/{name}" if kind == "proxied" else f"/{kind}-{name}"] += 1
        time.sleep(0.002)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--clients", type=int, default=4)
    setting = parser.parse_args()
    target = Target()
    with tempfile.TemporaryDirectory(prefix="stuntdouble-soak-") as root:
        (pathlib.Path(root) / "mocks").mkdir()
        text = STUBS.format(target=f"http://127.0.0.1:{target.server_port}")
        (pathlib.Path(root) / "mocks" / "stubs.yaml").write_text(text, encoding="ascii")
        daemon = DaemonProcess(setting.daemon, root, ["--max-request-journal-entries", "2000"])
        until = time.monotonic() + setting.seconds
        tallies, failures, samples = [collections.Counter() for _ in range(setting.clients)], [], []
        threads = [
            threading.Thread(target=play, args=(daemon.port, number, until, tally, failures))
            for number, tally in enumerate(tallies)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            samples.append(resident(daemon))
            time.sleep(0.25)
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
        connection.request("POST", "/__admin/requests/idle", '{"quietMs": 100, "timeoutMs": 30000}')
        if b'"idle" : true' not in connection.getresponse().read():
            failures.append("webhooks are under way still")
        expected = sum(tallies, collections.Counter())
        wrong = [f"{path}: {target.calls[path]} times" for path in expected if target.calls[path] != expected[path]]
        failures += wrong[:10]
        quarter = len(samples) // 4
        second, last = statistics.median(samples[quarter : 2 * quarter]), statistics.median(samples[-quarter:])
        print(f"upstream: {sum(expected.values())} calls; {second / 2**20:.1f} MiB in the second quarter, {last / 2**20:.1f} in the last")
        if last > second + SLACK:
            failures.append("the memory grows")
        status = daemon.end()
        if status != 0 or "not delivered" in daemon.log:
            failures.append(f"status {status}: {daemon.log[-2_000:]}")
    if failures:
        sys.exit("upstream: " + "\n          ".join(failures))


if __name__ == "__main__":
    main()
