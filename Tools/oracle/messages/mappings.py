"""Message stubs: the calls that add, read, change and remove them, and their files."""

import json

from messages.shorthand import *  # noqa: F403: steps are written with all of them

FULL = {"id": A, "name": "greet", "priority": 5, "trigger": {
    "type": "message", "channel": on_path("/chat"), "message": {"channel": {"method": "GET"}, "body": {"equalTo": "hi"}}},
    "actions": [says("hello")], "metadata": {"suite": "chat", "list": [1, {"a": None}]}}


def written(name, *documents):
    """A case that adds documents and reads them back."""
    return case(name, *[post("/message-mappings", one) for one in documents], get("/message-mappings"))


def trigger(value):
    return {"id": A, "trigger": value}


def action(**members):
    return {"id": A, "actions": [members]}


def refused(name, *documents):
    return case(name, *[post("/message-mappings", one) for one in documents], get("/message-mappings"))


CRUD = [
    case("mappings: none", get("/message-mappings")),
    written("mappings: add one with all its members", FULL),
    written("mappings: add an empty object", {}),
    written("mappings: members that are null", {"id": A, "name": None, "priority": None, "trigger": None, "actions": None,
                                                "metadata": None}),
    written("mappings: empty members", {"id": A, "name": "", "trigger": {}, "actions": [], "metadata": {}}),
    written("mappings: newest first", {"id": A}, {"id": B}, {"id": C}),
    written("mappings: the list does not go by priority", {"id": A, "priority": 9}, {"id": B, "priority": 1}, {"id": C}),
    written("mappings: the same id twice", {"id": A, "name": "one"}, {"id": B}, {"id": A, "name": "two"}),
    written("mappings: priority zero, negative and as a text", {"id": A, "priority": 0}, {"id": B, "priority": -3},
            {"id": C, "priority": "7"}),
    written("mappings: uuid in place of id", {"uuid": A}),
    written("mappings: both uuid and id", {"uuid": A, "id": B}),
    written("mappings: insertionIndex and $schema are taken", {"id": A, "insertionIndex": 7}, {"id": B, "$schema": "x"}),
    refused("mappings: unknown members", {"foo": 1}, {"persistent": True}, {"request": {}}, {"scenarioName": "x"},
            {"trigger": {"type": "message", "foo": 1}}, {"trigger": {"message": {"foo": 1}}},
            {"trigger": {"channel": {"type": "websocket", "foo": 1}}}, {"actions": [{"type": "send", "foo": 1}]},
            {"actions": [{"type": "send", "message": {"foo": 1}}]},
            {"actions": [{"type": "send", "message": {"body": "x"}, "channelTarget": {"type": "originating", "foo": 1}}]}),
    refused("mappings: not JSON", "x", "", "{", "[]", "5", "null", '"x"', '{"id": }', "[{}]"),
    refused("mappings: members of the wrong type", {"id": "x"}, {"id": 5}, {"name": {}}, {"name": 5}, {"priority": "high"},
            {"priority": 1.5}, {"priority": 1 << 40}, {"trigger": 5}, {"trigger": []}, {"actions": {}}, {"actions": "x"}, {"actions": [5]},
            {"metadata": 5}, {"metadata": []}),
    case("mappings: many in one call are refused", post("/message-mappings", {"messageMappings": [{"id": A}]}),
         get("/message-mappings")),
    case("mappings: read one", *add(FULL), get("/message-mappings/" + A), get("/message-mappings/" + NONE),
         get("/message-mappings/x"), get("/message-mappings/" + A.upper()), get("/message-mappings/1-1-1-1-1")),
    case("mappings: change one", *add(FULL, {"id": B}), put("/message-mappings/" + A, {"name": "new"}), get("/message-mappings"),
         put("/message-mappings/" + A, {"id": C, "name": "other id"}), get("/message-mappings"),
         put("/message-mappings/" + NONE, {"name": "none"}), put("/message-mappings/x", {}),
         put("/message-mappings/" + A, {"foo": 1}), put("/message-mappings/" + A, "x"), get("/message-mappings")),
    case("mappings: remove one", *add({"id": A}, {"id": B}), delete("/message-mappings/" + A), get("/message-mappings"),
         delete("/message-mappings/" + A), delete("/message-mappings/x"), get("/message-mappings")),
    case("mappings: read, change and remove one of two with one id", *add({"id": A, "name": "one"}, {"id": A, "name": "two"}), get("/message-mappings/" + A),
         put("/message-mappings/" + A, {"name": "three"}), get("/message-mappings"), delete("/message-mappings/" + A), get("/message-mappings")),
    case("mappings: remove all", *add({"id": A}, {"id": B}), delete("/message-mappings"), get("/message-mappings"),
         delete("/message-mappings")),
    case("mappings: methods that are not there", admin("PATCH", "/message-mappings", {}), put("/message-mappings", {}),
         post("/message-mappings/" + A, {}), post("/message-mappings/reset"), post("/message-mappings/save"),
         get("/message-mappings/find-by-metadata"), get("/message-mappings/"), admin("HEAD", "/message-mappings")),
    case("mappings: a limit and an offset", *add({"id": A}, {"id": B}, {"id": C}), get("/message-mappings?limit=1"),
         get("/message-mappings?offset=1"), get("/message-mappings?limit=1&offset=1"), get("/message-mappings?limit=x")),
    case("mappings: find by metadata", *add({"id": A, "metadata": {"suite": "a"}}, {"id": B, "metadata": {"suite": "b", "n": 1}},
                                            {"id": C}),
         post("/message-mappings/find-by-metadata", {"matchesJsonPath": {"expression": "$.suite", "equalTo": "b"}}),
         post("/message-mappings/find-by-metadata", {"equalToJson": {"suite": "a"}}),
         post("/message-mappings/find-by-metadata", {"matchesJsonPath": "$.suite"}),
         post("/message-mappings/find-by-metadata", {"contains": "suite"}),
         post("/message-mappings/find-by-metadata", {"absent": True}),
         post("/message-mappings/find-by-metadata", {"matchesJsonPath": "$.none"}),
         post("/message-mappings/find-by-metadata", {}), post("/message-mappings/find-by-metadata", {"foo": 1}),
         post("/message-mappings/find-by-metadata", "x"), post("/message-mappings/find-by-metadata")),
    case("mappings: remove by metadata", *add({"id": A, "metadata": {"suite": "a"}}, {"id": B, "metadata": {"suite": "b"}},
                                              {"id": C}),
         post("/message-mappings/remove-by-metadata", {"matchesJsonPath": {"expression": "$.suite", "equalTo": "a"}}),
         get("/message-mappings"), post("/message-mappings/remove-by-metadata", {"matchesJsonPath": "$.none"}),
         post("/message-mappings/remove-by-metadata", {"foo": 1}), post("/message-mappings/remove-by-metadata", {}),
         get("/message-mappings")),
]

TRIGGERS = [
    written("triggers: without a type", trigger({"message": {"body": {"equalTo": "x"}}})),
    written("triggers: of an unknown type", trigger({"type": "other", "message": {"body": {"equalTo": "x"}}})),
    written("triggers: of an unknown type alone", trigger({"type": "other"})),
    written("triggers: the type in capitals", trigger({"type": "MESSAGE"})),
    written("triggers: the type is null or a number", trigger({"type": None}), {"id": B, "trigger": {"type": 5}}),
    written("triggers: http-stub", trigger({"type": "http-stub", "stubId": B})),
    written("triggers: http-stub without or with a wrong id", trigger({"type": "http-stub"}),
            trigger({"type": "http-stub", "stubId": "x"}), trigger({"type": "http-stub", "stubId": None}),
            trigger({"type": "http-stub", "stubId": B, "message": {}})),
    written("triggers: http-request", trigger({"type": "http-request", "requestPattern": {"urlPath": "/fire", "method": "POST"}})),
    written("triggers: http-request without or with a wrong pattern", trigger({"type": "http-request"}),
            trigger({"type": "http-request", "requestPattern": {}}), trigger({"type": "http-request", "requestPattern": 5}),
            trigger({"type": "http-request", "requestPattern": {"url": "/a", "foo": 1}}),
            trigger({"type": "http-request", "request": {"url": "/a"}})),
    written("channel patterns: websocket", trigger({"type": "message", "channel": {"type": "websocket"}}),
            trigger({"type": "message", "channel": {"type": "websocket", "initiatingRequestPattern": {}}}),
            trigger({"type": "message", "channel": {"type": "websocket", "initiatingRequestPattern": None}})),
    written("channel patterns: every member of a request pattern", trigger({"type": "message", "channel": {
        "type": "websocket", "initiatingRequestPattern": {
            "urlPathTemplate": "/rooms/{room}", "pathParameters": {"room": {"equalTo": "a"}}, "method": "GET",
            "headers": {"X-A": {"equalTo": "1"}}, "queryParameters": {"q": {"absent": True}},
            "cookies": {"c": {"contains": "x"}}, "basicAuth": {"username": "u", "password": "p"},
            "bodyPatterns": [{"equalTo": ""}], "host": {"equalTo": "h"}, "port": 80, "scheme": "http"}}})),
    written("channel patterns: without a type", trigger({"channel": {"initiatingRequestPattern": {"urlPath": "/a"}}}),
            trigger({"channel": {}})),
    written("channel patterns: of an unknown type", trigger({"channel": {"type": "sse"}}), trigger({"channel": {"type": 5}})),
    written("channel patterns: fixed", trigger({"channel": {
        "type": "fixed", "channelProvider": "p", "channelName": {"equalTo": "orders"}}})),
    written("channel patterns: fixed with members missing", trigger({"channel": {"type": "fixed"}}),
            trigger({"channel": {"type": "fixed", "channelProvider": "p"}}),
            trigger({"channel": {"type": "fixed", "channelName": {"equalTo": "o"}}})),
    written("channel patterns: a fixed channel's name as a text", trigger({"channel": {
        "type": "fixed", "channelProvider": "p", "channelName": "orders"}})),
    written("channel patterns: members of the other type", trigger({"channel": {
        "type": "fixed", "channelProvider": "p", "channelName": {"equalTo": "o"}, "initiatingRequestPattern": {"url": "/"}}}),
        trigger({"channel": {"type": "websocket", "channelProvider": "p"}})),
    written("message patterns: empty", trigger({"message": {}}), trigger({"message": None})),
    written("message patterns: wrong", trigger({"message": "x"}), trigger({"message": {"body": "x"}}),
            trigger({"message": {"body": {}}}), trigger({"message": {"body": {"foo": 1}}}), trigger({"message": {"body": []}}),
            trigger({"message": {"body": {"matches": "("}}}), trigger({"message": {"channel": 5}}),
            trigger({"message": {"equalTo": "x"}}), trigger({"body": {"equalTo": "x"}})),
]

BODIES = [{"equalTo": "x"}, {"equalTo": "x", "caseInsensitive": True}, {"contains": "x"}, {"doesNotContain": "x"}, {"matches": ".*"},
          {"doesNotMatch": "x"}, {"equalToJson": {"a": 1}}, {"equalToJson": '{"a": 1}', "ignoreArrayOrder": True},
          {"matchesJsonPath": "$.a"}, {"matchesJsonPath": {"expression": "$.a", "equalTo": "1"}},
          {"matchesJsonSchema": {"type": "object"}}, {"equalToXml": "<a/>"}, {"matchesXPath": "//a"}, {"binaryEqualTo": "AAE="},
          {"absent": True}, {"not": {"equalTo": "x"}}, {"and": [{"contains": "a"}, {"contains": "b"}]}, {"or": [{"equalTo": "a"}]},
          {"before": "now"}, {"equalToNumber": 5}]

WRITTEN = [
    written("message patterns: every matcher written back", *[trigger({"message": {"body": body}}) for body in BODIES]),
    written("actions: send written back", {"id": A, "actions": [says("x"), says("y")]}),
    written("actions: written back without a target", action(type="send", message={"body": "x"})),
    written("actions: of an unknown or no type", action(type="close"), action(message={"body": "x"}), action(type=None), action()),
    written("actions: without a message or body", action(type="send"), action(type="send", message={}),
            action(type="send", message={"body": None}), action(type="send", message=None), action(type="send", message="x")),
    written("actions: a body as a number, array or boolean", action(type="send", message={"body": 5}),
            action(type="send", message={"body": [1]}), action(type="send", message={"body": True}),
            action(type="send", message={"body": {}})),
    written("actions: bodies as objects", *[action(type="send", message={"body": body}) for body in (
        {"data": "x"}, {"data": {"a": 1}}, {"data": [1, 2]}, {"data": 5}, {"data": None}, {"data": "x", "format": "text"},
        {"data": {"a": 1}, "format": "json"}, {"data": {"a": 1}, "format": "yaml"}, {"data": "<a/>", "format": "xml"},
        {"base64Data": "AAEC"}, {"data": "AAEC", "encoding": "binary"}, {"base64Data": "!"}, {"data": "x", "format": "foo"},
        {"data": "x", "encoding": "text", "charset": "UTF-8"}, {"data": "x", "charset": "ISO-8859-1"}, {"filePath": "a.txt"},
        {"dataStore": "s", "dataRef": "k"}, {"data": "H4sI", "encoding": "binary", "compression": "gzip"}, {"foo": 1},
        {"data": "x", "base64Data": "AAEC"}, {"data": "AAEC", "isBinary": True})]),
    written("actions: targets written back", *[{"id": A, "actions": [says("x", target)]} for target in (
        {"type": "originating"}, {"type": "request-initiated", "requestPattern": {"urlPath": "/a"}},
        {"type": "request-initiated", "channelType": "websocket", "requestPattern": {"urlPath": "/a"}},
        {"type": "fixed-channel", "providerName": "p", "channelName": "c"})]),
    written("actions: wrong targets", *[{"id": A, "actions": [says("x", target)]} for target in (
        {"type": "request-initiated"}, {"type": "request-initiated", "channelType": "sse", "requestPattern": {}},
        {"type": "request-initiated", "requestPattern": {"foo": 1}}, {"type": "fixed-channel"},
        {"type": "fixed-channel", "providerName": "p"}, {"type": "fixed-channel", "channelName": "c"}, {"type": "other"}, {"type": None},
        {"foo": 1}, "originating", 5, {"type": "fixed-channel", "providerName": "p", "channelName": {"equalTo": "c"}})]),
    written("actions: transformers", action(type="send", message={"body": "x"}, transformers=["a"], transformerParameters={"b": 1}),
            action(type="send", message={"body": "x"}, transformers=[], transformerParameters={})),
]

ONE = {"id": A, "trigger": {"message": {"body": {"equalTo": "hi"}}}, "actions": [says("from a file")]}
FILES = [
    case("files: one stub", get("/message-mappings"), *asked("hi"), files={"message-mappings/one.json": json.dumps(ONE)}),
    case("files: many stubs, with an id each or none", get("/message-mappings", anyOrder=["messageMappings"]), files={
        "message-mappings/many.json": json.dumps({"messageMappings": [{"id": A, "name": "a"}, {"name": "b"}, {"id": C}]})}),
    case("files: the order of many", get("/message-mappings"), files={
        "message-mappings/many.json": json.dumps({"messageMappings": [{"id": A}, {"id": B}, {"id": C}]})}),
    case("files: subfolders and other names", get("/message-mappings", anyOrder=["messageMappings"]), files={
        "message-mappings/a/b/one.json": json.dumps(ONE), "message-mappings/two.JSON": '{"name": "capitals"}',
        "message-mappings/three.txt": '{"name": "text"}', "message-mappings/.hidden.json": '{"name": "hidden"}',
        "message-mappings/four.yaml": "name: yaml", "mappings/five.json": '{"request": {"url": "/x"}, "response": {}}'}),
    case("files: $schema, uuid and insertionIndex among many", get("/message-mappings"), files={
        "message-mappings/a.json": json.dumps({"messageMappings": [
            {"$schema": "x", "uuid": A, "id": A, "insertionIndex": 4, "name": "a"}]})}),
    case("files: uuid and insertionIndex of one", get("/message-mappings"), files={
        "message-mappings/a.json": json.dumps({"uuid": B, "id": A, "insertionIndex": 4, "name": "a"})}),
    *[case("files: " + name, get("/message-mappings"), files={"message-mappings/a.json": text}) for name, text in (
        ("$schema of one", '{"$schema": "x", "name": "a"}'), ("$schema beside many", '{"$schema": "x", "messageMappings": []}'),
        ("not JSON", "{x"), ("an empty file", ""), ("an unknown member", '{"foo": 1}'),
        ("an unknown member among many", '{"messageMappings": [{"foo": 1}]}'), ("an array", '[{"name": "a"}]'),
        ("meta beside many", '{"messageMappings": [{"id": "%s"}], "meta": {"total": 1}}' % A))],
    case("files: an HTTP stub in the folder of message stubs", get("/message-mappings"), files={
        "message-mappings/a.json": '{"request": {"url": "/x"}, "response": {"status": 200}}'}),
    case("files: a body from __files", get("/message-mappings"), *asked("hi", "none", "away"), files={
        "__files/a.txt": "of a file {{message.body}}", "message-mappings/a.json": json.dumps({"messageMappings": [
            {"id": A, **stub("hi", {"filePath": "a.txt"})}, {"id": B, **stub("none", {"filePath": "none.txt"})},
            {"id": C, **stub("away", {"filePath": "../mappings/x.json"})}]})}),
    case("files: what the API adds is not written, and resets read the files again and add to what is there", get("/message-mappings"),
         post("/message-mappings", {"id": B, "name": "added"}), put("/message-mappings/" + A, {"name": "changed"}),
         write("message-mappings/late.json", {"id": C, "name": "late"}), post("/mappings/reset"), get("/message-mappings"),
         post("/mappings/save"), post("/reset"), get("/message-mappings"), delete("/message-mappings"), post("/mappings/reset"),
         post("/reset"), get("/message-mappings"), files={"message-mappings/one.json": json.dumps(ONE)}),
]

CASES = CRUD + TRIGGERS + WRITTEN + FILES
