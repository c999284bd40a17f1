"""Channels and their providers: listed, made, sent to, closed; and what resets do."""

from messages.shorthand import *  # noqa: F403: steps are written with all of them

LIST = get("/channels", anyOrder=["channels"])

OPEN = [
    case("channels: none", get("/channels")),
    case("channels: one that a request opened", opened("a", "/chat/room?q=1", headers={"X-A": "b", "Cookie": "c=v", "Origin": "http://example.org"}),
         get("/channels"), get("/channels/<id 1>")),
    case("channels: several of both types", opened("a", "/a"), opened("b", "/b"), provider(), fixed("orders"), LIST),
    case("channels: unknown ids and ids that are none", get("/channels/" + NONE), get("/channels/x"), delete("/channels/" + NONE), delete("/channels/x")),
    case("channels: one that the client closed", opened(), get("/channels"), close(1000), receive(), get("/channels"), get("/channels/<id 1>")),
    case("channels: one whose connection broke", opened(), drop(), pause(300), get("/channels")),
    case("channels: DELETE closes", opened(), get("/channels"), delete("/channels/<id 1>"), receive(), close(1000), receive(), get("/channels"),
         delete("/channels/<id 1>")),
    case("channels: filters and limits", opened("a", "/a"), opened("b", "/b"), get("/channels?type=websocket", anyOrder=["channels"]),
         get("/channels?type=fixed", anyOrder=["channels"]), get("/channels?open=true", anyOrder=["channels"]), get("/channels?limit=x", anyOrder=["channels"])),
    case("channels: methods that are not there", put("/channels", {}), delete("/channels"), post("/channels/" + NONE, {}), put("/channels/" + NONE, {}),
         get("/channels/send"), put("/channels/send", {}), admin("PATCH", "/channels", {})),
    case("fixed channels: made, twice, read and removed", provider(), fixed("orders"), fixed("orders"), get("/channels", anyOrder=["channels"]),
         get("/channels/<id 1>"), delete("/channels/<id 1>"), get("/channels"), get("/channels/<id 1>"), send_fixed("x")),
    case("fixed channels: wrong", fixed("orders"), provider(), post("/channels", {}), post("/channels", {"providerName": "p"}), post("/channels", {"channelName": "c"}),
         post("/channels", {"providerName": "p", "channelName": ""}), post("/channels", {"providerName": "", "channelName": "c"}),
         post("/channels", {"providerName": "p", "channelName": None}), post("/channels", {"providerName": "p", "channelName": 5}),
         post("/channels", {"providerName": "p", "channelName": "c", "foo": 1}), post("/channels", {"providerName": "p", "channelName": "c", "type": "fixed"}),
         post("/channels", {"providerName": "p", "channelName": {"equalTo": "c"}}), post("/channels", "x"), post("/channels"), post("/channels", "[]"), LIST),
]

SENDS = [
    case("send: to WebSockets, with counts", opened("a", "/a"), opened("a2", "/a"), opened("b", "/b"), send_to("/a", "x", anyOrder=["channels"]), receive("a"), receive("a2"),
         silence("b"), send_to("/none", "x"), send_to("/b", {"base64Data": "AAE="}), receive("b"), send_to("/b", {"data": {"a": 1}}), receive("b")),
    case("send: to all by an empty pattern or none", opened("a", "/a"), opened("b", "/b"),
         post("/channels/send", {"type": "websocket", "initiatingRequest": {}, "message": {"body": "x"}}, anyOrder=["channels"]), receive("a"), receive("b"),
         post("/channels/send", {"type": "websocket", "message": {"body": "y"}}, anyOrder=["channels"]), receive("a", 400), receive("b", 400)),
    case("send: bodies", opened(), *[step for body in (5, "", None, ["x"], {"data": "x"}, {"base64Data": "!"}, {"filePath": "a.txt"}, {"filePath": "none"}, {"foo": 1})
                                     for step in (send_to("/chat", body), receive(within=500))], files={"__files/a.txt": "of a file {{request.url}}"}),
    case("send: by other members of a request", opened("a", "/a?x=1", headers={"X-A": "1"}), opened("b", "/b"), post("/channels/send", {
        "type": "websocket", "initiatingRequest": {"headers": {"X-A": {"equalTo": "1"}}, "queryParameters": {"x": {"equalTo": "1"}}}, "message": {"body": "x"}}),
        receive("a"), silence("b")),
    case("send: wrong", opened(), *[post("/channels/send", body) for body in (
        {}, "x", "", "[]", {"type": "websocket"}, {"message": {"body": "x"}}, {"type": "other", "message": {"body": "x"}},
        {"type": "websocket", "initiatingRequest": {"foo": 1}, "message": {"body": "x"}}, {"type": "websocket", "initiatingRequest": {}, "message": "x"},
        {"type": "websocket", "initiatingRequest": {}, "message": {}}, {"type": "websocket", "initiatingRequest": {}, "message": {"body": "x", "foo": 1}},
        {"type": "websocket", "initiatingRequest": {}, "message": {"body": "x"}, "foo": 1},
        {"type": "websocket", "initiatingRequestPattern": {}, "message": {"body": "x"}}, {"type": None, "message": {"body": "x"}})], silence()),
    case("send: to a fixed channel", provider(), fixed("orders"), send_fixed("hi"), get("/messages")),
    case("send: to a fixed channel with a stub", provider(), fixed("orders"), *add({"id": A, **stub("hi", "hello {{message.body}}")}), send_fixed("hi"),
         get("/messages")),
    case("send: a stub that answers everything on a fixed channel never ends", provider(), fixed("orders"), *add({"id": A, **stub(None, "again")}), send_fixed("hi"),
         delete("/message-mappings"), post("/messages/count", {})),
    case("send: binary and JSON to a fixed channel", provider(), fixed("orders"), send_fixed({"base64Data": "AP8="}), send_fixed({"data": {"a": 1}}), get("/messages")),
    case("send: wrong fixed channels", provider(), fixed("orders"), send_fixed("x", "none"), send_fixed("x", "orders", "none"), *[
        post("/channels/send", body) for body in (
            {"type": "fixed", "message": {"body": "x"}}, {"type": "fixed", "providerName": "p", "message": {"body": "x"}},
            {"type": "fixed", "channelName": "orders", "message": {"body": "x"}}, {"type": "fixed", "providerName": "p", "channelName": "orders"},
            {"type": "fixed", "providerName": "p", "channelName": {"equalTo": "orders"}, "message": {"body": "x"}},
            {"type": "fixed", "initiatingRequest": {}, "message": {"body": "x"}})]),
]

PROVIDERS = [
    case("providers: none, made and read", get("/channel-providers"), post("/channel-providers", {"name": "p", "driverType": "in-memory", "settings": {"a": {"b": [1]}}}),
         provider("q"), get("/channel-providers", anyOrder=["channelProviders"]), get("/channel-providers/p"), get("/channel-providers/none")),
    case("providers: twice the same name", provider(), post("/channel-providers", {"name": "p", "driverType": "in-memory", "settings": {"a": 1}}),
         get("/channel-providers")),
    case("providers: wrong", *[post("/channel-providers", body) for body in (
        {}, {"name": "p"}, {"driverType": "in-memory"}, {"name": "p", "driverType": "kafka"}, {"name": "", "driverType": "in-memory"},
        {"name": None, "driverType": "in-memory"}, {"name": "p", "driverType": "in-memory", "foo": 1}, {"name": "p", "driverType": "in-memory", "settings": 5},
        {"name": "p", "driverType": "in-memory", "settings": None}, {"name": 5, "driverType": "in-memory"}, "x", "", "[]")], get("/channel-providers", anyOrder=["channelProviders"]), flags=[]),
    case("providers: changed and renamed", provider(), fixed("orders"), put("/channel-providers/p", {"name": "p", "driverType": "in-memory", "settings": {"a": 1}}),
         put("/channel-providers/p", {"name": "r", "driverType": "in-memory"}), get("/channel-providers"), get("/channel-providers/p"), get("/channels"),
         get("/channels", anyOrder=["channels"]), send_fixed("x"), send_fixed("x", "orders", "r"), fixed("new", "r"), put("/channel-providers/none", {"name": "none", "driverType": "in-memory"}),
         put("/channel-providers/r", {}), put("/channel-providers/r", {"name": "r", "driverType": "other"}), put("/channel-providers/r", {"driverType": "in-memory"}),
         put("/channel-providers/r", "x"), get("/channel-providers", anyOrder=["channelProviders"])),
    case("providers: removed, its channels stay", provider(), fixed("orders"), delete("/channel-providers/p"), get("/channel-providers"), get("/channels"),
         send_fixed("x"), fixed("new"), delete("/channel-providers/p"), delete("/channel-providers/none")),
    case("providers: names with odd characters", post("/channel-providers", {"name": "a b/ä", "driverType": "in-memory"}), get("/channel-providers/a%20b%2F%C3%A4"),
         get("/channel-providers"), delete("/channel-providers/a%20b%2F%C3%A4"), get("/channel-providers"), flags=[]),
    case("providers: methods that are not there", put("/channel-providers", {}), delete("/channel-providers"), post("/channel-providers/p", {}),
         admin("PATCH", "/channel-providers/p", {})),
]


def left(*steps):
    """What is there after the steps."""
    return [*add({"id": A, **stub("hi", "hello")}), opened(), send("hi"), receive(), provider(), fixed("orders"), *steps,
            get("/message-mappings"), post("/messages/count", {}), LIST, get("/channel-providers"), send("hi"), receive(within=1000)]


RESETS = [
    case("resets: POST /reset", *left(post("/reset"))),
    case("resets: POST /mappings/reset", *left(post("/mappings/reset"))),
    case("resets: DELETE /mappings and /requests", *left(delete("/mappings"), delete("/requests"))),
    case("resets: scenarios and requests", *left(post("/scenarios/reset"), post("/requests/reset"))),
    case("resets: DELETE /message-mappings", *left(delete("/message-mappings"))),
    case("resets: DELETE /messages", *left(delete("/messages"))),
]

CASES = OPEN + SENDS + PROVIDERS + RESETS
