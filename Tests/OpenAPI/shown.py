"""The page answers.md with the answers of 50 operations."""

import json
import pathlib

import values
import wire
from answers import is_json

PAGE = pathlib.Path(__file__).parent / "answers.md"
MOST = 50
HEAD = f"""# Answers of {MOST} operations

What the daemon makes of the documents in `documents`, JSON without white space. `judge.py BINARY shown --write` writes this
page; without `--write` it compares.
"""


# Requests besides the first operations of a document: an event stream by `itemSchema`, XML, a discriminator.
ODD = [
    ("feed-3.2.yaml", "GET", "/events", {"Accept": "text/event-stream"}),
    ("kiosk-2.0.yaml", "GET", "/api/v2/papers/1", {"Accept": "application/xml"}),
    ("library-3.0.yaml", "GET", "/v1/shapes", {}),
]


def entries(served, description, most):
    """The requests and answers of a document: one for each operation, and the special ones."""
    maker = values.Maker(description)
    for operation in description.operations[:most]:
        request = wire.made(operation, maker, whole=False)
        if request is None:
            continue
        content = request.content()
        target = operation.base + request.target()
        answer = served.ask(operation.method, target, request.headers(), content and content[0])
        yield entry(f"{description.path.name}: {operation.method} {target}", *answer)
    for name, method, target, fields in ODD:
        if name == description.path.name:
            asked = "".join(f", {field}: {value}" for field, value in fields.items())
            yield entry(f"{name}: {method} {target}{asked}", *served.ask(method, target, fields))


def entry(title, status, headers, body):
    """An answer as text."""
    kind = headers.get("Content-Type", "")
    text = body.decode() if kind.startswith(("text/", "application/")) else f"({len(body)} bytes)" if body else ""
    if is_json(kind) and body:
        text = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False)
    fields = [
        f"{name}: {value}"
        for name, value in headers.items()
        if name.lower() in ("content-type", "location") or name.startswith("X-")
    ]
    return "\n".join([f"## {title}", "", "```http", f"{status}", *fields, "", text.rstrip(), "```", ""])


def compared(given, described, figures):
    """The differences between the page and the daemon's answers; with `--write`, writes the page."""
    page = HEAD + "\n" + "\n".join(described[:MOST])
    figures["operations"] = len(described[:MOST])
    if given.write:
        PAGE.write_text(page, encoding="utf-8")
        return
    known = PAGE.read_text(encoding="utf-8").split("\n## ")
    for number, entry in enumerate(page.split("\n## ")):
        if number >= len(known) or entry.strip() != known[number].strip():
            yield entry.splitlines()[0], "not as shown", entry[:400]
