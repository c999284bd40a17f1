"""Checks of the resource NearMisses."""

import base64

from wiremock.client import Mapping, MappingRequest, MappingResponse, Mappings, NearMisses, NearMissMatchPatternRequest, NearMissMatchRequest

from .checks import check
from .mappings import add


def stubs(server):
    add("/orders", "one"), add("/order", "two")
    Mappings.create_mapping(Mapping(
        request=MappingRequest(method="POST", url_path="/orders", headers={"X-Kind": {"equalTo": "a"}},
                               query_parameters={"q": {"contains": "z"}}, cookies={"k": {"equalTo": "v"}},
                               body_patterns=[{"equalToJson": '{"a":1}'}]),
        response=MappingResponse(status=200)))
    Mappings.create_mapping(Mapping(
        request=MappingRequest(method="ANY", url_path_pattern="/things/[0-9]+"), response=MappingResponse(status=200)))


def encoded(text):
    return base64.b64encode(text.encode()).decode()


ORDER = {"url": "/orders?q=z", "method": "POST", "cookies": {"k": "v"}}
REQUESTS = {
    "one letter": {"url": "/ordesr", "method": "GET"},
    "the method": {"url": "/orders", "method": "PUT"},
    "nothing": {"url": "/orders", "method": "GET"},
    "everything": {"url": "/zzzzzzzzzzzz", "method": "HEAD"},
    "the header": {**ORDER, "headers": {"X-Kind": "b"}, "body_as_base64": encoded('{"a":1}')},
    "the cookie": {**ORDER, "headers": {"X-Kind": "a"}, "cookies": {}, "body_as_base64": encoded('{"a":1}')},
    "the body": {**ORDER, "headers": {"X-Kind": "a"}, "body_as_base64": encoded('{"a":2}')},
    "a body in clear": {**ORDER, "headers": {"X-Kind": "a"}, "body": '{"a":2}'},
}

for name, request in REQUESTS.items():
    @check(f"near misses: by request, {name}")
    def by_request(server, request=request):
        stubs(server)
        server.ask("near misses", NearMisses.find_nearest_misses_by_request, NearMissMatchRequest(
            absolute_url=server.url + request["url"], client_ip="127.0.0.1", browser_proxy_request=False,
            **{"headers": {}, "cookies": {}, **request}))


@check("near misses: by request, no stubs")
def no_stubs(server):
    server.ask("near misses", NearMisses.find_nearest_misses_by_request, NearMissMatchRequest(url="/a", method="GET", headers={}))


@check("near misses: by request, every field")
def every_field(server):
    stubs(server)
    server.ask("near misses", NearMisses.find_nearest_misses_by_request, NearMissMatchRequest(
        url="/orders?q=z", absolute_url=server.url + "/orders?q=z", method="POST", client_ip="127.0.0.1",
        headers={"X-Kind": "b"}, query_parameters={"q": {"key": "q", "values": ["z"]}}, cookies={"k": "v"},
        browser_proxy_request=False, body="eyJhIjoyfQ==", body_as_base64="eyJhIjoyfQ==", logged_date=1700000000000,
        logged_date_string="2023-11-14T22:13:20Z"))


@check("near misses: by request, without a method")
def no_method(server):
    stubs(server)
    server.ask("near misses", NearMisses.find_nearest_misses_by_request, NearMissMatchRequest(url="/orders"))


@check("near misses: by request, without a URL")
def no_url(server):
    stubs(server)
    server.ask("near misses", NearMisses.find_nearest_misses_by_request, NearMissMatchRequest(method="GET"))


PATTERNS = {
    "one letter": {"url": "/ordesr", "method": "GET"},
    "the method": {"url": "/orders", "method": "PUT"},
    "a template": {"url_path_pattern": "/order/[0-9]+", "method": "GET"},
    "headers": {"url_path": "/orders", "headers": {"X-Kind": {"equalTo": "b"}}},
    "the body": {"url": "/orders", "method": "POST", "body_patterns": [{"equalTo": "sand"}]},
    "nothing": {"url": "/orders", "method": "GET"},
}

for name, pattern in PATTERNS.items():
    @check(f"near misses: by pattern, {name}")
    def by_pattern(server, pattern=pattern):
        server.send("/orders", headers={"X-Kind": "a"})
        server.send("/orders", method="POST", body="sent")
        server.send("/order/x?y=1")
        server.ask("near misses", NearMisses.find_nearest_misses_by_request_pattern, NearMissMatchPatternRequest(**pattern))


@check("near misses: by pattern, no requests")
def no_requests(server):
    server.ask("near misses", NearMisses.find_nearest_misses_by_request_pattern, NearMissMatchPatternRequest(url="/a", method="GET"))


@check("near misses: what is no request")
def wrongly(server):
    server.ask("a dictionary is refused by the client", NearMisses.find_nearest_misses_by_request, {"url": "/a"})
    server.ask("as a pattern too", NearMisses.find_nearest_misses_by_request_pattern, {"url": "/a"})
