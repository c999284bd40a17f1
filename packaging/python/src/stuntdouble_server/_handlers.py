import base64
import json
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._patterns import variables_of
from ._requests import Request

Function = Callable[[Request], Any]
"""Makes an answer of a request: a mapping with `status`, `headers`, and `json` or `body`; a body alone; or None."""

_KEYS = ("status", "headers", "json", "body")
# Fields of the connection between the daemon and this process, which say nothing of the client's request.
_HOP = ("host", "connection", "stunt-double-hop", "user-agent", "transfer-encoding", "content-length")


class Handlers:
    """Answers that functions make: a server of this process, to which stubs send their requests on. The first handler starts it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: Optional[ThreadingHTTPServer] = None
        self._functions: Dict[str, Tuple[str, Function, List[str]]] = {}
        self._count = 0

    def add(self, key: str, function: Function, failures: List[str]) -> str:
        """The base URL for a stub to send its requests to; what the function raises is added to `failures`."""
        with self._lock:
            if self._server is None:
                self._server = _Server(("127.0.0.1", 0), _Handler)
                threading.Thread(target=self._server.serve_forever, name="stuntdouble handlers", daemon=True).start()
            self._count += 1
            name = str(self._count)
            self._functions[name] = (key, function, failures)
            return f"http://127.0.0.1:{self._server.server_address[1]}/{name}"

    def remove(self, failures: List[str]) -> None:
        """Forgets the functions that tell their failures there."""
        with self._lock:
            self._functions = {name: known for name, known in self._functions.items() if known[2] is not failures}

    def answer(self, target: str, event: Dict[str, Any]) -> Tuple[int, Dict[str, Any], bytes]:
        name, slash, url = target[1:].partition("/")
        known = self._functions.get(name)
        if known is None:
            return 410, {}, b"the session of this handler has ended\n"
        key, function, failures = known
        event["url"] = slash + url
        request = Request({"request": event})
        request.variables = variables_of(key, request.path)
        try:
            return _parts(function(request))
        except Exception as error:  # The answer to the client, and a failure of the test.
            # Without the line here that has called the function.
            frames = error.__traceback__.tb_next if error.__traceback__ else None
            told = "".join(traceback.format_exception(type(error), error, frames)).rstrip()
            said = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")
            text = f"the handler of {request.method} {request.url} failed: {said}\n{told}"
            failures.append(text)
            return 500, {"Content-Type": "text/plain; charset=utf-8"}, text.encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a client that has gone, and with it the daemon's call, is no failure."""


handlers = Handlers()


def _parts(answer: Any) -> Tuple[int, Dict[str, Any], bytes]:
    """Status, headers and body."""
    if answer is None or isinstance(answer, (str, bytes)):
        answer = {} if answer is None else {"body": answer}
    if not isinstance(answer, Mapping):
        raise TypeError(f"expected a mapping with {', '.join(_KEYS)}, a text or bytes from the handler; it returned {answer!r}")
    for key in answer:
        if key not in _KEYS:
            raise TypeError(f"expected {', '.join(_KEYS)} in a handler's answer; found {key!r}")
    headers = dict(answer.get("headers") or {})
    for name, value in headers.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if any(mark in f"{name}{one}" for mark in "\r\n\0"):
                raise ValueError(f"expected a header without line ends, found {name!r}: {one!r}")
            f"{name}{one}".encode("latin-1")  # Raises for what no header can have.
    body = answer.get("body", b"")
    if "json" in answer:
        body = json.dumps(answer["json"], separators=(",", ":"), ensure_ascii=False)
        if not any(name.lower() == "content-type" for name in headers):
            headers["Content-Type"] = "application/json"
    return int(answer.get("status", 200)), headers, body.encode() if isinstance(body, str) else bytes(body)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        body = self._body()
        headers: Dict[str, Any] = {}
        for name in self.headers.keys():
            values = self.headers.get_all(name) or []
            if name.lower() not in _HOP:
                headers[name] = values[0] if len(values) == 1 else values
        event = {"method": self.command, "headers": headers, "bodyAsBase64": base64.b64encode(body).decode()}
        status, fields, content = handlers.answer(self.path, event)
        self.send_response_only(status)
        for name, value in fields.items():
            for one in value if isinstance(value, (list, tuple)) else [value]:
                self.send_header(name, str(one))
        if status >= 200 and status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD" and status >= 200 and status not in (204, 304):
            self.wfile.write(content)
        self.wfile.flush()

    def _body(self) -> bytes:
        if "chunked" not in (self.headers.get("Transfer-Encoding") or "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        pieces = []
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(pieces)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass
