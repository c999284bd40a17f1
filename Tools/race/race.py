#!/usr/bin/env python3
"""Many clients at the same time get each of the daemon's successive responses exactly once.

    race.py --daemon PATH [--rounds 20] [--requests 100000] [--clients 64] [--workers 1 4]

Each round requests a scenario with ten successive states, then a stub that answers half of the requests. Every state must
answer its share, the stub exactly its number, and the daemon's counters must agree. Fails at the first round in which they
do not, or with a report of ThreadSanitizer if the daemon was built with it.
"""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1]))
from Tests.daemon import DaemonProcess  # pylint: disable=wrong-import-position

STATES = 10


def compiled(folder):
    """Builds the load tool into the folder."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("clang")
    if not compiler:
        sys.exit("race: a C compiler is needed, cc or clang, or one that CC names")
    tool = folder / "crowd"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-o", str(tool), str(HERE / "crowd.c")]
    if subprocess.run([compiler, *flags], timeout=120, check=False).returncode:
        sys.exit("race: the load tool cannot be built")
    return tool


class Daemon(DaemonProcess):
    """The daemon with an empty folder."""

    def __init__(self, binary, folder, workers, preload=None):
        environment = {"LD_PRELOAD": os.path.abspath(preload)} if preload else {}
        options = ["--no-watch", "--workers", str(workers)]
        super().__init__(binary, tempfile.mkdtemp(dir=folder), options, environment)

    def call(self, method, path, body=None):
        """Calls the admin API; returns the answer's JSON, or None."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, "/__admin" + path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            content = answer.read()
            if answer.status >= 300:
                sys.exit(f"race: {method} {path}: {answer.status} {content.decode(errors='replace')}")
            return json.loads(content) if content.strip() else None
        finally:
            connection.close()

    def end(self):
        """Ends the daemon; fails if it ends with an error."""
        status = super().end()
        if status or "ThreadSanitizer" in self.log:
            sys.exit(f"race: the daemon ended with {status}\n{self.log}")


def crowd(tool, daemon, setting):
    """The number of answers by status and body."""
    command = [tool, str(daemon.port), "/x", str(setting.requests), str(setting.clients)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=1_800, check=False)
    if run.returncode:
        sys.exit(f"race: the clients failed with {run.returncode}")
    counts = {}
    for line in run.stdout.splitlines():
        answer, _, count = line.rpartition(" ")
        counts[answer] = int(count)
    return counts


def counters(daemon):
    """The stubs' own counters by name."""
    return {stub["name"]: stub["matches"] for stub in daemon.call("GET", "/requests/counters")["stubs"]}


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"race: {what}\n  expected {expected}\n  found    {found}")


def cycle(tool, daemon, setting):
    """Ten successive states; the number of requests is a multiple of ten."""
    for state in range(STATES):
        daemon.call(
            "POST",
            "/mappings",
            {
                "name": str(state),
                "request": {"url": "/x"},
                "response": {"body": str(state)},
                "scenarioName": "round",
                "requiredScenarioState": f"s{state}" if state else "Started",
                "newScenarioState": f"s{state + 1}" if state + 1 < STATES else "Started",
            },
        )
    share = setting.requests // STATES
    expect(
        "states that do not answer their shares",
        crowd(tool, daemon, setting),
        {f"200 {state}": share for state in range(STATES)},
    )
    expect("counters", counters(daemon), {str(state): share for state in range(STATES)})
    scenario = daemon.call("GET", "/scenarios")["scenarios"][0]
    expect("the state at the end", scenario["state"], "Started")


def times(tool, daemon, setting):
    """A stub that answers half of the requests, before one that answers all."""
    half = setting.requests // 2
    daemon.call("POST", "/mappings", {"name": "b", "request": {"url": "/x"}, "response": {"body": "b"}})
    daemon.call("POST", "/mappings", {"name": "a", "request": {"url": "/x"}, "response": {"body": "a"}, "times": half})
    rest = setting.requests - half
    expect("answers", crowd(tool, daemon, setting), {"200 a": half, "200 b": rest})
    expect("counters", counters(daemon), {"a": half, "b": rest})
    left = [stub.get("timesLeft") for stub in daemon.call("GET", "/mappings")["mappings"]]
    expect("what is left of its times", left, [0, None])


def main():
    parser = argparse.ArgumentParser(prog="race.py", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--preload", help="a library to load into the daemon, such as that of tsan_mutex.c")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 4])
    setting = parser.parse_args()
    if setting.requests <= 0 or setting.requests % STATES:
        sys.exit(f"race: --requests is to be a multiple of {STATES} above 0, so that the shares are equal")
    if not os.access(setting.daemon, os.X_OK):
        sys.exit(f"race: {setting.daemon} is not there; 'make build' makes it")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="stuntdouble-race-") as folder:
        tool = compiled(pathlib.Path(folder))
        for workers in setting.workers:
            daemon = Daemon(setting.daemon, folder, workers, setting.preload)
            try:
                for number in range(setting.rounds):
                    for play in (cycle, times):
                        play(tool, daemon, setting)
                        daemon.call("POST", "/reset")
                    print(f"race: {workers} workers, round {number + 1} of {setting.rounds}", flush=True)
                daemon.end()
            finally:
                daemon.kill()
    total = setting.rounds * len(setting.workers)
    print(
        f"race: {total} rounds of {setting.requests:,} requests by {setting.clients} clients on a scenario of {STATES} "
        f"states and on a stub with \"times\": {setting.requests // 2}; every share exact; {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
