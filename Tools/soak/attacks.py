"""The attacks of `Tests/Attack` in rotation, each in its own session, while the clients of the soak run.

`ROTATION` maps the tests there to their counterparts here.
"""

import contextlib
import gzip
import itertools
import json
import pathlib
import signal
import socket
import struct
import threading
import time

from Tools.soak.clients import Client, Failure, answer_status

EXPENSIVE_MATCHES = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Attack" / "expensive_matches.json"
RUNAWAY = "(a+)+$"
RUNAWAY_TEXT = "a" * 40 + "b"
#: The daemon's limits that the attacks test.
OPTIONS = (
    "--enable-stub-cors --max-connections 600 --max-memory 256MiB --body-timeout 3s --body-idle-timeout 3s"
).split()
MEMORY = 256 << 20
LARGE_FILE = 50 << 20
#: The number of attacks between two rests. In a rest no client sends requests: first for some seconds until used memory is
#: freed, then while the daemon's memory is measured.
ATTACKS = 10
SETTLING, REST = 3.5, 1
#: The maximum seconds of a client's play.
LONGEST_PLAY = 2.5


def written(parts):
    """A text of `expensive_matches.json`: parts, once or repeated with `#` replaced by the number."""
    texts = []
    for part in parts:
        times = part.get("times")
        if times is None:
            texts.append(part["text"])
        elif "#" in part["text"]:
            texts.append(part.get("between", "").join(part["text"].replace("#", str(n)) for n in range(times)))
        else:
            between = part.get("between", "")
            texts.append((part["text"] + between) * (times - 1) + part["text"])
    return "".join(texts)


class DearMatch:
    """A request that is expensive to match or to answer."""

    def __init__(self, entry):
        self.name = entry["name"]
        pattern = written(entry["pattern"])
        response = entry.get("response", '"status": 202')
        stub = f'{{"request": {{"urlPath": "/attacked", {pattern}}}, "response": {{{response}}}}}'
        self.stubs = ('{"mappings": [' + ",".join([stub] * entry.get("stubs", 1)) + "]}").encode()
        self.type = entry.get("contentType", "text/plain")
        self.body = written(entry["body"]).encode()
        if entry.get("isGzip"):
            self.body = gzip.compress(self.body, 6)
        self.blamed = entry.get("blamed")
        #: The accepted statuses besides an error about the budget.
        self.statuses = () if self.blamed else tuple(entry.get("statuses", (202, 404)))

    def __call__(self, attacker, live):
        attacker.ask("POST", "/__admin/mappings/import", self.stubs, live)
        answer = attacker.ask("POST", "/attacked", self.body, live | {"Content-Type": self.type}, self.statuses + (500,))
        # A budget smaller than usual may end before the cause is known.
        if self.blamed and self.blamed.encode("ascii") not in answer and b"--match-budget" not in answer:
            raise Failure(f"{self.blamed} is not blamed: {answer[:500]!r}")
        if not self.blamed and b"was given up" in answer and b"--match-budget" not in answer:
            raise Failure(f"{self.name} is refused: {answer[:500]!r}")


class Attacker(Client):
    """Runs the attacks in rotation, and rests after each round."""

    def __init__(self, daemon, seed, tally):
        super().__init__(daemon.port, seed, tally)
        self.daemon = daemon
        #: Set while the memory may be measured.
        self.calm = threading.Event()
        with open(EXPENSIVE_MATCHES, encoding="ascii") as file:
            matches = [DearMatch(entry) for entry in json.load(file)]
        self.document = b'{"mappings": [1' + b",1" * 45_000_000 + b"]}"
        self.bomb = gzip.compress(b"a" * (99 << 20), 6)
        self.attacks = matches + [getattr(self, name) for name in ROTATION.values()]

    def run(self, until):
        for attack in itertools.cycle(self.attacks):
            if time.monotonic() >= until:
                break
            name = attack.name if isinstance(attack, DearMatch) else attack.__name__
            try:
                with self.session() as live:
                    if isinstance(attack, DearMatch):
                        attack(self, live)
                    else:
                        attack(live)
            except (OSError, ValueError) as error:
                raise Failure(f"{name}: {type(error).__name__}: {error}") from error
            except Failure as failure:
                raise Failure(f"{name}: {failure}") from failure
            self.tally["attacks"] += 1
            if self.tally["attacks"] % ATTACKS == 0:
                self.rest()
        self.leave()

    @contextlib.contextmanager
    def others_pausing(self, seconds):
        """Pauses the other clients, and waits this many seconds before the body runs."""
        self.pause.set()
        time.sleep(seconds)
        try:
            yield
        finally:
            self.pause.clear()

    def rest(self):
        with self.others_pausing(SETTLING):
            self.calm.set()
            time.sleep(REST)
            self.calm.clear()

    @contextlib.contextmanager
    def session(self):
        """Creates a session and yields its header; ends the session afterwards."""
        live = json.loads(self.ask("POST", "/__admin/sessions", {"name": "attack"}, expected=(201,)))["id"]
        yield {"X-StuntDouble-Session": live}
        self.ask("DELETE", f"/__admin/sessions/{live}")

    def open(self, data=b"", receive_buffer=None, timeout=60):
        """Opens a connection and sends bytes on it."""
        peer = socket.socket()
        if receive_buffer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        peer.settimeout(timeout)
        peer.connect(("127.0.0.1", self.port))
        if data:
            peer.sendall(data)
        return peer

    @staticmethod
    def head(line, live, *fields):
        names = "".join(f"{name}: {value}\r\n" for name, value in live.items())
        return (f"{line} HTTP/1.1\r\nHost: localhost\r\n{names}" + "".join(f"{f}\r\n" for f in fields) + "\r\n").encode("ascii")

    @staticmethod
    def reset(peers):
        for peer in peers:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()

    def import_stubs(self, live, count, members=None):
        stubs = [{"request": {"urlPath": f"/i{n}"}} | (members or {}) for n in range(count)]
        self.ask("POST", "/__admin/mappings/import", {"mappings": stubs}, live)

    # Calls of the admin API

    def metadata(self, live):
        self.import_stubs(live, 3_000, {"metadata": {"a": RUNAWAY_TEXT}})
        for call in ("find-by-metadata", "remove-by-metadata"):
            matcher = {"matchesJsonPath": f"$..[?(@.a =~ /{RUNAWAY}/)]"}
            answer = self.ask("POST", f"/__admin/mappings/{call}", matcher, live, (500,))
            if b"--match-budget" not in answer:
                raise Failure(f"the budget is not named: {answer[:500]!r}")

    def large_document(self, live):
        self.ask("POST", "/__admin/mappings/import", self.document, live, (413,))

    def dribble(self, live):
        dribble = {"numberOfChunks": 2_147_483_647, "totalDuration": 100}
        stub = {"request": {"urlPath": "/dribble"}, "response": {"body": "abc", "chunkedDribbleDelay": dribble}}
        self.ask("POST", "/__admin/mappings", stub, live, (201,))
        for _ in range(3):
            if self.ask("GET", "/dribble", headers=live) != b"abc":
                raise Failure("another body")

    def import_and_removal(self, live):
        self.import_stubs(live, 20_000)
        self.ask("GET", "/i19999", headers=live)
        self.ask("DELETE", "/__admin/mappings", headers=live)
        self.ask("GET", "/i19999", headers=live, expected=(404,))

    def saving(self, _live):
        """Saves in the default session, as only it has files. A stub of another client that is saved, then edited and removed,
        would stay in its file, as with WireMock."""
        with self.others_pausing(LONGEST_PLAY):
            self.import_stubs({}, 4_000, {"metadata": {"of": "attack"}})
            self.ask("POST", "/__admin/mappings/save")
            self.ask("GET", "/i3999")
            self.ask("POST", "/__admin/mappings/remove-by-metadata", self.owned("attack"))
            self.ask("GET", "/i3999", expected=(404,))

    def full_journal(self, live):
        for _ in range(300):
            self.ask("POST", "/upload", b"x" * 30_000, live, (204,))
        for query in ("", "?format=har"):
            if len(self.ask("GET", f"/__admin/requests{query}", headers=live)) < 30_000:
                raise Failure("the journal has no request")

    def gzip_bodies(self, live):
        for _ in range(4):
            self.ask("POST", "/upload", self.bomb, live, (204,))
        listed = self.ask("GET", "/__admin/requests", headers=live)
        newest = json.loads(listed)["requests"][0]["id"]
        for query in ("?format=har", f"/{newest}", "/unmatched/near-misses"):
            self.ask("GET", f"/__admin/requests{query}", headers=live)
        self.ask("POST", "/__admin/requests/find", {"url": "/upload"}, live)

    def replays(self, live):
        for _ in range(100):
            self.ask("POST", "/upload", b"x" * 8_000, live, (204,))
        readers = [self.open(self.head("GET /__admin/events?after=0", live)) for _ in range(20)]
        for reader in readers:
            left = 512 << 10
            while left > 0:
                left -= len(reader.recv(left)) or left
        self.reset(readers)

    # Fair shares

    def pipeline_of_dear_requests(self, live):
        stub = {"request": {"urlPath": "/dear-too", "bodyPatterns": [{"matches": RUNAWAY}]}}
        self.ask("POST", "/__admin/mappings", stub, live, (201,))
        count, length = 50, f"Content-Length: {len(RUNAWAY_TEXT)}"
        body = RUNAWAY_TEXT.encode("ascii")
        request = self.head("POST /dear-too", live, length) + body
        last = self.head("POST /dear-too", live, length, "Connection: close") + body
        with self.open(request * (count - 1) + last) as peer:
            received = b"".join(iter(lambda: peer.recv(1 << 20), b""))
        if (answers := received.count(b"HTTP/1.1 500 ")) != count:
            raise Failure(f"{answers} refusals of {count}")

    def signals(self, live):
        for _ in range(200):
            self.daemon.process.send_signal(signal.SIGHUP)
            self.ask("GET", "/plain", headers=live)

    def silent_uploads(self, live):
        head = self.head("POST /upload", live, f"Content-Length: {LARGE_FILE}")
        peers = [self.open(head + b"x" * (8 << 20)) for _ in range(20)]
        for peer in peers:
            if (status := answer_status(peer)) != 408:
                raise Failure(f"an upload that fell silent got {status}")
            peer.close()

    def idle_connections(self, live):
        request, peers = self.head("GET /plain", live), []
        for _ in range(700):
            peer = self.open(request)
            peers.append(peer)
            if (status := answer_status(peer)) != 200:
                raise Failure(f"a newcomer got {status}")
        self.reset(peers)

    # A held loop

    def waiting_verifications(self, live):
        pattern = {"pattern": {"bodyPatterns": [{"matches": RUNAWAY}]}}
        document = json.dumps({"expectations": [pattern] * 50, "timeoutMs": 30_000}).encode()
        head = self.head("POST /__admin/requests/verify", live, f"Content-Length: {len(document)}")
        callers = [self.open(head + document) for _ in range(5)]
        self.ask("POST", "/upload", RUNAWAY_TEXT.encode(), live, (204,))
        for caller in callers:
            if (status := answer_status(caller)) != 500:
                raise Failure(f"a verification beyond its budget got {status}")
        self.reset(callers)

    def many_slices(self, live):
        fault = {"slice": {"size": 1, "gap": "0ms"}}
        stub = {"request": {"urlPath": "/sliced"}, "response": {"body": "x" * (1 << 16), "fault": fault}}
        self.ask("POST", "/__admin/mappings", stub, live, (201,))
        clients = [self.open(self.head("GET /sliced", live, "Connection: close")) for _ in range(20)]
        for client in clients:
            count = 0
            while piece := client.recv(1 << 16):
                count += len(piece)
            if count < 1 << 16:
                raise Failure(f"{count} bytes of a sliced body arrived")
        self.reset(clients)

    def large_push(self, live):
        stub = {"request": {"urlPath": "/news"}, "response": {"stream": {"name": "news"}}}
        self.ask("POST", "/__admin/mappings", stub, live, (201,))
        readers = [self.open(self.head("GET /news", live), receive_buffer=4096) for _ in range(100)]
        for reader in readers:
            if (status := answer_status(reader)) != 200:
                raise Failure(f"a reader got {status}")
        self.ask("POST", "/__admin/streams/news", {"data": "x" * 1_000_000}, live)
        self.reset(readers)

    def listed_sessions(self, _live):
        with contextlib.ExitStack() as stack:
            for _ in range(300):
                stack.enter_context(self.session())
            self.ask("GET", "/__admin/sessions")

    # Memory

    def file_readers(self, live):
        for target, fields in (("/large", ()), ("/large", ("Accept-Encoding: gzip",)), ("/__admin/files/large.bin", ())):
            self.dead_readers(self.head(f"GET {target}", live, *fields))

    def body_readers(self, live):
        stub = {"request": {"urlPath": "/big"}, "response": {"body": "x" * (24 << 20)}}
        self.ask("POST", "/__admin/mappings", stub, live, (201,))
        self.dead_readers(self.head("GET /big", live, "Origin: http://page.example"))

    def dead_readers(self, request):
        """Sixty clients that read only the first bytes."""
        readers = [self.open(request, receive_buffer=4096) for _ in range(60)]
        for reader in readers:
            if (status := answer_status(reader)) != 200:
                raise Failure(f"a reader got {status}")
        self.reset(readers)

    def event_readers(self, live):
        readers = [self.open(self.head("GET /__admin/events", live), receive_buffer=4096) for _ in range(300)]
        for _ in range(600):
            self.ask("POST", "/upload", b"x" * 8_000, live, (204,))
        late = [self.open(self.head("GET /__admin/events?after=0", live), receive_buffer=4096) for _ in range(40)]
        self.ask("GET", "/plain", headers=live)
        self.reset(readers + late)

    @contextlib.contextmanager
    def full_memory(self):
        self.memory_is_full.set()
        yield
        for _ in range(600):
            if json.loads(self.ask("GET", "/__admin/memory"))["total"] < MEMORY // 2:
                break
            time.sleep(0.1)
        else:
            raise Failure("what the clients held is never given back")
        # Answers in flight may still be read.
        time.sleep(1)
        self.memory_is_full.clear()

    def uploads_beyond_the_limit(self, live):
        head = self.head("POST /upload", live, f"Content-Length: {LARGE_FILE}")
        with self.full_memory():
            peers = [self.open(head) for _ in range(20)]
            for peer in peers:
                # Without free memory, the daemon answers and closes without reading.
                with contextlib.suppress(ConnectionError):
                    peer.sendall(b"x" * (LARGE_FILE - 1))
                self.ask("GET", "/plain", headers=live)
            self.reset(peers)

    def readers_of_lists(self, _live):
        with self.full_memory():
            request = b"GET /__admin/requests HTTP/1.0\r\nHost: localhost\r\n\r\n"
            readers = [self.open(request, receive_buffer=4096) for _ in range(30)]
            self.ask("GET", "/__admin/health")
            time.sleep(1)
            self.reset(readers)

    def journals_of_twenty_sessions(self, _live):
        with contextlib.ExitStack() as stack:
            for live in [stack.enter_context(self.session()) for _ in range(20)]:
                for _ in range(50):
                    self.ask("POST", "/upload", b"x" * 30_000, live, (204,))


#: Each attack's test, and its counterpart here; those of `expensive_matches.json` come first. Journals that were reduced are
#: full again when memory is measured.
ROTATION = {
    "silentUploadsHoldNoMoreThanTheLimit": "uploads_beyond_the_limit",
    "deadReadersOfListsStayWithinTheLimit": "readers_of_lists",
    "journalsStayWithinTheLimit": "journals_of_twenty_sessions",
    "metadataOfThousandsOfStubsIsExaminedWithinTheBudget": "metadata",
    "aDribbleOfTwoBillionChunksIsAsLongAsItsBody": "dribble",
    "aDocumentOfNinetyMegabytesIsRefusedBeforeItFillsTheMemory": "large_document",
    "thousandsOfStubsAreSavedBesideRequests": "saving",
    "thousandsOfStubsAreImportedAndRemovedBesideRequests": "import_and_removal",
    "aFullJournalIsListedBesideRequests": "full_journal",
    "gzipBodiesAreShownByTheirBeginnings": "gzip_bodies",
    "missedEventsAreReplayedBesideRequests": "replays",
    "aPipelineOfDearRequestsTakesTurns": "pipeline_of_dear_requests",
    "hundredsOfSignalsAreFewReadings": "signals",
    "uploadsThatFallSilentAreRefused": "silent_uploads",
    "idleConnectionsGiveWayToNewcomers": "idle_connections",
    "waitingCallsWithDearExpectationsMatchBesideTheLoop": "waiting_verifications",
    "manySlicesWithoutAGapTakeTurns": "many_slices",
    "aLargePushToReadersThatDoNotReadTakesTurns": "large_push",
    "thousandsOfSessionsAreListedAndEndedBesideRequests": "listed_sessions",
    "readersOfAFileCostNoMemory": "file_readers",
    "readersOfABodyWithHeadersOfTheirOwnShareIt": "body_readers",
    "threeHundredReadersShareTheirEvents": "event_readers",
}
