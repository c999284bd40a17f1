#!/bin/sh
# Usage, in a Debian with the packages that the Dockerfile installs: collect.sh FOLDER. Copies what the daemon needs beside
# its binary: the C library, the libraries that it opens late with all that these need, certificates of authorities, time
# zones, a shell. No package manager and nothing that only it needs: a fifth of the size, and less to keep up to date.
set -eu

root=$1
libraries="libxml2.so.2 libssl.so.3 libcrypto.so.3 libnghttp2.so.14 libhiredis.so.0.14"

mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/etc/ssl/certs" "$root/usr/share"
ln -s usr/bin "$root/bin"
ln -s usr/lib "$root/lib"
[ ! -e /lib64 ] || { mkdir -p "$root/usr/lib64" && ln -s usr/lib64 "$root/lib64"; }

for name in $libraries; do
    ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }' | grep . || { echo "no $name here" >&2; exit 1; }
done >/tmp/files
# What busybox is not: the programs that commands of compose files, charts and health checks name.
programs="/bin/busybox /bin/bash /usr/bin/curl /usr/bin/setpriv"
printf '%s\n' $programs >/tmp/programs
# shellcheck disable=SC2046  # several paths
ldd $(cat /tmp/files /tmp/programs) | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' >>/tmp/files
dirname "$(grep -m 1 libcrypto /tmp/files)" >/tmp/folder
# What binaries for older C libraries name, and the ciphers of old key stores.
ls "$(cat /tmp/folder)"/libm.so.6 "$(cat /tmp/folder)"/libpthread.so.0 "$(cat /tmp/folder)"/libdl.so.2 "$(cat /tmp/folder)"/ossl-modules/legacy.so >>/tmp/files
sort -u /tmp/files | while read -r file; do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
done

cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
mkdir -p "$root/usr/lib/ssl"
cp -L /etc/ssl/openssl.cnf "$root/usr/lib/ssl/"
ln -s /etc/ssl/certs "$root/usr/lib/ssl/certs"
cp -a /usr/share/zoneinfo "$root/usr/share/"
rm -rf "$root/usr/share/zoneinfo/right" "$root/usr/share/zoneinfo/posix"
mkdir -p "$root/usr/share/doc"
for package in libc6 libxml2 libssl3 libnghttp2-14 libhiredis0.14 libcurl4 libicu72 bash busybox curl ca-certificates tzdata; do
    [ ! -e "/usr/share/doc/$package/copyright" ] || install -D -m 644 "/usr/share/doc/$package/copyright" \
        "$root/usr/share/doc/$package/copyright"
done

# A shell with what somebody looks for in a container. `init`, which busybox has too, is a command of stuntdouble.
# shellcheck disable=SC2086  # several paths
cp $programs "$root/usr/bin/"
for name in sh ls cat basename dirname readlink touch tee head tail grep sed awk find ps id env printenv mkdir cp mv rm chown chmod wget nc vi top kill \
    sleep timeout seq test true false echo date df du stat sort wc cut tr xargs hostname uname nslookup ping tar gzip gunzip which ln rmdir \
    mktemp base64 cmp diff expr less md5sum more netstat pidof pwd realpath sha256sum whoami; do
    ln -s busybox "$root/usr/bin/$name"
done
# It starts the daemon in place of WireMock's jar.
ln -s /docker-entrypoint.sh "$root/usr/bin/java"

cat >"$root/etc/passwd" <<'END'
root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
stuntdouble:x:10001:10001::/nonexistent:/usr/sbin/nologin
END
printf 'root:x:0:\nnogroup:x:65534:\nstuntdouble:x:10001:\n' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
grep -E '^(PRETTY_NAME|NAME|VERSION_ID|VERSION|VERSION_CODENAME|ID)=' /etc/os-release >"$root/etc/os-release"

# Any user may be chosen with --user, and writes here.
install -d -m 1777 "$root/tmp" "$root/var/lib/stuntdouble" "$root/run/stuntdouble"
install -d -m 777 "$root/home/wiremock" "$root/home/wiremock/mappings" "$root/home/wiremock/__files"
install -d "$root/var/wiremock/extensions" "$root/root" "$root/usr/local/bin"
