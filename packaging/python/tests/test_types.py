"""The types: stubs that the daemon takes pass, and what is misspelt in one does not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stuntdouble_server


def test_what_a_stub_may_say_passes_and_what_is_misspelt_does_not(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    stubs = Path(__file__).parent / "types" / "stubs.py"
    # An error that does not come is an ignore that is not used.
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path), str(stubs)]
    package = str(Path(stuntdouble_server.__file__).parent.parent)
    # mypy finds what is installed by itself, and refuses to be told of it.
    environment = {**os.environ, **({} if "site-packages" in package else {"MYPYPATH": package})}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    assert done.returncode == 0, done.stdout


def test_the_types_are_names_of_the_package() -> None:
    assert stuntdouble_server.Route.__annotations__["fallThrough"]
    assert all(getattr(stuntdouble_server, name) for name in stuntdouble_server.__all__)
