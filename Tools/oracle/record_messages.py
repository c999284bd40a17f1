#!/usr/bin/env python3
"""Records what WireMock 4 does with message stubs, channels and their journal.

    python3 Tools/oracle/record_messages.py > Tests/Oracle/messages.json
    python3 Tools/oracle/record_messages.py --only 'wait' | less

The jar of WireMock 4 is found at $STUNTDOUBLE_ORACLE_4, or as ../shared/oracle-4/*.jar beside the package; without one
nothing is printed. Only the standard library is used. The cases stand in `messages/`, and replay_messages.py plays them to
any server.

A case, one a line: {"name", "flags": [option], "files": {path: text}, "steps": [step]}. Cases without `flags` and `files`
share one server, which is cleaned before each of them; with either, a case has a server of its own, started with those options
on a folder with those files.

A step has `do`, its own members, and `gives`: what was found. Steps by `do`, with what they give:

    admin    method, path (below /__admin), body (JSON) or text (as it is)   → status, json or answer (a text)
    start    the same, `as`: begun beside the steps after it (200 ms are waited)
    finish   of (the `as` of a start)                                        → status, json or answer
    http     method, path, text, sent (headers): a request of HTTP           → status, answer
    raw      text: the bytes of a request on a connection of its own         → status, headers, answer (status null: none came)
    open     as (a name), path, sent (headers; null leaves one out)          → status, headers, and answer unless 101
    send     on (a name), text or base64: a message in one masked frame; `times` repeats it
    frames   on, frames: [[opcode, Base64 of the payload, final = true, reserved bits = 0, masked = true]]
    bytes    on, base64: bytes of the wire
    receive  on, within (ms)                → text, base64 (binary), ping, pong (Base64), close (code or null) and reason,
                                              `end` (the connection ended), or `nothing`; `deflated` for a compressed message, `times`
                                              of one character many times
    close    on, code (none: an empty payload), saying (the reason): sends a frame of close
    drop     on: ends the connection
    pause    ms
    write    file, content: a file in the server's folder

`atLeast` and `atMost` (ms) at `admin` and `finish` bound how long the answer takes; the answer gives `took` if it is beyond.
`anyOrder` names lists of the answer whose order is by chance. Of calls that WireMock 3 has as well, only the status is kept. A
step after a message, a close or a request comes 200 ms later, since the server handles those by itself; a replay may as well
ask again until the answer is right. After an `open` it is waited until /__admin/channels shows one more.

Marks for what is drawn: `<id 1>`, `<id 2>`… are ids that the case does not name, in the order of their appearance; in a later
step the mark stands for the same id. `<port>` is the server's port, `<time>` a date and time as in RFC 3339, `<number>` a number,
`<any>` any text. `(a stack trace)` stands in place of a page with one, `(not matched)` in place of the page for a request that
no stub matches. `did not start` in place of `steps` says that the server ended at its start.
"""

import argparse
import os
import sys
import time

from messages import actions, channels, journal, mappings, matching, wire
from messages.shorthand import A, add, case, close, delete, get, opened, receive, send, stub
from messages.steps import Player, record
from recording import one_a_line
from wiremock import WireMock, find_jar_4

CASES = [one for part in (mappings, matching, actions, journal, channels, wire) for one in part.CASES]
JAVA = ("-XX:TieredStopAtLevel=1", "-Xshare:auto")
# Java is slow when it does a thing for the first time.
WARM = case("warm", add({"id": A, **stub({"matchesJsonPath": "$.a"}, "{{jsonPath message.body '$.a'}}")}), opened(), send('{"a": 1}'),
            receive(within=8000), send("<a/>"), get("/messages"), close(1000), receive(), delete("/message-mappings"))


def alone(case):
    return "flags" in case or "files" in case


def recorded(cases, jar):
    with WireMock(jar=jar, patience=90, java=JAVA) as server:
        player = Player("127.0.0.1", server.port, server.root.name, slow=2)
        record(player, WARM)
        shared = {}
        for case in cases:
            if not alone(case):
                player.clean()
                begun = time.monotonic()
                shared[case["name"]] = record(player, case)
                if time.monotonic() - begun > 4:
                    print(f"{time.monotonic() - begun:.1f} s: {case['name']}", file=sys.stderr)
    for case in cases:
        if not alone(case):
            yield shared[case["name"]]
            continue
        try:
            with WireMock(*case.get("flags", ()), files=case.get("files"), jar=jar, patience=90, java=JAVA) as server:
                yield record(Player("127.0.0.1", server.port, server.root.name, slow=6), case)
        except SystemExit:
            yield {**case, "steps": "did not start"}


def main():
    arguments = argparse.ArgumentParser(description="Records what WireMock 4 does with messages.")
    arguments.add_argument("--only", default="", help="a text that is in the names of the cases")
    only = arguments.parse_args().only
    try:
        jar = find_jar_4()
    except SystemExit as missing:
        print(missing, file=sys.stderr)
        return
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
    cases = [case for case in CASES if only in case["name"]]
    print(one_a_line(list(recorded(cases, os.path.abspath(jar)))), end="")


if __name__ == "__main__":
    main()
