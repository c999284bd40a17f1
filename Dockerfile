# docker build -t stuntdouble . && docker run -p 8080:8080 -v "$PWD/mocks:/mocks" stuntdouble

FROM swift:6.3-bookworm AS build
WORKDIR /source
# The libraries have their own layer, so that a changed source file does not install them again.
COPY .ci/deps .ci/deps
RUN .ci/deps && rm -rf /var/lib/apt/lists/*
COPY .ci/archives .ci/linked .ci/
COPY Package.swift Makefile ./
# The manifest names them, and SwiftPM reads no package of which a folder is missing.
COPY Benchmarks/KitTiming Benchmarks/KitTiming
COPY Tools/budgets Tools/budgets
COPY Sources Sources
# Pages that are part of the binary.
COPY docs/agents.md docs/faults.md docs/matching.md docs/routes.md docs/
COPY Tests Tests
# The binary contains everything but the C library, so the last stage installs none of these.
RUN make build && ! ldd .build/bin/stuntdouble | \
    grep -E 'not found|libFoundation|libswift|libevent|libyaml|libpcre2|libz|libxml2|libcrypto|libssl|libnghttp2|libhiredis|libstdc'

# The same Debian release as the build stage, for the same C library. libxml2 is opened by the first stub that looks into
# XML, OpenSSL by the first template that signs or listener that is secured, nghttp2 by the first connection in HTTP/2,
# hiredis by --shared.
FROM debian:bookworm-slim AS libraries
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
    libxml2 libssl3 libnghttp2-14 libhiredis0.14 ca-certificates openssl tzdata busybox bash curl
COPY packaging/image/collect.sh /collect.sh
RUN /collect.sh /image

FROM scratch
COPY --from=libraries /image /
COPY --from=build /source/.build/bin/stuntdouble /usr/local/bin/stuntdouble
COPY packaging/image/entrypoint.sh /docker-entrypoint.sh
COPY packaging/image/healthcheck.sh /usr/local/bin/
COPY mocks /examples

# As in WireMock's image. The entry point goes to / where somebody has mounted /mocks.
WORKDIR /home/wiremock
# The user has no home: the authority that issues certificates is kept in a folder of its own, which a volume may be.
# A container's loopback address cannot be reached from outside, so the daemon listens on all addresses.
ENV PATH=/usr/local/bin:/usr/bin \
    STUNTDOUBLE_BIND_ADDRESS=0.0.0.0 \
    STUNTDOUBLE_STATE_DIR=/var/lib/stuntdouble
# By its number, so that a cluster can see that it is not root.
USER 10001:10001
EXPOSE 8080 8443
ENTRYPOINT ["/docker-entrypoint.sh"]
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s --retries=3 CMD ["/usr/local/bin/healthcheck.sh"]
