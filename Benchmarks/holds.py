"""The longest time that one request held the daemon's loop, as another client sees it.

A probe asks for the daemon's health again and again on a connection of its own while one other connection sends the requests
in question: the probe's longest wait is how long any of them held the loop, and what the machine itself took. It runs beside
no turn that is measured.
"""

import gc
import socket
import threading
import time
from dataclasses import dataclass

from Benchmarks import load
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, progress

# Between two questions: short beside what would be noticed, long enough to leave the loop to the others.
PAUSE_SECONDS = 0.001
# A client waits no longer than this for the request of another.
LONGEST_MS = 50


@dataclass
class Hold:
    """The waits of a probe while one kind of request was served."""

    name: str
    longest_ms: float
    # With nothing else to serve: what the machine and the probe take.
    idle_ms: float


class Probe:
    """Asks a server for its health until the end of a `with` block."""

    def __init__(self, port):
        self.port = port
        self.longest_ms = 0.0
        self._failure = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()
        if self._failure:
            raise self._failure

    def _ask(self):
        question = load.request("GET", HEALTH)
        gc.disable()
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while not self._is_over.is_set():
                    began = time.perf_counter()
                    client.sendall(question)
                    load.read_response(client)
                    self.longest_ms = max(self.longest_ms, (time.perf_counter() - began) * 1000)
                    time.sleep(PAUSE_SECONDS)
        except (OSError, RuntimeError) as error:
            self._failure = error
        finally:
            gc.enable()


def note(setting, turns, seconds=2):
    """Notes for each of these loads how long one of its requests held the loop."""
    idle = {}
    for turn in turns:
        port = turn.server.port
        if port not in idle:
            with Probe(port) as probe:
                time.sleep(1)
            idle[port] = probe.longest_ms
        with Probe(port) as probe:
            load.run(turn.server, turn.load, seconds, 1, setting.load_cpu)
        setting.holds.append(Hold(turn.name, probe.longest_ms, idle[port]))
        progress(f"{turn.name}: held the loop for {probe.longest_ms:.2f} ms at the most")


def summary(setting):
    """All that was noted, and the bar that the longest decides."""
    rows = [
        [hold.name, figure(hold.longest_ms, 2), figure(hold.idle_ms, 2)]
        for hold in sorted(setting.holds, key=lambda hold: -hold.longest_ms)
    ]
    if not rows:
        return Outcome()
    longest = max(hold.longest_ms for hold in setting.holds)
    title = "The longest time that one request held the loop, Stunt Double"
    return Outcome(
        [table(title, ["one connection, and a probe on another", "longest wait ms", "with nothing to serve"], rows)],
        [Bar("the longest time that any one request held the loop", longest, LONGEST_MS, "ms")],
    )
