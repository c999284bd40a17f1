"""The pytest plugin, in runs of pytest of their own. Those with workers need pytest-xdist."""

import os
import signal
import time
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from stuntdouble_server import Server

HELPERS = """
import urllib.request, urllib.error
import pytest

def get(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
"""


def installed() -> bool:
    points = entry_points()
    group = points.select(group="pytest11") if hasattr(points, "select") else points.get("pytest11", [])
    return any(point.value == "stuntdouble_server.pytest_plugin" for point in group)


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Runs a file of tests, whose text may use `get(url, **headers)`."""
    for name in ("STUNTDOUBLE_URL", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_TESTRUNUID"):
        monkeypatch.delenv(name, raising=False)

    def run(text: str, *arguments: str, ini: str = "", conftest: str = "") -> pytest.RunResult:
        pytester.makepyfile(HELPERS + text)
        pytester.makeini("[pytest]\n" + ini)
        if conftest:
            pytester.makeconftest(conftest)
        plugin = [] if installed() else ["-p", "stuntdouble_server.pytest_plugin"]
        off = ["-p", "no:playwright", "-p", "no:cacheprovider"]
        return pytester.runpytest_subprocess(*plugin, *off, *arguments)

    return run


FIFTY = """
@pytest.mark.parametrize("n", range(50))
def test_own(stuntdouble, n):
    stuntdouble.stub("GET /same", json={"n": n})
    for _ in range(n % 3 + 1):
        assert get(stuntdouble.url + "/same") == (200, '{"n":%d}' % n)
    stuntdouble.verify("GET /same", n % 3 + 1)

def test_wanted_failure(stuntdouble):
    stuntdouble.stub("GET /users/{id}", json={})
    assert get(stuntdouble.url + "/user/1")[0] == 404
"""


@pytest.mark.parametrize("workers", [0, 4])
def test_tests_do_not_meet_and_an_unmatched_request_fails_one(run, workers):
    if workers:
        pytest.importorskip("xdist")
    result = run(FIFTY, *(["-n", str(workers)] if workers else []))
    result.assert_outcomes(passed=50, failed=1)
    result.stdout.fnmatch_lines(
        ["*test_wanted_failure*", "*GET /user/1*", "*GET /users/{id}*", "*GET /user/1 → 404 (unmatched)*",
         "stuntdouble: 51 tests had a mock server, 100 requests, 1 with a bad verdict"]
    )


def test_a_test_that_fails_by_itself_shows_its_requests(run):
    result = run(
        """
def test_it(stuntdouble):
    stuntdouble.stub("GET /a", body="a")
    get(stuntdouble.url + "/a")
    get(stuntdouble.url + "/b")
    assert 1 == 2
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*assert 1 == 2*", "*Stunt Double: http*", "requests of this test: 2", "*GET /a → 200", "*GET /b → 404 (unmatched)"]
    )


@pytest.mark.parametrize(
    "marker, arguments, ini, outcome",
    [
        ("", [], "", "failed"),
        ("fail_on='none'", [], "", "passed"),
        ("fail_on=['error']", [], "", "passed"),
        ("", ["--stuntdouble-fail-on", "none"], "", "passed"),
        ("", [], "stuntdouble_fail_on = none", "passed"),
        ("fail_on='unmatched'", ["--stuntdouble-fail-on", "none"], "", "failed"),
        ("fail_on='none'", [], "stuntdouble_fail_on = unmatched", "passed"),
    ],
)
def test_who_says_what_fails(run, marker, arguments, ini, outcome):
    result = run(
        f"""
@pytest.mark.stuntdouble({marker})
def test_it(stuntdouble):
    get(stuntdouble.url + "/nothing")
""",
        *arguments,
        ini=ini,
    )
    result.assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize(
    "path, arguments, marker, outcome",
    [
        ("/favicon.ico", [], "", "passed"),
        ("/metrics", [], "", "failed"),
        ("/metrics", ["--stuntdouble-ignore", "/metrics"], "", "passed"),
        ("/metrics/a", [], "ignore=['/x', '/metrics/*']", "passed"),
        ("/metrics", ["--stuntdouble-ignore", "/metrics"], "ignore='/x'", "failed"),
    ],
)
def test_which_paths_do_not_count(run, path, arguments, marker, outcome):
    result = run(
        f"""
@pytest.mark.stuntdouble({marker})
def test_it(stuntdouble):
    get(stuntdouble.url + {path!r})
""",
        *arguments,
    )
    result.assert_outcomes(**{outcome: 1})


def test_an_unused_stub_fails_where_that_is_asked_for(run):
    result = run(
        """
@pytest.mark.stuntdouble(fail_on="unused")
def test_it(stuntdouble):
    stuntdouble.stub("GET /never", body="x")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*unused*"])


def test_what_is_no_reason_is_told(run):
    result = run("def test_it(stuntdouble): pass", "--stuntdouble-fail-on", "unmached")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*expected of unmatched, unused, unmet, fault, error, webhook, aborted, contract, slow>TIME, or none; found 'unmached'*"])


def test_stubs_of_all_tests_of_a_class_and_of_one(run, pytester):
    pytester.mkdir("mocks").joinpath("all.yaml").write_text("GET /all: { body: all }\n")
    pytester.mkdir("own").joinpath("one.yaml").write_text("GET /one: { body: one }\n")
    Path("class.yaml").write_text("GET /class: { body: class }\n")
    result = run(
        """
@pytest.mark.stuntdouble(mocks="class.yaml", fail_on="none")
class TestOne:
    def test_class(self, stuntdouble):
        assert [get(stuntdouble.url + path)[0] for path in ("/all", "/class", "/one")] == [200, 200, 404]

    @pytest.mark.stuntdouble(mocks=["own", "class.yaml"], inherit=False)
    def test_own(self, stuntdouble):
        assert [get(stuntdouble.url + path)[0] for path in ("/all", "/class", "/one")] == [404, 200, 200]
""",
        ini="stuntdouble_mocks = mocks",
    )
    result.assert_outcomes(passed=2)


def test_reset_leaves_the_stubs_of_the_marker(run, pytester):
    pytester.mkdir("own").joinpath("one.yaml").write_text("GET /one: { body: one }\n")
    result = run(
        """
@pytest.mark.stuntdouble(mocks="own", fail_on="none")
def test_own(stuntdouble):
    stuntdouble.stub("GET /one", body="another")
    stuntdouble.stub("GET /two", body="two")
    assert get(stuntdouble.url + "/one") == (200, "another")
    stuntdouble.reset()
    assert stuntdouble.requests() == []
    assert get(stuntdouble.url + "/one") == (200, "one")
    assert get(stuntdouble.url + "/two")[0] == 404
"""
    )
    result.assert_outcomes(passed=1)


def test_a_broken_file_is_named_where_the_daemon_keeps_going(run, pytester):
    pytester.mkdir("mocks").joinpath("a.yaml").write_text("GET /x: { body: a }\nGET /y: { boddy: b }\n")
    result = run(
        """
def test_it(stuntdouble):
    assert get(stuntdouble.url + "/x") == (200, "a")
""",
        ini="stuntdouble_mocks = mocks\nstuntdouble_args = --keep-going",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*a stub file has errors: mocks/a.yaml:2:*boddy*"])


def test_a_path_in_place_of_a_port(run):
    result = run(
        """
@pytest.mark.stuntdouble(port=False)
def test_it(stuntdouble, stuntdouble_server):
    assert stuntdouble.url.startswith(stuntdouble_server.url + "/__session/")
    stuntdouble.stub("GET /a", body="a")
    assert get(stuntdouble.url + "/a") == (200, "a")
    assert get(stuntdouble_server.url + "/a", **stuntdouble.headers) == (200, "a")
"""
    )
    result.assert_outcomes(passed=1)


def test_requests_that_come_when_fixtures_end_are_judged(run):
    result = run(
        """
@pytest.fixture
def late(stuntdouble):
    yield
    get(stuntdouble.url + "/late")

def test_it(stuntdouble, late):
    pass
"""
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*GET /late*"])


def test_tests_that_are_skipped_or_expected_to_fail_stay_so(run):
    result = run(
        """
def test_skipped(stuntdouble):
    get(stuntdouble.url + "/nothing")
    pytest.skip("half-way")

@pytest.mark.xfail(strict=True)
def test_expected(stuntdouble):
    get(stuntdouble.url + "/nothing")
"""
    )
    result.assert_outcomes(skipped=1, xfailed=1)


def test_another_daemon_is_used_and_stays(run, tmp_path, monkeypatch):
    (tmp_path / "a.yaml").write_text("GET /from-outside: { body: outside }\n")
    text = """
def test_it(stuntdouble, stuntdouble_server):
    assert stuntdouble_server.url == URL
    assert get(stuntdouble.url + "/from-outside") == (200, "outside")
    assert get(stuntdouble.url + "/mine") == (200, "mine")
"""
    Path("mine.yaml").write_text("GET /mine: { body: mine }\n")
    with Server(tmp_path) as server:
        text = f"URL = {server.url!r}\n{text}"
        run(text, "--stuntdouble-url", server.url, "--stuntdouble-mocks", "mine.yaml").assert_outcomes(passed=1)
        monkeypatch.setenv("STUNTDOUBLE_URL", server.url)
        run(text, "--stuntdouble-mocks", "mine.yaml").assert_outcomes(passed=1)
        assert server.shared.requests() == []


def test_a_daemon_that_cannot_start_fails_who_wants_it_and_nobody_else(run, pytester):
    pytester.mkdir("mocks").joinpath("bad.yaml").write_text("GET /a: { stauts: 200 }\n")
    text = "def test_wants(stuntdouble): pass\ndef test_does_not(): pass\n"
    for arguments in [[], ["-n", "2"]]:
        if arguments:
            pytest.importorskip("xdist")
        result = run(text, *arguments, ini="stuntdouble_mocks = mocks")
        result.assert_outcomes(passed=1, errors=1)
        result.stdout.fnmatch_lines(['*did you mean "status"*'])


def test_no_daemon_is_started_where_no_test_wants_one(run, monkeypatch):
    monkeypatch.setenv("STUNTDOUBLE_BINARY", "/none")
    run("def test_it(): pass").assert_outcomes(passed=1)


def test_a_worker_that_crashes_does_not_take_the_daemon_with_it(run, pytester):
    pytest.importorskip("xdist")
    result = run(
        """
import os, signal

@pytest.mark.parametrize("n", range(8))
def test_it(stuntdouble, stuntdouble_server, n):
    with open("url.txt", "a") as file:
        file.write(stuntdouble_server.url + "\\n")
    if n == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    stuntdouble.stub("GET /a", body="a")
    assert get(stuntdouble.url + "/a") == (200, "a")
""",
        "-n",
        "2",
    )
    result.assert_outcomes(passed=7, failed=1)
    urls = set((pytester.path / "url.txt").read_text().split())
    assert len(urls) == 1
    with pytest.raises(Exception, match="no answer"):
        Server(url=urls.pop()).session()


def test_the_daemon_ends_when_the_run_is_killed(run, pytester):
    result = run(
        """
import os, signal

def test_it(stuntdouble, stuntdouble_server):
    with open("pid.txt", "w") as file:
        file.write(str(stuntdouble_server._process.pid))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    assert result.ret == -signal.SIGKILL
    process = int((pytester.path / "pid.txt").read_text())
    deadline = time.monotonic() + 30
    while True:
        try:
            os.kill(process, 0)
        except OSError:
            break
        if Path(f"/proc/{process}/stat").is_file() and " Z " in Path(f"/proc/{process}/stat").read_text():
            break
        assert time.monotonic() < deadline, "the daemon still runs"
        time.sleep(0.01)


def test_an_interrupt_at_the_terminal_leaves_the_daemon_until_the_fixtures_have_ended(run):
    # A terminal sends it to the whole group of processes.
    result = run(
        """
import os, signal, time

os.setpgrp()
# Of a script in the background it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

@pytest.fixture
def late(stuntdouble):
    yield
    print("answered", get(stuntdouble.url + "/late"))

def test_it(late, stuntdouble):
    stuntdouble.stub("GET /late", body="late")
    os.killpg(os.getpgrp(), signal.SIGINT)
    while True:
        time.sleep(0.01)
""",
        "-s",
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*answered (200, 'late')*", "*KeyboardInterrupt*"])
    result.stdout.no_fnmatch_line("*INTERNALERROR*")


def test_what_goes_wrong_is_told_at_the_line_of_the_test_alone(run, pytester):
    result = run(
        """
def test_verification(stuntdouble):
    stuntdouble.verify("GET /never")

def test_stub(stuntdouble):
    stuntdouble.stub("GET /a", stauts=200)

def test_key(stuntdouble):
    stuntdouble.count("get /a")

@pytest.mark.stuntdouble(failon="unused")
def test_marker(stuntdouble):
    pass

@pytest.mark.stuntdouble(mocks="none.yaml")
def test_file(stuntdouble):
    pass

@pytest.mark.stuntdouble(fail_on="unmached")
def test_reason(stuntdouble):
    pass
"""
    )
    result.assert_outcomes(failed=3, errors=3)
    result.stdout.fnmatch_lines_random(
        ["E *stuntdouble_server.VerificationError: not verified*", "E *stuntdouble_server.AdminError: *did you mean *status*",
         "*found 'failon'; did you mean 'fail_on'?", "no stub file or folder: *none.yaml",
         "the marker's fail_on: *found 'unmached'; did you mean 'unmatched'?"]
    )
    for inner in ("*_session.py*", "*_http.py*", "*_patterns.py*", "*pytest_plugin.py*", "*During handling*", "*has ended*"):
        result.stdout.no_fnmatch_line(inner)


def test_what_a_handler_asserts_fails_the_test(run):
    result = run(
        """
def test_it(stuntdouble):
    def answer(request):
        assert request.json()["n"] == 2
    stuntdouble.handle("POST /a", answer)
    urllib.request.urlopen(stuntdouble.url + "/a", b'{"n": 2}')
    assert get(stuntdouble.url + "/nothing")[0] == 404

@pytest.mark.stuntdouble(fail_on="none")
def test_bad(stuntdouble):
    def answer(request):
        assert request.method == "POST"
    stuntdouble.handle("ANY /a", answer)
    assert get(stuntdouble.url + "/a")[0] == 500
""",
        "-rf",
    )
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["the handler of GET /a failed:*", "*assert request.method*", "*GET /a → 500*"])
    result.stdout.fnmatch_lines(["*2 with a bad verdict"])


@pytest.mark.parametrize("workers", [0, 2])
def test_requests_without_the_identity_of_a_test_are_told_at_the_end(run, workers):
    if workers:
        pytest.importorskip("xdist")
    result = run(
        """
def test_it(stuntdouble, stuntdouble_server):
    stuntdouble.stub("GET /a", body="a")
    assert get(stuntdouble_server.url + "/a", **stuntdouble.headers)[0] == 200
    for path in ("/a", "/b", "/c", "/d", "/favicon.ico"):
        assert get(stuntdouble_server.url + path)[0] == 404
""",
        *(["-n", str(workers)] if workers else []),
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["stuntdouble: nothing answered what came to http*without*: GET /a, GET /b, GET /c, and 1 more"])


def test_the_summary_names_the_request(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    result = run(
        """
def test_it(stuntdouble):
    get(stuntdouble.url + "/a")
    get(stuntdouble.url + "/b")
""",
        "-rf",
    )
    result.stdout.fnmatch_lines(["FAILED *::test_it - Failed: nothing answered GET /a, and 1 more"])


def test_the_contexts_of_a_browser_carry_the_identity(run):
    """Against a stand-in for pytest-playwright's fixtures; the real ones are in `make verify-clients`."""
    result = run(
        """
import asyncio

OTHERS = ["https://fonts.example/a", "http://localhost:3001/", "https://localhost:3000/", "http://localhost.evil:3000/"]

def meant(session):
    return ["http://localhost:3000/x", "http://127.0.0.1:3000/", session.server_url + "/y", session.url + "/z"]

def own(session, before=""):
    return {"X-StuntDouble-Session": session.id, "baggage": f"{before}stuntdouble-session={session.id}"}

@pytest.mark.browser_context_args(extra_http_headers={"Baggage": "a=b", "X-B": "b"}, locale="de")
def test_with(stuntdouble, new_context):
    context = new_context(viewport=1)
    assert context.arguments["locale"] == "de" and context.arguments["viewport"] == 1
    assert context.arguments["extra_http_headers"] == {"Baggage": "a=b", "X-B": "b"}
    for url in meant(stuntdouble):
        assert context.sent(url) == {"x-b": "b", **own(stuntdouble, "a=b, ")}, url
        assert context.request.get(url, headers={"x-b": "b"}) == {"x-b": "b", **own(stuntdouble, "a=b, ")}, url
    assert context.request.get("/relative") == own(stuntdouble, "a=b, ")
    assert context.request.fetch(url_or_request="/relative", headers={"BAGGAGE": "c=d"}) == own(stuntdouble, "c=d, ")
    for url in OTHERS:
        assert context.sent(url) == {"x-b": "b", "baggage": "a=b"}, url
        assert context.request.get(url) == {}, url

def test_without(new_context):
    assert new_context().sent("http://localhost:3000/") == {"x-a": "a"}

def test_in_another_order(new_context, stuntdouble):
    assert new_context().sent("http://localhost:3000/") == {"x-a": "a", **own(stuntdouble)}
    assert new_context(base_url="http://other").sent("http://other/") == {"x-a": "a", **own(stuntdouble)}

@pytest.mark.browser_context_args(is_async=True)
def test_async(new_context, stuntdouble):
    context = asyncio.run(new_context())
    assert asyncio.run(context.later("http://localhost:3000/")) == {"x-a": "a", **own(stuntdouble)}
""",
        conftest="""
import pytest

def pytest_configure(config):
    config.addinivalue_line("markers", "browser_context_args(**kwargs): as pytest-playwright has it")

class Request:
    def __init__(self, headers):
        self.headers = headers

class Route:
    def __init__(self, headers, is_async):
        self.request, self.sent, self.is_async = Request(headers), headers, is_async

    def fallback(self, headers=None):
        self.sent = headers or self.sent
        return later(None) if self.is_async else None

class Fetching:
    def get(self, url, headers=None):
        return dict(headers or {})

    def fetch(self, url_or_request, headers=None):
        return dict(headers or {})

    post = put = patch = delete = head = get

class Context:
    def __init__(self, is_async=False, **arguments):
        self.arguments, self.is_async, self.routes, self.request = arguments, is_async, [], Fetching()

    def route(self, is_meant, handler):
        self.routes.append((is_meant, handler))
        return later(None) if self.is_async else None

    def _routes(self, url):
        said = {name.lower(): value for name, value in self.arguments.get("extra_http_headers", {}).items()}
        route = Route(said, self.is_async)
        return route, [handler for is_meant, handler in self.routes if is_meant.search(url)]

    def sent(self, url):
        route, handlers = self._routes(url)
        for handler in handlers:
            handler(route)
        return route.sent

    async def later(self, url):
        route, handlers = self._routes(url)
        for handler in handlers:
            await handler(route)
        return route.sent

async def later(value):
    return value

@pytest.fixture(scope="session")
def browser_context_args():
    return {"base_url": "http://localhost:3000/app", "extra_http_headers": {"X-A": "a"}}

@pytest.fixture
def new_context(browser_context_args, request):
    marker = next(request.node.iter_markers("browser_context_args"), None)
    def made(**arguments):
        context = Context(**{**browser_context_args, **(marker.kwargs if marker else {}), **arguments})
        return later(context) if context.is_async else context
    return made
""",
    )
    result.assert_outcomes(passed=4)


def test_a_request_without_identity_is_named_where_a_test_fails(run, pytester):
    pytester.makefile(".yaml", mocks="GET /all: { body: a }")
    result = run(
        """
def test_unmatched(stuntdouble, stuntdouble_server):
    for _ in range(2):
        get(stuntdouble_server.url + "/all")
    get(stuntdouble.url + "/nothing")

def test_by_itself(stuntdouble, stuntdouble_server):
    get(stuntdouble_server.url + "/all")
    get(stuntdouble_server.url + "/nowhere")
    assert 1 == 2

def test_passes(stuntdouble, stuntdouble_server):
    get(stuntdouble_server.url + "/all")
""",
        ini="stuntdouble_mocks = mocks.yaml",
    )
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.re_match_lines([
        r"(?i).*came while this test ran, without the identity of a test: 2 requests",
        r".*GET /all: answered by .*mocks\.yaml:1.* \(2 times\)",
        r".*came while this test ran, without the identity of a test:",
        r"  GET /all: answered by GET /all \(.*mocks\.yaml:1\)",
        r"  GET /nowhere: nothing answered",
    ])


DOUBTS = """
def test_it(stuntdouble):
    stuntdouble.stub("GET /a/:b")

def test_another(stuntdouble):
    pass
"""


@pytest.mark.parametrize("workers", [0, 2])
def test_what_the_daemon_warns_of_is_told_once(run, pytester, workers):
    if workers:
        pytest.importorskip("xdist")
    pytester.makefile(".yaml", mocks="GET /users/:id: { body: a }")
    result = run(DOUBTS, *(["-n", str(workers)] if workers else []), ini="stuntdouble_mocks = mocks.yaml")
    result.assert_outcomes(passed=2, warnings=1 if workers else 2)
    shown = result.stdout.str()
    assert shown.count("mocks.yaml:1:1: ") == shown.count('["GET /a/:b"]: ') == 1, shown
    assert result.stderr.str() == ""


def test_a_warning_of_the_daemon_may_fail_the_test(run):
    result = run(DOUBTS, "-W", "error::stuntdouble_server.StuntDoubleWarning")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *StuntDoubleWarning: *GET /a/:b*"])


def test_a_warning_of_the_start_may_fail_the_tests(run, pytester):
    pytester.makefile(".yaml", mocks="GET /users/:id: { body: a }")
    result = run(DOUBTS, "-W", "error::stuntdouble_server.StuntDoubleWarning", ini="stuntdouble_mocks = mocks.yaml")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*mocks.yaml:1:1: *:id is literal*"])
    result.stdout.no_fnmatch_line("*_server.py*")


def test_an_unknown_option_of_verify_is_told_at_the_line_of_the_test(run):
    result = run(
        """
def test_it(stuntdouble):
    stuntdouble.verify("GET /a", times=1)
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *TypeError: verify() takes count, at_least, at_most and within; found 'times'; did you mean 'count'?"])
    result.stdout.no_fnmatch_line("*_options.py*")
