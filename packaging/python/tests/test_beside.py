"""Beside somebody else's package `stuntdouble`, which PyPI has: both import, and which command it is is told.

A stand-in of its import name and with a command of the same name takes its place; `make verify-clients` installs the real one.
"""

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2]
if not (PACKAGING / "python/build.py").is_file():
    pytest.skip("the builder of the wheel is not here", allow_module_level=True)
sys.path.insert(0, str(PACKAGING / "python"))

import build  # noqa: E402


def wheel_of_the_other(folder: Path) -> Path:
    """Made by hand, since nothing that builds wheels may be here."""
    files = {
        "stuntdouble/__init__.py": "def main():\n    print('the other')\n",
        "stuntdouble-2.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: stuntdouble\nVersion: 2.0\n",
        "stuntdouble-2.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "stuntdouble-2.0.dist-info/entry_points.txt": "[console_scripts]\nstuntdouble = stuntdouble:main\n",
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}\n"
        for name, text in files.items()
    )
    files["stuntdouble-2.0.dist-info/RECORD"] = record + "stuntdouble-2.0.dist-info/RECORD,,\n"
    wheel = folder / "stuntdouble-2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("beside")
    pytest.importorskip("pip")
    ours = build.build("9.9.9", "any", folder, None)
    other = wheel_of_the_other(folder)
    # With the pip of this environment, since one more takes longer than all the rest.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    programs = folder / "venv/bin"
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables["PATH"] = f"{programs}{os.pathsep}{variables['PATH']}"

    def run(*words: str, status: int = 0) -> "tuple[str, str]":
        done = subprocess.run(words, env=variables, cwd=folder, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout.strip(), done.stderr.strip()

    def install(wheel: Path) -> None:
        words = ["-m", "pip", "--python", str(programs / "python"), "install", "-q", "--disable-pip-version-check"]
        run(sys.executable, *words, "--no-index", "--no-compile", "--force-reinstall", str(wheel))

    return run, lambda: install(ours), lambda: install(other)


def test_both_are_imported_and_the_command_of_the_last_one_is_told(environment):
    run, install_ours, install_the_other = environment
    install_the_other()
    install_ours()
    said, errors = run("stuntdouble", "--version")
    assert said.startswith("stuntdouble ") and errors == ""
    assert run("python", "-m", "stuntdouble_server", "--version") == (said, "")

    install_the_other()
    assert run("stuntdouble", "--version")[0] == "the other"
    assert run("stuntdouble-server", "--version") == (said, "")
    shown, errors = run("python", "-m", "stuntdouble_server", "--version")
    assert shown == said
    assert "bin/stuntdouble is another package's" in errors and "`stuntdouble-server`" in errors

    program = "import stuntdouble, stuntdouble_server; stuntdouble.main(); print(stuntdouble_server.__version__)"
    assert run("python", "-c", program)[0] == "the other\n9.9.9"
    # The command of somebody else is never taken for the daemon.
    with_daemon = "from stuntdouble_server import Server\nwith Server() as server: print(server.session().stub('GET /a') is not None)"
    assert run("python", "-c", with_daemon)[0] == "True"
