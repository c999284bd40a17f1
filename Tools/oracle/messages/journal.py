"""The journal of messages: what is kept, found, counted, awaited and removed."""

from messages.shorthand import *  # noqa: F403: steps are written with all of them

HI = {"body": {"equalTo": "hi"}}
TALK = [*add({"id": A, "metadata": {"suite": "a"}, **stub("hi", "hello")}), opened("a", "/a"), opened("b", "/b"), send("hi", "a"),
        receive("a"), send("other", "a"), silence("a"), send("hi", "b"), receive("b")]


def count(pattern):
    return post("/messages/count", pattern)


def wait(pattern, ms, **more):
    return post("/messages/wait", {"pattern": pattern, "timeoutMillis": ms}, **more)


def wait_count(pattern, number, ms, **more):
    return post("/messages/wait-for-count", {"pattern": pattern, "count": number, "timeoutMillis": ms}, **more)


KEPT = [
    case("journal: nothing", get("/messages"), count({}), post("/messages/find", {})),
    case("journal: a message that was answered", *add({"id": A, **stub("hi", "hello")}), *asked("hi"), get("/messages")),
    case("journal: a message that nothing answered", *asked("hi"), get("/messages")),
    case("journal: newest first, sent before received", *TALK, get("/messages")),
    case("journal: binary messages", *add({"id": A, **stub({"binaryEqualTo": "AP8="}, {"base64Data": "/wA="})}), *asked(b"\x00\xff", b"ok"), get("/messages")),
    case("journal: what the admin API sends", opened(), send_to("/chat", "x"), receive(), get("/messages")),
    case("journal: one message by its id", *asked("hi"), get("/messages"), get("/messages/<id 1>"), get("/messages/" + NONE), get("/messages/x"),
         delete("/messages/<id 1>"), get("/messages"), delete("/messages/<id 1>"), delete("/messages/x")),
    case("journal: remove all", *TALK, delete("/messages"), get("/messages"), delete("/messages")),
    case("journal: limit, since and matchingStub", *TALK, get("/messages?limit=1"), get("/messages?since=2100-01-01T00:00:00Z"),
         get("/messages?unmatched=true"), get("/messages?matchingStub=" + A), get("/messages?limit=x")),
    case("journal: a channel that closed since", *asked("hi"), close(1000), receive(), get("/messages"), count({"channel": {"urlPath": "/chat"}})),
    case("journal: an event keeps the stub as it was", *add({"id": A, "name": "one", **stub("hi", "hello")}), *asked("hi"),
         put("/message-mappings/" + A, {"name": "two"}), post("/messages/find", HI), delete("/message-mappings/" + A), post("/messages/find", HI)),
    case("journal: pings, pongs and closes are not kept", opened(), frames([9, b"p"]), receive(), frames([10, b"q"]), close(1000), receive(), get("/messages")),
    case("journal: an upgrade is no request of HTTP's journal", opened(), post("/requests/count", {})),
    case("journal: methods that are not there", put("/messages", {}), post("/messages", {}), put("/messages/" + NONE, {}), post("/messages/reset"),
         get("/messages/count"), get("/messages/find"), get("/messages/wait"), post("/messages/unmatched"), get("/messages/unmatched"),
         delete("/messages/count")),
    case("journal: without a journal of requests", *asked("hi"), get("/messages"), count({}), post("/messages/find", {}), wait({}, 300), get("/messages/" + NONE),
         delete("/messages"), post("/messages/remove", {}), post("/messages/remove-by-metadata", {"absent": True}),
         flags=["--no-request-journal"]),
    case("journal: wait-for-count without a journal of requests", *asked("hi"), wait_count({}, 1, 300), flags=["--no-request-journal"]),
    case("journal: a long message is kept whole", *asked("0123456789"), get("/messages"), flags=["--logged-response-body-size-limit", "5"]),
    case("journal: limited entries", *asked("1", "2", "3"), get("/messages"), flags=["--max-request-journal-entries", "2"]),
]

FOUND = [
    case("count: patterns", *TALK, count({}), count(HI), count({"body": {"equalTo": "hello"}}), count({"channel": {"urlPath": "/a"}}),
         count({"channel": {"urlPath": "/a"}, **HI}), count({"channel": {"urlPath": "/none"}}), count({"body": {"absent": True}}),
         count({"body": {"binaryEqualTo": "aGk="}}), count({"body": {"matches": "h.*"}}), count({"body": {"not": {"equalTo": "hi"}}})),
    case("count: wrong patterns", count({"foo": 1}), count({"body": "hi"}), count({"body": {"foo": 1}}), count({"channel": {"foo": 1}}), count("x"),
         count(""), count("[]"), count("null"), count({"body": {"matches": "("}}), count({"channel": {"type": "websocket"}}), count({"eventType": "received"}),
         post("/messages/count")),
    case("count: of fixed channels", provider(), fixed("orders"), send_fixed("hi"), count({}), count(HI), count({"channel": {}}),
         count({"channel": {"urlPath": "/x"}}), post("/messages/find", HI)),
    case("find: what matches, newest first", *TALK, post("/messages/find", HI), post("/messages/find", {"channel": {"urlPath": "/b"}}),
         post("/messages/find", {"body": {"equalTo": "none"}})),
    case("find: wrong patterns", post("/messages/find", {"foo": 1}), post("/messages/find", "x"), post("/messages/find"), post("/messages/find", "null")),
    case("remove: what matches", *TALK, post("/messages/remove", HI), count({}), post("/messages/remove", HI),
         post("/messages/remove", {"foo": 1}), post("/messages/remove", "x"), post("/messages/remove", {}), count({})),
    case("remove by metadata", *TALK, post("/messages/remove-by-metadata", {"matchesJsonPath": {"expression": "$.suite", "equalTo": "a"}}), count({}),
         post("/messages/remove-by-metadata", {"matchesJsonPath": "$.none"}), post("/messages/remove-by-metadata", {"foo": 1}),
         post("/messages/remove-by-metadata", "x"), post("/messages/remove-by-metadata"), post("/messages/remove-by-metadata", {"absent": True}), count({})),
]

WAITS = [
    case("wait: a message that is there already", *asked("hi"), wait(HI, 2000, atMost=1500)),
    case("wait: several are there", *asked("hi", "ho"), wait({}, 2000, atMost=1500), wait({"body": {"matches": "h."}}, 2000, atMost=1500)),
    case("wait: in vain", wait(HI, 400, atLeast=390, atMost=2500)),
    case("wait: a message that comes", opened(), start("w", "/messages/wait", {"pattern": HI, "timeoutMillis": 5000}), send("hi"),
         finish("w", atLeast=150, atMost=3000)),
    case("wait: a message that does not match comes", opened(), start("w", "/messages/wait", {"pattern": HI, "timeoutMillis": 700}), send("ho"),
         finish("w", atLeast=690, atMost=3000)),
    case("wait: for a sent message", *add({"id": A, **stub("hi", "hello")}), opened(),
         start("w", "/messages/wait", {"pattern": {"body": {"equalTo": "hello"}}, "timeoutMillis": 5000}), send("hi"), finish("w", atMost=3000)),
    case("wait: on a channel", opened("a", "/a"), opened("b", "/b"),
         start("w", "/messages/wait", {"pattern": {"channel": {"urlPath": "/b"}}, "timeoutMillis": 5000}), send("hi", "a"), pause(300), send("ho", "b"),
         finish("w", atLeast=450, atMost=3000)),
    case("wait: on fixed channels", provider(), fixed("orders"), start("w", "/messages/wait", {"pattern": HI, "timeoutMillis": 3000}), send_fixed("hi"), finish("w", atMost=2500),
         wait({"channel": {"urlPath": "/a"}}, 300), wait_count({"channel": {"urlPath": "/a"}}, 1, 300), post("/messages/remove", {"channel": {}})),
    case("wait: two wait for one message", opened(), start("w", "/messages/wait", {"pattern": HI, "timeoutMillis": 5000}),
         start("v", "/messages/wait", {"pattern": HI, "timeoutMillis": 5000}), send("hi"), finish("w", atMost=3000), finish("v", atMost=3000)),
    case("wait: the journal is emptied meanwhile", opened(), send("hi"), start("w", "/messages/wait-for-count", {"pattern": HI, "count": 2, "timeoutMillis": 900}),
         delete("/messages"), send("hi"), finish("w", atMost=3000)),
    case("wait: times that are odd", wait({}, 0, atMost=1000), wait({}, -5, atMost=1000), post("/messages/wait", {"pattern": {}}, atMost=1000),
         wait({}, "300", atMost=1500), wait({}, "x"), wait({}, None, atMost=1000), wait({}, 1.5, atMost=1000)),
    case("wait: without a pattern, and wrong members", post("/messages/wait", {"timeoutMillis": 200}), post("/messages/wait", {}), post("/messages/wait", "x"),
         post("/messages/wait"), post("/messages/wait", {"pattern": {"foo": 1}, "timeoutMillis": 200}), post("/messages/wait", {"foo": 1}),
         post("/messages/wait", {"pattern": None, "timeoutMillis": 200})),
    case("wait: without a pattern when there is a message", *asked("hi"), post("/messages/wait", {"timeoutMillis": 200})),
    case("wait: with a count", *asked("hi"), post("/messages/wait", {"pattern": HI, "timeoutMillis": 200, "count": 1})),
    case("wait-for-count: as many are there", *asked("hi", "hi", "ho"), wait_count(HI, 2, 2000, atMost=1500)),
    case("wait-for-count: more are there", *asked("h1", "h2", "h3"), wait_count({"body": {"matches": "h."}}, 2, 2000, atMost=1500)),
    case("wait-for-count: as they come, in order", opened(), start("w", "/messages/wait-for-count", {"pattern": {"body": {"matches": "h."}}, "count": 3, "timeoutMillis": 5000}),
         send("h1"), pause(300), send("h2"), pause(300), send("h3"), finish("w", atMost=4500)),
    case("wait-for-count: fewer in the time, in order", *asked("h1", "h2"), wait_count({"body": {"matches": "h."}}, 5, 300, atMost=2500)),
    case("wait-for-count: fewer in the time", *asked("hi"), wait_count(HI, 2, 400, atLeast=390, atMost=2500)),
    case("wait-for-count: none in the time", wait_count(HI, 1, 300, atLeast=290, atMost=2500)),
    case("wait-for-count: they come", opened(), start("w", "/messages/wait-for-count", {"pattern": HI, "count": 2, "timeoutMillis": 5000}), send("hi"),
         pause(300), send("hi"), finish("w", atLeast=450, atMost=3500)),
    case("wait-for-count: zero, negative and missing counts", *asked("hi"), wait_count(HI, 0, 1000, atMost=900), wait_count(HI, -1, 1000),
         post("/messages/wait-for-count", {"pattern": HI, "timeoutMillis": 1000}), wait_count(HI, "x", 300), wait_count(HI, None, 300), wait_count(HI, 1.5, 300)),
    case("wait-for-count: odd times and members", post("/messages/wait-for-count", {"pattern": HI, "count": 1}, atMost=1000), wait_count(HI, 1, -1, atMost=1000),
         post("/messages/wait-for-count", {"foo": 1}), post("/messages/wait-for-count", "x"), post("/messages/wait-for-count"),
         post("/messages/wait-for-count", {"timeoutMillis": 200})),
]

CASES = KEPT + FOUND + WAITS
