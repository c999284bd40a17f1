#!/usr/bin/env python3
"""Long mixed traffic and attacks on one daemon, in plain text, over TLS and HTTP/2: memory levels off, no descriptor leaks, and
no request is lost.

    soak.py --daemon PATH [--seconds 600] [--clients 8] [--seed N] [--save]

Clients create and end sessions, add, edit and remove stubs, reset, send requests that match and that do not, read events,
journals and exports, upload, disconnect in the middle, and send requests that are expensive to match. An attacker runs beside
them. From time to time all pause, and the memory is measured.

Fails if
- an answer is wrong;
- the median of the memory in the last quarter is more than 5 % above that in the second quarter (in a run of less than five
  minutes: and more than 16 MiB), or above that in the first minute (and more than the 4 MiB by which the heap grows at a time);
- descriptors or answers in flight are left after all clients have disconnected;
- the daemon has not counted each request once.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
from Benchmarks import results  # pylint: disable=wrong-import-position
from Tests.daemon import DaemonProcess  # pylint: disable=wrong-import-position
from Tools.soak import attacks  # pylint: disable=wrong-import-position
from Tools.soak.clients import Client  # pylint: disable=wrong-import-position

GROWTH = 1.05
# In a run of fewer seconds, caches and the allocator's pools still fill: this many bytes are no leak.
SHORT_RUN, SLACK = 300, 16 << 20
# The daemon's heap grows in steps of this many bytes, and the last step may come late.
HEAP_STEP = 4 << 20
# Memory samples per second.
RATE = 4
Memory = collections.namedtuple("Memory", "minute second_quarter last_quarter")
# Small limits that are reached soon.
OPTIONS = attacks.OPTIONS + "--match-budget 20 --max-request-journal-entries 2000 --max-request-journal-size 16MiB".split()
STUBS = """
GET /plain: { body: ok }
GET /file: { file: page.html }
GET /large: { file: large.bin }
GET /slow: { body: slow, delay: 50ms }
POST /order: { when: { body: { matchesJsonPath: "$.items[?(@.price > 10)]" } }, status: 201 }
POST /upload: { status: 204 }
POST /dear: { when: { body: { matches: "(a+)+$" } } }
"""


class Daemon(DaemonProcess):
    """The daemon with its stubs, and its figures from the system."""

    def __init__(self, binary, folder):
        served = pathlib.Path(folder) / "mocks"
        (served / "__files").mkdir(parents=True)
        (served / "stubs.yaml").write_text(STUBS, encoding="ascii")
        (served / "__files" / "page.html").write_text("<p>page</p>\n" * 4_000, encoding="ascii")
        with open(served / "__files" / "large.bin", "wb") as large:
            large.truncate(attacks.LARGE_FILE)
        super().__init__(binary, folder, OPTIONS + ["--https-port", "0", "--state-dir", str(pathlib.Path(folder) / "state")])
        self.secure_port = int((pathlib.Path(folder) / "port").read_text(encoding="ascii").split()[1])

    @property
    def resident(self):
        """The memory that the daemon holds, in bytes."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGESIZE")

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def played(daemon, setting):
    """Runs the clients and the attacker. Returns their counts, and for each rest its start in seconds and the samples of
    the daemon's memory in bytes."""
    began = time.monotonic()
    until = began + setting.seconds
    tallies = [collections.Counter() for _ in range(setting.clients + 1)]
    attacker = attacks.Attacker(daemon, setting.seed, tallies[-1])
    clients = [
        Client(daemon.port, setting.seed + number, tallies[number], attacker, daemon.secure_port, is_secure=number % 2 == 1)
        for number in range(setting.clients)
    ]
    failures = []

    def play(client, name):
        try:
            client.run(until)
        except Exception as error:  # pylint: disable=broad-exception-caught
            failures.append(f"{name}: {error or type(error).__name__}")

    names = [f"client {number}" for number in range(setting.clients)] + ["the attacker"]
    threads = [threading.Thread(target=play, args=pair) for pair in zip(clients + [attacker], names)]
    for thread in threads:
        thread.start()
    rests = []
    observer = Client(daemon.port, 0, collections.Counter())
    while time.monotonic() < until and not failures and daemon.process.poll() is None:
        if not attacker.calm.is_set():
            time.sleep(1 / RATE)
            continue
        samples = []
        rests.append((time.monotonic() - began, samples))
        while attacker.calm.is_set():
            samples.append(daemon.resident)
            time.sleep(1 / RATE)
        held = json.loads(observer.ask("GET", "/__admin/memory"))["total"]
        observer.leave()
        text = f"{mib(statistics.median(samples))} after {tallies[-1]['attacks']} attacks, {mib(held)} of them counted"
        print(f"soak: {rests[-1][0]:.0f} s, {text}", flush=True)
    if failures:
        sys.exit("soak: " + "\n      ".join(failures))
    for thread in threads:
        thread.join(120)
    if failures or any(thread.is_alive() for thread in threads):
        sys.exit("soak: " + "\n      ".join(failures or ["a client never ended"]))
    return sum(tallies, collections.Counter()), rests


def check_end(daemon, tally, before):
    """Checks for leftovers after all clients have disconnected."""
    client = Client(daemon.port, 0, collections.Counter())
    for _ in range(300):
        in_flight = json.loads(client.ask("GET", "/__admin/in-flight"))["meta"]["total"]
        client.leave()
        left = daemon.descriptors
        if in_flight == 0 and left <= before:
            break
        time.sleep(0.1)
    else:
        sys.exit(f"soak: {left} descriptors are open, {before} were at the start; {in_flight} answers are in flight")
    sessions = json.loads(client.ask("GET", "/__admin/sessions"))["meta"]["total"]
    stubs = json.loads(client.ask("GET", "/__admin/mappings"))["meta"]["total"]
    counted = json.loads(client.ask("GET", "/__admin/requests/counters"))["requests"]
    client.leave()
    # A client that disconnects sends at most ten requests.
    if not tally["answered"] <= counted <= tally["answered"] + 10 * tally["cut"]:
        sys.exit(f"soak: {counted} requests were counted, {tally['answered']} answered, {tally['cut']} cut off")
    if sessions != 0 or stubs != len(STUBS.strip().splitlines()):
        sys.exit(f"soak: {sessions} sessions and {stubs} stubs are left")


def check_memory(rests, seconds):
    """Compares the last quarter with the second, as the first is warm-up, and with the first minute. Returns the medians in
    bytes."""

    def median(start, end):
        return statistics.median([sample for began, samples in rests if start <= began <= end for sample in samples])

    memory = Memory(median(0, max(60, rests[0][0])), median(seconds / 4, seconds / 2), median(seconds * 3 / 4, seconds))
    early, late = memory.second_quarter, memory.last_quarter
    if late > max(GROWTH * early, early + (SLACK if seconds < SHORT_RUN else 0)):
        sys.exit(f"soak: memory has not levelled off: {mib(early)} in the second quarter, {mib(late)} in the last")
    if seconds >= SHORT_RUN and late > max(GROWTH * memory.minute, memory.minute + HEAP_STEP):
        sys.exit(f"soak: memory has grown: {mib(memory.minute)} in the first minute, {mib(late)} in the last quarter")
    return memory


def mib(size):
    return f"{size / 1048576:.1f} MiB"


def save(setting, tally, before, memory):
    """Writes the figures beside those of the benchmarks."""
    rows = [
        ("clients", setting.clients),
        ("seconds", setting.seconds),
        ("requests", f"{tally['requests']:,}"),
        ("attacks, of the kinds of `Tests/Attack` by turns", f"{tally['attacks']:,}"),
        ("clients that broke off", f"{tally['cut']:,}"),
        ("sessions begun and ended a minute", f"{tally['sessions'] * 60 / setting.seconds:,.0f}"),
        ("memory in the first minute, median", mib(memory.minute)),
        ("memory in the second quarter, median", mib(memory.second_quarter)),
        ("memory in the last quarter, median", mib(memory.last_quarter)),
        ("descriptors before the clients came, and after they had gone", f"{before}, {before} at the most"),
        ("wrong answers", 0),
    ]
    lines = "\n".join(f"| {name} | {value} |" for name, value in rows)
    results.write_soak(f"Mixed traffic on one daemon, and what became of its memory (`make soak`).\n\n| | |\n|---|---:|\n{lines}")


def main():
    parser = argparse.ArgumentParser(prog="soak.py", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seconds", type=int, default=600, help="at least 240, in which each attack comes several times")
    parser.add_argument("--clients", type=int, default=8, help="every second one over TLS; all of them use HTTP/2, too")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--save", action="store_true", help="write the figures into Benchmarks/RESULTS.md")
    setting = parser.parse_args()
    if not os.path.isdir("/proc/self/fd"):
        sys.exit("soak: only Linux tells a process's memory and descriptors")
    if setting.seconds < 240:
        sys.exit("soak: --seconds is to be 240 at least, so that each quarter has all attacks")
    if not os.access(setting.daemon, os.X_OK):
        sys.exit(f"soak: {setting.daemon} is not there; 'make build' makes it")
    print(f"soak: {setting.seconds} s, {setting.clients} clients, seed {setting.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stuntdouble-soak-") as folder:
        daemon = Daemon(setting.daemon, folder)
        try:
            warming = collections.Counter()
            warm = Client(daemon.port, 0, warming, None, daemon.secure_port)
            warm.fill()
            # Loads the libraries, which stay loaded.
            warm.upgrade()
            with warm.dial(is_secure=True):
                pass
            warm.leave()
            time.sleep(1)
            before = daemon.descriptors
            tally, rests = played(daemon, setting)
            tally += warming
            check_end(daemon, tally, before)
            memory = check_memory(rests, setting.seconds)
            if status := daemon.end():
                sys.exit(f"soak: the daemon ended with {status}")
        except BaseException:
            print(daemon.log[-2_000:], file=sys.stderr)
            raise
        finally:
            daemon.kill()
    print(
        f"soak: {tally['requests']:,} requests, {tally['attacks']:,} attacks and {tally['cut']:,} clients that broke off in {setting.seconds} s; "
        f"{mib(memory.minute)} in the first minute, {mib(memory.second_quarter)} in the second quarter, "
        f"{mib(memory.last_quarter)} in the last; no descriptor left, every request counted"
    )
    if setting.save:
        save(setting, tally, before, memory)


if __name__ == "__main__":
    main()
