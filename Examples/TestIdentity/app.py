"""The application of app.mjs in Python, as a WSGI application: `GET /cart` asks the prices service.

    UPSTREAM=http://localhost:8080 PORT=3000 python3 app.py

What a test sent along is kept in a context variable for the time of each request, and put into each call that is made
meanwhile. Only Python's standard library is needed.
"""
import os
import re
import urllib.error
import urllib.request
from contextvars import ContextVar
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

baggage = ContextVar("baggage", default="")


class ForwardBaggage:
    """The middleware: `application = ForwardBaggage(get_wsgi_application())` in Django's wsgi.py."""

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


def upstream(url):
    """Its other half: a request with what the current request brought."""
    request = urllib.request.Request(url)
    if baggage.get():
        request.add_header("baggage", baggage.get())
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        return error


def cart(environ, start_response):
    """The application."""
    with upstream(os.environ["UPSTREAM"] + "/prices/apple") as answer:
        start_response(f"{answer.status} Answered", [("Content-Type", "application/json")])
        return [answer.read()]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Handler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "3000"))
    with make_server("127.0.0.1", port, ForwardBaggage(cart), Server, Handler) as server:
        print(f"listening on {server.server_port}", flush=True)
        server.serve_forever()
