"""Requests that are sent on to another server: their cost beside nginx's, and who waits for a long transfer."""

import os
import subprocess
import threading

from Benchmarks import contenders, load, nginx
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
    """nginx with `proxy_pass` and connections that are kept: one process, no access log."""

    def __init__(self, binary, folder, port):
        self.binary, self.folder, self.port = binary, folder, port

    def command(self, port):
        http = [
            "server_tokens off;", "keepalive_timeout 600s;", "keepalive_requests 1000000000;",
            f"upstream origin {{ server 127.0.0.1:{self.port}; keepalive 64; keepalive_requests 1000000000; }}",
        ]
        server = ['location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }']
        return nginx.command(self.binary, self.folder, port, 16384, http, server)


class Download(threading.Thread):
    """Takes the large file through a server again and again until it is stopped."""

    def __init__(self, port):
        super().__init__()
        self.address = f"http://127.0.0.1:{port}/large.bin"
        self.over = threading.Event()
        self.started = threading.Event()
        self.bytes = 0
        self.problem = None

    def run(self):
        while not self.over.is_set() and not self.problem:
            command = ["curl", "--silent", "--show-error", "--noproxy", "*", "--output", "/dev/null", "--write-out", "%{size_download}", self.address]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
                self.started.set()
                while process.poll() is None and not self.over.wait(0.05):
                    pass
                if process.poll() is None:
                    process.kill()
                    return
                output = process.stdout.read()
                if output != str(LARGE):
                    self.problem = output
                self.bytes += LARGE


def proxy(setting):
    """Small requests that the daemon and nginx send on, then small requests of its own beside a long transfer."""
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
    samples = take_slices(
        setting, [Turn(server.name, server, load.paths(paths_file), setting.connections) for server in servers])
    cost = [figure(median(samples[server.name], lambda one: one.cpu_microseconds), 2) for server in servers]
    measured = ratio(samples, "Stunt Double", "nginx")
    servers[1].stop()
    beside = _beside(setting, daemon)
    daemon.stop()
    origin.stop()
    title = "A request that is sent on to another server, CPU µs"
    return Outcome(
        [table(title, ["", "Stunt Double", "nginx", "ratio"], [["keep-alive", *cost, figure(measured, 3)]]), *beside.tables],
        [Bar("CPU, a request that is sent on", measured, 2, "× nginx", 3)] + beside.bars)


def _beside(setting, server):
    """1,000 requests a second for a stub, alone and beside a transfer of 1 GiB."""
    requests = PER_SECOND * max(setting.seconds, 2)
    settle([server])
    before = most = server.process.resident_mib()
    rows, results = [], {}
    for title, is_beside in (("alone", False), ("beside a transfer of 1 GiB", True)):
        transfer = Download(server.port) if is_beside else None
        if transfer:
            transfer.start()
            transfer.started.wait()
        try:
            late = load.run_delayed(server, setting.delayed_tool, "/own", requests, 0, requests * 1000 // PER_SECOND, setting.load_cpu)
            most = max(most, server.process.resident_mib())
        finally:
            if transfer:
                transfer.over.set()
                transfer.join()
        if transfer and transfer.problem:
            raise RuntimeError(f"proxy: the transfer broke off: {transfer.problem!r}")
        progress(f"proxy, {title}: p99 {late.p99:.2f} ms, latest {late.latest:.2f} ms, {late.lost} lost")
        results[is_beside] = late
        rows.append([title, f"{late.sent:,}", late.lost] + [figure(value, 2) for value in (late.p50, late.p99, late.latest)])
    columns = ["", "requests", "lost", "p50 ms", "p99 ms", "latest ms"]
    return Outcome(
        [table(f"{PER_SECOND:,} requests a second that a stub answers", columns, rows)],
        [
            Bar("a request beside a transfer of 1 GiB, p99", results[True].p99, 2, "ms"),
            Bar("requests lost beside it", results[True].lost, 0, "", 0),
            Bar("a transfer of 1 GiB, growth of memory", most - before, 8, "MiB"),
        ],
    )
