#!/usr/bin/env python3
"""Calls the real WireMock with the client suite of the PyPI package `wiremock`, and records the outcomes.

    python3 Tools/oracle/record_python_client.py

Writes Tests/Clients/python_wiremock.json: `{"client": version, "checks": {name: {step: outcome}}}`. The suite runs twice, on
two servers, and both outcomes must be the same. The package is searched in .build/clients, where `.ci/deps ci` installs it,
and in this Python; without it the recording stays unchanged. $STUNTDOUBLE_PYTHON names another Python.
"""

import json
import os
import pathlib
import subprocess
import sys

from recording import one_a_line
from wiremock import PACKAGE, WireMock

SUITE = PACKAGE / "Tests/Clients/python_wiremock.py"
RECORDING = SUITE.with_suffix(".json")


def find_python():
    """A Python that has the client, and the client's version."""
    given = os.environ.get("STUNTDOUBLE_PYTHON")
    for python in [given] if given else [str(PACKAGE / ".build/clients/bin/python3"), sys.executable]:
        asked = "import wiremock.client, importlib.metadata as m; print(m.version('wiremock'))"
        try:
            answer = subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True)
        except OSError:
            continue
        if answer.returncode == 0:
            return python, answer.stdout.strip()
    return None, None


def outcomes(python):
    with WireMock() as server:
        command = [python, str(SUITE), "--url", f"http://localhost:{server.port}", "--root", server.root.name]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main():
    python, version = find_python()
    if python is None:
        print("python_client: the package `wiremock` is not installed (.ci/deps ci); the recording stays", file=sys.stderr)
        return
    recorded, again = outcomes(python), outcomes(python)
    changing = [name for name in recorded if recorded[name] != again.get(name)]
    if changing:
        sys.exit(f"python_client: not the same twice: {', '.join(changing)}")
    text = json.dumps({"client": version, "checks": recorded}, sort_keys=True, ensure_ascii=False)
    pathlib.Path(RECORDING).write_text(one_a_line(text))
    print(f"python_client: {len(recorded)} checks", file=sys.stderr)


if __name__ == "__main__":
    main()
