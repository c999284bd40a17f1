"""The Debian package, as Debian's policy has one."""

import email.utils
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import contents, sbom
from .release import NAME, PROJECT, ROOT, run

PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}
# In the words of the field: newer releases have the names with `t64`.
RECOMMENDS = ["libssl3t64 | libssl3", "libnghttp2-14", "libxml2 | libxml2-16", "libbrotli1", "ca-certificates"]
# For --shared alone.
SUGGESTS = ["libhiredis1.1.0 | libhiredis0.14 | libhiredis1.3.0"]
HEAD = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {title}
Source: {url}
"""
PART = """
Files: {files}
Copyright: {copyright}
License: {licence}
"""
# Whose work is in the binary, beside ours: licence as Debian writes it, and who has the copyright.
WORKS = {
    "swift-runtime": ("Apache-2.0-with-Swift-exception", "Apple Inc. and the Swift project authors"),
    "libstdc++": ("GPL-3+-with-GCC-exception", "Free Software Foundation, Inc."),
    "libgcc": ("GPL-3+-with-GCC-exception", "Free Software Foundation, Inc."),
    "libevent": ("BSD-3-clause", "2000-2007 Niels Provos, 2007-2012 Niels Provos and Nick Mathewson"),
    "libyaml": ("Expat", "2017-2020 Ingy döt Net, 2006-2016 Kirill Simonov"),
    "pcre2": ("BSD-3-clause", "1997-2022 University of Cambridge, 2009-2022 Zoltan Herczeg"),
    "zlib": ("Zlib", "1995-2022 Jean-loup Gailly and Mark Adler"),
}
TEXTS = {
    "Apache-2.0": "On Debian systems, the full text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.",
    "Apache-2.0-with-Swift-exception": """\
On Debian systems, the full text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.
As an exception, if you use this Software to compile your source code and portions of this Software are embedded into the
binary product as a result, you may redistribute such product without providing attribution as would otherwise be required by
Sections 4(a), 4(b) and 4(d) of the License.""",
    "GPL-3+-with-GCC-exception": """\
On Debian systems, the full text of the GNU General Public License version 3 is in /usr/share/common-licenses/GPL-3.
Under Section 7 of GPL version 3, you are granted additional permissions described in the GCC Runtime Library Exception,
version 3.1, as published by the Free Software Foundation.""",
    "BSD-3-clause": """\
Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
conditions are met:
.
1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the names of the copyright holders nor the names of their contributors may be used to endorse or promote products
derived from this software without specific prior written permission.
.
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT
NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL
THE COPYRIGHT HOLDERS OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE
OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.""",
    "Expat": """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:
.
The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.
.
THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.""",
    "Zlib": """\
This software is provided 'as-is', without any express or implied warranty. In no event will the authors be held liable for any
damages arising from the use of this software. Permission is granted to anyone to use this software for any purpose, including
commercial applications, and to alter it and redistribute it freely, subject to the following restrictions:
1. The origin of this software must not be misrepresented; you must not claim that you wrote the original software.
2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the original software.
3. This notice may not be removed or altered from any source distribution.""",
}


def notices(release):
    """Whose work is in the binary, and under which licence: Debian's `copyright`, and what archives carry too."""
    text = HEAD.format(**PROJECT)
    text += PART.format(files="*", copyright=f"the {PROJECT['title']} authors", licence=PROJECT["licence"])
    used = [PROJECT["licence"]]
    for part in sbom.document(release)["components"]:
        if part["scope"] == "required" and part["name"] in WORKS:
            licence, holders = WORKS[part["name"]]
            text += PART.format(files=f"bin/{NAME}#{part['name']}", copyright=holders, licence=licence)
            used.append(licence)
    for licence in dict.fromkeys(used):
        lines = "".join(f" {line}\n" for line in TEXTS[licence].splitlines())
        text += f"\nLicense: {licence}\n{lines}"
    return text


def packed(text):
    return gzip.compress(text if isinstance(text, bytes) else text.encode(), 9, mtime=0)


def files(release):
    """{path: (bytes, mode)} of the package."""
    found = {}
    for path, (content, mode) in contents.files(release).items():
        if path == contents.MANUAL:
            path, content = path + ".gz", packed(content)
        elif path == f"{contents.DOCUMENTS}/CHANGELOG.md":
            path, content = f"{contents.DOCUMENTS}/changelog.gz", packed(content)
        elif path == f"{contents.DOCUMENTS}/LICENSE":
            continue
        elif path == contents.COMPLETIONS["zsh"]:
            path = f"share/zsh/vendor-completions/_{NAME}"
        found[f"usr/{path}"] = (content, mode)
    date = email.utils.formatdate(release.time)
    log = f"{NAME} ({release.version}-1) unstable; urgency=medium\n\n  * Version {release.version}.\n\n -- {PROJECT['maintainer']}  {date}\n"
    found[f"usr/{contents.DOCUMENTS}/changelog.Debian.gz"] = (packed(log), 0o644)
    found[f"usr/{contents.DOCUMENTS}/copyright"] = (notices(release).encode(), 0o644)
    overrides = pathlib.Path(ROOT / "packaging/debian/lintian-overrides").read_bytes()
    found[f"usr/share/lintian/overrides/{NAME}"] = (overrides, 0o644)
    return found


def needed(binary):
    """The oldest C library that the binary starts with."""
    versions = re.findall(r"Name: GLIBC_([\d.]+)", run("readelf", "-V", "--wide", binary))
    return ".".join(map(str, max(tuple(map(int, version.split("."))) for version in versions)))


def control(release, size):
    lines = [PROJECT["description"][start:end] for start, end in wrapped(PROJECT["description"], 75)]
    return "".join(
        f"{name}: {value}\n" for name, value in [
            ("Package", NAME), ("Version", f"{release.version}-1"), ("Architecture", PROCESSORS[release.processor]),
            ("Maintainer", PROJECT["maintainer"]), ("Installed-Size", size),
            ("Depends", f"libc6 (>= {needed(release.binary)})"), ("Recommends", ", ".join(RECOMMENDS)),
            ("Suggests", ", ".join(SUGGESTS)),
            ("Section", "devel"), ("Priority", "optional"), ("Homepage", PROJECT["url"]), ("Description", PROJECT["summary"]),
        ]) + "".join(f" {line.strip()}\n" for line in lines)


def wrapped(text, width):
    """The ranges of the lines of a text."""
    start = 0
    while len(text) - start > width:
        end = text.rindex(" ", start, start + width)
        yield start, end
        start = end + 1
    yield start, len(text)


def make(release):
    """Writes the package. Returns False where there is no `dpkg-deb`, or on another system than Linux."""
    if release.system != "linux" or not shutil.which("dpkg-deb"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "root"
        content = files(release)
        sums = []
        for path, (data, mode) in sorted(content.items()):
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            place.chmod(mode)
            sums.append(f"{run('md5sum', place).split()[0]}  {path}\n")
        size = sum(-(-len(data) // 1024) for data, _ in content.values()) + len({path.rsplit('/', 1)[0] for path in content})
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control(release, size))
        (root / "DEBIAN/md5sums").write_text("".join(sums))
        for place in root.rglob("*"):
            if place.is_dir():
                place.chmod(0o755)
            elif place.parent.name == "DEBIAN":
                place.chmod(0o644)
            os.utime(place, (release.time, release.time))
        root.chmod(0o755)
        target = release.out / f"{NAME}_{release.version}-1_{PROCESSORS[release.processor]}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(target)], check=True, stdout=subprocess.DEVNULL,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(release.time)})
    return True
