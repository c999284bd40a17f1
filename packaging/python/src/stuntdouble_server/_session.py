import collections.abc
import itertools
import json as jsons
import os
import re
from pathlib import Path
import ssl
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union, overload
from urllib.parse import quote, urlencode

from ._authority import Authority
from ._errors import AdminError, StuntDoubleError, VerificationError
from ._folder import Call, calls_for
from ._handlers import Function, handlers
from ._http import Connection, refusal
from ._options import hint, named
from ._patterns import Pattern, pattern_of
from ._report import Report
from ._requests import Request
from ._stubs import Stub, in_written_order, is_list, is_routes, response_of, sent

if TYPE_CHECKING:
    # Type checkers know it, whether the package is installed or not.
    from typing_extensions import Unpack

    from ._dialect import RequestPattern, Route, RouteMembers, StubCollection, StubElement

DEFAULT_FAIL_ON = ("unmatched", "error")
REASONS = ("unmatched", "unused", "unmet", "fault", "error", "webhook", "aborted", "contract", "slow>TIME")
Names = Union[str, Sequence[str]]
_numbers = itertools.count(1)


What = Union[str, "RequestPattern", Stub]
"""Which requests: a route's key such as ``GET /users/{id}``, a pattern in WireMock's form, or those of a stub."""


class Session:
    """A mock server of its own within a daemon: stubs, journal, scenarios and counters that no other test sees.

    ``Server.session()`` creates one; it ends by ``close()``, or as a context manager.
    """

    def __init__(
        self, server: Connection, facts: Mapping[str, Any], url: Optional[str] = None, https_url: Optional[str] = None,
        authority: Optional[Authority] = None,
    ) -> None:
        self._server = server
        self.id: Optional[str] = facts.get("id")
        """None for the daemon's own stubs and journal."""
        self.name: Optional[str] = facts.get("name")
        self.url: str = (url or server.url).rstrip("/")
        """Where the code under test sends its requests: an address of the session's own."""
        self._https_url = https_url or facts.get("httpsUrl")
        self._authority = authority or Authority(server)
        self.server_url: str = server.url
        """The daemon's address, at which `headers` choose this session."""
        self.handler_failures: List[str] = []
        """What functions of `handle` have raised, each as a text with its request."""
        self._beginning: List[Call] = []
        # By the daemon's own address, since a session's port may not be reachable from here.
        path = f"/__session/{self.id}" if self.id else ""
        self._connection = Connection(server.url + path, server.token, server.told)

    @property
    def https_url(self) -> str:
        """The same as `url` in HTTPS; `StuntDoubleError` says how to have one. Clients are to trust `ca`."""
        __tracebackhide__ = True
        if not self._https_url:
            raise StuntDoubleError(
                "this session has no address for HTTPS: begin it with @pytest.mark.stuntdouble(httpsPort=0) or"
                " session(httpsPort=0), or start the daemon with --https-port 0"
            )
        return self._https_url

    @property
    def ca(self) -> str:
        """The path of a PEM file with the daemon's certificate authority, until the process ends: ``requests.get(…, verify=mock.ca)``.

        ``NODE_EXTRA_CA_CERTS`` of a program that is started takes it, and so do ``REQUESTS_CA_BUNDLE`` and ``SSL_CERT_FILE``, which
        then know no other authority.
        `StuntDoubleError` where the daemon issues no certificates.
        """
        __tracebackhide__ = True
        return self._authority.path

    @property
    def ssl_context(self) -> ssl.SSLContext:
        """A context of a client that trusts the daemon's authority beside the system's own: ``httpx.get(…, verify=mock.ssl_context)``.

        It is the one of all sessions of a daemon. `StuntDoubleError` where the daemon issues no certificates.
        """
        __tracebackhide__ = True
        return self._authority.context

    @property
    def headers(self) -> Dict[str, str]:
        """The headers that choose this session at the daemon's address.

        `baggage` is what servers pass on from request to request, so it reaches the mock through the application.
        """
        if not self.id:
            return {}
        return {"X-StuntDouble-Session": self.id, "baggage": f"stuntdouble-session={self.id}"}

    @property
    def cookie(self) -> Dict[str, str]:
        """The name and value of the cookie that chooses this session."""
        return {"name": "stuntdouble-session", "value": self.id} if self.id else {}

    def admin(self, method: str, path: str, body: Any = None, *, timeout: float = 60) -> Any:
        """A call of the admin API in this session: the JSON of its answer, its text where it is none, or None if it is empty.

        `path` is with or without ``/__admin``, as in ``admin("GET", "/scenarios")``. `body` is sent as JSON, or as it is if it
        is bytes. A refusal raises `AdminError`, and no answer within `timeout` seconds as well.
        """
        __tracebackhide__ = True
        return self._connection.call(method, _admin_path(path), body, timeout=timeout)

    # Stubs

    @overload
    def stub(
        self, route: str, response: "Union[RouteMembers, Sequence[Route], None]" = None, **members: "Unpack[RouteMembers]"
    ) -> Stub: ...

    @overload
    def stub(self, route: "Union[StubElement, StubCollection, Sequence[StubElement]]") -> Stub: ...

    def stub(self, route: Any, response: Any = None, **members: Any) -> Stub:
        """Adds a stub, or several at once; of several that match the one added last answers.

        `route` is a route's key, ``GET /users/{id}``, and the arguments are those of a route (docs/routes.md), such as
        `json`, `status`, `headers`, `when`, `delay`, `fault` and `times`; or a mapping, `response`, has all of them. A list of
        such mappings is tried in its order, as in a file.

        Or `route` is, alone, what a stub file may have: a stub mapping in WireMock's form, a mapping of routes, ``{"GET /a":
        {"json": 1}, "GET /b": {}}``, ``{"mappings": […]}``, or a list of any of these. All of them are added, or none.

        A mistake raises `AdminError`, with the place and the nearest name; what is valid and hardly meant is a
        `StuntDoubleWarning`.
        """
        __tracebackhide__ = True
        members = {name: value for name, value in members.items() if value is not None or name == "json"}
        if isinstance(route, str):
            return self._stub_file({route: response_of(route, response, members)}, route)
        if response is not None or members:
            beside = ", ".join(members) or repr(response)
            raise TypeError(f"a mapping or a list of stubs says all of itself; not taken beside it: {beside}")
        if not isinstance(route, collections.abc.Mapping) and not is_list(route):
            raise TypeError(f"expected a route's key such as 'GET /users/{{id}}', a mapping or a list of mappings; found {route!r}")
        if not route:
            raise ValueError(f"expected one stub or more, found {route!r}")
        if isinstance(route, collections.abc.Mapping) and "mappings" not in route and not is_routes(route):
            mapping = self.admin("POST", "/mappings", route)
            return Stub(self, mapping["id"], mapping)
        return self._stub_file(sent(route))

    def _stub_file(self, content: Any, key: Optional[str] = None) -> Stub:
        """Adds all stubs of a document, as of a file of its own, since those of the same file and key would take each other's place."""
        __tracebackhide__ = True
        file = f"stub-{os.getpid()}-{next(_numbers)}.json"
        # Nobody wrote that file: its name and the place in it say nothing.
        noise = re.compile(rf"^POST \S+: status 422: |{file}:\d+:\d+: (?:error|warning): ")
        try:
            answer = self.admin("POST", f"/mappings/import/{file}", jsons.dumps(content).encode())
        except AdminError as error:
            said = noise.sub("", str(error))
            if key is not None and isinstance(content[key], list):
                said += "; a list is one of responses, and the body that is a list is json=[…]"
            error.args = (said,)
            raise
        ids = [mapping["id"] for mapping in answer["mappings"]]
        first, *others = [Stub(self, id) for id in in_written_order(ids, content)]
        self._warn(answer, noise)
        return Stub(self, first.id, more=others, key=key)

    def _warn(self, answer: Mapping[str, Any], noise: "Optional[re.Pattern[str]]" = None) -> None:
        """Warns of what is doubtful in the stubs of an import."""
        told = self._connection.told
        for text in answer.get("warnings", []):
            told.add(text)
            told.warn([noise.sub("", text) if noise else text])

    def handle(self, route: str, function: Function, **more: "Unpack[Route]") -> Stub:
        """Adds a stub whose answers a function makes, on a thread of its own.

        It gets a `Request`, and returns a mapping with `status`, `headers`, and `json` or `body`; or a body alone, or None.
        What it raises is a 500, is kept in `handler_failures` and makes the verdict bad. `more` is what a route may have,
        such as `when`, `delay` and `times`. The daemon calls back to this process: it has to run on the same machine.
        """
        __tracebackhide__ = True
        if not isinstance(route, str) or not callable(function):
            raise TypeError(f"expected a route's key and a function, found {route!r}, {function!r}")
        members: Any = {**more, "proxy": handlers.add(route, function, self.handler_failures)}
        return self.stub(route, members)

    def load(self, path: Union[str, "os.PathLike[str]"]) -> List[Stub]:
        """Adds the stubs of a file, or of a folder with its `__files`, as a daemon has them that serves it: in any form, with what
        files state for their folder (`cors`, `chaos`). A file with errors is refused, unless the daemon keeps going (``--keep-going``):
        then it has its valid stubs, and the errors are a `StuntDoubleWarning`."""
        __tracebackhide__ = True
        return self._load(calls_for(Path(path)))

    def load_text(self, text: Union[str, bytes], name: str = "stubs.yaml") -> List[Stub]:
        """Adds the stubs of a stub file's text; a name that was there before is replaced. The ending says its form."""
        __tracebackhide__ = True
        content = text if isinstance(text, bytes) else text.encode()
        return self._load([("POST", f"/mappings/import/{quote(name)}", content)])

    def _load(self, calls: Sequence[Call], warns: bool = True) -> List[Stub]:
        """Makes calls that load files."""
        __tracebackhide__ = True
        stubs: List[Stub] = []
        for method, path, content in calls:
            answer = self._sent(method, path, content)
            if method == "POST":
                if warns:
                    self._warn(answer)
                stubs += [Stub(self, mapping["id"]) for mapping in answer["mappings"]]
        return stubs

    def _sent(self, method: str, path: str, content: bytes) -> Any:
        __tracebackhide__ = True
        try:
            return self.admin(method, path, content)
        except AdminError as error:
            if error.status != 422 or path.endswith("?folder=true"):
                raise
            try:
                # One file alone has its valid stubs, too, where the daemon keeps going.
                return self.admin(method, path + "?folder=true", content)
            except AdminError:
                raise error from None

    def _begin(self, paths: Sequence[Union[str, "os.PathLike[str]"]]) -> None:
        """Loads files and folders that belong to its beginning, to which `reset` goes back."""
        __tracebackhide__ = True
        for path in paths:
            calls = calls_for(Path(path))
            self._load(calls)
            self._beginning += calls

    def reset(self) -> None:
        """Back to the beginning: the stubs of `mocks` are as they were loaded, those that were added since are gone; scenarios,
        counters and journal are empty."""
        __tracebackhide__ = True
        self.admin("POST", "/reset")
        self._load(self._beginning, warns=False)

    # Requests

    @named
    def requests(self, what: Optional[What] = None) -> List[Request]:
        """The requests that were received, or those that are meant; the oldest first."""
        __tracebackhide__ = True
        meant = None if what is None else set(self._sequences(_pattern(what)))
        if meant is not None and not meant:
            return []
        events = self.admin("GET", f"/requests?after={min(meant) - 1 if meant else 0}&details=true")["requests"]
        return [Request(event) for event in events if meant is None or event["sequence"] in meant]

    def _sequences(self, pattern: Pattern) -> List[int]:
        """The sequences of the requests that a pattern matches; the daemon shows some of them at a time."""
        __tracebackhide__ = True
        sequences: List[int] = []
        while True:
            body = {"expectations": [{"pattern": pattern}], "since": sequences[-1] if sequences else 0}
            [found] = self.admin("POST", "/requests/verify", body)["expectations"]
            if "cannotTell" in found:
                raise AdminError(str(found["cannotTell"]), 409, found)
            shown = found.get("sequences", [])
            sequences += shown
            if len(shown) >= found.get("count", 0) or not shown:
                return sequences

    @named
    def count(self, what: What) -> int:
        """The number of requests that were received of those that are meant."""
        __tracebackhide__ = True
        return int(self.admin("POST", "/requests/count", _pattern(what))["count"])

    @named
    def verify(
        self,
        what: What,
        count: Optional[int] = None,
        *,
        at_least: Optional[int] = None,
        at_most: Optional[int] = None,
        within: float = 0,
    ) -> None:
        """Raises `VerificationError` unless as many such requests were received: by default one or more.

        With `within` it waits so many seconds until it holds.
        """
        __tracebackhide__ = True
        expectation: Dict[str, Any] = {"pattern": _pattern(what), "name": _title(what)}
        number = {"exactly": count, "atLeast": at_least, "atMost": at_most}
        number = {key: value for key, value in number.items() if value is not None}
        if number:
            expectation["count"] = number
        self._verify({"expectations": [expectation]}, within)

    @named
    def verify_in_order(self, *whats: Union[What, Sequence[What]], within: float = 0) -> None:
        """Raises `VerificationError` unless such requests were received in this order, others between or not.

        They may be a list. With `within` it waits so many seconds until it holds.
        """
        __tracebackhide__ = True
        expectations = [{"pattern": _pattern(what), "name": _title(what)} for what in _each(whats)]
        self._verify({"expectations": expectations, "inOrder": True}, within)

    @named
    def verify_only(self, *whats: Union[What, Sequence[What]]) -> None:
        """Raises `VerificationError` if a request was received that is none of these, which may be a list."""
        __tracebackhide__ = True
        anything = {"atLeast": 0}
        expectations = [{"pattern": _pattern(what), "name": _title(what), "count": anything} for what in _each(whats)]
        self._verify({"expectations": expectations, "nothingElse": True}, 0)

    def _verify(self, body: Dict[str, Any], within: float) -> None:
        __tracebackhide__ = True
        body["timeoutMs"] = int(within * 1000)
        answer = self.admin("POST", "/requests/verify", body, timeout=within + 60)
        if not answer["verified"]:
            raise VerificationError(answer["text"].rstrip())

    @named
    def wait_for(self, what: What, count: int = 1, *, timeout: float = 5) -> List[Request]:
        """The requests, as soon as there are so many; `VerificationError` if there are not in time (seconds)."""
        __tracebackhide__ = True
        self.verify(what, at_least=count, within=timeout)
        return self.requests(what)

    # The verdict

    @named
    def report(self, fail_on: Names = DEFAULT_FAIL_ON, ignore: Names = ()) -> Report:
        """The verdict.

        `fail_on` has what makes it bad, a list or a text with commas of `unmatched`, `unused`, `unmet`, `fault`, `error`, `webhook`,
        `aborted`, `contract` and `slow>1s`, or ``"none"``; `ignore` the globs of paths that do not count, or one. What is no reason is a
        `ValueError`. It is the verdict of this session alone, not of its child sessions.
        """
        __tracebackhide__ = True
        document = jsons.loads(self.render("json", fail_on, ignore))
        if document.get("verdict") == "passed":
            served = document.get("served", 0)
            return Report(document, f"passed: {served} request{'' if served == 1 else 's'}")
        return Report(document, self.render("text", fail_on, ignore))

    @named
    def render(
        self, format: str = "text", fail_on: Names = DEFAULT_FAIL_ON, ignore: Names = ()
    ) -> str:
        """The report as the daemon writes it: `text`, `json`, `junit`, `html`, `github` or `markdown`; the rest is as for `report`."""
        __tracebackhide__ = True
        globs = [ignore] if isinstance(ignore, str) else ignore
        reasons = reasons_of(fail_on, "fail_on")
        query = [("format", format), ("fail", ",".join(reasons) or "none"), ("sessions", "own"), *(("ignore", glob) for glob in globs)]
        path = f"/__admin/report?{urlencode(query)}"
        status, headers, body = self._connection.send("GET", path)
        # With `fail` a bad verdict is a 422, as a bad question is; only the verdict has this header.
        if status != 200 and "x-stuntdouble-verdict" not in headers:
            raise refusal(f"GET {path}", status, body)
        return body.decode()

    @named
    def check(self, fail_on: Names = DEFAULT_FAIL_ON, ignore: Names = ()) -> None:
        """Raises `VerificationError` with the report's text if the verdict of `report` is bad, or a function of `handle` has failed."""
        __tracebackhide__ = True
        report = self.report(fail_on, ignore)
        complaints = [*self.handler_failures, *([] if report.passed else [report.text.rstrip()])]
        if complaints:
            raise VerificationError("\n\n".join(complaints))

    # The end

    def close(self) -> None:
        """Ends the session; later requests to it get a 410. The daemon's own is not ended.

        What the daemon has warned of since, in its log, is a `StuntDoubleWarning`.
        """
        handlers.remove(self.handler_failures)
        try:
            if self.id:
                self._server.call("DELETE", f"/__admin/sessions/{self.id}")
        except AdminError as error:
            if error.status not in (404, 410):
                raise
        self._server.told.look()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Session {self.id or 'of the daemon'} {self.url}>"


def _admin_path(path: str) -> str:
    path = "/" + path.lstrip("/")
    return path if re.match(r"/__admin(?:[/?]|$)", path) else "/__admin" + path


def _pattern(what: What) -> Pattern:
    __tracebackhide__ = True
    if isinstance(what, Stub):
        return dict(what.pattern)
    if isinstance(what, str):
        return pattern_of(what)
    if isinstance(what, collections.abc.Mapping):
        return dict(what)
    raise TypeError(f"expected a route's key such as 'GET /users/{{id}}', a request pattern or a stub; found {what!r}")


def _each(whats: Sequence[Any]) -> List[What]:
    return [inner for what in whats for inner in (what if isinstance(what, (list, tuple)) else [what])]


def reasons_of(names: Names, place: str) -> List[str]:
    """The reasons of a verdict; none for `none`. `ValueError` for what is none of them."""
    words = [word.strip() for word in (names.split(",") if isinstance(names, str) else names)]
    words = [word for word in words if word]
    if words == ["none"]:
        return []
    for word in words:
        # The daemon reads the time.
        if word not in REASONS[:-1] and not re.match(r"slow *>", word):
            raise ValueError(f"{place}: expected of {', '.join(REASONS)}, or none; found {word!r}{hint(word, REASONS)}")
    return words


def _title(what: What) -> str:
    __tracebackhide__ = True
    if isinstance(what, Stub):
        return str(what.mapping.get("name") or what._key or f"stub {what.id}")
    return what if isinstance(what, str) else jsons.dumps(dict(what))
