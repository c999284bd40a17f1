#!/usr/bin/env bash
# Usage: packaging/swift.sh [FOLDER], by default `dist`. Shows that a Swift package gets the daemon from the bundle that `make dist` has
# made, without building it: makes a package with a binary target and the kit, and runs a test with `.mockServer`.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
dist=$(cd "${1:-dist}" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/shop/Tests/ShopTests"
# The names of packages are those of their folders.
ln -s "$root" "$work/stuntdouble"
cp "$dist/stuntdouble.artifactbundle.zip" "$work/shop/"
cat >"$work/shop/Package.swift" <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../stuntdouble")],
    targets: [
        .binaryTarget(name: "stuntdouble-binary", path: "stuntdouble.artifactbundle.zip"),
        .testTarget(
            name: "ShopTests",
            dependencies: [.product(name: "StuntDoubleTesting", package: "stuntdouble"), "stuntdouble-binary"]),
    ])
SWIFT
cat >"$work/shop/Tests/ShopTests/ShopTests.swift" <<'SWIFT'
import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Test(.mockServer) func anOrderIsRead() async throws {
    try await mock.stub(.get("/orders/7"), .json(["id": 7]))
    let url = try #require(URL(string: mock.url.absoluteString + "/orders/7"))
    let (data, _) = try await URLSession.shared.data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == #"{"id":7}"#)
    try await mock.verify(.get("/orders/7"), .exactly(1))
}
SWIFT
start=$SECONDS
# No daemon but that of the bundle: none is named, and none in PATH.
unset STUNTDOUBLE_BIN STUNTDOUBLE_URL
env PATH="$(dirname "$(command -v swift)"):/usr/bin:/bin" swift test --package-path "$work/shop" 2>&1 | tee "$work/log" |
    grep -E 'error|warning: |Test run with' || true
grep -q 'Test run with 1 test in 0 suites passed\|Test run with 1 test passed' "$work/log" || {
    tail -n 30 "$work/log" >&2
    exit 1
}
[ ! -e "$(swift build --package-path "$work/shop" --show-bin-path)/stuntdouble" ] || {
    echo "swift: the daemon was built" >&2
    exit 1
}
echo "swift: a package has tested with the daemon of the bundle after $((SECONDS - start)) s"
