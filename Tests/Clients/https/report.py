#!/usr/bin/env python3
"""Requests twenty stubs over TLS and HTTP/2 with third-party clients, and writes the results into the table of docs/clients.md.

    python3 Tests/Clients/https/report.py --daemon .build/debug/stuntdouble --write docs/clients.md
    python3 Tests/Clients/https/report.py --daemon .build/debug/stuntdouble --check --clients 'curl, h2;Node http2'
    python3 Tests/Clients/https/report.py --https https://127.0.0.1:8443 --http http://127.0.0.1:8080 --authority ca.pem

The last form requests another server, such as WireMock, which serves the folder that `--folder NEW-FOLDER` writes. `--check` exits
with 1 if a cell differs from the table. A column whose client is not installed stays as it is.
"""

import argparse
import contextlib
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3]))
from Tests.Clients.https import server, stubs  # pylint: disable=wrong-import-position
from Tests.Clients.https.clients import CLIENTS, Options  # pylint: disable=wrong-import-position
from Tests.Clients.https.table import Table  # pylint: disable=wrong-import-position

BEGIN, END = "<!-- table of clients: Tests/Clients/https/report.py -->", "<!-- end of the table of clients -->"
STRANGER, VERSION = "without the CA", "version"
#: The clients' names of the versions.
SAME = {"HTTP_1_1": "HTTP/1.1", "HTTP_2": "HTTP/2", "h2": "HTTP/2", "http/1.1": "HTTP/1.1"}


def ask(client, options, addresses, wants_stranger):
    """The cells of a column by row."""
    base = addresses[client.scheme]
    cells = {}
    outcomes = client.run(stubs.requests(base), options)
    for stub, outcome in zip(stubs.STUBS, outcomes):
        cells[stub.title] = stubs.verdict(stub, outcome, client.scheme)
    versions = {outcome["version"] for outcome in outcomes if outcome.get("version")}
    if not versions and addresses["http"]:
        # The journal tells what the client does not, if the server is ours.
        event = server.call(addresses["http"], "GET", "/__admin/requests?limit=1")["requests"][0]
        versions = {event["request"]["protocol"].removesuffix(".0")} if "protocol" in event["request"] else set()
    cells[VERSION] = ", ".join(sorted({SAME.get(version, version) for version in versions})) or "–"
    cells[STRANGER] = "–"
    if client.scheme == "https" and wants_stranger:
        stranger = Options(options.scratch, None, options.patience, python=options.python)
        outcome = client.run(stubs.requests(base)[:1], stranger)[0]
        warning = outcome.get("warning")
        cells[STRANGER] = (
            "warns: " + warning.split("failed: ")[-1] if warning else "takes any" if "class" in outcome
            else stubs.verdict(stubs.STUBS[0], outcome, client.scheme))
    return cells


@contextlib.contextmanager
def served(options, scratch):
    """The addresses by scheme, and the CA's certificate."""
    if not options.daemon:
        yield {"https": options.https, "http": options.http}, options.authority
        return
    with server.daemon(options.daemon, scratch) as (addresses, authority):
        yield addresses, authority


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", help="the daemon's binary")
    parser.add_argument("--https", metavar="URL")
    parser.add_argument("--http", metavar="URL")
    parser.add_argument("--authority", metavar="FILE")
    parser.add_argument("--folder", help="only write the stubs into a new folder, in WireMock's layout")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has httpx[http2]")
    parser.add_argument("--clients", help="only these, separated by semicolons")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.folder:
        stubs.write(pathlib.Path(options.folder))
        return
    wanted = options.clients.split(";") if options.clients else [client.title for client in CLIENTS]
    table = Table(
        options.write, BEGIN, END, "stub", [client.title for client in CLIENTS],
        [stub.title for stub in stubs.STUBS] + [STRANGER, VERSION])
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        with served(options, scratch) as (addresses, authority):
            common = Options(scratch, authority, python=options.python)
            for client in CLIENTS:
                if client.title not in wanted or not addresses[client.scheme] or not client.is_here(common):
                    continue
                cells = ask(client, common, addresses, True)
                table.fill(client.title, client.version(common), cells)
                wrong += [f"{client.title}: {row}: {cell}" for row, cell in cells.items() if row not in (STRANGER, VERSION) and cell != "ok"]
                wrong += [f"{client.title}: it is served without the CA"] if cells[STRANGER] == "ok" else []
                print(f"{client.title}: {sum(cell == 'ok' for cell in cells.values())} ok, {cells[VERSION]}", file=sys.stderr, flush=True)
    if options.write:
        table.write()
    elif not options.check:
        print(table.text())
    for line in wrong:
        print(line)
    print(f"{len(wrong)} differences", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
