#!/usr/bin/env python3
"""Records the distances of requests from stubs in the real WireMock, and the nearest stubs.

    python3 Tools/oracle/record_near_misses.py > Tests/Oracle/near_misses.json

Each case is `{"stubs": [request pattern], "request": LoggedRequest, "nearest": [[index in stubs, distance, [sub-event]], …]}`:
the stubs in the order in which they are added, and the answer of `POST /__admin/near-misses/request`, whose
`diffDescriptions` are empty. A case with an incomplete request also has `"shown"`, the request in the answer. The jar is
found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package.
"""

import base64
import json

from recording import one_a_line
from wiremock import WireMock


def logged(body=b"", content_type="text/plain", **more):
    return {"url": "/abc", "absoluteUrl": "http://localhost/abc", "method": "POST", "clientIp": "1.1.1.1",
            "headers": {"A": "x", "B": ["1", "2"], "Content-Type": content_type, "Cookie": "c=v"}, "cookies": {"c": "v"},
            "bodyAsBase64": base64.b64encode(body).decode(), **more}


HEADS = [
    {"url": "/abd"}, {"urlPath": "/abd"}, {"urlPath": "/abc"}, {"urlPattern": "/z"}, {"urlPathTemplate": "/x/{a}"},
    {"urlPathTemplate": "/{a}/b"}, {"method": "GET"}, {"method": "GET", "url": "/abd"}, {"url": "/abcdefgh"}, {"url": "/"},
    {"headers": {"A": {"equalTo": "y"}}}, {"headers": {"A": {"equalTo": "xy"}}},
    {"headers": {"A": {"equalTo": "xy"}, "B": {"equalTo": "1"}}}, {"headers": {"A": {"contains": "xy"}}},
    {"headers": {"C": {"equalTo": "1"}}}, {"headers": {"B": {"hasExactly": [{"equalTo": "1"}, {"equalTo": "3"}]}}},
    {"headers": {"B": {"includes": [{"equalTo": "1"}, {"equalTo": "3"}]}}}, {"headers": {"B": {"hasExactly": [{"equalTo": "1"}]}}},
    {"headers": {"C": {"includes": [{"equalTo": "1"}]}}}, {"headers": {"A": {"absent": True}}},
    {"headers": {"A": {"not": {"equalTo": "x"}}}}, {"headers": {"A": {"and": [{"equalTo": "xy"}, {"equalTo": "x"}]}}},
    {"headers": {"A": {"or": [{"equalTo": "xy"}, {"equalTo": "zzzz"}]}}}, {"headers": {"A": {"before": "now"}}},
    {"headers": {"A": {"equalTo": "y"}}, "basicAuth": {"username": "a", "password": "b"}},
    {"cookies": {"c": {"equalTo": "w"}}}, {"cookies": {"d": {"equalTo": "w"}}}, {"basicAuth": {"username": "a", "password": "b"}},
    {"host": {"equalTo": "localhosx"}}, {"host": {"contains": "zz"}}, {"port": 8080}, {"scheme": "https"},
    {"clientIp": {"equalTo": "1.1.1.2"}}, {"queryParameters": {"q": {"equalTo": "1"}}}, {"customMatcher": {"name": "zz"}},
    {"url": "/abd", "customMatcher": {"name": "zz"}}, {"url": "/abd", "headers": {"A": {"equalTo": "y"}}},
]
BODIES = [
    [{"equalTo": "hallo"}], [{"equalTo": "hallo"}, {"equalTo": "hello"}], [{"contains": "zz"}], [{"doesNotContain": "ell"}],
    [{"equalToJson": "{}"}], [{"equalToJson": '{"a":2,"b":[1,2]}'}], [{"matchesJsonPath": "$.c"}], [{"matchesJsonPath": "$.a"}],
    [{"matchesJsonPath": {"expression": "$.a", "equalTo": "12"}}], [{"matchesJsonPath": {"expression": "$.b", "equalTo": "12"}}],
    [{"binaryEqualTo": "AAAA"}], [{"matchesXPath": "//z"}], [{"matchesXPath": {"expression": "//b/text()", "equalTo": "12"}}],
    [{"equalToXml": "<a><b>2</b></a>"}], [{"matchesJsonSchema": '{"type":"number"}'}],
    [{"matchesJsonSchema": '{"type":"object","properties":{"a":{"type":"string"},"b":{},"c":{}},"required":["a","c"]}'}],
    [{"absent": True}], [{"not": {"equalTo": "hello"}}], [{"and": [{"equalTo": "hallo"}, {"contains": "zz"}]}],
    [{"or": [{"equalTo": "hallo"}, {"contains": "zz"}]}], [{"matches": "zz"}], [{"anything": "x"}],
]


# A stub's own header of the name that basicAuth takes, in one spelling and another.
BASIC = {"username": "u", "password": "p"}
AUTHORIZED = [
    {"headers": {"Authorization": {"equalTo": "Bearer x"}}, "basicAuth": BASIC},
    {"headers": {"authorization": {"equalTo": "Bearer x"}}, "basicAuth": BASIC},
    {"headers": {"Authorization": {"contains": "x"}, "B": {"equalTo": "1"}}, "basicAuth": BASIC},
]


def cases():
    for pattern in HEADS:
        yield [pattern], logged(b"hello")
    for pattern in AUTHORIZED:
        for value in (None, "Bearer x", "Basic dTpw", "Basic zzzz"):
            yield [pattern], logged(headers={"B": "1", **({"Authorization": value} if value else {})})
    for body in (b"hello", b"", b'{"a":1,"b":[1,2]}', b"<a><b>1</b></a>"):
        for patterns in BODIES:
            yield [{"bodyPatterns": patterns}], logged(body)
    for patterns in ([{"equalToJson": "[]"}, {"equalToJson": "{}"}, {"matchesJsonPath": "$.q"}], [{"matchesJsonPath": "$.q"}, {"equalToJson": "[]"}]):
        yield [{"bodyPatterns": patterns}], logged(b"{bad")
        yield [{"url": "/abd", "bodyPatterns": patterns}], logged(b"{bad")
    yield [{"headers": {"A": {"equalToJson": "{}"}}, "bodyPatterns": [{"equalToJson": "{}"}]}], logged(b"{bad")
    yield HEADS[:8], logged(b"hello")
    yield HEADS[10:20], logged(b"hello")
    yield [{"url": "/abd"}] * 5, logged(b"hello")
    yield [{"bodyPatterns": patterns} for patterns in BODIES], logged(b'{"a":1}')


# Parts of a request that a client may omit or repeat. WireMock fails on a request without headers or cookies if a pattern
# tests one.
PARTIAL = [
    {"bodyAsBase64": None}, {"bodyAsBase64": None, "body": "hello"}, {"bodyAsBase64": ""}, {"body": "another"}, {"method": None},
    {"url": None}, {"url": None, "absoluteUrl": None}, {"absoluteUrl": None}, {"clientIp": None},
    {"absoluteUrl": "https://example.org:81/abc"}, {"loggedDate": 1700000000000}, {"loggedDate": 1700000000120},
    {"loggedDate": 1700000000000, "loggedDateString": "yesterday"}, {"loggedDate": "1700000000001"}, {"loggedDate": -1},
    {"loggedDateString": "2023-11-14T22:13:20Z"}, {"url": "/abc?a=1&b=2&a=3"}, {"url": "/abc?a&b="}, {"url": "/abc?a=%C3%A9+x%26"},
    {"url": "/abc?a=1", "queryParams": {"q": {"key": "q", "values": ["5", "6"]}}}, {"url": None, "absoluteUrl": "http://localhost/abc?k=1"},
    {"headers": {"Content-Type": "application/x-www-form-urlencoded", "A": "x"}, "bodyAsBase64": "az12Jms9dw=="},
]
ASKED = [
    {}, {"method": "GET"}, {"method": "POST"}, {"url": "/abc"}, {"urlPath": "/abd"}, {"urlPattern": "/.*"}, {"urlPathPattern": ".*"},
    {"urlPathTemplate": "/{a}"}, {"host": {"equalTo": "localhost"}}, {"host": {"absent": True}}, {"port": 80}, {"scheme": "http"},
    {"clientIp": {"equalTo": "1.1.1.1"}}, {"bodyPatterns": [{"equalTo": "hallo"}]}, {"bodyPatterns": [{"absent": True}]},
    {"bodyPatterns": [{"equalTo": "hallo"}, {"contains": "zz"}]}, {"bodyPatterns": [{"binaryEqualTo": "AAAA"}]},
    {"method": "POST", "url": "/abc", "headers": {"A": {"equalTo": "y"}}, "bodyPatterns": [{"equalTo": "hallo"}]},
]


def partial_cases():
    for change in PARTIAL:
        request = {name: value for name, value in {**logged(b"hello"), **change}.items() if value is not None}
        for pattern in ASKED:
            yield [pattern], request


def main():
    recorded = []
    with WireMock() as wiremock:
        for patterns, request, is_partial in [(*case, False) for case in cases()] + [(*case, True) for case in partial_cases()]:
            wiremock.admin("DELETE", "/mappings")
            ids = []
            for pattern in patterns:
                status, mapping = wiremock.admin("POST", "/mappings", {"request": pattern})
                ids.append(mapping.get("id") if status == 201 else None)
            status, answer = wiremock.admin("POST", "/near-misses/request", request)
            if status != 200 or None in ids:
                continue
            nearest = []
            for miss in answer["nearMisses"]:
                result = miss["matchResult"]
                assert not result.pop("diffDescriptions") and set(result) == {"subEvents", "distance"}, result
                nearest.append([ids.index(miss["stubMapping"]["id"]), result["distance"], result["subEvents"]])
            shown = {"shown": answer["nearMisses"][0]["request"]} if is_partial else {}
            recorded.append({"stubs": patterns, "request": request, "nearest": nearest, **shown})
    print(one_a_line(json.dumps({"cases": recorded})), end="")


if __name__ == "__main__":
    main()
