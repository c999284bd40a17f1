"""What takes long to send: a file of 2 GiB beside nginx, and many clients that read server-sent events."""

import os
import select
import socket
import statistics
import time

from Benchmarks import contenders, load, nginx
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, progress, settle
from Benchmarks.stubs import write_mappings

FILE_SIZE = 2 << 30
PIECE = 1 << 20


class NginxFiles:
    """nginx with a folder of files: one process, `sendfile`, no access log."""

    def __init__(self, binary, folder, files):
        self.binary = binary
        self.folder = folder
        self.files = files

    def command(self, port):
        server = [f"root {self.files};", f"location = {HEALTH} {{ return 200; }}"]
        return nginx.command(self.binary, self.folder, port, 1024, ["sendfile on;"], server)


def _download(server, path, watch):
    """The seconds until the whole file has come, and the server's CPU time. The bytes are not copied to this process."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
        cpu = server.process.cpu_seconds()
        began = time.perf_counter()
        client.sendall(load.request("GET", path, {"Connection": "close"}))
        buffer = bytearray(PIECE)
        received, next_look = 0, 0
        while True:
            count = client.recv_into(buffer, PIECE, socket.MSG_TRUNC)
            if count == 0:
                break
            received += count
            if received >= next_look:
                watch(server.process.resident_mib())
                next_look += FILE_SIZE // 16
        seconds = time.perf_counter() - began
        if received < FILE_SIZE:
            raise RuntimeError(f"{server.name}: {received:,} bytes of {FILE_SIZE:,} came")
        return seconds, server.process.cpu_seconds() - cpu


def large_file(setting):
    """A file of 2 GiB, of which the disk holds nothing, from the daemon's stub and from nginx's `sendfile`."""
    place = setting.place("large")
    files = os.path.join(place, "__files")
    os.makedirs(files)
    with open(os.path.join(files, "large.bin"), "wb") as file:
        file.truncate(FILE_SIZE)
    write_mappings(place, [{"request": {"url": "/large.bin"}, "response": {"bodyFileName": "large.bin"}}])
    other = NginxFiles(setting.nginx, setting.place("large-nginx"), files)
    servers = [
        Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu),
        Server("nginx", other.command, HEALTH, place, setting.server_cpu),
    ]
    times = {server.name: [] for server in servers}
    cpus = {server.name: [] for server in servers}
    most = {server.name: 0.0 for server in servers}
    before = {}
    for number in range(setting.rounds + 1):
        for server in servers:
            settle([server])
            before.setdefault(server.name, server.process.resident_mib())

            def watch(mib, name=server.name):
                most[name] = max(most[name], mib)

            seconds, cpu = _download(server, "/large.bin", watch)
            # The first round warms the machine up.
            if number > 0:
                times[server.name].append(seconds)
                cpus[server.name].append(cpu)
        progress(f"2 GiB, round {number}")
    for server in servers:
        server.stop()
    names = [server.name for server in servers]

    def row(title, value, digits=2):
        return [title] + [figure(value(name), digits) for name in names]

    rows = [
        row("GiB/s", lambda name: FILE_SIZE / (1 << 30) / statistics.median(times[name])),
        row("CPU s a file", lambda name: statistics.median(cpus[name])),
        row("resident MiB before", before.get, 1),
        row("resident MiB, the most", most.get, 1),
    ]
    slower = statistics.median(ours / theirs for ours, theirs in zip(times["Stunt Double"], times["nginx"]))
    return Outcome(
        [table("A file of 2 GiB, one client", [""] + names, rows)],
        [
            Bar("a file of 2 GiB, time", slower, 1.25, "× nginx"),
            Bar("a file of 2 GiB, growth of memory", most["Stunt Double"] - before["Stunt Double"], 4, "MiB"),
        ],
    )


class _Reader:
    """A client of an event stream: when its events came, after the first one."""

    def __init__(self):
        self.last = None
        self.late = []


def event_streams(setting):
    """Many clients, each of which gets an event a second: how late beyond it, and the CPU that takes."""
    place = setting.place("streams")
    stream = {"repeat": "forever", "events": [{"after": "1s", "event": "tick", "data": {"n": 1}}]}
    write_mappings(place, [{"request": {"url": "/ticks"}, "response": {"stream": stream}}])
    server = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    if setting.load_cpu is not None:
        os.sched_setaffinity(0, {setting.load_cpu})
    try:
        lates, cpu, resident, seconds = _read_streams(setting, server)
    finally:
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    server.stop()
    lates.sort()

    def at(share):
        return lates[min(int(len(lates) * share), len(lates) - 1)]

    share = cpu / seconds * 100
    per_event = cpu / len(lates) * 1_000_000
    rows = [
        [f"{setting.in_flight:,}", f"{len(lates):,}", figure(at(0.5), 2), figure(at(0.99), 2), figure(lates[-1], 2)]
        + [figure(share, 1), figure(per_event, 2), figure(resident)]
    ]
    columns = ["clients", "events", "p50 ms late", "p99 ms", "latest ms", "CPU % of a core", "CPU µs an event", "MiB"]
    return Outcome(
        [table("Event streams, an event a second for each client", columns, rows)],
        [
            Bar(f"{setting.in_flight:,} event streams, p99 late", at(0.99), 5, "ms"),
            Bar(f"{setting.in_flight:,} event streams, CPU", share, 50, "% of a core"),
        ],
    )


def _read_streams(setting, server):
    """The lateness of all events in milliseconds, the CPU time, the resident memory and the time that it took."""
    poll = select.epoll()
    readers, clients = {}, []
    sent = load.request("GET", "/ticks")
    # Clients come over a second, as real ones do, and not all at once.
    began = time.monotonic()
    for number in range(setting.in_flight):
        client = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        client.sendall(sent)
        client.setblocking(False)
        poll.register(client.fileno(), select.EPOLLIN)
        readers[client.fileno()] = (client, _Reader())
        clients.append(client)
        ahead = began + number * 2.0 / setting.in_flight - time.monotonic()
        if ahead > 0.001:
            time.sleep(ahead)
    progress(f"{setting.in_flight:,} streams are open")
    buffer = bytearray(65536)
    warm_until = time.monotonic() + 2
    end = warm_until + max(setting.seconds * 2, 4)
    cpu = began_measuring = None
    while (now := time.monotonic()) < end:
        if cpu is None and now >= warm_until:
            cpu, began_measuring = server.process.cpu_seconds(), now
        for descriptor, _ in poll.poll(0.1):
            client, reader = readers[descriptor]
            count = client.recv_into(buffer)
            came = time.monotonic()
            if count == 0:
                raise RuntimeError("a stream ended")
            if b"tick" not in buffer[:count]:
                continue
            if reader.last is not None and cpu is not None:
                reader.late.append((came - reader.last - 1) * 1000)
            reader.last = came
    seconds = time.monotonic() - began_measuring
    cpu = server.process.cpu_seconds() - cpu
    resident = server.process.resident_mib()
    lates = [late for _, reader in readers.values() for late in reader.late]
    expected = setting.in_flight * (seconds - 1.5)
    if len(lates) < expected:
        raise RuntimeError(f"{len(lates):,} events came, {expected:,.0f} are wanted")
    for client in clients:
        client.close()
    return lates, cpu, resident, seconds
