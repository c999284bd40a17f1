"""Checks of the whole server, as far as the client's transport can reach it."""

import time

import requests
from wiremock.client import Mappings
from wiremock.constants import Config
from wiremock.exceptions import ApiException, ApiUnavailableException
from wiremock.server import WireMockServer

from .checks import check, transport
from .mappings import add


@check("server: health")
def health(server):
    document = transport("get", "/health").json()
    server.note("status", document["status"])
    server.note("fields", sorted(document))


@check("server: the page that WireMockServer waits for")
def waited_for(server):
    # WireMockServer.start() waits for this 200.
    server.note("status", requests.get(Config.base_url, timeout=30).status_code)
    server.note("a server that never ran", WireMockServer(port=1).is_running)


@check("server: what there is not")
def unknown(server):
    server.ask("get", transport, "get", "/nothing-of-the-kind")
    server.ask("post", transport, "post", "/nothing-of-the-kind", json={})


@check("server: reset")
def reset(server):
    add("/a", "one")
    server.ask("reset", transport, "post", "/reset")
    server.serve("gone", "/a")
    server.ask("all", Mappings.retrieve_all_mappings)


@check("server: shutdown")
def shutdown(server):
    """Ends the server, so this check must be the last one."""
    add("/a", "one")
    server.ask("shutdown", transport, "post", "/shutdown")
    # While it is ending it may answer 503.
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            transport("get", "/health", timeout=5)
        except ApiUnavailableException:
            server.note("ended", True)
            return
        except ApiException:
            pass
        time.sleep(0.02)
