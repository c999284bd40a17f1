"""Stunt Double, a mock HTTP server, from Python.

    from stuntdouble_server import Server

    with Server("mocks") as server, server.session() as mock:
        mock.stub("GET /users/{id}", json={"id": 1})
        ...                                     # the code under test calls mock.url
        mock.verify("GET /users/{id}", count=1)
        mock.check()

With pytest the fixture ``stuntdouble`` is such a session for each test.
"""

from typing import TYPE_CHECKING, Any

from ._binary import binary_path
from ._errors import AdminError, StartError, StuntDoubleError, VerificationError
from ._report import Report
from ._requests import Request
from ._server import Server
from ._session import Session
from ._stubs import Stub
from ._version import __version__
from ._warnings import StuntDoubleWarning

if TYPE_CHECKING:
    from ._dialect import Fault, RequestPattern, Route, Routes, SessionFault, StubMapping

__all__ = [
    "AdminError",
    "Fault",
    "Report",
    "Request",
    "RequestPattern",
    "Route",
    "Routes",
    "Server",
    "Session",
    "SessionFault",
    "StartError",
    "Stub",
    "StubMapping",
    "StuntDoubleError",
    "StuntDoubleWarning",
    "VerificationError",
    "__version__",
    "binary_path",
]

# As they are imported, and as a failing test shows them.
for _public in (
    AdminError, Report, Request, Server, Session, StartError, Stub, StuntDoubleError, StuntDoubleWarning, VerificationError,
):
    _public.__module__ = __name__


def __getattr__(name: str) -> Any:
    # The types of stubs are many, and most tests run without them.
    if name in __all__:
        from . import _dialect

        return getattr(_dialect, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
