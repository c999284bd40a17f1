"""What can go wrong between the start of a program and the daemon's address, and what errors tell of it."""

import json
import os
import re
import socket
import ssl
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from stuntdouble_server import AdminError, Server, StartError, _server
from stuntdouble_server._http import Connection
from stuntdouble_server._secrets import without_secrets


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the folders of servers are made, which are to be gone with them."""
    path = tmp_path / "temporary"
    path.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    return path


@pytest.fixture
def program(tmp_path: Path):
    """A program in the daemon's place: its lines have the path of the port file in `$5`. Its process is `program.ended()`."""

    def make(lines: str) -> Path:
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\necho $$ >'{tmp_path}/process'\n{lines}\n")
        path.chmod(0o755)
        return path

    return make


def need(address: str) -> None:
    """Skips the test where this machine has no such address, as some have no IPv6, and macOS of 127/8 one alone."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as listener:
            listener.bind((address, 0))
    except OSError:
        pytest.skip(f"no {address} here")


def wait_for_end(file: Path) -> None:
    process = int(file.read_text())
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
            if " Z " in Path(f"/proc/{process}/stat").read_text():
                return
        except OSError:
            return
        time.sleep(0.01)
    pytest.fail(f"the process {process} still runs")


@pytest.mark.parametrize(
    "args, shown",
    [
        (["--https-keystore", "/none.p12", "--keystore-password", "S3cretPw"], "--https-keystore /none.p12 --keystore-password …"),
        (["--keystore-password=S3cretPw"], "--keystore-password=…"),
        (["--key-manager-password", "S3cretPw"], "--key-manager-password …"),
        (["--ca-keystore", "ca.jks", "--ca-keystore-password", "S3cretPw"], "--ca-keystore ca.jks --ca-keystore-password …"),
        (["--truststore-password=S3cretPw"], "--truststore-password=…"),
        (["--admin-token", "S3cretPw", "--verbose"], "--admin-token … --verbose"),
        (["--admin-token=S3cretPw"], "--admin-token=…"),
        (["--admin-token", "-S3cretPw"], "--admin-token …"),
        (["--admin-api-basic-auth", "user:S3cretPw"], "--admin-api-basic-auth …"),
        (["--proxy-via", "user:S3cretPw@proxy:1"], "--proxy-via …"),
        (["--proxy-via=user:S3cretPw@proxy:port"], "--proxy-via=…"),
        (["--proxy-all", "https://user:S3cretPw@real.example/a", "--verbose"], "--proxy-all https://…@real.example/a --verbose"),
        (["--pass-through=user:S3cretPw@real"], "--pass-through=…@real"),
        (["--keystore-pass", "S3cretPw"], "--keystore-pass …"),
        (["--admin-tok=S3cretPw"], "--admin-tok=…"),
        (["--admin-tokne", "S3cretPw"], "--admin-tokne …"),
        (["-admin-token", "S3cretPw"], "-admin-token …"),
        (["--proxyvia", "user:S3cretPw@proxy"], "--proxyvia …"),
        (["--trust-store-password", "S3cretPw"], "--trust-store-password …"),
        (["--keystore-password", "--admin-token", "S3cretPw"], "--keystore-password --admin-token …"),
    ],
)
def test_errors_show_no_secrets(folders: Path, program, args, shown):
    with pytest.raises(StartError) as raised:
        Server(args=[*args, "--no-such-option"]).start()
    text = str(raised.value)
    assert f"--exit-with-parent {shown} --no-such-option ended with status" in text
    assert "S3cret" not in text
    # Nor where what has run repeats them.
    with pytest.raises(StartError) as raised:
        Server(args=args, binary=program('echo "given: $*"; for word; do echo "<$word>" >&2; done')).start()
    assert "given: " in str(raised.value) and "S3cret" not in str(raised.value)
    assert not list(folders.iterdir())


@pytest.mark.parametrize(
    "line",
    [
        "--port 80 -p 81 --https-keystore /a@b --ca-keystore ca.pem --keystore-type pem --truststore-type jks",
        "--https-truststore t.pem --admin-host h --admin-cors * --proxy-timeout 3 --proxy-pass-through --proxy-all http://h/users/@me",
        "--bind-address fe80::1 --pass-through http://h:80/a --admin-api-require-https --preserve-host-header --match-headers A",
    ],
)
def test_what_is_no_secret_is_shown(line):
    assert without_secrets(line.split(), f"said: {line}") == (line, f"said: {line}")


def test_a_password_that_is_no_secret_is_left_in_texts():
    assert without_secrets(["--keystore-password", "password"], "the password is wrong") == ("--keystore-password …", "the password is wrong")


def test_addresses_in_errors_show_no_passwords():
    server = Server(url="http://user:S3cretPw@127.0.0.1:1")
    with pytest.raises(AdminError, match="no answer") as raised:
        server.session()
    assert "S3cret" not in str(raised.value) + repr(server)
    for url in ("user:S3cretPw@127.0.0.1:1", "http://user:S3cretPw@127.0.0.1:port", "http://user:S3cretPw/@127.0.0.1:1"):
        with pytest.raises(ValueError, match="expected an address such as .*, found") as wrong:
            Server(url=url).session()
        assert "S3cret" not in str(wrong.value)


@pytest.mark.parametrize(
    "url",
    [
        "", " ", "x", ":1", "//h", "ftp://h", "http:", "http://", "http:h", "http:///a", "http://h:0", "http://h:65536", "http://h:x", "http://[::1",
        "http://a..b", f"http://{'a' * 64}.example", "http://h?a", "http://h/a?b", "http://h#a", "http://h\\@other", "http://h\\a", " http://h", "http://h\n",
        "http://h\nX: y", "http://h\tx", "http://h --x", "$(true)",
    ],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ValueError, match="expected an address such as http://127.0.0.1:8080, found"):
        Connection(url)


@pytest.mark.parametrize("url", ["http://h", "HTTP://H:1/", "https://[::1]:1", "http://wire_mock/__session/a", "http://b\u00fccher.example", "http://a:b@h.:1"])
def test_an_address_is_taken(url):
    assert Connection(url).url == url.rstrip("/")


@pytest.mark.parametrize(
    "write, found",
    [
        (': >"$5"', "nothing"),
        ("echo >\"$5\"", r"'\n'"),
        ("printf '\\377\\376' >\"$5\"", r"'\xff\xfe'"),
        ("printf '\\303\\274' >\"$5\"", r"'\xc3\xbc'"),
        ("printf '\\331\\241' >\"$5\"", r"'\xd9\xa1'"),
        ("echo ready >\"$5\"", r"'ready\n'"),
        ("echo 99999999 >\"$5\"", r"'99999999\n'"),
        ("echo 65536 >\"$5\"", r"'65536\n'"),
        ("echo 0 >\"$5\"", r"'0\n'"),
        ("echo -1 >\"$5\"", r"'-1\n'"),
        ("echo 80.5 >\"$5\"", r"'80.5\n'"),
        ("echo ' 80' >\"$5\"", r"' 80\n'"),
        ("echo 80 81 >\"$5\"", r"'80 81\n'"),
        ("echo 80/x >\"$5\"", r"'80/x\n'"),
        ("echo @127.0.0.2:23555 >\"$5\"", r"'@127.0.0.2:23555\n'"),
        ("printf '80\\n@127.0.0.2:1\\n' >\"$5\"", r"'80\n@127.0.0.2:1\n'"),
        ("printf '80\\n81\\n82\\n' >\"$5\"", r"'80\n81\n82\n'"),
        ("mkfifo \"$5\"", "nothing"),
        ("mkdir \"$5\"", "Is a directory"),
    ],
)
def test_a_port_file_has_ports_alone(folders: Path, tmp_path: Path, program, write, found):
    server = Server(binary=program(f"{write}\necho ready\nexec sleep 600"), admin_token="S3cretPw")
    with pytest.raises(StartError, match=re.escape(found) + "$"):
        server.start()
    assert server._url is None and not list(folders.iterdir())
    wait_for_end(tmp_path / "process")


@pytest.mark.parametrize("text, ports", [("1\n", (1, None)), ("65535", (65535, None)), ("80\n443\n", (80, 443)), ("00080\n", (80, None))])
def test_ports_of_a_port_file(program, text, ports):
    with Server(binary=program(f"printf '{text}' >\"$5\"\necho ready\nexec cat")) as server:
        assert server.port == ports[0]
        assert server._https_url == (ports[1] and f"https://127.0.0.1:{ports[1]}")


@pytest.mark.parametrize(
    "lines",
    [
        "exec sleep 600",
        "sleep 600 &\necho $! >BACK\nwait",
        "sleep 600 &\necho $! >BACK\nexec >&-\nwait",
        "trap '' TERM HUP INT\nsleep 600 &\necho $! >BACK\necho begun\nwhile :; do sleep 600; done",
        "exec yes",
    ],
)
def test_a_start_that_hangs_ends_with_all_that_it_has_started(folders: Path, tmp_path: Path, program, monkeypatch, lines):
    monkeypatch.setattr(_server, "START_SECONDS", 2.0)
    with pytest.raises(StartError, match="is not ready after 2 s:"):
        Server(binary=program(lines.replace("BACK", f"'{tmp_path}/back'"))).start()
    assert not list(folders.iterdir())
    wait_for_end(tmp_path / "process")
    if "BACK" in lines:
        wait_for_end(tmp_path / "back")


@pytest.mark.parametrize("background", ["sleep 600", "yes"])
def test_what_ends_is_told_though_its_output_is_held_open(program, tmp_path: Path, background):
    with pytest.raises(StartError, match="(?s)ended with status 3 and serves nothing:\n.*why"):
        Server(binary=program(f"{background} &\necho $! >'{tmp_path}/back'\necho why >&2; exit 3")).start()
    wait_for_end(tmp_path / "back")


@pytest.mark.skipif(not any(os.access(f"{folder}/setsid", os.X_OK) for folder in os.get_exec_path()), reason="no setsid here")
def test_one_that_has_left_the_group_and_holds_the_output_open_is_not_waited_for(program, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(_server, "START_SECONDS", 2.0)
    lines = f"setsid sh -c 'echo $$ >\"$0\"; exec sleep 600' '{tmp_path}/back' &\nwhile ! [ -s '{tmp_path}/back' ]; do :; done\nwait"
    try:
        with pytest.raises(StartError, match="is not ready after 2 s:"):
            Server(binary=program(lines)).start()
    finally:
        os.kill(int((tmp_path / "back").read_text()), 9)


def test_what_cannot_be_an_argument_leaves_no_folder(folders: Path):
    with pytest.raises(StartError, match="cannot run .*null byte"):
        Server(args=["--admin-token", "a\0b"]).start()
    assert not list(folders.iterdir())


def test_a_sessions_address_leads_to_no_other_host():
    need("127.0.0.2")
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(self.server.server_address[0])
            body = json.dumps({"id": "s1", "port": 1, "url": f"http://127.0.0.2:{other.server_address[1]}"}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as far, ThreadingHTTPServer(("127.0.0.2", 0), Handler) as other:
        for each in (far, other):
            threading.Thread(target=each.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{far.server_address[1]}"
        assert Server(url=url, admin_token="S3cretPw").session().url == f"{url}/__session/s1"
        assert asked == ["127.0.0.1"]
        far.shutdown()
        other.shutdown()


@pytest.mark.parametrize(
    "args, host",
    [
        ([], "127.0.0.1"),
        (["--bind-address", "localhost"], "127.0.0.1"),
        (["--bind-address", "127.0.0.7"], "127.0.0.7"),
        (["--bind-address=127.0.0.7"], "127.0.0.7"),
        (["--bind-addr", "127.0.0.7,127.0.0.8"], "127.0.0.7"),
        (["--bind-address", "127.0.0.7", "--bind-address", "::1"], "127.0.0.7"),
        (["--bind-address", "::1"], "[::1]"),
        (["--bind-address", "[::1]"], "[::1]"),
        (["--bind-address=0:0:0:0:0:0:0:1"], "[::1]"),
        (["--bind-address", "0.0.0.0"], "127.0.0.1"),
        (["--bind-address", "::"], "[::1]"),
        (["--bind-address", "::0"], "[::1]"),
    ],
)
def test_the_url_names_the_address(args, host):
    for address in re.findall(r"127\.[0-9.]+|::1", ",".join(args)) or ["::" if "::" in "".join(args) else "127.0.0.1"]:
        need(address)
    with Server(args=[*args, "--https-port", "0"]) as server:
        assert re.fullmatch(rf"http://{re.escape(host)}:\d+", server.url)
        assert re.fullmatch(rf"https://{re.escape(host)}:\d+", server.https_url)
        with server.session() as session:
            session.stub("GET /a", body="a")
            with urllib.request.urlopen(session.url + "/a") as answer:
                assert answer.read() == b"a"
            # Certificates name the usual addresses of this machine alone.
            trusting = ssl.create_default_context(cafile=session.ca)
            trusting.check_hostname = False
            with urllib.request.urlopen(session.https_url + "/a", context=trusting) as answer:
                assert answer.read() == b"a"


def test_the_address_may_be_of_the_environment(monkeypatch: pytest.MonkeyPatch):
    need("127.0.0.9")
    monkeypatch.setenv("STUNTDOUBLE_BIND_ADDRESS", "127.0.0.9")
    with Server() as server:
        assert server.url.startswith("http://127.0.0.9:")
    with Server(args=["--bind-address", "127.0.0.8"]) as server:
        assert server.url.startswith("http://127.0.0.8:")
