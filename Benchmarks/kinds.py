"""Every kind of matcher: a condition, and a request that satisfies it."""

import base64
import json
from dataclasses import dataclass, field

ORDER = {
    "id": 4711,
    "customer": {"name": "Ada Lovelace", "city": "London", "vip": True},
    "items": [{"sku": "A-1", "price": 12.5}, {"sku": "B-7", "price": 99}, {"sku": "C-3", "price": 0.99}],
}
ORDER_BODY = json.dumps(ORDER).encode()
# The same members in another order, so that comparing bytes cannot succeed.
ORDER_TURNED = json.dumps({name: ORDER[name] for name in reversed(ORDER)})
ORDER_SCHEMA = {
    "type": "object",
    "required": ["id", "customer", "items"],
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "customer": {"type": "object", "properties": {"name": {"type": "string", "minLength": 3}}},
        "items": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "required": ["sku"], "properties": {"price": {"type": "number"}}},
        },
    },
}
ORDER_XML = (
    b'<order id="4711"><customer vip="true"><name>Ada Lovelace</name><city>London</city></customer>'
    b'<items><item sku="A-1">12.5</item><item sku="B-7">99</item><item sku="C-3">0.99</item></items></order>'
)
ORDER_XML_SPACED = ORDER_XML.decode().replace("><", ">\n  <")
JSON_TYPE = {"Content-Type": "application/json"}
XML_TYPE = {"Content-Type": "application/xml"}
BOUNDARY = "frontier-8f3a"
PARTS = (
    f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n"
    f"{json.dumps(ORDER)}\r\n--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
    f"Content-Type: text/plain\r\n\r\nsome text\r\n--{BOUNDARY}--\r\n"
).encode()


def _token():
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return ".".join([part({"alg": "none"}), part({"sub": "ada", "aud": ["shop", "bank"]}), "c2lnbmF0dXJl"])


@dataclass
class Kind:
    """`condition` is for the `request` of a stub; the other fields make a request that satisfies it."""

    name: str
    condition: dict
    method: str = "GET"
    query: str = ""
    headers: dict = field(default_factory=dict)
    body: bytes = b""


def _body(name, pattern, body=ORDER_BODY, headers=None):
    return Kind(name, {"bodyPatterns": [pattern]}, "POST", headers=headers or JSON_TYPE, body=body)


def _header(name, matcher, value):
    return Kind(name, {"headers": {"X-Value": matcher}}, headers={"X-Value": value})


FORM = b"first=Ada&last=Lovelace&city=London&note=a+note+of+some+length"
KINDS = [
    _header("header `equalTo`", {"equalTo": "some-value"}, "some-value"),
    _header("header `matches`", {"matches": "[a-z]+-[0-9]{4,}"}, "order-47110815"),
    _header("header `contains`", {"contains": "0815"}, "order-47110815"),
    _header("header `after` a date", {"after": "2020-01-01T00:00:00Z"}, "2024-06-30T12:00:00+02:00"),
    _header("header `greaterThan`", {"greaterThanNumber": 17}, "18.5"),
    Kind("query `equalTo`", {"queryParameters": {"page": {"equalTo": "7"}}}, query="?sort=name&page=7&size=20"),
    Kind(
        "query `hasExactly`",
        {"queryParameters": {"id": {"hasExactly": [{"equalTo": "1"}, {"equalTo": "2"}]}}},
        query="?id=1&id=2",
    ),
    Kind(
        "cookie `equalTo`",
        {"cookies": {"session": {"equalTo": "8f3a2b"}}},
        headers={"Cookie": "theme=dark; session=8f3a2b; lang=en"},
    ),
    Kind(
        "`basicAuth`",
        {"basicAuthCredentials": {"username": "ada", "password": "secret"}},
        headers={"Authorization": "Basic " + base64.b64encode(b"ada:secret").decode()},
    ),
    Kind("`host`", {"host": {"equalTo": "localhost"}}),
    Kind(
        "form `equalTo`",
        {"formParameters": {"last": {"equalTo": "Lovelace"}}},
        "POST",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        body=FORM,
    ),
    _body("body `contains`", {"contains": "Lovelace"}),
    _body("body `matches`", {"matches": ".*\"city\": \"[A-Z][a-z]+\".*"}),
    _body("`equalToJson`", {"equalToJson": ORDER_TURNED}),
    _body(
        "`equalToJson`, both options",
        {"equalToJson": ORDER_TURNED, "ignoreArrayOrder": True, "ignoreExtraElements": True},
    ),
    _body("`matchesJsonPath`", {"matchesJsonPath": "$.items[?(@.price > 50)]"}),
    _body(
        "`matchesJsonPath`, sub-matcher",
        {"matchesJsonPath": {"expression": "$.customer.name", "contains": "Love"}},
    ),
    _body("`matchesJsonSchema`", {"matchesJsonSchema": json.dumps(ORDER_SCHEMA)}),
    _body("`equalToXml`", {"equalToXml": ORDER_XML_SPACED}, ORDER_XML, XML_TYPE),
    _body("`matchesXPath`", {"matchesXPath": "//item[@sku='B-7']"}, ORDER_XML, XML_TYPE),
    Kind(
        "multipart",
        {
            "multipartPatterns": [
                {
                    "matchingType": "ANY",
                    "headers": {"Content-Type": {"contains": "json"}},
                    "bodyPatterns": [{"matchesJsonPath": "$.customer.name"}],
                }
            ]
        },
        "POST",
        headers={"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"},
        body=PARTS,
    ),
    _header("`matchesJwt`", {"matchesJwt": {"claims": {"sub": "ada"}}}, _token()),
    _body(
        "`matchesGraphql`",
        {"matchesGraphql": {"query": "query Q($id: ID!) { order(id: $id) { total items { price sku } } }"}},
        json.dumps(
            {"query": "query Q($id: ID!) {\n  order(id: $id) {\n    items { sku price }\n    total\n  }\n}"}
        ).encode(),
    ),
]

# A body matcher for each kind, and a body that only the stub with the given number matches.
CROWDS = {
    "`equalToJson`": lambda number: {"equalToJson": json.dumps(ORDER | {"id": number})},
    "`matchesJsonPath`": lambda number: {"matchesJsonPath": f"$[?(@.id == {number})]"},
    "`matchesJsonPath`, sub-matcher": lambda number: {
        "matchesJsonPath": {"expression": "$.id", "equalTo": str(number)}
    },
    "`matchesJsonSchema`": lambda number: {"matchesJsonSchema": {"properties": {"id": {"const": number}}}},
    "`equalToXml`": lambda number: {"equalToXml": crowd_xml(number).decode()},
    "`matchesXPath`": lambda number: {"matchesXPath": f"/order[@id='{number}']"},
    "body `contains`": lambda number: {"contains": f"\"id\": {number},"},
    "body `matches`": lambda number: {"matches": f".*\"id\": {number},.*"},
}


def crowd_xml(number):
    return ORDER_XML.replace(b"4711", str(number).encode())


def crowd_body(name, number):
    """The body that only the stub with this number matches."""
    if "Xml" in name or "XPath" in name:
        return crowd_xml(number)
    return json.dumps(ORDER | {"id": number}).encode()
