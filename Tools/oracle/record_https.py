#!/usr/bin/env python3
"""Records what the real WireMock knows of requests over HTTP and HTTPS, in HTTP/1.1 and HTTP/2, and how it guards its admin API.

    python3 Tools/oracle/record_https.py > Tests/Oracle/https.json

Each case is `{"flags": […], "curl": […], "status": 200, "body": "…", "logged": {…}}`: curl's arguments, what it printed, and
the members of the logged request that are about where it went; without `logged` the request was to the admin API. `{http}` and
`{https}` stand for the ports. curl and Java are needed; the jar is found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar
beside the package.
"""

import json
import subprocess

from recording import one_a_line
from wiremock import WireMock, free_port

STUB = {
    "request": {"urlPath": "/where"},
    "response": {
        "body": "{{request.scheme}} {{request.host}} {{request.port}} {{request.baseUrl}}",
        "transformers": ["response-template"],
    },
}
LOGGED = ["absoluteUrl", "protocol", "scheme", "host", "port"]


def curl(arguments, ports):
    filled = [argument.format(**ports) for argument in arguments]
    run = subprocess.run(["curl", "-sSk", "-w", "\n%{http_code}", *filled], capture_output=True, text=True, check=True)
    body, status = run.stdout.rsplit("\n", 1)
    return int(status), hide(body, ports)


def hide(text, ports):
    for name, port in ports.items():
        text = text.replace(str(port), "{" + name + "}")
    return text


def requests():
    for place in ("http://localhost:{http}", "https://localhost:{https}"):
        for option in ("--http1.1", "--http2-prior-knowledge"):
            for host in ([], ["-H", "Host: foo.example"], ["-H", "Host: foo.example:99"], ["-H", "Host: FOO.example:443"]):
                yield [option, *host, place + "/where?a=b"]


def guarded():
    for more in ([], ["-u", "ada:love"]):
        for place in ("http://localhost:{http}", "https://localhost:{https}"):
            for path in ("/__admin/mappings?limit=0", "/__admin/none", "/none"):
                yield [*more, place + path]


def main():
    cases = []
    https = free_port()
    with WireMock("--https-port", str(https)) as wiremock:
        ports = {"http": wiremock.port, "https": https}
        wiremock.admin("POST", "/mappings", STUB)
        for arguments in requests():
            status, body = curl(arguments, ports)
            logged = wiremock.admin("GET", "/requests?limit=1")[1]["requests"][0]["request"]
            shown = json.loads(hide(json.dumps({name: str(logged[name]) for name in LOGGED}), ports))
            cases.append({"flags": [], "curl": arguments, "status": status, "body": body, "logged": shown})
    flags = ["--admin-api-require-https", "--admin-api-basic-auth", "ada:love"]
    https = free_port()
    # Health, by which the start is awaited, is guarded too.
    wiremock = WireMock("--https-port", str(https), *flags)
    wiremock.admin = lambda *_: (200, curl(["--retry", "50", "--retry-connrefused", "--retry-delay", "1",
                                            f"https://localhost:{https}/__admin/health"], {}))
    with wiremock:
        ports = {"http": wiremock.port, "https": https}
        for arguments in guarded():
            status, body = curl(arguments, ports)
            # The rest of what is not found is that of other recordings.
            kept = body if status in (401, 403) else ""
            cases.append({"flags": flags, "curl": arguments, "status": status, "body": kept})
    print(one_a_line(json.dumps(cases)), end="")


if __name__ == "__main__":
    main()
