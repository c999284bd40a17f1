"""The Swift kit, as the program `KitTiming` beside this file uses it: starts, a test's own overhead, many tests at once."""

import json
import os
import shutil
import subprocess

from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import Outcome, progress

KIT = ".build/timing/release/SDKitTiming"


def kit(setting):
    """Times of the origins of a server, and of 500 tests that stub the same paths, beside `URLProtocol` with statics."""
    progress("the Swift kit")
    if not os.access(KIT, os.X_OK):
        raise RuntimeError(f"{KIT} is not there; 'make bench' builds it")
    # Away from the daemon of the same build: the one to be measured is named.
    program = shutil.copy(KIT, setting.place("kit"))
    answer = subprocess.run(
        [program],
        env={**os.environ, "STUNTDOUBLE_BIN": setting.daemon, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if answer.returncode != 0:
        raise RuntimeError(f"SDKitTiming ended with {answer.returncode}:\n{answer.stderr}")
    times = json.loads(answer.stdout)
    origins = ("launched", "embedded")
    rows = [
        ["start to first stub answered, ms", *(figure(times[origin], 2) for origin in origins), "–"],
        ["a test's own overhead, ms", *(figure(times[f"overhead {origin}"], 2) for origin in origins), "–"],
        ["500 tests, s", *(figure(times[f"parallel {origin}"], 2) for origin in origins), figure(times["URLProtocol"], 2)],
    ]
    return Outcome(
        [table("The Swift kit", ["", "launched", "embedded", "URLProtocol, one at a time"], rows)],
        [
            Bar("Swift kit: launch to first stub answered", times["launched"], 15, "ms"),
            Bar("Swift kit: embedded server to first stub answered", times["embedded"], 5, "ms"),
            Bar("Swift kit: a test's overhead, launched", times["overhead launched"], 2, "ms"),
            Bar("Swift kit: a test's overhead, embedded", times["overhead embedded"], 2, "ms"),
        ],
    )
