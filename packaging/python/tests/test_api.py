"""The Python API against a daemon: PYTHONPATH=packaging/python/src STUNTDOUBLE_BINARY=… python3 -m pytest packaging/python/tests"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from stuntdouble_server import AdminError, Server, Session, StartError, StuntDoubleError, VerificationError
from stuntdouble_server._patterns import pattern_of


def get(url: str, headers: "dict[str, str] | None" = None, data: "bytes | None" = None) -> "tuple[int, str]":
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers or {})) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    mocks = tmp_path_factory.mktemp("mocks")
    (mocks / "shared.yaml").write_text("GET /shared: { body: shared }\n")
    with Server(mocks) as server:
        yield server


@pytest.fixture
def mock(server: Server):
    with server.session() as session:
        yield session


def test_a_stub_is_a_route(mock: Session):
    mock.stub("GET /users/{id}", json={"id": "{{path.id}}"}, status=203, headers={"X-Source": "mock"})
    assert get(mock.url + "/users/7") == (203, '{"id":"7"}')


@pytest.mark.parametrize(
    "given, expected",
    [
        ({"json": None}, "null"),
        ({"json": [1, "ä"]}, '[1,"ä"]'),
        ({"body": "text"}, "text"),
        ({"body": b"bytes"}, "bytes"),
        ({"base64": "eA=="}, "x"),
        ({}, ""),
    ],
)
def test_bodies(mock: Session, given, expected):
    mock.stub("GET /body", **given)
    assert get(mock.url + "/body") == (200, expected)


def test_a_stub_is_a_mapping(mock: Session):
    stub = mock.stub({"request": {"url": "/a"}, "response": {"body": "a"}})
    assert get(mock.url + "/a") == (200, "a")
    assert stub.pattern == {"url": "/a", "method": "ANY"}
    with pytest.raises(TypeError, match="status"):
        mock.stub({"request": {"url": "/a"}}, status=201)


def test_the_last_stub_wins_and_the_one_before_stays(mock: Session):
    mock.stub("GET /a", body="first")
    second = mock.stub("GET /a", body="second", when={"headers": {"X-Two": "yes"}})
    assert get(mock.url + "/a", {"X-Two": "yes"}) == (200, "second")
    assert get(mock.url + "/a") == (200, "first")
    second.remove()
    assert get(mock.url + "/a", {"X-Two": "yes"}) == (200, "first")


@pytest.mark.parametrize(
    "key, sent",
    [
        ("GET /plain", "/plain?any=1"),
        ("GET /users/{id}", "/users/1"),
        ("GET /files/**", "/files/a/b"),
        ("GET ~/v[12]/.*", "/v2/x"),
        ("GET|POST /both", "/both"),
        ("ANY /any", "/any"),
        ("GET /q?a=1+2&b={any}&c", "/q?a=1+2&b=x&c="),
    ],
)
def test_a_key_means_the_same_in_stub_and_verification(mock: Session, key, sent):
    stub = mock.stub(key, body="x")
    assert get(mock.url + sent)[0] == 200
    get(mock.url + "/other")
    mock.verify(key, 1)
    mock.verify(stub, 1)
    assert [request.url for request in mock.requests(key)] == [sent]


@pytest.mark.parametrize(
    "key",
    [
        "GET /users", "GET /users/{id}.json", "GET /files/**", "GET   /x", "GET /a?", "GET ~/v[12]/.*", "GET =/search?q=x",
        "GET =/search", "GET =~/search\\?.*", "GET|HEAD /users", "PURGE /x", "GET /straße/{straße}", "GET /a b", 'GET /"<>^|',
        "GET =/straße?q=ü", "GET /s?q=a&q=b", "GET /s?q={any}&q=b&r", "GET /s?q=a+b%20c&é=ü", "GET /s?q=", "GET /a%20b",
    ],
)
def test_a_key_is_read_as_the_daemon_reads_it(mock: Session, key):
    assert pattern_of(key) == mock.stub(key).pattern


@pytest.mark.parametrize(
    "key, said",
    [
        ("/users", "did you mean 'GET /users'"), ("get /users", "did you mean 'GET /users'"), ("GET users", "expected a path"),
        ("GET", "expected METHOD"), ("GET /a#b", "no '#'"), ("GET /{", "expected {name}"), ("CRUD /users", "many routes"),
        ("GET /s?q=a{b}", "{any}"), ("GET /a%zz", "%25"),
    ],
)
def test_what_is_no_key_is_told(mock: Session, key, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        mock.verify(key)
    if not key.startswith("CRUD"):
        with pytest.raises(AdminError):
            mock.stub(key)


def test_a_verification_that_fails_shows_what_came_nearest(mock: Session):
    get(mock.url + "/user/1")
    with pytest.raises(VerificationError) as raised:
        mock.verify("GET /users/1", 2)
    assert "expected exactly 2, received 0" in str(raised.value)
    assert "near: #1 GET /user/1" in str(raised.value)


def test_verifications(mock: Session):
    for path in ("/a", "/b", "/b"):
        get(mock.url + path)
    mock.verify("GET /b", at_least=1, at_most=2)
    mock.verify("GET /c", 0)
    mock.verify_in_order("GET /a", "GET /b")
    mock.verify_only("GET /a", "GET /b")
    mock.verify_in_order(["GET /a", "GET /b"])
    mock.verify_only(["GET /a", "GET /b"])
    assert mock.count("GET /b") == 2
    for wrong in (
        lambda: mock.verify("GET /b", at_most=1),
        lambda: mock.verify_in_order("GET /b", "GET /a"),
        lambda: mock.verify_only("GET /a"),
    ):
        with pytest.raises(VerificationError):
            wrong()


def test_waiting_ends_when_the_request_is_there(mock: Session):
    late = threading.Thread(target=lambda: get(mock.url + "/late", data=b'{"item": 1}'))
    late.start()
    assert mock.wait_for("POST /late", timeout=30)[0].json() == {"item": 1}
    late.join()


def test_requests_say_what_was_sent_and_answered(mock: Session):
    mock.stub("POST /orders", status=201, name="orders")
    get(mock.url + "/orders?x=1", {"X-Id": "7"}, b"body")
    get(mock.url + "/nothing")
    first, second = mock.requests()
    assert (first.method, first.url, first.path, first.text) == ("POST", "/orders?x=1", "/orders", "body")
    assert (first.status, first.matched, first.header("x-id")) == (201, True, "7")
    assert first.stub and first.stub["name"] == "orders"
    assert (second.status, second.matched, second.stub) == (404, False, None)
    [meant] = mock.requests("POST /orders")
    assert (meant.status, meant.matched, meant.stub) == (201, True, first.stub)
    assert mock.requests("POST /nothing") == []


def test_more_requests_than_the_daemon_shows_at_once(mock: Session):
    for number in range(120):
        get(f"{mock.url}/{'even' if number % 2 == 0 else 'odd'}/{number}")
    assert [request.url for request in mock.requests("GET /odd/{n}")] == [f"/odd/{n}" for n in range(1, 120, 2)]


def test_sessions_do_not_meet_and_see_what_all_see(server: Server):
    with server.session("left") as left, server.session("right", port=False) as right:
        left.stub("GET /same", body="left")
        right.stub("GET /same", body="right")
        assert (get(left.url + "/same"), get(right.url + "/same")) == ((200, "left"), (200, "right"))
        assert get(left.url + "/shared") == get(right.url + "/shared") == (200, "shared")
        assert get(server.url + "/same", left.headers) == (200, "left")
        assert get(server.url + "/same", {"X-StuntDouble-Session": right.headers["X-StuntDouble-Session"]})[1] == "right"
    assert get(server.url + "/same", left.headers)[0] == 410


def test_inherit_and_mocks(server: Server, tmp_path: Path):
    (tmp_path / "__files").mkdir()
    (tmp_path / "__files" / "a b.txt").write_text("from the file")
    (tmp_path / "a.yaml").write_text("GET /first: { file: a b.txt }\nGET /both: { body: a }\n")
    (tmp_path / "b.json").write_text('{"GET /both": {"body": "b"}}')
    (tmp_path / ".hidden.json").write_text("no stubs")
    with server.session(inherit=False, mocks=tmp_path) as session:
        assert get(session.url + "/first") == (200, "from the file")
        # As the daemon has it: the last file is tried first.
        assert get(session.url + "/both") == (200, "b")
        assert get(session.url + "/shared")[0] == 404
    (tmp_path / "c.yaml").write_text("GET /both: { body: c }\n")
    with server.session(inherit=False, mocks=[tmp_path / "b.json", tmp_path / "c.yaml"]) as session:
        assert get(session.url + "/both") == (200, "c")
    with pytest.raises(FileNotFoundError):
        server.session(mocks=tmp_path / "none")


def test_reset_goes_back_to_the_beginning(mock: Session):
    mock.stub("GET /a", body="a")
    get(mock.url + "/a")
    mock.reset()
    assert mock.requests() == []
    assert get(mock.url + "/a")[0] == 404
    assert get(mock.url + "/shared")[0] == 200


def test_the_report_says_what_fails(mock: Session):
    mock.stub("GET /users/{id}", json={})
    assert mock.report().passed
    mock.check()
    assert mock.report(["unused"]).reasons == ["unused"]
    get(mock.url + "/user/1")
    report = mock.report()
    assert (report.passed, report.reasons, report.served, len(report.unmatched)) == (False, ["unmatched"], 1, 1)
    assert "/user/1" in report.text and "GET /users/{id}" in report.text
    with pytest.raises(VerificationError, match="/user/1"):
        mock.check()
    for none in ([], "none", ["none"]):
        assert mock.report(none).passed
    assert mock.report("unmatched, unused").reasons == ["unmatched", "unused"]
    assert mock.report(ignore="/user/*").passed and mock.report(ignore=["/user/*"]).passed
    with pytest.raises(ValueError, match="expected of unmatched, .*found 'unmached'; did you mean 'unmatched'"):
        mock.check(fail_on="unmached")


@pytest.mark.parametrize("what", [None, 7, ["GET /a"], b"GET /a"])
def test_what_means_no_requests_is_told(mock: Session, what):
    with pytest.raises(TypeError, match="expected a route's key such as .*a request pattern or a stub; found"):
        mock.verify(what)


@pytest.mark.parametrize(
    "given",
    [
        [{"request": {"url": "/a"}, "response": {"body": "a"}}, {"request": {"url": "/b"}, "response": {"body": "b"}}],
        ({"GET /a": {"body": "a"}}, {"request": {"url": "/b"}, "response": {"body": "b"}}),
        [{"GET /a": {"body": "a"}, "GET /b": {"body": "b"}}],
        {"GET /a": {"body": b"a"}, "GET /b": {"body": "b"}},
        {"mappings": [{"request": {"url": "/a"}, "response": {"body": "a"}}, {"request": {"url": "/b"}, "response": {"body": "b"}}]},
    ],
)
def test_several_stubs_in_one_call(mock: Session, given):
    stubs = mock.stub(given)
    assert (get(mock.url + "/a"), get(mock.url + "/b")) == ((200, "a"), (200, "b"))
    first, second = stubs
    mock.verify(first, 1)
    mock.verify(stubs[1], 1)
    with pytest.raises(ValueError, match="several stubs"):
        mock.verify(stubs)
    first.remove()
    assert get(mock.url + "/a")[0] == 404
    mock.stub(given).remove()
    assert get(mock.url + "/a")[0] == 404
    second.remove()
    assert get(mock.url + "/b")[0] == 404


def test_several_stubs_stand_in_their_order(mock: Session):
    routes = {"GET /1": {}, "GET /2": [{"when": {"json": 1}}, {}], "CRUD /books": {"data": []}}
    stubs = mock.stub([{"request": {"url": "/0"}}, routes, {"request": {"url": "/9"}}])
    patterns = [stub.pattern for stub in stubs]
    assert [pattern.get("url") or pattern.get("urlPath") for pattern in patterns[:4]] == ["/0", "/1", "/2", "/2"]
    assert "bodyPatterns" in patterns[2] and patterns[-1]["url"] == "/9" and len(stubs) > 6


def test_of_several_stubs_with_a_mistake_none_is_added(mock: Session):
    with pytest.raises(AdminError, match='did you mean "status"') as raised:
        mock.stub({"GET /a": {}, "GET /b": {"stauts": 200}})
    assert ".json" not in str(raised.value)
    assert get(mock.url + "/a")[0] == 404
    for wrong, said in [([], "one stub or more"), ({}, "one stub or more"), (7, "a list of mappings"), ([{"GET /a": {}}], "all of itself")]:
        with pytest.raises((TypeError, ValueError), match=said):
            mock.stub(wrong, **({"status": 201} if wrong and wrong != 7 else {}))


def test_a_list_of_responses_is_tried_in_its_order(mock: Session):
    orders = mock.stub("POST /orders", [{"when": {"json": {"n": 1}}, "status": 201, "body": b"one"}, {"status": 422}])
    assert get(mock.url + "/orders", data=b'{"n": 1}') == (201, "one")
    assert get(mock.url + "/orders", data=b"{}")[0] == 422
    mock.verify(orders, 2)
    orders.remove()
    assert get(mock.url + "/orders", data=b"{}")[0] == 404
    with pytest.raises(AdminError, match=r"json=\[…\]"):
        mock.stub("GET /users", [{"id": 1}])
    for wrong in ([], [1], "text", b"text"):
        with pytest.raises(TypeError, match=r"json=\[\]"):
            mock.stub("GET /users", wrong)
    with pytest.raises(TypeError, match="not taken beside it: delay"):
        mock.stub("GET /users", [{}], delay="1s")


@pytest.mark.parametrize("path", ["/scenarios", "scenarios", "/__admin/scenarios", "__admin/scenarios"])
def test_a_call_of_the_admin_api_has_its_prefix_or_not(mock: Session, path):
    assert mock.admin("GET", path) == {"scenarios": []}
    assert mock.admin("GET", path + "?_=1") == {"scenarios": []}
    with pytest.raises(AdminError, match="/__admin/none"):
        mock.admin("GET", "/none")
    assert "<html" in mock.admin("GET", "/docs")


@pytest.mark.parametrize(
    "name, call, listed, meant",
    [
        ("coutn", "verify", "count, at_least, at_most and within", "count"),
        ("times", "verify", "count, at_least, at_most and within", "count"),
        ("exactly", "verify", "count, at_least, at_most and within", "count"),
        ("atLeast", "verify", "count, at_least, at_most and within", "at_least"),
        ("minimum", "verify", "count, at_least, at_most and within", "at_least"),
        ("timeout", "verify", "count, at_least, at_most and within", "within"),
        ("foo", "verify", "count, at_least, at_most and within", None),
        ("within", "wait_for", "count and timeout", "timeout"),
        ("timeout", "verify_in_order", "within", "within"),
        ("failOn", "report", "fail_on and ignore", "fail_on"),
        ("ignored", "check", "fail_on and ignore", "ignore"),
        ("fmt", "render", "format, fail_on and ignore", "format"),
        ("count", "requests", "no options", None),
    ],
)
def test_an_unknown_option_is_named_with_those_that_there_are(mock: Session, name, call, listed, meant):
    with pytest.raises(TypeError) as raised:
        getattr(mock, call)(*(["GET /a"] if call[0] in "vw" else []), **{name: 1})
    hint = f"; did you mean {meant!r}?" if meant else ""
    assert str(raised.value) == f"{call}() takes {listed}; found {name!r}{hint}"


def test_an_unknown_option_of_a_server_or_a_session_is_named_too(server: Server):
    with pytest.raises(TypeError, match=r"^Server\(\) takes mocks, args, url, binary and admin_token; found 'arg'; did you mean 'args'?"):
        Server(arg=["--verbose"])
    with pytest.raises(AdminError, match='did you mean "httpsPort"'):
        server.session(https_port=0)


def test_a_response_may_be_a_mapping(mock: Session):
    mock.stub("GET /a", {"json": [1], "status": 201})
    mock.stub("GET /b", {"body": b"b"}, status=202)
    assert (get(mock.url + "/a"), get(mock.url + "/b")) == ((201, "[1]"), (202, "b"))
    with pytest.raises(TypeError, match="found 'GET', '/a'"):
        mock.stub("GET", "/a", json=[])


def test_a_function_makes_answers(mock: Session):
    def double(request):
        return {"status": 201, "headers": {"X-Path": request.url, "X-Id": request.header("x-id")}, "json": {"twice": request.json() * 2}}

    stub = mock.handle("POST /double/{x}", double, when={"headers": {"X-Id": {"matches": ".+"}}}, name="double")
    assert get(mock.url + "/double/a?b=c", {"X-Id": "7"}, b"21") == (201, '{"twice":42}')
    assert get(mock.url + "/double/a", data=b"21")[0] == 404
    assert mock.requests(stub)[0].status == 201
    for answer, expected in [(None, (200, "")), ("ä", (200, "ä")), (b"x", (200, "x")), ({"status": 404}, (404, ""))]:
        mock.handle("GET /any", lambda request: answer)
        assert get(mock.url + "/any") == expected
    assert mock.handler_failures == []
    request = urllib.request.Request(mock.url + "/chunks", iter([b"one ", b"two"]), {"Transfer-Encoding": "chunked"})
    mock.handle("POST /chunks", lambda request: request.body)
    with urllib.request.urlopen(request) as answer:
        assert answer.read() == b"one two"


@pytest.mark.parametrize(
    "key, sent, variables, query",
    [
        ("GET /users/{id}", "/users/a%20b?x=1&x=2&y=", {"id": "a b"}, {"x": ["1", "2"], "y": [""]}),
        ("GET /straße/{nr}/**?q={any}", "/stra%C3%9Fe/%C3%A9.1/x/y?q=a+b", {"nr": "é.1"}, {"q": ["a b"]}),
        ("GET /img/{name}.{kind}", "/img/a.b.png", {"name": "a.b", "kind": "png"}, {}),
        ("GET ~/v[12]/.*", "/v1/x", {}, {}),
        ("GET =/x?a=1", "/x?a=1", {}, {"a": ["1"]}),
    ],
)
def test_a_function_gets_the_variables_of_its_path_and_the_query(mock: Session, key, sent, variables, query):
    mock.handle(key, lambda request: {"json": [request.variables, request.query]})
    assert json.loads(get(mock.url + sent)[1]) == [variables, query]


def test_a_function_may_ask_the_mock_and_many_run_at_once(mock: Session):
    mock.stub("GET /price", json=3)
    barrier = threading.Barrier(8)

    def slow(request):
        barrier.wait(30)
        return get(mock.url + "/price")[1]

    mock.handle("GET /slow", slow)
    said = []
    threads = [threading.Thread(target=lambda: said.append(get(mock.url + "/slow"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [(200, "3")] * 8


def test_a_client_that_leaves_a_handler_is_no_failure(mock: Session, capfd: pytest.CaptureFixture):
    released = threading.Event()
    mock.handle("GET /slow", lambda request: released.wait(30) and b"x" * 1_000_000)
    with pytest.raises(OSError):
        urllib.request.urlopen(mock.url + "/slow", timeout=0.2)
    released.set()
    mock.admin("POST", "/requests/idle", {"quietMs": 50})
    assert mock.handler_failures == [] and capfd.readouterr().err == ""


def test_what_a_function_raises_makes_the_verdict_bad(mock: Session):
    mock.handle("GET /wrong", lambda request: {"jsn": 1})
    mock.handle("GET /raises", lambda request: 1 / 0)
    assert get(mock.url + "/wrong")[0] == get(mock.url + "/raises")[0] == 500
    mock.handle("GET /header", lambda request: {"headers": {"A": "b\r\nC: d"}})
    mock.handle("GET /letters", lambda request: {"headers": {"A": "ł"}})
    assert get(mock.url + "/header")[0] == get(mock.url + "/letters")[0] == 500
    assert "line ends" in mock.handler_failures[2] and "UnicodeEncodeError" in mock.handler_failures[3]
    assert mock.handler_failures[1].startswith("the handler of GET /raises failed: ZeroDivisionError: division by zero\n")
    assert "_handlers.py" not in mock.handler_failures[1]
    assert "found 'jsn'" in mock.handler_failures[0] and "GET /raises failed" in mock.handler_failures[1]
    with pytest.raises(VerificationError, match="ZeroDivisionError"):
        mock.check()
    with pytest.raises(TypeError, match="a function"):
        mock.handle("GET /a", {"json": 1})


def test_a_collection_is_several_stubs(mock: Session):
    users = mock.stub("CRUD /users", data=[{"id": 1, "name": "Ada"}])
    assert get(mock.url + "/users/1") == (200, '{"id":1,"name":"Ada"}')
    mock.verify("GET /users/{id}", 1)
    with pytest.raises(ValueError, match="name the request"):
        mock.verify(users, 1)
    assert len(users) == len(list(users)) > 2 and users[0].pattern["method"]
    users.remove()
    assert get(mock.url + "/users/1")[0] == get(mock.url + "/users")[0] == 404


def test_errors_have_the_names_that_are_imported():
    for public in (AdminError, StartError, StuntDoubleError, VerificationError, Session, Server):
        assert public.__module__ == "stuntdouble_server"


def test_a_refused_call_names_the_fix(mock: Session):
    with pytest.raises(AdminError, match='did you mean "status"') as raised:
        mock.stub("GET /a", stauts=200)
    assert raised.value.status == 422
    assert str(raised.value).startswith('["GET /a"].stauts: unknown key')


def test_the_daemon_says_why_it_does_not_start(tmp_path: Path):
    (tmp_path / "bad.yaml").write_text("GET /a: { stauts: 200 }\n")
    with pytest.raises(StartError, match='did you mean "status"'):
        Server(tmp_path).start()
    with pytest.raises(StartError, match="cannot run"):
        Server(binary=tmp_path / "none").start()
    with pytest.raises(StartError, match="ended with status 0 and serves nothing:\nstuntdouble [0-9]"):
        Server(args=["--version"]).start()
    another = tmp_path / "another"
    another.write_text("#!/bin/sh\necho I am another; echo and say so >&2; exit 3\n")
    another.chmod(0o755)
    with pytest.raises(StartError, match="ended with status 3 and serves nothing:\nI am another\nand say so"):
        Server(binary=another).start()


def test_a_server_that_is_another_is_told():
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_error(404)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        with pytest.raises(AdminError, match="has no sessions, so it is no Stunt Double"):
            Server(url=f"http://127.0.0.1:{other.server_address[1]}").session()
        other.shutdown()


def test_a_session_of_one_of_several_replicas_has_a_path():
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            is_refused = "port" in asked or "httpsPort" in asked
            url = f"http://{self.headers['Host']}/__session/s1"
            answer = {"errors": [{"code": 10, "title": "no port"}]} if is_refused else {"id": "s1", "port": None, "url": url}
            self.send_response(422 if is_refused else 201)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def do_DELETE(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as replica:
        threading.Thread(target=replica.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{replica.server_address[1]}"
        with Server(url=url).session() as session:
            assert session.url == f"{url}/__session/s1"
        with pytest.raises(AdminError, match="422"):
            Server(url=url).session(httpsPort=0)
        replica.shutdown()


def test_a_running_daemon_is_used_and_not_ended(server: Server):
    with Server(url=server.url) as same, same.session() as session:
        assert get(session.url + "/shared") == (200, "shared")
    assert get(server.url + "/shared")[0] == 200
    with pytest.raises(AdminError, match="no answer"):
        Server(url="http://127.0.0.1:1").session()


def test_the_daemon_ends_with_the_process_that_started_it():
    program = "from stuntdouble_server import Server; s = Server().start(); print(s._process.pid, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        daemon = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while _runs(daemon):
        assert time.monotonic() < deadline, "the daemon still runs"
        time.sleep(0.01)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_daemon_whose_input_a_forked_process_holds_is_ended_by_a_signal():
    server = Server().start()
    process = server._process
    assert process
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(write)
        os.read(read, 1)  # until the test has closed the other end
        os._exit(0)
    os.close(read)
    server.stop()
    os.close(write)
    os.waitpid(child, 0)
    assert process.returncode == 0


def _runs(process: int) -> bool:
    try:
        # One that has ended and that nobody has waited for does not run.
        return " Z " not in Path(f"/proc/{process}/stat").read_text() if Path("/proc").is_dir() else not os.kill(process, 0)
    except OSError:
        return False


def test_the_module_is_the_command():
    said = subprocess.run([sys.executable, "-m", "stuntdouble_server", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("stuntdouble ")
    none = {**os.environ, "STUNTDOUBLE_BINARY": "/none"}
    failed = subprocess.run([sys.executable, "-m", "stuntdouble_server"], capture_output=True, text=True, env=none)
    assert failed.returncode == 1 and "/none" in failed.stderr
