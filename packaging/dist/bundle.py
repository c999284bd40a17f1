"""The bundle of binaries that SwiftPM downloads: an `artifactbundle` with one binary for each system and processor.

The kit (`DaemonBinary` in StuntDoubleClient) looks for `stuntdouble.artifactbundle/SYSTEM-PROCESSOR/stuntdouble` in the folder where
SwiftPM keeps what it has unpacked.
"""

import json
import re
import tarfile

from . import archives
from .release import NAME

TRIPLES = {
    "linux-x86_64": ["x86_64-unknown-linux-gnu"], "linux-aarch64": ["aarch64-unknown-linux-gnu"],
    "macos-x86_64": ["x86_64-apple-macosx"], "macos-aarch64": ["arm64-apple-macosx"],
}


def make(release):
    """Writes the bundle of all archives of the version in the release's folder."""
    folder, found, variants = f"{NAME}.artifactbundle", {}, []
    for path in sorted(release.out.glob(f"{NAME}-{release.version}-*.tar.gz")):
        machine = re.fullmatch(rf"{NAME}-{re.escape(release.version)}-(\w+-\w+)\.tar\.gz", path.name)[1]
        with tarfile.open(path) as archive:
            binary = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/bin/{NAME}").read()
        found[f"{folder}/{machine}/{NAME}"] = (binary, 0o755)
        variants.append({"path": f"{machine}/{NAME}", "supportedTriples": TRIPLES[machine]})
    description = {
        "schemaVersion": "1.0", "artifacts": {NAME: {"type": "executable", "version": release.version, "variants": variants}}}
    found[f"{folder}/info.json"] = (json.dumps(description, indent=2).encode() + b"\n", 0o644)
    archives.zipped(release.out / f"{folder}.zip", found, release.time)
