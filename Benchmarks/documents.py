"""What large OpenAPI documents cost: to the first answer, in memory, and for the others while one is read again.

    python3 Tools/large_document.py KUBERNETES.json 20 > large.json
    python3 -m Benchmarks.documents --daemon .build/bin/stuntdouble KUBERNETES.json large.json

Memory is the most that was resident, without that of an empty folder.
"""

import argparse
import http.client
import json
import os
import re
import tempfile
import time

from Benchmarks import processes
from Benchmarks.first_answer import wait_for_answer
from Benchmarks.report import table

ONE_MORE = "/one-more-path-of-the-benchmark"


def peak(process):
    """The most memory that was resident, in bytes."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
        return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])


def served(daemon, folder):
    """A daemon that serves a folder, its port, and the seconds until it answered."""
    port = processes.free_port()
    log = os.path.join(folder, "daemon.log")
    start = time.monotonic()
    process = processes.Process([daemon, folder, "--port", str(port), "--workers", "1"], log)
    wait_for_answer(process, port, "/__admin/health", 200, 120)
    return process, port, time.monotonic() - start


def asked(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def reload(port, file, document):
    """Saves a document with one path more; the seconds until it is there, and those that another client waited at most."""
    document["paths"][ONE_MORE] = {"get": {"responses": {"200": {"description": "ok"}}}}
    with open(file + ".new", "w", encoding="utf-8") as text:
        json.dump(document, text, indent=2)
    os.rename(file + ".new", file)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    start, longest = time.monotonic(), 0
    while time.monotonic() - start < 60:
        # That nothing answers it yet takes a search for what is near.
        is_new = asked(connection, ONE_MORE) == 200
        before = time.monotonic()
        asked(connection, "/own")
        longest = max(longest, time.monotonic() - before)
        if is_new:
            return time.monotonic() - start, longest
    raise RuntimeError("the document was not read again")


def measured(daemon, path, idle):
    """A row of the table for a document."""
    with open(path, encoding="utf-8") as text:
        document = json.load(text)
    document.pop("basePath", None)
    document.pop("servers", None)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "document.json")
        with open(file, "w", encoding="utf-8") as text:
            json.dump(document, text, indent=2)
        with open(os.path.join(folder, "own.yaml"), "w", encoding="utf-8") as text:
            text.write("GET /own: { body: own }\n")
        size = os.path.getsize(file)
        process, port, seconds = served(daemon, folder)
        try:
            memory = peak(process) - idle
            again, longest = reload(port, file, document)
            after = peak(process) - idle
        finally:
            process.stop(60)
    return [
        os.path.basename(path), f"{size / 1e6:.1f}", f"{seconds:.2f}", f"{memory / size:.1f}", f"{again:.2f}",
        f"{longest * 1000:.0f}", f"{after / size:.1f}",
    ]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", default=".build/bin/stuntdouble")
    parser.add_argument("documents", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, _, _ = served(options.daemon, folder)
        idle = peak(process)
        process.stop(60)
    columns = ["", "MB", "s to ready", "memory ×", "s to read again", "longest wait, ms", "memory × then"]
    print(table("OpenAPI documents", columns, [measured(options.daemon, path, idle) for path in options.documents]))


if __name__ == "__main__":
    main()
