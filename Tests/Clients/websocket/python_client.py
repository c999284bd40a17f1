"""One of Python's WebSocket clients against the checks; prints what it reports for each as JSON.

    python_client.py websockets|websocket-client|aiohttp|pycurl SECONDS AUTHORITY|-    with the addresses on standard input
"""

# pylint: disable=import-outside-toplevel  # one of them is there

import json
import ssl
import struct
import sys
import time

LIBRARY, PATIENCE, AUTHORITY = sys.argv[1], float(sys.argv[2]), sys.argv[3]
ADDRESSES = json.load(sys.stdin)
LONG = 1 << 20
BYTES = bytes(range(256))
CLOSED = (1000, "Closed by server")


def verdict(found, wanted):
    if found == wanted:
        return "ok"
    text = repr(found)
    return text if len(text) < 60 else text[:60] + "…"


def context():
    return ssl.create_default_context(cafile=AUTHORITY) if AUTHORITY != "-" else None


def checked(checks):
    """What each check says, or how it fails."""
    said = {}
    for name, check in checks.items():
        try:
            said[name] = check()
        except Exception as error:  # pylint: disable=broad-exception-caught
            said[name] = f"{type(error).__name__}: {error}"
    return said


def websockets():
    from websockets.exceptions import ConnectionClosed, InvalidStatus
    from websockets.sync.client import connect

    def opened(path="echo", **options):
        secure = {"ssl": context()} if ADDRESSES["base"].startswith("wss:") else {}
        # One thread of this client reads while another writes, for which TLS in CPython 3.11 is not made: once in some
        # hundred times the request never reaches the socket.
        for is_last in (False, False, True):
            try:
                return connect(ADDRESSES["base"] + "/" + path, open_timeout=PATIENCE, max_size=None, **secure, **options)
            except TimeoutError:
                if is_last or not secure:
                    raise

    def echoed(sent, **options):
        with opened(**options) as socket:
            socket.send(sent)
            return socket.recv(PATIENCE)

    def pinged():
        with opened() as socket:
            return "ok" if socket.ping(b"there?").wait(PATIENCE) else "no pong"

    def compressed():
        with opened() as socket:
            names = [extension.name for extension in socket.protocol.extensions]
            socket.send("x" * LONG)
            return verdict((names, socket.recv(PATIENCE)), (["permessage-deflate"], "x" * LONG))

    def closed_by_server():
        with opened() as socket:
            socket.send("close me")
            try:
                return verdict(socket.recv(PATIENCE), None)
            except ConnectionClosed as error:
                return verdict((error.rcvd.code, error.rcvd.reason), CLOSED)

    def closed():
        with opened() as socket:
            socket.close(4001, "done")
            return verdict((socket.close_code, socket.protocol.close_rcvd.code), (4001, 4001))

    def chosen():
        with opened("spoken", subprotocols=["v1.chat", "v2.chat"]) as socket:
            return verdict(socket.subprotocol, "v2.chat")

    def refused():
        try:
            with opened("refused"):
                return "opened"
        except InvalidStatus as error:
            return verdict(error.response.status_code, 403)

    return {
        "a text": lambda: verdict(echoed("héllo"), "héllo"),
        "an empty text": lambda: verdict(echoed(""), ""),
        "a binary message": lambda: verdict(echoed(BYTES), BYTES[::-1]),
        "1 MiB of text": lambda: verdict(echoed("x" * LONG, compression=None), "x" * LONG),
        "1 MiB of bytes": lambda: verdict(echoed(BYTES * 4096, compression=None), BYTES[::-1] * 4096),
        "sent in fragments": lambda: verdict(echoed(iter(["x" * 1000] * 100), compression=None), "x" * 100_000),
        "a ping is answered": pinged,
        "permessage-deflate": compressed,
        "the server closes": closed_by_server,
        "the client closes": closed,
        "a sub-protocol": chosen,
        "a refusal by 403": refused,
    }


def websocket_client():
    import websocket
    from websocket import ABNF

    def opened(path="echo", **options):
        secure = {"sslopt": {"ca_certs": AUTHORITY}} if ADDRESSES["base"].startswith("wss:") else {}
        return websocket.create_connection(ADDRESSES["base"] + "/" + path, timeout=PATIENCE, **secure, **options)

    def echoed(sent):
        socket = opened()
        (socket.send if isinstance(sent, str) else socket.send_binary)(sent)
        return socket.recv()

    def parted():
        socket = opened()
        for part in range(100):
            opcode = ABNF.OPCODE_CONT if part else ABNF.OPCODE_TEXT
            socket.send_frame(ABNF.create_frame("x" * 1000, opcode, int(part == 99)))
        return verdict(socket.recv(), "x" * 100_000)

    def pinged():
        socket = opened()
        socket.ping("there?")
        opcode, frame = socket.recv_data_frame(control_frame=True)
        return verdict((opcode, frame.data), (ABNF.OPCODE_PONG, b"there?"))

    def end(socket):
        opcode, frame = socket.recv_data_frame(control_frame=True)
        return (struct.unpack("!H", frame.data[:2])[0], frame.data[2:].decode()) if opcode == ABNF.OPCODE_CLOSE else opcode

    def closed_by_server():
        socket = opened()
        socket.send("close me")
        return verdict(end(socket), CLOSED)

    def closed():
        socket = opened()
        socket.send(struct.pack("!H", 4001) + b"done", ABNF.OPCODE_CLOSE)
        return verdict(end(socket)[0], 4001)

    def refused():
        try:
            opened("refused")
            return "opened"
        except websocket.WebSocketBadStatusException as error:
            return verdict(error.status_code, 403)

    return {
        "a text": lambda: verdict(echoed("héllo"), "héllo"),
        "an empty text": lambda: verdict(echoed(""), ""),
        "a binary message": lambda: verdict(echoed(BYTES), BYTES[::-1]),
        "1 MiB of text": lambda: verdict(echoed("x" * LONG), "x" * LONG),
        "1 MiB of bytes": lambda: verdict(echoed(BYTES * 4096), BYTES[::-1] * 4096),
        "sent in fragments": parted,
        "a ping is answered": pinged,
        "the server closes": closed_by_server,
        "the client closes": closed,
        "a sub-protocol": lambda: verdict(opened("spoken", subprotocols=["v1.chat", "v2.chat"]).getsubprotocol(), "v2.chat"),
        "a refusal by 403": refused,
    }


def aiohttp_client():
    import asyncio

    import aiohttp

    def checks(work):
        async def all_of_it():
            secure = {"ssl": context()} if ADDRESSES["base"].startswith("wss:") else {}
            async with aiohttp.ClientSession() as session:

                def opened(path="echo", **options):
                    return session.ws_connect(ADDRESSES["base"] + "/" + path, max_msg_size=0, **secure, **options)

                return await asyncio.wait_for(work(opened), PATIENCE)

        return lambda: asyncio.run(all_of_it())

    def echoed(sent, wanted):
        async def work(opened):
            async with opened() as socket:
                await (socket.send_str if isinstance(sent, str) else socket.send_bytes)(sent)
                return verdict((await socket.receive()).data, wanted)

        return checks(work)

    async def pinged(opened):
        async with opened(autoping=False) as socket:
            await socket.ping(b"there?")
            message = await socket.receive()
            return verdict((message.type.name, bytes(message.data)), ("PONG", b"there?"))

    async def compressed(opened):
        async with opened(compress=15) as socket:
            await socket.send_str("x" * LONG)
            return verdict((bool(socket.compress), (await socket.receive()).data), (True, "x" * LONG))

    async def closed_by_server(opened):
        async with opened(autoclose=False) as socket:
            await socket.send_str("close me")
            message = await socket.receive()
            return verdict((message.data, message.extra), CLOSED)

    async def closed(opened):
        async with opened() as socket:
            await socket.close(code=4001, message=b"done")
            return verdict(socket.close_code, 4001)

    async def chosen(opened):
        async with opened("spoken", protocols=["v1.chat", "v2.chat"]) as socket:
            return verdict(socket.protocol, "v2.chat")

    async def refused(opened):
        try:
            async with opened("refused"):
                return "opened"
        except aiohttp.WSServerHandshakeError as error:
            return verdict(error.status, 403)

    return {
        "a text": echoed("héllo", "héllo"),
        "an empty text": echoed("", ""),
        "a binary message": echoed(BYTES, BYTES[::-1]),
        "1 MiB of text": echoed("x" * LONG, "x" * LONG),
        "1 MiB of bytes": echoed(BYTES * 4096, BYTES[::-1] * 4096),
        "a ping is answered": checks(pinged),
        "permessage-deflate": checks(compressed),
        "the server closes": checks(closed_by_server),
        "the client closes": checks(closed),
        "a sub-protocol": checks(chosen),
        "a refusal by 403": checks(refused),
    }


def libcurl():
    import pycurl

    class Socket:
        def __init__(self, path="echo", protocols=None):
            self.curl = pycurl.Curl()
            self.curl.setopt(pycurl.URL, ADDRESSES["base"] + "/" + path)
            self.curl.setopt(pycurl.CONNECT_ONLY, 2)
            self.head = []
            self.curl.setopt(pycurl.HEADERFUNCTION, self.head.append)
            if protocols:
                self.curl.setopt(pycurl.HTTPHEADER, [f"Sec-WebSocket-Protocol: {protocols}"])
            if AUTHORITY != "-":
                self.curl.setopt(pycurl.CAINFO, AUTHORITY)
            self.curl.perform()

        def again(self, work):
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    return work()
                except BlockingIOError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.001)

        def send(self, sent, flags):
            """All of a frame, which the system may take in pieces."""
            while True:
                count = self.again(lambda: self.curl.ws_send(sent, flags))
                sent = sent[count:]
                if not sent:
                    return

        def receive(self):
            """The flags and the payload of the next frame."""
            found = b""
            while True:
                piece, meta = self.again(lambda: self.curl.ws_recv(65536))
                found += piece
                if not meta.bytesleft:
                    return meta.flags, found

    def echoed(sent):
        socket = Socket()
        socket.send(sent.encode() if isinstance(sent, str) else sent, pycurl.WS_TEXT if isinstance(sent, str) else pycurl.WS_BINARY)
        found = socket.receive()[1]
        return found.decode() if isinstance(sent, str) else found

    def parted():
        socket = Socket()
        for part in range(100):
            socket.send(b"x" * 1000, pycurl.WS_TEXT | (pycurl.WS_CONT if part < 99 else 0))
        return verdict(socket.receive()[1], b"x" * 100_000)

    def pinged():
        socket = Socket()
        socket.send(b"there?", pycurl.WS_PING)
        return verdict(socket.receive(), (pycurl.WS_PONG, b"there?"))

    def end(socket):
        flags, payload = socket.receive()
        return (struct.unpack("!H", payload[:2])[0], payload[2:].decode()) if flags & pycurl.WS_CLOSE else flags

    def closed_by_server():
        socket = Socket()
        socket.send(b"close me", pycurl.WS_TEXT)
        return verdict(end(socket), CLOSED)

    def closed():
        socket = Socket()
        socket.send(struct.pack("!H", 4001) + b"done", pycurl.WS_CLOSE)
        return verdict(end(socket)[0], 4001)

    def chosen():
        fields = dict(line.decode().strip().lower().split(": ", 1) for line in Socket("spoken", "v1.chat, v2.chat").head[1:] if b": " in line)
        return verdict(fields.get("sec-websocket-protocol"), "v2.chat")

    def refused():
        try:
            Socket("refused")
            return "opened"
        except pycurl.error as error:
            return verdict("403" in str(error), True)

    return {
        "a text": lambda: verdict(echoed("héllo"), "héllo"),
        "an empty text": lambda: verdict(echoed(""), ""),
        "a binary message": lambda: verdict(echoed(BYTES), BYTES[::-1]),
        "1 MiB of text": lambda: verdict(echoed("x" * LONG), "x" * LONG),
        "1 MiB of bytes": lambda: verdict(echoed(BYTES * 4096), BYTES[::-1] * 4096),
        "sent in fragments": parted,
        "a ping is answered": pinged,
        "the server closes": closed_by_server,
        "the client closes": closed,
        "a sub-protocol": chosen,
        "a refusal by 403": refused,
    }


LIBRARIES = {"websockets": websockets, "websocket-client": websocket_client, "aiohttp": aiohttp_client, "pycurl": libcurl}

if __name__ == "__main__":
    print(json.dumps(checked(LIBRARIES[LIBRARY]())))
