"""What all scenarios share: what they are told, what they return, and turns of load that can be compared."""

import os
import statistics
import time
from dataclasses import dataclass, field

from Benchmarks import load
from Benchmarks.contenders import Server

HEALTH = "/__admin/health"


@dataclass
class Setting:
    """What every scenario needs to know."""

    daemon: str
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

    def place(self, name):
        """A new folder of that name below the folder of the run."""
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
    """Waits, at most 10 s, until no server uses the processor: a JVM still compiles and collects after its turn."""
    for _ in range(100):
        before = sum(server.process.cpu_seconds() for server in servers)
        time.sleep(0.1)
        if sum(server.process.cpu_seconds() for server in servers) - before < 0.02:
            return


@dataclass
class Turn:
    """One of the loads that take turns: what is asked, of whom, and over how many connections."""

    name: str
    server: Server
    load: load.Load
    connections: int


def _warm(setting, turn, before):
    if before:
        before(turn.server)
    seconds = 10 if turn.server.name == "WireMock" and setting.seconds > 1 else 1
    load.run_wrk(turn.server, turn.load, seconds, turn.connections, setting.load_cpu)


def take_turns(setting, turns, rounds=None, seconds=None, before=None):
    """Samples by name. Loads take turns inside a round, so that a slow minute of the machine hits all.

    `before` is called with the server before each turn and is not measured.
    """
    rounds, seconds = rounds or setting.rounds, seconds or setting.seconds
    servers = list({turn.server.port: turn.server for turn in turns}.values())
    warm = set()
    for turn in turns:
        # A JVM compiles what a turn makes it do; a native server only has to be touched once.
        if turn.server.name == "WireMock" or turn.server.port not in warm:
            _warm(setting, turn, before)
            warm.add(turn.server.port)
    samples = {turn.name: [] for turn in turns}
    for number in range(rounds):
        for turn in turns:
            if before:
                before(turn.server)
            settle(servers)
            sample = load.run_wrk(turn.server, turn.load, seconds, turn.connections, setting.load_cpu)
            samples[turn.name].append(sample)
            progress(
                f"round {number + 1}/{rounds}  {turn.name}: {sample.per_second:,.0f} requests/s, "
                f"{sample.cpu_microseconds:,.2f} µs"
            )
    return samples


def ratio(samples, name, base):
    """The median over the rounds of one server's CPU time a request over another's in the same round."""
    return statistics.median(
        one.cpu_microseconds / other.cpu_microseconds for one, other in zip(samples[name], samples[base])
    )
