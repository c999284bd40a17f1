"""Converts the results of a client into outcomes that can be compared between servers."""

import re

IDENTIFIER = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)")
# Members that are not strings and differ between runs; a number with such a name is replaced by a constant.
CLOCKS = {"loggedDate", "totalTime", "processTime", "responseSendTime", "serveTime"}
PORTS = {"port"}
# Sets that are written as lists, with their sort keys.
SETS = {"possibleStates": str, "scenarios": lambda scenario: scenario["name"]}


class Normaliser:
    """Removes the parts of an outcome that differ between runs: ids, dates, timings, the port."""

    def __init__(self, url):
        self.port = url.rsplit(":", 1)[1].strip("/")
        self.names = {}

    def of(self, value, key=None):
        if isinstance(value, dict):
            return {self.string(name): self.of(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [self.of(item) for item in (sorted(value, key=SETS[key]) if key in SETS else value)]
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if key in CLOCKS:
                return "NUMBER"
            if key in PORTS and str(value) == self.port:
                return "PORT"
        return value

    def string(self, value):
        value = IDENTIFIER.sub(lambda found: self.names.setdefault(found[0], f"id {len(self.names) + 1}"), value)
        return DATE.sub("DATE", value).replace(":" + self.port, ":PORT")
