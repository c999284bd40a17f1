"""What a start makes of the daemon's arguments, of its first output and of its port file."""

import ipaddress
import os
import re
import selectors
import signal
import subprocess
import time
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ._errors import StartError

SHOWN_BYTES = 65_536


def host_of(args: Sequence[str], environment: Mapping[str, str]) -> str:
    """The address where the daemon listens, or the first of several, as it stands in a URL."""
    given: Optional[str] = None
    for index, word in enumerate(args):
        name, equals, value = word.partition("=")
        # Options may be abbreviated.
        if given is None and name.startswith("--bi") and "--bind-address".startswith(name):
            given = value if equals else "".join(args[index + 1:index + 2])
    if given is None:
        given = environment.get("STUNTDOUBLE_BIND_ADDRESS", "")
    first = given.split(",")[0].strip().strip("[]")
    try:
        address = ipaddress.ip_address(first)
    except ValueError:
        return "127.0.0.1"  # So `localhost` is one.
    if address.version == 6:
        return "[::1]" if address.is_unspecified else f"[{address}]"
    return "127.0.0.1" if address.is_unspecified else str(address)


def ports_of(path: str) -> List[int]:
    """The ports of a port file: one, and one more for HTTPS. `StartError` says what else there is."""
    try:
        # Nothing that is waited for, as the other end of a pipe.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            content = os.read(file, 200)
        finally:
            os.close(file)
    except OSError as error:
        raise StartError(f"the port file of the daemon cannot be read: {error.strerror}") from None
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not 1 <= len(lines) <= 2 or not all(re.fullmatch(b"[0-9]{1,5}", line) and 1 <= int(line) <= 65535 for line in lines):
        found = repr(content)[1:] if content else "nothing"
        raise StartError(f"the port file of the daemon is to have a port, 1 to 65535, and has {found}")
    return [int(line) for line in lines]


def first_output(process: "subprocess.Popen[bytes]", port_file: str, seconds: float) -> Optional[Tuple[bytes, bool]]:
    """Waits until the daemon is ready, which it says by its port file and a line of output.

    Or else returns what it has printed, and whether it ran out of time; then neither it nor what it has started in its group
    is left running. One that prints and has no port file is told to end, by the end of its input.
    """
    assert process.stdin and process.stdout
    printed = b""
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline:
            # What it has started may hold its output open, and write more.
            has_ended = process.poll() is not None
            if selector.select(0.05):
                data = os.read(process.stdout.fileno(), SHOWN_BYTES)
                if data and os.path.lexists(port_file):
                    return None
                printed = (printed + data)[:SHOWN_BYTES]
                process.stdin.close()
                if not data or has_ended and len(printed) == SHOWN_BYTES:
                    break
            elif has_ended:
                break
    try:
        process.wait(max(0, deadline - time.monotonic()))
        is_late = False
    except subprocess.TimeoutExpired:
        is_late = True
    signal_group(process, signal.SIGKILL)
    process.wait()
    return printed, is_late


def signal_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    """To the daemon and what it has started; its group may have outlived it."""
    try:
        os.killpg(process.pid, number)
    except OSError:
        pass


def environment() -> Dict[str, str]:
    """Ours, without what would change where the daemon listens or what it writes first."""
    taken = ("STUNTDOUBLE_PORT", "STUNTDOUBLE_PORT_FILE", "STUNTDOUBLE_URL", "STUNTDOUBLE_ROOT_DIR", "STUNTDOUBLE_FORMAT")
    return {name: value for name, value in os.environ.items() if name not in taken}
