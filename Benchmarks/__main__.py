"""`make bench`: one run with one report. See README.md beside this file."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

from Benchmarks import before, bodies, contenders, crowded, disk, holds, kit, machine, matching, mixed, processes, results, scenarios
from Benchmarks import proxy, records, secure, streaming, templates, websockets
from Benchmarks.pace import Pace
from Benchmarks.report import bars_table
from Benchmarks.rounds import Setting

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = {
    "others": scenarios.beside_others,
    "starts": scenarios.starts,
    "secure": secure.secure,
    "proxy": proxy.proxy,
    "growing": scenarios.growing,
    "kinds": matching.kinds,
    "crowds": matching.crowds,
    "misses": matching.misses,
    "records": records.records,
    "bodies": bodies.bodies,
    "templates": templates.templates,
    "mixed": mixed.mixed,
    "delayed": scenarios.delayed,
    "memory": scenarios.memory,
    "sessions": crowded.sessions,
    "waiting": crowded.waiting,
    "disk": disk.disk,
    "large": streaming.large_file,
    "streams": streaming.event_streams,
    "websockets": websockets.websockets,
    "kit": kit.kit,
    "before": before.before_and_after,
}


def parse():
    parser = argparse.ArgumentParser(
        prog="make bench ARGS=...", description="Compare the daemon with nginx and WireMock."
    )
    parser.add_argument("--daemon", default=".build/bin/stuntdouble", help="the binary to measure")
    parser.add_argument("--before", metavar="BINARY", help="an older binary to compare with, in turns")
    parser.add_argument("--only", action="append", choices=list(SCENARIOS), help="one scenario; may be repeated")
    parser.add_argument("--quick", action="store_true", help="short rounds: shows that all works, proves nothing")
    parser.add_argument("--rounds", type=int, default=7, help="how often the contenders take turns")
    parser.add_argument("--seconds", type=int, default=4, help="the length of one turn")
    parser.add_argument("--connections", type=int, default=64, help="keep-alive connections under load")
    parser.add_argument("--no-wiremock", action="store_true", help="leave WireMock out")
    parser.add_argument("--no-pinning", action="store_true", help="let the kernel choose the cores")
    parser.add_argument("--no-save", action="store_true", help="do not rewrite Benchmarks/RESULTS.md")
    parser.add_argument("--gate", action="store_true", help="fail when a bar is missed")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds = 1, 1
    return options


def wiremock_version(jar):
    match = re.search(r"(\d+(?:\.\d+)+)", os.path.basename(jar))
    return match.group(1) if match else "unknown version"


def compile_tool(folder):
    """The load tool for delayed answers, compiled into the folder of the run."""
    tool = os.path.join(folder, "delayed-load")
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-o", tool]
    subprocess.run(command + [os.path.join(HERE, "delayed.c")], check=True, timeout=60)
    return tool


def main():
    options = parse()
    processes.end_on_signals()
    if sys.platform != "linux":
        sys.exit("bench: the measurements read /proc and need Linux")
    if not os.access(options.daemon, os.X_OK):
        sys.exit(f"bench: {options.daemon} is not there; 'make build' makes it")
    if options.before and not os.access(options.before, os.X_OK):
        sys.exit(f"bench: {options.before} is not there, or not a program")
    if options.only and "before" in options.only and not options.before:
        sys.exit("bench: '--only before' needs the older binary: --before BINARY")
    nginx = contenders.find_nginx()
    if not nginx:
        sys.exit("bench: nginx is not there; 'make bench-deps' installs it")
    wiremock = None if options.no_wiremock else contenders.find_wiremock()
    if not wiremock:
        print("· WireMock is left out: set STUNTDOUBLE_ORACLE to its standalone jar, and have java in PATH")
    descriptors = processes.raise_descriptor_limit()
    cores = sorted(os.sched_getaffinity(0))
    pinned = len(cores) > 1 and not options.no_pinning

    description = machine.describe(options.daemon, nginx, wiremock_version(wiremock) if wiremock else None)
    description.append(
        f"rounds: {options.rounds} of {options.seconds} s each, contenders in turn, medians; "
        + ("one core for the server and one for wrk (WireMock may use all)" if pinned else "cores chosen by the kernel")
    )
    print("\n".join(description), flush=True)
    began = time.monotonic()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="stuntdouble-bench-") as folder:
        setting = Setting(
            daemon=os.path.abspath(options.daemon),
            before=options.before and os.path.abspath(options.before),
            nginx=nginx,
            wiremock=wiremock,
            delayed_tool=compile_tool(folder),
            folder=folder,
            rounds=options.rounds,
            seconds=options.seconds,
            connections=options.connections,
            starts=5 if options.quick else 21,
            requests=50_000 if options.quick else 1_000_000,
            in_flight=min(1000 if options.quick else 10_000, descriptors - 200),
            many_stubs=10_000 if options.quick else 100_000,
            server_cpu=cores[0] if pinned else None,
            load_cpu=cores[1] if pinned else None,
        )
        try:
            pace = Pace(setting)
            pace.measure()
            for name, scenario in SCENARIOS.items():
                if name in options.only if options.only else name != "before" or options.before:
                    outcomes.append(scenario(setting))
            outcomes.append(holds.summary(setting))
            pace.measure()
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            sys.exit(f"bench: {error}")
        finally:
            processes.stop_all()

    bars = [bar for outcome in outcomes for bar in outcome.bars]
    tables = [table for outcome in outcomes for table in outcome.tables]
    text = "\n".join(tables + [bars_table(bars, pace.slowness)])
    print(f"\n{text}\n{time.monotonic() - began:.0f} s in all")
    if not (options.quick or options.only or options.no_save):
        results.write_bench("\n".join(f"- {line}" for line in description) + "\n\n" + text)
    if options.gate and not all(bar.holds for bar in bars):
        sys.exit("bench: a bar was missed")


if __name__ == "__main__":
    main()
