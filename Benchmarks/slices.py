"""Loads that alternate many times a second, for ratios of CPU time to within a percent.

A machine that changes its speed from one second to the next makes turns of seconds incomparable. Here all loads of a
round are begun at once, and all but one are stopped: after 50 ms the next goes on. What the machine does in a moment
hits all of them alike.
"""

import random
import signal
import time

from Benchmarks.rounds import progress, warm_up

SLICE = 0.05


def take_slices(setting, turns):
    """Samples by name of loads that alternate. Only CPU times and requests mean something: latencies and rates include
    the time that a load was stopped. No server may do anything when its load is stopped.
    """
    for turn in turns:
        warm_up(setting, turn)
    samples = {turn.name: [] for turn in turns}
    for number in range(setting.rounds):
        for turn, sample in zip(turns, _round(setting, turns)):
            samples[turn.name].append(sample)
        figures = ", ".join(f"{name} {mine[-1].cpu_microseconds:,.2f} µs" for name, mine in samples.items())
        progress(f"slices, round {number + 1}/{setting.rounds}  {figures}")
    return samples


def _round(setting, turns):
    """Runs all loads, one at a time, for as long as all their turns would take."""
    seconds = setting.seconds * len(turns)
    loads = []
    try:
        for turn in turns:
            loads.append(turn.load.begin(turn.server, seconds, turn.connections, setting.load_cpu))
            loads[-1].process.send_signal(signal.SIGSTOP)
        running = list(loads)
        while running:
            random.shuffle(running)
            for one in running:
                one.process.send_signal(signal.SIGCONT)
                time.sleep(SLICE)
                if one.process.poll() is None:
                    one.process.send_signal(signal.SIGSTOP)
            running = [one for one in running if one.process.returncode is None]
        return [one.sample(10) for one in loads]
    finally:
        for one in loads:
            one.process.kill()
