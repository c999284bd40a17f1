"""The files of a folder of stubs, as a daemon finds them that serves the folder."""

import difflib
import os
from pathlib import Path
from typing import Iterator, List, Tuple
from urllib.parse import quote

Call = Tuple[str, str, bytes]
"""A call of the admin API that loads a file: its method, path and body."""

_ENDINGS = (".json", ".yaml", ".yml")
_LEFT_OUT = ("__files", "node_modules")
_ABOVE = 6


def calls_for(path: Path) -> List[Call]:
    """The calls that load a stub file, or a folder with its `__files`. `FileNotFoundError` has a guess at what is meant."""
    if path.is_file():
        return [("POST", f"/mappings/import/{quote(path.name)}", path.read_bytes())]
    if not path.is_dir():
        raise FileNotFoundError(f"no stub file or folder: {path}{_guess(path)}")
    calls: List[Call] = []
    bodies = path / "__files"
    for name in sorted(_below(bodies)):
        calls.append(("PUT", f"/files/{quote(name)}", (bodies / name).read_bytes()))
    inner = (path / "mappings").is_dir()
    root = path / "mappings" if inner else path
    names = [name for name in _below(root, _LEFT_OUT, hidden=False) if name.lower().endswith(_ENDINGS)]
    # As the daemon has them: by their bytes, and the last one is tried first.
    for name in sorted(names, key=os.fsencode):
        # Named as a daemon names them that serves the folder: the same files have the same stubs.
        calls.append(("POST", f"/mappings/import/{'mappings/' if inner else ''}{quote(name)}?folder=true", (root / name).read_bytes()))
    return calls


def _below(root: Path, left_out: Tuple[str, ...] = (), hidden: bool = True) -> Iterator[str]:
    """The names of the files below a folder, with `/`; links are followed, but none to a folder that it is in."""

    def visit(folder: str, prefix: str, above: Tuple[Tuple[int, int], ...]) -> Iterator[str]:
        status = os.stat(folder)
        if (status.st_dev, status.st_ino) in above:
            return
        for entry in os.scandir(folder):
            if entry.name in left_out or entry.name.startswith(".") and not hidden:
                continue
            if entry.is_dir():
                yield from visit(entry.path, f"{prefix}{entry.name}/", (*above, (status.st_dev, status.st_ino)))
            elif entry.is_file():
                yield prefix + entry.name

    if root.is_dir():
        yield from visit(str(root), "", ())


def _guess(path: Path) -> str:
    """``; did you mean mocks?``: a name that is near, or the same one in a folder above."""
    folder = Path(os.path.abspath(path)).parent
    names = [name for name in os.listdir(folder) if not name.startswith(".")] if folder.is_dir() else []
    near = difflib.get_close_matches(path.name, names, 1)
    if near:
        return f"; did you mean {path.parent / near[0]}?"
    for above in list(folder.parents)[:_ABOVE]:
        if (above / path.name).exists():
            return f"; did you mean {above / path.name}?"
    return ""
