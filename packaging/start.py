"""Types the commands of `docs/start.md`, as they stand there, in a bare Debian.

How it is run: `make verify-start`, or `python3 packaging/start.py --dist FOLDER [--root FOLDER]` as root, on Linux. FOLDER of
`--dist` has the tarball of `make dist`, and is `dist` in the folder where the commands are typed. The Debian, of its release 11, is
made by mmdebstrap in `.build/start-root` where `--root` names no other; it has curl and nothing else. Every command is typed
into one shell in a copy of it, with a network and processes of its own, so that port 8080 is free.

Files that the page says to save are saved, and typing goes on once the daemon lists their routes. What a command prints
must be what the page shows, where `…` stands for any text. It ends with the seconds from the first command to the first stub that was
served and to the first test that passed, and with status 1 where something is not as the page says.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "start.md"
END = "--- typed"


def fences(text):
    for match in re.finditer(r"^```(.*)\n((?:.*\n)*?)```$", text, re.M):
        yield match[1], match[2]


def steps():
    """(command, what it prints) of the dialogues, and (path, text) of the files, in the order of the page."""
    for kind, text in fences(PAGE.read_text(encoding="utf-8")):
        first = text.split("\n", 1)[0]
        if kind == "console start":
            for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
                command, _, printed = part.partition("\n")
                yield "type", command, printed.strip()
        elif first.startswith("# mocks/"):
            yield "save", first[2:], text


def matches(printed, expected):
    pattern = ".*".join(re.escape(piece) for piece in expected.split("…"))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None


def bare(root):
    if (root / "usr/bin/curl").exists():
        return
    print(f"making a Debian in {root}", flush=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", "--include=curl,ca-certificates", "bullseye", str(root)], check=True)
    # As every system that was installed has it.
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")


class Shell:
    """A shell in the root, into which commands are typed one after another."""

    def __init__(self, root):
        inside = (
            'mount -t proc proc "$1/proc" 2>/dev/null; mount --rbind /dev "$1/dev" 2>/dev/null; ip link set lo up; '
            'cd "$1/home" && exec chroot "$1" env -i HOME=/home PATH=/usr/local/bin:/usr/bin:/bin bash -c "cd /home && exec bash" 2>&1')
        words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, "sh", str(root)]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def type(self, command):
        """What the command prints. `$?` stays the status of the last one."""
        self.process.stdin.write(f'{command}\nstatus=$?; echo; echo "{END}"; (exit $status)\n')
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.rstrip("\n") == END:
                return "".join(lines).strip()
            lines.append(line)
        raise SystemExit(f"the shell ended at: {command}\n{''.join(lines)}")

    def end(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description="Types the commands of docs/start.md in a bare Debian.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="the folder of the tarball")
    parser.add_argument("--root", type=Path, default=ROOT / ".build" / "start-root", help="a Debian with curl")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what is printed")
    options = parser.parse_args()
    bare(options.root)
    copy = options.root.with_name(options.root.name + ".typed")
    subprocess.run(["rm", "-rf", "--one-file-system", str(copy)], check=True)
    subprocess.run(["cp", "-a", "--reflink=auto", str(options.root), str(copy)], check=True)
    shutil.copytree(options.dist, copy / "home/dist", dirs_exist_ok=True)
    shell = Shell(copy)
    begun = time.monotonic()
    typed, failed = 0, 0
    moments = {}
    try:
        for kind, name, text in steps():
            if kind == "save":
                path = copy / shell.type("pwd").lstrip("/") / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
                deadline = time.monotonic() + 5
                while shell.type(f"stuntdouble routes --url http://127.0.0.1:8080 | grep -c {path.name}") == "0":
                    if time.monotonic() > deadline:
                        sys.exit(f"{name} is not live within five seconds")
                continue
            printed = shell.type(name)
            typed += 1
            if options.verbose:
                print(f"$ {name}\n{printed}")
            if not matches(printed, text):
                failed += 1
                print(f"typed:    {name}\nexpected: {text}\nprinted:  {printed}")
            elif "curl" in name and "localhost" in name:
                moments.setdefault("first stub served", time.monotonic() - begun)
            elif text == "status 0":
                moments.setdefault("first green test", time.monotonic() - begun)
    finally:
        shell.end()
    print(f"{typed} commands typed, {failed} not as the page says")
    for name, seconds in moments.items():
        print(f"{name}: {seconds:.1f} s after the first command")
    subprocess.run(["rm", "-rf", "--one-file-system", str(copy)], check=False)
    sys.exit(1 if failed or "first green test" not in moments else 0)


if __name__ == "__main__":
    main()
