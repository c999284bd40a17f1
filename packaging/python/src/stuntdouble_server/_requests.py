import base64
import json
from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import parse_qs, urlsplit


class Request:
    """A request in the journal, with what was answered."""

    def __init__(self, event: Mapping[str, Any]) -> None:
        request = event.get("request", event)
        self.raw: Dict[str, Any] = dict(event)
        """What the daemon says of it: a serve event, or of those that a pattern found only the request."""
        self.method: str = request.get("method", "")
        self.url: str = request.get("url", "")
        """Path and query, as they were sent."""
        self.headers: Dict[str, Any] = dict(request.get("headers", {}))
        self.body: bytes = base64.b64decode(request.get("bodyAsBase64", ""))
        self.matched: Optional[bool] = event.get("wasMatched")
        response = event.get("response") or {}
        self.status: Optional[int] = response.get("status")
        """The status of the answer; None where it is not known."""
        self.variables: Dict[str, str] = {}
        """For a function of `handle`: what the variables of its route's path are, decoded."""
        self.stub: Optional[Dict[str, Any]] = event.get("stubMapping") if self.matched else None

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    @property
    def query(self) -> Dict[str, List[str]]:
        """The parameters of the query, decoded, with all values of each."""
        return parse_qs(urlsplit(self.url).query, keep_blank_values=True)

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> Optional[Any]:
        """The value of a header whatever the case of its name; a list if it came several times."""
        return next((value for key, value in self.headers.items() if key.lower() == name.lower()), None)

    def __repr__(self) -> str:
        answered = f" → {self.status}" if self.status else ""
        return f"{self.method} {self.url}{answered}" + (" (unmatched)" if self.matched is False else "")
