"""What the daemon warns of reaches whoever has called, at the line of the call."""

import ssl
import subprocess
import sys
import time
import urllib.request
import warnings
from pathlib import Path

import pytest

from stuntdouble_server import Server, Session, StuntDoubleWarning

DOUBTFUL = {"request": {"method": "get", "url": "/ä"}}


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


@pytest.fixture
def mock(server: Server):
    with server.session() as session:
        yield session


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda mock: mock.stub(DOUBTFUL), 'request.method: methods are case-sensitive.*did you mean "GET"'),
        (lambda mock: mock.stub("GET /users/:id"), r'\["GET /users/:id"\]: :id is literal.*did you mean "/users/{id}"'),
        (lambda mock: mock.stub("GET /a", [{"status": 200}, {"status": 201}]), r'\["GET /a"\]'),
        (lambda mock: mock.stub({"GET /users/:id": {}}), ":id is literal"),
        (lambda mock: mock.stub([DOUBTFUL]), "case-sensitive"),
        (lambda mock: mock.load_text("GET /users/:id: {}", "mine.yaml"), "mine.yaml:1:1: .*:id is literal"),
        (lambda mock: mock.count({"method": "get"}), "case-sensitive"),
        (lambda mock: mock.admin("POST", "/mappings", DOUBTFUL), "case-sensitive"),
        (lambda mock: mock.handle("GET /users/:id", lambda request: None), ":id is literal"),
    ],
)
def test_a_call(mock: Session, call, said):
    with pytest.warns(StuntDoubleWarning, match=said) as caught:
        call(mock)
    [warning] = [one for one in caught if one.category is StuntDoubleWarning]
    assert warning.filename == __file__
    assert "stub-" not in str(warning.message)


def test_letters_beyond_ascii_are_those_of_the_stub(mock: Session):
    with pytest.warns(StuntDoubleWarning) as caught:
        mock.stub({"request": {"method": "gét", "url": "/a"}})
    assert all("\\u{" not in str(one.message) for one in caught)


def test_a_call_without_doubts_warns_of_nothing(server: Server):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with server.session() as mock:
            mock.stub("GET /a", [{"when": {"json": 1}}, {"status": 422}])
            mock.verify("GET /a", 0)
            # What nothing answers is the verdict's, however often it comes.
            for _ in range(30):
                with pytest.raises(OSError):
                    urllib.request.urlopen(mock.url + "/nothing")


def test_a_stub_file_at_the_start(tmp_path: Path):
    (tmp_path / "a.yaml").write_text("GET /users/:id: { body: a }\n")
    with pytest.warns(StuntDoubleWarning, match=r"a\.yaml:1:1: .*:id is literal") as caught:
        server = Server(tmp_path).start()
    assert [one.filename for one in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        server.stop()


def test_a_folder_without_stubs(tmp_path: Path):
    with pytest.warns(StuntDoubleWarning, match="no stubs"):
        Server(tmp_path).start().stop()


def test_what_was_told_by_an_answer_is_not_told_again_by_the_log(server: Server):
    with pytest.warns(StuntDoubleWarning) as caught:
        with server.session() as mock:
            mock.stub(DOUBTFUL)
            mock.stub("GET /twice/:id")
    assert len(caught) == 2


def test_a_handshake_that_fails_is_told_when_the_session_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STUNTDOUBLE_STATE_DIR", str(tmp_path / "state"))
    with Server() as server:
        mock = server.session(httpsPort=0)
        with pytest.raises(OSError):
            urllib.request.urlopen(mock.https_url, context=ssl.create_default_context())
        # The log is written by another thread than the one that answers.
        deadline = time.monotonic() + 30
        while "handshake" not in server.log:
            assert time.monotonic() < deadline, server.log
            time.sleep(0.01)
        with pytest.warns(StuntDoubleWarning, match="ended the TLS handshake: it does not trust"):
            mock.close()


def test_where_warnings_are_errors_nothing_is_left_behind(tmp_path: Path):
    (tmp_path / "a.yaml").write_text("GET /users/:id: { body: a }\n")
    program = f"from stuntdouble_server import Server; Server({str(tmp_path)!r}).start()"
    words = [sys.executable, "-W", "error", "-c", program]
    run = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and run.stderr.count("StuntDoubleWarning: ") == 1, run.stderr
