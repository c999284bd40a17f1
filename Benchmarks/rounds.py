"""The common parts of scenarios: their settings and results, and rounds of load that can be compared."""

import math
import os
import statistics
import time
from dataclasses import dataclass, field

from Benchmarks import load
from Benchmarks.contenders import Server

HEALTH = "/__admin/health"


@dataclass
class Setting:
    """The settings of all scenarios."""

    daemon: str
    # An older binary to compare with; None for none.
    before: str | None
    nginx: str
    wiremock: str | None
    delayed_tool: str
    folder: str
    rounds: int
    seconds: int
    connections: int
    starts: int
    requests: int
    in_flight: int
    many_stubs: int
    server_cpu: int | None
    load_cpu: int | None
    # How long requests held the loop, from all scenarios.
    holds: list = field(default_factory=list)

    def place(self, name):
        """A new folder with that name in the folder of the run."""
        path = os.path.join(self.folder, name)
        os.makedirs(path)
        return path


@dataclass
class Outcome:
    tables: list = field(default_factory=list)
    bars: list = field(default_factory=list)


def progress(text):
    print(f"· {text}", flush=True)


def median(samples, what):
    return statistics.median(what(sample) for sample in samples)


def settle(servers):
    """Waits up to 10 s until no server uses the processor: a JVM still compiles and collects after its turn."""
    for _ in range(100):
        before = sum(server.process.cpu_seconds() for server in servers)
        time.sleep(0.1)
        if sum(server.process.cpu_seconds() for server in servers) - before < 0.02:
            return


@dataclass
class Turn:
    """One of the loads that take turns: its requests, its server, and its number of connections."""

    name: str
    server: Server
    load: load.Load
    connections: int
    # The number of different requests: all of them are made once before anything is measured, and a turn is long enough
    # to make them all. 0 if there are few.
    requests: int = 0
    seconds: int = 0


def warm_up(setting, turn, before=None):
    """Makes each of the turn's requests once, for at least a second, which is not measured."""
    if before:
        before(turn.server)
    seconds = 10 if turn.server.name == "WireMock" and setting.seconds > 1 else 1
    sample = load.run(turn.server, turn.load, seconds, turn.connections, setting.load_cpu)
    while sample.requests < turn.requests:
        # Each run starts with the first request.
        seconds = math.ceil(max(seconds + 1, turn.requests / sample.per_second * 1.2))
        sample = load.run(turn.server, turn.load, seconds, turn.connections, setting.load_cpu)


def _run(setting, turn):
    """One measured turn, extended until it has made all its requests."""
    for _ in range(5):
        sample = load.run(turn.server, turn.load, turn.seconds, turn.connections, setting.load_cpu)
        if sample.requests >= turn.requests:
            return sample
        turn.seconds = math.ceil(max(turn.seconds + 1, turn.requests / sample.per_second * 1.2))
        progress(f"{turn.name}: {sample.requests:,} of {turn.requests:,} requests; again, for {turn.seconds} s")
    raise RuntimeError(f"{turn.name}: {sample.requests:,} requests in {turn.seconds} s, {turn.requests:,} are needed")


def take_turns(setting, turns, rounds=None, seconds=None, before=None):
    """Samples by name. Loads take turns inside a round, so that a slow minute of the machine hits all.

    `before` is called with the server before each turn and is not measured.
    """
    rounds, seconds = rounds or setting.rounds, seconds or setting.seconds
    servers = list({turn.server.port: turn.server for turn in turns}.values())
    warm = set()
    for turn in turns:
        # A JVM compiles its code during a turn; a native server needs only a short warm-up.
        if turn.server.name == "WireMock" or turn.server.port not in warm:
            warm_up(setting, turn, before)
            warm.add(turn.server.port)
        turn.seconds = seconds
    samples = {turn.name: [] for turn in turns}
    for number in range(rounds):
        for turn in turns:
            if before:
                before(turn.server)
            settle(servers)
            sample = _run(setting, turn)
            samples[turn.name].append(sample)
            progress(
                f"round {number + 1}/{rounds}  {turn.name}: {sample.per_second:,.0f} requests/s, "
                f"{sample.cpu_microseconds:,.2f} µs"
            )
    return samples


def ratio(samples, name, base):
    """The median over the rounds of the ratio of two servers' CPU times per request in the same round."""
    return statistics.median(
        one.cpu_microseconds / other.cpu_microseconds for one, other in zip(samples[name], samples[base])
    )
