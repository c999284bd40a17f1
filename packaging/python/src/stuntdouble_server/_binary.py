import os
import shutil
from pathlib import Path

from ._errors import StartError

NAME = "stuntdouble"


def binary_path() -> str:
    """The path of the daemon: that of the variable STUNTDOUBLE_BINARY, the one in this package, or the one in PATH."""
    given = os.environ.get("STUNTDOUBLE_BINARY")
    if given:
        return given
    packaged = Path(__file__).parent / "bin" / NAME
    if packaged.is_file():
        return str(packaged)
    # The console script of this package has the same name, and would start itself for ever.
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which(NAME, path=folder)
        if found and not _is_script(found):
            return found
    raise StartError(
        "this package has no daemon for your system, and there is none in PATH: "
        "install a wheel for this platform, or set STUNTDOUBLE_BINARY to the path of a stuntdouble binary"
    )


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False
