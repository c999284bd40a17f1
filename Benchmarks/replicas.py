"""What replicas cost: a request's instructions with and without a shared server, round trips, processor time of four.

`python3 -m Benchmarks.replicas --daemon .build/bin/stuntdouble` starts its own redis-server and daemons. Instructions are counted
by callgrind, and depend on neither the machine's speed nor its load; what a replica does twice a second, asked or not, is in them.
Round trips are read from the server's MONITOR. The processor time of four replicas is compared with that of
four daemons that share nothing, for as many requests.
"""

import argparse
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from Benchmarks import load
from Benchmarks.instructions import per_request, read_responses
from Benchmarks.processes import CLOCK_TICKS
from Benchmarks.report import table
from Benchmarks.stubs import write_mappings

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Tests", "Replicas"))
from cluster import REDIS, Cluster  # noqa: E402: it stands in another folder

SHARED = ("STUNTDOUBLE_SHARED", "STUNTDOUBLE_SHARED_NAME")
STATELESS = {"request": {"urlPath": "/stub/500"}, "response": {"body": "x" * 200}}
SCENARIO = [
    {"scenarioName": "ring", "requiredScenarioState": state, "newScenarioState": other, "request": {"urlPath": "/ring"}, "response": {"body": "x" * 200}}
    for state, other in (("Started", "two"), ("two", "Started"))
]


def instructions(daemon, folder):
    """Of a stateless and a stateful request: alone, and as one of several."""
    write_mappings(folder, [STATELESS, *SCENARIO])
    # Valgrind does not read the debug information of newer compilers, and ends.
    plain = os.path.join(os.path.realpath(folder), "plain-daemon")
    subprocess.run(["objcopy", "--strip-debug", daemon, plain], check=True)
    socket_path = os.path.join(folder, "redis.sock")
    redis = subprocess.Popen([REDIS, "--port", "0", "--unixsocket", socket_path, "--save", ""], cwd=folder, stdout=subprocess.DEVNULL)
    try:
        rows = []
        for name, path in {"stateless": "/stub/500", "a scenario's step": "/ring"}.items():
            request = load.request("GET", path, {"Accept": "*/*"})
            alone = per_request(plain, folder, request, counts=(1_000, 4_000))
            os.environ.update(zip(SHARED, (f"unix://{socket_path}", "counts")))
            shared = per_request(plain, folder, request, counts=(1_000, 4_000))
            for variable in SHARED:
                del os.environ[variable]
            rows.append([name, f"{alone:,.0f}", f"{shared:,.0f}", f"{shared / alone:.2f}"])
    finally:
        redis.terminate()
        redis.wait()
    return table("Instructions a request", ["", "alone", "of several", "ratio"], rows)


class Monitor:
    """What clients ask of the shared server, in order: address and command."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(b"MONITOR\r\n")
        self.lines, self.rest = [], b""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while data := self.socket.recv(1 << 20):
            *lines, self.rest = (self.rest + data).split(b"\r\n")
            self.lines += [line.decode("utf-8", "replace") for line in lines]

    def commands(self):
        """Those that clients have sent; what scripts do within is left out."""
        found = [re.match(r'\+([\d.]+) \[\d+ (\S+)\] "(\w+)"(.{0,200})', line) for line in self.lines]
        return [(one[2], one[3].upper(), one[4]) for one in found if one and one[2] != "lua"]


def round_trips(daemon):
    """Commands that one request costs, with what replicas send without being asked for taken away, and those of one verification."""
    cluster = Cluster(daemon, count=4)
    try:
        call = cluster.replicas[0].call
        for stub in [STATELESS, *SCENARIO]:
            assert call("POST", "/__admin/mappings", stub).status == 201
        rows = []
        for name, path in {"stateless": "/stub/500", "a scenario's step": "/ring"}.items():
            time.sleep(1)
            monitor = Monitor(cluster.socket)
            count = 400
            for _ in range(count):
                assert call("GET", path).status == 200
            scripts = [c for c in monitor.commands() if c[1] in ("EVALSHA", "EVAL")]
            rows.append([name, f"{len(scripts) / count:.2f}"])
        time.sleep(1)
        monitor = Monitor(cluster.socket)
        time.sleep(0.05)
        begun = len(monitor.lines)
        assert call("POST", "/__admin/requests/count", {"urlPath": "/ring"}).json["count"] == 400
        time.sleep(0.05)
        monitor.lines = monitor.lines[begun:]
        asked = monitor.commands()
        print("\n".join(f"  {who} {what}{rest[:120]}" for who, what, rest in asked))
    finally:
        cluster.stop()
    return table("Scripts a request has the server run", ["", "scripts"], rows)


def processor_seconds(replicas):
    seconds = 0
    for replica in replicas:
        with open(f"/proc/{replica.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / CLOCK_TICKS
    return seconds


def ask(port, path, count):
    """Requests on one connection, one behind the answer to the other."""
    request = load.request("GET", path, {"Accept": "*/*"})
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with client.makefile("rb") as reader:
            for _ in range(count):
                client.sendall(request)
                read_responses(reader, 1)


def four(daemon, count):
    """The processor time of a request to four daemons that share nothing, and to four replicas; what the four serve thereby, as a
    multiple of one."""
    rows = []
    for name, path in {"stateless": "/stub/500", "a scenario's step": "/ring"}.items():
        each = []
        for is_alone in (True, False, True, False):
            cluster = Cluster(daemon, count=4, is_alone=is_alone)
            try:
                for replica in cluster.replicas if is_alone else cluster.replicas[:1]:
                    for stub in [STATELESS, *SCENARIO]:
                        assert replica.call("POST", "/__admin/mappings", stub).status == 201
                before = processor_seconds(cluster.replicas)
                threads = [threading.Thread(target=ask, args=(r.port, path, count // 4)) for r in cluster.replicas]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                time.sleep(0.5)
                each.append((processor_seconds(cluster.replicas) - before) / count * 1e6)
            finally:
                cluster.stop()
        alone, shared = (each[0] + each[2]) / 2, (each[1] + each[3]) / 2
        rows.append([name, f"{alone:.1f}", f"{shared:.1f}", f"{4 * alone / shared:.1f} ×"])
    return table("Processor time a request, µs", ["", "sharing nothing", "replicas", "four serve"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", default=".build/bin/stuntdouble")
    parser.add_argument("--requests", type=int, default=40_000)
    options = parser.parse_args()
    daemon = os.path.abspath(options.daemon)
    if not REDIS:
        parser.exit(1, "replicas: there is no redis-server\n")
    print(round_trips(daemon))
    print(four(daemon, options.requests))
    with tempfile.TemporaryDirectory() as folder:
        print(instructions(daemon, folder))


if __name__ == "__main__":
    main()
