#!/usr/bin/env python3
"""Replays the calls of scenarios.py and flows.py against a real WireMock and keeps its answers as golden data.

The server's jar is named by STUNTDOUBLE_ORACLE, or is ../shared/oracle/*.jar beside the package. Each scenario gets a
server and a folder of its own. Run it when either changes, with the names of the scenarios that did; the tests need neither Java nor Python.
"""
import http.client
import json
import os
import re
import sys

from flows import FLOWS
from scenarios import SCENARIOS

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
from recording import one_a_line  # noqa: E402: it stands one folder up
from wiremock import WireMock  # noqa: E402

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
GOLDEN = os.path.join(PACKAGE, "Tests/Admin/AdminAPITests/Golden")
KEPT_HEADERS = ["content-type", "location", "access-control-allow-origin", "matched-stub-name"]


def call(port, step):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Host": "localhost", **step.get("headers", {})}
    body = step.get("body", "").encode()
    connection.request(step["method"], step["path"], body=body, headers=headers)
    response = connection.getresponse()
    text = response.read().decode("utf-8", "replace")
    names = {name.lower(): value for name, value in response.getheaders()}
    # Only the reason is kept, not a page with a Java stack.
    if "<title>Error" in text:
        text = "(a stack trace)"
        names.pop("content-type", None)
    return {
        "status": response.status,
        "headers": {name: names[name] for name in KEPT_HEADERS if name in names},
        "text": text,
    }


def files(root):
    """The parsed stub files by name, because the folder's order depends on the system."""
    found = {}
    base = os.path.join(root, "mappings")
    for folder, _, names in os.walk(base):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                found[os.path.relpath(path, base)] = file.read()
    return dict(sorted(found.items()))


def play(scenario, port, root):
    for step in scenario["steps"]:
        kind = step["do"]
        if kind == "call":
            step["answer"] = call(port, step)
        elif kind == "write":
            path = os.path.join(root, step["file"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(step["text"])
        elif kind == "delete":
            os.remove(os.path.join(root, step["file"]))
        elif kind == "files":
            step["answer"] = files(root)


def normalised(scenario):
    """Random ids become `<id 1>` and so on, in the order in which they appear; ids that the scenario names stay. Times of
    the journal become zero."""
    text = json.dumps(scenario, ensure_ascii=False)
    given = json.dumps([{k: v for k, v in step.items() if k != "answer"} for step in scenario["steps"]])
    given += json.dumps(scenario.get("files"))
    seen = {}

    def name(match):
        found = match.group(0)
        if found in given:
            return found
        return seen.setdefault(found, f"<id {len(seen) + 1}>")

    # Dates and durations in the journal differ between runs.
    text = re.sub(r'(\\"(?:loggedDate|timeOffsetNanos|processTime|responseSendTime|serveTime|totalTime)\\" : )\d+', r"\g<1>0", text)
    text = re.sub(r'(\\"loggedDateString\\" : \\")[^"\\]+', r"\g<1>1970-01-01T00:00:00.000Z", text)
    return json.loads(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name, text))


def record(scenario):
    # A step that is used in several places has an answer in each.
    scenario = {**scenario, "steps": [dict(step) for step in scenario["steps"]]}
    java = ["-XX:TieredStopAtLevel=1"]
    with WireMock("--bind-address", "127.0.0.1", java=java, files=scenario.get("files")) as wiremock:
        play(scenario, wiremock.port, wiremock.root.name)
    return normalised(scenario)


def record_all(scenarios, golden, only):
    old = {}
    if only and os.path.exists(golden):
        with open(golden, encoding="utf-8") as file:
            old = {scenario["name"]: scenario for scenario in json.load(file)}
    done = []
    for scenario in scenarios:
        if only and scenario["name"] not in only and scenario["name"] in old:
            done.append(old[scenario["name"]])
            continue
        print(scenario["name"], flush=True)
        done.append(record(scenario))
    with open(golden, "w", encoding="utf-8") as file:
        file.write(one_a_line(done))
    calls = sum(step["do"] == "call" for scenario in done for step in scenario["steps"])
    print(f"{len(done)} scenarios, {calls} calls")


def main():
    only = sys.argv[1:]
    record_all(SCENARIOS, os.path.join(GOLDEN, "exchanges.json"), only)
    record_all(FLOWS, os.path.join(GOLDEN, "scenarios.json"), only)


if __name__ == "__main__":
    main()
