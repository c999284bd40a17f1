"""The daemon and nginx over TLS 1.3 and HTTP/2, and what HTTPS adds to a start."""

import itertools
import os
import ssl
import statistics
import subprocess

from Benchmarks import contenders, load, processes
from Benchmarks.contenders import Server
from Benchmarks.first_answer import measure
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, ratio
from Benchmarks.slices import take_slices
from Benchmarks.stubs import StubSet

# The loads, the connections of each, and the bars of their ratios to nginx.
KEPT, STREAMS, HANDSHAKES = "TLS 1.3, keep-alive", "HTTP/2, 10 streams a connection", "a full handshake a request"
BARS = {KEPT: 1.2, STREAMS: 1.3, HANDSHAKES: 1.2}


def certificate(folder):
    """A certificate that both servers show, with its key: what the daemon issues has such a key, too."""
    key, chain, both = (os.path.join(folder, name) for name in ("key.pem", "chain.pem", "both.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", chain,
         "-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, stderr=subprocess.DEVNULL)
    with open(both, "wb") as out:
        for path in (chain, key):
            with open(path, "rb") as part:
                out.write(part.read())
    return chain, key, both


def compiled(folder):
    """The load of handshakes, compiled into a folder."""
    tool, source = os.path.join(folder, "handshakes"), os.path.join(os.path.dirname(os.path.abspath(__file__)), "handshakes.c")
    command = [os.environ.get("CC", "cc"), "-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-o", tool, source, "-lssl", "-lcrypto"]
    subprocess.run(command, check=True, timeout=60)
    return tool


def secure(setting):
    """The same 1,000 stubs as `others`, over TLS."""
    stubs = StubSet(1000)
    place = setting.place("secure")
    stubs.write_files(place)
    paths_file = os.path.join(place, "paths.txt")
    stubs.write_paths(paths_file)
    sample_path, logs = stubs.path(500), setting.place("secure-logs")
    chain, key, both = certificate(logs)

    port = processes.free_port()
    plain = contenders.stunt_double(setting.daemon, place)
    options = ["--https-port", str(port), "--https-keystore", both, "--keystore-type", "PEM"]
    daemon = Server("Stunt Double", lambda one: plain(one) + options, sample_path, logs, setting.server_cpu, secure_port=port)
    nginx = contenders.Nginx(setting.nginx, setting.place("secure-nginx"), load.response_bytes(daemon.port, sample_path))
    nginx.fit(sample_path)
    port = processes.free_port()
    nginx.more = [
        f"listen 127.0.0.1:{port} ssl http2;", f"ssl_certificate {chain};", f"ssl_certificate_key {key};",
        "ssl_protocols TLSv1.2 TLSv1.3;",
    ]
    servers = [daemon, Server("nginx", nginx.command, sample_path, logs, setting.server_cpu, secure_port=port)]

    loads = {
        KEPT: (load.Load("paths", paths_file, is_secure=True), setting.connections),
        STREAMS: (load.Streams(paths_file), max(1, setting.connections // 4)),
        HANDSHAKES: (load.Handshakes(compiled(logs), sample_path), 1),
    }
    rows, bars = [], []
    for title, (kind, connections) in loads.items():
        samples = take_slices(setting, [Turn(server.name, server, kind, connections) for server in servers])
        cost = [figure(median(samples[server.name], lambda one: one.cpu_microseconds), 2) for server in servers]
        measured = ratio(samples, "Stunt Double", "nginx")
        rows.append([title, *cost, figure(measured, 3)])
        bars.append(Bar(f"CPU, {title}", measured, BARS[title], "× nginx", 3))
    resident = daemon.process.resident_mib()
    for server in servers:
        server.stop()
    title = f"1,000 stubs over TLS, CPU µs a request (resident memory of the daemon after it: {resident:.1f} MiB)"
    starting = starts(setting)
    return Outcome([table(title, ["", "Stunt Double", "nginx", "ratio"], rows), *starting.tables], bars + starting.bars)


def starts(setting):
    """The start to the first answer, in the clear and over TLS: with an authority that is there, and with one that is to be made."""
    empty, states = setting.place("secure-empty"), setting.place("secure-states")
    numbers = itertools.count()
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def command(port, state):
        return [
            setting.daemon, empty, "--port", str(processes.free_port()), "--https-port", str(port), "--state-dir", os.path.join(states, state),
        ]

    def beside(port):
        return [setting.daemon, empty, "--port", str(port), "--https-port", str(processes.free_port()), "--state-dir", states + "/kept"]

    times = {
        "without HTTPS": measure(contenders.stunt_double(setting.daemon, empty), HEALTH, runs=setting.starts),
        "with HTTPS, the first answer in the clear": measure(beside, HEALTH, runs=setting.starts),
        "with HTTPS, the first answer over TLS": measure(
            lambda port: command(port, "kept"), HEALTH, runs=setting.starts, context=context),
        "the same, the authority made first": measure(
            lambda port: command(port, f"new-{next(numbers)}"), HEALTH, runs=setting.starts, context=context),
    }
    medians = {title: statistics.median(mine) * 1000 for title, mine in times.items()}
    rows = [[title, figure(medians[title]), figure(min(mine) * 1000), figure(max(mine) * 1000)] for title, mine in times.items()]
    least = medians["without HTTPS"]
    return Outcome(
        [table("Start to first answer with HTTPS, an empty folder", ["", "median ms", "fastest ms", "slowest ms"], rows)],
        [
            Bar(f"what HTTPS adds to a start, {title.removeprefix('with HTTPS, ')}", medians[title] - least, 25, "ms", is_work=True)
            for title in list(medians)[1:]
        ],
    )
