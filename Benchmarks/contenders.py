"""The servers that are compared: the commands that start them, and the core that each may use."""

import glob
import os
import re
import shutil
import subprocess

from Benchmarks import load, nginx, processes
from Benchmarks.first_answer import wait_for_answer

# Headers that nginx writes itself, or that belong to one connection.
OWN_HEADERS = {"connection", "content-length", "date", "server", "transfer-encoding", "content-type"}


class Server:
    """A running server on a free port, optionally on one core. `command` maps a port to a command line."""

    def __init__(self, name, command, path, folder, cpu=None, timeout=60, secure_port=None):
        self.name = name
        #: Where it speaks TLS, if it does: `command` knows it.
        self.secure_port = secure_port
        self.port = processes.free_port()
        log = os.path.join(folder, re.sub(r"[^A-Za-z0-9]+", "-", name) + f"-{self.port}.log")
        self.process = processes.Process(command(self.port), log, cpu)
        self.start_seconds = wait_for_answer(self.process, self.port, path, 200, timeout)

    def stop(self):
        return self.process.stop()


def stunt_double(binary, folder):
    """The command that serves a folder with the daemon and its default settings."""
    return lambda port: [binary, folder, "--port", str(port)]


def wiremock(jar, folder):
    """The command that serves the same folder with WireMock and its default settings."""
    return lambda port: ["java", "-jar", jar, "--port", str(port), "--root-dir", folder, "--disable-banner"]


def find_wiremock():
    """The jar that STUNTDOUBLE_ORACLE names directly or by its folder; None if it or Java is missing."""
    place = os.environ.get("STUNTDOUBLE_ORACLE", "")
    jars = [place] if place.endswith(".jar") else sorted(glob.glob(os.path.join(place, "*.jar"))) if place else []
    jars = [jar for jar in jars if os.path.isfile(jar)]
    return jars[-1] if jars and shutil.which("java") else None


def find_nginx():
    """The path of nginx, which Debian installs where only root's PATH finds it."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")


class Nginx:
    """nginx with `return 200`: one process, no access log, and answers with exactly the size of a sample."""

    def __init__(self, binary, folder, sample):
        self.binary = binary
        self.folder = folder
        head, _, rest = sample.partition(b"\r\n\r\n")
        fields = [line.decode("latin-1").split(": ", 1) for line in head.split(b"\r\n")[1:]]
        values = {name.lower(): value for name, value in fields}
        self.content_type = values.get("content-type", "text/plain")
        self.headers = [
            (name, value) for name, value in fields if name.lower() not in OWN_HEADERS and name.lower() != "x-filler"
        ]
        chunked = values.get("transfer-encoding") == "chunked"
        self.body = unchunked(rest).decode() if chunked else rest.decode()
        self.filler = values.get("x-filler", "")
        self.wanted = len(sample)
        #: Directives beside those of every server here.
        self.more = []

    def command(self, port):
        """The command line for one port, with a configuration that has the filler as it is now."""
        headers = list(self.headers)
        if self.filler:
            headers.append(("X-Filler", self.filler))
        lines = [f"add_header {_quoted(name)} {_quoted(value)};" for name, value in headers]
        http = ["server_tokens off;", "keepalive_timeout 600s;", "keepalive_requests 1000000000;"]
        server = [
            f"default_type {_quoted(self.content_type)};",
            f"location / {{ {' '.join(lines)} return 200 {_quoted(self.body)}; }}",
            *self.more,
        ]
        return nginx.command(self.binary, self.folder, port, 16384, http, server)

    def fit(self, path):
        """Shortens the filler until the answer has the sample's size, and verifies it."""
        size = self._size(path)
        longer = size - self.wanted
        if longer > len(self.filler):
            raise RuntimeError(f"nginx answers {size} bytes, {self.wanted} are wanted: the filler is too short to cut")
        if longer >= 0:
            self.filler = self.filler[: len(self.filler) - longer]
        else:
            self.filler += "x" * -longer
        size = self._size(path)
        if size != self.wanted:
            raise RuntimeError(f"nginx answers {size} bytes where {self.wanted} are wanted")

    def _size(self, path):
        server = Server("nginx", self.command, path, self.folder)
        try:
            return len(load.response_bytes(server.port, path))
        finally:
            server.stop()


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unchunked(data):
    body = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        length = int(size.split(b";")[0], 16)
        if length == 0:
            break
        body += data[:length]
        data = data[length + 2 :]
    return body


def version(command):
    """The first line that a version flag prints, on either stream."""
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return "unknown"
    lines = (output.stdout + output.stderr).strip().splitlines()
    return lines[0].strip() if lines else "unknown"
