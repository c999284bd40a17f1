#!/usr/bin/env python3
"""Calls a running server with every resource of the PyPI package `wiremock`, and prints the outcomes.

    python3 Tests/Clients/python_wiremock.py --url http://localhost:8080 --root FOLDER [CHECK…]

FOLDER is the server's folder. Prints one JSON object, `{check: {step: outcome}}`, without the parts that differ between
runs. The last check ends the server. `--list` prints the names of all checks.
"""

import argparse
import json
import pathlib
import sys

from python_client import checks, journal, mappings, matchers, near_misses, responses, scenarios, server, settings  # noqa: F401


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url")
    parser.add_argument("--root", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("checks", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(checks.all_checks()))
        return
    if not options.url or not options.root:
        parser.error("--url and --root are needed")
    unknown = [name for name in options.checks if name not in checks.CHECKS]
    if unknown:
        parser.error(f"no such check: {unknown[0]}; --list names them")
    sources = "\n".join(path.read_text() for path in sorted((pathlib.Path(__file__).parent / "python_client").glob("*.py")))
    if forgotten := checks.forgotten(sources):
        sys.exit(f"the suite leaves out: {', '.join(forgotten)}")
    body_files = options.root / "__files"
    body_files.mkdir(exist_ok=True)
    (body_files / "greeting.txt").write_text("hello from a file\n")
    outcomes = checks.run(checks.Server(options.url, options.root), options.checks or checks.all_checks())
    json.dump(outcomes, sys.stdout, indent=1, sort_keys=True, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
