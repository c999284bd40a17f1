#!/bin/sh
# Usage: packaging/verify-install.sh [SHELL...], by default those of `dash`, `busybox ash`, `bash` and `sh` that are here. Runs install.sh in
# each on small archives of its own: from a folder, a file and a URL, what it refuses, and what it leaves when it is removed.
# Needs tar, gzip, sha256sum or shasum; python3 for the URL.
set -eu
cd "$(dirname "$0")"
installer=$PWD/install.sh

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
system=$(uname -s | sed 's/Linux/linux/;s/Darwin/macos/')
processor=$(uname -m | sed 's/arm64/aarch64/;s/amd64/x86_64/')
machine=$system-$processor

digest() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
# archive VERSION MACHINE: makes an archive whose program only says its version
archive() {
    name=stuntdouble-$1-$2
    mkdir -p "$work/made/$name/bin" "$work/made/$name/share/doc/stuntdouble/examples" "$work/made/$name/share/man/man1"
    printf '#!/bin/sh\necho "stuntdouble %s"\n' "$1" >"$work/made/$name/bin/stuntdouble"
    chmod +x "$work/made/$name/bin/stuntdouble"
    echo "$1" >"$work/made/$name/share/doc/stuntdouble/examples/$1.txt"
    echo .TH >"$work/made/$name/share/man/man1/stuntdouble.1"
    tar -C "$work/made" -cf - "$name" | gzip -9 >"$work/release/$name.tar.gz"
}
mkdir "$work/release"
archive 0.1.0 "$machine"
archive 0.2.0 "$machine"
archive 0.2.0 plan9-mips
(cd "$work/release" && digest -- *.tar.gz >SHA256SUMS)

cases=0
failed=0
home=
lacking= # the folder of tools that stands for PATH, if any
# tools FOLDER TOOL...: makes FOLDER/all with what the installer calls, and for each TOOL a folder without it
tools() {
    rm -rf "$1" && mkdir -p "$1/all"
    for name in sh bash dash busybox uname mkdir mktemp cp mv rm cat sed grep id dirname basename ls chmod cut head tail find sort \
        tar gzip sha256sum shasum perl; do
        ! found=$(command -v "$name") || ln -s "$found" "$1/all/$name"
    done
    into=$1
    shift
    for name in "$@"; do cp -R "$into/all" "$into/$name" && rm -f "$into/$name/$name"; done
}
try() { # try STATUS TEXT ARGUMENT...: runs the installer, and compares its status and what it says
    cases=$((cases + 1))
    status=0
    expected=$1
    text=$2
    shift 2
    # shellcheck disable=SC2086  # a shell may be two words
    HOME=$home PATH=${lacking:-$PATH} $shell "$installer" "$@" >"$work/out" 2>&1 </dev/null || status=$?
    if [ "$status" != "$expected" ] || ! grep -q -- "$text" "$work/out"; then
        failed=$((failed + 1))
        echo "install: $shell install.sh $*: status $status, expected $expected with: $text" >&2
        sed 's/^/    | /' "$work/out" >&2
    fi
}
holds() { # holds CONDITION: a test of `test`
    cases=$((cases + 1))
    test "$@" || { failed=$((failed + 1)); echo "install: in $shell does not hold: $*" >&2; }
}

verify() {
    home=$work/home
    rm -rf "$home" "$work/p"
    mkdir "$home"
    prefix="$work/p/a folder"
    try 0 'installed stuntdouble 0.2.0' --from "$work/release" --prefix "$prefix"
    holds "$("$prefix/bin/stuntdouble")" = 'stuntdouble 0.2.0'
    holds -f "$prefix/share/man/man1/stuntdouble.1"
    echo mine >"$prefix/share/man/man1/other.1"
    try 0 'installed stuntdouble 0.1.0' --from="$work/release" --version=v0.1.0 --prefix="$prefix"
    holds "$("$prefix/bin/stuntdouble")" = 'stuntdouble 0.1.0'
    try 0 removed --uninstall --prefix "$prefix"
    holds ! -e "$prefix/bin/stuntdouble"
    holds -f "$prefix/share/man/man1/other.1"
    try 1 'nothing is installed' --uninstall --prefix "$prefix"
    try 0 "to remove it: .*--prefix '$work/p/an.\\\\''s folder'" --from "$work/release" --prefix "$work/p/an's folder"
    try 0 'sh install.sh --from' --help

    try 0 'the SHA-256 of' --from "$work/release/stuntdouble-0.1.0-$machine.tar.gz" --prefix "$prefix"
    if [ "$(id -u)" != 0 ]; then
        try 0 "$home/.local/bin is not in your PATH" --from "$work/release"
        holds -x "$home/.local/bin/stuntdouble"
    fi
    (cd "$work" && mkdir -p cwd && cd cwd && HOME=$home $shell "$installer" --from ../release --prefix here >/dev/null)
    holds -x "$work/cwd/here/bin/stuntdouble"

    # What is refused.
    try 1 'is for another machine' --from "$work/release/stuntdouble-0.2.0-plan9-mips.tar.gz" --prefix "$prefix"
    try 1 'names no archive of version 9.9.9' --from "$work/release" --version 9.9.9 --prefix "$prefix"
    try 1 'there is no file or folder' --from "$work/none" --prefix "$prefix"
    try 1 'where from?' --prefix "$prefix"
    try 1 'needs a value' --from
    try 2 'unknown argument: --form' --form x
    rm -rf "$work/bad"
    cp -r "$work/release" "$work/bad"
    echo x >>"$work/bad/stuntdouble-0.2.0-$machine.tar.gz"
    try 1 'is damaged or another one' --from "$work/bad" --prefix "$work/p/bad"
    holds ! -e "$work/p/bad"
    rm "$work/bad/SHA256SUMS"
    try 1 'to check' --from "$work/bad/stuntdouble-0.1.0-$machine.tar.gz" --prefix "$work/p/bad"
    try 0 'installed' --no-check --from "$work/bad/stuntdouble-0.1.0-$machine.tar.gz" --prefix "$work/p/bad"
    try 1 'expected the folder of a release, or one archive' --from "$work/bad" --prefix "$work/p/bad"

    # What the machine lacks. A file stands where a folder would have to be made: nothing is left behind.
    mkdir -p "$work/p/half"
    echo mine >"$work/p/half/share"
    try 1 'half/share/.*; nothing was installed' --from "$work/release" --prefix "$work/p/half"
    holds -z "$(find "$work/p/half" -name 'stuntdouble*')"
    tools "$work/tools" tar gzip sha256sum shasum
    lacking=$work/tools/all
    try 0 installed --from "$work/release" --prefix "$work/p/tools"
    for tool in tar gzip; do
        lacking=$work/tools/$tool
        try 1 "^stuntdouble: unpacking needs $tool\$" --from "$work/release" --prefix "$work/p/$tool"
        holds "$(wc -l <"$work/out")" = 1
    done
    lacking=$work/tools/sha256sum
    rm -f "$lacking/shasum"
    try 1 '^stuntdouble: checking needs sha256sum or shasum; --no-check' --from "$work/release" --prefix "$work/p/sums"
    holds "$(wc -l <"$work/out")" = 1
    try 0 installed --no-check --from "$work/release" --prefix "$work/p/sums"
    lacking=
    if [ "$(id -u)" != 0 ]; then
        home=
        try 1 'HOME is not set: name a folder with --prefix' --from "$work/release"
        home=$work/home
    fi

    if [ -n "$server" ]; then
        try 0 'downloading' --from "http://127.0.0.1:$port" --prefix "$work/p/url"
        holds "$("$work/p/url/bin/stuntdouble")" = 'stuntdouble 0.2.0'
        try 0 'installed stuntdouble 0.1.0' --from "http://127.0.0.1:$port/stuntdouble-0.1.0-$machine.tar.gz" --prefix "$work/p/url"
        try 1 'cannot download http' --from "http://127.0.0.1:$port/none" --prefix "$work/p/url"
    fi
}

if command -v python3 >/dev/null; then
    python3 -u -c '
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
handler.func.log_message = lambda *_: None
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()' "$work/release" >"$work/port" 2>/dev/null &
    server=$!
    until [ -s "$work/port" ]; do sleep 0.05; done
    port=$(cat "$work/port")
fi
if [ $# -gt 0 ]; then
    for shell in "$@"; do verify; done
else
    used=
    for shell in dash 'busybox ash' bash sh; do
        command -v "${shell%% *}" >/dev/null || continue
        verify
        used="$used, $shell"
    done
    set -- "${used#, }"
fi
[ $failed = 0 ] || { echo "install: $failed of $cases failed" >&2; exit 1; }
echo "install: $cases checks hold, in $*"
