"""The file of the last kept results: what `make bench` measured and, below it, what `make soak` did."""

import pathlib

FILE = pathlib.Path(__file__).with_name("RESULTS.md")
HEAD = "# Results\n\nWritten by `make bench` and `make soak`; how to read it is in [README.md](README.md).\n\n"
SOAK = "## Soak\n"


def _parts():
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else HEAD
    bench, _, soak = text.partition(SOAK)
    return bench.rstrip("\n") + "\n", soak


def write_bench(text):
    """Replaces what was measured, and keeps the soak."""
    _, soak = _parts()
    FILE.write_text(HEAD + text.rstrip("\n") + "\n" + (f"\n{SOAK}{soak}" if soak else ""), encoding="utf-8")


def write_soak(text):
    """Replaces the soak, and keeps what was measured."""
    bench, _ = _parts()
    FILE.write_text(f"{bench}\n{SOAK}\n{text.rstrip()}\n", encoding="utf-8")
