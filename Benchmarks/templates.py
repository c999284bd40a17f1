"""The cost of a templated JSON body, compared with the same body as constant text and with WireMock."""

import os

from Benchmarks import contenders, load
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, ratio, settle, take_turns
from Benchmarks.stubs import write_mappings

TEMPLATE = (
    '{"id": "{{request.path.id}}", "page": "{{request.query.page}}", "agent": "{{request.headers.X-Client}}", '
    '"at": "{{now}}", "token": "{{randomValue type=\'UUID\'}}", "name": "a text of some length that does not change"}'
)
CONSTANT = (
    '{"id": "4711", "page": "7", "agent": "frontier/8.3", "at": "2026-03-01T12:00:00Z", '
    '"token": "8f3a2b1c-0000-4000-8000-8f3a2b1c4d5e", "name": "a text of some length that does not change"}'
)
HEADERS = {"X-Client": "frontier/8.3", "Accept": "application/json"}


def templates(setting):
    """Three values of the request, `now` and a random value in a JSON body: CPU over that of a constant body."""
    place = setting.place("templates")
    mappings = []
    for path, body, transformers in (("templated", TEMPLATE, ["response-template"]), ("constant", CONSTANT, [])):
        response = {"status": 200, "headers": {"Content-Type": "application/json"}, "body": body}
        if transformers:
            response["transformers"] = transformers
        mappings.append(
            {"request": {"method": "GET", "urlPathTemplate": f"/{path}/{{id}}"}, "response": response}
        )
    write_mappings(place, mappings)
    servers = [
        Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    ]
    if setting.wiremock:
        servers.append(Server("WireMock", contenders.wiremock(setting.wiremock, place), HEALTH, place))
    kinds = ("constant", "templated")
    turns, sizes = [], {}
    for kind in kinds:
        sent = load.request("GET", f"/{kind}/4711?page=7", HEADERS, b"")
        wanted = load.exact(os.path.join(place, f"requests-{kind}"), [sent])
        for server in servers:
            found = load.answer(server.port, sent)
            for text in (b'"id": "4711", "page": "7", "agent": "frontier/8.3", "at": "20', b'"token": "'):
                if text not in found:
                    raise RuntimeError(f"{server.name}, {kind}: expected {text!r}, found {found!r}")
            sizes[f"{server.name}, {kind}"] = len(found)
            turns.append(Turn(f"{server.name}, {kind}", server, wanted, setting.connections))
    settle(servers)
    samples = take_turns(setting, turns)
    for server in servers:
        server.stop()
    rows = []
    for server in servers:
        for kind in kinds:
            name = f"{server.name}, {kind}"
            rows.append(
                [
                    name,
                    figure(median(samples[name], lambda one: one.per_second), 0),
                    figure(median(samples[name], lambda one: one.cpu_microseconds), 2),
                    figure(ratio(samples, name, f"{server.name}, constant"), 2),
                    figure(median(samples[name], lambda one: one.p99_ms), 2),
                    figure(sizes[name], 0),
                ]
            )
    columns = ["", "requests/s", "CPU µs", "ratio to constant", "p99 ms", "bytes"]
    title = "A JSON body with five expressions"
    return Outcome(
        [table(title, columns, rows)],
        [
            Bar(
                "CPU of a templated body over a constant one",
                ratio(samples, "Stunt Double, templated", "Stunt Double, constant"),
                2.0,
                "×",
            )
        ],
    )
