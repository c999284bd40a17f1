#!/usr/bin/env python3
"""Records WireMock's answers to the stub mappings in `Tests/Dialect/StubModelTests/Golden/mappings.json` again.

    python3 Tests/Oracle/record_mappings.py

The file is a list of exchanges: `given` is posted to `/__admin/mappings`, `status` and `reply` are the answer. To add an
exchange, add an entry with only `given`. For a deviation on purpose, `ours` is the daemon's answer and `why` the reason;
both are kept. A reply that differs only in random ids is kept as well. The jar is found as in record_matching.py.
"""

import json
import re
import sys

import record_matching
import wiremock

FILE = wiremock.PACKAGE / "Tests/Dialect/StubModelTests/Golden/mappings.json"


def without_ids(given, reply):
    """The reply without random ids, which it has if none was given."""
    if "errors" in reply or given.get("id") or given.get("uuid"):
        return reply
    return {key: value for key, value in reply.items() if key not in ("id", "uuid")}


def read():
    """The exchanges as texts of their members, because the spelling of numbers is recorded, too."""
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
