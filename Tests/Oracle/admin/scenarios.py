"""What is asked of a real WireMock, and later of ours: scenarios of admin calls, requests and changes of files."""
import json

A = "11111111-1111-4111-8111-111111111111"
B = "22222222-2222-4222-8222-222222222222"
C = "33333333-3333-4333-8333-333333333333"
D = "44444444-4444-4444-8444-444444444444"
NONE = "99999999-9999-4999-8999-999999999999"


def call(method, path, body=None, **headers):
    step = {"do": "call", "method": method, "path": path}
    if body is not None:
        step["body"] = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    if headers:
        step["headers"] = {name.replace("_", "-"): value for name, value in headers.items()}
    return step


def admin(method, path, body=None, **headers):
    return call(method, "/__admin" + path, body, **headers)


def get(path, **headers):
    return call("GET", path, **headers)


def write(file, text):
    return {"do": "write", "file": file, "text": text if isinstance(text, str) else json.dumps(text)}


def delete(file):
    return {"do": "delete", "file": file}


FILES = {"do": "files"}
LIST = admin("GET", "/mappings")


def stub(url, body="", **fields):
    response = fields.pop("response", {"status": 200, "body": body})
    return {**fields, "request": {"method": "GET", "url": url}, "response": response}


SCENARIOS = [
    {"name": "create, read, edit, remove", "steps": [
        LIST,
        admin("GET", "/"),
        admin("GET", ""),
        admin("POST", "/mappings", stub("/a", "1", id=A, name="first", metadata={"team": "x"}, priority=3)),
        admin("GET", f"/mappings/{A}"),
        admin("GET", f"/mappings/{A.upper()}"),
        get("/a"),
        admin("PUT", f"/mappings/{A}", stub("/a", "2")),
        get("/a"),
        admin("GET", f"/mappings/{A}"),
        admin("PUT", f"/mappings/{A}", stub("/a", "3", id=B)),
        get("/a"),
        admin("GET", f"/mappings/{B}"),
        admin("PUT", f"/mappings/{NONE}", stub("/a", "4")),
        admin("PUT", f"/mappings/{NONE}", "{"),
        admin("PUT", "/mappings/nonsense", stub("/a", "4")),
        admin("DELETE", f"/mappings/{A}"),
        get("/a"),
        admin("DELETE", f"/mappings/{A}"),
        admin("DELETE", "/mappings/nonsense"),
        admin("GET", "/mappings/nonsense"),
        admin("GET", f"/mappings/{A}"),
        LIST,
    ]},
    {"name": "what a mapping is made of", "steps": [
        admin("POST", "/mappings", {}),
        admin("POST", "/mappings", {"request": {"url": "/b"}, "response": {}}),
        admin("POST", "/mappings", {"id": "", "request": {"urlPath": "/c"}, "response": {"status": 0}}),
        admin("POST", "/mappings", {"uuid": B, "request": {"urlPattern": "/d.*"}}),
        admin("POST", "/mappings", {"$schema": "x", "response": {"status": "201"}}),
        admin("POST", "/mappings", {"request": {
            "method": "POST", "urlPathTemplate": "/t/{id}", "headers": {"A": {"contains": "b"}, "C": {"absent": True}},
            "queryParameters": {"q": {"equalTo": "1", "caseInsensitive": True}, "r": {"matches": "[0-9]+"}}},
            "response": {"headers": {"X": ["1", "2"], "Y": "3"}, "jsonBody": {"b": 1.50, "a": None}}}),
        admin("POST", "/mappings", stub("/delay", response={
            "fixedDelayMilliseconds": 5, "delayDistribution": {"type": "uniform", "lower": 1, "upper": 2}})),
        admin("POST", "/mappings", stub("/lognormal", response={
            "delayDistribution": {"type": "lognormal", "median": 2, "sigma": 0.1, "maxValue": 5}})),
        admin("POST", "/mappings", stub("/dribble", response={
            "body": "abc", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 10}})),
        admin("POST", "/mappings", stub("/fault", response={"fault": "EMPTY_RESPONSE"})),
        admin("POST", "/mappings", stub("/64", response={"base64Body": "YWJj", "statusMessage": "Fine"})),
        admin("POST", "/mappings", stub("/file", response={"bodyFileName": "none.txt"})),
        admin("POST", "/mappings", "// a comment\n{'request': {'url': '/e'} /* another */}"),
        admin("POST", "/mappings", '{"name": "a", "name": "b", "request": {"url": "/f"}}'),
        admin("POST", "/mappings", stub("/n", name="Grüße")),
        get("/n"),
        get("/dribble"),
        get("/64"),
        get("/d/x"),
        call("POST", "/t/7?q=1&r=22", "", A="abc"),
        call("POST", "/t/7?q=1&r=x", "", A="abc"),
        LIST,
    ]},
    {"name": "order", "steps": [
        admin("POST", "/mappings", stub("/x", "first", id=A)),
        admin("POST", "/mappings", stub("/x", "second", id=B)),
        get("/x"),
        LIST,
        admin("PUT", f"/mappings/{A}", stub("/x", "first, edited")),
        get("/x"),
        admin("PUT", f"/mappings/{A}", stub("/x", "first, preferred", priority=1)),
        get("/x"),
        LIST,
        admin("POST", "/mappings", stub("/x", "third", id=C, priority=9)),
        get("/x"),
        LIST,
        admin("PUT", f"/mappings/{A}", stub("/x", "first, no more preferred")),
        get("/x"),
        LIST,
        admin("DELETE", f"/mappings/{B}"),
        get("/x"),
        admin("POST", "/mappings", stub("/x", "second again", id=B)),
        get("/x"),
        LIST,
        admin("DELETE", "/mappings"),
        LIST,
        get("/x"),
    ]},
    {"name": "pages of the list", "steps": [
        *[admin("POST", "/mappings", stub(f"/{number}", id=id)) for number, id in enumerate([A, B, C, D])],
        admin("GET", "/mappings?limit=2"),
        admin("GET", "/mappings?limit=2&offset=1"),
        admin("GET", "/mappings?offset=3"),
        admin("GET", "/mappings?limit=0"),
        admin("GET", "/mappings?limit=100"),
        admin("GET", "/mappings?offset=4"),
        admin("GET", "/mappings?limit=2&offset=3"),
        admin("GET", "/mappings?unknown=1&limit=1"),
        admin("GET", "/?limit=1"),
        admin("GET", "/mappings?limit=%31"),
        admin("GET", "/mappings?limit=abc"),
        admin("GET", "/mappings?limit=-1"),
        admin("GET", "/mappings?offset=5"),
        admin("GET", "/mappings?offset=-1"),
        admin("GET", "/mappings?limit="),
    ]},
    {"name": "refusals", "steps": [
        admin("POST", "/mappings", stub("/x", id=A)),
        admin("POST", "/mappings", stub("/y", id=A)),
        admin("POST", "/mappings", ""),
        admin("POST", "/mappings", "{{{{"),
        admin("POST", "/mappings", "[]"),
        admin("POST", "/mappings", "null"),
        admin("POST", "/mappings", "1"),
        admin("POST", "/mappings", '"text"'),
        admin("POST", "/mappings", '{"request": '),
        admin("POST", "/mappings", {"requests": {}}),
        admin("POST", "/mappings", {"request": {"url": "/a", "metod": "GET"}}),
        admin("POST", "/mappings", {"request": {"url": 5}}),
        admin("POST", "/mappings", {"request": {"url": {"a": 1}}}),
        admin("POST", "/mappings", {"request": {"urlPattern": "/a["}}),
        admin("POST", "/mappings", {"request": {"headers": {"A": {"equalTo": 12}}}}),
        admin("POST", "/mappings", {"request": {"headers": {"A": {"equalsTo": "x"}}}}),
        admin("POST", "/mappings", {"request": {"headers": {"A": "x"}}}),
        admin("POST", "/mappings", {"request": {"queryParameters": {"A": {"matches": "("}}}}),
        admin("POST", "/mappings", {"response": {"status": "abc"}}),
        admin("POST", "/mappings", {"response": {"stauts": 200}}),
        admin("POST", "/mappings", {"response": {"fault": "NO_SUCH_FAULT"}}),
        admin("POST", "/mappings", {"response": {"base64Body": "!"}}),
        admin("POST", "/mappings", {"response": {"fixedDelayMilliseconds": "soon"}}),
        admin("POST", "/mappings", {"response": {"delayDistribution": {"type": "other"}}}),
        admin("POST", "/mappings", {"response": {"delayDistribution": {}}}),
        admin("POST", "/mappings", {"response": {"delayDistribution": {
            "type": "lognormal", "median": 9, "sigma": 0.1, "maxValue": 5}}}),
        admin("POST", "/mappings", {"id": "abc"}),
        admin("POST", "/mappings", {"priority": "high"}),
        admin("POST", "/mappings", {"persistent": "perhaps"}),
        admin("PUT", f"/mappings/{A}", ""),
        admin("PUT", f"/mappings/{A}", {"response": {"stauts": 200}}),
        admin("GET", f"/mappings/{A}"),
        admin("POST", "/mappings/import", {"mappings": [stub("/i", id=B), {"response": {"stauts": 1}}]}),
        admin("POST", "/mappings/import", ""),
        admin("POST", "/mappings/import", {"mappings": [], "importOptions": {"duplicatePolicy": "PERHAPS"}}),
        admin("POST", "/mappings/remove", ""),
        admin("POST", "/mappings/remove", {"requests": 1}),
        admin("POST", "/settings", ""),
        admin("POST", "/settings", {"fixedDelay": "x"}),
        admin("POST", "/settings", {"fixedDelays": 1}),
        admin("PATCH", "/settings/extended", ""),
        LIST,
    ]},
    {"name": "removal by content", "steps": [
        admin("POST", "/mappings", stub("/x", "1", id=A)),
        admin("POST", "/mappings", stub("/x", "2", id=B)),
        admin("POST", "/mappings", stub("/y", "3", id=C)),
        admin("POST", "/mappings/remove", stub("/y", id=A)),
        LIST,
        admin("POST", "/mappings/remove", stub("/none")),
        admin("POST", "/mappings/remove", stub("/y", id=NONE)),
        LIST,
        admin("POST", "/mappings", stub("/x", "4", id=C)),
        admin("POST", "/mappings", {"request": {"method": "ANY", "url": "/x"}, "id": D}),
        admin("POST", "/mappings/remove", stub("/x", "another body")),
        LIST,
        admin("POST", "/mappings/remove", {"request": {"url": "/x"}}),
        LIST,
    ]},
    {"name": "import", "steps": [
        admin("POST", "/mappings", stub("/x", "old", id=A)),
        admin("POST", "/mappings/import", {"mappings": [stub("/x", "one", id=B), stub("/x", "two", id=C)]}),
        get("/x"),
        LIST,
        admin("POST", "/mappings/import", {"mappings": [stub("/x", "one, edited", id=B), stub("/x", "new", id=D)]}),
        get("/x"),
        LIST,
        admin("POST", "/mappings/import", {
            "mappings": [stub("/x", "ignored", id=D)], "importOptions": {"duplicatePolicy": "IGNORE"}}),
        get("/x"),
        admin("POST", "/mappings/import", {
            "mappings": [stub("/x", "kept", id=B)],
            "importOptions": {"duplicatePolicy": "OVERWRITE", "deleteAllNotInImport": True}}),
        LIST,
        get("/x"),
        admin("POST", "/mappings/import", {"mappings": [], "more": 1}),
        admin("POST", "/mappings/import", {"mappings": [stub("/z", "a", id=A), stub("/z", "b", id=A)]}),
        get("/z"),
        LIST,
        admin("POST", "/mappings/import", {
            "mappings": [], "importOptions": {"deleteAllNotInImport": True}}),
        LIST,
    ]},
    {"name": "settings", "steps": [
        admin("GET", "/settings"),
        admin("PUT", "/settings", {"fixedDelay": 20}),
        admin("GET", "/settings"),
        admin("POST", "/settings", {
            "settings": {"delayDistribution": {"type": "uniform", "lower": 1, "upper": 3}, "proxyPassThrough": True}}),
        admin("GET", "/settings"),
        admin("PATCH", "/settings/extended", {"extended": {"one": 1, "two": {"a": [1]}}}),
        admin("GET", "/settings"),
        admin("PATCH", "/settings/extended", {"extended": {"two": 2, "three": None}}),
        admin("GET", "/settings"),
        admin("POST", "/reset"),
        admin("GET", "/settings"),
        admin("PUT", "/settings", {"extended": {"x": "y"}, "delayDistribution": {
            "type": "lognormal", "median": 3, "sigma": 0.5}}),
        admin("GET", "/settings"),
        admin("PUT", "/settings", {"fixedDelay": None, "proxyPassThrough": False}),
        admin("GET", "/settings"),
        admin("PATCH", "/settings/extended", {}),
        admin("GET", "/settings"),
    ]},
    {"name": "files and resets", "files": {
        "mappings/a.json": json.dumps(stub("/a", "a", id=A)),
        "mappings/sub/b.json": json.dumps({"mappings": [stub("/b", "b1", id=B), stub("/b", "b2", id=C)]}),
        "__files/body.txt": "a body",
        "__files/page/index.html": "<p>page</p>",
    }, "steps": [
        get("/a"),
        get("/b"),
        admin("PUT", f"/mappings/{A}", stub("/a", "a, edited")),
        admin("DELETE", f"/mappings/{B}"),
        admin("POST", "/mappings", stub("/a", "mine", id=D)),
        get("/a"),
        get("/b"),
        admin("POST", "/mappings/reset"),
        get("/a"),
        get("/b"),
        admin("GET", f"/mappings/{A}"),
        admin("GET", f"/mappings/{B}"),
        admin("GET", f"/mappings/{D}"),
        write("mappings/a.json", stub("/a", "a, rewritten", id=A)),
        write("mappings/new.json", stub("/new", "new", id=D)),
        admin("POST", "/reset"),
        get("/a"),
        get("/new"),
        delete("mappings/new.json"),
        admin("POST", "/reset", "{}"),
        get("/new"),
        admin("GET", f"/mappings/{D}"),
        get("/body.txt"),
        get("/__files/body.txt"),
        get("/page/"),
        get("/page"),
        call("POST", "/body.txt", ""),
        admin("POST", "/mappings", {"request": {"urlPattern": "/.*"}, "response": {"body": "all"}}),
        get("/__files/body.txt"),
        get("/body.txt"),
        FILES,
        write("mappings/a.json", "{"),
        admin("POST", "/reset"),
        get("/a"),
        get("/b"),
    ]},
    {"name": "persistence", "files": {
        "mappings/hand.json": json.dumps(stub("/hand", "hand", id=A)),
    }, "steps": [
        admin("POST", "/mappings", stub("/x", "1", id=B, name="My stub!", persistent=True)),
        FILES,
        admin("PUT", f"/mappings/{B}", stub("/x", "2", name="Other name", persistent=True)),
        FILES,
        admin("POST", "/mappings", stub("/y?a=b", "volatile", id=C)),
        admin("POST", "/reset"),
        get("/x"),
        get("/y?a=b"),
        admin("DELETE", f"/mappings/{B}"),
        FILES,
        admin("POST", "/mappings", stub("/y/z?a=b", "saved", id=C)),
        admin("POST", "/mappings/save"),
        admin("GET", f"/mappings/{C}"),
        admin("POST", "/reset"),
        get("/y/z?a=b"),
        admin("POST", "/mappings/import", {"mappings": [stub("/i", "imported", id=D, persistent=True)]}),
        FILES,
        admin("POST", "/mappings/remove", stub("/i", id=D, persistent=True)),
        FILES,
        admin("PUT", f"/mappings/{A}", stub("/hand", "hand, edited")),
        admin("POST", "/reset"),
        get("/hand"),
        admin("DELETE", "/mappings"),
        LIST,
        FILES,
        admin("POST", "/reset"),
        LIST,
    ]},
    {"name": "system and unknown paths", "steps": [
        admin("GET", "/version"),
        admin("GET", "/version", Accept="text/plain"),
        admin("GET", "/version", Accept="application/json"),
        admin("GET", "/nothing"),
        admin("GET", "/mappings/"),
        admin("PUT", "/mappings"),
        admin("PATCH", "/mappings", "{}"),
        admin("POST", f"/mappings/{A}", "{}"),
        admin("HEAD", "/mappings"),
        admin("OPTIONS", "/mappings"),
        admin("POST", "/"),
        admin("POST", "/health"),
        admin("GET", "/shutdown"),
        admin("DELETE", "/settings"),
        admin("GET", "/mappings/reset"),
        admin("POST", "/mappings/edit", stub("/e", id=A)),
        admin("POST", "/mappings", stub("/e", "1", id=A)),
        admin("POST", "/mappings/edit", stub("/e", "2", id=A)),
        get("/e"),
        admin("POST", "/mappings/reset", "ignored"),
        get("/e"),
        call("GET", "/__adminx"),
        call("GET", "/nothing"),
    ]},
]
