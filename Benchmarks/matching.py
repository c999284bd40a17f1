"""The cost of matching: by kind of matcher, with many stubs at one URL, and if nothing matches."""

import json
import os
import statistics

from Benchmarks import contenders, holds, load
from Benchmarks.contenders import Server
from Benchmarks.kinds import CROWDS, KINDS, crowd_body
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, take_turns
from Benchmarks.stubs import StubSet, write_mappings

# The number of stubs at one URL that differ only in their body matcher.
CROWD = 1000


def kinds(setting):
    """A match of each kind of matcher, compared with a stub that matches the same request by its URL alone."""
    place = setting.place("kinds")
    mappings, turns = [], []
    for number, kind in enumerate(KINDS):
        for path, condition in ((f"/with/{number}", kind.condition), (f"/bare/{number}", {})):
            request = {"method": kind.method, "urlPath": path} | condition
            mappings.append({"request": request, "response": {"status": 200, "body": path}})
    write_mappings(place, mappings)
    server = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    for number, kind in enumerate(KINDS):
        for path in (f"/with/{number}", f"/bare/{number}"):
            sent = load.request(kind.method, path + kind.query, kind.headers, kind.body)
            _expect(server, sent, path, kind.name)
            file = os.path.join(place, path[1:].replace("/", "-"))
            turns.append(Turn(path, server, load.exact(file, [sent]), setting.connections))
    samples = take_turns(setting, turns, rounds=min(setting.rounds, 3), seconds=1)
    server.stop()

    def cost(path):
        return median(samples[path], lambda one: one.cpu_microseconds)

    rows = []
    for number, kind in enumerate(KINDS):
        with_it, bare = samples[f"/with/{number}"], samples[f"/bare/{number}"]
        more = statistics.median(a.cpu_microseconds - b.cpu_microseconds for a, b in zip(with_it, bare))
        rows.append(
            [kind.name, figure(cost(f"/bare/{number}"), 2), figure(cost(f"/with/{number}"), 2), figure(more, 2)]
        )
    columns = ["CPU µs a request", "by URL alone", "with the matcher", "the match"]
    return Outcome([table("One match by kind of matcher, Stunt Double", columns, rows)])


def _expect(server, sent, text, what):
    found = load.answer(server.port, sent)
    if not found.startswith(b"HTTP/1.1 200") or text.encode() not in found.partition(b"\r\n\r\n")[2]:
        raise RuntimeError(f"{what}: expected 200 with {text!r}, found {found!r}")


def crowds(setting):
    """Many stubs at one URL that differ only in their body matcher; the one tried last matches."""
    turns, servers = [], []
    for name, pattern in CROWDS.items():
        for count in (1, CROWD):
            place = setting.place(f"crowd-{len(servers)}")
            write_mappings(place, [_in_crowd(pattern, number) for number in range(count)])
            title = f"{name}, {count:,}"
            server = Server(title, contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
            # The newest of equal stubs is tried first, so number 0 is tried last.
            sent = load.request("POST", "/crowd", {"Content-Type": "text/plain"}, crowd_body(name, 0))
            _expect(server, sent, "stub 0", title)
            turns.append(Turn(title, server, load.exact(os.path.join(place, "requests"), [sent]), setting.connections))
            servers.append(server)
    samples = take_turns(setting, turns, rounds=min(setting.rounds, 3), seconds=1)
    holds.note(setting, turns[1::2], seconds=1)
    for server in servers:
        server.stop()
    rows = []
    for name in CROWDS:
        alone = median(samples[f"{name}, 1"], lambda one: one.cpu_microseconds)
        crowded = median(samples[f"{name}, {CROWD:,}"], lambda one: one.cpu_microseconds)
        rows.append([name, figure(alone), figure(crowded), figure((crowded - alone) / (CROWD - 1), 3)])
    title = "Stubs at one URL that differ in their body matcher, the last one tried matches, Stunt Double"
    return Outcome([table(title, ["CPU µs a request", "1 stub", f"{CROWD:,} stubs", "each further stub"], rows)])


def _in_crowd(pattern, number):
    return {
        "request": {"method": "POST", "urlPath": "/crowd", "bodyPatterns": [pattern(number)]},
        "response": {"status": 200, "body": f"stub {number}"},
    }


def misses(setting):
    """Requests that no stub matches: one at a time, then as many as the daemon can handle."""
    many = setting.many_stubs
    alone, flood, servers = [], [], []
    for count in (1000, many):
        stubs = StubSet(count, mixed=True)
        place = setting.place(f"misses-{count}")
        stubs.write_one_file(place)
        server = Server(
            f"{count:,} stubs", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu
        )
        servers.append(server)
        for what, requests, wants_errors in unmatched(stubs):
            name = f"{what}, {count:,} stubs"
            sent = load.exact(os.path.join(place, f"requests-{len(alone)}"), requests, wants_errors)
            alone.append(Turn(name, server, sent, 1))
            flood.append(Turn(name, server, sent, setting.connections))
    one = take_turns(setting, alone, rounds=min(setting.rounds, 3), seconds=1)
    all_at_once = take_turns(setting, flood, rounds=min(setting.rounds, 3), seconds=1)
    holds.note(setting, alone, seconds=1)
    for server in servers:
        server.stop()
    rows = [
        [
            turn.name,
            figure(median(one[turn.name], lambda sample: sample.p50_ms), 2),
            figure(median(one[turn.name], lambda sample: sample.p99_ms), 2),
            figure(median(one[turn.name], lambda sample: sample.cpu_microseconds), 0),
            figure(median(all_at_once[turn.name], lambda sample: sample.cpu_microseconds), 0),
            figure(median(all_at_once[turn.name], lambda sample: sample.per_second), 0),
        ]
        for turn in alone
    ]
    many_clients = f"{setting.connections} connections"
    columns = ["", "p50 ms", "p99 ms", "CPU µs", f"CPU µs, {many_clients}", f"a second, {many_clients}"]
    bars = [
        Bar(
            f"{turn.name}, CPU, {many_clients}",
            median(all_at_once[turn.name], lambda sample: sample.cpu_microseconds),
            100,
            "µs",
            is_work=True,
        )
        for turn in alone[:3]
    ]
    bars += [
        Bar(f"{turn.name}, p99", median(one[turn.name], lambda sample: sample.p99_ms), 10, "ms")
        for turn in alone
        if turn.server is servers[1]
    ]
    return Outcome([table("Requests that no stub matches, Stunt Double", columns, rows)], bars)


def unmatched(stubs):
    """Name, requests, and whether the answers are errors."""
    paths = [stubs.path(number) for number in range(0, stubs.count, max(1, stubs.count // 1000))]
    misspelt = [path.replace("/api/", "/apl/", 1) for path in paths]
    foreign = [f"/somewhere/else/{number}?page=1" for number in range(100)]
    long = ["/api/items/" + "0123456789abcdef" * 480 + str(number) for number in range(10)]
    described = [
        json.dumps(
            {
                "url": path,
                "absoluteUrl": f"http://localhost{path}",
                "method": "GET",
                "headers": {"Host": "localhost"},
            }
        )
        for path in misspelt
    ]
    return [
        ("404, a misspelt path", [load.request("GET", path) for path in misspelt], True),
        ("404, a path like none", [load.request("GET", path) for path in foreign], True),
        ("404, the method of none", [load.request("DELETE", path) for path in paths], True),
        ("404, a path of 7.7 KB", [load.request("GET", path) for path in long], True),
        (
            "`near-misses/request`",
            [load.request("POST", "/__admin/near-misses/request", body=body.encode()) for body in described],
            False,
        ),
    ]
