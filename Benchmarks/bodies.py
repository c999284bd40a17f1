"""The cost of a 1 MiB body with a JSON matcher, compared with WireMock."""

import json
import os
import statistics

from Benchmarks import contenders, holds, load
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, take_turns
from Benchmarks.stubs import write_mappings

SIZE = 1024 * 1024


def document():
    """The rows of a table, about 1 MiB as compact JSON."""
    rows, size = [], 0
    while size < SIZE - 200:
        number = len(rows)
        rows.append(
            {
                "id": number,
                "name": f"Item {number:06} with a name",
                "price": number * 0.25,
                "tags": ["new", "blue", "heavy"],
                "size": {"width": number % 97, "height": number % 89},
                "inStock": number % 3 == 0,
            }
        )
        size += len(json.dumps(rows[-1], separators=(",", ":"))) + 1
    return {"items": rows}


def reordered(whole):
    """The bytes of the document with the members of each row in another order, so that comparing bytes cannot succeed."""
    turned = {"items": [dict(reversed(row.items())) for row in whole["items"]]}
    return json.dumps(turned, separators=(",", ":")).encode()


def write_stubs(place):
    """Writes a stub for each pattern into `place`. Returns the requests: name, number of the stub, bytes."""
    whole = document()
    last = len(whole["items"]) - 1
    patterns = {
        "`equalToJson`": {"equalToJson": json.dumps(whole, separators=(",", ":"))},
        "`matchesJsonPath`": {"matchesJsonPath": f"$.items[?(@.id == {last})]"},
        "URL alone": None,
    }
    mappings = []
    for number, pattern in enumerate(patterns.values()):
        request = {"method": "POST", "urlPath": f"/{number}"}
        if pattern:
            request["bodyPatterns"] = [pattern]
        mappings.append({"request": request, "response": {"status": 200, "body": f"stub {number}"}})
    write_mappings(place, mappings)
    body = reordered(whole)
    return [
        (name, number, load.request("POST", f"/{number}", {"Content-Type": "application/json"}, body))
        for number, name in enumerate(patterns)
    ]


def turns(place, servers, requests):
    """The turns of the servers with those requests, each of which its stub has answered once."""
    turns = []
    for name, number, sent in requests:
        wanted = load.exact(os.path.join(place, f"requests-{number}"), [sent])
        for server in servers:
            found = load.answer(server.port, sent)
            if f"stub {number}".encode() not in found:
                raise RuntimeError(f"{server.name}, {name}: expected stub {number}, found {found[:500]!r}")
            turns.append(Turn(f"{server.name}, {name}", server, wanted, 1))
    return turns


def bodies(setting):
    """The same two stubs and the same body for both servers, on one keep-alive connection each."""
    place = setting.place("bodies")
    requests = write_stubs(place)
    names = [name for name, _, _ in requests]

    servers = [
        Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    ]
    if setting.wiremock:
        servers.append(Server("WireMock", contenders.wiremock(setting.wiremock, place), HEALTH, place))
    all_turns = turns(place, servers, requests)
    samples = take_turns(setting, all_turns, rounds=min(setting.rounds, 3), before=_forget_requests)
    rows = []
    for name in names:
        for server in servers:
            mine = samples[f"{server.name}, {name}"]
            ours = samples[f"Stunt Double, {name}"]
            rows.append(
                [
                    f"{name}, {server.name}",
                    figure(median(mine, lambda one: one.cpu_microseconds) / 1000, 2),
                    figure(
                        statistics.median(a.cpu_microseconds / b.cpu_microseconds for a, b in zip(mine, ours)), 2
                    ),
                    figure(median(mine, lambda one: one.p50_ms), 2),
                    figure(median(mine, lambda one: one.p99_ms), 2),
                ]
            )
    holds.note(setting, [turn for turn in all_turns if turn.server.name == "Stunt Double"])
    for server in servers:
        server.stop()
    bars = [
        Bar(
            f"1 MiB under {name}, CPU",
            median(samples[f"Stunt Double, {name}"], lambda one: one.cpu_microseconds) / 1000,
            3,
            "ms",
            is_work=True,
        )
        for name in names
        if name != "URL alone"
    ]
    title = f"A JSON body of {len(reordered(document())):,} bytes, one keep-alive connection"
    return Outcome([table(title, ["", "CPU ms a request", "ratio", "p50 ms", "p99 ms"], rows)], bars)


def _forget_requests(server):
    """Empties WireMock's journal, which is unbounded and would fill its memory; the daemon's stops at 64 MiB."""
    if server.name != "WireMock":
        return
    found = load.answer(server.port, load.request("DELETE", "/__admin/requests"))
    if not found.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{server.name}: DELETE /__admin/requests: {found!r}")
