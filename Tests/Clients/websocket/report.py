#!/usr/bin/env python3
"""Has other people's clients open WebSockets to the daemon, and writes what they report into the table of docs/websocket.md.

    python3 Tests/Clients/websocket/report.py --daemon .build/debug/stuntdouble --write docs/websocket.md
    python3 Tests/Clients/websocket/report.py --daemon .build/debug/stuntdouble --check --clients 'websockets;Chromium, HTTP/2'

`--check` exits with 1 where a client reports something else than it ought to, and with 77 if none of the clients is on the machine. A
column whose client is not there stays as it is.
"""

import argparse
import base64
import pathlib
import sys
import tempfile
import threading
import urllib.error

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3]))
from Tests.Clients.https import server  # pylint: disable=wrong-import-position
from Tests.Clients.https.table import Table  # pylint: disable=wrong-import-position
from Tests.Clients.websocket.clients import CLIENTS, Options  # pylint: disable=wrong-import-position

BEGIN, END = "<!-- table of clients: Tests/Clients/websocket/report.py -->", "<!-- end of the table of clients -->"
VERSION = "version"
ROWS = [
    "a text", "an empty text", "a binary message", "1 MiB of text", "1 MiB of bytes", "sent in fragments", "a ping is answered",
    "permessage-deflate", "the server closes", "the client closes", "a sub-protocol", "a refusal by 403", VERSION,
]
SKIPPED = 77
BYTES = bytes(range(256))


def channel(path):
    return {"type": "websocket", "initiatingRequestPattern": {"urlPath": path}}


def answer(wanted, body, priority):
    return {
        "priority": priority,
        "trigger": {"type": "message", "channel": channel("/echo"), "message": {"body": wanted} if wanted else {}},
        "actions": [{"type": "send", "message": {"body": body}}],
    }


def stubs():
    """Texts come back as they are, bytes backwards."""
    found = [answer({"doesNotMatch": "close me"}, "{{message.body}}", 9)]
    for count in (1, 4096):
        sent, back = (base64.b64encode(piece * count).decode() for piece in (BYTES, BYTES[::-1]))
        found.append(answer({"binaryEqualTo": sent}, {"base64Data": back}, 1))
    return found


def prepare(plain):
    for stub in stubs():
        server.call(plain, "POST", "/__admin/message-mappings", stub)
    server.call(plain, "POST", "/__admin/mappings", {"request": {"urlPath": "/refused"}, "response": {"status": 403}})
    # So that a browser has been there, and knows what the server speaks.
    server.call(plain, "POST", "/__admin/mappings", {"request": {"urlPath": "/page"}, "response": {"body": "here"}})
    try:
        spoken = {"trigger": {"type": "open", "channel": channel("/spoken"), "protocols": ["v2.chat"]}, "actions": []}
        server.call(plain, "POST", "/__admin/message-mappings", spoken)
    except urllib.error.HTTPError:
        return False
    return True


class Closer(threading.Thread):
    """Closes the channels whose clients ask for it."""

    def __init__(self, plain):
        super().__init__(daemon=True)
        self.plain, self.is_over = plain, False

    def run(self):
        seen = set()
        while not self.is_over:
            pattern = {"pattern": {"body": {"equalTo": "close me"}}, "timeoutMillis": 200}
            try:
                server.call(self.plain, "POST", "/__admin/messages/wait", pattern)
                found = server.call(self.plain, "POST", "/__admin/messages/find", pattern["pattern"])
            except (OSError, ValueError):
                continue
            for event in found["messages" if "messages" in found else "messageServeEvents"]:
                if event["id"] not in seen:
                    seen.add(event["id"])
                    server.call(self.plain, "DELETE", f"/__admin/channels/{event['channel']['id']}")


def column(client, options, addresses, chooses):
    """What a client reports, by the rows."""
    base = addresses["https" if client.scheme == "wss" else "http"].replace("http", "ws", 1)
    said = client.run({"base": base, "page": addresses["https"] + "/page"}, options)
    status = said.pop("status", None)
    cells = {row: said.get(row, "–") for row in ROWS}
    if not chooses:
        cells["a sub-protocol"] = "–"
    cells[VERSION] = "HTTP/2" if status == 200 else "HTTP/1.1"
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True, help="the daemon's binary")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has the clients for Python")
    parser.add_argument("--clients", help="only these, separated by semicolons")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    wanted = options.clients.split(";") if options.clients else [client.title for client in CLIENTS]
    if unknown := set(wanted) - {client.title for client in CLIENTS}:
        parser.error(f"unknown clients: {', '.join(unknown)}")
    table = Table(options.write, BEGIN, END, "", [client.title for client in CLIENTS], ROWS)
    wrong, asked = [], 0
    with tempfile.TemporaryDirectory() as folder:
        with server.daemon(options.daemon, folder, with_stubs=False) as (addresses, authority):
            common = Options(authority, 10, options.python)
            chooses = prepare(addresses["http"])
            closer = Closer(addresses["http"])
            closer.start()
            for client in CLIENTS:
                if client.title not in wanted or not client.is_here(common):
                    continue
                asked += 1
                cells = column(client, common, addresses, chooses)
                table.fill(client.title, client.version(common), cells)
                found = [f"{client.title}: {row}: {cell}" for row, cell in cells.items() if row != VERSION and cell not in ("ok", "–")]
                if "HTTP/2" in client.title and cells[VERSION] != "HTTP/2":
                    found.append(f"{client.title}: it came by {cells[VERSION]}")
                wrong += found
                print(f"{client.title}: {sum(cell == 'ok' for cell in cells.values())} ok, {cells[VERSION]}", file=sys.stderr, flush=True)
            closer.is_over = True
            closer.join()
    if options.write:
        table.write()
    elif not options.check:
        print(table.text())
    for line in wrong:
        print(line)
    print(f"{len(wrong)} differences", file=sys.stderr)
    sys.exit(1 if wrong else 0 if asked else SKIPPED)


if __name__ == "__main__":
    main()
