#!/usr/bin/env python3
"""Runs all comparisons of calls to other servers with their expected results.

    python3 Tools/proxy/comparisons.py --daemon .build/bin/stuntdouble [--only exchanges] [--quick]

`exchanges` and `torture` generate requests and answers, `replay` records a real server and replays it, `clients` runs third-party
clients through the forward proxy, and `suites` runs the tests with WireMock's recorded answers and with hostile servers, which must
be built. Prints a line for each; exits with 1 if anything differs. The outputs are kept in a folder, which is named at the end.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = ["RecordedProxyTests", "RecordedWebhookTests", "RecordedStubsTests", "HostileUpstreamTests", "HostileServerTests"]
#: Matches a line with a result.
RESULT = re.compile(r"differ$|answers are the same$|^\| |with \d+ tests? in|exchanges")


def python(path, *arguments):
    return [sys.executable, "-B", str(ROOT / path), *arguments]


def commands(daemon, quick):
    """The command lines by name."""
    clients = ROOT / ".build/clients/bin/python3"
    return {
        "exchanges": python("Tools/proxy/exchanges.py", "--daemon", daemon, "--count", "500" if quick else "10000"),
        "replay": python("Tools/recording/replay.py", "--daemon", daemon, "--calls", "100" if quick else "500"),
        "torture": python("Tools/recording/torture.py", "--daemon", daemon, "--count", "300" if quick else "5000"),
        "clients": python("Tests/Clients/proxy/report.py", "--daemon", daemon, "--check",
                          "--python", str(clients) if clients.exists() else sys.executable),
        "suites": ["swift", "test", "--skip-build", "--no-parallel", "--filter", "|".join(SUITES)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--only", choices=list(commands("", False)), action="append", help="one of them; may be repeated")
    parser.add_argument("--quick", action="store_true", help="fewer exchanges: shows that everything works")
    options = parser.parse_args()
    daemon = os.path.abspath(options.daemon)
    logs = pathlib.Path(tempfile.mkdtemp(prefix="stuntdouble-comparisons-"))
    failed = 0
    environment = os.environ | {"STUNTDOUBLE_BINARY": daemon}
    for name, command in commands(daemon, options.quick).items():
        if options.only and name not in options.only:
            continue
        began = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        (logs / f"{name}.log").write_text(done.stdout, encoding="utf-8")
        failed += done.returncode != 0
        state = "as it ought to be" if done.returncode == 0 else f"DIFFERS, status {done.returncode}"
        print(f"{name}: {state}, {time.monotonic() - began:.0f} s", flush=True)
        for line in [line for line in done.stdout.splitlines() if RESULT.search(line)][-12:]:
            print(f"    {line}", flush=True)
    print(f"{failed} differ; what was printed is in {logs}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
