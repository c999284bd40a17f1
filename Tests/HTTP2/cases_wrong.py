"""Invalid HTTP/2, by the sections of RFC 9113, and the required reactions."""

from expectations import (COMPRESSION_ERROR, ENHANCE_YOUR_CALM, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, PROTOCOL_ERROR, REFUSED_STREAM,
                          STREAM_CLOSED, alive, answered, case, connection_error, over, over_or_alive, pong, sends, stream_error, stream_rejected)
from peer import (CONTINUATION, DATA, ENABLE_PUSH, END_HEADERS, END_STREAM, GOAWAY, HAS_PRIORITY, HEADERS, INITIAL_WINDOW_SIZE,
                  MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE, PADDED, PING, PRIORITY, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE, Closed,
                  Failed, Silent, data, dependency, frame, goaway, ping, priority, rst_stream, settings, window_update)
from cases_right import get, post

LARGEST = 0x7FFFFFFF


def open_head(peer):
    """HEADERS without END_HEADERS."""
    return frame(HEADERS, END_STREAM, 1, peer.block())


# ---- 3 and 4: preface and frames

@case("3.4", "an invalid preface", over)
def _(peer):
    peer.send(b"INVALID CONNECTION PREFACE\r\n\r\n")


@case("3.4", "a preface that is followed by PING instead of SETTINGS", over)
def _(peer):
    peer.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ping())


sends("4.1", "a frame of a type that nobody knows", pong(b"pingpong"), frame(0x16, 0, 0, b"whatever"), ping())
sends("4.1", "flags that nobody knows", pong(b"pingpong"), frame(PING, 0x16, 0, b"pingpong"))
sends("4.1", "the reserved bit", pong(b"pingpong"), frame(PING, 0, 0x80000000, b"pingpong"))
sends("4.2", "DATA of 2^14 bytes", answered(), post, data(1, bytes(1 << 14), END_STREAM))


@case("4.2", "DATA above SETTINGS_MAX_FRAME_SIZE", stream_error(FRAME_SIZE_ERROR))
def _(peer):
    peer.greet()
    peer.send(post(peer), data(1, bytes(peer.settings.get(MAX_FRAME_SIZE, 1 << 14) + 1), END_STREAM))


@case("4.2", "HEADERS above SETTINGS_MAX_FRAME_SIZE", connection_error(FRAME_SIZE_ERROR))
def _(peer):
    peer.greet()
    more = peer.settings.get(MAX_FRAME_SIZE, 1 << 14) + 1
    fields = peer.fields(more=[(f"x-dummy-{number}", "\x7f" * 1024) for number in range(more // 1024 + 1)])
    peer.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, peer.block(fields, huffman=False)))


sends("4.3", "a header block that cannot be read", connection_error(COMPRESSION_ERROR),
      frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff"))
sends("4.3", "PRIORITY inside a header block", connection_error(PROTOCOL_ERROR), open_head, priority(1))
sends("4.3", "HEADERS of another stream inside a header block", connection_error(PROTOCOL_ERROR), open_head, lambda peer: peer.request(3))

# ---- 5: streams

sends("5.1", "DATA on an idle stream", connection_error(PROTOCOL_ERROR), data(1, b"test", END_STREAM))
sends("5.1", "RST_STREAM on an idle stream", connection_error(PROTOCOL_ERROR), rst_stream(1))
sends("5.1", "WINDOW_UPDATE on an idle stream", connection_error(PROTOCOL_ERROR), window_update(1, 100))
sends("5.1", "CONTINUATION on an idle stream", connection_error(PROTOCOL_ERROR),
      lambda peer: frame(CONTINUATION, END_HEADERS, 1, peer.block()))
sends("5.1", "DATA on a stream that is half closed (remote)", stream_error(STREAM_CLOSED), get, data(1, b"test", END_STREAM))
sends("5.1", "HEADERS on a stream that is half closed (remote)", stream_error(STREAM_CLOSED), get, get)
sends("5.1", "CONTINUATION on a stream that is half closed (remote)", connection_error(STREAM_CLOSED, PROTOCOL_ERROR), get,
      lambda peer: frame(CONTINUATION, END_HEADERS, 1, peer.block()))


def after_reset(title, made, codes):
    sends("5.1", f"{title} after RST_STREAM", stream_error(*codes), post, rst_stream(1), made)


after_reset("DATA", data(1, b"test", END_STREAM), (STREAM_CLOSED,))
after_reset("HEADERS", get, (STREAM_CLOSED,))
after_reset("CONTINUATION", lambda peer: frame(CONTINUATION, END_HEADERS, 1, peer.block()), (STREAM_CLOSED, PROTOCOL_ERROR))


def after_end(title, made, codes):
    @case("5.1", f"{title} on a closed stream", stream_error(*codes))
    def _(peer):
        peer.greet()
        peer.send(get(peer))
        peer.ends()
        peer.send(made(peer))


after_end("DATA", lambda _: data(1, b"test", END_STREAM), (STREAM_CLOSED,))
after_end("HEADERS", get, (STREAM_CLOSED,))
after_end("CONTINUATION", lambda peer: frame(CONTINUATION, END_HEADERS, 1, peer.block()), (STREAM_CLOSED, PROTOCOL_ERROR))

sends("5.1.1", "a stream with an even number", connection_error(PROTOCOL_ERROR), lambda peer: peer.request(2))
sends("5.1.1", "a stream with a number below an earlier one", connection_error(PROTOCOL_ERROR, STREAM_CLOSED),
      lambda peer: peer.request(5), lambda peer: peer.request(3))


@case("5.1.2", "more streams than SETTINGS_MAX_CONCURRENT_STREAMS", stream_error(PROTOCOL_ERROR, REFUSED_STREAM))
def _(peer):
    peer.greet()
    most = peer.settings.get(MAX_CONCURRENT_STREAMS)
    if most is None:
        raise Failed("the server announces no SETTINGS_MAX_CONCURRENT_STREAMS")
    # Requests with incomplete bodies stay open.
    peer.send(*(peer.post(number * 2 + 1) for number in range(most + 1)))


sends("5.3.1", "HEADERS that depend on themselves", stream_error(PROTOCOL_ERROR),
      lambda peer: frame(HEADERS, END_STREAM | END_HEADERS | HAS_PRIORITY, 1, dependency(1) + peer.block()))
sends("5.3.1", "PRIORITY that depends on itself", stream_error(PROTOCOL_ERROR), priority(2, 2))
sends("5.4.1", "a wrong PING ends the connection", over, frame(PING, 0, 3, bytes(8)))


@case("5.4.1", "a wrong PING is told by GOAWAY, and then the connection ends", None)
def _(peer):
    peer.greet()
    peer.send(frame(PING, 0, 3, bytes(8)))
    peer.until(lambda got: type(got).__name__ == "GoAwayFrame")
    try:
        while True:
            peer.next()
    except Closed:
        return
    except Silent:
        raise Failed("the connection stays open after GOAWAY") from None


sends("5.5", "a frame of an extension that nobody knows", alive, frame(0xFF, 0, 0, bytes(8)))
sends("5.5", "a frame of an extension inside a header block", connection_error(PROTOCOL_ERROR), open_head, frame(0xFF, 0, 0, bytes(8)))

# ---- 6: frames

sends("6.1", "DATA on stream 0", connection_error(PROTOCOL_ERROR), data(0, b"test", END_STREAM))
sends("6.1", "DATA on a stream that is not open", stream_error(STREAM_CLOSED), get, data(1, b"test", END_STREAM))
sends("6.1", "DATA with too much padding", connection_error(PROTOCOL_ERROR), post, frame(DATA, END_STREAM | PADDED, 1, b"\x06test\0"))
sends("6.1", "DATA with padding and no length of it", connection_error(PROTOCOL_ERROR, FRAME_SIZE_ERROR), post,
      frame(DATA, END_STREAM | PADDED, 1, b""))
sends("6.2", "PRIORITY after HEADERS without END_HEADERS", connection_error(PROTOCOL_ERROR), open_head, priority(1))
sends("6.2", "HEADERS of another stream after HEADERS without END_HEADERS", connection_error(PROTOCOL_ERROR), open_head,
      lambda peer: peer.request(3))
sends("6.2", "HEADERS on stream 0", connection_error(PROTOCOL_ERROR), lambda peer: peer.request(0))
sends("6.2", "HEADERS with too much padding", connection_error(PROTOCOL_ERROR), lambda peer: padded_head(peer.block()))
sends("6.2", "HEADERS with a priority that is cut off", connection_error(FRAME_SIZE_ERROR, PROTOCOL_ERROR),
      frame(HEADERS, END_STREAM | END_HEADERS | HAS_PRIORITY, 1, b"\0\0\0"))


def padded_head(block):
    return frame(HEADERS, END_STREAM | END_HEADERS | PADDED, 1, bytes([len(block) + 1]) + block)


sends("6.3", "PRIORITY on stream 0", connection_error(PROTOCOL_ERROR), priority(0, 1))
sends("6.3", "PRIORITY whose length is not 5", stream_error(FRAME_SIZE_ERROR), get, frame(PRIORITY, 0, 1, b"\x80\0\0\1"))
sends("6.4", "RST_STREAM on stream 0", connection_error(PROTOCOL_ERROR), rst_stream(0))
sends("6.4", "RST_STREAM on an idle stream", connection_error(PROTOCOL_ERROR), rst_stream(1))
sends("6.4", "RST_STREAM whose length is not 4", connection_error(FRAME_SIZE_ERROR), post, frame(RST_STREAM, 0, 1, b"\0\0\0"))
sends("6.5", "SETTINGS that acknowledge, with bytes", connection_error(FRAME_SIZE_ERROR), frame(SETTINGS, 1, 0, b"\0"))
sends("6.5", "SETTINGS on a stream", connection_error(PROTOCOL_ERROR), frame(SETTINGS, 0, 1, b"\0\3\0\0\0\x64"))
sends("6.5", "SETTINGS whose length is no multiple of 6", connection_error(FRAME_SIZE_ERROR), frame(SETTINGS, 0, 0, b"\0\3\0"))
sends("6.5.2", "SETTINGS_ENABLE_PUSH that is neither 0 nor 1", connection_error(PROTOCOL_ERROR), settings((ENABLE_PUSH, 2)))
sends("6.5.2", "SETTINGS_INITIAL_WINDOW_SIZE above 2^31-1", connection_error(FLOW_CONTROL_ERROR), settings((INITIAL_WINDOW_SIZE, 1 << 31)))
sends("6.5.2", "SETTINGS_MAX_FRAME_SIZE below 2^14", connection_error(PROTOCOL_ERROR), settings((MAX_FRAME_SIZE, (1 << 14) - 1)))
sends("6.5.2", "SETTINGS_MAX_FRAME_SIZE above 2^24-1", connection_error(PROTOCOL_ERROR), settings((MAX_FRAME_SIZE, 1 << 24)))
sends("6.5.3", "SETTINGS are acknowledged", lambda peer: peer.until(
    lambda got: type(got).__name__ == "SettingsFrame" and "ACK" in got.flags), settings((INITIAL_WINDOW_SIZE, 100)))
sends("6.6", "PUSH_PROMISE", connection_error(PROTOCOL_ERROR), post,
      lambda peer: frame(PUSH_PROMISE, END_HEADERS, 1, b"\0\0\0\2" + peer.block()))
sends("6.7", "PING on a stream", connection_error(PROTOCOL_ERROR), frame(PING, 0, 1, bytes(8)))
sends("6.7", "PING whose length is not 8", connection_error(FRAME_SIZE_ERROR), frame(PING, 0, 0, bytes(6)))
sends("6.8", "GOAWAY on a stream", connection_error(PROTOCOL_ERROR), goaway(0, 0, 1))
sends("6.8", "GOAWAY that is too short", connection_error(FRAME_SIZE_ERROR), frame(GOAWAY, 0, 0, bytes(7)))
sends("6.9", "WINDOW_UPDATE of 0", connection_error(PROTOCOL_ERROR), window_update(0, 0))
sends("6.9", "WINDOW_UPDATE of 0 on a stream", stream_error(PROTOCOL_ERROR), post, window_update(1, 0))
sends("6.9", "WINDOW_UPDATE whose length is not 4", connection_error(FRAME_SIZE_ERROR), frame(WINDOW_UPDATE, 0, 0, b"\0\0\1"))
sends("6.9.1", "WINDOW_UPDATE beyond 2^31-1", connection_error(FLOW_CONTROL_ERROR), window_update(0, LARGEST), window_update(0, LARGEST))
sends("6.9.1", "WINDOW_UPDATE beyond 2^31-1 on a stream", stream_error(FLOW_CONTROL_ERROR), post, window_update(1, LARGEST),
      window_update(1, LARGEST))
# The RFC demands a connection error; nghttp2 resets the stream, and h2spec has no case.
sends("6.9.2", "SETTINGS_INITIAL_WINDOW_SIZE that overflows a stream's window", stream_error(FLOW_CONTROL_ERROR), post,
      window_update(1, LARGEST - 65_535), settings((INITIAL_WINDOW_SIZE, 65_536)))
sends("6.9.2", "SETTINGS_INITIAL_WINDOW_SIZE above 2^31-1 while a stream is open", connection_error(FLOW_CONTROL_ERROR), post,
      settings((INITIAL_WINDOW_SIZE, 1 << 31)))
sends("6.10", "PING among CONTINUATION", connection_error(PROTOCOL_ERROR), open_head, ping())
sends("6.10", "DATA after CONTINUATION without END_HEADERS", connection_error(PROTOCOL_ERROR), open_head,
      frame(CONTINUATION, 0, 1), data(1, b"test", END_STREAM))
sends("6.10", "CONTINUATION on stream 0", connection_error(PROTOCOL_ERROR), open_head, frame(CONTINUATION, END_HEADERS, 0))
sends("6.10", "CONTINUATION on another stream", connection_error(PROTOCOL_ERROR), open_head, frame(CONTINUATION, END_HEADERS, 3))
sends("6.10", "CONTINUATION after HEADERS with END_HEADERS", connection_error(PROTOCOL_ERROR, STREAM_CLOSED), get,
      frame(CONTINUATION, END_HEADERS, 1))
sends("6.10", "CONTINUATION after CONTINUATION with END_HEADERS", connection_error(PROTOCOL_ERROR, STREAM_CLOSED), open_head,
      frame(CONTINUATION, END_HEADERS, 1), frame(CONTINUATION, END_HEADERS, 1))
sends("6.10", "CONTINUATION after DATA", connection_error(PROTOCOL_ERROR), post, data(1, b"test"), frame(CONTINUATION, END_HEADERS, 1))

# ---- 7: codes

sends("7", "GOAWAY with a code that nobody knows", over_or_alive, goaway(0, 0xFF))
sends("7", "RST_STREAM with a code that nobody knows", answered(3), post, rst_stream(1, 0xFF), lambda peer: peer.request(3))

# ---- 8: messages

MALFORMED = stream_rejected(PROTOCOL_ERROR)
sends("8.1", "a second HEADERS without END_STREAM", stream_error(PROTOCOL_ERROR), post, post)


def malformed(section, title, **fields):
    def made(peer):
        all_fields = peer.fields(fields.get("method", "GET"), fields.get("more", ()), fields.get("without", ()), fields.get("instead"))
        return peer.request(1, list(fields.get("first", ())) + all_fields)
    sends(section, title, MALFORMED, made)


malformed("8.2", "a name with a capital letter", more=[("X-TEST", "ok")])
malformed("8.2.1", "a name with a space", more=[("x test", "ok")])
malformed("8.2.1", "a value with a line feed", more=[("x-test", "a\nb")])
malformed("8.2.1", "a value with a NUL", more=[("x-test", "a\0b")])
malformed("8.2.1", "a name that is empty", more=[("", "ok")])
malformed("8.3", "a pseudo-header that nobody knows", first=[(":test", "ok")])
malformed("8.3", "the pseudo-header of an answer", more=[(":status", "200")])
malformed("8.3", "a pseudo-header after a field", first=[("x-test", "ok")])
sends("8.1", "a pseudo-header in trailers", MALFORMED, post, data(1, b"test"), lambda peer: peer.request(1, [(":method", "POST")]))
for name, value in (("connection", "keep-alive"), ("proxy-connection", "keep-alive"), ("keep-alive", "timeout=5"),
                    ("transfer-encoding", "chunked"), ("upgrade", "h2c"), ("te", "trailers, deflate")):
    malformed("8.2.2", f"{name}: {value}", more=[(name, value)])
malformed("8.3.1", ":path that is empty", instead={":path": ""})
for name in (":method", ":scheme", ":path"):
    malformed("8.3.1", f"no {name}", without=[name])
malformed("8.3.1", ":method twice", first=[(":method", "GET")])
malformed("8.3.1", ":scheme twice", first=[(":scheme", "http")])
malformed("8.3.1", ":path twice", first=[(":path", "/")])
malformed("8.3.1", ":authority twice", first=[(":authority", "localhost")])
sends("8.1.1", "a content-length that DATA does not have", MALFORMED, lambda peer: peer.post(1, [("content-length", "1")]),
      data(1, b"test", END_STREAM))
sends("8.1.1", "a content-length that several DATA do not have", MALFORMED, lambda peer: peer.post(1, [("content-length", "1")]),
      data(1, b"test"), data(1, b"test", END_STREAM))
sends("8.1.1", "a content-length, and no DATA", MALFORMED,
      lambda peer: peer.request(1, peer.fields("POST", [("content-length", "4")])))
sends("8.4", "PUSH_PROMISE of a client", connection_error(PROTOCOL_ERROR), get,
      lambda peer: frame(PUSH_PROMISE, END_HEADERS, 1, b"\0\0\0\2" + peer.block()))

# ---- HPACK

WRONG_BLOCK = connection_error(COMPRESSION_ERROR)


def block(section, title, tail, first=b""):
    sends(f"7541 {section}", title, WRONG_BLOCK,
          lambda peer: frame(HEADERS, END_STREAM | END_HEADERS, 1, first + peer.block() + tail))


block("2.3.3", "an index that no table has", b"\xff\x80\x01")
block("2.3.3", "a literal whose name has an index that no table has", b"\x7f\x81\x01\x05value")
block("4.2", "a table size update at the end of a block", b"\x3f\xe1\x1f")
block("5.1", "an integer without end", b"\xff" + b"\xff" * 12)
block("5.2", "a Huffman text padded by more than 7 bits", b"\x00\x85\xf2\xb2\x4a\x84\xff\x84\x49\x50\x9f\xff")
block("5.2", "a Huffman text padded by zeros", b"\x00\x85\xf2\xb2\x4a\x84\xff\x83\x49\x50\x90")
block("5.2", "a Huffman text with EOS", b"\x00\x85\xf2\xb2\x4a\x84\xff\x87\x49\x51\xff\xff\xff\xfa\x7f")
block("5.2", "a text that is longer than its block", b"\x40\x06x-test\x7f\x00v")
block("6.1", "index 0", b"\x80")
block("6.3", "a table size update above SETTINGS_HEADER_TABLE_SIZE", b"", b"\x3f\xe1\xff\x7f")
