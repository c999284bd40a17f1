"""Small requests beside large ones: what a client waits while another sends JSON bodies of 1 MiB."""

import json
import threading

from Benchmarks import contenders, load
from Benchmarks.bodies import document, reordered
from Benchmarks.contenders import Server
from Benchmarks.crowded import Client
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, progress, settle
from Benchmarks.stubs import StubSet

PER_SECOND = 1000
SECONDS = 8


class Sender(threading.Thread):
    """Posts the same body again and again on one connection until it is stopped."""

    def __init__(self, port, path, body):
        super().__init__()
        self.client = Client(port)
        self.sent = load.request("POST", path, {"Content-Type": "application/json"}, body)
        self.over = threading.Event()
        self.count = 0
        self.problem = None

    def run(self):
        while not self.over.is_set():
            answer = self.client.ask(self.sent)
            if not answer.startswith(b"HTTP/1.1 200 "):
                self.problem = answer[:200]
                return
            self.count += 1


def mixed(setting):
    """1,000 small requests a second, alone and beside a stream of bodies that `equalToJson` compares."""
    stubs = StubSet(1000)
    place = setting.place("mixed")
    stubs.write_files(place)
    server = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    whole = document()
    body = reordered(whole)
    pattern = {"equalToJson": json.dumps(whole, separators=(",", ":"))}
    stub = {
        "request": {"method": "POST", "urlPath": "/large", "bodyPatterns": [pattern]},
        "response": {"status": 200, "body": "large"},
    }
    Client(server.port).call("POST", "/mappings", stub, status=201)
    requests = min(PER_SECOND * SECONDS, setting.in_flight)
    settle([server])
    rows = []
    results = {}
    for title, is_beside in (("alone", False), (f"beside bodies of {len(body):,} bytes", True)):
        sender = Sender(server.port, "/large", body) if is_beside else None
        if sender:
            sender.start()
        try:
            late = load.run_delayed(
                server, setting.delayed_tool, stubs.path(500), requests, 0, requests * 1000 // PER_SECOND,
                setting.load_cpu,
            )
        finally:
            if sender:
                sender.over.set()
                sender.join()
        if sender and (sender.problem or not sender.count):
            raise RuntimeError(f"mixed: the large bodies were not answered: {sender.problem!r}")
        progress(f"mixed, {title}: p99 {late.p99:.2f} ms, latest {late.latest:.2f} ms, {late.lost} lost")
        results[is_beside] = late
        rows.append(
            [title, f"{late.sent:,}", late.lost, f"{sender.count:,}" if sender else "–"]
            + [figure(value, 2) for value in (late.p50, late.p99, late.latest)]
        )
    server.stop()
    columns = ["", "requests", "lost", "large ones", "p50 ms", "p99 ms", "latest ms"]
    return Outcome(
        [table(f"{PER_SECOND:,} small requests a second", columns, rows)],
        [
            Bar("a small request beside bodies of 1 MiB, p99", results[True].p99, 50, "ms"),
            Bar("small requests lost beside them", results[True].lost, 0, "", 0),
        ],
    )
