import http.client
import json
import re
import ssl
from typing import Any, Dict, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ._errors import AdminError
from ._secrets import without_users
from ._warnings import Told


# Neither a query nor a fragment, behind which no path can stand, and nothing that programs read differently.
_SHAPE = re.compile(r"https?://[^\s\\?#]+", re.IGNORECASE)


class Connection:
    """Calls below one base address, each on a connection of its own: any thread may call, and no proxy is asked."""

    def __init__(self, url: str, token: Optional[str] = None, told: Optional[Told] = None) -> None:
        try:
            parts = urlsplit(url)
            is_address = _SHAPE.fullmatch(url) and parts.hostname and parts.port != 0
            (parts.hostname or "").encode("idna")
        except ValueError:
            is_address = False  # Its host or port is none; the port may be what a password has before its `/`.
        if not is_address:
            raise ValueError(f"expected an address such as http://127.0.0.1:8080, found {without_users(url)!r}")
        self.url = url.rstrip("/")
        self.shown = without_users(self.url)
        self.host = parts.hostname
        self.token = token
        self.told = told or Told()
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
        except ssl.SSLCertVerificationError as error:
            how = "SSL_CERT_FILE names the file of the authorities that Python trusts, `stuntdouble ca --path` that of the daemon"
            raise AdminError(f"{method} {self.shown}{path}: the daemon's certificate is not trusted: {error}; {how}", 0) from error
        except OSError as error:
            raise AdminError(f"{method} {self.shown}{path}: no answer from the daemon: {error}", 0) from error
        finally:
            connection.close()

    def call(self, method: str, path: str, body: Any = None, timeout: float = 60) -> Any:
        """The JSON of an answer, or None; what is not a success is an `AdminError` that says what was wrong.

        `body` is sent as it is if it is bytes, and as JSON otherwise. An answer that is no JSON is its text. What the daemon
        takes and doubts is a `StuntDoubleWarning`.
        """
        __tracebackhide__ = True
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        status, headers, answer = self.send(method, path, data, timeout=timeout)
        if 200 <= status < 300:
            if "x-stuntdouble-warning" in headers:
                self.told.header(headers["x-stuntdouble-warning"])
            return _value(answer)
        raise refusal(f"{method} {path}", status, answer)


def _value(answer: bytes) -> Any:
    text = answer.decode("utf-8", "replace")
    try:
        return json.loads(text) if text.strip() else None
    except ValueError:
        return text


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
