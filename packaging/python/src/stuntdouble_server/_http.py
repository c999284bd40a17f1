import http.client
import json
from typing import Any, Dict, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ._errors import AdminError


class Connection:
    """Calls below one base address, each on a connection of its own: any thread may call, and no proxy is asked."""

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"expected an address such as http://127.0.0.1:8080, found {url!r}")
        self.url = url.rstrip("/")
        self.token = token
        self._parts = parts
        self._prefix = parts.path.rstrip("/")

    def send(
        self, method: str, path: str, body: Optional[bytes] = None, headers: Optional[Mapping[str, str]] = None,
        timeout: float = 60,
    ) -> Tuple[int, Mapping[str, str], bytes]:
        """Status, headers with names in lower case, and body of an answer."""
        __tracebackhide__ = True
        fields: Dict[str, str] = dict(headers or {})
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._parts.hostname or "", self._parts.port, timeout=timeout)
        try:
            connection.request(method, self._prefix + path, body=body, headers=fields)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        except OSError as error:
            raise AdminError(f"{method} {self.url}{path}: no answer from the daemon: {error}", 0) from error
        finally:
            connection.close()

    def call(self, method: str, path: str, body: Any = None, timeout: float = 60) -> Any:
        """The JSON of an answer, or None; what is not a success is an `AdminError` that says what was wrong.

        `body` is sent as it is if it is bytes, and as JSON otherwise.
        """
        __tracebackhide__ = True
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        status, _, answer = self.send(method, path, data, timeout=timeout)
        if 200 <= status < 300:
            return json.loads(answer) if answer.strip() else None
        raise refusal(f"{method} {path}", status, answer)


def refusal(call: str, status: int, answer: bytes) -> AdminError:
    """What the daemon says against a call."""
    text = answer.decode("utf-8", "replace")
    body: Any = text
    lines = []
    try:
        body = json.loads(text)
        errors = body.get("errors", []) if isinstance(body, dict) else []
        # The last line is the daemon's own word; what is before it is WireMock's.
        lines = [(error.get("detail") or error.get("title") or "").split("\n")[-1] for error in errors]
    except ValueError:
        lines = text.strip().split("\n")[:1]
    return AdminError(f"{call}: status {status}: " + ("; ".join(line for line in lines if line) or "no reason given"), status, body)
