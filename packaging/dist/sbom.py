"""The bill of materials, in CycloneDX's JSON: what is in the binary, and what it opens when it is needed."""

import json
import pathlib
import re
import shutil
import subprocess
import uuid

from .release import NAME, PROJECT, run

# What the binary may hold: its name in pkg-config, its licence, and bytes that only a binary with it has; a group of theirs is
# the version that is really linked.
HELD = [
    ("libevent", "libevent_core", "BSD-3-Clause", rb"(\d+\.\d+\.\d+-stable)\0", rb"epoll_ctl|event_base"),
    ("libyaml", "yaml-0.1", "MIT", None, rb"did not find expected <document start>"),
    ("pcre2", "libpcre2-8", "BSD-3-Clause", rb"\0(10\.\d+) \d{4}-\d\d-\d\d\0", rb"lookbehind assertion is not fixed length"),
    ("zlib", "zlib", "Zlib", rb" inflate (\d[\d.]*) Copyright", rb"invalid distance too far back"),
]
# What it opens, by name, when something asks for it.
OPENED = [
    ("openssl", "libcrypto", "Apache-2.0", "HTTPS, the local authority, templates that sign"),
    ("nghttp2", "libnghttp2", "MIT", "HTTP/2"),
    ("libxml2", "libxml-2.0", "MIT", "stubs that look into XML"),
    ("hiredis", "hiredis", "BSD-3-Clause", "replicas that share a server of Redis or Valkey"),
]


def installed(package):
    """The version that pkg-config knows; nil if it knows none."""
    try:
        return run("pkg-config", "--modversion", package).strip()
    except (subprocess.CalledProcessError, FileNotFoundError):
        return None


def component(name, version, licence, scope, purpose=None, kind="library"):
    found = {"type": kind, "bom-ref": f"{name}@{version or 'any'}", "name": name}
    if version:
        found["version"] = version
        found["purl"] = f"pkg:generic/{name}@{version}"
    if purpose:
        found["description"] = f"opened when it is needed, for {purpose}"
    found["scope"] = scope
    found["licenses"] = [{"expression": licence}] if " " in licence else [{"license": {"id": licence}}]
    return found


def toolchain():
    """The Swift runtime, and the parts of GCC's that it stands on."""
    swift = re.search(r"Swift version (\S+)", run("swift", "--version")) if shutil.which("swift") else None
    yield component("swift-runtime", swift and swift[1], "Apache-2.0 WITH Swift-exception", "required")
    for compiler in ("gcc", "cc"):
        if shutil.which(compiler):
            version = run(compiler, "-dumpfullversion").strip()
            for name in ("libstdc++", "libgcc"):
                yield component(name, version or None, "GPL-3.0-or-later WITH GCC-exception-3.1", "required")
            return


def held(binary):
    """The components that a binary holds or needs at its start."""
    data = pathlib.Path(binary).read_bytes()
    needed = run("readelf", "-d", binary) if shutil.which("readelf") else ""
    for name, package, licence, version, mark in HELD:
        if f"[{package.split('_')[0]}" in needed or re.search(mark, data):
            match = version and re.search(version, data)
            yield component(name, match[1].decode() if match else installed(package), licence, "required")
    if "[libc.so.6]" in needed:
        newest = max((tuple(map(int, text.split("."))) for text in re.findall(r"GLIBC_([\d.]+)", run("readelf", "-V", binary))), default=None)
        least = newest and ".".join(map(str, newest))
        yield component("glibc", None, "LGPL-2.1-or-later", "required") | {"description": f"the system's, {least} or newer"}


def document(release):
    parts = [*toolchain(), *held(release.binary)]
    parts += [component(name, None, licence, "optional", purpose) for name, _, licence, purpose in OPENED]
    own = {
        "type": "application", "bom-ref": NAME, "name": NAME, "version": release.version, "description": PROJECT["summary"],
        "purl": f"pkg:generic/{NAME}@{release.version}", "licenses": [{"license": {"id": PROJECT["licence"]}}],
        "externalReferences": [{"type": "website", "url": PROJECT["url"]}],
    }
    seed = json.dumps([own, parts, release.base], sort_keys=True)
    from datetime import datetime, timezone
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, seed)}", "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(release.time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "component": own,
        },
        "components": parts, "dependencies": [{"ref": NAME, "dependsOn": [part["bom-ref"] for part in parts]}],
    }
