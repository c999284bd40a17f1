"""What a binary runs on, read from the binary itself: shared by the builders of the Python and the npm packages."""

import struct
import sys
from pathlib import Path
from typing import List, Tuple

# What a Linux that PyPI calls manylinux has in any case.
ALWAYS_THERE = ("libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libgcc_s.so", "ld-linux")
ELF_PROCESSORS = {62: "x86_64", 183: "aarch64"}
MACH_PROCESSORS = {0x0100000C: "arm64", 0x01000007: "x86_64"}


class Binary:
    """`system` is `linux` or `macos`, `processor` its name there, `least` the oldest version of glibc or macOS."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = path.read_bytes()
        self.libraries: List[str] = []
        if self.data[:5] == b"\x7fELF\x02":
            self.system = "linux"
            self._read_elf()
        elif self.data[:4] == b"\xcf\xfa\xed\xfe":
            self.system = "macos"
            self._read_mach()
        else:
            sys.exit(f"{path}: expected a 64-bit ELF or Mach-O binary of one processor")

    def _read_elf(self) -> None:
        data = self.data
        machine = struct.unpack_from("<H", data, 18)[0]
        self.processor = ELF_PROCESSORS.get(machine) or sys.exit(f"{self.path}: unknown processor {machine}")
        start, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
        headers = [struct.unpack_from("<IIQQQQQQ", data, start + index * size) for index in range(count)]
        loaded = [(header[3], header[2], header[5]) for header in headers if header[0] == 1]

        def place(address: int) -> int:
            return next(address - first + offset for first, offset, length in loaded if 0 <= address - first < length)

        def text(offset: int) -> str:
            begin = strings + offset
            return data[begin : data.index(b"\0", begin)].decode()

        dynamic: List[Tuple[int, int]] = []
        for header in headers:
            if header[0] == 2:
                dynamic = list(struct.iter_unpack("<QQ", data[header[2] : header[2] + header[5]]))
        values = dict(dynamic)
        strings = place(values[5])
        self.libraries = [text(value) for tag, value in dynamic if tag == 1]
        versions = [(2, 17)]
        # DT_VERNEED: one entry a library, with a chain of the versions that are asked of it.
        entry = place(values[0x6FFFFFFE])
        for _ in range(values[0x6FFFFFFF]):
            _, number, _, first, following = struct.unpack_from("<HHIII", data, entry)
            need = entry + first
            for _ in range(number):
                _, _, _, name, after = struct.unpack_from("<IHHII", data, need)
                word = text(name)
                if word == "GLIBC_ABI_DT_RELR":
                    versions.append((2, 36))
                elif word.startswith("GLIBC_2."):
                    versions.append((2, int(word.split(".")[1])))
                need += after
            entry += following
        self.least = max(versions)

    def _read_mach(self) -> None:
        kind = struct.unpack_from("<I", self.data, 4)[0]
        self.processor = MACH_PROCESSORS.get(kind) or sys.exit(f"{self.path}: unknown processor {kind:#x}")
        self.least = (11, 0)
        place = 32
        for _ in range(struct.unpack_from("<I", self.data, 16)[0]):
            command, size = struct.unpack_from("<II", self.data, place)
            if command == 0x32:  # LC_BUILD_VERSION
                oldest = struct.unpack_from("<I", self.data, place + 12)[0]
                # From macOS 11 on only the first number counts in a tag.
                self.least = (oldest >> 16, 0 if oldest >> 16 >= 11 else oldest >> 8 & 255)
            place += size


def wheel_platform(binary: Binary, local: bool = False) -> str:
    """The platform of a wheel's tag, such as `manylinux_2_31_x86_64`; or one for this machine, whatever it needs."""
    first, second = binary.least
    if binary.system == "macos":
        return f"macosx_{first}_{second}_{binary.processor}"
    foreign = [name for name in binary.libraries if not name.startswith(ALWAYS_THERE)]
    if local:
        return f"linux_{binary.processor}"
    if foreign:
        sys.exit(f"{binary.path}: a wheel cannot need {', '.join(foreign)}; link it statically, or load it when needed")
    return f"manylinux_{first}_{second}_{binary.processor}"


def node_platform(binary: Binary) -> Tuple[str, str]:
    """Node's `os` and `cpu`."""
    cpu = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}[binary.processor]
    return ("darwin" if binary.system == "macos" else "linux", cpu)
