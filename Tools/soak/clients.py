"""The clients of the soak."""

import http.client
import json
import random
import socket
import ssl
import threading
import time

from Tools.soak.streams import SecurePlays, context

BODY = 256 << 10


class Failure(Exception):
    """A wrong answer or behaviour of the daemon."""


class MemoryFull(Exception):
    """The daemon had no memory for the client while an attacker is known to use all of it."""


def answer_status(peer):
    """Reads the head of an answer from a socket; returns its status."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = peer.recv(4096)
        if not part:
            raise Failure(f"the connection ended in an answer's head: {head[:300]!r}")
        head += part
    return int(head.split(b" ", 2)[1])


class Client(SecurePlays):
    """A client on a kept-alive connection. Counts its requests to stubs of the default session."""

    failure, full = Failure, MemoryFull

    def __init__(self, port, seed, tally, attacker=None, secure_port=None, is_secure=False):
        """`secure_port` is the HTTPS port. A client that `is_secure` uses it."""
        self.port, self.tally, self.random = port, tally, random.Random(seed)
        self.secure_port, self.is_secure = secure_port, is_secure
        #: Set while an attacker uses all of the daemon's memory: it rejects bodies and drops slow readers.
        self.memory_is_full = attacker.memory_is_full if attacker else threading.Event()
        #: Set while clients must send no requests.
        self.pause = attacker.pause if attacker else threading.Event()
        self.connection = None

    def ask(self, method, path, body=None, headers=None, expected=(200,)):
        """Sends a request; returns the body of the answer."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        fields = headers or {}
        was_full = self.memory_is_full.is_set()
        try:
            answer, content = self.exchange(method, path, body, fields)
        except (OSError, http.client.HTTPException) as error:
            self.leave()
            if was_full or self.memory_is_full.is_set():
                raise MemoryFull from error
            raise
        if answer.status == 503 and (was_full or self.memory_is_full.is_set()):
            raise MemoryFull
        if answer.status not in expected:
            raise Failure(f"{method} {path}: {answer.status} {content[:300]!r}")
        if not path.startswith("/__admin") and "X-StuntDouble-Session" not in fields:
            self.tally["answered"] += 1
        self.tally["requests"] += 1
        return content

    def exchange(self, method, path, body, fields):
        is_kept = self.connection is not None
        if not is_kept:
            self.connection = (
                http.client.HTTPSConnection("127.0.0.1", self.secure_port, timeout=60, context=context()) if self.is_secure
                else http.client.HTTPConnection("127.0.0.1", self.port, timeout=60))
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError):
            # An idle connection is closed for new ones.
            self.leave()
            if not is_kept:
                raise
            self.tally["reconnected"] += 1
            return self.exchange(method, path, body, fields)
        return answer, answer.read()

    def leave(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def raw(self, data, reset=True):
        """Sends bytes and disconnects. The daemon may or may not have counted a request."""
        with self.dial() as raw:
            raw.sendall(data)
            if reset:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.tally["cut"] += 1

    def fill(self):
        """Fills the journal, so that its growth is not measured."""
        while "X-StuntDouble-Evicted" not in self.evicted():
            for _ in range(20):
                self.ask("POST", "/upload", b"x" * BODY, expected=(204,))

    def evicted(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/__admin/requests?limit=1")
        names = connection.getresponse().headers
        connection.close()
        return names

    # What clients do

    def plain(self):
        for _ in range(20):
            self.ask("GET", "/plain")
        self.ask("GET", "/file")
        self.leave()

    def unmatched(self):
        for _ in range(5):
            self.ask("GET", f"/none/{self.random.randrange(1_000)}", expected=(404,))
        self.ask("GET", "/none", headers={"Accept": "application/json"}, expected=(404,))

    def order(self):
        for price in (5, 15):
            items = [{"price": price, "name": "x" * 50} for _ in range(self.random.randrange(1, 100))]
            self.ask("POST", "/order", {"items": items}, expected=(201 if price > 10 else 404,))

    def slow(self):
        self.ask("GET", "/slow")

    def expensive(self):
        self.ask("POST", "/dear", "a" * 60 + "b", expected=(500,))

    def upload(self):
        self.ask("POST", "/upload", b"x" * self.random.randrange(BODY), expected=(204,))

    def cut(self):
        place = self.random.randrange(4)
        if place == 0:
            self.raw(b"GET /plain HTT")
        elif place == 1:
            self.raw(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        elif place == 2:
            self.raw(b"POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n" + b"x" * BODY)
        else:
            self.raw(b"GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10, reset=self.random.random() < 0.5)

    def session(self):
        live = json.loads(self.ask("POST", "/__admin/sessions", {"name": "soak"}, expected=(201,)))["id"]
        self.tally["sessions"] += 1
        mine = {"X-StuntDouble-Session": live}
        try:
            for number in range(self.random.randrange(1, 20)):
                stub = {"request": {"url": f"/mine/{number}"}, "response": {"body": "mine" * 50}}
                self.ask("POST", "/__admin/mappings", stub, mine, (201,))
                if self.ask("GET", f"/mine/{number}", headers=mine) != b"mine" * 50:
                    raise Failure("the answer of another stub")
            self.ask("GET", "/plain", headers=mine)
            self.ask("GET", "/mine/none", headers=mine, expected=(404,))
            if self.random.random() < 0.3:
                self.ask("POST", "/__admin/reset", headers=mine)
            self.ask("GET", f"/__admin/sessions/{live}/report")
        finally:
            self.insist("DELETE", f"/__admin/sessions/{live}")
        self.ask("GET", "/plain", headers=mine, expected=(410,))

    def stubs(self):
        many = 5 if self.random.random() < 0.9 else 400
        name = f"/{self.random.getrandbits(64):x}"
        mappings = [
            {"request": {"url": f"{name}/{n}"}, "response": {"body": name}, "metadata": {"of": name}} for n in range(many)
        ]
        try:
            self.ask("POST", "/__admin/mappings/import", {"mappings": mappings})
            self.ask("GET", f"{name}/{many - 1}")
            found = json.loads(self.ask("POST", "/__admin/mappings/find-by-metadata", self.owned(name)))
            if len(found["mappings"]) != many:
                raise Failure(f"{len(found['mappings'])} stubs of {many}")
            edited = found["mappings"][0]
            edited["response"]["status"] = 202
            self.ask("PUT", f"/__admin/mappings/{edited['id']}", edited)
        finally:
            self.insist("POST", "/__admin/mappings/remove-by-metadata", self.owned(name))
        self.ask("GET", f"{name}/0", expected=(404,))

    def insist(self, method, path, body=None):
        """Repeats a request while there is no memory for the answer; a repeated request has effect once."""
        while True:
            try:
                return self.ask(method, path, body, expected=(200, 404))
            except MemoryFull:
                time.sleep(0.1)

    @staticmethod
    def owned(name):
        return {"matchesJsonPath": {"expression": "$.of", "equalTo": name}}

    def journal(self):
        self.ask("GET", "/__admin/requests?limit=50")
        self.ask("POST", "/__admin/requests/count", {"urlPath": "/plain"})
        self.ask("GET", "/__admin/requests/unmatched/near-misses", expected=(200, 500))
        if self.random.random() < 0.1:
            self.ask("GET", "/__admin/requests?format=har")

    def events(self):
        target = b"/__admin/events?after=0" if self.random.random() < 0.3 else b"/__admin/events"
        with self.dial(timeout=5) as reader:
            reader.settimeout(1)
            reader.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            # One of two keeps reading, the other only holds its connection.
            left = self.random.choice((1, 200_000))
            deadline = time.monotonic() + 2
            while left > 0 and time.monotonic() < deadline:
                try:
                    left -= len(reader.recv(65_536)) or left
                except TimeoutError:
                    break
                except ConnectionError as error:
                    if self.memory_is_full.is_set():
                        raise MemoryFull from error
                    raise

    def pipeline(self):
        count = 200
        request = b"GET /plain HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with self.dial() as raw:
            raw.sendall(request * (count - 1) + request[:-2] + b"Connection: close\r\n\r\n")
            received = b""
            while part := raw.recv(1 << 20):
                received += part
        answers = received.count(b"HTTP/1.1 200")
        if answers != count:
            raise Failure(f"{answers} answers to a pipeline of {count}")
        self.tally["answered"] += count
        self.tally["requests"] += count

    PLAYS = (
        [plain] * 12
        + [unmatched, order, session] * 4
        + [slow, upload, cut, stubs] * 3
        + [SecurePlays.streams] * 6
        + [SecurePlays.upgrade, SecurePlays.breaks, SecurePlays.broken_handshakes, SecurePlays.faults] * 2
        + [journal, events, pipeline]
        + [expensive]
    )

    def run(self, until):
        while time.monotonic() < until:
            if self.pause.is_set():
                time.sleep(0.05)
                continue
            play = self.random.choice(self.PLAYS)
            try:
                play(self)
            except MemoryFull:
                self.tally["refused for memory"] += 1
            except (OSError, http.client.HTTPException) as error:
                raise Failure(f"{play.__name__}: {type(error).__name__}: {error}") from error
        self.leave()
