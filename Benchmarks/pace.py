"""The pace of the machine, by a program that stays the same: nginx.

The bars in units of time were set for one machine, and other machines are slower, also the same one beside busy
neighbours. The report shows the bars of work also as many times longer as nginx takes longer for a request than it took
there; `--gate` goes by the bars themselves.
"""

import os

from Benchmarks import contenders, load
from Benchmarks.contenders import Server
from Benchmarks.rounds import HEALTH, Turn, median, progress, take_turns
from Benchmarks.stubs import StubSet

#: The CPU time of nginx for a request on the machine for which the bars were set, in µs: that of `others` there.
REFERENCE = 6.15
#: A response of 393 bytes, as those in `others` have, with a filler that gives way to the fields that nginx adds.
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Filler: " + b"x" * 200 + b"\r\n\r\n"
SAMPLE = HEAD + b"x" * (393 - len(HEAD))


class Pace:
    """Measures the machine before a run and after it."""

    def __init__(self, setting):
        self.setting = setting
        self.place = setting.place("pace")
        self.paths = os.path.join(self.place, "paths.txt")
        StubSet(1000).write_paths(self.paths)
        self.nginx = contenders.Nginx(setting.nginx, self.place, SAMPLE)
        self.nginx.fit(HEALTH)
        self.times = []

    def measure(self):
        """Takes one more measurement, of three seconds."""
        server = Server("nginx, the pace", self.nginx.command, HEALTH, self.place, self.setting.server_cpu)
        turn = Turn(server.name, server, load.paths(self.paths), self.setting.connections)
        samples = take_turns(self.setting, [turn], rounds=3, seconds=1)
        server.stop()
        self.times.append(median(samples[turn.name], lambda one: one.cpu_microseconds))
        progress(f"nginx takes {self.times[-1]:.2f} µs a request, {self.times[-1] / REFERENCE:.2f} × the reference")

    @property
    def slowness(self):
        """How many times longer than on the reference machine the bars of work are, by the best measurement: 1 on a
        machine that is as fast, or faster.
        """
        return max(1.0, min(self.times) / REFERENCE)
