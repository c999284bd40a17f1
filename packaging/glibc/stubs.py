#!/usr/bin/env python3
"""Makes the libraries against which the binary that is handed out is linked, so that it starts with an older C library.

    packaging/glibc/stubs.py FOLDER [--newest 2.31]

prints the options for `swift build`. The C library of this machine has every function in each version that it ever had; a linker
takes the newest. These libraries have its names too, each function in the newest version that is not newer than
`--newest`, and no code: only the linker reads them. What is younger than that is not in them. `later.c` has
what the binary needs of it; another function that is missing ends the linking with its name, and belongs there.

Until glibc 2.34, threads and `dlopen` were in libraries of their own, so these are named too; newer systems have them still.
Needs `clang` (or the compiler CC) and `readelf` (or READELF).
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# The functions that were in other libraries until 2.34.
APART = {
    "libdl": re.compile(r"dl(open|close|sym|vsym|mopen|error|addr1?|info)$"),
    "libpthread": re.compile(r"(__)?(pthread|sem)_"),
    "librt": re.compile(r"(timer_|mq_|aio_|lio_|shm_)"),
}
SONAMES = {"libc": "libc.so.6", "libm": "libm.so.6", "libdl": "libdl.so.2", "libpthread": "libpthread.so.0", "librt": "librt.so.1"}


def number(version):
    return tuple(int(part) for part in version.removeprefix("GLIBC_").split("."))


def tool(variable, *names):
    for name in [os.environ.get(variable, ""), *names]:
        if name and shutil.which(name):
            return name
    sys.exit(f"stubs: {' or '.join(names)} is needed, and neither is here")


def library(compiler, name):
    """Where the compiler has a file of the C library."""
    path = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
    if not os.path.isabs(path):
        sys.exit(f"stubs: {compiler} finds no {name}")
    return pathlib.Path(path)


def symbols(readelf, path):
    """Yields (name, version, kind, size) of what a library defines."""
    text = subprocess.run([readelf, "--dyn-syms", "--wide", str(path)], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].rstrip(":").isdigit() or fields[6] == "UND":
            continue
        match = re.fullmatch(r"([A-Za-z0-9_.$]+)@@?(GLIBC_[0-9.]+)", fields[7])
        if match and fields[4] in ("GLOBAL", "WEAK", "UNIQUE") and fields[3] != "TLS":
            yield match[1], match[2], fields[3], int(fields[2], 0)


def make(compiler, folder, name, chosen):
    """Makes a shared library with these symbols, each in its version."""
    source, script, out = (folder / f"{name}.{suffix}" for suffix in ("s", "map", "so"))
    versions, text = {}, [".text"]
    for symbol, (version, kind, size) in sorted(chosen.items()):
        versions.setdefault(version, []).append(symbol)
        if kind == "OBJECT":
            text += [f".data\n.globl {symbol}\n.type {symbol}, %object\n.size {symbol}, {size}\n{symbol}: .zero {max(size, 1)}\n.text"]
        else:
            text += [f".globl {symbol}\n.type {symbol}, %function\n{symbol}: .byte 0"]
    source.write_text("\n".join(text) + '\n.section .note.GNU-stack,"",%progbits\n')
    script.write_text("".join(f"{version} {{ global: {'; '.join(names)}; }};\n" for version, names in sorted(versions.items())))
    subprocess.run(
        [compiler, "-shared", "-nostdlib", "-fuse-ld=lld", f"-Wl,-soname,{SONAMES[name]}", f"-Wl,--version-script={script}",
         "-o", str(out), str(source)], check=True)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--newest", default="2.31")
    arguments = parser.parse_args()
    newest = number(arguments.newest)
    compiler, readelf = tool("CC", "clang", "cc"), tool("READELF", "readelf", "llvm-readelf")
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = {name: {} for name in SONAMES}
    for file in ("libc.so.6", "libm.so.6"):
        for symbol, version, kind, size in symbols(readelf, library(compiler, file)):
            if number(version) > newest:
                continue
            home = file.split(".")[0]
            if home == "libc":
                home = next((name for name, names in APART.items() if names.match(symbol)), home)
            known = found[home].get(symbol)
            if known is None or number(known[0]) < number(version):
                found[home][symbol] = (version, kind, size)
    later = folder / "later.o"
    subprocess.run([compiler, "-c", "-O2", "-fPIC", "-fno-builtin", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-o", str(later), str(HERE / "later.c")], check=True)
    made = {name: make(compiler, folder, name, chosen) for name, chosen in found.items() if chosen}
    # What stands beside the library in the script that the compiler calls `libc.so`: what is linked into each program, and the loader.
    script = library(compiler, "libc.so").read_text()
    rest = re.search(r"GROUP\s*\(\s*\S+(.*)\)", script, re.DOTALL)
    stub = made["libc"].rename(folder / "libc-2.so")
    apart = " ".join(str(made[name]) for name in APART if name in made)
    (folder / "libc.so").write_text(f"GROUP ( {stub} AS_NEEDED ( {apart} ) {rest[1] if rest else ''} )\n")
    print(f"-Xlinker -L{folder} -Xlinker {later}")


if __name__ == "__main__":
    main()
