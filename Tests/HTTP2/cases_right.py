"""Valid HTTP/2 that the server must accept."""

import hpack

from expectations import acknowledged, alive, answered, case, pong, sends
from peer import (CONTINUATION, END_HEADERS, END_STREAM, HAS_PRIORITY, HEADERS, INITIAL_WINDOW_SIZE, PADDED, PREFACE, data, dependency,
                  frame, goaway, ping, priority, rst_stream, settings, window_update, Failed)


def get(peer):
    return peer.request()


def post(peer):
    return peer.post()


# ---- Starting, streams

@case("3.4", "the preface, then SETTINGS", acknowledged)
def _(peer):
    peer.send(PREFACE, settings())


sends("5.1", "PRIORITY on an idle stream", answered(), priority(3), get)
sends("5.1", "WINDOW_UPDATE on a stream that is half closed (remote)", answered(), get, window_update(1, 1))
sends("5.1", "PRIORITY on a stream that is half closed (remote)", answered(), get, priority(1, 0, 255))
sends("5.1", "RST_STREAM on a stream that is half closed (remote)", alive, get, rst_stream(1))


@case("5.1", "PRIORITY, WINDOW_UPDATE and RST_STREAM on a closed stream", answered(3))
def _(peer):
    peer.greet()
    peer.send(get(peer))
    peer.ends()
    peer.send(priority(1), window_update(1, 5), rst_stream(1), peer.request(3))


# ---- Frames

sends("6.1", "DATA", answered(), post, data(1, b"test", END_STREAM))
sends("6.1", "several DATA", answered(), post, data(1, b"test"), data(1, b"test", END_STREAM))
sends("6.1", "DATA with padding", answered(), post, data(1, b"\5test\0\0\0\0\0", END_STREAM | PADDED))
sends("6.1", "DATA without bytes that ends the stream", answered(), post, data(1, b"test"), data(1, b"", END_STREAM))
sends("6.2", "HEADERS", answered(), get)
sends("6.2", "HEADERS with padding", answered(),
      lambda peer: frame(HEADERS, END_STREAM | END_HEADERS | PADDED, 1, b"\6" + peer.block() + bytes(6)))
sends("6.2", "HEADERS with a priority", answered(),
      lambda peer: frame(HEADERS, END_STREAM | END_HEADERS | HAS_PRIORITY, 1, dependency(0, 255) + peer.block()))
sends("6.2", "HEADERS with padding and a priority", answered(), lambda peer: frame(
    HEADERS, END_STREAM | END_HEADERS | PADDED | HAS_PRIORITY, 1, b"\4" + dependency(0, 7) + peer.block() + bytes(4)))
sends("6.3", "PRIORITY with weight 1", answered(), priority(1, 0, 0), get)
sends("6.3", "PRIORITY with weight 256", answered(), priority(1, 0, 255), get)
sends("6.3", "PRIORITY that depends on another stream", answered(), priority(1, 3), get)
sends("6.3", "PRIORITY that is exclusive", answered(), priority(1, 3, 15, True), get)
sends("6.3", "PRIORITY on an idle stream, then HEADERS on a lower one", answered(), priority(5), get)
sends("6.4", "RST_STREAM", answered(3), post, rst_stream(1), lambda peer: peer.request(3))
sends("6.5", "SETTINGS", acknowledged, settings((INITIAL_WINDOW_SIZE, 100)))
sends("6.5.2", "a setting that nobody knows", alive, settings((0xFF, 1)))
sends("6.7", "PING", pong(b"conforms"), ping(b"conforms"))
sends("6.7", "PING that acknowledges, which is not answered", pong(b"the next"), ping(b"an ACK..", 1), ping(b"the next"))
sends("6.8", "GOAWAY, after a request", answered(), get, goaway())
sends("6.9", "WINDOW_UPDATE of the connection", answered(), window_update(0, 1), get)
sends("6.9", "WINDOW_UPDATE of a stream", answered(), post, window_update(1, 1), data(1, b"test", END_STREAM))


def split(count, flags=END_STREAM):
    def made(peer):
        block = peer.block(peer.fields(more=[(f"x-dummy-{number}", "a" * 50) for number in range(10)]))
        step = len(block) // (count + 1)
        parts = [block[index * step:(index + 1) * step] for index in range(count)] + [block[count * step:]]
        frames = [frame(HEADERS, flags, 1, parts[0])] + [frame(CONTINUATION, 0, 1, part) for part in parts[1:-1]]
        return b"".join(frames) + frame(CONTINUATION, END_HEADERS, 1, parts[-1])
    return made


sends("6.10", "CONTINUATION", answered(), split(1))
sends("6.10", "several CONTINUATION", answered(), split(4))
sends("6.10", "HEADERS without bytes, then CONTINUATION", answered(),
      lambda peer: frame(HEADERS, END_STREAM, 1) + frame(CONTINUATION, END_HEADERS, 1, peer.block()))

# ---- Messages

sends("8.1", "GET", answered(), get)
sends("8.1", "HEAD", answered(), lambda peer: peer.request(1, peer.fields("HEAD")))
sends("8.1", "POST", answered(), post, data(1, b"test", END_STREAM))
sends("8.1", "POST with trailers", answered(), post, data(1, b"test"), lambda peer: peer.request(1, [("x-test", "ok")]))
sends("8.1.1", "a content-length that is right", answered(), lambda peer: peer.post(1, [("content-length", "8")]), data(1, b"test"),
      data(1, b"test", END_STREAM))
sends("8.2.2", "TE: trailers", answered(), lambda peer: peer.request(1, peer.fields(more=[("te", "trailers")])))
sends("8.2.3", "cookies in several fields", answered(), lambda peer: peer.request(1, peer.fields(more=[("cookie", "a=b"), ("cookie", "c=d")])))
sends("8.3.1", "host instead of :authority", answered(),
      lambda peer: peer.request(1, peer.fields(without=[":authority"], more=[("host", peer.target.authority)])))


@case("5.1.2", "many streams side by side", None)
def _(peer):
    peer.greet()
    peer.send(*(peer.request(number) for number in range(1, 61, 2)))
    left = set(range(1, 61, 2))
    while left:
        got = peer.until(lambda got: got.stream_id in left)
        if type(got).__name__ == "RstStreamFrame":
            raise Failed(f"a stream of {len(left)} was reset")
        if "END_STREAM" in got.flags:
            left.discard(got.stream_id)


@case("6.9.1", "a window of 1: a byte comes, and the rest when it is opened", None)
def _(peer):
    peer.greet((INITIAL_WINDOW_SIZE, 1))
    peer.send(get(peer))
    got = peer.until(lambda got: type(got).__name__ == "DataFrame")
    if len(got.data) != 1:
        raise Failed(f"{len(got.data)} bytes came")
    peer.send(window_update(1, 1 << 20))
    peer.ends()


@case("6.9.2", "a window of 0, opened by SETTINGS", None)
def _(peer):
    peer.greet((INITIAL_WINDOW_SIZE, 0))
    peer.send(get(peer))
    peer.until(lambda got: hasattr(got, "fields"))
    peer.send(settings((INITIAL_WINDOW_SIZE, 1)))
    got = peer.until(lambda got: type(got).__name__ == "DataFrame")
    if len(got.data) != 1:
        raise Failed(f"{len(got.data)} bytes came")


@case("6.9.2", "a window that SETTINGS make negative stays shut until it is positive again", None)
def _(peer):
    peer.greet((INITIAL_WINDOW_SIZE, 3))
    peer.send(get(peer))
    peer.until(lambda got: type(got).__name__ == "DataFrame")
    peer.send(settings((INITIAL_WINDOW_SIZE, 2)), window_update(1, 2))
    got = peer.until(lambda got: type(got).__name__ == "DataFrame")
    if len(got.data) != 1:
        raise Failed(f"{len(got.data)} bytes came")


@case("6.5.3", "of several values of a setting the last counts", None)
def _(peer):
    peer.greet((INITIAL_WINDOW_SIZE, 100), (INITIAL_WINDOW_SIZE, 1))
    peer.send(get(peer))
    got = peer.until(lambda got: type(got).__name__ == "DataFrame")
    if len(got.data) != 1:
        raise Failed(f"{len(got.data)} bytes came")


# ---- HPACK: the representations of RFC 7541, 6

def text(value, huffman):
    value = value.encode()
    if huffman:
        value = hpack.huffman.HuffmanEncoder(hpack.huffman_constants.REQUEST_CODES, hpack.huffman_constants.REQUEST_CODES_LENGTH).encode(value)
    return bytes([len(value) | (0x80 if huffman else 0)]) + value


def literal(title, first, more):
    def made(peer):
        return frame(HEADERS, END_STREAM | END_HEADERS, 1, peer.block() + bytes(first) + more)
    sends("7541 6.2", title, answered(), made)


sends("7541 6.1", "an indexed field", answered(), lambda peer: frame(HEADERS, END_STREAM | END_HEADERS, 1, peer.block() + b"\x90"))
for kind, indexed, named in (
    ("with indexing", 0x40 | 58, 0x40), ("without indexing", 0x0F, 0x00), ("never indexed", 0x1F, 0x10),
):
    # user-agent is entry 58 of the static table.
    place = [indexed] if indexed & 0x40 else [indexed, 58 - 15]
    for huffman in (False, True):
        coding = ", Huffman" if huffman else ""
        literal(f"a literal {kind}, an indexed name{coding}", place, text("h2", huffman))
        literal(f"a literal {kind}, a new name{coding}", [named], text("x-test", huffman) + text("value", huffman))
sends("7541 6.3", "a table size update", answered(), lambda peer: frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x20" + peer.block()))
sends("7541 6.3", "several table size updates", answered(),
      lambda peer: frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x20\x3f\xe1\x1f" + peer.block()))
