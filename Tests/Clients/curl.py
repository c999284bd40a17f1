#!/usr/bin/env python3
"""Sends requests to a running server with every option of curl, and prints the outcomes.

    python3 Tests/Clients/curl.py --url http://localhost:8080 [CHECK…]

Prints one JSON object, without the parts that differ between runs. The name of a check has curl's exit status and output,
and `NAME, in the journal` has the server's journal entries of its requests. `--list` prints the names of all checks. Only
curl and the standard library are used.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile

from outcomes import Normaliser

ANY = {"request": {"method": "ANY", "urlPattern": ".*"}, "response": {"status": 200, "body": "found"}}


def answering(**response):
    return [{"request": {"method": "ANY", "urlPattern": ".*"}, "response": response}]


def only(**request):
    return [{"request": {"method": "ANY", "urlPath": "/a", **request}, "response": {"status": 200, "body": "found"}}]


CODE = ["-w", "|%{http_code}"]
MULTIPART = [{"name": "file", "headers": {"Content-Type": {"contains": "text/csv"}}, "bodyPatterns": [{"equalTo": "x;y\n1;2\n"}]}]
MOVED = [
    {"request": {"url": "/old"}, "response": {"status": 302, "headers": {"Location": "/new?x=1"}}},
    {"request": {"url": "/new?x=1"}, "response": {"body": "arrived"}},
]
LOGIN = [
    {"request": {"url": "/login"}, "response": {"headers": {"Set-Cookie": ["s=1; Path=/", "t=two words; Path=/"]}}},
    {"request": {"url": "/in", "cookies": {"s": {"equalTo": "1"}}}, "response": {"body": "welcome"}},
]

# Each check has stubs and commands. `URL` is the server; `text.csv` and `bytes` are files in the working folder.
CHECKS = {
    "-d": (only(formParameters={"b": {"equalTo": "2 3"}}), [["-d", "a=1", "-d", "b=2+3", "URL/a"]]),
    "-d, JSON": (only(bodyPatterns=[{"equalToJson": "{\"a\":1}"}]), [
        ["-H", "Content-Type: application/json", "-d", "{\"a\": 1}", "URL/a"], ["-d", "{\"a\": 1}", "URL/a"]]),
    "-d @file": (only(bodyPatterns=[{"equalTo": "x;y1;2"}]), [["-d", "@text.csv", "URL/a"]]),
    "-d, nothing": ([ANY], [["-d", "", "URL/a"], ["-X", "POST", "URL/a"]]),
    "--data-binary": (only(bodyPatterns=[{"binaryEqualTo": "AAEC/f7/DQo="}]), [
        ["-H", "Content-Type: application/octet-stream", "--data-binary", "@bytes", "URL/a"]]),
    "--data-urlencode": (only(formParameters={"q": {"equalTo": "a&c=d+ü"}}), [["--data-urlencode", "q=a&c=d+ü", "URL/a"]]),
    "-G": (only(queryParameters={"q": {"equalTo": "a&c"}, "x": {"hasExactly": [{"equalTo": "1"}, {"equalTo": "2"}]}}), [
        ["-G", "--data-urlencode", "q=a&c", "-d", "x=1", "-d", "x=2", "URL/a"]]),
    "-F": (only(multipartPatterns=MULTIPART), [["-F", "name=value", "-F", "file=@text.csv;type=text/csv;filename=t.csv", "URL/a"]]),
    "-F, one field": ([ANY], [["-F", "name=value; with=more", "URL/a"]]),
    "-T": (only(method="PUT", bodyPatterns=[{"contains": "1;2"}]), [["-T", "text.csv", "URL/a"]]),
    "-T -": ([ANY], [["-T", "-", "URL/a"]]),
    "chunked": (only(bodyPatterns=[{"equalTo": "sent"}]), [["-H", "Transfer-Encoding: chunked", "-d", "sent", "URL/a"]]),
    "Expect": (only(bodyPatterns=[{"equalTo": "sent"}]), [["-H", "Expect: 100-continue", "-d", "sent", "URL/a"]]),
    "-I": (answering(status=200, body="found", headers={"Content-Type": "text/plain", "X-One": "1"}), [["-I", "-o", "/dev/null", "URL/a"]]),
    "-X": ([ANY], [["-X", method, "URL/a"] for method in ("PURGE", "OPTIONS", "DELETE", "PATCH", "TRACE", "QUERY")]),
    "-X with a body": ([ANY], [["-X", method, "-d", "sent", "URL/a"] for method in ("GET", "DELETE", "PATCH", "OPTIONS")]),
    "-u": (only(basicAuth={"username": "ann", "password": "secret"}), [
        ["-u", "ann:secret", "URL/a"], ["-u", "ann:guess", "URL/a"], ["URL/a"]]),
    "-b": (only(cookies={"b": {"equalTo": "2"}}), [["-b", "a=1; b=2; c=x=y", "URL/a"], ["-b", "a=1;b=3", "URL/a"]]),
    "-c and -b": (LOGIN, [["-c", "jar", "URL/login"], ["-b", "jar", "URL/in"], ["URL/in"]]),
    "-L": (MOVED, [["-L", "URL/old"], ["URL/old"]]),
    "--compressed": (answering(status=200, body="much text " * 500), [["--compressed", "URL/a", "-o", "/dev/null"]]),
    "-0": ([ANY], [["-0", "URL/a"]]),
    "-r": ([ANY], [["-r", "0-1", "URL/a"]]),
    "-e and -A": ([ANY], [["-e", "http://example.com/", "-A", "another", "URL/a"]]),
    "-H": (only(headers={"X-Many": {"includes": [{"equalTo": "two"}]}}), [
        ["-H", "X-Many: one", "-H", "X-Many: two", "-H", "X-Empty;", "-H", "Accept:", "-H", "x-lower: l", "URL/a"]]),
    "-H Host": (only(host={"equalTo": "example.com"}), [["-H", "Host: example.com", "URL/a"], ["-H", "Host: example.com:81", "URL/a"]]),
    "two URLs": ([ANY], [["URL/a", "URL/b"]]),
    "paths": ([ANY], [[*way, "URL" + path] for way in ([], ["--path-as-is"]) for path in (
        "/a/../b", "/a/./b", "/a//b", "/a%20b", "/a%2Fb", "/%C3%BC", "/a;m=1/b")]),
    "queries": ([ANY], [["URL" + path] for path in (
        "/a?", "/a?x", "/a?x=", "/a?x=1&x=2&y", "/a?x=a+b&y=a%20b", "/a?x=1=2", "/a?%C3%BC=%C3%BC", "/a?x=1;y=2", "/a?&&x=1", "/?x=http://a/?b")]),
    "unmatched": ([], [["-o", "/dev/null", "URL/a"], ["-o", "/dev/null", "-d", "sent", "URL/b"]]),
    "-m": (answering(status=200, fixedDelayMilliseconds=3000), [["-m", "0.2", "URL/a"]]),
    "faults": ([{"request": {"url": "/" + fault}, "response": {"fault": fault}} for fault in (
        "EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", "MALFORMED_RESPONSE_CHUNK")], [
        ["-o", "/dev/null", "URL/" + fault] for fault in ("EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", "MALFORMED_RESPONSE_CHUNK")]),
    "statuses": ([{"request": {"url": f"/{code}"}, "response": {"status": code}} for code in (200, 204, 304, 404, 500, 599)], [
        ["-f", f"URL/{code}"] for code in (200, 204, 304, 404, 500, 599)]),
}

# curl's boundary, whose length depends on the version.
BOUNDARY = re.compile(r"-{20,}[0-9A-Za-z]{12,}")


def curl(folder, *arguments):
    # Without the user's settings, and with one kind of address, because the journal shows it.
    command = ["curl", "-q", "-4", "--noproxy", "*", "-sS", "-A", "suite", *arguments]
    return subprocess.run(command, cwd=folder, input=b"from the pipe", capture_output=True, timeout=60)


def admin(url, method, path, document=None):
    body = [] if document is None else ["-d", json.dumps(document)]
    return curl(".", "-X", method, *body, url + "/__admin" + path).stdout


def journal(url):
    """The journal's entries of the requests, the oldest first."""
    try:
        events = json.loads(admin(url, "GET", "/requests"))["requests"]
        return [logged(event) for event in reversed(events)]
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        return f"no journal: {type(problem).__name__}"


def logged(event):
    request = dict(event["request"])
    fields = {name.lower(): name for name in request.get("headers", {})}
    # The rest of its body depends on the boundary.
    if "multipart" in str(request["headers"].get(fields.get("content-type"))):
        request["headers"] = {**request["headers"], fields["content-length"]: "NUMBER"}
        request["bodyAsBase64"] = "BODY"
    return {"request": request, "wasMatched": event["wasMatched"], "status": event["response"]["status"]}


def run(url, name, folder):
    stubs, commands = CHECKS[name]
    admin(url, "DELETE", "/mappings")
    admin(url, "POST", "/reset")
    added = [json.loads(admin(url, "POST", "/mappings", stub)).get("id") is not None for stub in stubs]
    noted = []
    for command in commands:
        done = curl(folder, *CODE, *[word.replace("URL", url, 1) if word.startswith("URL") else word for word in command])
        noted.append({"curl": " ".join(command), "exit": done.returncode, "output": done.stdout.decode("utf-8", "replace")})
    outcome = json.dumps({name: {"added": added, "commands": noted}, name + ", in the journal": {"requests": journal(url)}})
    return Normaliser(url).of(json.loads(BOUNDARY.sub("BOUNDARY", outcome)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("checks", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(CHECKS))
        return
    if not options.url:
        parser.error("--url is needed")
    unknown = [name for name in options.checks if name not in CHECKS]
    if unknown:
        parser.error(f"no such check: {unknown[0]}; --list names them")
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/text.csv", "w") as file:
            file.write("x;y\n1;2\n")
        with open(folder + "/bytes", "wb") as file:
            file.write(bytes([0, 1, 2, 253, 254, 255, 13, 10]))
        outcomes = {}
        for name in options.checks or CHECKS:
            outcomes |= run(options.url.rstrip("/"), name, folder)
    json.dump(outcomes, sys.stdout, indent=1, sort_keys=True, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
