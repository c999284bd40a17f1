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


def bodies(setting):
    """The same two stubs and the same body for both servers, on one keep-alive connection each."""
    place = setting.place("bodies")
    whole = document()
    last = len(whole["items"]) - 1
    patterns = {
        "`equalToJson`": {"equalToJson": json.dumps(whole, separators=(",", ":"))},
        "`matchesJsonPath`": {"matchesJsonPath": f"$.items[?(@.id == {last})]"},
        "URL alone": None,
    }
    body = reordered(whole)
    mappings = []
    for number, pattern in enumerate(patterns.values()):
        request = {"method": "POST", "urlPath": f"/{number}"}
        if pattern:
            request["bodyPatterns"] = [pattern]
        mappings.append({"request": request, "response": {"status": 200, "body": f"stub {number}"}})
    write_mappings(place, mappings)

    servers = [
        Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    ]
    if setting.wiremock:
        servers.append(Server("WireMock", contenders.wiremock(setting.wiremock, place), HEALTH, place))
    turns = []
    for number, name in enumerate(patterns):
        sent = load.request("POST", f"/{number}", {"Content-Type": "application/json"}, body)
        wanted = load.exact(os.path.join(place, f"requests-{number}"), [sent])
        for server in servers:
            found = load.answer(server.port, sent)
            if f"stub {number}".encode() not in found:
                raise RuntimeError(f"{server.name}, {name}: expected stub {number}, found {found[:500]!r}")
            turns.append(Turn(f"{server.name}, {name}", server, wanted, 1))
    samples = take_turns(setting, turns, rounds=min(setting.rounds, 3), before=_forget_requests)
    rows = []
    for name in patterns:
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
    holds.note(setting, [turn for turn in turns if turn.server.name == "Stunt Double"])
    for server in servers:
        server.stop()
    bars = [
        Bar(
            f"1 MiB under {name}, CPU",
            median(samples[f"Stunt Double, {name}"], lambda one: one.cpu_microseconds) / 1000,
            3,
            "ms",
        )
        for name in patterns
        if name != "URL alone"
    ]
    title = f"A JSON body of {len(body):,} bytes, one keep-alive connection"
    return Outcome([table(title, ["", "CPU ms a request", "ratio", "p50 ms", "p99 ms"], rows)], bars)


def _forget_requests(server):
    """Empties WireMock's journal, which is unbounded and would fill its memory; the daemon's stops at 64 MiB."""
    if server.name != "WireMock":
        return
    found = load.answer(server.port, load.request("DELETE", "/__admin/requests"))
    if not found.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{server.name}: DELETE /__admin/requests: {found!r}")
