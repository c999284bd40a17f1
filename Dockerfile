# docker build -t stuntdouble . && docker run -p 8080:8080 -v "$PWD/mocks:/mocks" stuntdouble

FROM swift:6.3-bookworm AS build
WORKDIR /source
# The libraries have their own layer, so that a changed source file does not install them again.
COPY .ci/deps .ci/deps
RUN .ci/deps && rm -rf /var/lib/apt/lists/*
COPY .ci/archives .ci/linked .ci/
COPY Package.swift Makefile ./
# The manifest names it, and SwiftPM reads no package of which a folder is missing.
COPY Benchmarks/KitTiming Benchmarks/KitTiming
COPY Sources Sources
COPY Tests Tests
# The binary contains everything but the C library, so the last stage installs none of these.
RUN make build && ! ldd .build/bin/stuntdouble | \
    grep -E 'not found|libFoundation|libswift|libevent|libyaml|libpcre2|libz|libxml2|libcrypto|libssl|libnghttp2|libcurl|libstdc'

# The same Debian release as the build stage, for the same C library. libxml2 is opened by the first stub that looks into
# XML, OpenSSL by the first template that signs or listener that is secured, nghttp2 by the first client that speaks HTTP/2,
# libcurl by the first call to another server, whose certificate may be checked by those of the system.
FROM debian:bookworm-slim
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libxml2 libssl3 libnghttp2-14 libcurl4 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin stuntdouble \
    && install -d -m 1777 /var/lib/stuntdouble
COPY --from=build /source/.build/bin/stuntdouble /usr/local/bin/stuntdouble
COPY mocks /mocks

# The daemon serves /mocks by default: it is the folder `mocks` in the working folder.
# Set in the environment rather than the command, so that arguments after the image's name add to these.
# The user has no home: the authority that issues certificates is kept in a folder of its own, which a volume may be.
# A container's loopback address cannot be reached from outside, so the daemon listens on all addresses.
WORKDIR /
ENV STUNTDOUBLE_PORT=8080 \
    STUNTDOUBLE_BIND_ADDRESS=0.0.0.0 \
    STUNTDOUBLE_STATE_DIR=/var/lib/stuntdouble
USER stuntdouble
EXPOSE 8080 8443
ENTRYPOINT ["stuntdouble"]

# bash opens the connection itself: the image has no curl. A 401 is health too, it says that the admin API has a password.
HEALTHCHECK --interval=5s --timeout=2s --start-period=2s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/$STUNTDOUBLE_PORT && printf 'GET /__admin/health HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r version status reason <&3 && [[ $status == 200 || $status == 401 ]]"]
