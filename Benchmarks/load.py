"""Load: wrk for throughput, h2load for HTTP/2, `delayed` for delayed answers, plain sockets for idle connections."""

import json
import os
import re
import socket
import subprocess
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Sample:
    """One measured period of load on one server."""

    requests: int
    seconds: float
    cpu_seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def per_second(self):
        return self.requests / self.seconds

    @property
    def cpu_microseconds(self):
        """CPU time of the server for one request."""
        return self.cpu_seconds / self.requests * 1_000_000


@dataclass
class Load:
    """The requests that wrk repeats: a file, and how `requests.lua` reads it."""

    kind: str
    file: str
    # Whether every answer must be an error, such as 404; otherwise none may be.
    wants_errors: bool = False
    # Whether they go to the server's `secure_port`.
    is_secure: bool = False

    def begin(self, server, seconds, connections, cpu):
        """The load on its way."""
        return Wrk(server, self, seconds, connections, cpu)


def paths(file):
    """GET requests for each path in a file in turn."""
    return Load("paths", file)


def exact(file, requests, wants_errors=False):
    """Requests given as bytes, sent in turn; they are written to `file`."""
    with open(file, "wb") as output:
        for request in requests:
            output.write(b"%d\n" % len(request) + request)
    return Load("exact", file, wants_errors)


class Wrk:
    """wrk on its way: a load on `server` for `seconds` from one thread."""

    def __init__(self, server, load, seconds, connections, cpu=None):
        self.server, self.load = server, load
        command = ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s"]
        command += ["--timeout", "10s", "--script", os.path.join(HERE, "requests.lua")]
        address = f"https://127.0.0.1:{server.secure_port}" if load.is_secure else f"http://127.0.0.1:{server.port}"
        command += [address, "--", load.kind, load.file]
        self.start(command, cpu)

    def start(self, command, cpu):
        if cpu is not None:
            command = ["taskset", "--cpu-list", str(cpu)] + command
        self.cpu_before = self.server.process.cpu_seconds()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def sample(self, timeout):
        """What it measured, once it has ended. Raises on any failed request, which would spoil the run."""
        output, cpu_seconds = self.end(timeout)
        results = [line.split() for line in output.splitlines() if line.startswith("RESULT ")]
        if not results:
            raise RuntimeError(f"wrk against {self.server.name} failed:\n{output}")
        requests, microseconds, failed, errors, p50, p99 = map(int, results[0][1:])
        failed += abs(requests - errors) if self.load.wants_errors else errors
        if failed or not requests:
            raise RuntimeError(f"{self.server.name}: {failed} of {requests} requests failed:\n{output}")
        return Sample(requests, microseconds / 1e6, cpu_seconds, p50 / 1000, p99 / 1000)

    def end(self, timeout):
        """What it printed, and the processor time that the server has taken since it began, in seconds."""
        try:
            output, _ = self.process.communicate(timeout=timeout)
        except BaseException:
            self.process.kill()
            raise
        return output, self.server.process.cpu_seconds() - self.cpu_before


class Streams(Load):
    """GET requests for each path in a file in turn, over HTTP/2 and TLS, ten at a time on a connection."""

    def __init__(self, file):
        super().__init__("streams", file, is_secure=True)

    def begin(self, server, seconds, connections, cpu):
        return H2Load(server, self, seconds, connections, cpu)


class H2Load(Wrk):
    """h2load on its way."""

    def __init__(self, server, load, seconds, connections, cpu=None):  # pylint: disable=super-init-not-called
        self.server, self.load, self.seconds = server, load, seconds
        command = ["h2load", "-t1", f"-c{connections}", "-m10", f"-D{seconds}", f"--input-file={load.file}"]
        self.start(command + [f"--base-uri=https://127.0.0.1:{server.secure_port}"], cpu)

    def sample(self, timeout):
        output, cpu_seconds = self.end(timeout)
        done = re.search(r"requests: \d+ total, \d+ started, (\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored", output)
        if not done or "Application protocol: h2" not in output:
            raise RuntimeError(f"h2load against {self.server.name} failed:\n{output}")
        requests, succeeded, _, _ = map(int, done.groups())
        if not requests or succeeded != requests:
            raise RuntimeError(f"{self.server.name}: {requests - succeeded} of {requests} requests failed:\n{output}")
        return Sample(requests, self.seconds, cpu_seconds, 0, 0)


class Handshakes(Load):
    """A connection for each request, one after another, and a full handshake for each connection; by `handshakes.c`."""

    def __init__(self, tool, path):
        super().__init__("handshakes", path, is_secure=True)
        self.tool = tool

    def begin(self, server, seconds, connections, cpu):
        return SecureConnections(server, self, seconds, cpu)


class SecureConnections(Wrk):
    """The tool on its way."""

    def __init__(self, server, load, seconds, cpu=None):  # pylint: disable=super-init-not-called
        self.server, self.load, self.seconds = server, load, seconds
        self.start([load.tool, str(server.secure_port), load.file, str(seconds)], cpu)

    def sample(self, timeout):
        output, cpu_seconds = self.end(timeout)
        done = re.search(r"^RESULT (\d+) (\d+)$", output, re.M)
        if not done or not int(done[1]):
            raise RuntimeError(f"handshakes against {self.server.name} failed:\n{output}")
        return Sample(int(done[1]), int(done[2]) / 1e6, cpu_seconds, 0, 0)



def run(server, load, seconds, connections, cpu=None):
    """Loads `server` for `seconds`, and returns what was measured. Raises on any failed request."""
    return load.begin(server, seconds, connections, cpu).sample(seconds + 60)


def request(method, path, headers=None, body=b""):
    """The bytes of an HTTP/1.1 request on a keep-alive connection."""
    fields = {"Host": "localhost"} | (headers or {})
    if body or method == "POST":
        fields["Content-Length"] = len(body)
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


def answer(port, sent, timeout=60):
    """The complete response to a request given as bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as client:
        client.sendall(sent)
        return read_response(client)


@dataclass
class Lateness:
    """How late delayed answers came, in milliseconds beyond their delay."""

    sent: int
    lost: int
    earliest: float
    p50: float
    p99: float
    latest: float


def run_delayed(server, tool, path, connections, delay_ms, spread_ms, cpu=None):
    """`connections` requests at the same time, sent evenly over `spread_ms`, each on a connection opened earlier."""
    command = [tool, str(server.port), path, str(connections), str(delay_ms), str(spread_ms)]
    if cpu is not None:
        command = ["taskset", "--cpu-list", str(cpu)] + command
    output = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if output.returncode != 0:
        raise RuntimeError(f"delayed against {server.name} failed:\n{output.stdout}{output.stderr}")
    return Lateness(**json.loads(output.stdout))


def read_response(client):
    """The exact bytes of one response on a connection that stays open."""
    received = b""

    def more():
        nonlocal received
        part = client.recv(65536)
        if not part:
            raise RuntimeError(f"the connection ended inside a response: {received!r}")
        received += part

    while b"\r\n\r\n" not in received:
        more()
    head, _, _ = received.partition(b"\r\n\r\n")
    fields = dict(
        (name.strip().lower(), value.strip())
        for name, _, value in (line.partition(b":") for line in head.split(b"\r\n")[1:])
    )
    if fields.get(b"transfer-encoding") == b"chunked":
        while not received.endswith(b"\r\n0\r\n\r\n"):
            more()
    else:
        whole = len(head) + 4 + int(fields.get(b"content-length", b"0"))
        while len(received) < whole:
            more()
    return received


def response_bytes(port, path):
    """The response to the request that wrk sends, byte for byte."""
    return answer(port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())


def open_idle(port, count):
    """`count` idle connections, which the caller closes."""
    clients = []
    for _ in range(count):
        clients.append(socket.create_connection(("127.0.0.1", port), timeout=10))
    return clients


def answers_on(client, port, path):
    """Whether an idle connection is still served."""
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return read_response(client).startswith(b"HTTP/1.1 200")
