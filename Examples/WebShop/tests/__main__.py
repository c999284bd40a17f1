"""All tests, or those that are named, in two workers at the same time, against one shop.

    stuntdouble run mocks -- python3 -m tests [tests.test_checkout ...]
"""
import os
import subprocess
import sys
import tempfile
import unittest

from .support import FOLDER, MOCK, RunningShop

WORKERS = 2


def identifiers(suite):
    for test in suite:
        yield from identifiers(test) if isinstance(test, unittest.TestSuite) else [test.id()]


def count(things, noun):
    return f"{len(things)} {noun}" + ("" if len(things) == 1 else "s")


def main(names):
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(os.path.join(FOLDER, "tests"), top_level_dir=FOLDER)
    tests = list(identifiers(suite))
    shop, failed = RunningShop(MOCK), False
    try:
        environment = {**os.environ, "SHOP_URL": shop.url}
        workers = []
        for number in range(min(WORKERS, len(tests))):
            output = tempfile.TemporaryFile("w+")
            command = [sys.executable, "-B", "-m", "unittest", "-v", *tests[number::WORKERS]]
            workers.append((subprocess.Popen(command, cwd=FOLDER, env=environment, stderr=output), output))
        for number, (worker, output) in enumerate(workers, 1):
            failed = worker.wait() != 0 or failed
            with output:
                output.seek(0)
                print(f"--- worker {number} of {len(workers)} ---\n{output.read()}", flush=True)
    finally:
        shop.stop()
    print(f"{count(tests, 'test')} in {count(workers, 'worker')}: {'FAILED' if failed else 'OK'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
