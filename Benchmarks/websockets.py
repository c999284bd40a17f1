"""WebSockets beside a bare echo on libevent (`echo.c`): open ones, a broadcast, and messages that come back.

`python3 -m Benchmarks.websockets --daemon .build/bin/stuntdouble` also counts the instructions of one message, by callgrind.
"""

import argparse
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

from Benchmarks import contenders, processes
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, progress, settle

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = os.path.join(os.path.dirname(HERE), "Sources", "Wire", "CWebSocket")
#: What is sent back, in bytes; and the bytes of a broadcast.
SIZE, BROADCAST = 100, 1024
CONNECTIONS = 64
FEW, MANY = 2_000, 10_000
BARE = "bare"


def compiled(folder):
    """The load, and the bare echo."""
    compiler = [os.environ.get("CC", "cc"), "-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE"]
    load, echo = os.path.join(folder, "channels"), os.path.join(folder, "echo")
    sources = sorted(os.path.join(FRAMES, name) for name in os.listdir(FRAMES) if name.endswith(".c"))
    subprocess.run([*compiler, "-o", load, os.path.join(HERE, "channels.c")], check=True, timeout=60)
    command = [*compiler, "-I", os.path.join(FRAMES, "include"), "-o", echo, os.path.join(HERE, "echo.c"), *sources]
    subprocess.run([*command, "-levent_core", "-lz"], check=True, timeout=60)
    return load, echo


def channel(path):
    return {"type": "websocket", "initiatingRequestPattern": {"urlPath": path}}


def write_stubs(place):
    """`/echo` sends back what comes, `/all` sends it to all who have opened `/idle`."""
    folder = os.path.join(place, "message-mappings")
    os.makedirs(folder)
    os.makedirs(os.path.join(place, "mappings"))
    everybody = {"type": "request-initiated", "requestPattern": {"urlPath": "/idle"}}
    stubs = [
        {"trigger": {"type": "message", "channel": channel("/echo"), "message": {}},
         "actions": [{"type": "send", "message": {"body": "{{message.body}}"}}]},
        {"trigger": {"type": "message", "channel": channel("/all"), "message": {}},
         "actions": [{"type": "send", "message": {"body": "x" * BROADCAST}, "channelTarget": everybody}]},
    ]
    with open(os.path.join(folder, "stubs.json"), "w", encoding="utf-8") as file:
        json.dump({"messageMappings": stubs}, file)


class Bare:
    """`echo.c` on its way."""

    def __init__(self, tool, folder, cpu=None):
        self.port = processes.free_port()
        self.process = processes.Process([tool, str(self.port)], os.path.join(folder, "echo.log"), cpu)
        wait_for_port(self.port)

    def stop(self):
        return self.process.stop()


def wait_for_port(port, seconds=60):
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


class Clients:
    """`channels.c` on its way."""

    def __init__(self, tool, port, path, count, cpu=None):
        command = [tool, str(port), path, str(count)]
        command = command if cpu is None else ["taskset", "--cpu-list", str(cpu), *command]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.opening = self.answer()

    def answer(self):
        """The seconds that it took."""
        line = self.process.stdout.readline()
        if not line.startswith("RESULT "):
            raise RuntimeError(f"the clients of WebSocket ended: {self.process.wait()}")
        return int(line.split()[1]) / 1e6

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line):
        self.tell(line)
        return self.answer()

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.wait(60):
            raise RuntimeError("the clients of WebSocket failed")


def cpu_times(process):
    """The CPU time of all its threads in ms, and how much of it in the kernel, in steps of one clock tick."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii", errors="replace") as file:
        user, kernel = (int(word) * 1000 / processes.CLOCK_TICKS for word in file.read().rpartition(")")[2].split()[11:13])
    return user + kernel, kernel


def call(port, method, path, document=None):
    data = None if document is None else json.dumps(document).encode()
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/__admin{path}", data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return answer.read()


def counted(process, clients, work):
    """What a broadcast takes of the server, and the seconds until all have it."""
    clients.tell(f"take {BROADCAST}")
    before = cpu_times(process)
    work()
    seconds = clients.answer()
    # What the answer to the call takes, which may be written later.
    time.sleep(0.3)
    after = cpu_times(process)
    return after[0] - before[0], after[1] - before[1], seconds * 1000


def many(setting, tools, daemon, bare):
    """Many channels that nobody uses: their memory; and a message to all."""
    load, _ = tools
    count = setting.in_flight
    settle([daemon])
    before, ledger = daemon.process.resident_mib(), held(daemon)
    ours, theirs = Clients(load, daemon.port, "/idle", count, setting.load_cpu), Clients(load, bare.port, "/idle", count, setting.load_cpu)
    settle([daemon])
    each = (daemon.process.resident_mib() - before) * 1024 / count
    counts = (held(daemon) - ledger) / 1024 / count
    progress(f"{count:,} WebSockets: {each:.1f} KiB each")
    asked = {"type": "websocket", "message": {"body": "x" * BROADCAST}, "initiatingRequest": {"urlPath": "/idle"}}
    one = Clients(load, daemon.port, "/all", 1, setting.load_cpu)
    with socket.create_connection(("127.0.0.1", daemon.port)) as teller:
        open_channel(teller, "/all")
        ways = {
            "by the admin API": (daemon, ours, lambda: call(daemon.port, "POST", "/channels/send", asked)),
            "by a message stub": (daemon, ours, lambda: teller.sendall(b"\x81\x81\0\0\0\0!")),
            BARE: (bare, theirs, lambda: os.kill(bare.process.pid, signal.SIGUSR1)),
        }
        found = {name: [] for name in ways}
        for _ in range(setting.rounds + 1):
            for name, (server, clients, work) in ways.items():
                found[name].append(counted(server.process, clients, work))
    for clients in (one, ours, theirs):
        clients.end()
    # The first of each fills the journal.
    middle = {name: [statistics.mean(column) for column in zip(*runs[1:])] for name, runs in found.items()}
    for name, (cpu, kernel, until) in middle.items():
        progress(f"a broadcast {name}: {cpu:.0f} ms of CPU, {kernel:.0f} in the kernel, {until:.0f} ms until all have it")
    return each, counts, ours.opening * 1e6 / count, middle


def held(daemon):
    """What the ledger counts, in bytes."""
    return json.loads(call(daemon.port, "GET", "/memory"))["total"]


def open_channel(client, path):
    client.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    if not client.recv(4096).startswith(b"HTTP/1.1 101"):
        raise RuntimeError("a WebSocket was not opened")


def echoes(setting, tools, daemon, bare):
    """The CPU time of a message that comes back, in µs, in turns."""
    load, _ = tools
    # Clock ticks are steps of 10 ms.
    messages = 20_000 * setting.seconds
    servers = {"Stunt Double": daemon, BARE: bare}
    clients = {name: Clients(load, server.port, "/echo", CONNECTIONS, setting.load_cpu) for name, server in servers.items()}
    turns = {name: [] for name in servers}
    for _ in range(setting.rounds + 1):
        for name, server in servers.items():
            before = cpu_times(server.process)[0]
            clients[name].ask(f"echo {messages} {SIZE}")
            turns[name].append((cpu_times(server.process)[0] - before) * 1000 / messages)
    for one in clients.values():
        one.end()
    # The first of each warms up.
    costs = {name: statistics.median(each[1:]) for name, each in turns.items()}
    ratio = statistics.median(ours / theirs for ours, theirs in list(zip(turns["Stunt Double"], turns[BARE]))[1:])
    progress(f"an echo: {costs['Stunt Double']:.2f} µs, {costs[BARE]:.2f} µs bare")
    return costs, ratio


def websockets(setting):
    """Open WebSockets, a broadcast to them, and echoes, beside `echo.c`."""
    place = setting.place("websockets")
    write_stubs(place)
    tools = compiled(place)
    command = contenders.stunt_double(setting.daemon, place)
    daemon = Server("Stunt Double", lambda port: command(port) + ["--workers", "1"], HEALTH, place, setting.server_cpu)
    bare = Bare(tools[1], place, setting.server_cpu)
    costs, ratio = echoes(setting, tools, daemon, bare)
    each, counts, opening, middle = many(setting, tools, daemon, bare)
    for server in (daemon, bare):
        server.stop()
    rows = [[name, *(figure(value, 0) for value in found)] for name, found in middle.items()]
    by_admin, floor = middle["by the admin API"], middle[BARE]
    return Outcome(
        [
            table(f"WebSockets, {setting.in_flight:,} open and idle", ["", ""], [
                ["resident KiB each", figure(each)], ["of these counted by the ledger", figure(counts)],
                ["µs to open one, client and all", figure(opening)],
            ]),
            table(f"A message of 1 KiB to {setting.in_flight:,} WebSockets, ms", ["", "CPU", "of that in the kernel", "until all have it"], rows),
            table(
                f"An echo of {SIZE} bytes, {CONNECTIONS} connections with one message under way each", ["", "CPU µs"],
                [[name, figure(cost, 2)] for name, cost in costs.items()]),
        ],
        [
            Bar("an open WebSocket", each, 12, "KiB"),
            Bar("a broadcast of 1 KiB, CPU", by_admin[0], 100 * setting.in_flight / 10_000, "ms", 0, is_work=True),
            Bar("the same, beside what the system takes for it", by_admin[0] / floor[0], 2, "× bare"),
            Bar("an echo, CPU", ratio, 1.5, "× bare"),
        ],
    )


# Instructions


def total(command, log, port, load, path, messages, together):
    """What a server executed in a whole run."""
    process = processes.Process(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], log)
    wait_for_port(port)
    clients = Clients(load, port, path, 1)
    clients.ask(f"sent {messages} {SIZE} {together}")
    clients.end()
    process.stop(60)
    with open(log, encoding="utf-8", errors="replace") as text:
        return int(re.findall(r"Collected : (\d+)", text.read())[-1])


def instructions(daemon, folder, tools, together):
    """Those of a message that comes back, of the daemon and of the bare echo."""
    load, echo = tools
    found = []
    for name, command in {"daemon": [daemon, folder, "--workers", "1", "--seed", "1", "--port"], BARE: [echo]}.items():
        runs = []
        for messages in (FEW, MANY):
            port = processes.free_port()
            log = os.path.join(folder, f"{name}-{port}.log")
            runs.append(total([*command, str(port)], log, port, load, "/echo", messages // together * together, together))
        found.append((runs[1] - runs[0]) / (MANY // together * together - FEW // together * together))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", default=".build/bin/stuntdouble")
    daemon = os.path.abspath(parser.parse_args().daemon)
    with tempfile.TemporaryDirectory() as folder:
        write_stubs(folder)
        tools = compiled(folder)
        for title, together in {"an echo": 1, "the same, 16 in a packet": 16}.items():
            ours, theirs = instructions(daemon, folder, tools, together)
            print(f"{title + ':':40}{ours:9,.0f}   bare {theirs:7,.0f}")


if __name__ == "__main__":
    main()
