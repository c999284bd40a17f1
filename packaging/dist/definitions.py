"""The definitions for package managers and CI, filled in with the version, the URL and the sums of what was made.

`packaging/*/*.in` are their texts; `@NAME@` is a value, and a line with `@FILE:SYSTEM-PROCESSOR@`, `@URL:SYSTEM-PROCESSOR@` or
`@SUM:SYSTEM-PROCESSOR@` is left out where there is no archive for that machine.
"""

import hashlib
import re

from .release import NAME, PROJECT, ROOT

MACHINE = re.compile(r"@(FILE|URL|SUM):([\w-]+)@")


def make(release):
    """Writes them into folders of the release's `packaging`."""
    values = {
        "VERSION": release.version, "HOMEPAGE": PROJECT["url"], "SUMMARY": PROJECT["summary"], "LICENCE": PROJECT["licence"],
        "RELEASES": release.download("", "").rstrip("/"), "DOWNLOAD": release.download(release.version, "").rstrip("/"),
    }
    bundle = release.out / f"{NAME}.artifactbundle.zip"
    if bundle.exists():
        values["BUNDLE_SUM"] = hashlib.sha256(bundle.read_bytes()).hexdigest()
    for template in sorted((ROOT / "packaging").glob("*/*.in")):
        target = release.out / "packaging" / template.parent.name / template.name.removesuffix(".in")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled(template.read_text(), values, release))


def filled(text, values, release):
    lines = []
    for line in text.splitlines(keepends=True):
        machines = {machine for _, machine in MACHINE.findall(line)}
        if all((release.out / archive(release, machine)).exists() for machine in machines):
            lines.append(MACHINE.sub(lambda match: machine_value(release, *match.groups()), line))
    return re.sub(r"@([A-Z_]+)@", lambda match: values[match[1]], "".join(lines))


def archive(release, machine):
    return f"{NAME}-{release.version}-{machine}.tar.gz"


def machine_value(release, kind, machine):
    name = archive(release, machine)
    if kind == "FILE":
        return name
    if kind == "URL":
        return release.download(release.version, name)
    return hashlib.sha256((release.out / name).read_bytes()).hexdigest()
