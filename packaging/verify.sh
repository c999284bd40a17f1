#!/usr/bin/env bash
# Usage: packaging/verify.sh [--dist FOLDER] [--packages FOLDER] [SUITE...], as root on Linux; `make verify-dist` calls it. Installs what `make dist` has
# made in bare Debians, which mmdebstrap makes: by default bullseye, bookworm and trixie. None has a compiler, or anything of ours.
#
# In each: the archive by install.sh, a stub by HTTP, what is said where a library is missing, `doctor`; the archive removed; the .deb
# by apt with what it recommends, a stub with XML, HTTPS that curl checks, `stuntdouble run -- curl`. Where there is a wheel in
# --packages (by default that of --dist), pip installs it in a fresh virtual environment and pytest uses it; npm
# the same in a fresh folder, with this machine's npm. Each step is printed with its seconds. The Debians are kept in
# .build/verify as archives; a second run does not download them again.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
dist=$root/dist
packages=
suites=()
while [ $# -gt 0 ]; do
    case $1 in
    --dist) dist=$(cd "$2" && pwd) && shift 2 ;;
    --packages) packages=$2 && shift 2 ;;
    -*) sed -n '2,3s/^# //p' "$0" >&2 && exit 2 ;;
    *) suites+=("$1") && shift ;;
    esac
done
packages=${packages:-$dist}
[ ${#suites[@]} -gt 0 ] || suites=(bullseye bookworm trixie)
[ "$(id -u)" = 0 ] || { echo "verify: roots are made by root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "verify: needs mmdebstrap" >&2; exit 1; }
cache=$root/.build/verify
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

failed=0
# step NAME COMMAND...: runs it in the root, prints what it took, and its output where it failed.
step() {
    local name=$1 begin end status=0
    shift
    begin=$(date +%s%N)
    inside "$@" >"$work/out" 2>&1 </dev/null || status=$?
    end=$(date +%s%N)
    if [ $status = 0 ]; then
        printf '%-9s ok    %6.2f s  %s\n' "$suite" "$(((end - begin) / 10000000))e-2" "$name"
        sed -n 's/^say: /                            /p' "$work/out"
    else
        failed=$((failed + 1))
        printf '%-9s FAILED        %s (status %s)\n' "$suite" "$name" "$status"
        sed 's/^/    | /' "$work/out" | tail -n 30
    fi
}

# inside COMMAND...: in the root, with its own /proc and network's names.
inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        root=$1
        shift
        mount --make-rprivate /
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin DEBIAN_FRONTEND=noninteractive \
            LC_ALL=C.UTF-8 PIP_CERT=/certificates.pem PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "$@"' verify "$work/root" "$@"
}

cat >"$work/proof.sh" <<'INSIDE'
# The steps, by name; run in the root.
set -euo pipefail
version() { ls /dist/stuntdouble-*-linux-"$(uname -m)".tar.gz | sed 's/.*stuntdouble-\(.*\)-linux-.*/\1/'; }
serve() { # serve OPTIONS...: starts a daemon, and sets `port`
    rm -f /tmp/port
    stuntdouble "$@" --port 0 --port-file /tmp/port >/tmp/log 2>&1 &
    daemon=$!
    until [ -s /tmp/port ]; do
        kill -0 $daemon 2>/dev/null || { cat /tmp/log; return 1; }
        sleep 0.02
    done
    port=$(head -n 1 /tmp/port)
    secured=$(sed -n 2p /tmp/port)
}
ask() { # ask METHOD PATH [BODY]: the answer, without curl
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %s\r\n\r\n%s' "$1" "$2" "${#3}" "$3" >&3
    cat <&3
    exec 3<&-
}
expect() { grep -q -- "$1" || { echo "expected: $1"; return 1; }; }
xml='{"request": {"method": "POST", "url": "/xml", "bodyPatterns": [{"equalToXml": "<a><b>1</b></a>"}]}, "response": {"body": "XML was read"}}'

case $1 in
tarball)
    sh /dist/install.sh --from /dist
    [ "$(stuntdouble --version)" = "stuntdouble $(version)" ]
    [ -s /usr/local/share/man/man1/stuntdouble.1 ]
    echo "say: $(stuntdouble --version), glibc $(ldd --version | sed -n '1s/.* //p')"
    ;;
serves)
    serve /usr/local/share/doc/stuntdouble/examples/mocks
    ask GET /api/users/1 "" >/tmp/answer
    expect 'HTTP/1.1 200' </tmp/answer
    kill $daemon
    wait $daemon
    ;;
lacks)
    # Without libxml2, an XML stub is refused with the package's name; without OpenSSL 3, so is HTTPS.
    mkdir -p /tmp/xml && echo "$xml" >/tmp/xml/xml.json
    stuntdouble doctor >/tmp/doctor || { cat /tmp/doctor; exit 1; }
    stuntdouble doctor --require xml,https && exit 1
    expect '^missing  xml .*XML needs libxml2' </tmp/doctor
    stuntdouble validate /tmp/xml >/tmp/log 2>&1 && exit 1
    expect 'install the package libxml2' </tmp/log
    tail -n 2 /tmp/doctor | sed 's/^/say: /'
    ;;
uninstall)
    sh /dist/install.sh --uninstall
    [ ! -e /usr/local/bin/stuntdouble ] && [ ! -e /usr/local/share/doc/stuntdouble ]
    ;;
deb)
    apt-get update -qq
    # Where a release has OpenSSL 1.1 only, its package of OpenSSL 3 is no candidate, and the rest comes.
    apt-get install -y -qq /dist/stuntdouble_*.deb curl >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; exit 1; }
    [ "$(command -v stuntdouble)" = /usr/bin/stuntdouble ]
    dpkg --verify stuntdouble
    stuntdouble doctor >/tmp/doctor || { cat /tmp/doctor; exit 1; }
    echo "say: $(sed -n 's/^[a-z]* *\(https\|http2\|xml\|upstream\) *\([^,;]*\).*/\2/p' /tmp/doctor | cut -c 1-60 | paste -sd ';' | sed 's/;/; /g')"
    ;;
xml)
    mkdir -p /tmp/xml && echo "$xml" >/tmp/xml/xml.json
    serve /tmp/xml
    [ "$(curl -fsS -d '<a>  <b>1</b></a>' "http://127.0.0.1:$port/xml")" = "XML was read" ]
    kill $daemon
    wait $daemon
    ;;
https)
    if [ -e /usr/lib/"$(uname -m)"-linux-gnu/libssl.so.3 ]; then
        serve /usr/share/doc/stuntdouble/examples/mocks --https-port 0
        stuntdouble ca >/tmp/ca.pem
        curl -fsS --cacert /tmp/ca.pem --http2 -o /dev/null -w 'say: HTTP/%{http_version} over TLS\n' "https://localhost:$secured/api/users/1"
        kill $daemon
        wait $daemon
    else
        stuntdouble /usr/share/doc/stuntdouble/examples/mocks --port 0 --https-port 0 >/tmp/log 2>&1 && exit 1
        expect 'OpenSSL 3.*too old: lib[a-z]*.so.1.1' </tmp/log
        echo "say: refused: $(grep -o 'the one found is.*' /tmp/log | head -n 1)"
    fi
    ;;
run)
    stuntdouble run /usr/share/doc/stuntdouble/examples/mocks -- sh -c 'curl -fsS "$STUNTDOUBLE_URL/api/users/1"' >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }
    # What no stub answers fails the run, where that is asked for.
    stuntdouble run /usr/share/doc/stuntdouble/examples/mocks --fail-on unmatched -- sh -c 'curl -s "$STUNTDOUBLE_URL/none" >/dev/null' >/tmp/log 2>&1 && exit 1
    expect '/none' </tmp/log
    ;;
proxy)
    serve /usr/share/doc/stuntdouble/examples/mocks
    first=$daemon
    target=$port
    rm /tmp/port
    mkdir -p /tmp/empty
    serve /tmp/empty --proxy-all "http://127.0.0.1:$target"
    curl -fsS "http://127.0.0.1:$port/api/users/1" >/dev/null
    kill $daemon $first
    wait $daemon $first
    ;;
purge)
    apt-get purge -y -qq stuntdouble >/dev/null 2>&1
    [ ! -e /usr/bin/stuntdouble ] && [ ! -e /usr/share/doc/stuntdouble ]
    ;;
python)
    ls /var/lib/apt/lists/*Packages >/dev/null 2>&1 || apt-get update -qq
    apt-get install -y -qq python3-venv >/dev/null 2>&1
    ;;
pip)
    rm -rf /tmp/venv
    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install --quiet /packages/*.whl pytest
    cd /tmp && /tmp/venv/bin/python -m stuntdouble_server --version
    printf '%s\n' 'import urllib.request' '' 'def test_order(stuntdouble):' '    stuntdouble.stub("GET /orders/7", json={"id": 7})' \
        '    with urllib.request.urlopen(stuntdouble.url + "/orders/7") as answer:' '        assert answer.read() == b"{\"id\":7}"' >/tmp/test_order.py
    /tmp/venv/bin/pytest -q /tmp/test_order.py | tail -n 1 | sed 's/^/say: /'
    ;;
node)
    apt-get install -y -qq nodejs >/dev/null 2>&1
    ;;
npm)
    rm -rf /tmp/shop && mkdir /tmp/shop && cd /tmp/shop
    echo '{"name": "shop", "private": true, "type": "module"}' >package.json
    node /npm/bin/npm-cli.js install --offline --no-audit --no-fund --silent /packages/*.tgz
    node /npm/bin/npx-cli.js --offline stuntdouble --version
    printf '%s\n' 'import assert from "node:assert/strict";' 'import { test } from "node:test";' 'import { mockServer } from "stuntdouble-server/node-test";' \
        'test("order", async (t) => {' '    const mock = await mockServer(t);' '    await mock.stub("GET /orders/7", { json: { id: 7 } });' \
        '    assert.deepEqual(await (await fetch(mock.url + "/orders/7")).json(), { id: 7 });' '});' >order.test.js
    node --test >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }
    echo "say: node $(node --version): $(grep -E '^. pass' /tmp/log | tail -n 1)"
    ;;
esac
INSIDE

for suite in "${suites[@]}"; do
    if [ ! -s "$cache/$suite.tar" ]; then
        echo "verify: making a Debian $suite"
        mmdebstrap --quiet --format=tar --variant=minbase --include=ca-certificates "$suite" "$cache/$suite.tar.new"
        mv "$cache/$suite.tar.new" "$cache/$suite.tar"
    fi
    rm -rf --one-file-system "$work/root"
    mkdir -p "$work/root"
    tar -C "$work/root" -xf "$cache/$suite.tar" --exclude='./dev/*'
    # What this machine needs to reach Debian's mirror and PyPI.
    cp -L /etc/resolv.conf "$work/root/etc/resolv.conf"
    cp /etc/ssl/certs/ca-certificates.crt "$work/root/certificates.pem"
    cp -r "$dist" "$work/root/dist"
    cp "$work/proof.sh" "$work/root/proof.sh"
    begin=$SECONDS
    step "the archive by install.sh" bash /proof.sh tarball
    step "a stub by HTTP" bash /proof.sh serves
    step "what is missing is told" bash /proof.sh lacks
    step "the archive removed" bash /proof.sh uninstall
    if ls "$dist"/*.deb >/dev/null 2>&1; then
        step "the .deb by apt, with what it recommends" bash /proof.sh deb
        step "a stub with XML" bash /proof.sh xml
        step "HTTPS" bash /proof.sh https
        step "a call to another server" bash /proof.sh proxy
        step "stuntdouble run -- curl" bash /proof.sh run
        step "the .deb removed" bash /proof.sh purge
    fi
    if ls "$packages"/*.whl >/dev/null 2>&1; then
        mkdir -p "$work/root/packages"
        cp "$packages"/*.whl "$work/root/packages/"
        step "(Debian's Python)" bash /proof.sh python
        step "pip in a fresh virtual environment, and pytest" bash /proof.sh pip
        npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm || echo /none/bin/npm)")")")
        # Debian 11 has a node without node:test.
        if [ "$suite" != bullseye ] && [ -e "$npm/bin/npm-cli.js" ] && ls "$packages"/stuntdouble-server-*.tgz >/dev/null 2>&1; then
            cp "$packages"/stuntdouble-server-*.tgz "$work/root/packages/"
            cp -r "$npm" "$work/root/npm"
            step "(Debian's node)" bash /proof.sh node
            step "npm in a fresh folder, and node:test" bash /proof.sh npm
        fi
    fi
    echo "$suite: $((SECONDS - begin)) s"
done
[ $failed = 0 ] || { echo "verify: $failed steps failed" >&2; exit 1; }
