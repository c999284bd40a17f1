"""What READMEs say once they are handed out, apart from the files that their links lead to in the repository."""

import json
import re
from pathlib import Path
from typing import Dict, Optional
from urllib.parse import urlsplit

PACKAGING = Path(__file__).resolve().parent
ROOT = PACKAGING.parent
PROJECT: Dict[str, str] = json.loads((PACKAGING / "project.json").read_text())
# A link, or a picture, whose first group is its mark.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
# Whose text goes where: packages' pages in their registries, and the documents of archives and of the Debian package.
PAGES = ("packaging/python/README.md", "packaging/npm/stuntdouble-server/README.md", "README.md", "CHANGELOG.md")


def home() -> Optional[str]:
    """The project's URL; None as long as it is a placeholder, to which no link may lead."""
    return None if is_placeholder(PROJECT["url"]) else PROJECT["url"]


def is_placeholder(url: str) -> bool:
    """Whether RFC 2606 keeps the name of the host for examples."""
    return re.search(r"(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid|test|localhost)$", urlsplit(url).hostname or "") is not None


def page(path: str, version: str, url: Optional[str] = home()) -> str:
    """The text of a page of the repository.

    Links to other files lead to the project's home at the tag of the version; where it has none yet, only their words are
    left, and no picture.
    """
    inside = False
    lines = []

    def replaced(found: "re.Match[str]") -> str:
        return _link(*found.groups(), path, version, url)

    for line in (ROOT / path).read_text(encoding="utf-8").splitlines(keepends=True):
        inside ^= line.startswith("```")
        lines.append(line if inside else LINK.sub(replaced, line))
    return "".join(lines)


def _link(mark: str, text: str, target: str, path: str, version: str, url: Optional[str]) -> str:
    if target.startswith("#") or (urlsplit(target).scheme and not is_placeholder(target)):
        return f"{mark}[{text}]({target})"
    if url is None or urlsplit(target).scheme:
        return "" if mark else text
    file, sign, anchor = target.partition("#")
    place = (ROOT / path).parent.joinpath(file).resolve().relative_to(ROOT).as_posix()
    return f"{mark}[{text}]({url}/{'raw' if mark else 'blob'}/{version}/{place}{sign}{anchor})"
