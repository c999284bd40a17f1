import os
import sys

from ._binary import binary_path
from ._errors import StartError


def main() -> None:
    """Becomes the daemon: `python -m stuntdouble_server` and the script `stuntdouble`."""
    try:
        path = binary_path()
    except StartError as error:
        sys.exit(f"stuntdouble: {error}")
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"stuntdouble: cannot run {path}: {error.strerror}")


if __name__ == "__main__":
    main()
