"""The names of a release: version, system, processor, time, and the URL that all definitions of packages share."""

import json
import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = json.loads((ROOT / "packaging/project.json").read_text())
NAME = PROJECT["name"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


class Release:
    """A binary, and what it is called.

    `time` is that of all files: SOURCE_DATE_EPOCH, or the last commit's.
    """

    def __init__(self, binary, out):
        self.binary = pathlib.Path(binary).resolve()
        self.out = pathlib.Path(out).resolve()
        self.version = re.search(r"\d\S*", run(self.binary, "--version"))[0]
        self.system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
        machine = platform.machine().lower()
        self.processor = {"arm64": "aarch64", "amd64": "x86_64"}.get(machine, machine)
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        if not epoch:
            try:
                epoch = run("git", "-C", ROOT, "log", "-1", "--format=%ct").strip()
            except (subprocess.CalledProcessError, FileNotFoundError):
                epoch = "0"
        self.time = int(epoch)

    @property
    def base(self):
        """`stuntdouble-0.1.0-linux-x86_64`"""
        return f"{NAME}-{self.version}-{self.system}-{self.processor}"

    @property
    def archive(self):
        return f"{self.base}.tar.gz"

    @staticmethod
    def download(version, file):
        """Where a file of a release is downloaded. The only place that knows."""
        return f"{PROJECT['url']}/releases/download/{version}/{file}"
