"""Requests that are sent on to another server: their cost beside nginx's, and who waits for a long transfer."""

import os
import statistics
import subprocess
import threading
import time

from Benchmarks import contenders, counts, load, nginx
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, progress, ratio, settle
from Benchmarks.slices import take_slices
from Benchmarks.stubs import StubSet, write_mappings

LARGE = 1 << 30
PER_SECOND = 1000
BODY = '{"name":"Ada","tags":["one","two"],"note":"' + "x" * 160 + '"}'


class Origin:
    """The other server: nginx with a small answer for all paths but that of a large file."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.files = os.path.join(folder, "files")
        os.makedirs(self.files)
        with open(os.path.join(self.files, "large.bin"), "wb") as file:
            file.truncate(LARGE)

    def command(self, port):
        http = ["server_tokens off;", "keepalive_timeout 600s;", "keepalive_requests 1000000000;", "sendfile on;"]
        server = [
            f"location = /large.bin {{ root {self.files}; }}",
            f"location / {{ default_type application/json; return 200 '{BODY}'; }}",
        ]
        return nginx.command(self.binary, self.folder, port, 16384, http, server)


class Proxy:
    """nginx with `proxy_pass` and connections that are kept: one process, no access log. It answers `/own` itself, and writes no part of a
    transfer to the disk.
    """

    def __init__(self, binary, folder, port):
        self.binary, self.folder, self.port = binary, folder, port

    def command(self, port):
        http = [
            "server_tokens off;", "keepalive_timeout 600s;", "keepalive_requests 1000000000;",
            f"upstream origin {{ server 127.0.0.1:{self.port}; keepalive 64; keepalive_requests 1000000000; }}",
        ]
        server = [
            "location = /own { return 200 own; }",
            'location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection "";',
            "    proxy_max_temp_file_size 0; }",
        ]
        return nginx.command(self.binary, self.folder, port, 16384, http, server)


class CurlLoad(load.Load):
    """GET requests for one path by curl, one after another on one connection."""

    def __init__(self, path):
        super().__init__("curl", path)

    def begin(self, server, seconds, connections, cpu):
        return Curl(server, self, seconds, cpu)


class Curl(load.Wrk):
    """curl on its way: as many requests as take about `seconds` at a usual rate, since it knows no time for all of them."""

    def __init__(self, server, load_, seconds, cpu=None):  # pylint: disable=super-init-not-called
        self.server, self.load, self.requests = server, load_, 4_000 * seconds
        address = f"http://127.0.0.1:{server.port}{load_.file}?page=[1-{self.requests}]"
        self.began = time.monotonic()
        self.start(["curl", "--silent", "--show-error", "--fail-early", "--fail", "--noproxy", "*", "--output", "/dev/null", address], cpu)

    def sample(self, timeout):
        output, cpu_seconds = self.end(timeout)
        if self.process.returncode:
            raise RuntimeError(f"curl against {self.server.name} failed:\n{output}")
        return load.Sample(self.requests, time.monotonic() - self.began, cpu_seconds, 0, 0)


class Download(threading.Thread):
    """Takes the large file through a server again and again until it is stopped."""

    def __init__(self, port, cpu):
        super().__init__()
        self.pinning = ["taskset", "--cpu-list", str(cpu)] if cpu is not None else []
        self.address = f"http://127.0.0.1:{port}/large.bin"
        self.over = threading.Event()
        self.started = threading.Event()
        self.problem = None

    def run(self):
        while not self.over.is_set() and not self.problem:
            command = ["curl", "--silent", "--show-error", "--noproxy", "*", "--output", "/dev/null", "--write-out", "%{size_download}", self.address]
            with subprocess.Popen(self.pinning + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
                self.started.set()
                while process.poll() is None and not self.over.wait(0.05):
                    pass
                if process.poll() is None:
                    process.kill()
                    return
                output = process.stdout.read()
                if output != str(LARGE):
                    self.problem = output


def proxy(setting):
    """Small requests that the daemon and nginx send on, then small requests of their own beside a long transfer, then what they take inside."""
    origin = Server("origin", Origin(setting.nginx, setting.place("proxy-origin")).command, "/", setting.place("proxy-logs"), setting.load_cpu)
    place = setting.place("proxy")
    write_mappings(place, [
        {"request": {"method": "ANY", "urlPattern": "/.*"}, "response": {"proxyBaseUrl": f"http://127.0.0.1:{origin.port}"}, "priority": 10},
        {"request": {"method": "GET", "url": "/own"}, "response": {"body": "own"}},
    ])
    daemon = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    other = Proxy(setting.nginx, setting.place("proxy-nginx"), origin.port)
    servers = [daemon, Server("nginx", other.command, "/", other.folder, setting.server_cpu)]
    paths_file = os.path.join(place, "paths.txt")
    StubSet(1000).write_paths(paths_file)
    loads = {f"wrk, {setting.connections} connections": load.paths(paths_file), "curl, one request at a time": CurlLoad("/users/4711")}
    rows, bars = [], []
    for name, one in loads.items():
        samples = take_slices(setting, [Turn(server.name, server, one, setting.connections) for server in servers])
        measured = ratio(samples, "Stunt Double", "nginx")
        cost = [figure(median(samples[server.name], lambda sample: sample.cpu_microseconds), 2) for server in servers]
        rows.append([name, *cost, figure(measured, 3)])
        bars.append(Bar(f"CPU, a request that is sent on, {name.split(',')[0]}", measured, 2, "× nginx", 3))
    title = "A request that is sent on to another server on connections that are kept, CPU µs"
    tables = [table(title, ["", "Stunt Double", "nginx", "ratio"], rows)]
    beside = _beside(setting, servers)
    for server in (*servers, origin):
        server.stop()
    tables += beside.tables
    bars += beside.bars
    if reason := counts.unavailable():
        progress(f"proxy: locks and allocations are not counted: {reason}")
    else:
        counted, more = counts.outcome(counts.count(setting.daemon, setting.place("proxy-counts")))
        tables.append(counted)
        bars += more
    return Outcome(tables, bars)


def _beside(setting, servers):
    """1,000 requests a second that a server answers itself, alone and beside a transfer of 1 GiB: the daemon and nginx in turns."""
    daemon, other = servers
    requests = PER_SECOND * max(setting.seconds, 2)
    settle(servers)
    before = most = daemon.process.resident_mib()
    results = {(server.name, is_beside): [] for is_beside in (False, True) for server in servers}
    for _ in range(min(setting.rounds, 5)):
        for (name, is_beside), found in results.items():
            server = next(one for one in servers if one.name == name)
            late = _late(setting, server, requests, is_beside)
            found.append(late)
            title = "beside a transfer" if is_beside else "alone"
            progress(f"proxy, {name} {title}: p99 {late.p99:.2f} ms, latest {late.latest:.2f} ms, {late.lost} lost")
            most = max(most, daemon.process.resident_mib())
    rows = []
    for (name, is_beside), found in results.items():
        title = f"{name}, " + ("beside a transfer of 1 GiB" if is_beside else "alone")
        middle = [statistics.median(getattr(late, what) for late in found) for what in ("p50", "p99", "latest")]
        rows.append([title, f"{sum(late.sent for late in found):,}", sum(late.lost for late in found)] + [figure(value, 2) for value in middle])
    mine, its = (results[server.name, True] for server in servers)
    p99 = statistics.median(late.p99 for late in mine)
    compared = statistics.median(one.p99 / two.p99 for one, two in zip(mine, its))
    columns = ["", "requests", "lost", "p50 ms", "p99 ms", "latest ms"]
    return Outcome(
        [table(f"{PER_SECOND:,} requests a second that a stub answers, or nginx by `return`; medians of {len(mine)} turns", columns, rows)],
        [
            Bar("a request beside a transfer of 1 GiB, p99", p99, 2, "ms"),
            Bar("the same beside nginx's", compared, 2, "× nginx"),
            Bar("requests lost beside it", sum(late.lost for late in mine), 0, "", 0),
            Bar("a transfer of 1 GiB, growth of memory", most - before, 8, "MiB"),
        ],
    )


def _late(setting, server, requests, is_beside):
    """How late one turn's answers are. The transfer takes the core of the load, as the other server does."""
    transfer = Download(server.port, setting.load_cpu) if is_beside else None
    if transfer:
        transfer.start()
        transfer.started.wait()
    try:
        late = load.run_delayed(server, setting.delayed_tool, "/own", requests, 0, requests * 1000 // PER_SECOND, setting.load_cpu)
    finally:
        if transfer:
            transfer.over.set()
            transfer.join()
    if transfer and transfer.problem:
        raise RuntimeError(f"proxy: the transfer through {server.name} broke off: {transfer.problem!r}")
    return late
