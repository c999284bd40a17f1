"""Starts, calls and stops the real WireMock for the recorders. Only the standard library is used."""

import glob
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

PACKAGE = pathlib.Path(__file__).resolve().parents[2]


def find_jar(variable="STUNTDOUBLE_ORACLE", folder="oracle"):
    """The jar at $STUNTDOUBLE_ORACLE, or ../shared/oracle/*.jar beside the package."""
    jar = os.environ.get(variable)
    candidates = [jar] if jar else sorted(glob.glob(str(PACKAGE.parent / f"shared/{folder}/*.jar")))
    for candidate in candidates:
        if os.path.isfile(candidate):
            return candidate
    sys.exit(f"no WireMock jar: set {variable}, or put one under ../shared/{folder}/")


def find_jar_4():
    """The jar of WireMock 4 at $STUNTDOUBLE_ORACLE_4, or ../shared/oracle-4/*.jar: for what WireMock 3 does not have."""
    return find_jar("STUNTDOUBLE_ORACLE_4", "oracle-4")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class WireMock:
    """A running WireMock on its own port; use it as a context manager."""

    def __init__(self, *flags, java=(), environment=None, files=None, jar=None, patience=30):
        """`flags` are WireMock's, `java` are the virtual machine's, `environment` is added to the variables,
        `files` are texts by their path in the served folder, `jar` is another than that of find_jar, `patience` are
        the seconds that it may take to start."""
        self.jar = jar
        self.patience = patience
        self.flags = flags
        self.java = java
        self.environment = environment or {}
        self.files = files or {}
        self.connection = None

    def __enter__(self):
        self.root = tempfile.TemporaryDirectory(prefix="stuntdouble-oracle-")
        for name, text in self.files.items():
            path = pathlib.Path(self.root.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.port = free_port()
        self.process = subprocess.Popen(
            ["java", *self.java, "-jar", self.jar or find_jar(), "--port", str(self.port), "--root-dir", self.root.name, "--disable-banner",
             *self.flags],
            env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(self.patience * 10):
            if self.process.poll() is not None:
                break
            try:
                if self.admin("GET", "/health")[0] == 200:
                    return self
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        sys.exit("WireMock did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.root.cleanup()

    def call(self, method, path, body=None, headers=None):
        """Makes a call on a keep-alive connection. Returns the status and the body as bytes."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.connection.request(method, path, body.encode() if isinstance(body, str) else body, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def admin(self, method, path, document=None):
        """Calls the admin API. Returns the status, and the answer as JSON or else as text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, "/__admin" + path, None if document is None else json.dumps(document))
        answer = connection.getresponse()
        body = answer.read()
        try:
            return answer.status, json.loads(body)
        except ValueError:
            return answer.status, body.decode("utf-8", "replace")

    def raw(self, request):
        """Sends bytes, and reads until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request)
            reply = b""
            try:
                while chunk := connection.recv(65536):
                    reply += chunk
            except TimeoutError:
                print(f"no end of the answer to {request}: {reply[:200]}", file=sys.stderr)
        return reply
