"""Writes what is made of the dialect's table, `Sources/Dialect/Table/*.dialect`; with `--check`, says what is old.

    python3 Tools/dialect [--check] [--table FOLDER]

Each module of this folder with a function `files(dialect)` gives the texts of some files, by their paths; `embedded` packs
those, and others, which are part of the binary.
"""

import sys
from pathlib import Path
from typing import Dict

import embedded
import json_schema
import openapi
import pages
import python_types
import swift_cases
import swift_faults
import swift_kit
import swift_models
import swift_unions
import swift_words
import typescript
from notation import Dialect, NotationError

ROOT = Path(__file__).resolve().parent.parent.parent
PRINTERS = [
    json_schema, openapi, pages, python_types, swift_cases, swift_faults, swift_kit, swift_models, swift_unions, swift_words, typescript,
]


def is_old(path: str, content: embedded.Content) -> bool:
    file = ROOT / path
    if not file.exists():
        return True
    if isinstance(content, bytes):
        return embedded.unpacked(file.read_bytes()) != embedded.unpacked(content)
    return file.read_text() != content


def main() -> int:
    try:
        others = sys.argv[sys.argv.index("--table") + 1 :] if "--table" in sys.argv else []
        dialect = Dialect.read(Path(others[0]) if others else ROOT / "Sources/Dialect/Table")
        texts = {path: text for printer in PRINTERS for path, text in printer.files(dialect).items()}
    except NotationError as error:
        print(error, file=sys.stderr)
        return 1
    files: Dict[str, embedded.Content] = {**texts, **embedded.files(texts)}
    old = [path for path, content in files.items() if is_old(path, content)]
    gone = embedded.left_over(files)
    if "--check" in sys.argv[1:]:
        for path in old:
            source = "the file that it packs" if path.endswith(".gz") else "the dialect's table"
            print(f"{path} is older than {source}: make dialect", file=sys.stderr)
        for path in gone:
            print(f"{path} packs a file that is gone: make dialect", file=sys.stderr)
        return 1 if old or gone else 0
    for path in old:
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        content = files[path]
        (ROOT / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        print(path)
    for path in gone:
        (ROOT / path).unlink()
        print(f"{path} removed")
    return 0


sys.exit(main())
