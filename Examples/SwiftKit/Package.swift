// swift-tools-version: 6.2
import PackageDescription

// Beside the tests SwiftPM builds the server that they launch, unless there is one already.
let server: [Target.Dependency] =
    Context.environment["STUNTDOUBLE_BIN"] == nil ? [.product(name: "stuntdouble", package: "stuntdouble")] : []

let package = Package(
    name: "SwiftKit",
    platforms: [server.isEmpty ? .macOS(.v13) : .macOS(.v15), .iOS(.v16)],
    dependencies: [.package(name: "stuntdouble", path: "../..")],
    targets: [
        .target(name: "Kennel"),
        .testTarget(
            name: "KennelTests",
            dependencies: ["Kennel", .product(name: "StuntDoubleTesting", package: "stuntdouble")] + server,
            resources: [.copy("Mocks")]),
    ]
)
