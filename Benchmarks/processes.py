"""Child processes: started directly, measured through /proc, and always ended with the run."""

import atexit
import os
import random
import resource
import signal
import socket
import time

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")

_running = []


def raise_descriptor_limit():
    """Lets this process and its children open as many descriptors as the hard limit allows, and returns that number."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else 65536
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def free_port():
    """A TCP port of 127.0.0.1 that nobody listens on.

    It lies below the ephemeral range: a client that retries a port inside that range can end up connected to itself.
    """
    while True:
        port = random.randint(15000, 30000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Process:
    """A child process with its output in a file. `cpu` pins it and its descendants to one core."""

    def __init__(self, command, log_path, cpu=None):
        self.command = command
        self.log_path = log_path
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ]
        executable = command[0]
        previous = os.sched_getaffinity(0) if cpu is not None else None
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})
        try:
            self.started = time.monotonic()
            self.pid = os.posix_spawnp(executable, command, os.environ, file_actions=actions)
        finally:
            if previous is not None:
                os.sched_setaffinity(0, previous)
        self.status = None
        _running.append(self)

    def has_ended(self):
        """Whether the child has ended, without waiting for it."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self.status = os.waitstatus_to_exitcode(status)
                _running.remove(self)
        return self.status is not None

    def stop(self, grace=5.0):
        """Sends SIGTERM, then SIGKILL after `grace` seconds. Returns the exit status, negative for a signal."""
        if self.has_ended():
            return self.status
        os.kill(self.pid, signal.SIGTERM)
        deadline = time.monotonic() + grace
        while not self.has_ended():
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                _, status = os.waitpid(self.pid, 0)
                self.status = os.waitstatus_to_exitcode(status)
                _running.remove(self)
            else:
                time.sleep(0.002)
        return self.status

    def cpu_seconds(self):
        """The user and system time of all its threads so far, in steps of one clock tick (10 ms)."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS

    def resident_mib(self):
        """Resident memory in MiB, shared pages included."""
        with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def log_tail(self):
        """The last lines it wrote, for an error message."""
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-20:])


@atexit.register
def stop_all():
    """Ends every child, however the run ends."""
    for process in list(_running):
        try:
            process.stop(grace=2.0)
        except ProcessLookupError:
            pass


def end_on_signals():
    """Turns SIGTERM and SIGHUP into an ordinary exit, so that `stop_all` runs."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda signum, _frame: os.sys.exit(128 + signum))
