"""The READMEs that are handed out lead nowhere that is not there: packages' pages in their registries, and an archive's documents."""

import re
import sys
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

PACKAGING = Path(__file__).resolve().parents[2]
if not (PACKAGING / "handed_out.py").is_file():
    pytest.skip("what hands them out is not here", allow_module_level=True)
sys.path[:0] = [str(PACKAGING), str(PACKAGING / "python")]

import build  # noqa: E402
import handed_out  # noqa: E402

HOME = "https://git.somewhere.dev/stuntdouble"


def links(text: str) -> "list[str]":
    """The targets of all links: in brackets, as definitions, in angle brackets and in HTML."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    forms = (r"\]\(\s*<?([^)>\s]+)", r"^\[[^\]]+\]:\s*(\S+)", r"<(https?:[^>]+)>", r"(?:href|src)=[\"']?([^\"'\s>]+)")
    return [target for form in forms for target in re.findall(form, prose, re.M)]


def anchors(text: str) -> "set[str]":
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def dead(text: str) -> "list[str]":
    def lives(target: str) -> bool:
        if target.startswith("#"):
            return target[1:] in anchors(text)
        return urlsplit(target).scheme == "https" and not handed_out.is_placeholder(target)

    return [target for target in links(text) if not lives(target)]


@pytest.mark.parametrize("url", [None, HOME])
@pytest.mark.parametrize("path", handed_out.PAGES)
def test_no_link_leads_nowhere(path, url):
    text = handed_out.page(path, "1.2.3", url)
    assert dead(text) == []
    for target in links(text):
        if target.startswith(HOME):
            place, _, anchor = target[len(HOME) :].partition("#")
            kind = "/raw/1.2.3/" if place.endswith(".png") else "/blob/1.2.3/"
            assert place.startswith(kind)
            file = handed_out.ROOT / place[len(kind) :]
            assert file.exists(), target
            assert not anchor or anchor in anchors(file.read_text()), target


def test_the_check_finds_what_leads_nowhere():
    text = (handed_out.ROOT / "README.md").read_text()
    assert "docs/start.md" in dead(text)
    for bad in ("[a](docs/x.md)", "[a](#none)", "[a]: docs/x.md", "<https://example.com/x>", '<img src="x.png">', "[a](http://x.dev)"):
        assert dead(f"# Title\n\n{bad}\n"), bad


def test_as_long_as_there_is_no_home_words_are_left_of_links(tmp_path: Path):
    assert "[Start here](" not in handed_out.page("README.md", "1.2.3", None)
    assert "Start here" in handed_out.page("README.md", "1.2.3", None)
    assert "![" not in handed_out.page("README.md", "1.2.3", None)
    assert f"]({HOME}/raw/1.2.3/docs/page-requests.png)" in handed_out.page("README.md", "1.2.3", HOME)
    assert f"[Start here]({HOME}/blob/1.2.3/docs/start.md)" in handed_out.page("README.md", "1.2.3", HOME)
    for url, kept in (("https://example.com/x", False), ("https://a.example.org", False), (HOME, True), ("https://example.dev", True)):
        assert handed_out.is_placeholder(url) is not kept, url


def test_the_page_of_the_wheel_is_the_one_that_is_handed_out(tmp_path: Path):
    with zipfile.ZipFile(build.build("1.2.3", "any", tmp_path, None)) as wheel:
        metadata = wheel.read("stuntdouble_server-1.2.3.dist-info/METADATA").decode()
    head, _, text = metadata.partition("\n\n")
    assert text == handed_out.page("packaging/python/README.md", "1.2.3")
    assert "Name: stuntdouble-server\n" in head and "example.com" not in head and dead(text) == []
