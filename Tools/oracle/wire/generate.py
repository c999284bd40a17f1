#!/usr/bin/env python3
"""Generates requests for comparing HTTP/1.1 parsers: valid ones of every shape, and invalid ones of many kinds.

    generate.py [--count 12000] [--seed N] [--labels FILE]

Prints one case per line in base64: the bytes of one connection, with one request or several pipelined ones. The seed is
printed on standard error; the same seed and count give the same bytes. `--labels` writes the name of each case's recipe to a
file, line by line: `valid-…` is valid by RFC 9112, `odd-…` may be treated differently by parsers, `bad-…` has one deliberate
error, and `mutated` was changed at random and may be anything.
"""

import argparse
import base64
import random
import sys

from right import Odd
from wrong import Bad


class Generator(Bad, Odd):
    """All recipes, and random changes to the valid ones."""

    def mutated(self):
        request = bytearray(self.random.choice(self.valid_makers)())
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 8])):
            at = self.random.randrange(len(request)) if request else 0
            kind = self.random.randrange(8)
            if not request or kind == 0:
                request.insert(at, self.random.randrange(256))
            elif kind == 1:
                request[at] ^= 1 << self.random.randrange(8)
            elif kind == 2:
                request[at] = self.random.choice(b"\r\n\t :;,\x00/0-")
            elif kind == 3:
                del request[at]
            elif kind == 4:
                request[at:at] = request[at : at + self.random.randint(1, 20)]
            elif kind == 5:
                del request[at : at + self.random.randint(1, 20)]
            elif kind == 6:
                request[at:at] = self.random.choice(
                    [b"\r\n", b"\n", b"\r", b" ", b"\r\n ", b"\r\n\r\n", b"Content-Length: 3\r\n"]
                )
            else:
                at = self.random.randrange(len(request))
                other = self.random.randrange(len(request))
                request[at], request[other] = request[other], request[at]
        return bytes(request)

    def recipes(self):
        """Every recipe by its label; `valid` ones twice, so that about half of all cases may be valid."""
        named = {
            name.replace("_", "-"): getattr(self, name)
            for name in sorted(dir(type(self)))
            if name.startswith(("valid_", "odd_", "bad_"))
        }
        self.valid_makers = [maker for name, maker in named.items() if name.startswith("valid-")]
        weighted = [
            (name, maker) for name, maker in named.items() for _ in range(2 if name.startswith("valid-") else 1)
        ]
        return weighted + [("mutated", self.mutated)] * 16


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=12000, help="how many cases")
    parser.add_argument("--seed", type=int, help="an earlier run's seed")
    parser.add_argument("--labels", help="write the recipe of each case to this file")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}, {options.count} cases", file=sys.stderr)

    generator = Generator(seed)
    recipes = generator.recipes()
    labels = []
    for number in range(options.count):
        # First every recipe in turn, so that even a short run has all of them.
        label, maker = recipes[number] if number < len(recipes) else generator.random.choice(recipes)
        labels.append(label)
        sys.stdout.write(base64.b64encode(maker()).decode() + "\n")
    if options.labels:
        with open(options.labels, "w", encoding="ascii") as file:
            file.write("\n".join(labels) + "\n")


if __name__ == "__main__":
    main()
