"""TLS and HTTP/2 clients of the soak, without a library: requests are literal header fields, and only the status of an answer is read."""

import json
import socket
import ssl
import struct
import time

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#: No dynamic table, so that statuses are literals or static entries; a window larger than any file.
SETTINGS_HERE = struct.pack(">HIHI", 1, 0, 4, 1 << 20)
#: The statuses in the static table.
STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
#: The maximum number of streams on a connection that breaks off: it is unknown which of them are counted.
FEW = 10


def context():
    """A context that trusts every certificate, as the daemon creates its authority at the start."""
    made = ssl.create_default_context()
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    return made


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A literal header field without indexing."""
    def text(word):
        data = word.encode("ascii")
        return (bytes([len(data)]) if len(data) < 127 else bytes([127, len(data) - 127])) + data
    return b"\x00" + text(name) + text(value)


class Streams:
    """An HTTP/2 connection."""

    def __init__(self, peer, is_upgraded=False):
        self.peer, self.received, self.last = peer, b"", 1 if is_upgraded else -1
        self.peer.sendall(PREFACE + frame(SETTINGS, payload=SETTINGS_HERE) + frame(WINDOW_UPDATE, payload=struct.pack(">I", 1 << 24)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.peer.close()

    def request(self, method, path, fields=(), body=b""):
        """Returns the bytes of a request on a new stream, and the stream's id."""
        self.last += 2
        own = {":method": method, ":scheme": "http", ":path": path, ":authority": "localhost"} | dict(fields)
        block = b"".join(literal(name.lower(), value) for name, value in own.items())
        frames = frame(HEADERS, END_HEADERS | (0 if body else END_STREAM), self.last, block)
        for at in range(0, len(body), 16_384):
            part = body[at:at + 16_384]
            frames += frame(DATA, END_STREAM if at + 16_384 >= len(body) else 0, self.last, part)
        return frames, self.last

    def next(self):
        """The next frame: type, flags, stream and payload; None at the end of the connection.
        Acknowledges SETTINGS, and grants as much window as DATA used."""
        head = self._take(9)
        if head is None:
            return None
        payload = self._take(int.from_bytes(head[:3], "big"))
        if payload is None:
            return None
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        if kind == SETTINGS and not flags & ACK:
            self.peer.sendall(frame(SETTINGS, ACK))
        if kind == DATA and payload:
            more = struct.pack(">I", len(payload))
            self.peer.sendall(frame(WINDOW_UPDATE, 0, 0, more) + (b"" if flags & END_STREAM else frame(WINDOW_UPDATE, 0, stream, more)))
        return kind, flags, stream, payload

    def _take(self, count):
        while len(self.received) < count:
            part = self.peer.recv(1 << 16)
            if not part:
                return None
            self.received += part
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def answers(self, wanted):
        """The statuses of these streams once all have ended; -1 for a reset one. Fewer if the connection ends."""
        statuses, left = {}, set(wanted)
        while left:
            got = self.next()
            if got is None:
                break
            kind, flags, stream, payload = got
            if kind == HEADERS and stream not in statuses:
                status = payload.lstrip(bytes(range(0x20, 0x40)))[:1]
                statuses[stream] = STATUSES.get(status[0] if status else 0, 0)
            if kind == RST_STREAM:
                statuses[stream] = -1
            if kind == RST_STREAM or kind in (HEADERS, DATA) and flags & END_STREAM:
                left.discard(stream)
        return statuses


class SecurePlays:
    """Plays of a `Client` that also uses the daemon's HTTPS port."""

    def dial(self, timeout=60, is_secure=None, port=None, alpn=None):
        """Opens a connection, over TLS if the client is secure."""
        is_secure = self.is_secure if is_secure is None else is_secure
        port = port or (self.secure_port if is_secure else self.port)
        peer = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        if not is_secure:
            return peer
        made = context()
        made.set_alpn_protocols(alpn or ["http/1.1"])
        try:
            return made.wrap_socket(peer, server_hostname="localhost")
        except BaseException:
            peer.close()
            raise

    def open_streams(self, is_secure=None):
        return Streams(self.dial(is_secure=is_secure, alpn=["h2"]))

    def streams(self):
        """Sends concurrent requests."""
        with self.guarded(), self.open_streams() as connection:
            for _ in range(self.random.randrange(1, 4)):
                kinds = [self.random.choice((("GET", "/plain"), ("GET", "/file"), ("GET", "/slow"), ("GET", "/none"), ("POST", "/upload")))
                         for _ in range(self.random.randrange(1, 12))]
                frames, wanted = b"", {}
                for method, path in kinds:
                    # The first window takes all bodies.
                    body = b"x" * self.random.randrange(1, 5_000) if method == "POST" else b""
                    more, stream = connection.request(method, path, (), body)
                    frames, wanted[stream] = frames + more, {"/none": 404, "/upload": 204}.get(path, 200)
                connection.peer.sendall(frames)
                self.compare(connection.answers(wanted), wanted)

    def compare(self, statuses, wanted):
        if statuses != wanted and self.memory_is_full.is_set():
            self.tally["cut"] += 1
            raise OSError("memory is full")
        if statuses != wanted:
            raise self.failure(f"HTTP/2: {statuses} came where {wanted} was expected")
        self.tally["answered"] += len(wanted)
        self.tally["requests"] += len(wanted)

    def upgrade(self):
        """An HTTP/1.1 upgrade request, answered in HTTP/2."""
        with self.guarded(), self.dial(is_secure=False) as peer:
            # The settings of `SETTINGS_HERE`.
            peer.sendall(b"GET /plain HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                         b"HTTP2-Settings: AAEAAAAAAAQAEAAA\r\n\r\n")
            head = b""
            while b"\r\n\r\n" not in head:
                head += (part := peer.recv(1)) or self.fail_if(not part, "no answer to an upgrade")
            self.fail_if(not head.startswith(b"HTTP/1.1 101"), f"{head[:60]!r} to an upgrade")
            connection = Streams(peer, is_upgraded=True)
            more, stream = connection.request("GET", "/plain")
            peer.sendall(more)
            self.compare(connection.answers({1, stream}), {1: 200, stream: 200})

    def fail_if(self, condition, text):
        if condition:
            raise self.failure(text)
        return b""

    def breaks(self):
        """Opens streams, resets some, and disconnects, or floods until the daemon closes the connection."""
        self.tally["cut"] += 1
        with self.guarded(), self.open_streams() as connection:
            requests = b"".join(connection.request("GET", self.random.choice(("/slow", "/file", "/plain")))[0] for _ in range(FEW))
            resets = b"".join(frame(RST_STREAM, 0, stream, struct.pack(">I", 8)) for stream in range(1, FEW, 2))
            connection.peer.sendall(requests + resets)
            flood = self.random.choice((
                b"", frame(PING, payload=b"pingpong"), frame(SETTINGS, payload=SETTINGS_HERE), frame(WINDOW_UPDATE, 0, 0, bytes(4)),
                frame(HEADERS, 0, 2 * FEW + 1, literal(":method", "GET")) + frame(CONTINUATION, 0, 2 * FEW + 1) * 100, frame(DATA, 0, 0, b"x"),
            ))
            connection.peer.settimeout(5)
            try:
                for _ in range(200 if flood else 0):
                    connection.peer.sendall(flood * 100)
            except (OSError, TimeoutError):
                pass

    def broken_handshakes(self):
        """Half a ClientHello, none, and plain HTTP on the HTTPS port."""
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32)
        for data in (hello[: self.random.randrange(len(hello))], b"\x16\x03\x01\xff\xff" + b"x" * 300, b"SSH-2.0-x\r\n"):
            with self.dial(is_secure=False, port=self.secure_port) as peer:
                peer.sendall(data)

    def faults(self):
        """TLS faults on a session's port, and HTTP/2 faults in the session."""
        with self.guarded():
            live = json.loads(self.ask("POST", "/__admin/sessions", {"name": "soak", "httpsPort": 0}, expected=(201,)))
            mine = {"X-StuntDouble-Session": live["id"]}
            try:
                self.tls_faults(live, mine)
                self.stream_faults(mine)
            finally:
                self.insist("DELETE", f"/__admin/sessions/{live['id']}")

    def tls_faults(self, live, mine):
        name = self.random.choice(("expired", "selfSigned", "wrongHost", "oldVersion", "reset", "garbage", "stall", "untrustedAuthority"))
        self.ask("POST", "/__admin/faults", {"tls": name}, mine, (201,))
        for _ in range(3):
            try:
                # Only a stalled handshake times out.
                self.dial(0.2 if name == "stall" else 20, True, live["httpsPort"]).close()
                self.fail_if(name in ("oldVersion", "reset", "garbage", "stall"), f"a handshake with {name} succeeded")
            except (OSError, TimeoutError):
                self.fail_if(name in ("expired", "selfSigned", "wrongHost") and not self.memory_is_full.is_set(), f"{name} broke a handshake")

    def stream_faults(self, mine):
        ends = [{"resetStream": "INTERNAL_ERROR"}, {"resetStream": 11}, {"goAway": "NO_ERROR"}, "cut", "garbage", "fin", "rst", "hang"]
        for end in self.random.sample(ends, 3):
            stub = {"request": {"url": "/broken"}, "response": {"body": "0123456789", "fault": {"cutAfter": 4, "then": end}}}
            self.ask("POST", "/__admin/mappings", stub, mine, (201,))
            with self.open_streams() as connection:
                connection.peer.settimeout(0.3 if end == "hang" else 30)
                more, stream = connection.request("GET", "/broken", mine.items())
                connection.peer.sendall(more)
                try:
                    # The first part arrives, the end does not.
                    statuses = connection.answers({stream})
                    self.fail_if(end == "hang" and not self.memory_is_full.is_set(), f"{statuses} in place of silence")
                except (OSError, TimeoutError):
                    pass

    def guarded(self):
        return Guard(self)


class Guard:
    """Ignores errors while the memory is full."""

    def __init__(self, client):
        self.client = client
        self.was_full = client.memory_is_full.is_set()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind and issubclass(kind, OSError) and (self.was_full or self.client.memory_is_full.is_set()):
            # Other clients still use the memory for a while.
            time.sleep(0.05)
            raise self.client.full from error
        return False
