#!/bin/sh
# Installs Stunt Double from a file, a folder or a URL. POSIX sh: dash, busybox and bash run it.
#
#     sh install.sh --from FILE|FOLDER|URL [--version VERSION] [--prefix DIR] [--no-check]
#     sh install.sh --uninstall [--prefix DIR]
#
# --from names an archive (stuntdouble-VERSION-SYSTEM-PROCESSOR.tar.gz), or the folder or URL with the archives of a release and
# their SHA256SUMS; without it, the folder of this script if that has one. DIR is /usr/local for root, otherwise ~/.local. The archive
# is checked against SHA256SUMS beside it. What is installed is listed in DIR/share/doc/stuntdouble/installed, for --uninstall.
set -eu

from=
version=
prefix=
checks=yes
action=install

say() { printf 'stuntdouble: %s\n' "$*"; }
fail() {
    printf 'stuntdouble: %s\n' "$*" >&2
    exit 1
}
usage() {
    say 'sh install.sh --from FILE|FOLDER|URL [--version VERSION] [--prefix DIR] [--no-check]'
    say 'sh install.sh --uninstall [--prefix DIR]'
}
# quoted TEXT: as a word for a shell
quoted() {
    case $1 in
    *[!A-Za-z0-9_./-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s' "$1" ;;
    esac
}
value() { [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value"; }

while [ $# -gt 0 ]; do
    case $1 in
    --from=* | --version=* | --prefix=*)
        option=${1%%=*}
        rest=${1#*=}
        shift
        set -- "$option" "$rest" "$@"
        continue
        ;;
    --from) value "$@" && from=$2 && shift 2 ;;
    --version) value "$@" && version=${2#v} && shift 2 ;;
    --prefix) value "$@" && prefix=$2 && shift 2 ;;
    --no-check) checks=no && shift ;;
    --uninstall) action=uninstall && shift ;;
    -h | --help) usage && exit 0 ;;
    *)
        say "unknown argument: $1" >&2
        usage >&2
        exit 2
        ;;
    esac
done

if [ -z "$prefix" ]; then
    if [ "$(id -u)" = 0 ]; then
        prefix=/usr/local
    else
        [ -n "${HOME:-}" ] || fail "where to? HOME is not set: name a folder with --prefix"
        prefix=$HOME/.local
    fi
fi
case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
list=$prefix/share/doc/stuntdouble/installed

if [ "$action" = uninstall ]; then
    [ -f "$list" ] || fail "nothing is installed in $prefix (there is no $list)"
    while read -r path; do
        case $path in /* | *..*) continue ;; esac
        rm -f "$prefix/$path" || fail "cannot remove $prefix/$path; run as who has installed it"
    done <"$list"
    rm -f "$list"
    # Folders that are empty now, deepest first; others hold what belongs to somebody else.
    find "$prefix/share/doc/stuntdouble" -depth -type d -exec rmdir {} \; 2>/dev/null || true
    say "removed from $prefix"
    exit 0
fi

for tool in tar gzip; do command -v $tool >/dev/null 2>&1 || fail "unpacking needs $tool"; done
[ "$checks" = no ] || command -v sha256sum >/dev/null 2>&1 || command -v shasum >/dev/null 2>&1 ||
    fail "checking needs sha256sum or shasum; --no-check does without"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

fetch() { # fetch URL FILE
    if command -v curl >/dev/null 2>&1; then
        curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
    elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$2" "$1"
    else
        fail "downloading needs curl or wget"
    fi
}

digest() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

system=$(uname -s)
case $system in
Linux) system=linux ;;
Darwin) system=macos ;;
*) fail "there is no package for $system; the container image runs where containers do" ;;
esac
processor=$(uname -m)
case $processor in
x86_64 | amd64) processor=x86_64 ;;
aarch64 | arm64) processor=aarch64 ;;
*) fail "there is no package for the processor $processor" ;;
esac

# The sums of a release name its archives: the one for this machine is taken, of the version asked for.
named() { # named SUMS
    sed -n "s/^[0-9a-f]* [ *]\(stuntdouble-${version:-[0-9][^ ]*}-$system-$processor\.tar\.gz\)\$/\1/p" "$1" | tail -n 1
}

if [ -z "$from" ]; then
    from=$(dirname "$0")
    [ -f "$from/SHA256SUMS" ] || fail "where from? --from FILE, FOLDER or URL"
fi
case $from in
http://* | https://* | file://*)
    case $from in
    *.tar.gz)
        base=${from%/*}
        archive=${from##*/}
        ;;
    *)
        base=${from%/}
        archive=
        ;;
    esac
    if [ "$checks" = yes ] || [ -z "$archive" ]; then
        fetch "$base/SHA256SUMS" "$work/SHA256SUMS" || fail "cannot download $base/SHA256SUMS"
    fi
    [ -n "$archive" ] || archive=$(named "$work/SHA256SUMS")
    [ -n "$archive" ] || fail "$base/SHA256SUMS names no archive ${version:+of version $version }for $system-$processor"
    say "downloading $base/$archive"
    fetch "$base/$archive" "$work/$archive" || fail "cannot download $base/$archive"
    ;;
*)
    if [ -d "$from" ]; then
        [ -f "$from/SHA256SUMS" ] || fail "there is no $from/SHA256SUMS; expected the folder of a release, or one archive"
        archive=$(named "$from/SHA256SUMS")
        [ -n "$archive" ] || fail "$from/SHA256SUMS names no archive ${version:+of version $version }for $system-$processor"
        base=$from
    elif [ -f "$from" ]; then
        base=$(dirname "$from")
        archive=$(basename "$from")
    else
        fail "there is no file or folder $from"
    fi
    [ "$checks" = no ] || [ -f "$base/SHA256SUMS" ] || fail "there is no $base/SHA256SUMS to check $archive with; --no-check does without"
    [ "$checks" = no ] || cp "$base/SHA256SUMS" "$work/SHA256SUMS"
    cp "$base/$archive" "$work/$archive" || fail "cannot copy $base/$archive to $work"
    ;;
esac

case $archive in
*-"$system-$processor".tar.gz) ;;
stuntdouble-*-*-*.tar.gz) fail "$archive is for another machine; this one is $system-$processor" ;;
esac

if [ "$checks" = yes ]; then
    expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$archive\$/\1/p" "$work/SHA256SUMS")
    [ -n "$expected" ] || fail "SHA256SUMS does not name $archive"
    found=$(digest "$work/$archive")
    [ "$found" = "$expected" ] || fail "$archive is damaged or another one: its SHA-256 is $found, and $expected was expected"
    say "the SHA-256 of $archive is that of SHA256SUMS"
fi

mkdir "$work/files"
gzip -dc "$work/$archive" | tar -xf - -C "$work/files" || fail "cannot unpack $archive"
folder=$(find "$work/files" -mindepth 1 -maxdepth 1 -type d | head -n 1)
[ -f "$folder/bin/stuntdouble" ] || fail "$archive has no bin/stuntdouble"
[ -x "$folder/bin/stuntdouble" ] || fail "no program may be started in $work: name another folder for it, TMPDIR=\$HOME sh install.sh …"
installed=$("$folder/bin/stuntdouble" --version) ||
    fail "$archive does not start here: the binary needs glibc 2.31 or newer (Debian 11, Ubuntu 20.04, Fedora 32); the container image runs everywhere"

mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] || fail "cannot write to $prefix; name another folder with --prefix, or run as root"
(cd "$folder" && find . -type f | sed 's/^\.\///' | sort) >"$work/installed"
# A running daemon keeps its file: the new ones take the names, once all of them are there.
place() { # place PATH
    mkdir -p "$prefix/$(dirname "$1")" && cp "$folder/$1" "$prefix/$1.new" &&
        chmod "$(if [ -x "$folder/$1" ]; then echo 755; else echo 644; fi)" "$prefix/$1.new"
}
while read -r path; do
    place "$path" && continue
    while read -r other; do rm -f "$prefix/$other.new"; done <"$work/installed"
    fail "cannot write $prefix/$path; nothing was installed. Name another folder with --prefix, or run as root"
done <"$work/installed"
while read -r path; do mv -f "$prefix/$path.new" "$prefix/$path"; done <"$work/installed"
cp "$work/installed" "$list"
say "installed $installed: $prefix/bin/stuntdouble"
case :${PATH:-}: in
*:"$prefix/bin":*) ;;
*) say "$prefix/bin is not in your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
say "what this machine lacks for HTTPS, HTTP/2, XML or proxying tells: stuntdouble doctor"
say "to remove it: sh install.sh --uninstall --prefix $(quoted "$prefix")"
