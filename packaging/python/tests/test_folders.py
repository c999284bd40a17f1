"""A folder of stubs is the same by every way: served by a daemon, or loaded into a session. STUNTDOUBLE_DOCS is the folder of the pages, beside which that of
the examples stands, if it is not the checkout's."""

import os
import urllib.request
from pathlib import Path

import pytest

from stuntdouble_server import AdminError, Server, StuntDoubleWarning

EXAMPLES = Path(os.environ.get("STUNTDOUBLE_DOCS") or Path(__file__).resolve().parents[3] / "docs").parent / "Examples"
ROUTE = "GET /x: {{ body: {} }}\n"
FOLDERS = {
    "the last name wins": {"a.yaml": ROUTE.format("a"), "b.yaml": ROUTE.format("b")},
    "names in the order of their bytes": {"a/b.yaml": ROUTE.format("inner"), "a-b.yaml": ROUTE.format("outer"), "B.yaml": ROUTE.format("B")},
    "endings in capitals": {"A.YAML": ROUTE.format("a"), "b.Json": '{"GET /b": {"body": "b"}}', "c.txt": "GET /c: {}"},
    "mappings, and nothing beside it": {"mappings/a.yaml": ROUTE.format("a"), "b.yaml": ROUTE.format("b"), "__files/f.txt": "f"},
    "what is left out": {".a.yaml": ROUTE.format("a"), "node_modules/b.yaml": ROUTE.format("b"), "c/__files/d.yaml": ROUTE.format("d"), "e.yaml": ""},
    "what has no stubs": {"a.yaml": "", "b.yaml": "# nothing yet\n", "c.json": " \n", "package.json": '{"version": "1"}', "d.yaml": ROUTE.format("d")},
    "cors for the folder": {"a.yaml": ROUTE.format("a"), "cors.yaml": "cors: true\n"},
    "cors for a folder within": {"a.yaml": "GET /y: {}\n", "in/b.yaml": ROUTE.format("b"), "in/c.yaml": "cors: { origins: [\"http://page\"] }\n"},
    "cors in mappings": {"mappings/a.yaml": ROUTE.format("a"), "mappings/cors.yaml": "cors: true\n"},
    "cors alone": {"cors.yaml": "cors: true\n"},
    "sets of faults": {"a.yaml": ROUTE.format("a"), "faults.yaml": "chaos: { slow: [{ delay: 1ms }], down: [{ status: 503 }] }\n"},
    "sets of faults beside stubs": {"a.yaml": ROUTE.format("a") + "chaos: { down: [{ status: 503 }] }\n"},
}


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


def written(folder: Path, files: "dict[str, str]") -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def seen(session) -> "dict[str, object]":
    """What a folder has made of a daemon or a session."""
    answers = {}
    for path in ("/x", "/y", "/none"):
        request = urllib.request.Request(session.url + path, headers={"Origin": "http://page"})
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            answers[path] = (answer.status, answer.headers["Access-Control-Allow-Origin"], answer.read() if answer.status == 200 else b"")
    sets = session.admin("GET", "/faults")["sets"]
    return {"stubs": [stub["id"] for stub in session.admin("GET", "/mappings")["mappings"]], "sets": sets, **answers}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*FOLDERS, "the example"])
def test_a_folder_is_the_same_served_and_loaded(server: Server, tmp_path: Path, name: str):
    folder = EXAMPLES / "WebShop" / "mocks" if name == "the example" else written(tmp_path, FOLDERS[name])
    with Server(folder) as other, server.session(mocks=folder) as session, server.session() as neighbour:
        served = seen(other.shared)
        assert seen(session) == served
        session.stub("GET /x", body="another")
        session.reset()
        assert seen(session) == served
        assert session.requests("GET /x") != []
        session.reset()
        assert session.requests() == []
        # No other session has any of it.
        assert seen(neighbour) == {"stubs": [], "sets": [], **{path: (404, None, b"") for path in ("/x", "/y", "/none")}}


def test_links_are_followed(server: Server, tmp_path: Path):
    written(tmp_path, {"real/a.yaml": ROUTE.format("a"), "mocks/b.yaml": "GET /y: {}\n"})
    os.symlink("../real", tmp_path / "mocks" / "linked")
    os.symlink("..", tmp_path / "mocks" / "circle")
    os.symlink("nowhere.yaml", tmp_path / "mocks" / "c.yaml")
    with server.session(mocks=tmp_path / "mocks") as session:
        assert len(session.admin("GET", "/mappings")["mappings"]) >= 2
        assert urllib.request.urlopen(session.url + "/x").read() == b"a"


def test_a_set_of_faults_of_the_folder_is_switched_on(server: Server, tmp_path: Path):
    written(tmp_path, FOLDERS["sets of faults"])
    with server.session(mocks=tmp_path) as session:
        session.admin("PUT", "/faults/sets/down")
        with pytest.raises(urllib.error.HTTPError, match="503"):
            urllib.request.urlopen(session.url + "/x")
        session.reset()
        assert urllib.request.urlopen(session.url + "/x").read() == b"a"


def test_a_stub_that_cannot_be_served_is_told_with_its_file(server: Server, tmp_path: Path):
    written(tmp_path, {"shop/a.yaml": "GET /b: {}\nGET /c: { when: { body: { matches: \"(\" } } }\n"})
    with pytest.raises(AdminError, match=r"shop/a\.yaml:2:27: error: .*Unclosed group"):
        server.session(mocks=tmp_path)


BROKEN = "GET /x: { body: a }\nGET /y: { boddy: b }\n"


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_file_with_errors_has_its_valid_stubs_where_the_daemon_keeps_going(server: Server, tmp_path: Path, is_folder: bool):
    file = written(tmp_path, {"shop/a.yaml": BROKEN}) / "shop" / "a.yaml"
    given = file.parent if is_folder else file
    with pytest.raises(AdminError, match=r"a\.yaml:2:\d+: error: .*did you mean .*body"):
        server.session(mocks=given)
    with Server(args=["--keep-going"]) as other:
        with pytest.warns(StuntDoubleWarning, match=r"a\.yaml:2:\d+: error: .*did you mean .*body"):
            session = other.session(mocks=given)
        with session:
            assert urllib.request.urlopen(session.url + "/x").read() == b"a"
            session.reset()
            assert urllib.request.urlopen(session.url + "/x").read() == b"a"
            # A stub that a test writes is refused all the same.
            with pytest.raises(AdminError, match="did you mean .*body"):
                session.stub("GET /z", boddy="z")


@pytest.mark.parametrize("given, meant", [("mock", "mocks"), ("mocks/user.yaml", "mocks/users.yaml"), ("in/mocks", "mocks")])
def test_a_path_that_is_not_there_has_a_guess(server: Server, tmp_path: Path, given: str, meant: str):
    written(tmp_path, {"mocks/users.yaml": ROUTE.format("a"), "in/other/test.py": ""})
    with pytest.raises(FileNotFoundError, match=f"no stub file or folder: .*{given}; did you mean {tmp_path / meant}\\?$"):
        server.session(mocks=tmp_path / given)
