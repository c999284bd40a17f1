"""Counts of what a request takes inside the daemon: instructions, locks, allocations; one that is sent on beside one that a stub answers.

`python3 -m Benchmarks.counts --daemon .build/bin/stuntdouble` has callgrind count two runs of each, which differ only in the number of
requests. The figures depend on neither the machine's speed nor its load. Linux on x86-64, valgrind and binutils are needed.

- An allocation is a call of `malloc`, `calloc`, `realloc` or of one that aligns, by whoever makes it: Swift, C, a library.
- A lock is a call of `pthread_mutex_lock`, `pthread_mutex_trylock` or of one that locks a `pthread_rwlock_t`; or Swift's `Mutex`, which is
  in line: a compare-and-exchange of 32 bits to lock it, and one to unlock it, where retains and releases take 64 bits.
"""

import argparse
import os
import platform
import re
import shutil
import socket
import subprocess
import tempfile
import threading
from collections import Counter

from Benchmarks import load
from Benchmarks.instructions import callgrind
from Benchmarks.report import Bar, table
from Benchmarks.stubs import write_mappings

FEW, MANY = 500, 2_500
ALLOCATES = re.compile(r"malloc|calloc|realloc|(posix_)?memalign|aligned_alloc")
LOCKS = re.compile(r"pthread_(mutex_(try|timed)?lock|rwlock_(try|timed)?(rd|wr)lock)")
EXCHANGES = re.compile(r"^\s*([0-9a-f]+):\s+lock cmpxchg +%(?:e[a-z]{2}|r\d+d),", re.M)
BODY = b'{"name":"Ada","tags":["one","two"],"note":"' + b"x" * 160 + b'"}'
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class Origin:
    """The other server: one answer for all requests without a body, on connections that stay open. `connections` counts them."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            self.connections += 1
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        rest = b""
        with connection:
            while received := connection.recv(65536):
                *heads, rest = (rest + received).split(b"\r\n\r\n")
                connection.sendall(ANSWER * len(heads))


def read_profile(file, binary, exchanges):
    """The counts of one run. `exchanges` are the addresses in the binary at which 32 bits are exchanged."""
    counts = Counter()
    place = called = ""
    is_call = False
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("0x"):
                # The line behind `calls=` has what the call took, all in all.
                if not is_call:
                    address, _, count = line.split()
                    counts["instructions"] += int(count)
                    if place == binary and int(address, 16) in exchanges:
                        counts["exchanges"] += int(count)
                is_call = False
            elif line.startswith("ob="):
                place = line[3:].strip()
            elif line.startswith("cfn="):
                # Without the version of a symbol and the number of a recursion.
                called = re.split("[@']", line[4:].strip())[0]
            elif line.startswith("calls="):
                is_call = True
                kind = "allocations" if ALLOCATES.fullmatch(called) else "locks" if LOCKS.fullmatch(called) else None
                if kind:
                    counts[kind] += int(line[6:].split()[0])
    return counts


def per_request(daemon, folder, request, exchanges):
    """What one request takes, the start and the end of the daemon left out."""
    runs = []
    for count in (FEW, MANY):
        file = os.path.join(folder, f"callgrind-{count}.out")
        options = ["--dump-instr=yes", "--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={file}"]
        callgrind(daemon, folder, request, count, 1, 200, options)
        runs.append(read_profile(file, daemon, exchanges))
    one = {name: (runs[1][name] - runs[0][name]) / (MANY - FEW) for name in runs[1]}
    return {
        "instructions": one["instructions"],
        "locks": one.get("locks", 0) + one.get("exchanges", 0) / 2,
        "allocations": one.get("allocations", 0),
    }


def unavailable():
    """Why nothing can be counted here; None if it can."""
    if platform.machine() != "x86_64":
        return "locks are found by x86-64's instructions"
    return next((f"{tool} is not there" for tool in ("valgrind", "objdump", "objcopy") if not shutil.which(tool)), None)


def count(daemon, folder):
    """The counts of a request that a stub answers, and of one that is sent on."""
    # Valgrind does not read the debug information of newer compilers, and ends.
    plain = os.path.join(os.path.realpath(folder), "plain-daemon")
    subprocess.run(["objcopy", "--strip-debug", daemon, plain], check=True)
    daemon = plain
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", daemon], capture_output=True, text=True, check=True).stdout
    exchanges = {int(address, 16) for address in EXCHANGES.findall(code)}
    origin = Origin()
    write_mappings(folder, [
        {"request": {"urlPath": "/own"}, "response": {"body": BODY.decode()}},
        {"request": {"urlPathPattern": "/there/.*"}, "response": {"proxyBaseUrl": f"http://127.0.0.1:{origin.port}"}},
    ])
    found = {}
    for name, path in {"a stub's answer": "/own", "a request that is sent on": "/there/4711?page=7"}.items():
        request = load.request("GET", path, {"Accept": "*/*", "User-Agent": "benchmark/1"})
        found[name] = per_request(daemon, folder, request, exchanges)
    if origin.connections > 4:
        raise RuntimeError(f"the daemon has opened {origin.connections} connections in two runs")
    return found


def outcome(found):
    """A table, and the bars of a request that is sent on."""
    columns = ["instructions", "locks", "allocations"]
    rows = [[name, f"{one['instructions']:,.0f}", f"{one['locks']:.1f}", f"{one['allocations']:.1f}"] for name, one in found.items()]
    sent_on = found["a request that is sent on"]
    return (
        table("Inside the daemon, a request", ["", *columns], rows),
        [Bar("locks, a request that is sent on", sent_on["locks"], 6, "", 1),
         Bar("allocations, a request that is sent on", sent_on["allocations"], 30, "", 1)],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", default=".build/bin/stuntdouble")
    options = parser.parse_args()
    if reason := unavailable():
        parser.exit(1, f"counts: {reason}\n")
    with tempfile.TemporaryDirectory() as folder:
        print(outcome(count(options.daemon, folder))[0])


if __name__ == "__main__":
    main()
