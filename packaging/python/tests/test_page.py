"""The examples of docs/python.md and docs/moving/python.md do what the page says. STUNTDOUBLE_DOCS is the folder of the pages, if it is not beside."""

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from test_plugin import installed

DOCS = Path(os.environ.get("STUNTDOUBLE_DOCS") or Path(__file__).resolve().parents[3] / "docs")
PAGE = DOCS / "python.md"
MOVING = DOCS / "moving/python.md"
TEXT = "".join(page.read_text() for page in (PAGE, MOVING) if page.is_file())
FENCES = re.findall(r"^```(\w+(?: args)?)\n(.*?)^```", TEXT, re.M | re.S)
PYTHON = [text for kind, text in FENCES if kind == "python"]
BROWSER = [text for text in PYTHON if "app_url" in text]

pytestmark = pytest.mark.skipif(not FENCES, reason="the pages are not here")
pytest.importorskip("requests", reason="no requests here")

APP = """
import json, os, sys, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Application(BaseHTTPRequestHandler):
    def do_GET(self):
        call = urllib.request.Request(os.environ["UPSTREAM"] + "/greeting", headers={"baggage": self.headers["baggage"]})
        text = json.load(urllib.request.urlopen(call))["text"] if self.path == "/" else ""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<link rel=icon href=data:,><h1>{text}</h1>".encode())

server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Application)
print("ready", flush=True)
server.serve_forever()
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    for name in ("STUNTDOUBLE_URL", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_TESTRUNUID"):
        monkeypatch.delenv(name, raising=False)
    # The authority of HTTPS is made where the daemon keeps it.
    monkeypatch.setenv("XDG_STATE_HOME", str(pytester.path / "state"))
    shutil.copytree(DOCS.parent / "mocks", pytester.path / "mocks")
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_subprocess(*([] if installed() else ["-p", "stuntdouble_server.pytest_plugin"]), *arguments)


def test_the_page_has_examples():
    assert len(PYTHON) >= 7 and len(BROWSER) == 2


@pytest.mark.parametrize("text", [text for text in PYTHON if "def test_" in text and text not in BROWSER])
def test_a_test_passes(project, text):
    project.makepyfile(text)
    result = run(project, "-p", "no:playwright")
    outcomes = result.parseoutcomes()
    assert set(outcomes) == {"passed"}, result.stdout.str()


@pytest.mark.parametrize("text", [text for kind, text in FENCES if kind == "python args"])
def test_a_fixed_host_is_routed(project, text, monkeypatch):
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    project.makeini("[pytest]\nstuntdouble_args = --forward-proxy\n")
    project.makepyfile(text)
    run(project, "-p", "no:playwright").assert_outcomes(passed=1)


@pytest.mark.parametrize("text", [text for text in PYTHON if "def " not in text])
def test_a_program_runs(project, text):
    Path("program.py").write_text(text)
    subprocess.run([sys.executable, "program.py"], check=True)


@pytest.mark.parametrize("text", [text for kind, text in FENCES if kind == "ini"])
def test_an_ini_file_has_known_options(project, text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    project.makeini(text)
    project.makepyfile("def test_it(stuntdouble): pass")
    run(project, "-p", "no:playwright", "--strict-config").assert_outcomes(passed=1)


def test_the_page_in_a_browser(project, unused_port):
    pytest.importorskip("pytest_playwright")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or pytest.skip("there is no Chromium")
    Path("app.py").write_text(APP)
    project.makeconftest(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef browser_type_launch_args(browser_type_launch_args):\n"
        f"    return dict(browser_type_launch_args, executable_path={chromium!r}, args=['--no-sandbox'])\n"
    )
    project.makepyfile("\n".join(BROWSER).replace("8000", str(unused_port)))
    run(project).assert_outcomes(passed=1)


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
