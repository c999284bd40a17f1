#!/usr/bin/env python3
"""Builds the npm packages around a binary, without a network and the same each time.

    python3 packaging/npm/build.py --binary .build/bin/stuntdouble --out .build/packages

makes `stuntdouble-server-VERSION-linux-x64.tgz`, of the binary's platform, with all that it needs: `npm install` of that file
asks no registry. The folders in `npm/` are for `npm publish`: the package `stuntdouble-server`, and the one of the platform,
`stuntdouble-server-linux-x64`, of which npm installs the one that fits. `npm pack` makes the file of the first.
"""

import argparse
import gzip
import io
import json
import os
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any, Dict, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "python")]

import handed_out  # noqa: E402
from binaries import Binary, node_platform  # noqa: E402
from build import version_of  # noqa: E402

NAME = "stuntdouble-server"
# The date that npm gives to all files of a package.
EPOCH = 499162500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, required=True, help="the daemon that goes into the packages")
    parser.add_argument("--out", type=Path, default=ROOT / ".build/packages", help="the folder of the packages")
    parser.add_argument("--version", help="by default what the binary says, which then has to run here")
    options = parser.parse_args()
    print(build(options.version or version_of(options.binary), Binary(options.binary), options.out))


Files = Dict[str, Tuple[bytes, int]]
Manifest = Dict[str, Any]


def build(version: str, binary: Binary, out: Path) -> Path:
    """Writes the folders for `npm publish` and the file, whose path it returns."""
    system, cpu = node_platform(binary)
    platform = {"os": [system], "cpu": [cpu], **({"libc": ["glibc"]} if system == "linux" else {})}
    daemon = (binary.data, 0o755)
    common = {"version": version, **({"homepage": url} if (url := handed_out.home()) else {})}

    text = (HERE / NAME / "package.json").read_text().replace('"0.0.0"', f'"{version}"')
    manifest: Manifest = {**json.loads(text), **common}
    sources = main_files(version)
    write(out / "npm" / NAME, {**sources, "package.json": packed(manifest)})
    of_platform: Manifest = {
        "name": f"{NAME}-{system}-{cpu}",
        **common,
        "description": f"The daemon of the package {NAME} for {system} on {cpu}",
        "license": "Apache-2.0",
        **platform,
        "preferUnplugged": True,
        "files": ["bin", "LICENSE"],
    }
    write(out / "npm" / of_platform["name"], {"package.json": packed(of_platform), "bin/stuntdouble": daemon, "LICENSE": licence()})

    # npm asks the registry for these, for optional peers as well.
    for member in ("optionalDependencies", "peerDependencies", "peerDependenciesMeta"):
        del manifest[member]
    whole = {**sources, "package.json": packed({**manifest, **platform}), "bin/stuntdouble": daemon}
    return archive(whole, out / f"{NAME}-{version}-{system}-{cpu}.tgz")


def main_files(version: str) -> Files:
    source = HERE / NAME
    files: Files = {"LICENSE": licence()}
    for path in sorted(source.rglob("*")):
        if path.is_file():
            files[path.relative_to(source).as_posix()] = (path.read_bytes(), 0o755 if path.parent.name == "bin" else 0o644)
    files["README.md"] = (handed_out.page(f"packaging/npm/{NAME}/README.md", version).encode(), 0o644)
    return files


def packed(manifest: Manifest) -> Tuple[bytes, int]:
    return json.dumps(manifest, indent=2).encode() + b"\n", 0o644


def licence() -> Tuple[bytes, int]:
    return (ROOT / "LICENSE").read_bytes(), 0o644


def write(folder: Path, files: Files) -> None:
    """Writes the folder of a package."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, (data, mode) in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod(mode)


def archive(files: Files, target: Path) -> Path:
    """Writes what `npm pack` would make of such a folder."""
    date = max(EPOCH, int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH)))
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as opened:
        for path in sorted(files, key=lambda path: (path != "package.json", path)):
            data, mode = files[path]
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, date
            opened.addfile(entry, io.BytesIO(data))
    with open(target, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
        compressed.write(plain.getvalue())
    return target


if __name__ == "__main__":
    main()
