#!/usr/bin/env python3
"""Runs every fault against real HTTP clients, and writes what they report into the table of docs/faults.md.

    python3 Tests/Clients/faults/report.py --daemon .build/debug/stuntdouble --write docs/faults.md
    python3 Tests/Clients/faults/report.py --daemon .build/debug/stuntdouble --check docs/faults.md [--clients curl,requests]

`--check` compares the columns of the clients that are installed, and exits with 1 if the table is out of date. A column whose
client is not installed stays as it is. Clients: curl, Python requests (`--python` names an interpreter that has it), node's fetch, Chromium
(`chromium-headless-shell`, `chromium` or `google-chrome`), URLSession (`swiftc`).
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
import threading
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3]))
from Tests.daemon import DaemonProcess  # pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 4  # the timeout of every client, for answers that never come
CLIENTS = ["curl", "requests", "fetch", "Chromium", "URLSession"]
BEGIN, END = "<!-- client table: Tests/Clients/faults/report.py -->", "<!-- end of the client table -->"
SIZED = {"headers": {"Content-Length": "10"}}
TWO = {"chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 2}}

# The rows: the text of the first column, the fault, and further members of the response. Without more the body comes in a chunk.
FAULTS = [
    ("none", None, {}),
    ("`cutAfter: 4`", {"cutAfter": 4}, {}),
    ("`cutAfter: 4, then: rst`", {"cutAfter": 4, "then": "rst"}, {}),
    ("`cutAfter: 4`, with a length", {"cutAfter": 4}, SIZED),
    ("`cutAfter: 4, then: rst`, with a length", {"cutAfter": 4, "then": "rst"}, SIZED),
    ("`cutAfter: headers`", {"cutAfter": "headers"}, {}),
    ("`cutAfter: { chunk: 1 }`", {"cutAfter": {"chunk": 1}}, TWO),
    ("`corrupt: { byte: 4 }`", {"corrupt": {"byte": 4}}, {}),
    ("`wrongLength: +5`", {"wrongLength": 5}, {}),
    ("`wrongLength: -5`", {"wrongLength": -5}, {}),
    ("`duplicateHeader: { name: Content-Length, value: \"5\" }`", {"duplicateHeader": {"name": "Content-Length", "value": "5"}}, SIZED),
    ("`garbagePrefix: \"xyz\"`", {"garbagePrefix": "xyz"}, {}),
    ("`bandwidth: 50B/s`", {"bandwidth": "50B/s"}, {}),
    ("`slice: { size: 3, gap: 20ms }`", {"slice": {"size": 3, "gap": "20ms"}}, {}),
    ("`stall: { after: 4, for: 300ms }`", {"stall": {"after": 4, "for": "300ms"}}, {}),
    ("`stall: { after: 4, for: forever }`", {"stall": {"after": 4, "for": "forever"}}, {}),
    ("`slowClose: 300ms`", {"slowClose": "300ms"}, {}),
    ("`neverAnswer: true`", {"neverAnswer": True}, {}),
    ("`delay: 300ms`", {"delay": "300ms"}, {}),
    ("`status: 503`", {"status": 503}, {}),
    ("`quota`, used up", {"quota": {"limit": 0, "per": "1m"}}, {}),
    ("`EMPTY_RESPONSE`", "EMPTY_RESPONSE", {}),
    ("`CONNECTION_RESET_BY_PEER`", "CONNECTION_RESET_BY_PEER", {}),
    ("`MALFORMED_RESPONSE_CHUNK`", "MALFORMED_RESPONSE_CHUNK", {}),
    ("`RANDOM_DATA_THEN_CLOSE`", "RANDOM_DATA_THEN_CLOSE", {}),
]
PORT_FAULTS = [
    ("`listener: down`", {"listener": "down"}),
    ("`listener: acceptAndStall`", {"listener": "acceptAndStall"}),
    ("`refuseNext: 100`", {"refuseNext": 100}),
]


# ---- The daemon

@contextlib.contextmanager
def daemon(binary):
    """The base URL of a daemon without stubs."""
    with tempfile.TemporaryDirectory() as folder:
        process = DaemonProcess(binary, folder, ["--seed", "1", "--disable-gzip"])
        try:
            yield f"http://127.0.0.1:{process.port}"
        finally:
            process.end()


def call(url, method, path, body=None, headers=None):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url + path, data, headers or {}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text.strip() else None


def prepare(url):
    """Adds a stub for each fault; returns the addresses by row."""
    targets = []
    for index, (row, fault, more) in enumerate(FAULTS):
        response = {"body": "0123456789", **more}
        if fault is not None:
            response["fault"] = fault
        call(url, "POST", "/__admin/mappings", {"request": {"urlPath": f"/{index}"}, "response": response})
        targets.append((row, f"{url}/{index}"))
    for row, fault in PORT_FAULTS:
        session = call(url, "POST", "/__admin/sessions", {"port": 0})
        call(url, "POST", "/__admin/faults", fault, {"X-StuntDouble-Session": session["id"]})
        targets.append((row, f"http://127.0.0.1:{session['port']}/0"))
    return targets


# ---- The clients: each returns what it reports for each address

CURL = {
    0: "", 7: "refused", 8: "weird reply", 18: "partial file", 28: "timed out", 52: "empty reply", 56: "receive failure", 1: "protocol",
}


def curl(targets, _):
    def one(address):
        done = subprocess.run(
            ["curl", "-s", "-m", str(SECONDS), "-w", "|%{http_code}", "--output", "-", address], capture_output=True)
        body, _, status = done.stdout.rpartition(b"|")
        if done.returncode == 0:
            return received(int(status), body)
        return f"exit {done.returncode}: {CURL.get(done.returncode, 'see curl(1)')}" + after(body)
    return parallel(one, targets)


def requests(targets, options):
    return script([options.python or sys.executable, os.path.join(HERE, "requests_client.py"), str(SECONDS)], targets)


def fetch(targets, _):
    return script(["node", os.path.join(HERE, "fetch_client.mjs"), str(SECONDS)], targets)


def url_session(targets, options):
    source = os.path.join(HERE, "URLSessionClient.swift")
    # Built once, next to the daemon.
    binary = os.path.join(os.path.dirname(os.path.realpath(options.daemon)), "URLSessionClient")
    if not os.path.exists(binary) or os.path.getmtime(binary) < os.path.getmtime(source):
        subprocess.run(["swiftc", "-swift-version", "6", source, "-o", binary], check=True, stdout=subprocess.DEVNULL)
    return script([binary, str(SECONDS)], targets)


def chromium_binary():
    names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def chromium(targets, _):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["node", "--experimental-websocket", os.path.join(HERE, "chromium_client.mjs"), str(SECONDS), chromium_binary(), profile]
        done = subprocess.run(
            command, input=json.dumps([address for _, address in targets]).encode(), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=True, timeout=300)
    return json.loads(done.stdout)


def script(command, targets):
    done = subprocess.run(
        command, input=json.dumps([address for _, address in targets]).encode(), stdout=subprocess.PIPE, check=True, timeout=300)
    return [shown(outcome) for outcome in json.loads(done.stdout)]


def parallel(one, targets):
    outcomes = [None] * len(targets)

    def work(index):
        outcomes[index] = one(targets[index][1])
    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(targets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


# ---- Cells

def received(status, body):
    body = bytes(body)
    if body == b"0123456789":
        return str(status)
    if status != 200:
        return str(status)
    same = len(body) == 10 and sum(a != b for a, b in zip(body, b"0123456789")) == 1
    return f"{status}, a wrong byte" if same else f"{status}, {len(body)} bytes"


def after(body):
    return f", after {len(body)} bytes" if body else ""


def shown(outcome):
    """An outcome of a script: {"status", "body"} or {"error", "body"}; bodies are lists of bytes."""
    body = bytes(outcome.get("body") or [])
    return outcome["error"] + after(body) if "error" in outcome else received(outcome["status"], body)


RUNNERS = {"curl": curl, "requests": requests, "fetch": fetch, "Chromium": chromium, "URLSession": url_session}


def has(name, options):
    if name == "requests":
        python = options.python or sys.executable
        return subprocess.run([python, "-c", "import requests"], stderr=subprocess.DEVNULL).returncode == 0
    if name == "Chromium":
        return chromium_binary() is not None and shutil.which("node") is not None
    return shutil.which({"curl": "curl", "fetch": "node", "URLSession": "swiftc"}[name]) is not None


def version(name, options):
    commands = {
        "curl": ["curl", "--version"], "fetch": ["node", "--version"], "Chromium": [chromium_binary(), "--version"],
        "requests": [options.python or sys.executable, "-c", "import requests; print(requests.__version__)"],
        "URLSession": ["swiftc", "--version"],
    }
    text = subprocess.run(commands[name], capture_output=True, text=True).stdout
    return re.search(r"\d+\.\d+(\.\d+)?", text)[0]


def stable(row, cell):
    """The cell without parts that depend on timing: whether bytes are read, or a connection is made, before a reset."""
    if row.startswith("`refuseNext"):
        return cell if re.fullmatch(r"\d*", cell) else "fails"
    cell = re.sub(r", after \d+ bytes", "", cell)
    return re.sub(r"NewConnectionError|ConnectionResetError", "a reset", cell)


# ---- The table

def read_table(text):
    """The columns of the table: the title and the cells by row, for each client."""
    if BEGIN not in text:
        return {}
    rows = [line.strip().strip("|").split("|") for line in text.split(BEGIN)[1].split(END)[0].splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in row] for row in rows]
    columns = {}
    for index, title in enumerate(rows[0]) if rows else []:
        if index:
            columns[title.split(" ")[0]] = (title, {row[0]: row[index] for row in rows[2:]})
    return columns


def write_table(columns):
    names = [row for row, *_ in FAULTS + PORT_FAULTS]
    titles = ["fault"] + [columns.get(client, (client, {}))[0] for client in CLIENTS]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for name in names:
        cells = [columns.get(client, (client, {}))[1].get(name, "not on the machine") for client in CLIENTS]
        lines.append("| " + " | ".join([name] + cells) + " |")
    return "\n".join(lines)


def ask(client, targets, options):
    """The cells by row."""
    outcomes = RUNNERS[client](targets, options) if targets else []
    return {row: outcome.replace("|", "/") for (row, _), outcome in zip(targets, outcomes)}


def differing(cells, known):
    """The rows that the page tells otherwise."""
    return [row for row, cell in cells.items() if stable(row, known.get(row, "")) != stable(row, cell)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True, help="the daemon's binary")
    parser.add_argument("--python", help="an interpreter that has requests")
    parser.add_argument("--clients", help="only these, separated by commas")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--check", metavar="PAGE")
    options = parser.parse_args()
    wanted = options.clients.split(",") if options.clients else CLIENTS
    present = [client for client in CLIENTS if client in wanted and has(client, options)]
    page = options.write or options.check
    text = open(page).read() if page else ""
    columns = read_table(text)
    stale = []
    with daemon(options.daemon) as url:
        options.url = url
        targets = prepare(url)
        for client in present:
            cells = ask(client, targets, options)
            if options.check:
                known = columns.get(client, (client, {}))[1]
                # What differs is asked once more: on a busy machine an answer may take as long as a client waits.
                cells |= ask(client, [target for target in targets if target[0] in differing(cells, known)], options)
                stale += [f"{client}, {row}: {cells[row]}; the page says {known.get(row, 'nothing')}" for row in differing(cells, known)]
            columns[client] = (f"{client} {version(client, options)}", cells)
    table = write_table(columns)
    if options.write:
        before, rest = text.split(BEGIN)
        with open(page, "w") as out:
            out.write(before + BEGIN + "\n" + table + "\n" + END + rest.split(END)[1])
    elif not options.check:
        print(table)
    for line in stale:
        print(line)
    print(f"{', '.join(present) or 'no client'}: {len(stale)} differences", file=sys.stderr)
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
