#!/bin/sh
# Asks the daemon of the container for its health. A 401 is health too: it says that the admin API has a password.
file=${STUNTDOUBLE_PORT_FILE:-/run/stuntdouble/port}
if [ -s "$file" ]; then port=$(head -n 1 "$file"); else port=${STUNTDOUBLE_PORT:-8080}; fi
for scheme in http https; do
    said=$(wget -q -O /dev/null --no-check-certificate "$scheme://127.0.0.1:$port/__admin/health" 2>&1) && exit 0
    case $said in *" 401 "*) exit 0 ;; esac
done
exit 1
