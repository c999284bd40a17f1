#!/usr/bin/env python3
"""Records what the real WireMock makes of templates.

    python3 Tools/oracle/record_templates.py > Tests/Oracle/templates.json

The output:

    {"wiremock": "3.13.2", "requests": {name: {…}, …}, "parameters": {name: {…}, …}, "cases": [{…}, …]}

A request has `method`, `target`, `headers` ([[name, value], …] as sent, without those that frame the message), `body` (a
text; `base64` in its place if it is not one, neither if there was none), `scheme` if it was not http, and `pattern`, the stub's
request pattern, if it was not `{}`. A case has

    group       the theme
    template    the response's `body`; left out if `response` has all
    request     the name of the request
    parameters  the `transformerParameters`, or their name
    response    further members of the response; `mapping`, further members of the mapping
    stub        false if the stub did not name the transformer `response-template`
    flags       of the daemon; `files` in its folder: {path: text}
    status      the answer's status, and `body`, a text; `base64` in its place if it is not UTF-8. The number in a Java object's
                print (`…RequestTemplateModel@1a2b3c`) is 0
    page        in place of body and headers: the message of the web server's own page of an error (`text/html`, ISO-8859-1)
    headers     [[name, value], …] of the answer, without those that frame the message, if there are any: names in lower case,
                values read as ISO-8859-1
    message     the answer's status message, if the stub has one
    refused     in place of an answer: why the stub was refused
    upstream    how many requests another server, at `{upstream}`, was to get; `got` are those it got: `method`, `target`,
                `headers`, sorted, without those that frame the message or name the client, and `body`
    events      the types and the data of the serve event's sub-events, if the case asks for them

The daemon's time zone is UTC, its locale en_US, its folder `/folder`, its property `wiremock.shown` and its variable
`WIREMOCK_SHOWN` are `shown`. The jar is found as in record_matching.py. Cases that do not give the same answer twice are left
out, and named in the messages. Arguments are the groups to record; all of them by default.
"""

import base64
import html
import http.client
import http.server
import importlib
import json
import pkgutil
import queue
import re
import ssl
import sys
import threading

import recording
import templates
import wiremock

FRAMING = {
    "matched-stub-id", "matched-stub-name", "transfer-encoding", "content-length", "connection", "date", "server", "vary",
    "keep-alive"}
# How Java prints an object that does not say how: the name of the class, and a number that differs from run to run.
IDENTITY = re.compile(r"((?:com|java|wiremock|org|net)\.[.\w$]+|\[+[A-Z][\w.$;]*)@[0-9a-f]{4,8}")
STUB = "11111111-2222-3333-4444-555555555555"


class Upstream(http.server.BaseHTTPRequestHandler):
    """Another server, which keeps what it gets."""

    got = queue.Queue()

    def take(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        left_out = FRAMING | {"user-agent"}
        headers = sorted([name.lower(), value] for name, value in self.headers.items() if name.lower() not in left_out)
        Upstream.got.put({"method": self.command, "target": self.path, "headers": headers, "body": body.decode()})
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"up")

    do_GET = do_POST = do_PUT = take

    def log_message(self, *_):
        pass


class Server(wiremock.WireMock):
    def __init__(self, flags=(), files=None):
        self.https_port = wiremock.free_port()
        self.connections = {}
        # The files of a WireMock's folder are under `__files`.
        super().__init__(
            "--https-port", str(self.https_port), *flags, environment={"WIREMOCK_SHOWN": "shown"},
            java=["-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US", "-Dwiremock.shown=shown"],
            files={"__files/" + name: text for name, text in (files or {}).items()})

    def __enter__(self):
        self.upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
        threading.Thread(target=self.upstream.serve_forever, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *_):
        self.upstream.shutdown()
        super().__exit__()

    def upstream_url(self):
        return f"http://127.0.0.1:{self.upstream.server_address[1]}"

    def connect(self, scheme):
        if scheme == "http":
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection("127.0.0.1", self.https_port, timeout=60, context=context)

    def send(self, request):
        scheme = request.get("scheme", "http")
        connection = self.connections.get(scheme) or self.connections.setdefault(scheme, self.connect(scheme))
        connection.putrequest(request["method"], request["target"], skip_host=True, skip_accept_encoding=True)
        for name, value in request["headers"]:
            connection.putheader(name, value.encode())
        body = request["body"].encode() if "body" in request else None
        if "base64" in request:
            body = base64.b64decode(request["base64"])
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        if answer.will_close:
            connection.close()
            del self.connections[scheme]
        return answer, data

    def install(self, case):
        """Makes the stub of a case the only one. Returns None, or what is wrong with it."""
        response = {} if case.get("stub") is False else {"transformers": ["response-template"]}
        if "template" in case:
            response["body"] = case["template"]
        if "parameters" in case:
            named = case["parameters"]
            response["transformerParameters"] = templates.PARAMETERS[named] if isinstance(named, str) else named
        response.update(case.get("response", {}))
        mapping = {"id": STUB, "request": templates.REQUESTS[case["request"]].get("pattern", {}), "response": response,
                   **case.get("mapping", {})}
        for method, path in (("DELETE", "/__admin/mappings"), ("POST", "/__admin/mappings")):
            document = json.dumps(mapping)
            if "upstream" in case:
                document = document.replace("{upstream}", self.upstream_url())
            status, reply = self.call(method, path, document)
        return None if status == 201 else json.loads(reply)["errors"][0].get("detail", "")

    def steady(self, text):
        """The text without what differs from run to run."""
        return IDENTITY.sub(r"\1@0", text).replace(self.root.name, "/folder").replace(self.upstream_url(), "{upstream}")

    def answer(self, case):
        refusal = self.install(case)
        if refusal is not None:
            return {"refused": refusal}
        if case.get("events"):
            self.call("DELETE", "/__admin/requests")
        reply, data = self.send(templates.REQUESTS[case["request"]])
        found = {"status": reply.status}
        if page := re.search(r"<th>MESSAGE:</th><td>(.*?)</td>", data.decode("latin-1"), re.S):
            found["page"] = self.steady(html.unescape(page[1]))
        else:
            try:
                found["body"] = self.steady(data.decode())
            except UnicodeDecodeError:
                found["base64"] = base64.b64encode(data).decode()
        if "statusMessage" in case.get("response", {}):
            found["message"] = reply.reason
        headers = [[name.lower(), value] for name, value in reply.getheaders() if name.lower() not in FRAMING]
        if headers and "page" not in found:
            found["headers"] = headers
        if "upstream" in case:
            try:
                got = [Upstream.got.get(timeout=3) for _ in range(case["upstream"])]
            except queue.Empty:
                got = []
            found["got"] = json.loads(self.steady(json.dumps(got)).replace(self.upstream_url()[7:], "{upstream}"))
        if case.get("events"):
            served = json.loads(self.call("GET", "/__admin/requests")[1])["requests"]
            events = [event for entry in served for event in entry.get("subEvents", [])]
            found["events"] = [{"type": event["type"], "data": event["data"]} for event in events]
        return found


def groups(names):
    for module in pkgutil.iter_modules(templates.__path__):
        if not names or module.name in names:
            yield module.name, importlib.import_module("templates." + module.name).cases()


def written(names):
    """The cases in the order of the modules; one that is written twice counts once."""
    seen, found = set(), []
    for name, cases in groups(names):
        for case in cases:
            key = json.dumps(case, sort_keys=True)
            if key not in seen:
                seen.add(key)
                found.append({"group": name, **case})
    return found


def main():
    cases = written(sys.argv[1:])
    settings = {}
    for case in cases:
        key = json.dumps([case.get("flags", []), case.get("files", {})], sort_keys=True)
        settings.setdefault(key, []).append(case)
    unsteady = 0
    for key, same in settings.items():
        flags, files = json.loads(key)
        with Server(flags, files) as server:
            first = [server.answer(case) for case in same]
            second = [server.answer(case) for case in same]
        for case, one, other in zip(same, first, second):
            if one == other:
                case.update(one)
            else:
                unsteady += 1
                case["unsteady"] = True
                print(f"not the same twice: {case.get('template')}\n    {one}\n    {other}", file=sys.stderr)
    kept = [case for case in cases if "unsteady" not in case]
    print(recording.one_a_line({
        "wiremock": "3.13.2", "requests": templates.REQUESTS, "parameters": templates.PARAMETERS, "cases": kept}), end="")
    counts = {}
    for case in kept:
        counts[case["group"]] = counts.get(case["group"], 0) + 1
    named = ", ".join(f"{name} {count}" for name, count in counts.items())
    print(f"{len(kept)} cases ({named}), {unsteady} left out", file=sys.stderr)


if __name__ == "__main__":
    main()
