"""Instructions that a request takes, counted by callgrind: they depend on neither the machine's speed nor its load.

`python3 -m Benchmarks.instructions --daemon .build/bin/stuntdouble` counts each case in two runs of the daemon that differ
only in the number of requests, so that the start and the end are not counted. Kernel time is not counted either.
"""

import argparse
import json
import os
import re
import socket
import tempfile

from Benchmarks import load, processes
from Benchmarks.first_answer import wait_for_answer
from Benchmarks.stubs import write_mappings
from Benchmarks.templates import CONSTANT, HEADERS, TEMPLATE

# The first requests fill caches and reach the size of the journal's tables.
FEW, MANY = 3_000, 11_000
PIPELINED = 16
# A template without an expression to speak of: the rest of its cost is what every template pays.
PLAIN_TEMPLATE = "{{#if false}}{{/if}}" + CONSTANT
# A date with an offset and a format, and a random text, among five: what is made ready when the stub is read.
PREPARED_TEMPLATE = TEMPLATE.replace(
    "{{now}}", "{{now offset='3 days' format='yyyy-MM-dd HH:mm:ss'}}"
).replace("{{randomValue type='UUID'}}", "{{randomValue length=24 type='ALPHANUMERIC'}}")
KINDS = {
    "constant": CONSTANT,
    "template": PLAIN_TEMPLATE,
    "one": CONSTANT.replace("4711", "{{request.path.id}}"),
    "expressions": TEMPLATE,
    "prepared": PREPARED_TEMPLATE,
}


def read_responses(reader, count):
    """Reads `count` complete answers, whose bodies are chunked or have their length in a field."""
    for _ in range(count):
        status = reader.readline()
        if not status.startswith(b"HTTP/1.1 "):
            raise RuntimeError(f"expected a status line, found {status!r}")
        length = None
        while (field := reader.readline()) != b"\r\n":
            name, _, value = field.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if length is not None:
            reader.read(length)
            continue
        while size := int(reader.readline(), 16):
            reader.read(size + 2)
        reader.readline()
    return status


def callgrind(daemon, folder, request, count, at_once, status, options=("--callgrind-out-file=/dev/null",)):
    """Runs the daemon under callgrind for `count` requests on one connection, `at_once` in a packet; what callgrind printed."""
    port = processes.free_port()
    command = ["valgrind", "--tool=callgrind", *options, daemon, folder, "--port", str(port)]
    log = os.path.join(folder, f"callgrind-{port}.log")
    process = processes.Process(command + ["--workers", "1", "--seed", "1"], log)
    wait_for_answer(process, port, "/__admin/health", 200, 120)
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with client.makefile("rb") as reader:
            for _ in range(count // at_once):
                client.sendall(request * at_once)
                found = read_responses(reader, at_once)
                if b" %d " % status not in found:
                    raise RuntimeError(f"expected status {status}, found {found!r}")
    process.stop(60)
    with open(log, encoding="utf-8", errors="replace") as text:
        return text.read()


def instructions(daemon, folder, request, count, at_once, status):
    """What the daemon executed in a whole run with `count` requests."""
    return int(re.findall(r"Collected : (\d+)", callgrind(daemon, folder, request, count, at_once, status))[-1])


def per_request(daemon, folder, request, at_once=1, status=200, counts=(FEW, MANY)):
    few, many = (count // at_once * at_once for count in counts)
    return (
        instructions(daemon, folder, request, many, at_once, status)
        - instructions(daemon, folder, request, few, at_once, status)
    ) / (many - few)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", default=".build/bin/stuntdouble")
    daemon = os.path.abspath(parser.parse_args().daemon)
    with tempfile.TemporaryDirectory() as folder:
        mappings = [
            {"request": {"method": "GET", "urlPath": f"/stub/{number}"}, "response": {"body": "x" * 200}}
            for number in range(998 - len(KINDS))
        ]
        for kind, body in KINDS.items():
            response = {"status": 200, "headers": {"Content-Type": "application/json"}, "body": body}
            if kind != "constant":
                response["transformers"] = ["response-template"]
            mappings.append(
                {"request": {"method": "GET", "urlPathTemplate": f"/{kind}/{{id}}"}, "response": response}
            )
        document = {"name": "Ada", "tags": ["a", "b", {"c": [1, 2.5, None]}], "address": {"city": "London", "zip": "N1"}}
        file = {"request": {"urlPath": "/file"}, "response": {"bodyFileName": "body.json"}}
        json_body = {
            "request": {"method": "POST", "urlPath": "/json", "bodyPatterns": [{"equalToJson": document}]},
            "response": {"body": "equal"},
        }
        write_mappings(folder, mappings[:-2] + [file, json_body] + mappings[-2:])
        os.makedirs(os.path.join(folder, "__files"))
        with open(os.path.join(folder, "__files", "body.json"), "w", encoding="utf-8") as body:
            json.dump([document] * 20, body)
        static = load.request("GET", "/stub/500", {"Accept": "*/*"})
        kinds = {kind: load.request("GET", f"/{kind}/4711?page=7", HEADERS) for kind in KINDS}
        alone = per_request(daemon, folder, static)
        together = per_request(daemon, folder, static, PIPELINED)
        file = per_request(daemon, folder, load.request("GET", "/file", {"Accept": "*/*"}))
        equal = per_request(
            daemon, folder, load.request("POST", "/json", {"Content-Type": "application/json"}, json.dumps(document).encode())
        )
        missing = per_request(
            daemon, folder, load.request("GET", "/stubs/5000", {"Accept": "*/*"}), status=404, counts=(500, 1_000)
        )
        added = per_request(
            daemon,
            folder,
            load.request("POST", "/__admin/mappings", {"Content-Type": "application/json"}, json.dumps(mappings[7]).encode()),
            status=201,
            counts=(500, 1_500),
        )
        counts = {kind: per_request(daemon, folder, request) for kind, request in kinds.items()}
    print(f"a static stub among 1,000:              {alone:9,.0f}")
    print(f"the same, {PIPELINED} in a packet:               {together:9,.0f}")
    print(f"a body file:                            {file:9,.0f}")
    print(f"equalToJson:                            {equal:9,.0f}")
    print(f"a 404:                                  {missing:9,.0f}")
    print(f"POST /__admin/mappings:                 {added:9,.0f}")
    print(f"a constant body:                        {counts['constant']:9,.0f}")
    print(f"a template, before its first expression: {counts['template'] - counts['constant']:8,.0f} more")
    print(f"one expression:                         {counts['one'] - counts['constant']:9,.0f} more")
    print(f"five expressions:                       {counts['expressions'] - counts['constant']:9,.0f} more")
    print(f"five with a date and a random text:     {counts['prepared'] - counts['constant']:9,.0f} more")


if __name__ == "__main__":
    main()
