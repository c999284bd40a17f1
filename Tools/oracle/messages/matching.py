"""Which stub answers a message, and what it does."""

import json

from messages.shorthand import *  # noqa: F403: steps are written with all of them

JSON = '{"a": {"b": 1}, "list": [1, 2], "type": "ping"}'


def matched(name, *pairs):
    """A case with one channel: of each pair of a matcher and messages, which messages the matcher takes, and which another stub."""
    steps = [opened()]
    for matcher, *messages in pairs:
        steps += only(OTHERS, {"id": A, **stub(matcher, "yes")})
        for message in messages:
            steps += [send(message), receive()]
    return case("matchers: " + name, *steps)


def upgraded(name, pattern, *opens):
    """A case with one stub with a pattern for channels, and channels that are opened and sent to."""
    steps = add(OTHERS, {"id": A, **stub("hi", "yes", channel={"type": "websocket", "initiatingRequestPattern": pattern})})
    for number, (path, headers) in enumerate(opens):
        on = f"c{number}"
        steps += [opened(on, path, headers=headers), send("hi", on), receive(on)]
    return case("channel patterns: " + name, *steps)


MATCHERS = [
    matched("equalTo", ({"equalTo": "hi"}, "hi", "Hi", "hi ", "", b"hi"), ({"equalTo": ""}, "", "x"),
            ({"equalTo": "HI", "caseInsensitive": True}, "hi", "ho")),
    matched("equalTo beyond ASCII", ({"equalTo": "ä€😀"}, "ä€😀", "ä€😀".encode(), "a"), ({"equalTo": "ä\0b"}, "ä\0b")),
    matched("contains and doesNotContain", ({"contains": "b"}, "abc", "ac", b"\xffb"), ({"doesNotContain": "b"}, "abc", "ac", "")),
    matched("matches and doesNotMatch", ({"matches": "a.c"}, "abc", "xabcx", "a\nc"), ({"doesNotMatch": "a.c"}, "abc", "xx")),
    matched("matchesJsonPath", ({"matchesJsonPath": "$.a.b"}, JSON, "{}", "text", "", JSON.encode()),
            ({"matchesJsonPath": {"expression": "$.type", "equalTo": "ping"}}, JSON, '{"type": "pong"}', '{"type": ["ping"]}'),
            ({"matchesJsonPath": "$.list[?(@ == 2)]"}, JSON, '{"list": []}')),
    matched("equalToJson", ({"equalToJson": {"a": 1, "b": [1, 2]}}, '{"b": [1, 2], "a": 1}', '{"b": [2, 1], "a": 1}', "x", ""),
            ({"equalToJson": '{"a": "${json-unit.any-number}"}'}, '{"a": 5}', '{"a": "5"}'),
            ({"equalToJson": {"a": [1, 2]}, "ignoreArrayOrder": True, "ignoreExtraElements": True}, '{"a": [2, 1], "c": 1}')),
    matched("matchesJsonSchema", ({"matchesJsonSchema": {"type": "object", "required": ["a"]}}, '{"a": 1}', "{}", "x")),
    matched("equalToXml and matchesXPath", ({"equalToXml": "<a><b/></a>"}, "<a> <b></b> </a>", "<a/>", "x"),
            ({"matchesXPath": "//b"}, "<a><b/></a>", "<a/>")),
    matched("binaryEqualTo", ({"binaryEqualTo": "AAH/"}, b"\x00\x01\xff", b"\x00\x01", "x"),
            ({"binaryEqualTo": encoded(b"hi")}, "hi", b"hi"), ({"binaryEqualTo": encoded("ä".encode())}, "ä")),
    matched("absent", ({"absent": True}, "", "x", b""), ({"absent": False}, "", "x")),
    matched("not, and, or", ({"not": {"equalTo": "x"}}, "x", "y"), ({"and": [{"contains": "a"}, {"contains": "b"}]}, "ab", "a"),
            ({"or": [{"equalTo": "a"}, {"equalTo": "b"}]}, "a", "c")),
    matched("numbers and dates", ({"equalToNumber": 5}, "5", "5.0", "x"), ({"before": "2030-01-01T00:00:00Z"}, "2029-01-01T00:00:00Z", "2031-01-01T00:00:00Z", "x"),
            ({"greaterThanNumber": 5}, "6", "5")),
    matched("binary frames that are no UTF-8", ({"matches": ".*"}, b"\xff\xfe", b"ok"), ({"equalTo": "\ufffd"}, b"\xff")),
    matched("hasExactly and includes", ({"hasExactly": [{"equalTo": "a"}]}, "a", "b"), ({"includes": [{"equalTo": "a"}]}, "a", "b")),
    case("matchers: no trigger and an empty one take every message", *add({"id": A, "actions": [says("any")]}), *asked("x", b"\x00", ""),
         *only({"id": B, "trigger": {}, "actions": [says("empty")]}), send("y"), receive()),
    case("matchers: a message pattern's own pattern for the channel", *add(
        {"id": A, "trigger": {"message": {"channel": {"urlPath": "/chat"}, "body": {"equalTo": "hi"}}}, "actions": [says("both")]}),
        *asked("hi", "ho"), opened("b", "/other"), send("hi", "b"), silence("b")),
    case("matchers: an unknown type of trigger takes messages", *add({"id": A, "trigger": {"type": "zork"}, "actions": [says("z")]}),
         *asked("x")),
]

CHANNELS = [
    upgraded("urlPath", {"urlPath": "/chat"}, ("/chat", {}), ("/chat?a=1", {}), ("/chat/", {}), ("/other", {})),
    upgraded("url", {"url": "/chat?a=1"}, ("/chat?a=1", {}), ("/chat", {})),
    upgraded("patterns of URLs", {"urlPathPattern": "/c.*t"}, ("/chat", {}), ("/cat?x", {}), ("/dog", {})),
    upgraded("urlPathTemplate and path parameters", {"urlPathTemplate": "/rooms/{room}", "pathParameters": {"room": {"equalTo": "a"}}},
             ("/rooms/a", {}), ("/rooms/b", {})),
    upgraded("headers, query and cookies", {"headers": {"X-A": {"equalTo": "1"}}, "queryParameters": {"q": {"matches": "[0-9]+"}},
                                            "cookies": {"c": {"equalTo": "v"}}},
             ("/x?q=12", {"X-A": "1", "Cookie": "c=v; d=w"}), ("/x?q=12", {"X-A": "1"}), ("/x?q=z", {"X-A": "1", "Cookie": "c=v"})),
    upgraded("method", {"method": "GET", "url": "/chat"}, ("/chat", {})),
    upgraded("another method", {"method": "POST", "url": "/chat"}, ("/chat", {})),
    upgraded("basicAuth", {"basicAuth": {"username": "u", "password": "p"}}, ("/chat", {"Authorization": "Basic dTpw"}), ("/chat", {})),
    upgraded("host and scheme", {"host": {"equalTo": "127.0.0.1"}, "scheme": "http"}, ("/chat", {})),
    upgraded("scheme ws", {"scheme": "ws"}, ("/chat", {})),
    upgraded("bodyPatterns", {"bodyPatterns": [{"equalTo": "x"}]}, ("/chat", {})),
    upgraded("an empty body", {"bodyPatterns": [{"absent": True}]}, ("/chat", {})),
    upgraded("clientIp and the sub-protocol's header", {"clientIp": {"equalTo": "127.0.0.1"},
                                                       "headers": {"Sec-WebSocket-Protocol": {"contains": "v2"}}},
             ("/chat", {"Sec-WebSocket-Protocol": "v1, v2"}), ("/chat", {})),
    case("channel patterns: websocket without a pattern, and fixed, on a WebSocket", *add(
        {"id": A, **stub("ws", "websocket", channel={"type": "websocket"})},
        {"id": B, **stub("fx", "fixed", channel={"type": "fixed", "channelProvider": "p", "channelName": {"equalTo": "o"}})}),
        *asked("ws", "fx")),
    case("channel patterns: fixed by provider and name", provider(), provider("q"), fixed("orders"), fixed("other"), fixed("orders", "q"),
         opened("ws", "/watch"), *add({"id": A, **stub("hi", "{{message.body}} came", channel={
             "type": "fixed", "channelProvider": "p", "channelName": {"matches": "ord.*"}}, to={
                 "type": "request-initiated", "requestPattern": {"urlPath": "/watch"}})}),
         send_fixed("hi"), receive("ws"), send_fixed("hi", "other"), silence("ws"), send_fixed("hi", "orders", "q"), silence("ws"),
         post("/messages/count", {"body": {"equalTo": "hi"}})),
    case("channel patterns: a custom matcher", *add(
        {"id": A, **stub("hi", "yes", channel={"type": "websocket", "initiatingRequestPattern": {"customMatcher": {"name": "none"}}})}),
        *asked("hi"), get("/messages")),
]

CHOICE = [
    case("choice: the newest of equal priority", *add({"id": A, **stub("hi", "old")}, {"id": B, **stub("hi", "new")}), *asked("hi"), silence()),
    case("choice: the lowest number", *add({"id": A, "priority": 1, **stub("hi", "one")}, {"id": B, "priority": 2, **stub("hi", "two")},
                                           {"id": C, **stub("hi", "default")}), *asked("hi"), silence()),
    case("choice: the default priority is 5", *add({"id": A, "priority": 5, **stub("hi", "five")}, {"id": B, **stub("hi", "default")}), *asked("hi"),
         *add({"id": C, "priority": 6, **stub("hi", "six")}), send("hi"), receive(),
         *add({"id": C, "priority": 4, **stub("hi", "four")}), send("hi"), receive()),
    case("choice: zero and negative priorities", *add({"id": A, "priority": 0, **stub("hi", "zero")}, {"id": B, "priority": -1, **stub("hi", "negative")},
                                                      {"id": C, "priority": 1, **stub("hi", "one")}), *asked("hi")),
    case("choice: a changed stub keeps its place", *add({"id": A, **stub("hi", "a")}, {"id": B, **stub("hi", "b")}),
         put("/message-mappings/" + A, stub("hi", "a2")), *asked("hi"), get("/message-mappings")),
    case("choice: a stub added again with its id", *add({"id": A, **stub("hi", "a")}, {"id": B, **stub("hi", "b")}, {"id": A, **stub("hi", "a2")}),
         *asked("hi"), get("/message-mappings")),
    case("choice: only the first acts, one without actions as well", *add({"id": A, **stub("hi", "a")}, {"id": B, **stub("hi")}), opened(), send("hi"),
         silence(), get("/messages")),
    case("choice: a stub removed while a channel is open", *add({"id": A, **stub("hi", "a")}), *asked("hi"),
         delete("/message-mappings/" + A), send("hi"), silence(), get("/messages")),
    case("choice: a stub added while a channel is open", opened(), send("hi"), silence(), *add({"id": A, **stub("hi", "a")}), send("hi"), receive()),
    case("choice: stubs in files by order", *asked("hi"), files={
        "message-mappings/a.json": '{"messageMappings": [%s, %s]}' % tuple(
            json.dumps({"id": id, **stub("hi", text)}) for id, text in ((A, "first"), (B, "second")))}),
]

CASES = MATCHERS + CHANNELS + CHOICE
