"""What stubs send, where to, and templates."""

from messages.shorthand import *  # noqa: F403: steps are written with all of them


def sends(name, *bodies, message="hi", subject="actions: ", **more):
    """A case that answers a message with each of the bodies in turn, on a channel each since a failure closes it."""
    steps = []
    for number, body in enumerate(bodies):
        on = f"c{number}"
        steps += [*only({"id": A, **stub(None, body)}), opened(on, "/chat/room?q=1&q=2", headers={"X-A": "b", "Cookie": "c=v"}),
                  send(message, on), receive(on)]
    return case(subject + name, *steps, **more)


def templates(name, *texts, message="hi"):
    return sends(name, *texts, message=message, subject="templates: ")


def to(name, *targets):
    """A case with two channels on /a, one on /b, and a stub that sends to each target in turn."""
    steps = [opened("a", "/a"), opened("a2", "/a?x=1"), opened("b", "/b")]
    for target in targets:
        steps += only({"id": A, **stub("hi", "to {{message.body}}", to=target)})
        steps += [send("hi", "b")] + [receive(on, 500) for on in ("a", "a2", "b")]
    return case("targets: " + name, *steps, post("/messages/count", {}), get("/messages", anyOrder=["messageServeEvents"]))


def initiated(pattern, **more):
    return {"type": "request-initiated", "requestPattern": pattern, **more}


JSON = '{"name": "Ann", "n": 5, "list": ["a", "b"], "o": {"k": "<&>\\""}}'
UPLOAD = {"id": B, "request": {"method": "POST", "urlPath": "/fire"}, "response": {"status": 202, "body": "fired"}}

SENT = [
    sends("texts and numbers", "hello", "", "ä€😀", 5, True, ["a", 1], None),
    sends("data as JSON", {"data": {"b": 1, "a": [1, {"c": None}]}}, {"data": [1, "x"]}, {"data": "x"}, {"data": 5}, {"data": {}},
          {"data": {"a": 1}, "format": "json"}, {"data": "{\"a\": 1}", "format": "json"}, {"a": 1}),
    sends("data with templates", {"data": {"said": "{{message.body}}", "{{message.body}}": 1, "list": ["{{request.method}}", 5]}},
          {"data": "{{message.body}}"}, {"data": {"n": "{{math 1 '+' 2}}"}}),
    sends("binary", {"base64Data": "AAEC/w=="}, {"data": "AAEC/w==", "encoding": "binary"}, {"base64Data": ""},
          {"base64Data": encoded(b"{{message.body}}")}, {"data": "AAEC", "isBinary": True}),
    sends("other formats and character sets", {"data": "<a>{{message.body}}</a>", "format": "xml"}, {"data": "a: 1", "format": "yaml"},
          {"data": {"a": 1}, "format": "yaml"}, {"data": "ä", "charset": "ISO-8859-1"}, {"data": "ä", "charset": "UTF-16"},
          {"data": "x", "compression": "gzip"}, {"data": "H4sIAAAAAAAAA8vIBACsKpPYAgAAAA==", "encoding": "binary", "compression": "gzip"}),
    sends("to a binary message", "{{message.body}}", {"base64Data": "/w=="}, message=b"\x00\xffhi"),
    sends("a text longer than a short frame", "x" * 300),
    case("actions: several, in order", *add({"id": A, "trigger": {}, "actions": [says(str(number)) for number in range(6)]}), opened(),
         send("x"), *[receive() for _ in range(6)], silence(), get("/messages")),
    case("actions: texts and binary in order", *add({"id": A, "actions": [says("a"), says({"base64Data": "AA=="}), says("b")]}),
         opened(), send("x"), receive(), receive(), receive()),
    case("actions: several messages keep their order", *add({"id": A, **stub(None, "{{message.body}}")}), opened(),
         *[send(str(number)) for number in range(20)], *[receive() for _ in range(20)]),
    case("actions: a failing template stops the actions", *add({"id": A, "actions": [says("a"), says("{{#if}}"), says("b")]}), opened(),
         send("x"), receive(within=700), receive(within=700), send("y"), receive(within=700), get("/messages/count"), post("/messages/count", {}),
         get("/messages")),
    case("actions: one with a missing file", *add({"id": A, "actions": [says("a"), says({"filePath": "none"}), says("b")]}), opened(),
         send("x"), receive(within=700), receive(within=700), receive(within=700), post("/messages/count", {})),
    case("actions: transformers and their parameters", *add({"id": A, "actions": [{
        **says("{{parameters.b}}|{{message.body}}"), "transformers": ["other"], "transformerParameters": {"b": 1}}]}), *asked("x")),
    case("actions: without a target", *add({"id": A, "actions": [{"type": "send", "message": {"body": "x"}}]}), *asked("hi"), get("/messages")),
]

TARGETS = [
    to("originating", {"type": "originating"}),
    to("request-initiated", initiated({"urlPath": "/a"}), initiated({"url": "/a"}), initiated({}), initiated({"urlPath": "/none"}),
       initiated({"urlPath": "/b"})),
    to("request-initiated with a type", initiated({"urlPath": "/a"}, channelType="websocket"), initiated({}, channelType="fixed")),
    case("targets: fixed-channel", provider(), fixed("orders"), fixed("other"), opened(),
         *add({"id": A, **stub("hi", "for {{message.body}}", to={"type": "fixed-channel", "providerName": "p", "channelName": "orders"})}),
         send("hi"), silence(), get("/messages")),
    case("targets: a fixed channel's answer to itself", provider(), fixed("orders"), *add(
        {"id": A, **stub("ping", "pong")}), send_fixed("ping"), get("/messages")),
    case("targets: fixed-channel that is not there", provider(), opened(), *add({"id": A, "actions": [
        says("x", {"type": "fixed-channel", "providerName": "p", "channelName": "none"}), says("y")]}), send("hi"), receive(within=700),
        get("/messages"), *only({"id": A, "actions": [
            says("x", {"type": "fixed-channel", "providerName": "none", "channelName": "none"})]}), opened("b"), send("hi", "b"), receive("b"),
        post("/messages/count", {})),
    case("targets: a template in the name of a fixed channel", provider(), fixed("hi"), opened(), *add({"id": A, **stub(
        "hi", "x", to={"type": "fixed-channel", "providerName": "p", "channelName": "{{message.body}}"})}), send("hi"), silence(),
        post("/messages/count", {})),
    case("targets: a closed channel is not sent to", opened("a", "/a"), opened("b", "/b"), *add({"id": A, **stub(
        "hi", "x", to=initiated({}))}), close(1000, on="a"), receive("a"), send("hi", "b"), receive("b"), get("/messages")),
]

TEMPLATES = [
    case("templates: of a message on a fixed channel", provider(), fixed("orders"), opened("ws", "/watch"), *add({"id": A, **stub(
        None, "{{message.body}}|{{request.url}}|{{request.method}}|{{this}}", channel={"type": "fixed", "channelProvider": "p", "channelName": {"equalTo": "orders"}},
        to=initiated({}))}), send_fixed("hi"), receive("ws", 1000), get("/messages", anyOrder=["messageServeEvents"])),
    case("templates: metadata, priority and name of the stub are no model", *add({"id": A, "name": "n", "metadata": {"k": "v"}, **stub(None, "{{metadata.k}}|{{name}}|{{stub.name}}")}),
         *asked("x")),
    templates("the message", "{{message.body}}|{{message}}|{{body}}", "{{message.binary}}|{{message.isBinary}}|{{message.bodyAsString}}",
              "{{message.text}}|{{message.data}}|{{message.type}}", "{{size message.body}}|{{upper message.body}}"),
    templates("of JSON", "{{jsonPath message.body '$.name'}}|{{jsonPath message.body '$.list'}}|{{jsonPath message.body '$.none'}}",
              "{{jsonPath message.body '$.o.k'}}|{{{jsonPath message.body '$.o.k'}}}", "{{#each (jsonPath message.body '$.list') as |x|}}{{x}},{{/each}}",
              "{{#assign 'n'}}{{jsonPath message.body '$.n'}}{{/assign}}{{math n '+' 1}}", "{{message.body}}", "{{{message.body}}}",
              "{{lookup (parseJson message.body) 'name'}}", "{{#parseJson 'j'}}{{{message.body}}}{{/parseJson}}{{j.name}}", message=JSON),
    templates("the request of the upgrade", "{{request.url}}|{{request.path}}|{{request.pathSegments.[1]}}|{{request.method}}",
              "{{request.query.q}}|{{request.query.q.[1]}}|{{request.headers.X-A}}|{{request.headers.x-a}}|{{request.cookies.c}}",
              "{{request.host}}|{{request.port}}|{{request.scheme}}|{{request.baseUrl}}|{{request.clientIp}}", "{{request.body}}|{{request.id}}",
              "{{request}}", "{{request.headers.Sec-WebSocket-Version}}|{{request.headers.Upgrade}}", "{{request.requestLine.path}}"),
    templates("other models", "{{channel.id}}|{{channel.type}}|{{channel}}", "{{originalRequest.url}}|{{response.body}}|{{parameters.a}}|{{stub.id}}",
              "{{this}}", "{{stubMapping.id}}|{{event.id}}|{{channel.initiatingRequest.url}}"),
    templates("helpers", "{{#if message.body}}yes{{/if}}{{#eq message.body 'hi'}}!{{/eq}}", "{{base64 message.body}}|{{trim ' x '}}|{{capitalize 'ab'}}",
              "{{#each (range 1 3) as |i|}}{{i}}{{/each}}", "{{regexExtract message.body '[a-z]'}}", "{{now offset='1 years' format='unknown'}}"[:0] + "{{val 5}}",
              "{{stringFormat '%05d' 7}}"[:0] + "{{join 'a' 'b' ','}}", "{{systemValue key='PATH'}}", "{{urlEncode 'a b'}}|{{sha256 'x'}}"),
    templates("wrong ones", "{{#if}}", "{{unknown 1}}", "{{unknown}}", "{{jsonPath message.body '$.a'}}", "{{jsonPath 5}}", "{{", "{{}}", "a {{message.body"),
    templates("triple braces and escapes", "{{message.body}}|{{{message.body}}}|{{&message.body}}", "\\{{message.body}}", "{{{{raw}}}}{{x}}{{{{/raw}}}}",
              "{{! comment }}x{{!-- more --}}", message="<a href=\"b\">&'</a>"),
    templates("of a binary message", "{{message.body}}|{{base64 message.body}}", "{{message.binary}}", message=b"\xff\x00a"),
    case("templates: what the admin API sends is none", opened(), send_to("/chat", "{{request.url}} {{message.body}}"), receive(),
         send_to("/chat", {"data": {"a": "{{request.url}}"}}), receive()),
    case("templates: nothing of HTTP stubs' switches", *add({"id": A, **stub(None, "{{message.body}}")}), *asked("hi"), flags=["--global-response-templating"]),
    case("templates: none by option", *add({"id": A, **stub(None, "{{message.body}}")}), *asked("hi"), flags=["--disable-response-templating"]),
    case("templates: permitted system keys and a limited cache", *add({"id": A, **stub(None, "{{systemValue key='HOME'}}")}), *asked("hi"),
         flags=["--permitted-system-keys", "NOTHING.*", "--max-template-cache-entries", "1"]),
]

HTTP = [
    case("http-stub: sends when the stub is served", post("/mappings", UPLOAD), opened("a", "/watch"), *add({
        "id": A, "trigger": {"type": "http-stub", "stubId": B}, "actions": [says("{{request.method}} {{request.url}} {{request.body}}",
                                                                              initiated({"urlPath": "/watch"}))]}),
        http("POST", "/fire?x=1", "load"), receive(), http("GET", "/fire"), silence(), get("/messages")),
    case("http-stub: of a stub that is not there, and nothing for message", post("/mappings", UPLOAD), opened(), *add({
        "id": A, "trigger": {"type": "http-stub", "stubId": NONE}, "actions": [says("x", initiated({}))]}), http("POST", "/fire"), silence(),
        send("hi"), silence(), *only({"id": A, "trigger": {"type": "http-stub", "stubId": B}, "actions": [
            says("{{message.body}}|{{message}}|{{request.path}}", initiated({}))]}), http("POST", "/fire"), receive()),
    case("http-request: sends for requests that match, also unmatched ones", post("/mappings", UPLOAD), opened("a", "/watch"), *add({
        "id": A, "trigger": {"type": "http-request", "requestPattern": {"urlPathPattern": "/f.*", "headers": {"X-A": {"equalTo": "1"}}}},
        "actions": [says("{{request.url}}", initiated({"urlPath": "/watch"}))]}),
        http("POST", "/fire", headers={"X-A": "1"}), receive(), http("POST", "/fire"), silence(), http("GET", "/fnone", headers={"X-A": "1"}),
        receive(within=500)),
    case("http-stub: each time, and of a stub with a fault or a delay", post("/mappings", {**UPLOAD, "response": {"fault": "EMPTY_RESPONSE"}}), opened(), *add({
        "id": A, "trigger": {"type": "http-stub", "stubId": B}, "actions": [says("{{request.url}}", initiated({}))]}),
        raw("POST /fire?1 HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n"), receive(), raw("POST /fire?2 HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n"), receive(), silence()),
    case("http-stub: two message stubs for one", post("/mappings", UPLOAD), opened(), *add(*[
        {"id": id, "trigger": {"type": "http-stub", "stubId": B}, "actions": [says(text, initiated({}))]} for id, text in ((A, "first"), (C, "second"))]),
        http("POST", "/fire"), receive(), receive(), silence()),
    case("http-request: all that match act, in which order", post("/mappings", UPLOAD), opened(), *add(*[
        {"id": id, "priority": priority, "trigger": {"type": "http-request", "requestPattern": {"urlPath": "/fire"}},
         "actions": [says(str(priority), initiated({}))]} for id, priority in ((A, 3), (B, 1), (C, 2))]),
        http("POST", "/fire"), receive(), receive(), receive(), silence()),
    case("http-request: an originating target does nothing", post("/mappings", UPLOAD), opened(), *add({
        "id": A, "trigger": {"type": "http-request", "requestPattern": {"urlPath": "/fire"}}, "actions": [says("x"), says("y", initiated({}))]}),
        http("POST", "/fire"), receive(), silence(), get("/messages")),
    case("http-request: models of templates", opened(), *add({"id": A, "trigger": {"type": "http-request", "requestPattern": {"urlPath": "/fire"}}, "actions": [
        says("{{this}}", initiated({})), says("{{request.method}}|{{request.body}}|{{response.status}}|{{originalRequest.url}}", initiated({}))]}),
        http("POST", "/fire", "load"), receive(), receive()),
    case("http-request: a failing template", opened(), *add({"id": A, "trigger": {"type": "http-request", "requestPattern": {"urlPath": "/fire"}}, "actions": [
        says("{{#if}}", initiated({})), says("x", initiated({}))]}), http("POST", "/fire", "load"), receive(within=700)),
    case("http-request: to a fixed channel", post("/mappings", UPLOAD), provider(), fixed("orders"), *add({
        "id": A, "trigger": {"type": "http-request", "requestPattern": {"urlPath": "/fire"}}, "actions": [
            says("x", {"type": "fixed-channel", "providerName": "p", "channelName": "orders"})]}), http("POST", "/fire"), get("/messages")),
    case("http-request: not for admin calls nor upgrades", opened(), *add({
        "id": A, "trigger": {"type": "http-request", "requestPattern": {}}, "actions": [says("{{request.url}}", initiated({}))]}),
        get("/mappings"), silence(), opened("b", "/other"), silence(), http("GET", "/none"), receive(within=500)),
    case("http-request: the response waits for nothing, the message may come before it", post("/mappings", {
        "request": {"urlPath": "/slow"}, "response": {"fixedDelayMilliseconds": 600}}), opened(), *add({
            "id": A, "trigger": {"type": "http-request", "requestPattern": {"urlPath": "/slow"}}, "actions": [says("x", initiated({}))]}),
        http("GET", "/slow"), receive(within=50)),
]

CASES = SENT + TARGETS + TEMPLATES + HTTP
