"""A client that sends any frames, valid or not, and reads the reactions."""

import os
import socket
import ssl
import struct
import time

import hpack
from hyperframe.exceptions import HyperframeError
from hyperframe.frame import Frame, GoAwayFrame, PingFrame, SettingsFrame

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 0x1
END_HEADERS, PADDED, HAS_PRIORITY = 0x4, 0x8, 0x20
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = range(1, 7)


class Failed(Exception):
    """A wrong reaction of the server."""


class Closed(Exception):
    """The server has ended the connection."""


class Silent(Exception):
    """Nothing arrived in time."""


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def data(stream, payload=b"", flags=0):
    return frame(DATA, flags, stream, payload)


def settings(*pairs, flags=0):
    return frame(SETTINGS, flags, 0, b"".join(struct.pack(">HI", name, value) for name, value in pairs))


def window_update(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


def rst_stream(stream, code=8):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def priority(stream, parent=0, weight=15, exclusive=False):
    return frame(PRIORITY, 0, stream, dependency(parent, weight, exclusive))


def dependency(parent, weight=15, exclusive=False):
    return struct.pack(">IB", parent | (exclusive << 31), weight)


def ping(payload=b"pingpong", flags=0, stream=0):
    return frame(PING, flags, stream, payload)


def goaway(last=0, code=0, stream=0):
    return frame(GOAWAY, 0, stream, struct.pack(">II", last, code))


class Target:
    """Where the server is: `https://HOST:PORT/PATH` or `http://HOST:PORT/PATH`."""

    def __init__(self, url, patience):
        scheme, _, rest = url.partition("://")
        authority, slash, path = rest.partition("/")
        self.scheme, self.authority, self.path = scheme, authority, slash + path or "/"
        host, _, port = authority.rpartition(":")
        self.address = (host.strip("[]"), int(port))
        self.patience = patience

    def connect(self):
        plain = socket.create_connection(self.address, timeout=10)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.scheme == "http":
            return plain
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        secure = context.wrap_socket(plain, server_hostname="localhost")
        if secure.selected_alpn_protocol() != "h2":
            raise Failed(f"the server chose {secure.selected_alpn_protocol()} where h2 was offered")
        return secure


class Peer:
    """One connection."""

    def __init__(self, target):
        self.target = target
        self.socket = target.connect()
        self.received = b""
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.settings = {}
        #: The frames received since the last check, for messages.
        self.seen = []

    def close(self):
        self.socket.close()

    # Sending

    def send(self, *frames):
        """Sends frames in one write, so that the server reads them together. Ignores a closed connection."""
        try:
            self.socket.sendall(b"".join(frames))
        except (ConnectionError, ssl.SSLError, TimeoutError):
            pass

    def greet(self, *pairs):
        """The preface, both sides' SETTINGS and their acknowledgements."""
        self.send(PREFACE, settings(*pairs))
        acknowledged = False
        while not (acknowledged and self.settings):
            got = self.next()
            if isinstance(got, SettingsFrame):
                if "ACK" in got.flags:
                    acknowledged = True
                else:
                    self.settings = dict(got.settings) or {0: 0}
                    self.send(settings(flags=ACK))
        self.seen.clear()

    def fields(self, method="GET", more=(), without=(), instead=None):
        """The fields of a request for the target's path."""
        own = [
            (":method", method), (":scheme", self.target.scheme), (":path", self.target.path), (":authority", self.target.authority),
        ]
        own = [(name, (instead or {}).get(name, value)) for name, value in own if name not in without]
        return own + list(more)

    def block(self, fields=None, huffman=True):
        return self.encoder.encode(self.fields() if fields is None else fields, huffman=huffman)

    def request(self, stream=1, fields=None, flags=END_STREAM | END_HEADERS):
        return frame(HEADERS, flags, stream, self.block(fields))

    def post(self, stream=1, more=()):
        """The head of a request with a body."""
        return self.request(stream, self.fields("POST", more), END_HEADERS)

    # Receiving

    def next(self, patience=None):
        """The next frame. Raises `Closed`, or `Silent` after `patience` seconds."""
        until = time.monotonic() + (self.target.patience if patience is None else patience)
        head = self._take(9, until)
        kind, length = Frame.parse_frame_header(memoryview(head))
        body = self._take(length, until)
        try:
            kind.parse_body(memoryview(body))
        except HyperframeError as error:
            raise Failed(f"the server sent a wrong frame: {error!r}") from error
        if type(kind).__name__ in ("HeadersFrame", "ContinuationFrame", "PushPromiseFrame") and "END_HEADERS" in kind.flags:
            kind.fields = [tuple(map(as_text, field)) for field in self.decoder.decode(kind.data)]
        self.seen.append(shown(kind))
        return kind

    def _take(self, count, until):
        while len(self.received) < count:
            left = until - time.monotonic()
            if left <= 0:
                raise Silent
            self.socket.settimeout(left)
            try:
                part = self.socket.recv(65536)
            except (TimeoutError, ssl.SSLWantReadError) as error:
                raise Silent from error
            except (ConnectionError, ssl.SSLError) as error:
                raise Closed from error
            if not part:
                raise Closed
            self.received += part
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def until(self, wanted, patience=None):
        """The first frame for which `wanted` is true. Fails if the server is `Silent` or has `Closed`."""
        end = time.monotonic() + (self.target.patience if patience is None else patience)
        while True:
            try:
                got = self.next(max(0.0, end - time.monotonic()))
            except (Closed, Silent) as error:
                raise Failed(f"{type(error).__name__.lower()}, after {', '.join(self.seen[-6:]) or 'nothing'}") from error
            if wanted(got):
                return got
            if isinstance(got, GoAwayFrame):
                raise Failed(f"{shown(got)} came")

    def ends(self, stream=1):
        """Waits until the server has ended a stream, by END_STREAM or RST_STREAM."""
        return self.until(
            lambda got: got.stream_id == stream and ("END_STREAM" in got.flags or type(got).__name__ == "RstStreamFrame"))

    def is_alive(self):
        """A PING is answered."""
        probe = os.urandom(8)
        self.send(ping(probe))
        self.until(lambda got: isinstance(got, PingFrame) and "ACK" in got.flags and got.opaque_data == probe)


def as_text(value):
    return value if isinstance(value, str) else bytes(value).decode("latin-1")


NAMES = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
    "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
]


def code_name(code):
    return NAMES[code] if code < len(NAMES) else str(code)


def shown(got):
    """A short description of a frame, for messages."""
    name = type(got).__name__.removesuffix("Frame")
    more = [code_name(got.error_code)] if hasattr(got, "error_code") else []
    more += [f"stream {got.stream_id}"] if got.stream_id else []
    more += sorted(got.flags)
    return name + (f"({', '.join(more)})" if more else "")
