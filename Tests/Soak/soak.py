#!/usr/bin/env python3
"""Mixed traffic on one daemon for long: memory levels off, no descriptor is leaked, and no request is lost.

    soak.py --daemon PATH [--seconds 600] [--clients 8] [--seed N] [--save]

Clients make sessions and end them, add, edit and remove stubs, reset, send requests that match and that do not, read events,
journals and exports, upload, break off in the middle, and send what is dear to match. Fails if an answer is wrong, if the
median of the memory in the last quarter is more than 5 % above that in the second quarter (in less than five minutes: and
more than 16 MiB) or above that after the first minute (and more than the 4 MiB by which the heap grows at a time), if
descriptors or answers in flight are left once all clients have gone, or if the daemon has not counted each request once.
"""

import argparse
import collections
import http.client
import json
import os
import pathlib
import random
import socket
import statistics
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
from Benchmarks import results  # pylint: disable=wrong-import-position
from Tests.daemon import DaemonProcess  # pylint: disable=wrong-import-position

GROWTH = 1.05
# A run below this many seconds may end while caches and the allocator's pools still fill: so many bytes are no leak.
SHORT_RUN, SLACK = 300, 16 << 20
# The daemon's heap grows in steps of so many bytes, and the last one may come late.
HEAP_STEP = 4 << 20
# Samples of the memory a second.
RATE = 4
Memory = collections.namedtuple("Memory", "minute second_quarter last_quarter")
BODY = 256 << 10
# Small limits, which are reached soon.
OPTIONS = "--match-budget 20 --max-request-journal-entries 2000 --max-request-journal-size 16MiB".split()
STUBS = """
GET /plain: { body: ok }
GET /file: { file: page.html }
GET /slow: { body: slow, delay: 50ms }
POST /order: { when: { body: { matchesJsonPath: "$.items[?(@.price > 10)]" } }, status: 201 }
POST /upload: { status: 204 }
POST /dear: { when: { body: { matches: "(a+)+$" } } }
"""


class Failure(Exception):
    """What the daemon did wrong."""


class Daemon(DaemonProcess):
    """The daemon with stubs of its own, and what the system knows of it."""

    def __init__(self, binary, folder):
        served = pathlib.Path(folder) / "mocks"
        (served / "__files").mkdir(parents=True)
        (served / "stubs.yaml").write_text(STUBS, encoding="ascii")
        (served / "__files" / "page.html").write_text("<p>page</p>\n" * 4_000, encoding="ascii")
        super().__init__(binary, folder, OPTIONS)

    @property
    def resident(self):
        """The memory that the daemon holds, in bytes."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGESIZE")

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


class Client:
    """One client on a connection that it keeps. Requests to stubs of the first session are counted."""

    def __init__(self, port, seed, tally):
        self.port, self.tally, self.random = port, tally, random.Random(seed)
        self.connection = None

    def ask(self, method, path, body=None, headers=None, expected=(200,)):
        """Sends a request; returns the body of the answer."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        fields = headers or {}
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.leave()
            raise
        if answer.status not in expected:
            raise Failure(f"{method} {path}: {answer.status} {content[:300]!r}")
        if not path.startswith("/__admin") and "X-StuntDouble-Session" not in fields:
            self.tally["answered"] += 1
        self.tally["requests"] += 1
        return content

    def leave(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def raw(self, data, reset=True):
        """Sends bytes, and breaks off. Whether the daemon has counted a request nobody knows."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as raw:
            raw.sendall(data)
            if reset:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.tally["cut"] += 1

    def fill(self):
        """Fills the journal, so that its growth is no part of what is measured."""
        while "X-StuntDouble-Evicted" not in self.evicted():
            for _ in range(20):
                self.ask("POST", "/upload", b"x" * BODY, expected=(204,))

    def evicted(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/__admin/requests?limit=1")
        names = connection.getresponse().headers
        connection.close()
        return names

    # What clients do

    def plain(self):
        for _ in range(20):
            self.ask("GET", "/plain")
        self.ask("GET", "/file")
        self.leave()

    def unmatched(self):
        for _ in range(5):
            self.ask("GET", f"/none/{self.random.randrange(1_000)}", expected=(404,))
        self.ask("GET", "/none", headers={"Accept": "application/json"}, expected=(404,))

    def order(self):
        for price in (5, 15):
            items = [{"price": price, "name": "x" * 50} for _ in range(self.random.randrange(1, 100))]
            self.ask("POST", "/order", {"items": items}, expected=(201 if price > 10 else 404,))

    def slow(self):
        self.ask("GET", "/slow")

    def dear(self):
        self.ask("POST", "/dear", "a" * 60 + "b", expected=(500,))

    def upload(self):
        self.ask("POST", "/upload", b"x" * self.random.randrange(BODY), expected=(204,))

    def cut(self):
        place = self.random.randrange(4)
        if place == 0:
            self.raw(b"GET /plain HTT")
        elif place == 1:
            self.raw(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        elif place == 2:
            self.raw(b"POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n" + b"x" * BODY)
        else:
            self.raw(b"GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10, reset=self.random.random() < 0.5)

    def session(self):
        live = json.loads(self.ask("POST", "/__admin/sessions", {"name": "soak"}, expected=(201,)))["id"]
        self.tally["sessions"] += 1
        mine = {"X-StuntDouble-Session": live}
        for number in range(self.random.randrange(1, 20)):
            stub = {"request": {"url": f"/mine/{number}"}, "response": {"body": "mine" * 50}}
            self.ask("POST", "/__admin/mappings", stub, mine, (201,))
            if self.ask("GET", f"/mine/{number}", headers=mine) != b"mine" * 50:
                raise Failure("the answer of another stub")
        self.ask("GET", "/plain", headers=mine)
        self.ask("GET", "/mine/none", headers=mine, expected=(404,))
        if self.random.random() < 0.3:
            self.ask("POST", "/__admin/reset", headers=mine)
        self.ask("GET", f"/__admin/sessions/{live}/report")
        self.ask("DELETE", f"/__admin/sessions/{live}")
        self.ask("GET", "/plain", headers=mine, expected=(410,))

    def stubs(self):
        many = 5 if self.random.random() < 0.9 else 400
        name = f"/{self.random.getrandbits(64):x}"
        mappings = [
            {"request": {"url": f"{name}/{n}"}, "response": {"body": name}, "metadata": {"of": name}} for n in range(many)
        ]
        self.ask("POST", "/__admin/mappings/import", {"mappings": mappings})
        self.ask("GET", f"{name}/{many - 1}")
        found = json.loads(self.ask("POST", "/__admin/mappings/find-by-metadata", self.owned(name)))
        if len(found["mappings"]) != many:
            raise Failure(f"{len(found['mappings'])} stubs of {many}")
        edited = found["mappings"][0]
        edited["response"]["status"] = 202
        self.ask("PUT", f"/__admin/mappings/{edited['id']}", edited)
        self.ask("POST", "/__admin/mappings/remove-by-metadata", self.owned(name))
        self.ask("GET", f"{name}/0", expected=(404,))

    @staticmethod
    def owned(name):
        return {"matchesJsonPath": {"expression": "$.of", "equalTo": name}}

    def journal(self):
        self.ask("GET", "/__admin/requests?limit=50")
        self.ask("POST", "/__admin/requests/count", {"urlPath": "/plain"})
        self.ask("GET", "/__admin/requests/unmatched/near-misses", expected=(200, 500))
        if self.random.random() < 0.1:
            self.ask("GET", "/__admin/requests?format=har")

    def events(self):
        target = b"/__admin/events?after=0" if self.random.random() < 0.3 else b"/__admin/events"
        with socket.create_connection(("127.0.0.1", self.port), timeout=1) as reader:
            reader.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            # One of two reads on, one only holds its connection.
            left = self.random.choice((1, 200_000))
            deadline = time.monotonic() + 2
            while left > 0 and time.monotonic() < deadline:
                try:
                    left -= len(reader.recv(65_536)) or left
                except TimeoutError:
                    break

    def pipeline(self):
        count = 200
        request = b"GET /plain HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as raw:
            raw.sendall(request * (count - 1) + request[:-2] + b"Connection: close\r\n\r\n")
            received = b""
            while part := raw.recv(1 << 20):
                received += part
        answers = received.count(b"HTTP/1.1 200")
        if answers != count:
            raise Failure(f"{answers} answers to a pipeline of {count}")
        self.tally["answered"] += count
        self.tally["requests"] += count

    PLAYS = (
        [plain] * 12
        + [unmatched, order, session] * 4
        + [slow, upload, cut, stubs] * 3
        + [journal, events, pipeline]
        + [dear]
    )

    def run(self, until):
        while time.monotonic() < until:
            play = self.random.choice(self.PLAYS)
            try:
                play(self)
            except (OSError, http.client.HTTPException) as error:
                raise Failure(f"{play.__name__}: {type(error).__name__}: {error}") from error
        self.leave()


def played(daemon, setting):
    """Runs the clients; returns what they did, and the samples of the daemon's memory."""
    until = time.monotonic() + setting.seconds
    tallies = [collections.Counter() for _ in range(setting.clients)]
    failures = []

    def play(number):
        try:
            Client(daemon.port, setting.seed + number, tallies[number]).run(until)
        except Exception as error:  # pylint: disable=broad-exception-caught
            failures.append(f"client {number}: {error or type(error).__name__}")

    threads = [threading.Thread(target=play, args=(number,)) for number in range(setting.clients)]
    for thread in threads:
        thread.start()
    samples = []
    while time.monotonic() < until and not failures and daemon.process.poll() is None:
        samples.append(daemon.resident)
        if len(samples) % 40 == 0:
            print(f"soak: {len(samples) / 4:.0f} s, {samples[-1] / 1048576:.1f} MiB", flush=True)
        time.sleep(1 / RATE)
    if failures:
        sys.exit("soak: " + "\n      ".join(failures))
    for thread in threads:
        thread.join(120)
    if failures or any(thread.is_alive() for thread in threads):
        sys.exit("soak: " + "\n      ".join(failures or ["a client never ended"]))
    return sum(tallies, collections.Counter()), samples


def check_end(daemon, tally, before):
    """Looks at what is left when all clients have gone."""
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
    # A client that breaks off sends ten requests at the most.
    if not tally["answered"] <= counted <= tally["answered"] + 10 * tally["cut"]:
        sys.exit(f"soak: {counted} requests were counted, {tally['answered']} answered, {tally['cut']} cut off")
    if sessions != 0 or stubs != len(STUBS.strip().splitlines()):
        sys.exit(f"soak: {sessions} sessions and {stubs} stubs are left")


def check_memory(samples, seconds):
    """Compares the end with the second quarter, as the first is warming up, and with the end of the first minute. Returns
    the medians in bytes."""
    quarter = len(samples) // 4
    memory = Memory(
        statistics.median(samples[50 * RATE : 60 * RATE] or samples),
        statistics.median(samples[quarter : 2 * quarter]),
        statistics.median(samples[3 * quarter :]),
    )
    early, late = memory.second_quarter, memory.last_quarter
    if late > max(GROWTH * early, early + (SLACK if seconds < SHORT_RUN else 0)):
        sys.exit(f"soak: memory has not levelled off: {mib(early)} in the second quarter, {mib(late)} in the last")
    if seconds >= SHORT_RUN and late > max(GROWTH * memory.minute, memory.minute + HEAP_STEP):
        sys.exit(f"soak: memory has grown: {mib(memory.minute)} after the first minute, {mib(late)} in the last quarter")
    return memory


def mib(size):
    return f"{size / 1048576:.1f} MiB"


def save(setting, tally, before, memory):
    """Keeps the figures beside those of the bench."""
    rows = [
        ("clients", setting.clients),
        ("seconds", setting.seconds),
        ("requests", f"{tally['requests']:,}"),
        ("clients that broke off", f"{tally['cut']:,}"),
        ("sessions begun and ended a minute", f"{tally['sessions'] * 60 / setting.seconds:,.0f}"),
        ("memory after the first minute", mib(memory.minute)),
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
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--save", action="store_true", help="write the figures into Benchmarks/RESULTS.md")
    setting = parser.parse_args()
    if not os.path.isdir("/proc/self/fd"):
        sys.exit("soak: only Linux tells a process's memory and descriptors")
    if setting.seconds < 20:
        sys.exit("soak: --seconds is to be 20 at least, so that memory can level off")
    if not os.access(setting.daemon, os.X_OK):
        sys.exit(f"soak: {setting.daemon} is not there; 'make build' makes it")
    print(f"soak: {setting.seconds} s, {setting.clients} clients, seed {setting.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stuntdouble-soak-") as folder:
        daemon = Daemon(setting.daemon, folder)
        try:
            warming = collections.Counter()
            warm = Client(daemon.port, 0, warming)
            warm.fill()
            warm.leave()
            time.sleep(1)
            before = daemon.descriptors
            tally, samples = played(daemon, setting)
            tally += warming
            check_end(daemon, tally, before)
            memory = check_memory(samples, setting.seconds)
            if status := daemon.end():
                sys.exit(f"soak: the daemon ended with {status}")
        except BaseException:
            print(daemon.log[-2_000:], file=sys.stderr)
            raise
        finally:
            daemon.kill()
    print(
        f"soak: {tally['requests']:,} requests and {tally['cut']:,} clients that broke off in {setting.seconds} s; "
        f"{mib(memory.minute)} after the first minute, {mib(memory.second_quarter)} in the second quarter, "
        f"{mib(memory.last_quarter)} in the last; no descriptor left, every request counted"
    )
    if setting.save:
        save(setting, tally, before, memory)


if __name__ == "__main__":
    main()
