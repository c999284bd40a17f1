#!/usr/bin/env python3
"""Runs every TLS and HTTP/2 fault against third-party clients, and writes what they report into the table of docs/faults-https.md.

    python3 Tests/Clients/https/faults.py --daemon .build/debug/stuntdouble --write docs/faults-https.md
    python3 Tests/Clients/https/faults.py --daemon .build/debug/stuntdouble --check docs/faults-https.md --clients 'curl, h2;Node http2'

`--check` compares the columns of the clients that are installed, and exits with 1 if the table is out of date. A column whose client
is not installed stays as it is.
"""

import argparse
import base64
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3]))
from Tests.Clients.https import server  # pylint: disable=wrong-import-position
from Tests.Clients.https.clients import CLIENTS, Options  # pylint: disable=wrong-import-position
from Tests.Clients.https.table import Table  # pylint: disable=wrong-import-position

BEGIN, END = "<!-- table of faults: Tests/Clients/https/faults.py -->", "<!-- end of the table of faults -->"
SECONDS = 3  # the timeout of every client, for answers that never come
BODY = "0123456789"
TLS = ["expired", "notYetValid", "wrongHost", "selfSigned", "untrustedAuthority", "weakKey", "missingIntermediate", "oldVersion", "reset",
       "stall", "garbage"]
#: Faults of a session, each on its own port: the text of the row, and the posted document.
CONNECTIONS = [(f"`tls: {name}`", {"tls": name}) for name in TLS]
CONNECTIONS += [(f"`http2: {name}`", {"http2": name}) for name in ("noSettings", "garbage")]


def cut(then, after=4):
    return {"cutAfter": after, "then": then}


#: Faults of a stub: the text of the row, the fault, further members of the response, and the body of the request.
ANSWERS = [
    ("none", None, {}, b""),
    ("`cutAfter: 4`", {"cutAfter": 4}, {}, b""),
    ("`cutAfter: 4, then: rst`", cut("rst"), {}, b""),
    ("`cutAfter: 4, then: cut`", cut("cut"), {}, b""),
    ("`cutAfter: 4, then: hang`", cut("hang"), {}, b""),
    ("`cutAfter: 10, then: hang`", cut("hang", 10), {}, b""),
    ("`cutAfter: 4, then: garbage`", cut("garbage"), {}, b""),
    ("`cutAfter: 4, then: { resetStream: INTERNAL_ERROR }`", cut({"resetStream": "INTERNAL_ERROR"}), {}, b""),
    ("`cutAfter: 4, then: { resetStream: CANCEL }`", cut({"resetStream": "CANCEL"}), {}, b""),
    ("`cutAfter: 10, then: { resetStream: NO_ERROR }`", cut({"resetStream": "NO_ERROR"}, 10), {}, b""),
    ("`cutAfter: headers, then: { resetStream: INTERNAL_ERROR }`", cut({"resetStream": "INTERNAL_ERROR"}, "headers"), {}, b""),
    ("`cutAfter: nothing, then: { resetStream: REFUSED_STREAM }`", cut({"resetStream": "REFUSED_STREAM"}, "nothing"), {}, b""),
    ("`cutAfter: nothing, then: { resetStream: HTTP_1_1_REQUIRED }`", cut({"resetStream": "HTTP_1_1_REQUIRED"}, "nothing"), {}, b""),
    ("`cutAfter: 4, then: { goAway: NO_ERROR }`", cut({"goAway": "NO_ERROR"}), {}, b""),
    ("`cutAfter: 4, then: { goAway: ENHANCE_YOUR_CALM }`", cut({"goAway": "ENHANCE_YOUR_CALM"}), {}, b""),
    ("`cutAfter: nothing, then: { goAway: NO_ERROR, lastStream: 0 }`", cut({"goAway": "NO_ERROR", "lastStream": 0}, "nothing"), {}, b""),
    ("`wrongLength: +5`", {"wrongLength": 5}, {}, b""),
    ("`wrongLength: -5`", {"wrongLength": -5}, {}, b""),
    ("`dropTrailers: true`", {"dropTrailers": True}, {"trailers": {"X-Checksum": "1"}}, b""),
    ("`stall: { after: 4, for: forever }`", {"stall": {"after": 4, "for": "forever"}}, {}, b""),
    ("`neverAnswer: true`", {"neverAnswer": True}, {}, b""),
    ("`upload: { neverRead: true }`", {"upload": {"neverRead": True}}, {}, b"x" * 1_000_000),
    ("`EMPTY_RESPONSE`", "EMPTY_RESPONSE", {}, b""),
    ("`CONNECTION_RESET_BY_PEER`", "CONNECTION_RESET_BY_PEER", {}, b""),
    ("`MALFORMED_RESPONSE_CHUNK`", "MALFORMED_RESPONSE_CHUNK", {}, b""),
    ("`RANDOM_DATA_THEN_CLOSE`", "RANDOM_DATA_THEN_CLOSE", {}, b""),
]
COLUMNS = [client for client in CLIENTS if client.scheme == "https"]


def question(url, body=b""):
    return {"url": url, "method": "POST" if body else "GET", "headers": {}, "body": base64.b64encode(body).decode()}


def prepare(addresses):
    """The requests by row, in order."""
    plain, secure = addresses["http"], addresses["https"]
    questions = {}
    for row, fault in CONNECTIONS:
        session = server.call(plain, "POST", "/__admin/sessions", {"httpsPort": 0})
        live = {"X-StuntDouble-Session": session["id"]}
        server.call(plain, "POST", "/__admin/mappings", {"request": {"urlPath": "/0"}, "response": {"body": BODY}}, live)
        server.call(plain, "POST", "/__admin/faults", fault, live)
        questions[row] = question(f"https://localhost:{session['httpsPort']}/0")
    for index, (row, fault, more, body) in enumerate(ANSWERS):
        response = {"body": BODY, **more} | ({"fault": fault} if fault else {})
        # A fault of an upload belongs to its session.
        if isinstance(fault, dict) and "upload" in fault:
            response.pop("fault")
            pattern = {"request": {"urlPath": f"/{index}"}}
            server.call(plain, "POST", "/__admin/faults", pattern | fault["upload"])
        server.call(plain, "POST", "/__admin/mappings", {"request": {"urlPath": f"/{index}"}, "response": response})
        questions[row] = question(f"{secure}/{index}", body)
    return questions


def shown(outcome):
    """An outcome in a cell."""
    body = base64.b64decode(outcome.get("body") or "")
    if "error" in outcome:
        text = re.sub(r"localhost:\d+|localhost port \d+|/?127\.0\.0\.1:\d+", "the server", outcome["error"])
        text = re.sub(r" \(_ssl\.c:\d+\)|_ssl\.c:\d+: ", "", text)
        text = re.sub(r"(NotAfter|NotBefore): .*", r"\1", text)
        return text + (f", after {len(body)} bytes" if body else "")
    if "class" in outcome:
        return f"{outcome['class']}xx"
    status = str(outcome["status"])
    if outcome.get("warning"):
        status += ", warns: " + re.sub(r"^.*verification failed:? *", "", outcome["warning"], flags=re.I)
    return status if body == BODY.encode() or outcome["status"] != 200 else f"{status}, {len(body)} bytes"


def stable(row, cell):
    """A cell without parts that depend on timing: ports, the bytes read before a reset or garbage, and which comes first."""
    if re.search(r"then: (rst|cut|garbage)|_RESET_|RANDOM_DATA|MALFORMED", row):
        return cell if re.fullmatch(r"\d*", cell) else "fails"
    return re.sub(r", after \d+ bytes|\b\d{5}\b|0x[0-9a-f]+", "", cell)


def ask(client, questions, common):
    """The cells by row."""
    return dict(zip(questions, map(shown, client.run(list(questions.values()), common)))) if questions else {}


def differing(client, cells, table):
    """The rows that the page tells otherwise."""
    return [row for row, cell in cells.items() if stable(row, cell.replace("|", "/")) != stable(row, table.cell(client.title, row))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True, help="the daemon's binary")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has httpx[http2]")
    parser.add_argument("--clients", help="only these, separated by semicolons")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--check", metavar="PAGE")
    options = parser.parse_args()
    wanted = options.clients.split(";") if options.clients else [client.title for client in COLUMNS]
    rows = [row for row, _ in CONNECTIONS] + [row for row, *_ in ANSWERS]
    table = Table(options.write or options.check, BEGIN, END, "fault", [client.title for client in COLUMNS], rows)
    stale = []
    with tempfile.TemporaryDirectory() as folder, server.daemon(options.daemon, folder, ["--seed", "1"], False) as (addresses, authority):
        common = Options(folder, authority, SECONDS, each=True, python=options.python)
        questions = prepare(addresses)
        for client in COLUMNS:
            if client.title not in wanted or not client.is_here(common):
                continue
            cells = ask(client, questions, common)
            if options.check:
                # What differs is asked once more: on a busy machine an answer may take as long as a client waits.
                cells |= ask(client, {row: questions[row] for row in differing(client, cells, table)}, common)
                stale += [f"{client.title}, {row}: {cells[row]}; the page says {table.cell(client.title, row)}" for row in differing(client, cells, table)]
            table.fill(client.title, client.version(common), cells)
            print(f"{client.title}: {len(cells)} faults", file=sys.stderr, flush=True)
    if options.write:
        table.write()
    elif not options.check:
        print(table.text())
    for line in stale:
        print(line)
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
