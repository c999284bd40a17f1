#!/usr/bin/env python3
"""Records WireMock's answers to the stub mappings in `Tests/Dialect/StubModelTests/Golden/mappings.json` again.

    python3 Tools/oracle/record_mappings.py

The file is a list of exchanges: `given` is posted to `/__admin/mappings`, `status` and `reply` are the answer. To add an
exchange, add an entry with only `given`. For a deviation on purpose, `ours` is the daemon's answer and `why` the reason;
both are kept. A reply that differs only in random ids is kept as well. The jar is found as in record_matching.py.
"""

import json
import sys

import recording
import wiremock

FILE = wiremock.PACKAGE / "Tests/Dialect/StubModelTests/Golden/mappings.json"


def without_ids(given, reply):
    """The reply without random ids, which it has if none was given."""
    if "errors" in reply or given.get("id") or given.get("uuid"):
        return reply
    return {key: value for key, value in reply.items() if key not in ("id", "uuid")}


def read():
    """The exchanges as texts of their members, because the spelling of numbers is recorded, too."""
    return [dict(member(text) for text in recording.split(entry)) for entry in recording.split(recording.compact(FILE.read_text()))]


def member(text):
    """Its name and the text of its value."""
    name, value = text.split(":", 1)
    return json.loads(name), value


def main():
    exchanges = read()
    changed = 0
    with wiremock.WireMock() as server:
        for exchange in exchanges:
            server.call("DELETE", "/__admin/mappings")
            status, text = server.call("POST", "/__admin/mappings", exchange["given"])
            given, text = json.loads(exchange["given"]), text.decode()
            known = without_ids(given, json.loads(exchange["reply"])) if "reply" in exchange else None
            if exchange.get("status") != str(status) or known != without_ids(given, json.loads(text)):
                exchange.update(status=str(status), reply=text)
                changed += 1
    order = ("given", "status", "reply", "why", "ours")
    entries = ["{" + ",".join(f'"{name}":{exchange[name]}' for name in order if name in exchange) + "}" for exchange in exchanges]
    FILE.write_text(recording.one_a_line("[" + ",".join(entries) + "]"))
    print(f"{FILE.name}: {len(exchanges)} exchanges, {changed} changed", file=sys.stderr)


if __name__ == "__main__":
    main()
