"""Floods and other abuse: the server must close the connection or tolerate it, without cost to other connections."""

from expectations import case, over
from peer import (CONTINUATION, END_HEADERS, END_STREAM, HEADERS, INITIAL_WINDOW_SIZE, Closed, Failed, Peer, Silent, data, frame, ping,
                  rst_stream, settings, window_update)


def pour(peer, piece, most, until_silent=False):
    """Sends the same bytes repeatedly until the server closes the connection; fails after `most` bytes."""
    sent, number = 0, 0
    peer.socket.settimeout(5)
    while sent < most:
        made = piece(number)
        number += 1
        sent += len(made)
        try:
            peer.socket.sendall(made)
        except TimeoutError:
            # The server has stopped reading: it waits for us to read.
            return
        except OSError:
            return
    if not until_silent:
        # Data in flight arrives first.
        over(peer)


def others_are_served(peer):
    """Another connection gets its answer at once."""
    other = Peer(peer.target)
    try:
        other.greet()
        other.send(other.request())
        other.ends()
    finally:
        other.close()


def flood(section, title, most, prepare=None):
    def declare(piece):
        @case(section, title, others_are_served)
        def _(peer):
            peer.greet()
            if prepare:
                peer.send(prepare(peer))
            pour(peer, lambda number: piece(peer, number), most)
    return declare


@flood("10.5", "CONTINUATION without bytes and without end", 8 << 20, lambda peer: frame(HEADERS, END_STREAM, 1, peer.block()))
def _(_peer, _number):
    return frame(CONTINUATION, 0, 1) * 1_000


@flood("10.5.1", "a header block without end", 32 << 20, lambda peer: frame(HEADERS, END_STREAM, 1, peer.block()))
def _(_peer, number):
    return frame(CONTINUATION, 0, 1, b"\x00\x07x%06d\x7f\x81\x3e" % (number % 1_000_000) + b"v" * 8_000)


@flood("10.5", "streams that are begun and reset", 16 << 20)
def _(peer, number):
    return b"".join(peer.request(stream) + rst_stream(stream) for stream in range(number * 200 + 1, number * 200 + 201, 2))


@flood("10.5", "PING without end, their answers unread", 64 << 20)
def _(_peer, _number):
    return ping() * 1_000


@flood("10.5", "SETTINGS without end, their acknowledgements unread", 64 << 20)
def _(_peer, _number):
    return settings((INITIAL_WINDOW_SIZE, 65_535)) * 1_000


@flood("10.5", "DATA without bytes and without end", 64 << 20, lambda peer: peer.post())
def _(_peer, _number):
    return data(1) * 1_000


def streams_of(number):
    """A few new streams, since more than a hundred at a time are a different error."""
    return range(number * 64 + 1, number * 64 + 65, 2)


@flood("6.9.1", "windows of streams that overflow, without end", 16 << 20)
def _(peer, number):
    return b"".join(peer.request(stream) + window_update(stream, 0x7FFFFFFF) for stream in streams_of(number))


@flood("8.1.1", "bodies that are shorter than announced, without end", 16 << 20)
def _(peer, number):
    return b"".join(
        peer.post(stream, [("content-length", "3")]) + data(stream, b"x", END_STREAM) for stream in streams_of(number))


@flood("10.5", "streams whose errors make RST_STREAM without end", 16 << 20)
def _(peer, number):
    return b"".join(
        peer.request(stream, peer.fields(), END_HEADERS) + window_update(stream, 0)
        for stream in range(number * 200 + 1, number * 200 + 201, 2))


@case("10.5", "a client that opens no window, and asks all the same", others_are_served)
def _(peer):
    peer.greet((INITIAL_WINDOW_SIZE, 0))
    peer.send(*(peer.request(number) for number in range(1, 199, 2)))
    try:
        for _ in range(100):
            peer.next(0.3)
    except (Closed, Silent):
        pass


@case("10.5", "frames cut off in their midst, and silence", others_are_served)
def _(peer):
    peer.greet()
    peer.send(peer.request()[:20])
    try:
        while True:
            peer.next(0.3)
    except (Closed, Silent):
        pass
