"""Makes everything that is handed out of one binary. `make dist` calls it; by hand:

    PYTHONPATH=packaging python3 -B -m dist --binary .build/bin/stuntdouble --out dist

Needs Python 3.9 and, for the Debian package, `dpkg-deb`. The wheel and the file for npm hold the same binary. `--beside` takes
in what was made on other machines; at the end it says for which ones nothing is here. The same binary and the same
SOURCE_DATE_EPOCH make the same bytes.
"""

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from . import archives, bundle, chart, contents, deb, definitions, sbom
from .release import ROOT, Release

MACHINES = ["linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-aarch64"]


def main():
    parser = argparse.ArgumentParser(prog="dist")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--out", default="dist")
    parser.add_argument("--beside", nargs="*", default=[], type=pathlib.Path, help="what was made on other machines, of which definitions and bundle then name the archives too")
    arguments = parser.parse_args()
    release = Release(arguments.binary, arguments.out)
    shutil.rmtree(release.out, ignore_errors=True)
    release.out.mkdir(parents=True)

    for path in filter(pathlib.Path.is_file, arguments.beside):
        shutil.copy(path, release.out)
    files = contents.files(release)
    bill = json.dumps(sbom.document(release), indent=2).encode() + b"\n"
    files[f"{contents.DOCUMENTS}/sbom.cdx.json"] = (bill, 0o644)
    files[f"{contents.DOCUMENTS}/NOTICES"] = (deb.notices(release).encode(), 0o644)
    archives.tarball(release.out / release.archive, files, release.time, release.base)
    (release.out / f"{release.base}.cdx.json").write_bytes(bill)
    shutil.copy(ROOT / "packaging/install.sh", release.out / "install.sh")

    deb.make(release)
    bundle.make(release)
    chart.make(release)
    definitions.make(release)
    shutil.copy(release.out / "packaging/gitlab/stuntdouble.gitlab-ci.yml", release.out)
    for path in sorted((ROOT / "packaging/github").rglob("action.yml")):
        target = release.out / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    packages(release)

    sums(release.out)
    for path in files_of(release.out):
        print(f"{path.stat().st_size:>10}  {path.relative_to(release.out)}")
    if missing := [machine for machine in MACHINES if not (release.out / definitions.archive(release, machine)).exists()]:
        print(f"not here: {', '.join(missing)}. `make dist` makes them on such machines, and --beside takes them in", file=sys.stderr)


def packages(release):
    """The wheel and the package for npm."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.time)}
    with tempfile.TemporaryDirectory() as scratch:
        for kind in ("python", "npm"):
            words = [sys.executable, "-B", ROOT / f"packaging/{kind}/build.py", "--binary", release.binary, "--out", scratch]
            subprocess.run([*map(str, words), "--version", release.version], check=True, env=environment, stdout=subprocess.DEVNULL)
        for path in sorted(pathlib.Path(scratch).iterdir()):
            if path.is_file():
                shutil.copy(path, release.out)


def files_of(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def sums(folder):
    """Writes SHA256SUMS of all files in a folder, as sha256sum does."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in files_of(folder) if path.name != "SHA256SUMS"
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    main()
