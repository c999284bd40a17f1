#!/usr/bin/env python3
"""Shows that the packages for Python and npm install in fresh folders and do what they say: `make verify-clients`.

    python3 packaging/tests/verify.py --binary .build/bin/stuntdouble [--python PYTHON] [--wheels FOLDER] [--keep] [--bare FOLDER]

Builds both, installs them into a new virtual environment, with the other `stuntdouble` of PyPI into a second one, and into a new folder without a network, and
runs: their own tests from the installed
packages, fifty tests with four workers of pytest-xdist, fifty with node:test at once, and pages in Chromium whose
server-side calls are mocked for each test, by pytest-playwright and by the helper for Playwright Test, two workers each.
pytest and its plugins come from PyPI, or from `--wheels`. With `--bare` all of it is done in a bare Debian 12, which mmdebstrap
makes in that folder if it is not there, with Python, node, npm and Chromium of that system (root, Linux). Prints a line for each step: what, counts, seconds.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
PACKAGING = HERE.parent
ROOT = PACKAGING.parent

FIFTY_PYTHON = '''
import urllib.error, urllib.request
import pytest

def get(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read().decode()

@pytest.mark.parametrize("n", range(50))
def test_own(stuntdouble, n):
    stuntdouble.stub("GET /same", json={"n": n})
    for _ in range(n % 5 + 1):
        assert get(stuntdouble.url + "/same") == '{"n":%d}' % n
    stuntdouble.verify("GET /same", n % 5 + 1)

def test_wanted_failure(stuntdouble):
    stuntdouble.stub("GET /users/{id}", json={})
    with pytest.raises(urllib.error.HTTPError):
        get(stuntdouble.url + "/user/1")
'''

FIFTY_NODE = '''
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mockServer } from "stuntdouble-server/node-test";

describe("fifty", { concurrency: 50 }, () => {
    for (let n = 0; n < 50; n++) {
        test("own " + n, async (t) => {
            const mock = await mockServer(t);
            await mock.stub("GET /same", { json: { n } });
            for (let i = 0; i <= n % 5; i++) assert.deepEqual(await (await fetch(mock.url + "/same")).json(), { n });
            await mock.verify("GET /same", { count: (n % 5) + 1 });
        });
    }
    test("wanted failure", async (t) => {
        const mock = await mockServer(t);
        await mock.stub("GET /users/{id}", { json: {} });
        assert.equal((await fetch(mock.url + "/user/1")).status, 404);
    });
});
'''


class Proof:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.binary = options.binary.resolve()
        self.local = options.local
        self.interpreter: str = options.python
        # What the others need is always done.
        self.only = f"^packages$|^pip|^pytest|^npm|{options.only}" if options.only else ""
        self.wheels: Optional[Path] = options.wheels
        self.folder = folder
        self.packages = folder / "packages"
        self.python = folder / "venv/bin/python"
        self.node_folder = folder / "node"
        self.failures = 0
        self.docs = str(ROOT / "docs")
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("STUNTDOUBLE_", "PYTEST_", "PYTHON", "npm_", "NODE_"))
        }

    def run(self, *command: "str | Path", folder: Optional[Path] = None, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(word) for word in command], cwd=folder or self.folder, env={**self.environment, **environment},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
        )

    def step(self, name: str, work) -> None:
        if not re.search(self.only, name):
            return
        begun = time.monotonic()
        try:
            said = work()
            print(f"ok    {name}: {said} ({time.monotonic() - begun:.1f} s)", flush=True)
        except Missing as missing:
            print(f"–     {name}: skipped, {missing}", flush=True)
        except Exception as error:
            self.failures += 1
            print(f"FAIL  {name} ({time.monotonic() - begun:.1f} s): {error}", flush=True)

    def must(self, *command: "str | Path", folder: Optional[Path] = None, **environment: str) -> str:
        done = self.run(*command, folder=folder, **environment)
        expect(done.returncode == 0, f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    # The steps

    def build_packages(self) -> str:
        sizes: List[str] = []
        for builder in ("python", "npm"):
            command = [sys.executable, PACKAGING / builder / "build.py", "--binary", self.binary, "--out"]
            if self.local and builder == "python":
                command.insert(2, "--local")
            self.must(*command, self.packages)
            again = self.folder / "again"
            self.must(*command, again)
        for path in sorted(self.packages.iterdir()):
            if path.is_file():
                expect(path.read_bytes() == (again / path.name).read_bytes(), f"{path.name} differs when it is built again")
                sizes.append(f"{path.name} {path.stat().st_size / 1e6:.2f} MB")
        return ", ".join(sizes) + "; built twice, the same bytes"

    def pip_install(self) -> str:
        self.must(self.interpreter, "-m", "venv", self.folder / "venv")
        [wheel] = self.packages.glob("*.whl")
        self.must(self.python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
        self.must(self.python, "-m", "pip", "check")
        commands = [[self.python, "-m", "stuntdouble_server"], [self.python.parent / "stuntdouble"], [self.python.parent / "stuntdouble-server"]]
        said = {self.must(*command, "--version").strip() for command in commands}
        expect(len(said) == 1, f"{said}")
        version = self.must(self.python, "--version").strip()
        return f"{version}, without pytest and without a network: all three commands say {said.pop()}"

    def beside_the_other(self) -> str:
        """The package `stuntdouble` of PyPI is somebody else's."""
        folder = self.folder / "other"
        self.must(self.interpreter, "-m", "venv", folder)
        python = folder / "bin/python"
        [wheel] = self.packages.glob("*.whl")
        done = self.run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "stuntdouble")
        if done.returncode != 0:
            raise Missing(f"it is not to be had: {done.stdout.strip().splitlines()[-1]}")
        self.must(python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
        self.must(python, "-m", "pip", "check")
        both = "import stuntdouble, stuntdouble_server; print(stuntdouble.__file__, stuntdouble_server.__file__)"
        files = self.must(python, "-c", both).split()
        expect(len(set(files)) == 2, str(files))
        said = self.must(folder / "bin/stuntdouble", "--version").strip()
        other = self.must(python, "-c", "import importlib.metadata as m; print(m.version('stuntdouble'))").strip()
        return f"stuntdouble {other} and ours import; the command says {said}"

    def pytest_install(self) -> str:
        arguments = ["--quiet", "--disable-pip-version-check"]
        if self.wheels:
            arguments += ["--find-links", self.wheels]
        wanted = ["pytest", "pytest-xdist", "requests"]
        done = self.run(self.python, "-m", "pip", "install", *arguments, *wanted)
        if done.returncode != 0:
            raise Missing(f"no {' and '.join(wanted)}: {done.stdout.strip().splitlines()[-1]}")
        # Some hundred megabytes; the steps that need it are skipped without it.
        self.run(self.python, "-m", "pip", "install", *arguments, "pytest-playwright")
        found = self.must(self.python, "-m", "pip", "list", "--disable-pip-version-check")
        names = re.findall(r"^(pytest\S*|playwright|requests) +(\S+)", found, re.M)
        return ", ".join(f"{name} {version}" for name, version in names)

    def python_tests(self) -> str:
        self.need_pytest()
        tests = self.copy(PACKAGING / "python/tests", "python-tests")
        said = self.must(self.python, "-m", "pytest", "-q", "-n", "2", "-p", "no:playwright", tests, STUNTDOUBLE_DOCS=self.docs)
        return said.strip().splitlines()[-1]

    def fifty_pytest(self) -> str:
        self.need_pytest()
        folder = self.folder / "fifty"
        folder.mkdir()
        (folder / "test_fifty.py").write_text(FIFTY_PYTHON)
        done = self.run(self.python, "-m", "pytest", "-n", "4", "-p", "no:playwright", folder=folder)
        shown = done.stdout
        for wanted in (
            r"1 failed, 50 passed", r"FAILED test_fifty.py::test_wanted_failure", r"GET /user/1", r"nearest: GET /users/\{id\}",
            r"stuntdouble: 51 tests had a mock server, 151 requests, 1 with a bad verdict",
        ):
            expect(re.search(wanted, shown), f"no {wanted} in\n{shown}")
        return re.findall(r"\d+ failed, 50 passed in \S+", shown)[-1] + "; the failure shows the request and its nearest stub"

    def run_pytest(self) -> str:
        self.need_pytest()
        folder = self.folder / "run"
        folder.mkdir()
        (folder / "test_fifty.py").write_text(FIFTY_PYTHON.replace("test_wanted_failure", "not_here"))
        command = [self.python.parent / "stuntdouble", "run", "--", self.python, "-m", "pytest", "-q", "-n", "4", "-p", "no:playwright"]
        said = self.must(*command, folder=folder)
        expect("50 passed" in said, said)
        return "50 passed, each with a session on the daemon of `run`"

    def npm_install(self) -> str:
        self.need("npm")
        [whole] = self.packages.glob("*.tgz")
        begun = time.monotonic()
        self.npm_into(self.node_folder, whole)
        seconds = time.monotonic() - begun
        said = self.must("npx", "--offline", "stuntdouble", "--version", folder=self.node_folder).strip()
        same = self.must("npx", "--offline", "stuntdouble-server", "--version", folder=self.node_folder).strip()
        expect(said == same, f"{said} and {same}")
        return f"{whole.name} alone, without a network and with an empty cache, in {seconds:.1f} s; npx stuntdouble --version says {said}"

    def npm_publish(self) -> str:
        """What `npm publish` would take: the package, and the one of the platform that it names."""
        self.need("npm")
        published = self.folder / "published"
        published.mkdir()
        for folder in sorted((self.packages / "npm").iterdir()):
            self.must("npm", "pack", "--offline", "--pack-destination", published, folder=folder)
        main, of_platform = sorted(published.glob("*.tgz"))
        both = self.folder / "node-published"
        self.npm_into(both, main, of_platform)
        said = self.must("npx", "--offline", "stuntdouble", "--version", folder=both).strip()
        without = self.folder / "node-without"
        self.npm_into(without, main, "--omit=optional")
        failed = self.run("npx", "--offline", "stuntdouble", "--version", folder=without)
        expect(failed.returncode == 1 and "is not installed" in failed.stdout, failed.stdout)
        return f"{main.name} and {of_platform.name}: {said}; without the second the command says what is missing"

    def npm_into(self, folder: Path, *words: "str | Path") -> None:
        """Installs files in a fresh folder, without a network and with an empty cache."""
        folder.mkdir()
        (folder / "package.json").write_text('{ "name": "shop", "private": true }')
        self.must("npm", "install", "--offline", "--cache", self.folder / f"cache-{folder.name}", *words, folder=folder)

    def node_tests(self) -> str:
        self.need("node")
        tests = self.copy(PACKAGING / "npm/tests", "node-tests")
        done = self.run("node", "--test", "--test-reporter=tap", *sorted(tests.glob("*.test.mjs")), STUNTDOUBLE_PACKAGE=str(self.node_folder), STUNTDOUBLE_DOCS=self.docs)
        return self.counts(done, 0)

    def fifty_node(self) -> str:
        self.need("node")
        (self.node_folder / "fifty.test.mjs").write_text(FIFTY_NODE)
        done = self.run("node", "--test", "--test-reporter=tap", "fifty.test.mjs", folder=self.node_folder)
        expect(re.search(r"GET /user/1\s+nearest: GET /users/\{id\}", done.stdout), done.stdout)
        return self.counts(done, 1) + "; the failure shows the request and its nearest stub"

    def pages_pytest(self) -> str:
        self.need_browser()
        tests = self.copy(HERE / "python", "pages-python")
        with self.daemon_and_app([sys.executable, HERE / "python/app.py"]) as given:
            command = [self.python, "-m", "pytest", "-n", "2", "--stuntdouble-url", given["UPSTREAM"]]
            done = self.run(*command, tests, CHROMIUM=self.chromium(), **given)
        expect(re.search("1 failed, 6 passed", done.stdout), done.stdout)
        expect(re.search(r"GET /greeting\s+nearest: GET /greetings", done.stdout), done.stdout)
        expect(len(set(re.findall(r"\[gw\d\]|gw\d", done.stdout))) >= 1, done.stdout)
        return re.findall(r"\d+ failed, \d+ passed in \S+", done.stdout)[-1] + ", two workers, one app"

    def pages_node(self) -> str:
        self.need_browser()
        driver = next(self.folder.glob("venv/lib*/python*/site-packages/playwright/driver"))
        # Playwright needs a newer node than Debian has; its package for Python brings one.
        node, core = driver / "node", driver / "package"
        folder = self.folder / "pages-node"
        folder.mkdir()
        shutil.copytree(self.node_folder / "node_modules", folder / "node_modules", symlinks=True)
        shutil.copytree(PACKAGING / "npm/tests/standins", folder / "node_modules", dirs_exist_ok=True)
        shutil.copy(HERE / "node/pages.spec.mjs", folder)
        with self.daemon_and_app([node, HERE / "node/app.mjs"]) as given:
            command = [node, "node_modules/@playwright/test/run.js", "--workers", "2"]
            use = '{"baseURL": "%s"}' % given["APP"]
            environment = {"CHROMIUM": self.chromium(), "STUNTDOUBLE_PLAYWRIGHT_CORE": str(core), "STUNTDOUBLE_URL": given["UPSTREAM"]}
            done = self.run(*command, "--use", use, "pages.spec.mjs", folder=folder, **environment)
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        passed = [line for line in lines if '"status":"passed"' in line]
        failed = [line for line in lines if '"status":"failed"' in line]
        expect(len(passed) == 6 and len(failed) == 1, done.stdout)
        expect(re.search(r"GET /greeting\\n +nearest: GET /greetings", failed[0]), failed[0])
        workers = {re.findall(r'"worker":(\d)', line)[0] for line in lines}
        return f"{len(passed)} passed, 1 failed as wanted, {len(workers)} workers, one app (a stand-in for Playwright Test)"

    # Helpers

    def counts(self, done: "subprocess.CompletedProcess[str]", failed: int) -> str:
        found: Dict[str, str] = dict(re.findall(r"^# (tests|pass|fail|skipped) (\d+)$", done.stdout, re.M))
        expect(found.get("fail") == str(failed), done.stdout)
        return f"{found['pass']} passed, {found['fail']} failed"

    def copy(self, folder: Path, name: str) -> Path:
        """A copy, from which no import finds the sources of the checkout."""
        return Path(shutil.copytree(folder, self.folder / name, ignore=shutil.ignore_patterns("__pycache__")))

    def daemon_and_app(self, command: "List[str | Path]") -> "Running":
        return Running(self, command)

    def chromium(self) -> str:
        return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")

    def need(self, program: str) -> None:
        if not shutil.which(program):
            raise Missing(f"there is no {program}")

    def need_pytest(self) -> None:
        if self.run(self.python, "-c", "import pytest, xdist").returncode != 0:
            raise Missing("there is no pytest")

    def need_browser(self) -> None:
        if not self.chromium():
            raise Missing("there is no Chromium")
        if self.run(self.python, "-c", "import pytest_playwright").returncode != 0:
            raise Missing("there is no pytest-playwright")


class Running:
    """A daemon, and an app that calls it; both end with the block."""

    def __init__(self, proof: Proof, command: "List[str | Path]") -> None:
        self.folder = Path(tempfile.mkdtemp(dir=proof.folder))
        mocks = self.folder / "mocks"
        mocks.mkdir()
        daemon = [proof.python, "-m", "stuntdouble_server", mocks, "--port", "0", "--port-file", self.folder / "daemon"]
        self.processes = [subprocess.Popen([*map(str, daemon)], env=proof.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
        upstream = self.address("daemon")
        environment = {**proof.environment, "UPSTREAM": upstream}
        self.processes.append(subprocess.Popen([*map(str, command), str(self.folder / "app")], env=environment))
        self.given = {"UPSTREAM": upstream, "APP": self.address("app")}

    def address(self, name: str) -> str:
        for _ in range(3000):
            path = self.folder / name
            if path.exists() and path.read_text().strip():
                return f"http://127.0.0.1:{path.read_text().split()[0]}"
            time.sleep(0.01)
        raise RuntimeError(f"the {name} did not start")

    def __enter__(self) -> Dict[str, str]:
        return self.given

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.terminate()
            process.wait()


class Missing(Exception):
    pass


def expect(holds: object, message: str) -> None:
    if not holds:
        raise RuntimeError(message)


# The last for the node that comes with Playwright for Python.
BARE_PACKAGES = "ca-certificates,python3,python3-venv,nodejs,npm,chromium,libatomic1"


def in_bare_debian(options: argparse.Namespace) -> int:
    """Does it all in a Debian of its own, with a file system, processes and mounts of its own."""
    root: Path = options.bare.resolve()
    if not (root / "usr/bin/node").exists():
        print(f"making a Debian in {root}", flush=True)
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={BARE_PACKAGES}", "bookworm", str(root)], check=True)
    proof = root / "proof"
    shutil.rmtree(proof, ignore_errors=True)
    proof.mkdir()
    for name in ("packaging", "docs", "mocks", "Examples/WebShop", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, proof / name)
    shutil.copy(options.binary, proof / "stuntdouble")
    # How this machine reaches PyPI.
    for path in ("/etc/resolv.conf", "/etc/pip.conf", os.environ.get("PIP_CERT", "")):
        if path and Path(path).is_file():
            shutil.copy(path, root / path.lstrip("/"))
    words = ["python3", "-B", "/proof/packaging/tests/verify.py", "--binary", "/proof/stuntdouble"]
    mounts = "mount -t proc proc $0/proc && mount --rbind /dev $0/dev && mount -t tmpfs tmpfs $0/tmp"
    if options.wheels:
        shutil.copytree(options.wheels, proof / "wheels")
        words += ["--wheels", "/proof/wheels"]
    if options.only:
        words += ["--only", options.only]
    if options.local:
        # A debug build needs libraries of this machine.
        words.append("--local")
        linked = subprocess.run(["ldd", str(options.binary)], check=True, stdout=subprocess.PIPE, text=True).stdout
        for path in re.findall(r"=> (/\S+)", linked):
            there = root / path.lstrip("/")
            if not there.exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, there)
    script = f'{mounts} && exec chroot "$0" "$@"'
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, str(root)]
    environment = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return subprocess.run([*unshare, *words], env={**environment, "PATH": os.environ["PATH"], "HOME": "/root"}).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / ".build/bin/stuntdouble")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the virtual environment, such as python3.9")
    parser.add_argument("--wheels", type=Path, help="a folder of wheels that pip looks into, too")
    parser.add_argument("--local", action="store_true", help="the binary may be a debug build, which runs on this machine only")
    parser.add_argument("--bare", type=Path, metavar="FOLDER", help="do it in a bare Debian in this folder")
    parser.add_argument("--only", metavar="REGEX", help="of the steps that need the installed packages, those with such a name")
    parser.add_argument("--keep", action="store_true", help="keep the folder in which it was done")
    options = parser.parse_args()
    if options.bare:
        sys.exit(in_bare_debian(options))
    folder = Path(tempfile.mkdtemp(prefix="stuntdouble-proof-"))
    proof = Proof(options, folder)
    begun = time.monotonic()
    try:
        proof.step("packages", proof.build_packages)
        proof.step("pip in a fresh environment", proof.pip_install)
        proof.step("pip beside the other `stuntdouble` of PyPI", proof.beside_the_other)
        proof.step("pytest and plugins", proof.pytest_install)
        proof.step("the Python package's own tests, installed", proof.python_tests)
        proof.step("50 tests with pytest-xdist -n 4", proof.fifty_pytest)
        proof.step("the same within stuntdouble run", proof.run_pytest)
        proof.step("npm in a fresh folder", proof.npm_install)
        proof.step("npm with the packages to publish", proof.npm_publish)
        proof.step("the npm package's own tests, installed", proof.node_tests)
        proof.step("50 tests of node:test at once", proof.fifty_node)
        proof.step("pages in Chromium, pytest-playwright -n 2", proof.pages_pytest)
        proof.step("pages in Chromium, the helper for Playwright Test", proof.pages_node)
    finally:
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{'all shown' if not proof.failures else f'{proof.failures} failed'} in {time.monotonic() - begun:.0f} s")
    sys.exit(1 if proof.failures else 0)


if __name__ == "__main__":
    main()
