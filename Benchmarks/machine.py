"""A description of the machine without the name of a host, user or path."""

import os
import platform

from Benchmarks.contenders import version


def _field(path, name):
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                key, _, value = line.partition(":")
                if key.strip() == name:
                    return value.strip()
    except OSError:
        pass
    return "unknown"


def _distribution():
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    except OSError:
        return "unknown"


def describe(daemon, nginx, with_wiremock):
    """Lines of `name: value` for the head of the results."""
    memory = int(_field("/proc/meminfo", "MemTotal").split()[0]) / 1024 / 1024
    lines = [
        f"processor: {_field('/proc/cpuinfo', 'model name')}, {os.cpu_count()} cores, {memory:.0f} GiB of memory",
        f"system: {_distribution()}, {platform.system()} {platform.release()} {platform.machine()}",
        f"Stunt Double: {version([daemon, '--version'])}, {os.path.getsize(daemon) / 1048576:.1f} MiB",
        f"nginx: {version([nginx, '-v']).removeprefix('nginx version: ')}",
        f"wrk: {version(['wrk', '-v']).split('[')[0].strip()}",
        f"libevent: {version(['pkg-config', '--modversion', 'libevent_core'])}",
    ]
    if with_wiremock:
        lines.append(f"WireMock: {with_wiremock}, {version(['java', '-version'])}")
    lines.append("load of the machine before the run: " + " ".join(f"{load:.2f}" for load in os.getloadavg()))
    return lines
