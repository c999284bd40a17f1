import os
import shutil
import sys
from typing import Optional

from ._binary import NAME, binary_path
from ._errors import StartError


def main() -> None:
    """Becomes the daemon: the scripts `stuntdouble` and `stuntdouble-server`, and `python -m stuntdouble_server`."""
    try:
        path = binary_path()
    except StartError as error:
        sys.exit(f"stuntdouble: {error}")
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"stuntdouble: cannot run {path}: {error.strerror}")


def somebody_elses_command() -> Optional[str]:
    """The path of a script `stuntdouble` in PATH that is another package's: of two packages the one installed last has it."""
    found = shutil.which(NAME)
    try:
        with open(found or os.devnull, "rb") as file:
            script = file.read(4096)
    except OSError:
        return None
    return found if script.startswith(b"#!") and __package__.encode() not in script else None


if __name__ == "__main__":
    other = somebody_elses_command()
    if other:
        print(f"stuntdouble: the command {other} is another package's; this is that of stuntdouble-server, "
              "which has the name `stuntdouble-server`, too", file=sys.stderr)
    main()
