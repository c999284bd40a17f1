#!/usr/bin/env python3
"""Builds the wheel of the PyPI package `stuntdouble-server` around a binary, without a network and the same each time.

    python3 packaging/python/build.py --binary .build/bin/stuntdouble --out .build/packages

The platform of the wheel is what the binary needs: its processor, and the newest version of glibc or macOS that it asks
for. With `--any` there is a second wheel without the binary, for machines that have one in PATH. SOURCE_DATE_EPOCH is the
date of the files in it.
"""

import argparse
import base64
import hashlib
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Dict, List, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

import handed_out  # noqa: E402
from binaries import Binary, wheel_platform  # noqa: E402

NAME = "stuntdouble_server"
COMMAND = "stuntdouble"
EPOCH = 315532800  # 1980-01-01, the first that a zip can have

METADATA = """\
Metadata-Version: 2.4
Name: stuntdouble-server
Version: {version}
Summary: A fast, WireMock-compatible mock HTTP server, with a pytest plugin: a mock server for each test
License-Expression: Apache-2.0
License-File: LICENSE
Keywords: mock,http,wiremock,testing,pytest,stub,server
Classifier: Development Status :: 4 - Beta
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Operating System :: MacOS
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Testing :: Mocking
Classifier: Typing :: Typed
Requires-Python: >=3.9
{home}Provides-Extra: pytest
Requires-Dist: pytest>=7.4; extra == 'pytest'
Description-Content-Type: text/markdown

{description}"""

ENTRY_POINTS = """\
[console_scripts]
stuntdouble = stuntdouble_server.__main__:main
stuntdouble-server = stuntdouble_server.__main__:main

[pytest11]
stuntdouble = stuntdouble_server.pytest_plugin
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: stuntdouble packaging/python/build.py
Root-Is-Purelib: {pure}
Tag: py3-none-{platform}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, required=True, help="the daemon that goes into the wheel")
    parser.add_argument("--out", type=Path, default=ROOT / ".build/packages", help="the folder of the wheels")
    parser.add_argument("--version", help="by default what the binary says, which then has to run here")
    parser.add_argument("--any", action="store_true", help="build the wheel without a binary, too")
    parser.add_argument("--local", action="store_true", help="for this machine alone, such as a debug build")
    options = parser.parse_args()
    version = options.version or version_of(options.binary)
    binary = Binary(options.binary)
    print(build(version, wheel_platform(binary, options.local), options.out, options.binary.read_bytes()))
    if options.any:
        print(build(version, "any", options.out, None))


def version_of(binary: Path) -> str:
    said = subprocess.run([str(binary), "--version"], check=True, capture_output=True, text=True).stdout
    return said.split()[1]


def build(version: str, platform: str, out: Path, binary: "bytes | None") -> Path:
    """Writes one wheel and returns its path."""
    info = f"{NAME}-{version}.dist-info"
    files: List[Tuple[str, bytes, int]] = []
    source = HERE / "src" / NAME
    for path in sorted(source.iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            text = path.read_bytes()
            if path.name == "_version.py":
                text = text.replace(b'"0.0.0"', f'"{version}"'.encode())
            files.append((f"{NAME}/{path.name}", text, 0o644))
    if binary is not None:
        files.append((f"{NAME}/bin/{COMMAND}", binary, 0o755))
    pure = "true" if binary is None else "false"
    url = handed_out.home()
    home = f"Project-URL: Homepage, {url}\n" if url else ""
    described: Dict[str, str] = {
        "METADATA": METADATA.format(version=version, home=home, description=handed_out.page("packaging/python/README.md", version)),
        "WHEEL": WHEEL.format(pure=pure, platform=platform),
        "entry_points.txt": ENTRY_POINTS,
        "licenses/LICENSE": (ROOT / "LICENSE").read_text(),
    }
    files += [(f"{info}/{name}", text.encode(), 0o644) for name, text in described.items()]
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files)
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644))

    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{NAME}-{version}-py3-none-{platform}.whl"
    date = time.gmtime(max(EPOCH, int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))))[:6]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, compresslevel=9)
    return wheel


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
