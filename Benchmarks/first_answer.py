"""Time from starting a server to its first answer.

The clock starts right before the spawn and stops when a complete status line with the wanted status has arrived, so the
start of this script is not counted. As a command (`python3 -m Benchmarks.first_answer --help`) it is a gate for CI.
"""

import argparse
import contextlib
import os
import socket
import statistics
import sys
import tempfile
import time

from Benchmarks import processes

# The pause between attempts: short compared with the time since the start, of which it is this share, and long enough to
# leave the cores to the server, which reads its files on all of them. Attempts every 0.3 ms took a third of a core.
LEAST_PAUSE_SECONDS = 0.0003
PAUSE_SHARE = 0.02


def status_of_answer(port, path, timeout, context=None):
    """The status of one answer, or None while no server listens. Any complete status line counts as an answer. Over TLS with a `context`."""
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(socket.socket())
        client.settimeout(timeout)
        try:
            client.connect(("127.0.0.1", port))
            if context:
                client = stack.enter_context(context.wrap_socket(client, server_hostname="localhost"))
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            head = b""
            while b"\r\n" not in head:
                received = client.recv(4096)
                if not received:
                    return None
                head += received
        except OSError:
            return None
    words = head.split(b"\r\n", 1)[0].split(b" ")
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else None


def wait_for_answer(process, port, path, status, timeout, context=None):
    """Seconds from the start of `process` to its first answer with `status`; raises if there is none in `timeout`."""
    deadline = process.started + timeout
    seen = None
    while True:
        answer = status_of_answer(port, path, max(0.001, deadline - time.monotonic()), context)
        now = time.monotonic()
        if answer == status:
            return now - process.started
        seen = answer if answer is not None else seen
        if process.has_ended():
            raise RuntimeError(f"{process.command[0]} ended with {process.status}:\n{process.log_tail()}")
        if now > deadline:
            found = f"status {seen}" if seen is not None else "no answer"
            raise RuntimeError(
                f"GET {path}: expected status {status} within {timeout} s, found {found}:\n{process.log_tail()}"
            )
        time.sleep(max(LEAST_PAUSE_SECONDS, (now - process.started) * PAUSE_SHARE))


def measure(command, path, status=200, runs=11, timeout=30.0, context=None):
    """The times of `runs` starts, in seconds. `command` maps a port, a free one in every run, to a command line. The port speaks TLS
    where there is a `context` of Python's `ssl`."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for run in range(runs):
            port = processes.free_port()
            process = processes.Process(command(port), os.path.join(folder, f"{run}.log"))
            try:
                times.append(wait_for_answer(process, port, path, status, timeout, context))
            finally:
                process.stop()
    return times


def main():
    parser = argparse.ArgumentParser(prog="first_answer", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=11, help="how many starts to take the median of")
    parser.add_argument("--path", default="/__admin/health", help="what to ask for")
    parser.add_argument("--status", type=int, default=200, help="the status that counts as the answer")
    parser.add_argument("--ceiling-ms", type=float, help="fail when the median is above this")
    parser.add_argument("command", nargs="+", help="the server's command line; {port} stands for a free port")
    options = parser.parse_args()
    processes.end_on_signals()

    def command(port):
        return [word.replace("{port}", str(port)) for word in options.command]

    try:
        times = measure(command, options.path, options.status, options.runs)
    except RuntimeError as error:
        sys.exit(f"first_answer: {error}")
    median = statistics.median(times) * 1000
    print(
        f"first answer: median {median:.1f} ms, fastest {min(times) * 1000:.1f} ms, "
        f"slowest {max(times) * 1000:.1f} ms of {len(times)} starts"
        + (f", ceiling {options.ceiling_ms:g} ms" if options.ceiling_ms else "")
    )
    if options.ceiling_ms and median > options.ceiling_ms:
        sys.exit(f"first_answer: the median is above {options.ceiling_ms:g} ms")


if __name__ == "__main__":
    main()
