"""The identity of a test, on what a browser sends to the application and to the mock, and to nobody else.

Any other origin would have to allow the two headers, and would be asked for that by a preflight.
"""

import inspect
import re
from typing import Any, Callable, Dict, List, Mapping, Optional
from urllib.parse import urljoin, urlsplit

from ._errors import StuntDoubleError
from ._session import Session

_METHODS = ("fetch", "get", "post", "put", "patch", "delete", "head")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS = {"http": 80, "https": 443}


def carry_identity(
    context: Any, session: Session, base_url: Optional[str] = None, headers: Optional[Mapping[str, str]] = None
) -> Any:
    """Lets a context of Playwright's, and what it fetches by `context.request`, send a session's headers to the base URL's
    origin and to the daemon's. Returns the context; of the asynchronous API it is awaited.

    `headers` are the context's `extra_http_headers`, whose `baggage` keeps its members.
    """
    if inspect.isawaitable(context):

        async def carrying() -> Any:
            made = await context
            await _carry(made, session, base_url, headers)
            return made

        return carrying()
    _carry(context, session, base_url, headers)
    return context


def _carry(context: Any, session: Session, base_url: Optional[str], general: Optional[Mapping[str, str]]) -> Any:
    def send(route: Any) -> Any:
        return route.fallback(headers=with_identity(route.request.headers, session, general))

    fetching = getattr(context, "request", None)
    for name in _METHODS if fetching is not None else ():
        setattr(fetching, name, _fetching(getattr(fetching, name), session, base_url, general))
    return context.route(_places(session, base_url), send)


def _fetching(
    plain: Callable[..., Any], session: Session, base_url: Optional[str], general: Optional[Mapping[str, str]]
) -> Callable[..., Any]:
    is_meant = _places(session, base_url)

    def fetch(*arguments: Any, **options: Any) -> Any:
        what = arguments[0] if arguments else options.get("url", options.get("url_or_request"))
        url = urljoin(base_url or "", what) if isinstance(what, str) else what.url
        if is_meant.search(url):
            own = options.get("headers")
            own = own if own is not None else {} if isinstance(what, str) else what.headers
            options["headers"] = with_identity(own, session, general)
        return plain(*arguments, **options)

    return fetch


def _places(session: Session, base_url: Optional[str]) -> "re.Pattern[str]":
    """The URLs of the application and of the daemon, by whatever name of this machine.

    An expression, by which a browser tells other requests apart without asking here.
    """
    urls = [base_url, session.server_url, session.url]
    try:
        urls.append(session.https_url)
    except StuntDoubleError:
        pass
    origins = {origin for url in urls if url for origin in _origins(url)}
    return re.compile(f"^(?:{'|'.join(re.escape(origin) for origin in sorted(origins))})(?=[/?#]|$)")


def _origins(url: str) -> List[str]:
    """The origin of a URL as browsers write it, by each name that it may have."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    hosts = ["localhost", "127.0.0.1", "[::1]"] if host in _LOOPBACK else [f"[{host}]" if ":" in host else host]
    port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    return [f"{parts.scheme}://{host}{port}" for host in hosts if host]


def with_identity(
    headers: Mapping[str, str], session: Session, general: Optional[Mapping[str, str]] = None
) -> Dict[str, str]:
    """Headers with those of a session, and each name once; a `baggage` that is there, or among the general ones, keeps its members."""
    own = session.headers
    names = {name.lower() for name in own}
    merged = {name: value for name, value in headers.items() if name.lower() not in names}
    merged.update(own)
    for some in (headers, general or {}):
        for name, value in some.items():
            if name.lower() == "baggage" and own:
                merged["baggage"] = value if own["baggage"] in value else f"{value}, {own['baggage']}"
                return merged
    return merged
