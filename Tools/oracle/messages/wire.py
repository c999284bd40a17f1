"""The upgrade and the frames."""

from messages.shorthand import *  # noqa: F403: steps are written with all of them

ECHO = add({"id": A, **stub(None, "{{message.body}}")})
HEAD = "GET /chat HTTP/1.1\nHost: localhost\n"
WS = "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13\n"


def upgrade(name, *heads, **more):
    return case("upgrade: " + name, *[raw(head + "\n") if "\n" in head else head for head in heads], **more)


def http_stub(**request):
    return post("/mappings", {"request": request, "response": {"status": 200, "body": "http"}})


UPGRADES = [
    case("upgrade: any path", *[opened(f"c{number}", path) for number, path in enumerate(("/", "/a/b/c", "/?q=1", "/%C3%A4", "//", "/a%20b"))],
         get("/channels", anyOrder=["channels"])),
    upgrade("heads that are right", HEAD + WS, HEAD + WS.replace("websocket\n", "WebSocket\n"), HEAD + WS.replace(": Upgrade", ": keep-alive, Upgrade"),
            HEAD + WS.replace(": Upgrade", ": upgrade"), HEAD + WS + "Origin: http://other.example\n", HEAD + WS + "Content-Length: 0\n"),
    upgrade("another version", HEAD + WS.replace("13", "12"), HEAD + WS.replace("13", "8"), HEAD + WS.replace("13", "x"),
            HEAD + WS.replace("Sec-WebSocket-Version: 13\n", ""), HEAD + WS.replace("13", "13, 8")),
    upgrade("wrong keys", HEAD + WS.replace("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n", ""), HEAD + WS.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"),
            HEAD + WS.replace("dGhlIHNhbXBsZSBub25jZQ==", ""), HEAD + WS.replace("dGhlIHNhbXBsZSBub25jZQ==", "!!!!!!!!!!!!!!!!!!!!!!!!")),
    upgrade("Upgrade or Connection missing", HEAD + WS.replace("Upgrade: websocket\n", ""), HEAD + WS.replace("Connection: Upgrade\n", ""),
            HEAD + WS.replace("websocket\n", "h2c\n"), HEAD + WS.replace("websocket\n", "h2c, websocket\n"), HEAD + WS.replace(": Upgrade", ": close")),
    upgrade("other methods", *[(HEAD + WS).replace("GET", method) for method in ("POST", "PUT", "HEAD", "OPTIONS")],
            (HEAD + WS).replace("GET", "POST") + "Content-Length: 0\n"),
    upgrade("HTTP/1.0", (HEAD + WS).replace("HTTP/1.1", "HTTP/1.0")),
    upgrade("with a body", HEAD + WS + "Content-Length: 2\n\nhi"),
    upgrade("the admin API's paths", HEAD.replace("/chat", "/__admin") + WS, HEAD.replace("/chat", "/__admin/") + WS, HEAD.replace("/chat", "/__admin/mappings") + WS,
            HEAD.replace("/chat", "/__admin/none") + WS, HEAD.replace("/chat", "/__adminx") + WS),
    upgrade("absolute targets", HEAD.replace("/chat", "http://localhost/chat") + WS, HEAD.replace("/chat", "*") + WS),
    case("upgrade: an HTTP stub of the same path", http_stub(urlPath="/chat"), opened(), opened("b", "/other"), http("GET", "/chat"), post("/requests/count", {})),
    case("upgrade: an HTTP stub of the same path and message stubs", http_stub(urlPath="/chat"), *ECHO, opened(), opened("b", "/other"), send("hi", "b"), receive("b")),
    case("upgrade: an HTTP stub of any URL", http_stub(), opened()),
    case("upgrade: an HTTP stub of another method, and one that answers 101", http_stub(urlPath="/chat", method="POST"), opened(),
         post("/mappings", {"request": {"urlPath": "/own"}, "response": {"status": 101}})),
    case("upgrade: an HTTP stub with Upgrade's header", post("/mappings", {"request": {"urlPath": "/chat", "headers": {"Upgrade": {"equalTo": "websocket"}}},
                                                                          "response": {"status": 403, "body": "no"}}), opened(), http("GET", "/chat")),
    case("upgrade: an HTTP stub that is a proxy or a fault", post("/mappings", {"request": {"urlPath": "/chat"}, "response": {"fault": "EMPTY_RESPONSE"}}), opened()),
    case("upgrade: sub-protocols", opened("a", headers={"Sec-WebSocket-Protocol": "v1"}), opened("b", headers={"Sec-WebSocket-Protocol": "v1, v2"}),
         opened("c", headers={"Sec-WebSocket-Protocol": ""})),
    case("upgrade: extensions", opened("a", headers={"Sec-WebSocket-Extensions": "permessage-deflate"}),
         opened("b", headers={"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits; server_max_window_bits=10"}),
         opened("c", headers={"Sec-WebSocket-Extensions": "permessage-deflate; server_no_context_takeover; client_no_context_takeover"}),
         opened("d", headers={"Sec-WebSocket-Extensions": "x-other"}), opened("e", headers={"Sec-WebSocket-Extensions": "permessage-deflate; foo=1"})),
    case("upgrade: deflated messages", *ECHO, opened(headers={"Sec-WebSocket-Extensions": "permessage-deflate"}),
         frames([1, b"\xf2H\xcd\xc9\xc9\x07\x00", True, 4]), receive(), send("plain"), receive()),
    case("upgrade: two heads at once, the message right behind", *ECHO, opened(), send("one"), send("two"), receive(), receive()),
    case("upgrade: response headers that settings add", post("/settings", {"fixedDelay": 300}), opened(), post("/settings", {"fixedDelay": None})),
    case("upgrade: answered by a delayed HTTP stub meanwhile", post("/mappings", {"request": {"urlPath": "/slow"}, "response": {"fixedDelayMilliseconds": 500}}), *ECHO, opened(),
         http("GET", "/slow"), send("hi"), receive()),
    case("upgrade: CORS", opened(headers={"Origin": "http://example.org"}), flags=["--enable-stub-cors"]),
]

LIMITS = [
    case("limits: text of 65536 bytes and one more", *ECHO, opened(), send("x" * 65536), receive(), send("x" * 65537), receive(), receive()),
    case("limits: binary of 65536 bytes and one more", *add({"id": A, **stub(None, "got")}), opened(), send(b"x" * 65536), receive(), send(b"x" * 65537), receive(), receive()),
    case("limits: 10485760 bytes and one more", *add({"id": A, **stub(None, "got")}), opened(), send("x" * 10485760), receive(within=8000), send("x" * 10485761), receive(within=8000)),
    case("limits: a frame that says that it is too large", opened(), wire(b"\x82\xff\0\0\0\0\x10\0\0\0\0\0\0\0"), receive(within=1500)),
    case("limits: text by option", *ECHO, opened(), send("x" * 10), receive(), send(b"x" * 20), receive(), send("x" * 11), receive(), get("/channels"),
         flags=["--websocket-max-text-message-size", "10"]),
    case("limits: characters beyond ASCII count as bytes", *ECHO, opened(), send("ä" * 5), receive(), send("ä" * 6), receive(), flags=["--websocket-max-text-message-size", "10"]),
    case("limits: binary by option", *ECHO, opened(), send(b"x" * 10), receive(), send("x" * 20), receive(), send(b"x" * 11), receive(),
         flags=["--websocket-max-binary-message-size", "10"]),
    case("limits: fragments count together", *ECHO, opened(), frames([1, b"x" * 6, False], [0, b"y" * 6]), receive(), flags=["--websocket-max-text-message-size", "10"]),
    case("limits: what is sent is not limited", *add({"id": A, **stub(None, "x" * 50)}), opened(), send("hi"), receive(), flags=["--websocket-max-text-message-size", "10"]),
    case("limits: an idle channel", opened(), receive(within=3000), receive(within=500), pause(500), get("/channels"), flags=["--websocket-idle-timeout", "600"]),
    case("limits: a channel that is used stays", *ECHO, opened(), pause(400), send("a"), receive(), pause(400), send("b"), receive(), pause(400), frames([9, b"p"]),
         receive(), flags=["--websocket-idle-timeout", "800"]),
    case("limits: zero", *ECHO, opened(), send("x" * 70000), receive(within=4000), pause(300), send("a"), receive(),
         flags=["--websocket-max-text-message-size", "0", "--websocket-max-binary-message-size", "0", "--websocket-idle-timeout", "0"]),
]


def broken(name, *steps):
    return case("frames: " + name, *ECHO, opened(), *steps, receive(within=1500), receive(within=500), get("/channels"))


FRAMES = [
    case("frames: fragments with a ping between", *ECHO, opened(), frames([1, b"a", False], [9, b"p"], [0, b"b", False], [0, b"c"]), receive(), receive()),
    case("frames: an empty fragment first, and UTF-8 cut", *ECHO, opened(), frames([1, b"", False], [0, b"\xc3", False], [0, b"\xa4"]), receive()),
    case("frames: fragments of a binary message", *add({"id": A, **stub({"binaryEqualTo": "AAEC"}, "yes")}), opened(), frames([2, b"\0", False], [0, b"\1\2"]), receive()),
    case("frames: pings", opened(), frames([9, b""]), receive(), frames([9, b"x" * 125]), receive(), frames([9, b"\xff\0"]), receive()),
    case("frames: a pong that nobody asked for", *ECHO, opened(), frames([10, b"x"]), send("hi"), receive()),
    case("frames: bytes one by one", *ECHO, opened(), *[wire(bytes([one])) for one in b"\x81\x82\1\2\3\4ik"], receive()),
    case("frames: lengths of more bytes than needed", *ECHO, opened(), wire(b"\x81\xfe\0\2\0\0\0\0hi"), receive()),
    broken("not masked", frames([1, b"hi", True, 0, False])),
    broken("a reserved bit", frames([1, b"hi", True, 4])), broken("another reserved bit", frames([1, b"hi", True, 1])),
    broken("an unknown opcode", frames([3, b"hi"])), broken("an unknown control opcode", frames([11, b"hi"])),
    broken("a continuation of nothing", frames([0, b"hi"])), broken("a text within a text", frames([1, b"a", False], [1, b"b"])),
    broken("a ping of 126 bytes", frames([9, b"x" * 126])), broken("a ping in fragments", frames([9, b"x", False])),
    broken("text that is no UTF-8", frames([1, b"\xff\xfe"])), broken("text that ends inside of a character", frames([1, b"a\xc3"])),
    broken("a surrogate in UTF-8", frames([1, b"\xed\xa0\x80"])), broken("a length with its highest bit", wire(b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0")),
]

CLOSES = [
    *[case(f"closes: {name}", opened(), step, receive(within=1500), receive(within=500), get("/channels")) for name, step in (
        ("1000", close(1000)), ("1000 with a reason", close(1000, "bye")), ("without a code", close()), ("1001", close(1001, "away")), ("3000", close(3000)),
        ("4000 with a reason", close(4000, "mine")), ("4999", close(4999)), ("5000", close(5000)), ("1005", close(1005)), ("1006", close(1006)), ("999", close(999)),
        ("1004", close(1004)), ("1012", close(1012)), ("1015", close(1015)), ("one byte", frames([8, b"\3"])), ("a reason that is no UTF-8", frames([8, b"\3\xe8\xff"])),
        ("a reason of 123 bytes", close(1000, "x" * 123)), ("a reason of 124 bytes", close(1000, "x" * 124)))],
    case("closes: a message after the close", *ECHO, opened(), close(1000), send("hi"), receive(), receive(within=500), post("/messages/count", {})),
    case("closes: inside of a fragmented message", *ECHO, opened(), frames([1, b"a", False]), close(1000), receive(), post("/messages/count", {})),
    case("closes: inside of a frame", opened(), wire(b"\x81\x85\0\0\0\0he"), drop(), pause(300), get("/channels"), get("/messages")),
    case("closes: of one of two", *ECHO, opened(), opened("b"), close(1000), receive(), send("hi", "b"), receive("b")),
]

CASES = UPGRADES + LIMITS + FRAMES + CLOSES
