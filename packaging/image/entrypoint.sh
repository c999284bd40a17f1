#!/bin/sh
# The image's entry point, in place of that of `wiremock/wiremock`: flags alone are the daemon's, a command that begins with
# `java` is WireMock's own and its flags count, any other program of the image is run. Everything else is for
# stuntdouble: a folder, or a command such as `validate /mocks`.
set -eu

case ${1-} in
java)
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        -cp | -classpath | --class-path) shift 2 ;;
        -jar)
            shift 2
            break
            ;;
        -*) shift ;;
        *)
            shift
            break
            ;;
        esac
    done
    set -- stuntdouble "$@"
    ;;
wiremock)
    shift
    set -- stuntdouble "$@"
    ;;
"" | -*) set -- stuntdouble "$@" ;;
*) { [ ! -d "$1" ] && command -v "$1" >/dev/null 2>&1; } || set -- stuntdouble "$@" ;;
esac

# The daemon serves the folder `mocks` of its working folder, or else that folder in WireMock's layout, as it is in
# /home/wiremock.
[ ! -d /mocks ] || cd /
# For the health check, which thereby knows the port that a flag has chosen. Not where the container may write nothing.
[ ! -w /run/stuntdouble ] || export STUNTDOUBLE_PORT_FILE="${STUNTDOUBLE_PORT_FILE-/run/stuntdouble/port}"

# As WireMock's image has it: the owner of its files, and of the process.
if [ -n "${uid-}" ] && [ "$(id -u)" = 0 ]; then
    chown -R "$uid:$uid" /home/wiremock
    exec setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
elif [ -n "${uid-}" ] && [ "$(id -u)" != "$uid" ]; then
    echo "uid=$uid is heeded if the container begins as root: add --user 0, or write --user $uid in its place" >&2
fi
exec "$@"
