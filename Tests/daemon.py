"""Starts a daemon for scripts that test it as a black box."""

import os
import pathlib
import subprocess
import sys
import time


class DaemonProcess:
    """A ready daemon on a free port. Its port file and its standard error are in the folder `root`; it serves `root/mocks`,
    which is created if it does not exist."""

    def __init__(self, binary, root, options=(), environment=None, served=None):
        """Starts it; ends this program with the daemon's errors if it is not ready within a minute.

        `served` is a file or folder to serve in place of `mocks`."""
        root = pathlib.Path(root)
        served, port_file, self.errors = served or root / "mocks", root / "port", root / "errors"
        (root / "mocks").mkdir(exist_ok=True)
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [os.path.abspath(binary), served, "--port", "0", "--port-file", port_file, *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=os.environ | (environment or {}),
            )
        for _ in range(6_000):
            if port_file.exists():
                self.port = int(port_file.read_text(encoding="ascii").split()[0])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.kill()
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: the daemon was never ready\n{self.log}")

    @property
    def log(self):
        """The daemon's standard error so far."""
        return self.errors.read_text(encoding="utf-8", errors="replace")

    def end(self):
        """Ends the daemon gracefully and returns its exit status, negative for a signal. Kills it if it does not end."""
        self.process.terminate()
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
            return self.process.returncode

    def kill(self):
        """Kills the daemon if it still runs."""
        self.process.kill()
        self.process.wait()
