#!/usr/bin/env python3
"""Plays the recorded cases of messages.json to a server, and prints where it differs from WireMock 4.

    python3 Tools/oracle/replay_messages.py --url http://127.0.0.1:8080
    python3 Tools/oracle/replay_messages.py --start '.build/debug/stuntdouble serve --port {port} --root-dir {root} {flags}'
    python3 Tools/oracle/replay_messages.py --start 'java -jar wiremock-4.jar --port {port} --root-dir {root} {flags}' --only wait

With `--meant FILE` only that is printed, and is a failure, which is not as that list of differences on purpose says: a case that differs
elsewhere than at its step, is not in the list, or is the same again. Such a case is played once more first, with a server of its own.

With `--url` the cases that need options or files of their own are left out; with `--start` the server is started for them. A line for
each case that differs: its name, the step, the place in what it gives, what was expected and found. The exit status is 1 if any
differs. The form of cases stands in record_messages.py. Only the standard library is used.
"""

import argparse
import concurrent.futures
import http.client
import json
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

from messages.steps import Player, replay

RECORDED = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Oracle" / "messages.json"


def alone(case):
    return "flags" in case or "files" in case


class Server:
    """A server that is started by a command with `{port}`, `{root}` and `{flags}`; its `player` is None if it does not start."""

    def __init__(self, command, case, slow):
        self.command, self.case, self.slow = command, case, slow

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stuntdouble-replay-")
        for name, text in self.case.get("files", {}).items():
            path = pathlib.Path(self.folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        words = []
        for word in shlex.split(self.command):
            words += self.case.get("flags", []) if word == "{flags}" else [word.format(port=port, root=self.folder.name)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.player = None
        for _ in range(300):
            if self.process.poll() is not None:
                break
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                connection.request("GET", "/__admin/health")
                if connection.getresponse().status < 500:
                    self.player = Player("127.0.0.1", port, self.folder.name, self.slow)
                    break
            except OSError:
                time.sleep(0.1)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.folder.cleanup()


def played(case, player, loose, go_on):
    """What differs in a case that has a server of its own, or was played to `player`."""
    if case["steps"] == "did not start":
        return [] if player is None else ["expected that the server does not start with these files and options"]
    return ["the server does not start with these files and options"] if player is None else replay(
        player, case, loose_texts=loose, go_on=go_on)


def apart(case, command, slow, loose, go_on):
    with Server(command, case, slow) as server:
        return played(case, server.player, loose, go_on)


def together(cases, player, loose, go_on):
    """Pairs of a case that one server is enough for, and what differs."""
    for case in cases:
        player.clean()
        yield case, played(case, player, loose, go_on)


def results(cases, url, command, slow, loose, go_on, jobs):
    """Pairs of a case and what differs, None if it was left out."""
    common = [case for case in cases if not alone(case)]
    if url:
        at = urllib.parse.urlsplit(url)
        yield from together(common, Player(at.hostname, at.port or 80, slow=slow), loose, go_on)

    def work(share):
        with Server(command, {}, slow) as server:
            return list(together(share, server.player, loose, go_on))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        shares = [] if url else [share for share in (common[number::jobs] for number in range(jobs)) if share]
        found = [pool.submit(work, share) for share in shares]
        own = [(case, pool.submit(apart, case, command, slow, loose, go_on) if command else None) for case in cases if alone(case)]
        for share in found:
            yield from share.result()
        for case, result in own:
            yield case, result and result.result()


def unmeant(case, differences, meant):
    """What is not as the list of meant differences says; None for nothing."""
    if differences is None:
        return None
    if not differences:
        return "is the same as WireMock's, but stands in the list of differences" if meant else None
    if not meant:
        return differences[0]
    step = re.match(r"step (\d+) ", differences[0])
    return None if (int(step[1]) if step else None) == meant["step"] else f"{differences[0]} (expected to differ at step {meant['step']})"


def main():
    arguments = argparse.ArgumentParser(description="Plays recorded cases of WireMock 4's messages to a server.")
    arguments.add_argument("--url", help="the address of a server that runs")
    arguments.add_argument("--start", help="a command that starts one, with {port}, {root} and {flags}")
    arguments.add_argument("--only", default="", help="a text that is in the names of the cases")
    arguments.add_argument("--slow", type=float, default=1, help="how many times as long as recorded a message is waited for")
    arguments.add_argument("--loose", action="store_true", help="take any text for details of errors and reasons of closes")
    arguments.add_argument("--all", action="store_true", help="go on in a case that differs, and print all that differs in it")
    arguments.add_argument("--meant", type=pathlib.Path, help="a list of differences on purpose, which are no failures")
    arguments.add_argument("--jobs", type=int, default=1, help="how many servers are played to at once, with --start")
    given = arguments.parse_args()
    if not given.url and not given.start:
        arguments.error("expected --url or --start")
    cases = [case for case in json.loads(RECORDED.read_text(encoding="utf-8")) if given.only in case["name"]]
    listed = json.loads(given.meant.read_text(encoding="utf-8")) if given.meant else []
    meant = {one["case"]: one for one in listed}
    strange = sorted(set(meant) - {case["name"] for case in cases}) if not given.only else []
    for name in strange:
        print(f"{name}: there is no such case", flush=True)
    same = differ = skipped = 0
    failures = len(strange)
    for case, differences in results(cases, given.url, given.start, given.slow, given.loose, given.all, given.jobs):
        if given.meant and unmeant(case, differences, meant.get(case["name"])):
            if given.start:
                differences = apart(case, given.start, given.slow, given.loose, given.all)
            said = unmeant(case, differences, meant.get(case["name"]))
            if said:
                failures += 1
                print(f"{case['name']}: {said}", flush=True)
        if differences is None:
            skipped += 1
        elif differences:
            differ += 1
            for line in () if given.meant else differences if given.all else differences[:1]:
                print(f"{case['name']}: {line}", flush=True)
        else:
            same += 1
    print(f"{same} cases are the same, {differ} differ" + (f", {skipped} need --start" if skipped else ""))
    sys.exit(1 if (failures if given.meant else differ) else 0)


if __name__ == "__main__":
    main()
