"""The pytest plugin: a mock server for each test, and its verdict in the test's own report. See docs/python.md.

One daemon serves a whole run. With pytest-xdist the controller starts it and tells the workers its address, so that it
outlives a worker that crashes and ends with the run.
"""

import os
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional

import pytest

from ._errors import StuntDoubleError
from ._identity import carry_identity
from ._options import hint
from ._secrets import without_users
from ._server import Server
from ._session import REASONS, Session, reasons_of
from ._warnings import StuntDoubleWarning

DEFAULT_FAIL_ON = "unmatched,error"
# What browsers ask for by themselves.
DEFAULT_IGNORE = ["/favicon.ico"]
SHOWN_REQUESTS = 50
MARKED = ("mocks", "fail_on", "ignore", "inherit", "port", "ttl", "seed", "settings", "passThrough", "httpsPort")
_RUN = pytest.StashKey["Run"]()
_TEST = pytest.StashKey["Test"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("stuntdouble", "Stunt Double, a mock HTTP server for each test")
    group.addoption(
        "--stuntdouble-url", metavar="URL",
        help="use the daemon at this address instead of starting one (default: $STUNTDOUBLE_URL)",
    )
    group.addoption(
        "--stuntdouble-mocks", metavar="PATH", help="the folder or file of stubs that all tests see"
    )
    group.addoption(
        "--stuntdouble-fail-on", metavar="REASONS",
        help=f"what fails a test: a comma list of {', '.join(REASONS)}; or none (default: {DEFAULT_FAIL_ON})",
    )
    group.addoption(
        "--stuntdouble-ignore", metavar="GLOB", action="append",
        help="paths of requests that do not count, in place of /favicon.ico; repeatable",
    )
    parser.addini("stuntdouble_mocks", "the folder or file of stubs that all tests see, from the ini file's folder")
    parser.addini("stuntdouble_fail_on", "what fails a test, as --stuntdouble-fail-on")
    parser.addini("stuntdouble_ignore", "paths of requests that do not count, one a line", type="linelist")
    parser.addini("stuntdouble_args", "more options of the daemon", type="args")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "stuntdouble(mocks=None, fail_on=None, ignore=None, inherit=True, port=None, **more): the mock server of this"
        " test: stubs of its own, what fails it, paths that do not count, whether it sees the stubs of all tests,"
        " whether it has a port of its own",
    )
    run = Run(config)
    config.stash[_RUN] = run
    _reasons(run.fail_on, "--stuntdouble-fail-on")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Controller(run), "stuntdouble-controller")


def pytest_unconfigure(config: pytest.Config) -> None:
    run = config.stash.get(_RUN, None)
    if run is not None:
        run.stop()


class _Controller:
    """What is done once a run: by the controller of pytest-xdist, or where there are no workers."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self.tests = self.requests = self.bad = 0
        self.warnings: List[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        # A daemon that cannot start fails the tests that want it, and no others.
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                node.workerinput["stuntdouble"] = {"url": self.run.server().url}
            self.warnings += [str(warning.message) for warning in caught]
        except StuntDoubleError as error:
            node.workerinput["stuntdouble"] = {"error": str(error)}

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        if issubclass(warning_message.category, StuntDoubleWarning):
            self.run.known(str(warning_message.message))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        served, passed = getattr(report, "stuntdouble", (None, True))
        if served is not None:
            self.tests += 1
            self.requests += served
            self.bad += not passed

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        # Of a daemon that workers have shared, whose log only this process has; the others stand with their tests.
        for text in [*self.warnings, *self.run.untold()]:
            terminalreporter.write_line(f"stuntdouble: warning: {text}", yellow=True)
        if not self.tests:
            return
        verdict = f"{self.bad} with a bad verdict" if self.bad else "all verdicts good"
        terminalreporter.write_line(
            f"stuntdouble: {_number(self.tests, 'test')} had a mock server, {_number(self.requests, 'request')}, {verdict}",
            **{"red" if self.bad else "green": True},
        )
        strays = self.run.strays()
        if strays:
            named = ", ".join(f"{request.get('method')} {request.get('url')}" for request in strays[:3])
            terminalreporter.write_line(
                f"stuntdouble: nothing answered what came to {self.run.server().url} without the identity of a test: {named}"
                + (f", and {len(strays) - 3} more" if len(strays) > 3 else ""),
                yellow=True,
            )


class Run:
    """One run of pytest, or one worker of it."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._server: Optional[Server] = None
        self._error: Optional[Exception] = None
        self._given: Mapping[str, str] = getattr(config, "workerinput", {}).get("stuntdouble", {})
        self.foreign_url: Optional[str] = config.getoption("--stuntdouble-url") or os.environ.get("STUNTDOUBLE_URL")
        self.fail_on: str = (
            config.getoption("--stuntdouble-fail-on") or config.getini("stuntdouble_fail_on") or DEFAULT_FAIL_ON
        )
        self.ignore: List[str] = (
            config.getoption("--stuntdouble-ignore") or list(config.getini("stuntdouble_ignore")) or DEFAULT_IGNORE
        )

    @property
    def mocks(self) -> Optional[Path]:
        given = self.config.getoption("--stuntdouble-mocks")
        if given:
            return Path(self.config.invocation_params.dir, given)
        written = self.config.getini("stuntdouble_mocks")
        folder: Path = self.config.inipath.parent if self.config.inipath else self.config.rootpath
        return folder / written if written else None

    def server(self) -> Server:
        """The daemon of the run; the first call starts it, unless it is somebody else's."""
        if self._error is not None:
            raise self._error
        if self._server is None:
            try:
                self._server = self._begin()
            except (StuntDoubleError, StuntDoubleWarning) as error:
                self._error = error
                raise
        return self._server

    def _begin(self) -> Server:
        if "error" in self._given:
            raise StuntDoubleError(self._given["error"])
        url = self._given.get("url") or self.foreign_url
        if url:
            return Server(url=url)
        return Server(self.mocks, args=self.config.getini("stuntdouble_args")).start()

    def known(self, warning: str) -> None:
        if self._server is not None:
            self._server._told.add(warning)

    def untold(self) -> List[str]:
        """What the daemon of this run has warned of, and no test has told."""
        return self._server._told.news() if self._server is not None else []

    def strays(self) -> List[Dict[str, Any]]:
        """Requests to the address of this run's own daemon that chose no session, and that nothing answered."""
        if self._server is None or self.foreign_url:
            return []
        try:
            report = self._server.shared.report(["unmatched"], self.ignore)
        except StuntDoubleError:
            return []  # It has ended, of which the tests tell.
        return list(report.raw.get("unmatchedRequests", []))

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None


class Test:
    """The session of one test, and what was found about it."""

    __test__ = False

    def __init__(self, session: Session, fail_on: List[str], ignore: List[str]) -> None:
        self.session = session
        self.fail_on = fail_on
        self.ignore = ignore
        self.told = False
        self.served = 0
        self.passed = True

    def complaint(self) -> Optional[str]:
        """What is wrong with the session's requests, if that was not told before."""
        report = self.session.report(self.fail_on, self.ignore)
        failures = self.session.handler_failures
        self.served, self.passed = report.served, report.passed and not failures
        if self.passed or self.told:
            return None
        self.told = True
        said = [] if report.passed else [f"{report.headline}\n{report.text.rstrip()}"]
        return "\n\n".join([*failures, *said, _journal(self.session)])


@pytest.fixture(scope="session")
def stuntdouble_server(pytestconfig: pytest.Config) -> Server:
    """The daemon of the run."""
    try:
        return pytestconfig.stash[_RUN].server()
    except (StuntDoubleError, StuntDoubleWarning) as error:
        raise _failure(error) from None


@pytest.fixture
def stuntdouble(request: pytest.FixtureRequest, stuntdouble_server: Server) -> Iterator[Session]:
    """A mock server for this test alone; requests that it has no stub for fail the test."""
    run = request.config.stash[_RUN]
    options = _options(request.node)
    try:
        fail_on = reasons_of(options.pop("fail_on", None) or run.fail_on, "the marker's fail_on")
    except ValueError as error:
        raise _failure(error) from None
    ignore = options.pop("ignore", None)
    ignore = run.ignore if ignore is None else [ignore] if isinstance(ignore, str) else list(ignore)
    mocks = _paths(request, options.pop("mocks", None))
    if run.foreign_url and run.mocks is not None:
        # It serves its own stubs; those of this run are the session's.
        mocks.insert(0, run.mocks)
    try:
        session = stuntdouble_server.session(_session_name(request.node.nodeid), **options)
    except (StuntDoubleError, ValueError) as error:
        raise _failure(error) from None
    test = Test(session, fail_on, ignore)
    try:
        try:
            session._begin(mocks)
        except (StuntDoubleError, OSError) as error:
            raise _failure(error) from None
        request.node.stash[_TEST] = test
        yield session
        # Requests that came after the test's own lines, such as those of fixtures that end.
        complaint = test.complaint()
    finally:
        session.close()
    if complaint:
        pytest.fail(complaint, pytrace=False)


def _session_name(test: str) -> str:
    """The test's name, or its beginning: the name of a session has at most 1,024 bytes."""
    name = test.encode("utf-8", "replace")
    return test if len(name) <= 1024 else name[:1000].decode("utf-8", "ignore") + "…"


def _failure(what: Any) -> BaseException:
    """A failure that is told by its words alone: the lines of this package that it came by say nothing."""
    return pytest.fail.Exception(str(what), pytrace=False)


def _options(item: pytest.Item) -> Dict[str, Any]:
    """The marker's arguments; of several markers the nearest to the test wins, name by name."""
    options: Dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("stuntdouble"))):
        if marker.args:
            raise _failure(f"@pytest.mark.stuntdouble takes arguments by name only, found {marker.args}")
        for name in marker.kwargs:
            if name not in MARKED:
                raise _failure(f"@pytest.mark.stuntdouble takes {', '.join(MARKED)}; found {name!r}{hint(name, MARKED)}")
        options.update(marker.kwargs)
    return {name: value for name, value in options.items() if value is not None}


def _paths(request: pytest.FixtureRequest, mocks: Any) -> List[Path]:
    """Files and folders of stubs, as named from the test's own folder."""
    if mocks is None:
        return []
    return [request.path.parent / path for path in ([mocks] if isinstance(mocks, (str, os.PathLike)) else mocks)]


def _reasons(names: Any, place: str) -> List[str]:
    try:
        return reasons_of(names, place)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A test that has passed by its own lines fails where its mock server's verdict is bad."""
    outcome: Any = yield
    test = item.stash.get(_TEST, None)
    if test is None or outcome.excinfo is not None:
        return
    try:
        complaint = test.complaint()
        if complaint:
            pytest.fail(complaint, pytrace=False)
    except BaseException as error:
        outcome.force_exception(error)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    test = item.stash.get(_TEST, None)
    if test is None:
        return
    if call.when != "teardown" and not report.passed and not test.told:
        # A test that was skipped half-way has no verdict.
        test.told = True
        if report.failed:
            report.sections.append((f"Stunt Double: {without_users(test.session.url)}", _findings(test)))
    if call.when == "teardown":
        # Whoever reports, such as the controller of xdist, gets these with the report.
        report.stuntdouble = (test.served, test.passed)
        del item.stash[_TEST]


def _findings(test: Test) -> str:
    """The journal of a test that failed by its own lines, and what its mock server has to say."""
    try:
        report = test.session.report(test.fail_on, test.ignore)
        test.served, test.passed = report.served, report.passed and not test.session.handler_failures
        # The text of a bad verdict has it already.
        said = [report.around] if report.passed else [report.text.rstrip()]
        return "\n\n".join(filter(None, [_journal(test.session), *test.session.handler_failures, *said]))
    except StuntDoubleError as error:
        return str(error)


def _journal(session: Session) -> str:
    requests = session.requests()
    lines = [f"requests of this test: {len(requests) or 'none'}"]
    if len(requests) > SHOWN_REQUESTS:
        lines.append(f"  … {len(requests) - SHOWN_REQUESTS} before")
    return "\n".join(lines + [f"  {request!r}" for request in requests[-SHOWN_REQUESTS:]])


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


# Playwright


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Iterator[None]:
    """The pages of a test that has a mock server carry its identity, to the mock and to the application, which passes it on.

    pytest-playwright makes contexts in `new_context`, of `browser_context_args`, the marker of that name and its arguments.
    """
    outcome: Any = yield
    if fixturedef.argname != "new_context" or "stuntdouble" not in request.fixturenames or outcome.excinfo is not None:
        return
    made = outcome.get_result()
    if not callable(made):
        return
    session: Session = request.getfixturevalue("stuntdouble")
    marker = request.node.get_closest_marker("browser_context_args")
    general = {**request.getfixturevalue("browser_context_args"), **(marker.kwargs if marker else {})}

    def new_context(**arguments: Any) -> Any:
        chosen = {**general, **arguments}
        return carry_identity(made(**arguments), session, chosen.get("base_url"), chosen.get("extra_http_headers"))

    fixturedef.cached_result = (new_context, *fixturedef.cached_result[1:])
    outcome.force_result(new_context)
