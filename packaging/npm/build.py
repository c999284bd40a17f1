#!/usr/bin/env python3
"""Builds the npm packages around a binary, without a network and the same each time.

    python3 packaging/npm/build.py --binary .build/bin/stuntdouble --out .build/packages

makes `stuntdouble-VERSION.tgz` and, of the binary's platform, `stuntdouble-linux-x64-VERSION.tgz`: what `npm pack` would
make of the folders that it leaves in `npm/`, which `npm publish` takes.
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
from typing import Dict, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "python")]

from binaries import Binary, node_platform  # noqa: E402
from build import project, version_of  # noqa: E402

# The date that npm gives to all files of a package.
EPOCH = 499162500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, required=True, help="the daemon that goes into the platform's package")
    parser.add_argument("--out", type=Path, default=ROOT / ".build/packages", help="the folder of the packages")
    parser.add_argument("--version", help="by default what the binary says, which then has to run here")
    options = parser.parse_args()
    version = options.version or version_of(options.binary)
    for files in (main_package(version), platform_package(version, Binary(options.binary))):
        print(pack(files, options.out))


Files = Dict[str, Tuple[bytes, int]]


def main_package(version: str) -> Files:
    source = HERE / "stuntdouble"
    files: Files = {}
    for path in sorted(source.rglob("*")):
        if path.is_file():
            files[path.relative_to(source).as_posix()] = (path.read_bytes(), 0o755 if path.parent.name == "bin" else 0o644)
    manifest = files["package.json"][0].replace(b'"0.0.0"', f'"{version}"'.encode())
    manifest = manifest.replace(b'"license":', f'"homepage": "{project()["url"]}",\n  "license":'.encode(), 1)
    return {**files, "package.json": (manifest, 0o644), "LICENSE": licence()}


def platform_package(version: str, binary: Binary) -> Files:
    system, cpu = node_platform(binary)
    manifest = {
        "name": f"@stuntdouble/{system}-{cpu}",
        "version": version,
        "description": f"The daemon of the package stuntdouble for {system} on {cpu}",
        "homepage": project()["url"],
        "license": "Apache-2.0",
        "os": [system],
        "cpu": [cpu],
        **({"libc": ["glibc"]} if system == "linux" else {}),
        "preferUnplugged": True,
        "files": ["bin", "LICENSE"],
    }
    return {
        "package.json": (json.dumps(manifest, indent=2).encode() + b"\n", 0o644),
        "bin/stuntdouble": (binary.data, 0o755),
        "LICENSE": licence(),
    }


def licence() -> Tuple[bytes, int]:
    return (ROOT / "LICENSE").read_bytes(), 0o644


def pack(files: Files, out: Path) -> Path:
    """Writes the folder of a package, and its archive, whose path it returns."""
    manifest = json.loads(files["package.json"][0])
    name = manifest["name"].lstrip("@").replace("/", "-")
    folder = out / "npm" / name
    shutil.rmtree(folder, ignore_errors=True)
    date = max(EPOCH, int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH)))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files, key=lambda path: (path != "package.json", path)):
            data, mode = files[path]
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            place.chmod(mode)
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, date
            archive.addfile(entry, io.BytesIO(data))
    target = out / f"{name}-{manifest['version']}.tgz"
    with open(target, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
        compressed.write(packed.getvalue())
    return target


if __name__ == "__main__":
    main()
