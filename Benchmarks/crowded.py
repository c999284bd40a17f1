"""Many sessions and many waiting clients: their memory, and their cost while nothing happens."""

import json
import os
import socket
import statistics
import time

from Benchmarks import contenders, load
from Benchmarks.contenders import Server
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, progress, settle
from Benchmarks.stubs import StubSet

# The number of requests that a client sends ahead of their answers.
BURST = 98


class Client:
    """One keep-alive connection with the least possible overhead between bytes and clock."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, sent):
        """The whole answer to one request."""
        self.socket.sendall(sent)
        return load.read_response(self.socket)

    def call(self, method, path, document=None, status=200):
        """One call of the admin API: its JSON, and its duration in seconds."""
        sent = load.request(method, "/__admin" + path, body=b"" if document is None else json.dumps(document).encode())
        began = time.perf_counter()
        answer = self.ask(sent)
        seconds = time.perf_counter() - began
        head, _, body = answer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 %d " % status):
            raise RuntimeError(f"{method} {path}: expected {status}, found {answer!r}")
        if b"\r\ntransfer-encoding: chunked\r\n" in head.lower() + b"\r\n":
            body = contenders.unchunked(body)
        return json.loads(body) if body.strip() else None, seconds

    def ask_often(self, sent, count, size):
        """Sends the same request `count` times, pipelined. Each answer has `size` bytes."""
        self.socket.sendall(sent * count)
        left = size * count
        while left > 0:
            received = self.socket.recv(min(left, 1 << 20))
            if not received:
                raise RuntimeError("the connection ended inside an answer")
            left -= len(received)

    def close(self):
        self.socket.close()


def _stub(text):
    return {"request": {"method": "GET", "url": "/mine"}, "response": {"status": 200, "body": text}}


def _use(client, session, inherited, count):
    """Uses a session like a test: a stub, and some requests to it and to inherited stubs."""
    place = f"/__session/{session}"
    sent = load.request(
        "POST", f"{place}/__admin/mappings", {"Content-Type": "application/json"}, json.dumps(_stub(session)).encode()
    )
    if not client.ask(sent).startswith(b"HTTP/1.1 201"):
        raise RuntimeError("a session did not take a stub")
    for path in ("/mine", inherited):
        asked = load.request("GET", place + path)
        answer = client.ask(asked)
        if not answer.startswith(b"HTTP/1.1 200") or (path == "/mine" and session.encode() not in answer):
            raise RuntimeError(f"GET {place}{path} was not answered as it should: {answer!r}")
        client.ask_often(asked, count // 2 - 1, len(answer))


def sessions(setting):
    """Makes, uses and ends sessions one after the other; then keeps many at the same time."""
    ended = setting.requests // (BURST + 2)
    alive = min(1000, ended)
    stubs = StubSet(1000)
    place = setting.place("sessions")
    stubs.write_files(place)
    inherited = stubs.path(500)
    server = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    client = Client(server.port)
    settle([server])
    rows = [["idle", figure(server.process.resident_mib())]]
    made, over = [], []
    at_half, resident, done = 0.0, 0.0, 0
    for target in (ended // 10, ended // 2, ended):
        while done < target:
            session, seconds = client.call("POST", "/sessions", {}, 201)
            made.append(seconds)
            _use(client, session["id"], inherited, BURST + 2)
            _, seconds = client.call("DELETE", f"/sessions/{session['id']}")
            over.append(seconds)
            done += 1
        resident = server.process.resident_mib()
        at_half = resident if target == ended // 2 else at_half
        requests = done * (BURST + 2)
        rows.append([f"after {done:,} sessions and {requests:,} requests in them", figure(resident)])
        progress(f"{done:,} sessions: {resident:.1f} MiB")
    if client.call("GET", "/sessions")[0]["sessions"]:
        raise RuntimeError("a session lives that was ended")

    names = [client.call("POST", "/sessions", {}, 201)[0]["id"] for _ in range(alive)]
    fresh = server.process.resident_mib()
    rows.append([f"with {alive:,} sessions that are new", figure(fresh)])
    for name in names:
        _use(client, name, inherited, 10)
    used = server.process.resident_mib()
    rows.append([f"with {alive:,} sessions, a stub and 10 requests each", figure(used)])
    client.call("DELETE", "/sessions")
    rows.append(["after the end of all", figure(server.process.resident_mib())])
    ports = _with_ports(client, min(200, alive))
    client.close()
    server.stop()

    def times(title, seconds):
        ordered = sorted(second * 1e6 for second in seconds)
        return [title, figure(statistics.median(ordered), 0), figure(ordered[len(ordered) * 99 // 100], 0)]

    costs = [times("to begin one", made), times("to end one", over)]
    costs += [times("to begin one with a port of its own", ports[0]), times("to end that", ports[1])]
    each = max(0.0, fresh - resident) * 1024 / alive
    each_used = max(0.0, used - resident) * 1024 / alive
    size = [["new", figure(each)], ["with a stub and 10 requests in its journal", figure(each_used)]]
    both = (statistics.median(made) + statistics.median(over)) * 1000
    return Outcome(
        [
            table("What a session costs, over one connection", ["µs", "median", "p99"], costs),
            table(f"What a session holds, of {alive:,} at once", ["", "KiB each"], size),
            table("Resident memory, 1,000 stubs that sessions inherit", ["", "MiB"], rows),
        ],
        [
            Bar("to begin and end a session, medians", both, 1, "ms"),
            Bar(f"growth over the second half of {ended:,} sessions", max(0.0, resident - at_half), 2, "MiB"),
            Bar("a new session", each, 8, "KiB"),
        ],
    )


def _with_ports(client, count):
    """The times to begin and to end sessions with ports of their own."""
    begun, ended = [], []
    for _ in range(count):
        session, seconds = client.call("POST", "/sessions", {"port": 0}, 201)
        begun.append(seconds)
        own = Client(session["port"])
        own.call("GET", "/mappings")
        own.close()
        ended.append(client.call("DELETE", f"/sessions/{session['id']}")[1])
    return begun, ended


def waiting(setting):
    """Clients that wait for a request or listen to events while nothing happens; then one request."""
    count = min(1000, (setting.in_flight - 100) // 2)
    place = setting.place("waiting")
    os.makedirs(os.path.join(place, "mappings"))
    server = Server("Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, place, setting.server_cpu)
    before = server.process.resident_mib()
    question = {"pattern": {"url": "/late"}, "count": {"atLeast": 1}, "timeoutMs": 600_000}
    wait = load.request("POST", "/__admin/requests/wait", body=json.dumps(question).encode())
    listen = load.request("GET", "/__admin/events")
    waiters, listeners = load.open_idle(server.port, count), load.open_idle(server.port, count)
    for client in waiters:
        client.sendall(wait)
    for client in listeners:
        client.sendall(listen)
        _read_until(client, b"\r\n\r\n")
    settle([server])
    seconds = 1 if setting.seconds == 1 else 5
    used = server.process.cpu_seconds()
    time.sleep(seconds)
    share = (server.process.cpu_seconds() - used) / seconds * 100
    resident = server.process.resident_mib()
    for client in waiters:
        client.setblocking(False)
        if _has_more(client):
            raise RuntimeError("an answer came to a client that was to wait")
        client.setblocking(True)

    began = time.perf_counter()
    load.answer(server.port, load.request("GET", "/late"))
    for client in waiters:
        if not load.read_response(client).startswith(b"HTTP/1.1 200"):
            raise RuntimeError("a client that waited was not told of the request")
    told = (time.perf_counter() - began) * 1000
    for client in listeners:
        _read_until(client, b"/late")
    heard = (time.perf_counter() - began) * 1000
    for client in waiters + listeners:
        client.close()
    server.stop()
    rows = [
        [f"CPU over {seconds} s in which nothing happens, % of a core", figure(share, 2)],
        ["KiB for each of them", figure(max(0.0, resident - before) * 1024 / (2 * count))],
        ["ms from a request until all who waited have their answers", figure(told)],
        ["ms until all who listen have its event too", figure(heard)],
    ]
    title = f"{count:,} clients that wait for a request and {count:,} that listen to events"
    return Outcome([table(title, ["", ""], rows)], [Bar("clients that wait, CPU", share, 1, "% of a core")])


def _has_more(client):
    try:
        return bool(client.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False


def _read_until(client, mark):
    received = b""
    while mark not in received:
        part = client.recv(65536)
        if not part:
            raise RuntimeError(f"the connection ended before {mark!r}: {received!r}")
        received += part
    return received
