"""Plays the recorded calls to three replicas behind nginx and to one daemon behind nginx: the answers must be the same.

    python3 Tests/Replicas/acceptance.py --binary .build/debug/stuntdouble [--python PYTHON]

The calls: the calls and flows recorded from WireMock (`Tools/oracle/admin`), the calls that it rejects, and, with a Python that
has the package `wiremock`, all resources of that client. Prints each step that differs, and the totals at the end.
"""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import time

from cluster import NGINX, REDIS, Cluster, write_all

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(TESTS, "..", "Tools", "oracle", "admin"), os.path.join(TESTS, "Clients")]

from flows import FLOWS  # noqa: E402: they stand in other folders
from scenarios import SCENARIOS  # noqa: E402

KEPT = ["content-type", "location", "access-control-allow-origin", "matched-stub-name"]
IDENTIFIER = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CLOCKS = re.compile(r'("(?:loggedDate|timeOffsetNanos|processTime|responseSendTime|serveTime|totalTime|sequence)"\s*:\s*)\d+')
DATES = re.compile(r'("loggedDateString"\s*:\s*")[^"]+')


def one(binary, files=None):
    return Cluster(binary, count=1, is_alone=True, with_nginx=True, files=files)


def several(binary, files=None):
    return Cluster(binary, with_nginx=True, files=files)


def call(port, method, path, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body=body.encode(), headers={"Host": "localhost", **headers})
    response = connection.getresponse()
    text = response.read().decode("utf-8", "replace")
    names = {name.lower(): value for name, value in response.getheaders()}
    connection.close()
    return {"status": response.status, "headers": {name: names[name] for name in KEPT if name in names}, "text": text}


def files(root):
    found = {}
    for folder, _, names in os.walk(os.path.join(root, "mappings")):
        for name in names:
            # Unfinished ones are hidden.
            if name.startswith("."):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found[os.path.relpath(os.path.join(folder, name), root)] = file.read()
    return dict(sorted(found.items()))


def play(scenario, server):
    answers = []
    for step in scenario["steps"]:
        kind = step["do"]
        if kind == "call":
            answers.append(call(server.front, step["method"], step["path"], step.get("body", ""), step.get("headers", {})))
            # With a shared folder, the other replicas must first see the written file.
            if server.is_patient:
                time.sleep(1)
        elif kind == "write":
            write_all(server.mocks, {step["file"]: step["text"]})
        elif kind == "delete":
            os.remove(os.path.join(server.mocks, step["file"]))
        if kind == "files":
            answers.append(files(server.mocks))
        elif kind != "call":
            answers.append(None)
    return answers


def normalised(answers, scenario, ports):
    """Ids that were drawn by their order, without times, ports, and the page's and the file's own names."""
    given, seen = json.dumps(scenario), {}

    def name(match):
        return match[0] if match[0] in given else seen.setdefault(match[0], f"<id {len(seen) + 1}>")

    found = []
    for answer in answers:
        text = DATES.sub(r"\1DATE", CLOCKS.sub(r"\g<1>0", json.dumps(answer, ensure_ascii=False).replace('\\"', '"')))
        for port in ports:
            text = text.replace(f":{port}", ":PORT").replace(f'"port" : {port}', '"port" : PORT')
        found.append(IDENTIFIER.sub(name, text))
    return found


def compare(what, scenario, alone, many):
    """Plays to both; returns the number of steps and of those that differ."""
    wanted, got = (normalised(play(scenario, server), scenario, [server.front]) for server in (alone, many))
    wrong = 0
    for number, (expected, found) in enumerate(zip(wanted, got)):
        if expected != found:
            wrong += 1
            step = scenario["steps"][number]
            print(f"DIFFERS {what}, step {number}: {step.get('method')} {step.get('path')} {step.get('body', '')[:200]}\n  one  {expected[:1500]}\n  many {found[:1500]}", flush=True)
    return len(wanted), wrong


def tables(binary):
    steps = wrong = 0
    refused = json.load(open(os.path.join(TESTS, "Admin/AdminAPITests/Golden/errors.json"), encoding="utf-8"))
    table = [("calls that are refused", {"steps": [
        {"do": "call", "method": case["method"], "path": "/__admin" + case["path"], "body": case["body"], "headers": {"Content-Type": "application/json"}} for case in refused]})]
    table += [(scenario["name"], scenario) for scenario in SCENARIOS + FLOWS]
    alone = many = None
    for what, scenario in table:
        own = bool(scenario.get("files")) or any(step["do"] != "call" for step in scenario["steps"])
        if own or not alone:
            for server in (alone, many):
                if server:
                    server.stop()
            alone, many = one(binary, scenario.get("files")), several(binary, scenario.get("files"))
        else:
            for server in (alone, many):
                for method, path, body in (("DELETE", "/mappings", ""), ("POST", "/reset", ""), ("POST", "/settings", "{}")):
                    call(server.front, method, "/__admin" + path, body, {})
        alone.is_patient, many.is_patient = False, scenario["steps"] and what == "persistence"
        more, differ = compare(what, scenario, alone, many)
        steps, wrong = steps + more, wrong + differ
        if own:
            alone.stop(), many.stop()
            alone = many = None
    for server in (alone, many):
        if server:
            server.stop()
    return steps, wrong


def client(binary, python):
    outcomes = []
    for kind in (one, several):
        server = kind(binary)
        try:
            script = os.path.join(TESTS, "Clients", "python_wiremock.py")
            run = subprocess.run([python, "-B", script, "--url", f"http://localhost:{server.front}", "--root", server.mocks], capture_output=True, text=True)
            assert run.returncode == 0, run.stderr[-2000:]
            outcomes.append(json.loads(run.stdout))
        finally:
            server.stop()
    expected, found = outcomes
    wrong = 0
    for name in expected:
        for step, outcome in expected[name].items():
            other = found.get(name, {}).get(step)
            if outcome != other:
                wrong += 1
                print(f"DIFFERS client, {name}: {step}\n  one  {json.dumps(outcome)[:1200]}\n  many {json.dumps(other)[:1200]}", flush=True)
    return sum(len(steps) for steps in expected.values()), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--python", help="a Python that has the package wiremock")
    options = parser.parse_args()
    if not REDIS or not NGINX:
        print("there is no redis-server or no nginx")
        return 3
    binary = os.path.abspath(options.binary)
    steps, wrong = tables(binary)
    print(f"tables: {steps} steps, {wrong} differ", flush=True)
    if options.python:
        more, differ = client(binary, options.python)
        print(f"client: {more} steps, {differ} differ", flush=True)
        wrong += differ
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
