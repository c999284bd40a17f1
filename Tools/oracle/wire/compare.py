#!/usr/bin/env python3
"""Compares the server with llhttp, the parser of node, on generated requests, and explains every difference by a rule.

    compare.py [--count 12000] [--seed N] [--show RULE]

Builds ours.c with cc, runs both, and compares message by message. Prints how often each rule of rules.py explained a
difference. Fails on a difference without a rule, and if the server's result depends on how the bytes are cut. Exits with 77
if a tool is missing.
"""

import argparse
import base64
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from rules import RULES, explain

HERE = pathlib.Path(__file__).resolve().parent
WIRE = HERE.parents[2] / "Sources" / "Wire"
# The targets of the server in C.
REACTOR = [WIRE / name for name in ("CHTTPText", "CLoop", "CTLS", "CReactor")]
LOADING = HERE.parents[2] / "Sources" / "Base" / "CLoading"
COMPARED = ("method", "url", "versionMinor", "headers", "trailers", "body", "keepAlive")
MISSING_TOOL = 77

Outcome = collections.namedtuple("Outcome", "kind code reason")


class Difference:
    """The first difference between two readings of a connection, after `served` equal messages."""

    def __init__(self, raw, llhttp, ours):
        self.raw = raw
        theirs, mine = llhttp["messages"][: llhttp["complete"]], ours["messages"]
        self.served = 0
        while self.served < min(len(theirs), len(mine)) and all(
            theirs[self.served][key] == mine[self.served][key] for key in COMPARED
        ):
            self.served += 1
        self.last_served = mine[self.served - 1] if self.served else None
        self.theirs = outcome(self.served, llhttp, "code")
        self.ours = outcome(self.served, ours, "status")
        self.code, self.reason = self.theirs.code, self.theirs.reason
        self.offset = llhttp["error"]["offset"] if llhttp["error"] else len(raw)
        # llhttp's unfinished messages count as well, because they show the head.
        self.their_message = message_at(llhttp["messages"], self.served)
        if self.their_message is None and self.theirs.kind == "waiting":
            self.their_message = unfinished_head(raw)
        self.our_message = message_at(mine, self.served)
        self.our_head = self.our_message or ours["head"]

    @property
    def is_agreement(self):
        return self.theirs.kind == self.ours.kind and self.theirs.kind != "message"

    def refused_for(self, start):
        return self.their_message is not None and self.ours.reason.startswith(start)

    def __str__(self):
        parts = [f"after {self.served} equal messages", f"llhttp: {describe(self.theirs, self.their_message)}"]
        return "\n  ".join([*parts, f"ours:   {describe(self.ours, self.our_message)}", f"bytes:  {self.raw!r}"])


def message_at(messages, index):
    return messages[index] if index < len(messages) else None


def unfinished_head(raw):
    """The incomplete message at the end of the bytes, read leniently, because llhttp reports nothing about it."""
    lines = re.split("\r?\n", raw.decode("latin-1").split("\r\n\r\n")[-1].lstrip("\r\n"))
    words = lines[0].split()
    version = re.search(" HTTP/([0-9])[.]([0-9])$", lines[0])
    return {
        "method": re.search("[A-Z-]*$", words[0])[0] if words else "",
        "url": words[1] if len(words) > 1 else "",
        "versionMajor": int(version[1]) if version else 0,
        "versionMinor": int(version[2]) if version else 9,
        "headers": [[name, value.strip()] for name, colon, value in (line.partition(":") for line in lines[1:]) if colon],
        "trailers": [],
    }


def outcome(index, result, code):
    if index < result["complete"]:
        return Outcome("message", "", "")
    if result["error"]:
        return Outcome("error", str(result["error"][code]), result["error"]["reason"])
    return Outcome("waiting" if result["incomplete"] else "end", "", "")


def describe(outcome, message):
    return " ".join(filter(None, outcome)) if outcome.kind != "message" else f"message {json.dumps(message)}"


def require(*tools):
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print("missing: " + ", ".join(missing))
        sys.exit(MISSING_TOOL)


def build(folder):
    flags = {
        kind: subprocess.run(["pkg-config", kind, "libevent_core"], check=True, capture_output=True, text=True)
        for kind in ("--cflags", "--libs")
    }
    binary = folder / "ours"
    command = ["cc", "-g", "-O1", "-D_GNU_SOURCE"]
    command += [f"-I{folder}" for target in REACTOR for folder in (target, target / "include")]
    command += [f"-I{folder}" for folder in [LOADING / "include", *(LOADING / "headers").glob("*")] if folder.exists()]
    sources = [*(file for target in REACTOR for file in sorted(target.glob("*.c"))), *LOADING.glob("*.c")]
    command += flags["--cflags"].stdout.split() + [HERE / "ours.c", *sources]
    subprocess.run([*command, *flags["--libs"].stdout.split(), "-lpthread", "-o", binary], check=True)
    return binary


def results(command, cases):
    run = subprocess.run(command, input="".join(cases).encode(), check=True, capture_output=True, cwd=HERE)
    lines = run.stdout.splitlines()
    if len(lines) != len(cases):
        sys.exit(f"{command[0]} answered {len(lines)} of {len(cases)} cases")
    return [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=12000, help="how many cases")
    parser.add_argument("--seed", type=int, help="an earlier run's seed")
    parser.add_argument("--show", help="print the differences that this rule explained")
    options = parser.parse_args()
    require("cc", "node", "pkg-config")
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)

    generated = subprocess.run(
        [sys.executable, "generate.py", "--count", str(options.count), "--seed", str(seed)],
        check=True, capture_output=True, text=True, cwd=HERE,
    )  # fmt: skip
    cases = generated.stdout.splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        binary = build(pathlib.Path(folder))
        ours = results([binary], cases)
        # A tenth is enough, because each byte costs a system call.
        cut = results([binary, "1"], cases[: len(cases) // 10])
    llhttp = results(["node", "--no-deprecation", "llhttp.mjs"], cases)

    explained, unexplained = collections.Counter(), 0
    for number, case in enumerate(cases):
        difference = Difference(base64.b64decode(case), llhttp[number], ours[number])
        if number < len(cut) and cut[number] != ours[number]:
            unexplained += 1
            print(f"case {number} depends on how its bytes are cut: {difference}\n  cut: {cut[number]}")
        if difference.is_agreement:
            continue
        name = explain(difference)
        explained[name] += name is not None
        unexplained += name is None
        if name is None or name == options.show:
            print(f"case {number}, {name or 'not explained'}: {difference}")
    print(f"seed {seed}: {len(cases)} cases, {sum(explained.values())} differences")
    for name, reason, *_ in RULES:
        print(f"{explained[name]:6}  {name}: {reason}")
    if unexplained:
        sys.exit(f"{unexplained} differences that no rule explains")


if __name__ == "__main__":
    main()
