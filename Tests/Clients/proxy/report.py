#!/usr/bin/env python3
"""Runs third-party clients with the daemon as their proxy, and writes the results into the table of docs/forward-proxy.md.

    python3 Tests/Clients/proxy/report.py --daemon .build/debug/stuntdouble --python PYTHON --write docs/forward-proxy.md
    python3 Tests/Clients/proxy/report.py --daemon .build/debug/stuntdouble --check

A client that is not installed has `–`. `--check` exits with 1 if a cell is neither `–` nor `yes`.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- table of clients: Tests/Clients/proxy/report.py -->", "<!-- end of the table of clients -->"
STUBS = {"mappings": [
    {"request": {"url": "/users", "host": {"equalTo": "api.stubbed.example"}}, "response": {"body": "stubbed"}}]}
REAL = {"mappings": [{"request": {"url": "/real"}, "response": {"body": "real"}}]}
REQUESTS = """
import requests, sys
print(requests.get(sys.argv[3], timeout=20).text, end="")
"""
URLLIB = """
import ssl, sys, urllib.request
print(urllib.request.urlopen(sys.argv[3], timeout=20, context=ssl.create_default_context(cafile=sys.argv[2])).read().decode(), end="")
"""


def clients(python):
    """The command lines by client, without the arguments PROXY-PORT CA-FILE URL."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    found = {
        "curl": shutil.which("curl") and ["sh", "-c", 'curl -sS -m 20 --cacert "$2" "$3"', "curl"],
        "Python requests": can_import(python, "requests") and [python, "-c", REQUESTS],
        "Python urllib": [python, "-c", URLLIB],
        "Node": shutil.which("node") and ["node", str(HERE / "node_client.mjs")],
        "Java HttpClient": shutil.which("java") and ["java", str(HERE / "ProxyClient.java")],
        "Chromium": chromium and ["sh", "-c", chromium + " --headless=new --no-sandbox --disable-gpu --ignore-certificate-errors"
                                  ' --proxy-server=http://127.0.0.1:$1 --proxy-bypass-list="<-loopback>" --user-data-dir="$(mktemp -d)"'
                                  ' --dump-dom "$3" 2>/dev/null', "chromium"],
    }
    return {name: command or None for name, command in found.items()}


def can_import(python, module):
    return subprocess.run([python, "-c", "import " + module], capture_output=True, check=False).returncode == 0


@contextlib.contextmanager
def daemon(binary, stubs, *flags):
    """A running daemon: its ready line as JSON."""
    with tempfile.TemporaryDirectory(prefix="stuntdouble-proxy-") as folder:
        pathlib.Path(folder, "stubs.json").write_text(json.dumps(stubs), encoding="utf-8")
        process = subprocess.Popen(
            [binary, folder, "--port", "0", "--log-format", "json", *flags], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.wait()


def ask(command, port, authority, url):
    """The output of a client."""
    proxy = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment |= {"HTTP_PROXY": proxy, "http_proxy": proxy, "HTTPS_PROXY": proxy, "REQUESTS_CA_BUNDLE": authority}
    try:
        done = subprocess.run(
            [*command, str(port), authority, url], env=environment, capture_output=True, text=True, timeout=90, check=False)
    except subprocess.TimeoutExpired:
        return "no answer within 90 s"
    return done.stdout or done.stderr.strip().splitlines()[-1:] or "nothing"


def rows(proxy, real):
    """The requests by row: the URL, and a text in the expected body."""
    return {
        "a stubbed host, `http`": ("http://api.stubbed.example/users", "stubbed"),
        "a stubbed host, `https`: opened": ("https://api.stubbed.example/users", "stubbed"),
        "another server, `http`: sent on": (f"http://localhost:{real['port']}/real", "real"),
        "another server, `https`: its own certificate": (f"https://localhost:{real['httpsPort']}/real", "real"),
        "the daemon itself": (f"http://localhost:{proxy['port']}/__admin/health", "healthy"),
    }


def table(options, state):
    found = clients(options.python)
    lines = ["| asked for | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    bad = 0
    with daemon(options.daemon, REAL, "--https-port", "0", "--state-dir", state) as real, \
            daemon(options.daemon, STUBS, "--forward-proxy", "--state-dir", state) as proxy:
        authority = state + "/trusted.pem"
        with urllib.request.urlopen(f"http://127.0.0.1:{proxy['port']}/__admin/certs/wiremock-ca.crt") as answer:
            pathlib.Path(authority).write_bytes(answer.read())
        for title, (url, expected) in rows(proxy, real).items():
            cells = []
            for name, command in found.items():
                said = ask(command, proxy["port"], authority, url) if command else None
                is_right = said is not None and expected in said
                if said is not None and not is_right:
                    bad += 1
                    print(f"{name}, {url}: {said}", file=sys.stderr)
                cells.append("–" if said is None else "yes" if is_right else "no")
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n", bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True, help="the daemon's binary")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has requests")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stuntdouble-state-") as state:
        text, bad = table(options, state)
    print(text)
    if options.write:
        page = pathlib.Path(options.write)
        old = page.read_text(encoding="utf-8")
        pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
        page.write_text(pattern.sub(lambda _: f"{BEGIN}\n\n{text}\n{END}", old), encoding="utf-8")
    sys.exit(1 if options.check and bad else 0)


if __name__ == "__main__":
    main()
