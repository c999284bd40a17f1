"""Writes what is made of the dialect's table, `Sources/Dialect/Table/*.dialect`; with `--check`, says what is old.

    python3 Tools/dialect [--check] [--table FOLDER]

Each module of this folder with a function `files(dialect)` gives the texts of some files, by their paths.
"""

import sys
from pathlib import Path

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


def main() -> int:
    try:
        others = sys.argv[sys.argv.index("--table") + 1 :] if "--table" in sys.argv else []
        dialect = Dialect.read(Path(others[0]) if others else ROOT / "Sources/Dialect/Table")
        files = {path: text for printer in PRINTERS for path, text in printer.files(dialect).items()}
    except NotationError as error:
        print(error, file=sys.stderr)
        return 1
    old = [path for path, text in files.items() if not (ROOT / path).exists() or (ROOT / path).read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in old:
            print(f"{path} is older than the dialect's table: make dialect", file=sys.stderr)
        return 1 if old else 0
    for path in old:
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(files[path])
        print(path)
    return 0


sys.exit(main())
