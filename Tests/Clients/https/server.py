"""A daemon with TLS, and its CA, for the clients."""

import contextlib
import json
import pathlib
import time
import urllib.request

from Tests.Clients.https import stubs
from Tests.daemon import DaemonProcess


def call(base, method, path, body=None, headers=None):
    """An admin call in plain text."""
    data = json.dumps(body).encode() if body is not None else None
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers or {}, method=method), timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text.strip().startswith((b"{", b"[")) else text


@contextlib.contextmanager
def daemon(binary, scratch, options=(), with_stubs=True):
    """A daemon with the twenty stubs and a new state folder; yields its addresses by scheme, and the file of its CA's certificate."""
    scratch = pathlib.Path(scratch)
    root = scratch / "daemon"
    root.mkdir()
    if with_stubs:
        stubs.write(root / "mocks")
    process = DaemonProcess(binary, root, ["--https-port", "0", *options], {"XDG_STATE_HOME": str(root / "state")})
    try:
        plain = f"http://localhost:{process.port}"
        for stub in stubs.STUBS if with_stubs else ():
            if stub.is_ours:
                call(plain, "POST", "/__admin/mappings", stub.mapping)
        authority = scratch / "authority.pem"
        authority.write_bytes(call(plain, "GET", "/__admin/certs/wiremock-ca.crt"))
        yield {"http": plain, "https": f"https://localhost:{https_port(root)}"}, authority
    finally:
        process.end()


def https_port(root):
    for _ in range(100):
        words = (root / "port").read_text(encoding="ascii").split()
        if len(words) > 1:
            return int(words[1])
        time.sleep(0.05)
    raise RuntimeError(f"the port file has no port of HTTPS: {words}")
