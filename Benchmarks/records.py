"""A collection of 10,000 records: lists that are filtered, sorted and paged, and its other requests."""

import json
import os

from Benchmarks import contenders, load
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, take_turns

COUNT = 10_000
CITIES = ["Oslo", "Rome", "Lima", "Kyiv", "Bonn", "Cork", "Pune", "Baku", "Doha", "Riga"]

# Name, path, and how many records meet the conditions.
REQUESTS = [
    ("one record", "/items/5000", None),
    ("a page of 20", "/items?_page=250&_limit=20", COUNT),
    ("equal, a page of 20", "/items?city=Lima&_page=3&_limit=20", COUNT // 10),
    ("nested, range, a page of 20", "/items?owner.level_gte=5&price_lt=500&_page=3&_limit=20", COUNT // 4),
    ("filtered, sorted, a page of 20", "/items?city=Lima&_sort=-price,name&_page=3&_limit=20", COUNT // 10),
    ("all sorted, a page of 20", "/items?_sort=-price,name&_page=250&_limit=20", COUNT),
    ("`_like`, a page of 20", "/items?name_like=7%24&_page=3&_limit=20", COUNT // 10),
    ("`q`, a page of 20", "/items?q=item%20number%20777&_page=1&_limit=20", 11),
    ("the whole list", "/items", COUNT),
]


def _record(number):
    return {
        "id": number,
        "name": f"Item number {number}",
        "city": CITIES[number % 10],
        "price": (number * 7919) % 1000,
        "owner": {"name": f"owner-{number % 97}", "level": number // 10 % 10},
        "tags": ["new", "blue"],
    }


def records(setting):
    """The processor time of one request for a part of 10,000 records."""
    place = setting.place("records")
    os.makedirs(os.path.join(place, "__files"), exist_ok=True)
    with open(os.path.join(place, "__files", "items.json"), "w", encoding="utf-8") as file:
        json.dump([_record(number) for number in range(1, COUNT + 1)], file)
    with open(os.path.join(place, "items.json"), "w", encoding="utf-8") as file:
        json.dump({"CRUD /items": {"data": "items.json"}}, file)
    server = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    turns = []
    for number, (name, path, total) in enumerate(REQUESTS):
        sent = load.request("GET", path)
        found = load.answer(server.port, sent)
        head = found.partition(b"\r\n\r\n")[0]
        if b" 200 " not in head or (total is not None and f"X-Total-Count: {total}\r".encode() not in head + b"\r"):
            raise RuntimeError(f"{name}: expected {total} records, found {head!r}")
        turns.append(Turn(name, server, load.exact(os.path.join(place, f"requests-{number}"), [sent]), 1))
    samples = take_turns(setting, turns, rounds=min(setting.rounds, 3), seconds=1)
    server.stop()

    def cost(name):
        return median(samples[name], lambda one: one.cpu_microseconds) / 1000

    rows = [
        [turn.name, figure(cost(turn.name), 3), figure(median(samples[turn.name], lambda one: one.p99_ms), 2)]
        for turn in turns
    ]
    title = f"A collection of {COUNT:,} records, one connection, Stunt Double"
    return Outcome(
        [table(title, ["", "CPU ms a request", "p99 ms"], rows)],
        [
            Bar("10,000 records, filtered and paged, CPU", cost("equal, a page of 20"), 5, "ms", is_work=True),
            Bar("10,000 records, filtered, sorted and paged, CPU", cost("filtered, sorted, a page of 20"), 10, "ms", is_work=True),
        ],
    )
