"""The files of an installation below its prefix, as bytes and modes."""

import pathlib

import handed_out

from .release import NAME, ROOT, run

COMPLETIONS = {
    "bash": f"share/bash-completion/completions/{NAME}",
    "zsh": f"share/zsh/site-functions/_{NAME}",
    "fish": f"share/fish/vendor_completions.d/{NAME}.fish",
}
MANUAL = f"share/man/man1/{NAME}.1"
DOCUMENTS = f"share/doc/{NAME}"


def files(release):
    """{path: (bytes, mode)}, sorted by path."""
    found = {f"bin/{NAME}": (release.binary.read_bytes(), 0o755), MANUAL: text("docs/stuntdouble.1")}
    for shell, path in COMPLETIONS.items():
        found[path] = (run(release.binary, "completion", shell).encode(), 0o644)
    found[f"{DOCUMENTS}/LICENSE"] = text("LICENSE")
    for name in ("README.md", "CHANGELOG.md"):
        found[f"{DOCUMENTS}/{name}"] = (handed_out.page(name, release.version).encode(), 0o644)
    for path in sorted((ROOT / "mocks").rglob("*")):
        if path.is_file():
            found[f"{DOCUMENTS}/examples/{path.relative_to(ROOT)}"] = (path.read_bytes(), 0o644)
    return dict(sorted(found.items()))


def text(name):
    return (pathlib.Path(ROOT / name).read_bytes(), 0o644)
