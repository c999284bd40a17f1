"""Checks: functions that call a server and note each step."""

import base64
import os
import re
import time

# The server is local, and its journal shows how it was called: the user's proxies and settings must not interfere.
os.environ.update(NO_PROXY="*", NETRC=os.devnull)

import requests
import urllib3
from wiremock.base import BaseAbstractEntity
from wiremock.base.base_resource import BaseResource
from wiremock.client import BasicAuthCredentials, DelayDistribution, GlobalSetting, GlobalSettings, Mapping, MappingRequest
from wiremock.client import MappingResponse, Mappings, NearMisses, NearMissMatchPatternRequest, NearMissMatchRequest, Requests
from wiremock.client import Scenarios, WireMockMatchers
from wiremock.constants import Config
from wiremock.exceptions import ApiException

from outcomes import Normaliser

urllib3.util.connection.HAS_IPV6 = False

CHECKS = {}


def check(name):
    """Registers a function as the check with this name: `resource: subject`."""
    def register(function):
        assert name not in CHECKS, name
        CHECKS[name] = function
        return function
    return register


def all_checks():
    """All names in an order that works in one run: the check that ends the server comes last."""
    return sorted(CHECKS, key=lambda name: name == "server: shutdown")


def forgotten(sources):
    """The client's methods and fields that the suite does not use."""
    names = [f"{resource.__name__}.{name}" for resource in (Mappings, Requests, NearMisses, Scenarios, GlobalSettings)
             for name, member in vars(resource).items()
             if isinstance(member, classmethod) and not name.startswith(("endpoint", "entity_class"))]
    fields = {name for entity in (Mapping, MappingRequest, MappingResponse, DelayDistribution, BasicAuthCredentials,
                                  NearMissMatchRequest, NearMissMatchPatternRequest, GlobalSetting) for name in entity._properties}
    constants = {f"{letter}.{name}" for letter, holder in {"M": WireMockMatchers}.items() for name in vars(holder) if name.isupper()}
    return [name for name in [*names, *sorted(fields), *sorted(constants)] if not re.search(rf"\b{re.escape(name)}\b", sources)]


class Server:
    """The server under test as a check sees it. Every step is noted in order under its own name.

    Checks call the admin API only through the client, and stubs with plain requests.
    """

    def __init__(self, url, root):
        self.url = url.rstrip("/")
        self.root = root
        self.steps = {}
        Config.base_url = self.url + "/__admin"

    def begin(self):
        """Empties the server: no stubs, journal, scenarios or settings."""
        for call, path in (("DELETE", "/mappings"), ("POST", "/reset"), ("POST", "/settings")):
            requests.request(call, Config.base_url + path, data="{}" if path == "/settings" else None, timeout=30)

    def note(self, step, value):
        assert step not in self.steps, f"two steps are called {step}"
        self.steps[step] = value

    def ask(self, step, call, *arguments, **options):
        """Calls the client and notes the result or exception; returns the result, None for an exception."""
        try:
            given = call(*arguments, **options)
        except ApiException as problem:
            self.note(step, {"raised": type(problem).__name__, "status": problem.status_code, **errors(problem)})
            return None
        except ValueError as problem:
            # The client expects a body, but the answer has none.
            self.note(step, {"raised": type(problem).__name__})
            return None
        self.note(step, plain(given))
        return given

    def send(self, path, method="GET", headers=None, body=None, **options):
        """Sends a request to the stubs. Its header fields are fixed, so that journals can be compared."""
        sent = {"User-Agent": "suite", "Accept-Encoding": "identity", "Accept": "*/*", **(headers or {})}
        return requests.request(method, self.url + path, headers=sent, data=body, timeout=30, **options)

    def serve(self, step, path, method="GET", headers=None, body=None, shown=(), **options):
        """Sends a request and notes the status, the body if a stub made it, and the header fields in `shown`."""
        try:
            answer = self.send(path, method, headers, body, **options)
        except requests.exceptions.RequestException as problem:
            self.note(step, {"raised": type(problem).__name__})
            return None
        self.note(step, {
            "status": answer.status_code,
            "reason": answer.reason,
            **({} if answer.status_code == 404 else {"body": text(answer.content)}),
            **{name: answer.headers.get(name) for name in shown},
        })
        return answer

    def timed(self, step, at_least, path, **options):
        """Sends a request with a delayed answer, and notes whether it arrived and was not early."""
        begin = time.monotonic()
        answer = self.send(path, **options)
        self.note(step, {"status": answer.status_code, "late": time.monotonic() - begin >= at_least})


# Calls without a method of the client use the client's transport, as its users do.

def transport(method, path, **options):
    """Makes a call with the client's transport; raises the client's exceptions."""
    client = BaseResource.REST_CLIENT
    return client.handle_response(getattr(client, method)(path, **options))


def errors(problem):
    """The codes of the error document in an exception, if there is one."""
    try:
        document = requests.compat.json.loads(str(problem))
        return {"errors": [{"code": error["code"]} for error in document["errors"]]}
    except (ValueError, KeyError, TypeError):
        return {}


def text(content):
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def plain(value):
    """Entities and answers of the client as JSON."""
    if isinstance(value, BaseAbstractEntity):
        return plain(value.get_json_data())
    if isinstance(value, requests.Response):
        try:
            return {"status": value.status_code, "json": value.json()}
        except ValueError:
            return {"status": value.status_code, "text": value.text}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def run(server, names):
    """Runs these checks in order and returns their outcomes by name."""
    outcomes = {}
    for name in names:
        server.steps = {}
        try:
            server.begin()
            CHECKS[name](server)
        except (ApiException, requests.exceptions.RequestException) as problem:
            status = getattr(problem, "status_code", None)
            server.note("ended early", {"raised": type(problem).__name__, "status": status})
        except (AttributeError, KeyError, TypeError, ValueError, IndexError) as problem:
            server.note("ended early", {"raised": type(problem).__name__, "why": str(problem)})
        outcomes[name] = Normaliser(server.url).of(server.steps)
    return outcomes
