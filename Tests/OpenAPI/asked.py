"""Requests every operation of a document in every status and content type that it declares, and checks the answers."""

import http.client
import sys
import tempfile
import time

import answers
import values
import wire

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from daemon import DaemonProcess


class Served:
    """A daemon that serves a file or folder, and a connection to it."""

    def __init__(self, binary, path, options=()):
        self.scratch = tempfile.TemporaryDirectory()
        start = time.monotonic()
        self.daemon = DaemonProcess(binary, self.scratch.name, options, served=path)
        self.seconds = time.monotonic() - start
        self.connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.end()
        self.scratch.cleanup()

    def ask(self, method, target, headers=None, body=None):
        """The status, the header fields and the body of an answer."""
        for attempt in (1, 2):
            try:
                self.connection.request(method, target, body, headers or {})
                answer = self.connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (http.client.HTTPException, OSError):
                self.connection.close()
                if attempt == 2:
                    raise


def wishes(operation):
    """The requests to an operation: their header fields, the expected status, and whether the answer is generated. One has no
    preference, and one asks for each status with each content type."""
    yield {}, None, False
    yield {"Prefer": "dynamic=true"}, None, True
    for code, answer in operation.answers.items():
        if code.isdecimal() and 200 <= int(code) < 600:
            for kind in list(answer.contents)[:4] or [None]:
                yield {"Prefer": f"code={code}, dynamic=true"} | ({"Accept": kind} if kind else {}), int(code), True


def lowest_success(operation):
    """The correct statuses for a request without preference; None for any."""
    codes = sorted(int(code) for code in operation.answers if code.isdecimal() and code[0] == "2")
    return codes[:1] or None


def ask(served, description, figures, limit):
    """Requests all operations; yields errors as operation, kind and sentence."""
    maker = values.Maker(description)
    step = max(1, len(description.operations) // limit)
    for operation in description.operations[::step]:
        request = wire.made(operation, maker) or wire.made(operation, maker, whole=False)
        if request is None or not operation.answers:
            figures["not askable"] += 1
            continue
        content = request.content()
        figures["operations"] += 1
        fine = True
        for fields, expected, is_made in wishes(operation):
            fields = request.headers() | fields
            target = operation.base + request.target()
            try:
                first = served.ask(operation.method, target, fields, content and content[0])
                second = served.ask(operation.method, target, fields, content and content[0])
            except (http.client.HTTPException, OSError) as error:
                yield operation, "no answer", f"{type(error).__name__}: {error}"
                fine = False
                continue
            figures["answers"] += 1
            status, _, body = first
            found = list(answers.problems(description, operation, *first, is_made))
            if second[::2] != first[::2]:
                found.append(("not the same", f"{body[:80]!r}, then {second[2][:80]!r}"))
            right = [expected] if expected else lowest_success(operation)
            if right and status not in right:
                found.append(("wrong status", f"{status} instead of {right[0]}: {body[:200]!r}"))
            if status == 500 and "500" not in operation.answers:
                found = [("refused", body[:300].decode(errors="replace"))]
            for kind, sentence in found:
                fine = fine and kind == "unjudged"
                yield operation, kind, f"[{fields.get('Prefer', '')} {fields.get('Accept', '')}] {sentence}"
            figures["valid answers"] += all(kind == "unjudged" for kind, _ in found)
        figures["good operations"] += fine
