"""A slow disk: what the requests of one session wait while stubs of another are saved."""

import os
import subprocess
import threading

from Benchmarks import contenders, load
from Benchmarks.contenders import Server
from Benchmarks.crowded import Client
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, progress, settle
from Benchmarks.stubs import StubSet

SYNC_MS = 200
PER_SECOND = 1000
SECONDS = 8
SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Tests", "SlowDisk", "slow_disk.c")


def _slow(setting, place):
    """The command that serves a folder on a disk whose every fsync takes its time."""
    library = os.path.join(setting.folder, "slow_disk.so")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True, timeout=60)
    preload = ["env", f"LD_PRELOAD={library}", f"SLOW_DISK_MS={SYNC_MS}"]
    command = contenders.stunt_double(setting.daemon, place)
    return lambda port: preload + command(port)


class Saver(threading.Thread):
    """Adds persistent stubs, and saves all stubs, one after the other, until it is stopped."""

    def __init__(self, port):
        super().__init__()
        self.client = Client(port)
        self.over = threading.Event()
        self.seconds = []

    def run(self):
        number = 0
        while not self.over.is_set():
            number += 1
            stub = {"request": {"url": f"/saved/{number}"}, "response": {"body": "x"}, "persistent": number % 2 == 0}
            self.seconds.append(self.client.call("POST", "/mappings", stub, status=201)[1])
            if number % 2:
                self.seconds.append(self.client.call("POST", "/mappings/save")[1])


def disk(setting):
    """1,000 requests a second in a session of their own, alone and while stubs are saved."""
    stubs = StubSet(1000)
    place = setting.place("disk")
    stubs.write_files(place)
    server = Server("Stunt Double", _slow(setting, place), HEALTH, setting.folder, setting.server_cpu)
    session = Client(server.port).call("POST", "/sessions", {}, status=201)[0]["id"]
    path = f"/__session/{session}{stubs.path(500)}"
    requests = min(PER_SECOND * SECONDS, setting.in_flight)
    settle([server])
    rows = []
    results = {}
    for title, saves in (("alone", False), ("while stubs are saved", True)):
        saver = Saver(server.port) if saves else None
        if saver:
            saver.start()
        try:
            late = load.run_delayed(
                server, setting.delayed_tool, path, requests, 0, requests * 1000 // PER_SECOND, setting.load_cpu
            )
        finally:
            if saver:
                saver.over.set()
                saver.join()
        waits = [seconds for seconds in saver.seconds if seconds > SYNC_MS / 1000] if saver else []
        if saver and not waits:
            raise RuntimeError("no save waited for the disk")
        progress(f"disk, {title}: p99 {late.p99:.2f} ms, latest {late.latest:.2f} ms, {late.lost} lost")
        results[title] = late
        rows.append(
            [title, f"{late.sent:,}", late.lost, len(waits) or "–"]
            + [figure(value, 2) for value in (late.p50, late.p99, late.latest)]
        )
    server.stop()
    columns = ["", "requests", "lost", "saves", "p50 ms", "p99 ms", "latest ms"]
    worst = results["while stubs are saved"]
    return Outcome(
        [table(f"{PER_SECOND:,} requests a second on a disk that takes {SYNC_MS} ms for each fsync", columns, rows)],
        [
            Bar("a request while stubs of another session are saved, p99", worst.p99, 2, "ms"),
            Bar("requests lost while stubs are saved", worst.lost, 0, "", 0),
        ],
    )
