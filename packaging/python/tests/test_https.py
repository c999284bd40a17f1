"""HTTPS from Python: an address, or how to have one, and the authority as the libraries take it."""

import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from stuntdouble_server import AdminError, Server, Session, StuntDoubleError


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authority is made where the daemon keeps it."""
    monkeypatch.setenv("STUNTDOUBLE_STATE_DIR", str(tmp_path / "state"))


def get(url: str, context: ssl.SSLContext) -> bytes:
    with urllib.request.urlopen(url, context=context) as answer:
        return answer.read()


def by_urllib(mock: Session) -> bytes:
    return get(mock.https_url + "/a", mock.ssl_context)


def by_requests(mock: Session) -> bytes:
    requests = pytest.importorskip("requests")
    return requests.get(mock.https_url + "/a", verify=mock.ca).content


def by_httpx(mock: Session) -> bytes:
    httpx = pytest.importorskip("httpx")
    return httpx.get(mock.https_url + "/a", verify=mock.ssl_context).content


def by_a_program_of_its_own(mock: Session) -> bytes:
    program = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode(), end='')"
    words = [sys.executable, "-c", program, mock.https_url + "/a"]
    return subprocess.run(words, env={"SSL_CERT_FILE": mock.ca}, check=True, capture_output=True).stdout


CLIENTS = [by_urllib, by_requests, by_httpx, by_a_program_of_its_own]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_session_with_a_port_of_its_own(client):
    with Server() as server, server.session(httpsPort=0) as mock:
        mock.stub("GET /a", body="a")
        assert client(mock) == b"a"
        mock.verify("GET /a", 1)
        assert mock.ca == server.ca and mock.ssl_context is server.ssl_context


@pytest.mark.parametrize("client", CLIENTS)
def test_any_session_of_a_daemon_that_serves_https(client):
    with Server(args=["--https-port", "0"]) as server, server.session() as mock, server.session() as other:
        assert server.https_url.startswith("https://127.0.0.1:")
        mock.stub("GET /a", body="mock")
        other.stub("GET /a", body="other")
        server.shared.stub("GET /a", body="shared")
        assert [client(session) for session in (mock, other, server.shared)] == [b"mock", b"other", b"shared"]
        mock.verify("GET /a", 1)


@pytest.mark.filterwarnings("ignore::stuntdouble_server.StuntDoubleWarning")
def test_the_certificate_of_the_mock_alone_is_not_what_a_client_trusts_without_being_told():
    with Server() as server, server.session(httpsPort=0) as mock:
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            get(mock.https_url + "/a", ssl.create_default_context())


def test_without_https_it_says_how():
    with Server() as server, server.session() as mock:
        for wanted, said in [
            (lambda: mock.https_url, r"httpsPort=0.*--https-port 0"),
            (lambda: server.https_url, r"--https-port.*httpsPort=0"),
            (lambda: mock.ca, r"no authority.*httpsPort=0"),
            (lambda: server.ssl_context, r"no authority.*httpsPort=0"),
        ]:
            with pytest.raises(StuntDoubleError, match=said):
                wanted()
        # The authority is there once a session asks for it.
        with server.session(httpsPort=0) as second:
            assert Path(second.ca).read_text() == Path(server.ca).read_text() == Path(mock.ca).read_text()


def test_the_file_of_the_authority_ends_with_the_process():
    program = "from stuntdouble_server import Server; s = Server().start(); print(s.session(httpsPort=0).ca)"
    path = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()
    assert path.endswith(".pem") and not Path(path).exists() and not Path(path).parent.exists()


@pytest.mark.filterwarnings("ignore::stuntdouble_server.StuntDoubleWarning")
def test_a_daemon_by_https_that_is_not_trusted_says_how():
    with Server(args=["--https-port", "0"]) as server:
        with pytest.raises(AdminError, match="SSL_CERT_FILE"):
            Server(url=server.https_url).session()
