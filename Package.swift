// swift-tools-version: 6.2
import PackageDescription

let strictSwift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let strictC: [CSetting] = [
    .enableWarning("all"),
    .enableWarning("extra"),
    .treatAllWarnings(as: .error),
    .define("_GNU_SOURCE", .when(platforms: [.linux])),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strictSwift)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strictSwift)
}

let package = Package(
    name: "stuntdouble",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "stuntdouble", targets: ["stuntdouble"])
    ],
    targets: [
        // The C libraries, one fence each.
        .systemLibrary(
            name: "CLibevent", pkgConfig: "libevent_core",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // libxml2, opened when the first stub needs it: linking it would add 1.3 ms to every start.
        .target(name: "CLibXML2", cSettings: strictC),

        // The server loop and its one safe door.
        .target(name: "CReactor", dependencies: ["CLibevent"], cSettings: strictC),
        library("HTTPTransport", ["CReactor"]),

        // The dialect as plain values.
        library("Spelling"),
        library("JSON"),
        library("YAML", ["JSON", "Spelling", "CLibYAML"]),
        library("StubModel", ["JSON", "Spelling"]),
        library("StubFiles", ["JSON", "YAML", "StubModel"]),

        // What matchers, and later templates, are made of: one engine a target.
        library("Bytes"),
        library("RegularExpressions", ["Bytes", "CPCRE2"]),
        library("JSONPath", ["JSON", "RegularExpressions"]),
        library("JSONSchema", ["Bytes", "JSON", "RegularExpressions"]),
        library("XML", ["CLibXML2", "RegularExpressions"]),
        library("JavaTime", ["Spelling"]),
        library("Gzip", ["CZlib"]),
        library(
            "Matching",
            ["Bytes", "Gzip", "JSON", "JSONPath", "JSONSchema", "JavaTime", "RegularExpressions", "StubModel", "XML"]),

        // The engine, its admin API, and the daemon.
        library(
            "MockEngine",
            [
                "Bytes", "Gzip", "HTTPTransport", "JSON", "JSONSchema", "JavaTime", "Matching", "Platform", "Spelling",
                "StubModel", "XML",
            ]),
        library(
            "AdminAPI",
            [
                "Bytes", "Gzip", "HTTPTransport", "JSON", "JavaTime", "StubModel", "Matching", "MockEngine", "Platform",
                "Spelling",
            ]),

        // What the daemon shows the system: the command line, stub files on disk, logs and the word that it is ready.
        library("Command", ["HTTPTransport", "Spelling"]),
        .target(name: "CPlatform", cSettings: strictC),
        library("Platform", ["CPlatform"]),
        library("Folders", ["Platform"]),
        library("Reporting", ["Platform"]),
        .executableTarget(
            name: "stuntdouble",
            dependencies: [
                "AdminAPI", "Command", "Folders", "HTTPTransport", "JSON", "MockEngine", "Platform", "Reporting",
                "Spelling", "StubFiles", "StubModel",
            ],
            swiftSettings: strictSwift),

        // Assertions in the domain's words, a raw socket client, and the daemon as a test fixture.
        .target(
            name: "TestSupport", dependencies: ["HTTPTransport", "JSON"], path: "Tests/TestSupport",
            swiftSettings: strictSwift),
        tests("JSONTests", ["JSON", "TestSupport"]),
        tests("YAMLTests", ["YAML", "JSON", "TestSupport"]),
        tests("StubModelTests", ["StubModel", "JSON", "Spelling", "TestSupport"], exclude: ["Golden"]),
        tests("StubFilesTests", ["StubFiles", "StubModel", "YAML", "JSON", "TestSupport"]),
        tests("RegularExpressionsTests", ["RegularExpressions", "Bytes", "TestSupport"]),
        tests("JSONPathTests", ["JSONPath", "JSON", "TestSupport"]),
        tests("JSONSchemaTests", ["JSONSchema", "JSON", "TestSupport"]),
        tests("XMLTests", ["XML", "TestSupport"]),
        tests("JavaTimeTests", ["JavaTime", "JSON", "TestSupport"]),
        tests("MatchingTests", ["Bytes", "Matching", "RegularExpressions", "StubModel", "JSON", "TestSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport", "TestSupport"]),
        tests(
            "MockEngineTests", ["Bytes", "MockEngine", "HTTPTransport", "Matching", "StubModel", "JSON", "TestSupport"]),
        tests(
            "AdminAPITests",
            [
                "stuntdouble", "AdminAPI", "Gzip", "MockEngine", "HTTPTransport", "StubModel", "JSON", "JSONSchema",
                "TestSupport",
            ],
            exclude: ["Golden"]),
        // Saves stubs until a test kills it.
        .executableTarget(
            name: "SaveLoop", dependencies: ["Folders", "Platform"], path: "Tests/SaveLoop",
            swiftSettings: strictSwift),
        tests(
            "CommandTests", ["stuntdouble", "Command", "Folders", "Platform", "Reporting", "SaveLoop", "TestSupport"]),
        tests(
            "BlackBoxTests",
            ["stuntdouble", "Command", "JSON", "MockEngine", "StubFiles", "StubModel", "TestSupport", "YAML"]),
    ]
)
