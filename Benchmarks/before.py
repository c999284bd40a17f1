"""The daemon of an older build and that of this one, in turns in one run."""

import os
import statistics

from Benchmarks import bodies, contenders, load, matching
from Benchmarks.contenders import Server
from Benchmarks.first_answer import measure
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, progress, ratio, take_turns
from Benchmarks.slices import take_slices
from Benchmarks.stubs import StubSet

OLD, NEW = "before", "after"


def before_and_after(setting):
    """What the design sets bars for, with both binaries: starts, memory, served requests, 404s and large bodies."""
    binaries = {OLD: setting.before, NEW: setting.daemon}
    rows, starts = [], {}
    empty = setting.place("before-empty")
    many = setting.place("before-many")
    StubSet(setting.many_stubs, mixed=True).write_one_file(many)
    for title, place, runs in (
        ("start, an empty folder, ms", empty, setting.starts * 5),
        (f"load of {setting.many_stubs:,} stubs, ms", many, 5),
    ):
        starts[place] = _starts(binaries, place, runs)
        rows.append(_row(title, {name: statistics.median(times) for name, times in starts[place].items()}))
    rows.append(_row(f"{setting.many_stubs:,} stubs, resident MiB", _resident(setting, binaries, many)))

    served = _served(setting, binaries)
    for samples, kinds, unit in (
        (served, ("a static request",), 1),
        (_unmatched(setting, binaries), None, 1),
        (_large(setting, binaries), None, 1000),
    ):
        for kind in kinds or [name.removeprefix(f"{NEW}, ") for name in samples if name.startswith(NEW)]:
            cpu = {
                name: median(samples[f"{name}, {kind}"], lambda one: one.cpu_microseconds) / unit for name in binaries
            }
            by_round = ratio(samples, f"{NEW}, {kind}", f"{OLD}, {kind}")
            rows.append(_row(f"{kind}, CPU {'ms' if unit == 1000 else 'µs'}", cpu, by_round))

    title = "Before and after, in turns"
    return Outcome(
        [table(title, ["", OLD, NEW, "ratio"], rows)],
        [
            Bar(
                "CPU of a static request, after over before",
                ratio(served, f"{NEW}, a static request", f"{OLD}, a static request"),
                1.02,
                "×",
                3,
            ),
            Bar("start from an empty folder, after over before", _quotient(starts[empty]), 1.05, "×"),
        ],
    )


def _row(title, values, by_round=None):
    quotient = by_round if by_round is not None else values[NEW] / values[OLD]
    return [title, figure(values[OLD], 2), figure(values[NEW], 2), figure(quotient, 2)]


def _quotient(times):
    return statistics.median(times[NEW]) / statistics.median(times[OLD])


def _starts(binaries, place, runs):
    """The times to the first answer in ms, by binary."""
    progress(f"starts of both binaries, {os.path.basename(place)}")
    times = {name: [] for name in binaries}
    for _ in range(runs):
        for name, binary in binaries.items():
            times[name] += [seconds * 1000 for seconds in measure(contenders.stunt_double(binary, place), HEALTH, runs=1)]
    return times


def _resident(setting, binaries, place):
    found = {}
    for server in _servers(setting, binaries, place):
        found[server.name] = server.process.resident_mib()
        server.stop()
    return found


def _served(setting, binaries):
    place = setting.place("before-static")
    stubs = StubSet(1000)
    stubs.write_files(place)
    paths_file = os.path.join(place, "paths.txt")
    stubs.write_paths(paths_file)
    paths = load.paths(paths_file)
    return _run(setting, binaries, place, lambda servers: [
        Turn(f"{server.name}, a static request", server, paths, setting.connections) for server in servers
    ], take=take_slices)


def _unmatched(setting, binaries):
    place = setting.place("before-misses")
    stubs = StubSet(1000, mixed=True)
    stubs.write_one_file(place)
    kinds = [
        (what, load.exact(os.path.join(place, f"requests-{number}"), requests, wants_errors))
        for number, (what, requests, wants_errors) in enumerate(matching.unmatched(stubs)[:3])
    ]
    return _run(setting, binaries, place, lambda servers: [
        Turn(f"{server.name}, {what}", server, sent, setting.connections) for what, sent in kinds for server in servers
    ], seconds=1)


def _large(setting, binaries):
    place = setting.place("before-bodies")
    requests = bodies.write_stubs(place)
    return _run(
        setting, binaries, place, lambda servers: bodies.turns(place, servers, requests), rounds=min(setting.rounds, 3)
    )


def _run(setting, binaries, place, turns, take=take_turns, **limits):
    servers = _servers(setting, binaries, place)
    samples = take(setting, turns(servers), **limits)
    for server in servers:
        server.stop()
    return samples


def _servers(setting, binaries, place):
    return [
        Server(name, contenders.stunt_double(binary, place), HEALTH, setting.folder, setting.server_cpu)
        for name, binary in binaries.items()
    ]
