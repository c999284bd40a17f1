#!/usr/bin/env python3
"""Inserts small defects into the code, one at a time, and reports those that the tests do not notice.

    mutants.py [--only REGEX] [--jobs N] [--list | --check]

`mutants.toml` lists the promises of the project, each with the defects that break it. One copy of the package has all defects,
each behind a switch in the environment, so it is built once. The tests that a defect names run with that defect alone, up to
the first that notices it. A run without defects comes first and must pass.

A defect is caught if a test recorded an issue or the process crashed. Runs that timed out are listed separately, as a slow
machine looks the same. Exits with 1 if a defect goes unnoticed, if the tests failed for another reason, or if a promise has
fewer than three defects.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
FOLDER = PACKAGE / ".build" / "mutants"
TREE = FOLDER / "tree"
SWITCH = "STUNTDOUBLE_MUTANT"
TEST_SECONDS = 180
#: Output of tests that notice a defect: an issue, or a signal that ended the process.
NOTICED = re.compile(r"recorded an issue|Fatal error|Segmentation fault|Abort")
#: Matches text that is no expression.
NO_EXPRESSION = re.compile(r"^\s*(if|guard|let|var|return|bool|size_t|for|while)\b|;\s*$")
#: The status of a run that found no test.
NO_TESTS = 69
FEWEST_OF_A_PROMISE = 3

SWIFT_SWITCH = """
@_silgen_name("sd_mutant") private func sdMutant(_ number: Int32) -> Int32
private func isMutant(_ number: Int32) -> Bool { sdMutant(number) != 0 }
"""
C_SWITCH = "int sd_mutant(int number);\n#define isMutant(number) (sd_mutant(number) != 0)\n"
SWITCH_SOURCE = f"""
#include <stdlib.h>
int sd_mutant(int number);
int sd_mutant(int number) {{
    static int wanted = -1;
    if (wanted < 0) {{
        const char *text = getenv("{SWITCH}");
        wanted = text ? atoi(text) : 0;
    }}
    return wanted == number;
}}
"""

Mutant = collections.namedtuple("Mutant", "number promise what file was becomes is_statement tests")


def read():
    """The defects of `mutants.toml`, numbered from 1."""
    with open(PACKAGE / "Tools/mutants/mutants.toml", "rb") as file:
        promises = tomllib.load(file)["promise"]
    mutants = []
    for promise in promises:
        for entry in promise["mutants"]:
            mutants.append(
                Mutant(
                    len(mutants) + 1, promise["name"], entry["what"], entry["file"], entry["was"], entry["becomes"],
                    entry.get("statement", False), entry["tests"],
                )
            )
        if len(promise["mutants"]) < FEWEST_OF_A_PROMISE:
            sys.exit(f"mutants: '{promise['name']}' has {len(promise['mutants'])}; {FEWEST_OF_A_PROMISE} are wanted")
    return mutants


def texts_with(mutants):
    """The files with all defects in them, each turned off, by their names."""
    texts = {}
    for mutant in mutants:
        text = texts.get(mutant.file) or (PACKAGE / mutant.file).read_text()
        if text.count(mutant.was) != 1:
            sys.exit(
                f"mutants: `{mutant.was}` stands {text.count(mutant.was)} times in {mutant.file}, for '{mutant.what}': "
                "the text in Tools/mutants/mutants.toml has to name one place"
            )
        if not mutant.is_statement and NO_EXPRESSION.search(mutant.was):
            sys.exit(f"mutants: `{mutant.was}` in {mutant.file} is no expression: '{mutant.what}' needs `statement = true`")
        texts[mutant.file] = text.replace(mutant.was, switched(mutant))
    return texts


def switched(mutant):
    """The replacement for the text that the defect changes, behind its switch."""
    condition = f"isMutant({mutant.number})"
    if mutant.is_statement:
        return f"if {'(' + condition + ')' if mutant.file.endswith('.c') else condition} " \
               f"{{ {mutant.becomes} }} else {{ {mutant.was} }}"
    return f"({condition} ? ({mutant.becomes}) : ({mutant.was}))"


def package_files():
    """The names of the files to copy: those that git tracks or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PACKAGE, check=True, capture_output=True, text=True,
    ).stdout.split("\0")
    return {name for name in listed if name and ((PACKAGE / name).is_file() or (PACKAGE / name).is_symlink())}


def write_tree(mutants):
    """Writes the copy of the package with all defects, each turned off. Unchanged files keep their modification time."""
    texts = texts_with(mutants)
    for name, text in texts.items():
        texts[name] = C_SWITCH + text if name.endswith(".c") else text + SWIFT_SWITCH
    texts["Sources/Base/CPlatform/mutant.c"] = SWITCH_SOURCE

    known = package_files()
    for old in TREE.rglob("*") if TREE.exists() else []:
        name = str(old.relative_to(TREE))
        if old.is_file() and name not in known and name not in texts and not name.startswith(".build/"):
            old.unlink()
    for name in known | texts.keys():
        source, target = PACKAGE / name, TREE / name
        # Links to folders with the headers of libraries, outside the package.
        if source.is_symlink():
            if not target.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(source.readlink())
            continue
        content = texts[name].encode() if name in texts else source.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if name not in texts:
                shutil.copymode(source, target)


def build():
    print("mutants: building the tests with all defects in them", flush=True)
    log = FOLDER / "build.log"
    with open(log, "w") as output:
        command = ["swift", "build", "--build-tests"]
        if subprocess.run(command, cwd=TREE, stdout=output, stderr=subprocess.STDOUT, check=False).returncode:
            errors = [line for line in log.read_text().splitlines() if "error:" in line]
            sys.exit("mutants: the copy cannot be built:\n" + "\n".join(errors[:20] or [f"see {log}"]))


def test_program():
    """The test executable. It runs without `swift test`, as only one of these at a time may use a folder."""
    shown = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=TREE, check=True, capture_output=True, text=True
    ).stdout.strip()
    programs = sorted(pathlib.Path(shown).glob("*PackageTests.xctest"))
    if len(programs) != 1:
        sys.exit(f"mutants: {shown} has {len(programs)} programs of tests")
    bundled = programs[0] / "Contents" / "MacOS" / programs[0].stem
    return bundled if bundled.exists() else programs[0]


def run(program, number, tests):
    """The outcome of the tests with one defect on (0 for none), the number of tests, and the seconds they took.

    The outcome is `passed`, `caught`, `timed out`, or `failed` if neither an issue nor a crash says why. The number is
    None if the tests did not finish.
    """
    environment = dict(os.environ)
    environment[SWITCH] = str(number)
    environment.setdefault("STUNTDOUBLE_CONFORMANCE", str(PACKAGE.parent / "shared" / "conformance"))
    environment.pop("CI", None)
    log = FOLDER / f"{number}.log"
    began = time.monotonic()
    with open(log, "w") as output:
        process = subprocess.Popen(
            [program, "--testing-library", "swift-testing", "--filter", tests],
            cwd=TREE, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        deadline = began + (TEST_SECONDS if number else TEST_SECONDS * 10)
        status = None
        while status is None and time.monotonic() < deadline:
            try:
                status = process.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                if number and NOTICED.search(log.read_text(errors="replace")):
                    break
        if status is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = time.monotonic() - began
    text = log.read_text(errors="replace")
    counted = re.findall(r"Test run with (\d+) test", text)
    count = int(counted[-1]) if counted else None
    if status in (0, NO_TESTS):
        return "passed", count, seconds
    # Without `swift test`, nothing prints the signal that ended the process.
    if NOTICED.search(text) or (status is not None and status < 0):
        return "caught", count, seconds
    return "timed out" if status is None else "failed", count, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="REGEX", help="only defects whose promise, text or file match")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="how many at the same time")
    parser.add_argument("--list", action="store_true", help="name the defects and end")
    parser.add_argument("--check", action="store_true", help="see that each still names one place in the code, and end")
    arguments = parser.parse_args()

    mutants = read()
    chosen = [m for m in mutants if re.search(arguments.only, f"{m.promise}\n{m.what}\n{m.file}")]
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.number:3} {mutant.promise}: {mutant.what}")
        return
    if arguments.check:
        texts_with(mutants)
        print(f"mutants: {len(mutants)} defects of {len({m.promise for m in mutants})} promises name their places")
        return
    if not chosen:
        sys.exit(f"mutants: none matches '{arguments.only}'")
    write_tree(mutants)
    build()
    program = test_program()

    # A background job of a shell ignores these signals, and child processes inherit that. The tests send them.
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)

    # The kit's tests run separately: the others block the few threads of Swift's concurrency for seconds.
    for is_kit in (False, True):
        tests = sorted({f"({m.tests})" for m in chosen if m.file.startswith("Sources/Kit/") == is_kit})
        outcome, count, _ = run(program, 0, "|".join(tests)) if tests else ("passed", 1, 0)
        if outcome != "passed" or not count:
            sys.exit(f"mutants: the tests do not pass without a defect: see {FOLDER / '0.log'}")
    outcomes = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = pool.map(lambda mutant: run(program, mutant.number, mutant.tests), chosen)
        for mutant, (outcome, count, seconds) in zip(chosen, runs):
            if outcome == "passed" and not count:
                pool.shutdown(cancel_futures=True)
                sys.exit(f"mutants: `{mutant.tests}` names no test, for '{mutant.what}'")
            outcomes[outcome] += 1
            word = {"passed": "UNNOTICED", "failed": "FAILED"}.get(outcome, outcome)
            print(f"{mutant.number:3} {word:9} {seconds:5.1f} s  {mutant.promise}: {mutant.what}", flush=True)
            if outcome == "failed":
                print(f"    neither an issue nor a crash says why: see {FOLDER / f'{mutant.number}.log'}")
    print(f"mutants: {outcomes['caught']} of {len(chosen)} caught, {outcomes['timed out']} timed out")
    if outcomes["passed"] or outcomes["failed"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
