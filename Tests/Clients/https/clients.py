"""The clients: each takes requests and returns what it reports for each, `{"status", "headers", "body", "version"}` or `{"error"}`.

Headers and bodies are missing where a client does not tell them; `class` stands for a status where it tells no more.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SYSTEM_TRUST = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
CURL_WORDS = {
    7: "refused", 16: "HTTP/2 framing", 18: "partial file", 28: "timed out", 35: "TLS handshake", 52: "empty reply", 56: "receive failure",
    60: "certificate", 92: "HTTP/2 stream",
}


class Client:
    """One column: a program and its protocol."""

    def __init__(self, title, run, needs, version, scheme="https"):
        self.title, self.run, self.needs, self.scheme = title, run, needs, scheme
        self.version_command = version

    def is_here(self, options):
        if self.needs == "httpx":
            command = [options.python, "-I", "-c", "import httpx, h2"]
            return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
        if self.needs == "chromium":
            return bool(chromium_binary() and shutil.which("node") and shutil.which("certutil"))
        if self.needs == "curl":
            text = subprocess.run(["curl", "--version"], capture_output=True, text=True, check=False).stdout if shutil.which("curl") else ""
            return "HTTP2" in text
        if self.needs == "swiftc" and SYSTEM_TRUST.exists():
            return shutil.which("swiftc") is not None and shutil.which("unshare") is not None
        return shutil.which(self.needs) is not None

    def version(self, options):
        command = [options.python if word == "PYTHON" else word for word in self.version_command]
        if command[0] == "CHROMIUM":
            command[0] = chromium_binary()
        text = subprocess.run(command, capture_output=True, text=True, check=False)
        return re.search(r"\d+\.\d+(\.\d+)?", text.stdout + text.stderr)[0]


class Options:
    """The options of all clients."""

    def __init__(self, scratch, authority=None, patience=10, each=False, python=sys.executable):
        #: A folder for output; the CA's certificate, None for none; the timeout in seconds; whether each request has its own connection.
        self.scratch, self.patience, self.each, self.python = pathlib.Path(scratch), patience, each, python
        self.authority = pathlib.Path(authority) if authority else None


def body_file(request, options, name="body"):
    path = options.scratch / name
    path.write_bytes(base64.b64decode(request["body"]))
    return path


def curl(*flags):
    def run(requests, options):
        return [curl_one(request, flags, options) for request in requests]
    return run


def curl_one(request, flags, options):
    head, body = options.scratch / "head", options.scratch / "answer"
    body.write_bytes(b"")
    head.write_bytes(b"")
    # With prior knowledge, curl 7 cannot follow a redirect: the connection breaks with any server.
    follow = [] if "--http2-prior-knowledge" in flags else ["-L"]
    command = ["curl", "-q", "-s", *follow, "-m", str(options.patience), *flags, "-D", str(head), "-o", str(body)]
    command += ["-w", "%{http_code} %{http_version} %{exitcode} %{errormsg}"]
    command += ["--head"] if request["method"] == "HEAD" else ["-X", request["method"]] if request["method"] != "GET" else []
    for name, value in request["headers"].items():
        command += ["-H", f"{name}: {value}"]
    if request["body"]:
        command += ["--data-binary", f"@{body_file(request, options)}"]
    if options.authority:
        command += ["--cacert", str(options.authority)]
    done = subprocess.run(command + [request["url"]], capture_output=True, text=True, check=False)
    status, version, code, message = (done.stdout + "   ").split(" ", 3)
    if int(code or done.returncode):
        return {"error": f"exit {code}: {CURL_WORDS.get(int(code), message.strip())}", "body": encoded(body.read_bytes()), "message": message}
    blocks = head.read_bytes().decode("latin-1").strip().split("\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in blocks[-1].split("\r\n")[1:] if ": " in line)
    content = b"" if request["method"] == "HEAD" else body.read_bytes()
    return {"status": int(status), "headers": fields, "body": encoded(content), "version": f"HTTP/{version}"}


def encoded(data):
    return base64.b64encode(data).decode()


def trusting(options):
    """An environment in which programs with OpenSSL trust only the CA."""
    return os.environ | ({"SSL_CERT_FILE": str(options.authority)} if options.authority else {})


def nghttp(requests, options):
    outcomes = []
    for request in requests:
        har = options.scratch / "har"
        har.unlink(missing_ok=True)
        command = ["nghttp", "-t", str(options.patience), f"--har={har}", "-H", f":method: {request['method']}"]
        for name, value in request["headers"].items():
            command += ["-H", f"{name.lower()}: {value}"]
        if request["body"]:
            command += ["-d", str(body_file(request, options))]
        command.append(request["url"])
        try:
            done = subprocess.run(command, capture_output=True, env=trusting(options), timeout=options.patience + 2, check=False)
        except subprocess.TimeoutExpired as ended:
            outcomes.append({"error": "timed out", "body": encoded(ended.stdout or b"")})
            continue
        words = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        entries = json.loads(har.read_text(encoding="utf-8"))["log"]["entries"] if har.exists() else []
        answer = entries[0]["response"] if entries else {"status": 0}
        warned = next((line for line in words if "verification failed" in line.lower()), None)
        failed = next((line for line in words if line is not warned and "Some requests were not processed" not in line), None)
        not_processed = any("Some requests were not processed" in line for line in words)
        if done.returncode or not answer["status"] or failed or not_processed:
            word = failed or warned or (words[0] if words else f"exit {done.returncode}")
            outcomes.append({"error": re.sub(r"^\[[^]]*\] *", "", word).strip(), "body": encoded(done.stdout)})
            continue
        outcomes.append({
            "status": answer["status"], "headers": {field["name"]: field["value"] for field in answer["headers"]},
            "body": encoded(done.stdout), "version": "HTTP/2", "warning": warned,
        })
    return outcomes


def h2load(requests, options):
    outcomes = []
    for request in requests:
        command = ["h2load", "-n1", "-c1", "-m1", "-T", str(options.patience), "-N", str(options.patience), "-H", f":method: {request['method']}"]
        for name, value in request["headers"].items():
            command += ["-H", f"{name.lower()}: {value}"]
        if request["body"]:
            command += ["-d", str(body_file(request, options))]
        try:
            text = subprocess.run(
                command + [request["url"]], capture_output=True, text=True, timeout=options.patience + 2, check=False).stdout
        except subprocess.TimeoutExpired:
            outcomes.append({"error": "timed out"})
            continue
        protocol = re.search(r"Application protocol: (\S+)", text)
        classes = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", text)
        counts = dict((word, int(count)) for count, word in re.findall(r"(\d+) (failed|errored|timeout|done)\b", text))
        if not classes or not any(map(int, classes.groups())) or counts.get("errored") or counts.get("timeout"):
            outcomes.append({"error": "timeout" if counts.get("timeout") else "errored" if counts.get("errored") else "failed"})
            continue
        of_class = next(index for index, count in enumerate(map(int, classes.groups())) if count) + 2
        outcomes.append({"class": of_class, "version": protocol and {"h2": "HTTP/2", "h2c": "HTTP/2", "http/1.1": "HTTP/1.1"}.get(protocol[1])})
    return outcomes


def script(command, requests, options, environment=None, text=None):
    done = subprocess.run(
        [str(word) for word in command], input=(text or json.dumps(requests)).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, timeout=60 + len(requests) * (options.patience + 1), check=False)
    if done.returncode or not done.stdout:
        sys.exit(f"{command[0]} failed with {done.returncode}:\n{done.stderr.decode('utf-8', 'replace')[-3000:]}")
    return done.stdout


def each(options):
    return ["each"] if options.each else []


def httpx(version):
    def run(requests, options):
        command = [options.python, "-I", HERE / "httpx_client.py", options.patience, version, options.authority or "-", *each(options)]
        return json.loads(script(command, requests, options))
    return run


def node(requests, options):
    command = ["node", HERE / "node_client.mjs", options.patience, options.authority or "-", *each(options)]
    return json.loads(script(command, requests, options))


def java(version):
    def run(requests, options):
        lines = []
        for request in requests:
            lines += [request["method"], request["url"], str(len(request["headers"]))]
            lines += [f"{name}: {value}" for name, value in request["headers"].items()] + [request["body"]]
        command = ["java", "-Xshare:auto", HERE / "JavaHTTPClient.java", options.patience, options.authority or "-", version, *each(options)]
        output = script(command, requests, options, text="\n".join(lines) + "\n").decode()
        return [json.loads(line) | {} for line in output.splitlines()]
    return run


def url_session(requests, options):
    source = HERE / "URLSessionRequests.swift"
    # Built once per user.
    folder = pathlib.Path(tempfile.gettempdir()) / f"stuntdouble-clients-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    binary = folder / "URLSessionRequests"
    if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["swiftc", "-swift-version", "6", source, "-o", binary], check=True, stdout=subprocess.DEVNULL)
    command = [binary, options.patience, *each(options)]
    if options.authority and SYSTEM_TRUST.exists():
        # On Linux, URLSession trusts only the certificates of this file, so it sees ours in its place.
        bundle = options.scratch / "bundle.pem"
        bundle.write_bytes(SYSTEM_TRUST.read_bytes() + options.authority.read_bytes())
        command = ["unshare", "-r", "-m", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', bundle, SYSTEM_TRUST, *command]
    return json.loads(script(command, requests, options))


def chromium_binary():
    names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def chromium(requests, options):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        # The paths of old and new versions.
        for store in (".pki/nssdb", ".local/share/pki/nssdb"):
            folder = pathlib.Path(home, store)
            folder.mkdir(parents=True)
            subprocess.run(["certutil", "-d", f"sql:{folder}", "-N", "--empty-password"], check=True)
            if options.authority:
                subprocess.run(
                    ["certutil", "-d", f"sql:{folder}", "-A", "-n", "ca", "-t", "C,,", "-i", options.authority], check=True)
        environment = os.environ | {"HOME": home}
        command = ["node", "--experimental-websocket", HERE / "chromium_client.mjs", options.patience, chromium_binary(), home + "/profile"]
        return json.loads(script(command, requests, options, environment))


CURL, JAVA = ["curl", "--version"], ["java", "-version"]
CLIENTS = [
    Client("curl, HTTP/1.1", curl("--http1.1"), "curl", CURL),
    Client("curl, h2", curl("--http2"), "curl", CURL),
    Client("curl, prior knowledge", curl("--http2-prior-knowledge"), "curl", CURL, "http"),
    Client("curl, upgrade", curl("--http2"), "curl", CURL, "http"),
    Client("nghttp", nghttp, "nghttp", ["nghttp", "--version"]),
    Client("h2load", h2load, "h2load", ["h2load", "--version"]),
    Client("httpx", httpx("2"), "httpx", ["PYTHON", "-c", "import httpx; print(httpx.__version__)"]),
    Client("Node http2", node, "node", ["node", "--version"]),
    Client("Java HttpClient", java("2"), "java", JAVA),
    Client("Java, upgrade", java("2"), "java", JAVA, "http"),
    Client("URLSession", url_session, "swiftc", ["swiftc", "--version"]),
    Client("Chromium", chromium, "chromium", ["CHROMIUM", "--version"]),
]
