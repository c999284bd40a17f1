#!/usr/bin/env python3
"""Makes valid and invalid generated calls to a daemon's admin API, and compares the answers with its OpenAPI document.

Fails if an answer is a 5xx, or has a status, a type or a shape that the document does not describe; or if fewer calls were
made than requested. Succeeds with a message if schemathesis is not installed (`pip install schemathesis`).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from Tests.daemon import DaemonProcess  # pylint: disable=wrong-import-position

CHECKS = ",".join([
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
])
# The first would end the daemon, the second never ends.
EXCLUDED = ["/__admin/shutdown", "/__admin/events"]
# These calls may take an hour, so they have a separate run with short timeouts and valid documents.
WAITING = ["/__admin/requests/wait", "/__admin/requests/verify", "/__admin/requests/idle"]
LONGEST = 20


def play(tool, port, root, arguments):
    """Makes both runs; returns the number of calls."""
    document = f"http://127.0.0.1:{port}/__admin/docs/swagger"
    rest = [word for path in EXCLUDED + WAITING for word in ("--exclude-path", path)]
    calls = run(tool, root, arguments, [document, *rest])
    patient = [word for path in WAITING for word in ("--include-path", path)]
    hurried = [hurry(document, root), "--url", f"http://127.0.0.1:{port}", "--mode", "positive"]
    return calls + run(tool, root, arguments, hurried + patient)


def hurry(document, root):
    """Writes the daemon's document with short timeouts; returns the file."""
    with urllib.request.urlopen(document) as answer:
        content = json.load(answer)
    for name in ("RequestWait", "Verification", "IdleWait"):
        schema = content["components"]["schemas"][name]
        schema["required"] = schema.get("required", []) + ["timeoutMs"]
        schema["properties"]["timeoutMs"]["maximum"] = LONGEST
        del schema["properties"]["timeoutMs"]["default"]
    content["paths"]["/__admin/requests/idle"]["post"]["requestBody"]["required"] = True
    path = os.path.join(root, "hurried.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
    return path


def run(tool, root, arguments, which):
    """Makes one run; returns the number of calls."""
    command = [
        tool, "run", *which, "--checks", CHECKS, "--no-color",
        "--continue-on-failure", "--generation-database", "none", "--seed", str(arguments.seed),
        "--phases", arguments.phases, "--max-examples", str(arguments.examples), "--suppress-health-check", "all",
    ]
    # In the daemon's folder, because schemathesis stores its findings in the working folder.
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout)
    if done.returncode != 0 and not is_own_gap(done.stdout):
        sys.exit(done.returncode)
    generated = re.search(r"([\d,]+) generated", done.stdout)
    return int(generated.group(1).replace(",", "")) if generated else 0


def is_own_gap(report):
    """Whether all that went wrong is that the tool could not make up bodies that are not mappings: matchers hold matchers,
    and it does not know the complement of what refers to itself. It depends on its dice."""
    if "= FAILURES =" in report:
        return False
    errors = report.partition("= ERRORS =")[2].partition("= WARNINGS =")[0].partition("= SUMMARY =")[0]
    count = re.search(r"Schema Error: (\d+)", report)
    gaps = errors.count("`not` whose complement is not spelled out")
    others = re.search(r"(Network|Runtime|Internal|Other) Error", errors)
    if not count or gaps != int(count.group(1)) or others:
        return False
    print(f"schemathesis: it left off {gaps} operation(s) for want of a complement")
    return True


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
        os.makedirs(os.path.join(root, "mocks", folder))
    daemon = DaemonProcess(arguments.daemon, root, ["--no-watch"])
    try:
        calls = play(tool, daemon.port, root, arguments)
        if daemon.process.poll() is not None:
            sys.exit(f"schemathesis: the daemon ended with {daemon.process.returncode}\n{daemon.log[-2_000:]}")
        if calls < arguments.calls:
            sys.exit(f"schemathesis: {calls} calls, {arguments.calls} are asked for: raise --examples")
        print(f"schemathesis: {calls} calls, no 5xx, no answer beside the document")
    finally:
        daemon.kill()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
