"""Checks of the resource Requests: the journal."""

import time

from wiremock.client import HttpMethods, NearMissMatchPatternRequest as Pattern, Requests, WireMockMatchers as M

from .checks import check, transport
from .mappings import UNKNOWN, add


def some(server):
    """Sends three requests that a stub answers, and two without a stub."""
    add("/a", "one"), add("/b", "two", method=HttpMethods.POST)
    server.send("/a", headers={"X-Number": "1"})
    server.send("/b", method="POST", headers={"Content-Type": "text/plain", "X-Number": "2"}, body="sent")
    server.send("/c?x=1&y=2&x=3", headers={"Cookie": "k=v; l=w", "X-Number": "3"})
    server.send("/a", headers={"X-Number": "4"})
    server.send("/d", method="DELETE", headers={"X-Number": "5"})


def numbers(given):
    """The requests of an answer, by the header that distinguishes them."""
    requests = [getattr(item, "request", item) for item in given.requests]
    return [request.headers.get("X-Number") for request in requests]


@check("requests: all")
def every(server):
    server.ask("none", Requests.get_all_received_requests, parameters={})
    some(server)
    server.ask("all", Requests.get_all_received_requests, parameters={})


@check("requests: all, limited")
def limited(server):
    some(server)
    for limit in (1, 2, 50):
        server.note(f"limit {limit}", numbers(Requests.get_all_received_requests(limit=limit, parameters={})))


@check("requests: all, limited by what is no number")
def limited_wrongly(server):
    server.ask("many", Requests.get_all_received_requests, parameters={"limit": "many"})


@check("requests: all since")
def since(server):
    server.send("/a", headers={"X-Number": "1"})
    # The journal's times are in milliseconds, which this pause makes different.
    time.sleep(0.02)
    server.send("/a", headers={"X-Number": "2"})
    first, second = reversed(Requests.get_all_received_requests(parameters={}).requests)
    server.note("since the first", numbers(Requests.get_all_received_requests(
        since=first.request.logged_date_string, parameters={})))
    server.note("since the second", numbers(Requests.get_all_received_requests(
        since=second.request.logged_date_string, parameters={})))
    server.ask("since no date", Requests.get_all_received_requests, since="yesterday", parameters={})


@check("requests: all, filtered")
def filtered(server):
    some(server)
    server.note("unmatched", numbers(Requests.get_all_received_requests(parameters={"unmatched": "true"})))
    made = add("/e", "five")
    server.send("/e", headers={"X-Number": "6"})
    server.note("of a stub", numbers(Requests.get_all_received_requests(parameters={"matchingStub": made.id})))


@check("requests: get")
def get(server):
    some(server)
    for item in Requests.get_all_received_requests(parameters={}).requests:
        server.ask(f"number {item.request.headers['X-Number']}", Requests.get_request, item.id)
    server.ask("unknown", Requests.get_request, UNKNOWN)
    server.ask("no id", Requests.get_request, "one")


@check("requests: reset")
def reset(server):
    some(server)
    server.ask("reset", Requests.reset_request_journal)
    server.ask("none", Requests.get_all_received_requests, parameters={})
    server.ask("count", Requests.get_matching_request_count, Pattern(url_pattern=".*"))
    server.serve("stubs stay", "/a")


@check("requests: reset by DELETE")
def reset_by_delete(server):
    some(server)
    server.ask("delete", transport, "delete", "/requests")
    server.ask("none", Requests.get_all_received_requests, parameters={})


@check("requests: a server's reset empties the journal")
def server_reset(server):
    some(server)
    server.ask("reset", transport, "post", "/reset")
    server.ask("none", Requests.get_all_received_requests, parameters={})


@check("requests: a reset of the mappings empties the journal")
def mappings_reset(server):
    some(server)
    server.ask("reset", transport, "post", "/mappings/reset")
    server.ask("none", Requests.get_all_received_requests, parameters={})


PATTERNS = {
    "nothing": {},
    "method": {"method": "DELETE"},
    "any method": {"method": "ANY"},
    "url": {"url": "/a"},
    "url with a query": {"url": "/c?x=1&y=2&x=3"},
    "url_path": {"url_path": "/c"},
    "url_pattern": {"url_pattern": "/[ab]"},
    "url_path_pattern": {"url_path_pattern": "/[cd]"},
    "headers": {"headers": {"X-Number": {M.MATCHES: "[2-4]"}}},
    "query_parameters": {"query_parameters": {"x": {M.EQUAL_TO: "3"}}},
    "cookies": {"cookies": {"l": {M.EQUAL_TO: "w"}}},
    "body_patterns": {"body_patterns": [{M.CONTAINS: "en"}]},
    "basic_auth_credentials": {"basic_auth_credentials": {"username": "ann", "password": "secret"}},
    "client_ip": {"client_ip": {M.MATCHES: "127\\..*|.*:1"}},
    "method and url": {"method": "POST", "url": "/a"},
    "two kinds of URL": {"url": "/a", "url_path": "/b"},
    "a matcher that there is not": {"headers": {"X-Number": {"equals": "1"}}},
    "browser_proxy_request": {"browser_proxy_request": False},
    "logged_date": {"logged_date": 1},
}

for name, pattern in PATTERNS.items():
    @check(f"requests: count and find by {name}")
    def by_pattern(server, pattern=pattern):
        some(server)
        server.send("/e", auth=("ann", "secret"), headers={"X-Number": "6"})
        server.ask("count", Requests.get_matching_request_count, Pattern(**pattern))
        found = server.ask("find", Requests.get_matching_requests, Pattern(**pattern))
        server.note("found", numbers(found) if found else None)


@check("requests: find what is no pattern")
def find_wrongly(server):
    server.ask("a dictionary is refused by the client", Requests.get_matching_requests, {"url": "/a"})
    server.ask("and so it is counted", Requests.get_matching_request_count, {"url": "/a"})


@check("requests: unmatched")
def unmatched(server):
    server.ask("none", Requests.get_unmatched_requests)
    some(server)
    found = server.ask("two", Requests.get_unmatched_requests)
    server.note("which", numbers(found) if found else None)


@check("requests: unmatched, near misses")
def unmatched_near_misses(server):
    server.ask("none", Requests.get_unmatched_requests_near_misses)
    some(server)
    server.ask("two", Requests.get_unmatched_requests_near_misses)


@check("requests: remove one")
def remove_one(server):
    some(server)
    newest = Requests.get_all_received_requests(parameters={}).requests[0]
    server.ask("remove", Requests._delete, None, None, {"id": newest.id})
    server.note("left", numbers(Requests.get_all_received_requests(parameters={})))
    server.ask("again", Requests._delete, None, None, {"id": newest.id})
    server.ask("gone", Requests.get_request, newest.id)


@check("requests: remove by pattern")
def remove(server):
    some(server)
    server.ask("remove", transport, "post", "/requests/remove", json={"method": "GET", "url": "/a"})
    server.note("left", numbers(Requests.get_all_received_requests(parameters={})))


@check("requests: remove by the stub's metadata")
def remove_by_metadata(server):
    some(server)
    add("/tagged", metadata={"tag": "x"})
    server.send("/tagged", headers={"X-Number": "6"})
    server.ask("remove", transport, "post", "/requests/remove-by-metadata", json={"matchesJsonPath": "$.tag"})
    server.note("left", numbers(Requests.get_all_received_requests(parameters={})))


@check("requests: bodies that are no text")
def binary(server):
    server.send("/a", method="POST", headers={"Content-Type": "application/octet-stream"}, body=bytes([0, 255, 128, 10]))
    server.send("/a", method="POST", headers={"Content-Type": "text/plain; charset=UTF-8"}, body="grüße".encode())
    server.ask("all", Requests.get_all_received_requests, parameters={})
    server.ask("found", Requests.get_matching_requests, Pattern(method="POST", url="/a"))


@check("requests: the case of a charset")
def charset(server):
    server.send("/a", method="POST", headers={"Content-Type": "text/plain; charset=utf-8"}, body="text")
    server.note("shown", Requests.get_all_received_requests(parameters={}).requests[0].request.headers["Content-Type"])
