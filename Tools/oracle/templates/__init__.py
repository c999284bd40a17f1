"""The cases of record_templates.py, one module a theme.

A module has `cases()`, which yields what `case` and `cases` of this file make. Its name is the cases' group.
"""

def request(method, target, *headers, host="localhost", **more):
    return {"method": method, "target": target, "headers": [["Host", host], *map(list, headers)], **more}


def typed(target, kind, **more):
    return request("POST", target, ("Content-Type", kind), **more)


LINE = "\r\n"

# The requests, by name. `pattern` is the stub's request pattern if it is not any request.
REQUESTS = {
    "get": request("GET", "/"),
    "full": request(
        "GET", "/one/two%20b/three?q=1&q=2&q=3&name=J%C3%B6rg+M%26M&empty=&bare&a.b=dot&x%20y=space", ("X-One", "single"),
        ("x-Many", "first"), ("X-Many", "second"), ("X-Many", "third"), ("X-Empty", ""), ("X-Comma", "a, b"),
        ("Cookie", "session=abc; theme=dark; session=def; odd=a=b"), ("Accept", "*/*"), host="example.com:8080"),
    "json": typed(
        "/things", "application/json",
        body='{"name":"Ann","age":42,"height":1.70,"big":12345678901234567890,"yes":true,"no":false,"none":null,"empty":"",'
             '"list":[1,2,3],"words":["a","b","c"],"emptyList":[],"emptyMap":{},"user":{"first":"Ann","last":"Lee",'
             '"address":{"city":"Bern"}},"items":[{"id":1,"n":"x"},{"id":2,"n":"y"},{"id":3,"n":"z"}],"odd key":"o",'
             '"quote":"a\\"b<&>\'","uni":"\u00e9\u4e2d\U0001F600","line":"a\\nb","zero":0,"dec":0.1,"exp":1e21,"neg":-5,"one":1.0}'),
    "xml": typed(
        "/xml", "text/xml",
        body='<?xml version="1.0"?><outer><inner id="1">first</inner><inner id="2">second</inner><empty/><deep><a>x</a><b>y</b>'
             '</deep><text>a &lt; b &amp; c</text><n>12</n></outer>'),
    "soap": typed(
        "/soap", "application/soap+xml",
        body='<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Header/><soap:Body>'
             '<m:Price xmlns:m="urn:m"><m:Item>Apples</m:Item><plain>p</plain></m:Price></soap:Body></soap:Envelope>'),
    "form": typed(
        "/form", "application/x-www-form-urlencoded", body="item1=one+two&item2=b%26c&item1=three&empty=&bare&a.b=c"),
    "parts": typed(
        "/parts", "multipart/form-data; boundary=sep",
        body=LINE.join((
            "--sep", 'Content-Disposition: form-data; name="text"', "Content-Type: text/plain", "X-Part: p1", "", "plain text",
            "--sep", 'Content-Disposition: form-data; name="file"; filename="a.bin"', "Content-Type: application/octet-stream",
            "", "abc", "--sep", 'Content-Disposition: form-data; name="json"', "Content-Type: application/json", "", '{"a":1}',
            "--sep--", ""))),
    "related": typed(
        "/related", "multipart/related; boundary=sep",
        body=LINE.join((
            "--sep", "Content-Type: text/plain", "", "first", "--sep", "Content-Type: text/xml", "", "<a/>", "--sep--", ""))),
    "sameParts": typed(
        "/parts", "multipart/form-data; boundary=sep",
        body=LINE.join((
            "--sep", 'Content-Disposition: form-data; name="a"', "", "one", "--sep", 'Content-Disposition: form-data; name="a"',
            "", "two", "--sep--", ""))),
    "oddParts": typed(
        "/parts", "multipart/form-data; boundary=sep",
        body=LINE.join((
            "--sep", 'Content-Disposition: form-data; name="a"', "X-N: 1", "X-N: 2", "", "one", "--sep",
            'Content-Disposition: form-data; name="b c"', "", "\u00e9", "--sep",
            'Content-Disposition: form-data; name="d.e"; filename="f.txt"', "Content-Type: text/plain", "", "", "--sep--",
            ""))),
    "brokenParts": typed("/parts", "multipart/form-data; boundary=sep", body="no parts"),
    "boundless": typed("/parts", "multipart/form-data", body="--sep--"),
    "cookies": request(
        "GET", "/c", ("Cookie", 'a="q v"; b=; c; =d; A=upper; e=%20+x; f=1=2; g=\u00e9'), ("X-Utf", "\u00e9\u4e2d"), ("X-Space",
        "  a  b  "),
        ("x.dot", "dot"), ("1", "digit"), ("X-Quote", "\"a\"")),
    "path": request(
        "GET", "/users/42/orders/a%20b?x=1", host="localhost:9999",
        pattern={"urlPathTemplate": "/users/{user}/orders/{order-id}"}),
    "text": typed("/text", "text/plain", body="  plain \u00e9 text\nline two  "),
    "latin": typed("/latin", "text/plain; charset=ISO-8859-1", base64="6eD8"),
    "binary": typed("/binary", "application/octet-stream", base64="AP/+gGFiYw=="),
    "bytes": request("PATCH", "/bytes", base64="w6n/"),
    "forwarded": request(
        "GET", "/f", ("X-Forwarded-For", "10.0.0.1, 10.0.0.2"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "other"),
        ("X-Forwarded-Port", "444"), ("Forwarded", "for=1.2.3.4;proto=https;host=h"), host="localhost:80"),
    "absolute": request("GET", "http://elsewhere:81/abs/x?y=1", host="elsewhere:81"),
    "many": request(
        "GET", "/many?" + "&".join(f"{name}={n}" for n, name in enumerate((
            "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
            "omicron", "Aa", "BB", "%C3%A9"))),
        ("b", "1"), ("A", "2"), ("c", "3"), ("B", "4"), ("Cookie", "z=1; a=2; z=3"), ("Cookie", "m=4"), host="h"),
    "coded": request("GET", "/a%2Fb/%25/c+d/%C3%A9/e%20f;p=1/?a%5B0%5D=1&b=%25&c=%2B&d=a%26b&&e==&f=%C3%A9&=g&h=1,2&i=%20"),
    "put": request("PUT", "/", host="127.0.0.1:80"),
    "secure": request("GET", "/s", host="localhost:443", scheme="https"),
    "secureOther": request("GET", "/s", host="localhost:8443", scheme="https"),
    "secureBare": request("GET", "/s", scheme="https"),
    "swapped": request("OPTIONS", "/s?a", host="localhost:443"),
    "root": request("DELETE", "//a//b/?", host="[::1]:8443"),
}

# Named `transformerParameters`.
PARAMETERS = {
    "values": {
        "text": "hello", "blank": "", "space": "  ", "int": 7, "zero": 0, "neg": -3, "dec": 2.5, "whole": 3.0, "zeroDec": 0.0,
        "big": 9007199254740993, "huge": 123456789012345678901234567890, "exp": 1e21, "small": 1e-7, "yes": True, "no": False,
        "null": None,
        "list": [1, 2, 3], "words": ["a", "b", "c"], "mixed": [1, "a", True, None, 2.5, [1], {"k": "v"}], "emptyList": [],
        "map": {"one": 1, "two": "b", "three": [1, 2]}, "emptyMap": {}, "nested": {"a": {"b": {"c": "deep"}}},
        "people": [{"name": "Ann", "age": 30}, {"name": "Bob", "age": 25}, {"name": "Cy", "age": 35}],
        "odd key": "odd", "a.b": "dotted", "a-b": "dashed", "1": "one", "html": "<b>\"x\" & 'y'</b>", "name": "Ann",
        "length": 99,
        "upper": "a variable named as a helper", "number": "12.5", "sentence": "the quick brown fox jumps over the lazy dog",
        "nullList": [None, None], "falseText": "false", "zeroText": "0", "matrix": [[1, 2], [3, 4]],
        "unicode": "\u00e9\u4e2d\U0001F600",
    },
    # A document as a text.
    "document": {
        "doc":
            '{"list": [{"b": [1, {"c": 2}]}, {"b": null}, [[], {}], "t"], "map": {"l": [1, {"x": null}], "m": {"k": '
            r'[true]}, "n": null}, "texts": ["x/y", "</a>", "q\"q", "b\\b", "n\nn", "t\tt", "\u0001", "\u007f", '
            '"\\u00e9\\u4e2d\\ud83d\\ude00", "\\u2028", "\'", "\\r\\f\\b"], "text": {"t": "x/y </a> q\\"q b\\\\b n\\nn t\\tt \\u0001 '
            '\\u007f \\u00e9\\u4e2d\\ud83d\\ude00 \\u2028 \' \\r\\f\\b"}, "numbers": [1, -1, 0, 1.50, 1.0, 100.0, 1e3, 1e-07, '
            r'1e+22, 123456789012, 12345678901234567890, 0.1, -0.0], "json": "{\"b\":[1]}", "key": {"a b": 1, "": 2, '
            r'"q\"": 3}}',
    },
}


def case(template, request="get", parameters=None, **more):
    """A template as the body of a response; none if `template` is None. `more` is `response` (other members of the response),
    `mapping` (other members of the mapping), `stub` (false: the transformer is not named), `flags` or `files` of the WireMock
    to ask, `events` (true: record the sub-events), or `upstream` (the requests that a server at `{upstream}` is to get)."""
    found = {"request": request} if template is None else {"template": template, "request": request}
    if parameters is not None:
        found["parameters"] = parameters
    return {**found, **more}


def cases(*templates, request="get", parameters=None, **more):
    for template in templates:
        yield case(template, request, parameters, **more)


def values(*templates, **more):
    """Cases with the parameters named `values`."""
    return cases(*templates, parameters="values", **more)
