"""A small WebSocket client on a plain socket, for steps that say what is on the wire. Only the standard library is used."""

import os
import socket
import time
import zlib

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
KINDS = {1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"}
KEPT = ("upgrade", "connection", "sec-websocket-accept", "sec-websocket-protocol", "sec-websocket-extensions",
        "sec-websocket-version", "content-type")


def frame(opcode, payload=b"", final=True, reserved=0, mask=True):
    """The bytes of one frame. `reserved` are the bits RSV1 to RSV3 as a number from 0 to 7."""
    head = bytes([(128 if final else 0) | reserved << 4 | opcode])
    size, masked = len(payload), 128 if mask else 0
    if size < 126:
        head += bytes([masked | size])
    elif size < 65536:
        head += bytes([masked | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([masked | 127]) + size.to_bytes(8, "big")
    if not mask:
        return head + payload
    key = os.urandom(4)
    repeated = (key * (size // 4 + 1))[:size]
    return head + key + (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")


def parsed_head(head):
    """The status and the headers that are kept of the head of an answer."""
    lines = head.decode("latin-1").split("\r\n")
    fields = [line.partition(":") for line in lines[1:]]
    status = lines[0].split(" ")[1] if " " in lines[0] else "0"
    return int(status), {name.lower(): value.strip() for name, _, value in fields if name.lower() in KEPT}


class Socket:
    """A connection whose reads end at a time."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=10)
        self.data = b""
        self.ended = False

    def more(self, until):
        """Reads once; false when nothing more comes before the time `until`."""
        left = until - time.monotonic()
        if self.ended or left <= 0:
            return False
        self.socket.settimeout(left)
        try:
            piece = self.socket.recv(65536)
        except TimeoutError:
            return False
        except OSError:
            piece = b""
        self.ended = not piece
        self.data += piece
        return not self.ended

    def take(self, count):
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def head(self, until):
        while b"\r\n\r\n" not in self.data:
            if not self.more(until):
                return None
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        return head

    def answer(self, within=5):
        """The status, kept headers and body of an HTTP answer; without a length the body lasts until 300 ms are silent."""
        until = time.monotonic() + within
        head = self.head(until)
        if head is None:
            return None, {}, b""
        status, headers = parsed_head(head)
        length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        wanted = int(length[0].split(b":")[1]) if length else None
        if status == 101:
            return status, headers, b""
        while wanted is None or len(self.data) < wanted:
            if not self.more(min(until, time.monotonic() + 0.3)):
                break
        return status, headers, self.take(len(self.data))


class Channel(Socket):
    """An open WebSocket, or the answer that refused it."""

    def __init__(self, host, port, path, headers):
        super().__init__(host, port)
        given = {"Host": f"{host}:{port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": KEY,
                 "Sec-WebSocket-Version": "13", **headers}
        lines = [f"GET {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in given.items() if value is not None]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.status, self.headers, self.body = self.answer()
        self.parts = []

    def send(self, data):
        self.socket.sendall(data)

    def frame(self, until):
        """The next frame as final, reserved bits, opcode and payload, or None."""
        while True:
            data = self.data
            if len(data) >= 2:
                start, size = 2, data[1] & 127
                if size > 125:
                    start = 4 if size == 126 else 10
                    size = int.from_bytes(data[2:start], "big") if len(data) >= start else 1 << 60
                if len(data) >= start + size:
                    whole = self.take(start + size)
                    return bool(whole[0] & 128), whole[0] >> 4 & 7, whole[0] & 15, whole[start:]
            if not self.more(until):
                return None

    def receive(self, within):
        """The next message, ping, pong or close within so many seconds: its kind, payload and whether it was deflated. The
        kind is `end` when the connection ended, and `nothing` when nothing came."""
        until = time.monotonic() + within
        while True:
            found = self.frame(until)
            if found is None:
                return ("end" if self.ended else "nothing"), b"", False
            final, reserved, opcode, payload = found
            if opcode >= 8:
                return KINDS.get(opcode, "unknown"), payload, False
            self.parts.append((reserved, opcode, payload))
            if final:
                reserved, opcode, _ = self.parts[0]
                whole, self.parts = b"".join(part[2] for part in self.parts), []
                if reserved == 4:
                    whole = zlib.decompressobj(-15).decompress(whole + b"\0\0\xff\xff")
                return KINDS.get(opcode, "unknown"), whole, reserved == 4

    def shut(self):
        self.socket.close()
