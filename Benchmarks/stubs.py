"""The stubs of a run as WireMock mappings, and the requests that match each of them."""

import json
import os
import random

# Long enough for the header lines that nginx adds; nginx's body is shortened until the sizes agree.
FILLER = "x" * 160


class StubSet:
    """`count` stubs, numbered from 0. A mixed set has a third each of exact paths, templates and regexes."""

    def __init__(self, count, mixed=False):
        self.count = count
        self.mixed = mixed

    def kind(self, number):
        return ("exact", "template", "regex")[number % 3] if self.mixed else "exact"

    def request_pattern(self, number):
        """The `request` of the mapping. Every stub differs from all others before its first variable part."""
        return {
            "exact": {"method": "GET", "urlPath": f"/api/items/{number:06}"},
            "template": {"method": "GET", "urlPathTemplate": f"/api/shop-{number:06}/users/{{id}}/orders"},
            "regex": {"method": "GET", "urlPathPattern": f"/api/depot-{number:06}/[a-z]+/[0-9]+"},
        }[self.kind(number)]

    def path(self, number):
        """A path that only this stub answers."""
        return {
            "exact": f"/api/items/{number:06}",
            "template": f"/api/shop-{number:06}/users/{number % 997}/orders",
            "regex": f"/api/depot-{number:06}/crates/{number % 991}",
        }[self.kind(number)]

    def mapping(self, number):
        """A WireMock mapping. All bodies have the same length, so every answer of a run has the same size."""
        body = {"id": f"{number:06}", "name": f"Item {number:06}", "stock": 7, "tags": ["new", "blue", "heavy"]}
        return {
            "id": f"00000000-0000-4000-8000-{number:012}",
            "request": self.request_pattern(number),
            "response": {
                "status": 200,
                "headers": {"Content-Type": "application/json", "X-Filler": FILLER},
                "body": json.dumps(body, separators=(",", ":")),
            },
        }

    def check_answers(self, answer):
        """Raises unless up to 300 stubs of all kinds, drawn at random, each give their own answer."""
        draw = random.Random(2)
        for number in draw.sample(range(self.count), min(300, self.count)):
            found = answer(self.path(number))
            if f'"id":"{number:06}"'.encode() not in found:
                raise RuntimeError(f"GET {self.path(number)} was not answered by stub {number}: {found!r}")

    def write_files(self, folder):
        """Writes one file per stub into `folder/mappings`."""
        mappings = os.path.join(folder, "mappings")
        os.makedirs(mappings)
        for number in range(self.count):
            with open(os.path.join(mappings, f"stub-{number:06}.json"), "w", encoding="utf-8") as file:
                json.dump(self.mapping(number), file, indent=2)

    def write_one_file(self, folder):
        """Writes all stubs into one multi-mapping file in `folder/mappings`."""
        write_mappings(folder, [self.mapping(number) for number in range(self.count)])

    def write_paths(self, file_path):
        """Writes the path of every stub, one per line, in a random order that is the same in every run."""
        paths = [self.path(number) for number in range(self.count)]
        random.Random(1).shuffle(paths)
        with open(file_path, "w", encoding="ascii") as file:
            file.write("\n".join(paths) + "\n")


def write_mappings(folder, mappings):
    """Writes mappings into one file in `folder/mappings`."""
    place = os.path.join(folder, "mappings")
    os.makedirs(place)
    with open(os.path.join(place, "stubs.json"), "w", encoding="utf-8") as file:
        json.dump({"mappings": mappings}, file)


def write_delayed(folder, milliseconds):
    """Fills a folder with a single stub `GET /delayed`, which answers after a fixed delay."""
    mapping = {
        "request": {"method": "GET", "urlPath": "/delayed"},
        "response": {"status": 200, "body": "late", "fixedDelayMilliseconds": milliseconds},
    }
    write_mappings(folder, [mapping])
