"""Whose test a request belongs to: what the browser brought is passed on to the services that the shop calls.

It is the middleware of docs/test-identity.md. Outside of tests nobody sends such a cookie, and nothing is passed on.
"""
import re
from contextvars import ContextVar

baggage = ContextVar("baggage", default="")


class ForwardBaggage:
    """WSGI middleware: keeps the header `baggage`, or the cookie of a test, for the time of a request."""

    def __init__(self, application):
        self.application = application

    def __call__(self, environ, start_response):
        sent = environ.get("HTTP_BAGGAGE", "")
        cookie = re.search(r"(?:^|;\s*)stuntdouble-session=([^;]+)", environ.get("HTTP_COOKIE", ""))
        if cookie and "stuntdouble-session=" not in sent:
            sent = ",".join(filter(None, [sent, "stuntdouble-session=" + cookie[1]]))
        token = baggage.set(sent)
        try:
            return self.application(environ, start_response)
        finally:
            baggage.reset(token)
