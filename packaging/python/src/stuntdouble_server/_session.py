import base64
import collections.abc
import itertools
import json as jsons
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode

from ._errors import AdminError, VerificationError
from ._handlers import Function, handlers
from ._http import Connection, refusal
from ._patterns import Pattern, pattern_of
from ._report import Report
from ._requests import Request

DEFAULT_FAIL_ON = ("unmatched", "error")
REASONS = ("unmatched", "unused", "unmet", "fault", "error")
_ABSENT: Any = object()
_SKIPPED = ("__files", "node_modules")
_numbers = itertools.count(1)


class Stub:
    """A stub that was added to a session."""

    def __init__(
        self, session: "Session", id: str, mapping: Optional[Mapping[str, Any]] = None, more: Sequence["Stub"] = ()
    ) -> None:
        self.id = id
        # A collection of records is several.
        self._more = more
        self._session = session
        self._mapping = mapping

    @property
    def mapping(self) -> Dict[str, Any]:
        """The stub as the daemon has it, in WireMock's form."""
        if self._mapping is None:
            self._mapping = self._session.admin("GET", f"/mappings/{self.id}")
        return dict(self._mapping or {})

    @property
    def pattern(self) -> Pattern:
        __tracebackhide__ = True
        if self._more:
            raise ValueError("a collection is several stubs: name the request that is meant, such as 'GET /users/{id}'")
        return dict(self.mapping.get("request", {}))

    def remove(self) -> None:
        for stub in (self, *self._more):
            self._session.admin("DELETE", f"/mappings/{stub.id}")


What = Union[str, Mapping[str, Any], Stub]
"""Which requests: a route's key such as ``GET /users/{id}``, a pattern in WireMock's form, or those of a stub."""


class Session:
    """A mock server of its own within a daemon: stubs, journal, scenarios and counters that no other test sees.

    ``Server.session()`` begins one; it ends by ``close()``, or as a context manager.
    """

    def __init__(self, server: Connection, facts: Mapping[str, Any], url: Optional[str] = None) -> None:
        self._server = server
        self.id: Optional[str] = facts.get("id")
        """None for the daemon's own stubs and journal."""
        self.name: Optional[str] = facts.get("name")
        self.url: str = (url or server.url).rstrip("/")
        """Where the code under test sends its requests: an address of the session's own."""
        self.https_url: Optional[str] = facts.get("httpsUrl")
        self.server_url: str = server.url
        """The daemon's address, at which `headers` choose this session."""
        self.handler_failures: List[str] = []
        """What functions of `handle` have raised, each as a text with its request."""
        # By the daemon's own address, since a session's port may not be reachable from here.
        path = f"/__session/{self.id}" if self.id else ""
        self._connection = Connection(server.url + path, server.token)

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
        """A call of the admin API in this session, such as ``admin("GET", "/scenarios")``; its JSON.

        `body` is sent as JSON, or as it is if it is bytes. A refusal raises `AdminError`.
        """
        __tracebackhide__ = True
        return self._connection.call(method, "/__admin" + path, body, timeout=timeout)

    # Stubs

    def stub(
        self,
        route: Union[str, Mapping[str, Any]],
        response: Optional[Mapping[str, Any]] = None,
        *,
        json: Any = _ABSENT,
        body: Union[str, bytes, None] = None,
        status: Optional[int] = None,
        headers: Optional[Mapping[str, Any]] = None,
        when: Optional[Mapping[str, Any]] = None,
        delay: Optional[str] = None,
        fault: Optional[str] = None,
        times: Optional[int] = None,
        name: Optional[str] = None,
        **more: Any,
    ) -> Stub:
        """Adds a stub; of several that match the one added last answers.

        `route` is a route's key, ``GET /users/{id}``, and the arguments are those of a route (docs/routes.md); any
        other of them may be given by name, or all of them in a mapping, `response`. Or `route` is a stub mapping in
        WireMock's form, alone.
        """
        __tracebackhide__ = True
        if response is not None and not isinstance(response, collections.abc.Mapping):
            raise TypeError(
                f"expected a route's key such as 'GET /users/{{id}}' and its response by name, such as json=[], body='' or"
                f" sequence=[…]; found {route!r}, {response!r}"
            )
        given: Dict[str, Any] = {
            "status": status, "headers": headers, "when": when, "delay": delay, "fault": fault, "times": times,
            "name": name,
        }
        value = {**(response or {}), **{key: value for key, value in given.items() if value is not None}, **more}
        if json is not _ABSENT:
            value["json"] = json
        if body is not None:
            value["body"] = body
        if isinstance(value.get("body"), bytes):
            value["base64"] = base64.b64encode(value.pop("body")).decode()
        if not isinstance(route, str):
            if value:
                raise TypeError(f"a mapping says all of itself; not taken beside it: {', '.join(value)}")
            mapping = self.admin("POST", "/mappings", route)
            return Stub(self, mapping["id"], mapping)
        # A file of its own, since a second stub of the same key would take the place of the first.
        file = f"stub-{os.getpid()}-{next(_numbers)}.json"
        try:
            first, *others = self.load_text(jsons.dumps({route: value}), file)
            return Stub(self, first.id, more=others)
        except AdminError as error:
            # Nobody wrote that file: its name and the place in it say nothing.
            error.args = (re.sub(rf"^POST \S+: status 422: |{file}:\d+:\d+: error: ", "", str(error)),)
            raise

    def handle(self, route: str, function: Function, **more: Any) -> Stub:
        """Adds a stub whose answers a function makes, on a thread of its own.

        It gets a `Request`, and returns a mapping with `status`, `headers`, and `json` or `body`; or a body alone, or None.
        What it raises is a 500, is kept in `handler_failures` and makes the verdict bad. `more` is what a route may have,
        such as `when`, `delay` and `times`. The daemon calls back to this process: it has to run on the same machine.
        """
        __tracebackhide__ = True
        if not isinstance(route, str) or not callable(function):
            raise TypeError(f"expected a route's key and a function, found {route!r}, {function!r}")
        return self.stub(route, proxy=handlers.add(route, function, self.handler_failures), **more)

    def load(self, path: Union[str, "os.PathLike[str]"]) -> List[Stub]:
        """Adds the stubs of a file, or of a folder with its `__files`; in any form that the daemon reads."""
        __tracebackhide__ = True
        path = Path(path)
        if path.is_file():
            return self.load_text(path.read_bytes(), path.name)
        if not path.is_dir():
            raise FileNotFoundError(f"no stub file or folder: {path}")
        for file in sorted((path / "__files").rglob("*")):
            if file.is_file():
                name = quote(file.relative_to(path / "__files").as_posix())
                self.admin("PUT", f"/files/{name}", file.read_bytes())
        stubs: List[Stub] = []
        root = path / "mappings" if (path / "mappings").is_dir() else path
        # The daemon tries the stubs of a folder in the order of its files; here the last one added is tried first.
        for file in sorted(root.rglob("*"), reverse=True):
            inner = file.relative_to(root)
            if any(part in _SKIPPED or part.startswith(".") for part in inner.parts):
                continue
            if file.suffix in (".json", ".yaml", ".yml") and file.is_file():
                stubs += self.load_text(file.read_bytes(), inner.as_posix())
        return stubs

    def load_text(self, text: Union[str, bytes], name: str = "stubs.yaml") -> List[Stub]:
        """Adds the stubs of a stub file's text; a name that was there before is replaced. The ending says its form."""
        __tracebackhide__ = True
        content = text if isinstance(text, bytes) else text.encode()
        answer = self.admin("POST", f"/mappings/import/{quote(name)}", content)
        return [Stub(self, mapping["id"]) for mapping in answer["mappings"]]

    def reset(self) -> None:
        """Back to the beginning: stubs, scenarios, counters and journal."""
        __tracebackhide__ = True
        self.admin("POST", "/reset")

    # Requests

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

    def count(self, what: What) -> int:
        __tracebackhide__ = True
        return int(self.admin("POST", "/requests/count", _pattern(what))["count"])

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

    def verify_in_order(self, *whats: What, within: float = 0) -> None:
        """Raises `VerificationError` unless such requests were received in this order, others between or not."""
        __tracebackhide__ = True
        expectations = [{"pattern": _pattern(what), "name": _title(what)} for what in whats]
        self._verify({"expectations": expectations, "inOrder": True}, within)

    def verify_only(self, *whats: What) -> None:
        """Raises `VerificationError` if a request was received that is none of these."""
        __tracebackhide__ = True
        anything = {"atLeast": 0}
        expectations = [{"pattern": _pattern(what), "name": _title(what), "count": anything} for what in whats]
        self._verify({"expectations": expectations, "nothingElse": True}, 0)

    def _verify(self, body: Dict[str, Any], within: float) -> None:
        __tracebackhide__ = True
        body["timeoutMs"] = int(within * 1000)
        answer = self.admin("POST", "/requests/verify", body, timeout=within + 60)
        if not answer["verified"]:
            raise VerificationError(answer["text"].rstrip())

    def wait_for(self, what: What, count: int = 1, *, timeout: float = 5) -> List[Request]:
        """The requests, as soon as there are so many; `VerificationError` if there are not in time (seconds)."""
        __tracebackhide__ = True
        self.verify(what, at_least=count, within=timeout)
        return self.requests(what)

    # The verdict

    def report(self, fail_on: Sequence[str] = DEFAULT_FAIL_ON, ignore: Sequence[str] = ()) -> Report:
        """The verdict; `fail_on` has what makes it bad, `ignore` globs of paths that do not count."""
        __tracebackhide__ = True
        document = jsons.loads(self.render("json", fail_on, ignore))
        if document.get("verdict") == "passed":
            served = document.get("served", 0)
            return Report(document, f"passed: {served} request{'' if served == 1 else 's'}")
        return Report(document, self.render("text", fail_on, ignore))

    def render(
        self, format: str = "text", fail_on: Sequence[str] = DEFAULT_FAIL_ON, ignore: Sequence[str] = ()
    ) -> str:
        """The report as the daemon writes it: `text`, `json`, `junit`, `html`, `github` or `markdown`."""
        __tracebackhide__ = True
        query = [("format", format), ("fail", ",".join(fail_on) or "none"), *(("ignore", glob) for glob in ignore)]
        path = f"/__admin/report?{urlencode(query)}"
        status, headers, body = self._connection.send("GET", path)
        # With `fail` a bad verdict is a 422, as a bad question is; only the verdict has this header.
        if status != 200 and "x-stuntdouble-verdict" not in headers:
            raise refusal(f"GET {path}", status, body)
        return body.decode()

    def check(self, fail_on: Sequence[str] = DEFAULT_FAIL_ON, ignore: Sequence[str] = ()) -> None:
        """Raises `VerificationError` with the report's text if the verdict is bad."""
        __tracebackhide__ = True
        report = self.report(fail_on, ignore)
        complaints = [*self.handler_failures, *([] if report.passed else [report.text.rstrip()])]
        if complaints:
            raise VerificationError("\n\n".join(complaints))

    # The end

    def close(self) -> None:
        """Ends the session; later requests to it get a 410. The daemon's own is not ended."""
        handlers.remove(self.handler_failures)
        if not self.id:
            return
        try:
            self._server.call("DELETE", f"/__admin/sessions/{self.id}")
        except AdminError as error:
            if error.status not in (404, 410):
                raise

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Session {self.id or 'of the daemon'} {self.url}>"


def _pattern(what: What) -> Pattern:
    __tracebackhide__ = True
    if isinstance(what, Stub):
        return what.pattern
    return pattern_of(what) if isinstance(what, str) else dict(what)


def _title(what: What) -> str:
    __tracebackhide__ = True
    if isinstance(what, Stub):
        return str(what.mapping.get("name") or f"stub {what.id}")
    return what if isinstance(what, str) else jsons.dumps(dict(what))
