#!/usr/bin/env python3
"""Asks the real WireMock anew what it answers to the stub mappings of `Tests/Dialect/StubModelTests/Golden/mappings.json`.

    python3 Tests/Oracle/record_mappings.py

The file is a list of exchanges: `given` is posted to `/__admin/mappings`, `status` and `reply` are what came back. To add an
exchange, add an entry with `given` alone. Where we mean to differ, `ours` is our answer and `why` the reason; both are kept.
A reply that differs in random ids alone is kept as it is. The jar is found as record_matching.py finds it.
"""

import json
import re
import sys

import record_matching
import wiremock

FILE = wiremock.PACKAGE / "Tests/Dialect/StubModelTests/Golden/mappings.json"


def without_ids(given, reply):
    """The reply without the ids that are random because none was given."""
    if "errors" in reply or given.get("id") or given.get("uuid"):
        return reply
    return {key: value for key, value in reply.items() if key not in ("id", "uuid")}


def read():
    """The exchanges as their members' texts: a number's spelling is part of what is recorded."""
    exchanges = []
    for entry in FILE.read_text().strip().removeprefix("[\n{\n").removesuffix("\n}\n]").split("\n},\n{\n"):
        members = re.split(r'(?:^|,\n)"(given|status|reply|ours|why)": ', entry)[1:]
        if members:
            exchanges.append(dict(zip(members[::2], members[1::2])))
    return exchanges


def main():
    exchanges = read()
    server = record_matching.Server(wiremock.find_jar())
    changed = 0
    try:
        for exchange in exchanges:
            server.call("DELETE", "/__admin/mappings")
            status, text = server.call("POST", "/__admin/mappings", text=exchange["given"])
            given, text = json.loads(exchange["given"]), text.decode()
            known = without_ids(given, json.loads(exchange["reply"])) if "reply" in exchange else None
            if exchange.get("status") != str(status) or known != without_ids(given, json.loads(text)):
                exchange.update(status=str(status), reply=text)
                changed += 1
    finally:
        server.stop()
    order = ("given", "status", "reply", "why", "ours")
    entries = [",\n".join(f'"{name}": {exchange[name]}' for name in order if name in exchange) for exchange in exchanges]
    FILE.write_text("[\n{\n" + "\n},\n{\n".join(entries) + "\n}\n]\n")
    print(f"{FILE.name}: {len(exchanges)} exchanges, {changed} changed", file=sys.stderr)


if __name__ == "__main__":
    main()
