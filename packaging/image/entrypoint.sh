#!/bin/sh
# /docker-entrypoint.sh, by the name that it has in `wiremock/wiremock`, and `java` of the image. Flags alone are the daemon's;
# a command that begins with `java` is WireMock's own, and its flags count; any other program of the image is run. Everything
# else is for stuntdouble: a folder, or a command such as `validate /mocks`.
set -eu

say() { printf 'stuntdouble: %s\n' "$*" >&2; }
has_files() { [ -n "$(find "$@" -type f 2>/dev/null | head -n 1)" ]; }
# Whether it names a file that can be run. `command -v` knows the words of the shell itself, too: `help` and `wait` are ours.
is_program() {
    case $1 in */*) [ -f "$1" ] && [ -x "$1" ] && return 0 || return 1 ;; esac
    rest=$PATH:
    while [ -n "$rest" ]; do
        [ ! -f "${rest%%:*}/$1" ] || [ ! -x "${rest%%:*}/$1" ] || return 0
        rest=${rest#*:}
    done
    return 1
}
# The words of a file of arguments (`java @file`), quoted for `eval`, by the JVM's rules: `#` outside of quotes begins a comment,
# and `\` is special in quotes only, where it also joins lines. Of a quote that its line leaves open it says so, and fails.
words_of() {
    LC_ALL=C awk -v quote="'" '
    function end() {
        gsub(quote, quote "\"" quote "\"" quote, word)
        if (begun) words = words " " quote word quote
        begun = 0
        word = ""
    }
    BEGIN { meant["n"] = "\n"; meant["r"] = "\r"; meant["t"] = "\t"; meant["f"] = "\f" }
    {
        sub(/\r$/, "")
        if (open != "") sub(/^[ \t\f]+/, "")
        if (open != "" && $0 == "") next
        joins = 0
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (open == "" && c == "#") break
            if (open == "" && c ~ /[ \t\r\f]/) { end(); continue }
            begun = 1
            if (open != "" && c == "\\") {
                c = substr($0, ++i, 1)
                joins = c == ""
                word = word (c in meant ? meant[c] : c)
            } else if (c == open) open = ""
            else if (open == "" && (c == "\"" || c == quote)) open = c
            else word = word c
        }
        if (open == "") end()
        else if (!joins) exit
    }
    END {
        if (open != "") { print "line " NR ": the quote " open " has no end"; exit 1 }
        print words
    }' "$1"
}

# Kubernetes tells a pod where the services of its namespace are: one called `stuntdouble` in variables that are options of ours.
case ${STUNTDOUBLE_PORT-} in *://*) unset STUNTDOUBLE_PORT ;; esac
case ${STUNTDOUBLE_HTTPS_PORT-} in *://*) unset STUNTDOUBLE_HTTPS_PORT ;; esac

case ${0##*/} in java) set -- java "$@" ;; esac
case ${1-} in /docker-entrypoint.sh | docker-entrypoint.sh) shift ;; esac
# Testcontainers' module for Go gives one empty word.
while [ $# -gt 0 ] && [ -z "$1" ]; do shift; done

case ${1-} in
java | */bin/java)
    shift
    run=
    own=$# # how many words the command itself has left
    while [ $# -gt 0 ] && [ -z "$run" ]; do
        case $1 in
        # What is run, after which its own arguments come.
        -jar | -m | --module)
            run=${2-nothing}
            shift
            ;;
        --module=*) run=${1#*=} ;;
        # The options of the JVM whose value is the next word.
        -cp | -classpath | --class-path | -p | --module-path | --upgrade-module-path | --add-modules | --limit-modules | \
            --add-reads | --add-exports | --add-opens | --patch-module | --enable-native-access | --source | -d | --describe-module)
            shift
            ;;
        -version | --version | -showversion | --show-version) exec stuntdouble --version ;;
        @*)
            if [ $# -gt "$own" ]; then
                run=$1 # A file of arguments names no other.
            else
                [ -r "${1#@}" ] || { say "cannot read ${1#@}, a file of arguments for java" && exit 1; }
                words=$(words_of "${1#@}") || { say "${1#@}, a file of arguments for java: $words" && exit 1; }
                own=$(($# - 1))
                shift
                # They stand in its place, behind the word that is left behind below.
                eval "set -- @ $words"' "$@"'
            fi
            ;;
        -*) ;;
        *) run=$1 ;;
        esac
        [ $# -eq 0 ] || shift
    done
    case $run in
    *[Ww]ire[Mm]ock*) ;;
    *) say "there is no JVM here: what java was to run, ${run:-nothing}, is not, and its flags are taken for WireMock's" ;;
    esac
    set -- stuntdouble "$@"
    ;;
wiremock)
    shift
    set -- stuntdouble "$@"
    ;;
# A stub file is no program, even if a mount makes all files executable.
"" | -* | *.yaml | *.yml | *.json) set -- stuntdouble "$@" ;;
*) is_program "$1" || set -- stuntdouble "$@" ;;
esac

if [ "$1" = stuntdouble ]; then
    # The daemon serves the folder `mocks` of its working folder, or else that folder in WireMock's layout, as it is in
    # /home/wiremock.
    if [ -d /mocks ]; then
        cd /
        case " $* ${WIREMOCK_OPTIONS-} " in
        *" --root-dir"*) ;;
        *) ! has_files /home/wiremock/mappings || say "/home/wiremock/mappings is not served, as there is a folder /mocks" ;;
        esac
    fi
    ! has_files /var/wiremock/extensions -name '*.jar' ||
        say "the extensions in /var/wiremock/extensions are not loaded, as there is no JVM: see docs/moving/wiremock.md"
fi
# For the health check, which thereby knows the port that a flag has chosen. Not where the container may write nothing, which
# busybox's `test -w` does not know of a file system that is read-only.
folder=/run/stuntdouble
if (: >"$folder/.$$") 2>/dev/null; then
    rm -f "$folder/.$$"
    export STUNTDOUBLE_PORT_FILE="${STUNTDOUBLE_PORT_FILE-$folder/port}"
fi

# As WireMock's image has it: the owner of its files, and of the process.
if [ -n "${uid-}" ] && [ "$(id -u)" = 0 ]; then
    chown -R "$uid:$uid" /home/wiremock 2>/dev/null ||
        say "not all of /home/wiremock could be given to uid=$uid: what it may not write to is served, and nothing is saved there"
    exec setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
elif [ -n "${uid-}" ] && [ "$(id -u)" != "$uid" ]; then
    say "uid=$uid is heeded if the container begins as root: add --user 0, or write --user $uid in its place"
fi
exec "$@"
