#!/usr/bin/env python3
"""Makes generated calls, valid ones and others, to a daemon's admin API, and holds the answers against its own document.

Fails where an answer is a 5xx, or has a status, a type or a shape that the document does not promise; or where fewer calls
were made than asked for. Says so and ends well where schemathesis is not installed (`pip install schemathesis`).
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

CHECKS = ",".join([
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
])
# It would end the daemon.
EXCLUDED = ["/__admin/shutdown"]


def start(daemon, root):
    port_file = os.path.join(root, "port")
    process = subprocess.Popen(
        [os.path.abspath(daemon), root, "--port", "0", "--port-file", port_file, "--no-watch"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(1_000):
        if os.path.exists(port_file):
            with open(port_file, encoding="ascii") as file:
                return process, int(file.readline())
        if process.poll() is not None:
            break
        time.sleep(0.01)
    process.kill()
    sys.exit("schemathesis: the daemon was never ready")


def play(tool, port, root, arguments):
    """One run; returns how many calls it made."""
    command = [
        tool, "run", f"http://127.0.0.1:{port}/__admin/docs/swagger", "--checks", CHECKS, "--no-color",
        "--continue-on-failure", "--generation-database", "none", "--seed", str(arguments.seed),
        "--phases", arguments.phases, "--max-examples", str(arguments.examples), "--suppress-health-check", "all",
        *[word for path in EXCLUDED for word in ("--exclude-path", path)],
    ]
    # In the folder of the daemon: the tool keeps what it found where it runs.
    run = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(run.stdout)
    if run.returncode != 0:
        sys.exit(run.returncode)
    generated = re.search(r"([\d,]+) generated", run.stdout)
    return int(generated.group(1).replace(",", "")) if generated else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--tool", default="schemathesis")
    parser.add_argument("--calls", type=int, default=3_000, help="how many calls there must be at least")
    parser.add_argument("--examples", type=int, default=170, help="calls an operation with parameters or a body")
    parser.add_argument("--phases", default="fuzzing", help="of schemathesis; coverage takes many minutes")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tool = shutil.which(arguments.tool)
    if tool is None:
        print("skipped: schemathesis is not installed; pip install schemathesis")
        return
    root = tempfile.mkdtemp(prefix="stuntdouble-schemathesis-")
    for folder in ("mappings", "__files"):
        os.mkdir(os.path.join(root, folder))
    process, port = start(arguments.daemon, root)
    try:
        calls = play(tool, port, root, arguments)
        if process.poll() is not None:
            sys.exit(f"schemathesis: the daemon ended with {process.returncode}")
        if calls < arguments.calls:
            sys.exit(f"schemathesis: {calls} calls, {arguments.calls} are asked for: raise --examples")
        print(f"schemathesis: {calls} calls, no 5xx, no answer beside the document")
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
