#!/usr/bin/env python3
"""Sends requests to the real WireMock with every option of curl, and records the outcomes.

    python3 Tools/oracle/record_curl_client.py

Writes Tests/Clients/curl.json: `{"checks": {name: outcome}}`. The suite runs twice, and both outcomes must be the same.
"""

import json
import subprocess
import sys

from recording import one_a_line
from wiremock import PACKAGE, WireMock

SUITE = PACKAGE / "Tests/Clients/curl.py"


def outcomes():
    with WireMock() as server:
        command = [sys.executable, str(SUITE), "--url", f"http://localhost:{server.port}"]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main():
    recorded, again = outcomes(), outcomes()
    changing = [name for name in recorded if recorded[name] != again.get(name)]
    if changing:
        sys.exit(f"curl_client: not the same twice: {', '.join(changing)}")
    text = json.dumps({"checks": recorded}, sort_keys=True, ensure_ascii=False)
    SUITE.with_suffix(".json").write_text(one_a_line(text))
    print(f"curl_client: {len(recorded)} checks", file=sys.stderr)


if __name__ == "__main__":
    main()
