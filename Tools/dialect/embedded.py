"""Files that are part of the binary, compressed: the admin API's document, the page, pages of `docs/` for agents.

Each is packed into a file of its own beside the C table that embeds it. Which bytes the packing gives differs between
versions of zlib, so a packed file is old if what it unpacks to is.
"""

import gzip
import re
import zlib
from pathlib import Path
from typing import Dict, List, Union

ROOT = Path(__file__).resolve().parent.parent.parent

# The files that each C target embeds; `*` stands for all files of a folder. Beside the target's folder: its prefix.
EMBEDDED = {
    ("Sources/Admin/CResources", "rs"): ["Sources/Admin/CResources/openapi.json", "Sources/Admin/CResources/ui/*"],
    ("Sources/Tools/CPages", "pg"): [
        "docs/agents.md", "docs/routes.md", "docs/matching.md", "docs/waiting.md", "docs/faults.md",
    ],
}

Content = Union[str, bytes]


def files(made: Dict[str, str]) -> Dict[str, Content]:
    """The packed files and the tables of them. What this run makes itself is packed as it will be."""
    result: Dict[str, Content] = {}
    for (folder, prefix), patterns in EMBEDDED.items():
        sources = [path for pattern in patterns for path in _paths(pattern)]
        names = [Path(source).name for source in sources]
        assert len(set(names)) == len(names), "two embedded files of one name"
        for source, name in zip(sources, names):
            content = made[source].encode() if source in made else (ROOT / source).read_bytes()
            result[f"{folder}/packed/{name}.gz"] = gzip.compress(content, 9, mtime=0)
        result[f"{folder}/files.c"] = _table(prefix, names)
    return result


def left_over(made: Dict[str, Content]) -> List[str]:
    """Packed files whose source is gone."""
    folders = [f"{folder}/packed" for folder, _ in EMBEDDED]
    there = [f"{folder}/{path.name}" for folder in folders for path in sorted((ROOT / folder).glob("*"))]
    return [path for path in there if path not in made]


def unpacked(content: bytes) -> bytes:
    """The content of a packed file; nothing of one that is broken."""
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return b""


def _paths(pattern: str) -> List[str]:
    if not pattern.endswith("/*"):
        return [pattern]
    hidden = (".", "~")
    found = [path for path in (ROOT / pattern[:-2]).iterdir() if path.is_file()]
    return sorted(pattern[:-1] + one.name for one in found if not one.name.startswith(hidden))


def _table(prefix: str, names: List[str]) -> str:
    def word(name: str) -> str:
        return re.sub(r"\W", "_", name)

    arrays = "".join(
        f'static const unsigned char {word(name)}[] = {{\n#embed "packed/{name}.gz"\n}};\n\n' for name in names
    )
    rows = "".join(f'    {{"{name}", {word(name)}, sizeof {word(name)}}},\n' for name in names)
    return f"""/* Made by `make dialect` of the list in Tools/dialect/embedded.py; do not edit. */
#include "files.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

{arrays}static const {prefix}_file files[] = {{
{rows}}};

const {prefix}_file *{prefix}_files(size_t *count) {{
    *count = sizeof files / sizeof *files;
    return files;
}}
"""
