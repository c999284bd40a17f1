"""Makes everything that is handed out of one binary. `make dist` calls it; by hand:

    PYTHONPATH=packaging python3 -B -m dist --binary .build/bin/stuntdouble --out dist

Needs Python 3.9 and, for the Debian package, `dpkg-deb`. The same binary and the same SOURCE_DATE_EPOCH make the same bytes.
"""

import argparse
import hashlib
import json
import pathlib
import shutil

from . import archives, bundle, contents, deb, definitions, sbom
from .release import ROOT, Release


def main():
    parser = argparse.ArgumentParser(prog="dist")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--out", default="dist")
    parser.add_argument("--beside", nargs="*", default=[], type=pathlib.Path, help="archives of other machines, which definitions and bundle then name too")
    arguments = parser.parse_args()
    release = Release(arguments.binary, arguments.out)
    shutil.rmtree(release.out, ignore_errors=True)
    release.out.mkdir(parents=True)

    for path in arguments.beside:
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
    definitions.make(release)
    shutil.copy(release.out / "packaging/gitlab/stuntdouble.gitlab-ci.yml", release.out)

    sums(release.out)
    for path in sorted(release.out.rglob("*")):
        if path.is_file():
            print(f"{path.stat().st_size:>10}  {path.relative_to(release.out)}")


def sums(folder):
    """Writes SHA256SUMS of the files of a folder, as sha256sum does."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir()) if path.is_file() and path.name != "SHA256SUMS"
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    main()
