// swift-tools-version: 6.2
import Foundation
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

/// The folders under `Sources` and `Tests`, each with the targets of one area.
enum Room: String {
    case base = "Base"
    case wire = "Wire"
    case dialect = "Dialect"
    case matching = "Matching"
    case templating = "Templating"
    case engine = "Engine"
    case admin = "Admin"
    case daemon = "Daemon"
    case kit = "Kit"

    func source(_ target: String) -> String { "Sources/\(rawValue)/\(target)" }
    func test(_ target: String) -> String { "Tests/\(rawValue)/\(target)" }
}

/// The target of a folder: the folder's name after a prefix. SwiftPM refuses a program in which two packages have
/// targets of one name, such as `Crypto`, even if neither is used. What users name has no prefix.
func target(_ folder: String) -> String {
    folder.lowercased().hasPrefix("stuntdouble") ? folder : "SD" + folder
}

func targets(_ folders: [String]) -> [Target.Dependency] { folders.map { .byName(name: target($0)) } }

/// - Parameter linking: the C library that the target calls.
func library(
    _ folder: String, in room: Room, _ dependencies: [String] = [], linking library: String? = nil
) -> Target {
    .target(
        name: target(folder), dependencies: targets(dependencies), path: room.source(folder),
        swiftSettings: strictSwift, linkerSettings: library.map { [.linkedLibrary($0)] })
}

/// - Parameter headers: links in `Sources/Base/CLoading/headers` to where the compiler looks beside its own folders, for a
///   library that is loaded, never linked. SwiftPM allows no other way: a path has to begin within the package, and
///   what pkg-config says would link the library. A link that leads nowhere is passed over.
func cLibrary(
    _ folder: String, in room: Room, _ dependencies: [String] = [], linking library: String? = nil,
    headers: [String] = [], excluding: [String] = []
) -> Target {
    .target(
        name: target(folder), dependencies: targets(dependencies), path: room.source(folder), exclude: excluding,
        cSettings: strictC + headers.map { .headerSearchPath("../../Base/CLoading/headers/\($0)") },
        linkerSettings: library.map { [.linkedLibrary($0)] })
}

func program(_ folder: String, at path: String, _ dependencies: [String]) -> Target {
    .executableTarget(
        name: target(folder), dependencies: targets(dependencies), path: path, swiftSettings: strictSwift)
}

/// A C library of the system, wrapped in its own module. The compiler finds most where they are. Only for others is
/// their pkg-config file named: a name that is not found is a warning in every package that depends on this one,
/// whichever product it takes.
func system(_ folder: String, in room: Room, pkgConfig: String, brew: String) -> Target {
    var folders = (Context.environment["PKG_CONFIG_PATH"] ?? "").split(separator: ":").map(String.init)
    #if os(macOS)
        let roots = ["/opt/homebrew/opt/\(brew)", "/usr/local/opt/\(brew)", "/opt/local"]
        folders += roots.map { $0 + "/lib/pkgconfig" }
    #endif
    let isFound = folders.contains { FileManager.default.fileExists(atPath: "\($0)/\(pkgConfig).pc") }
    return .systemLibrary(name: target(folder), path: room.source(folder), pkgConfig: isFound ? pkgConfig : nil)
}

/// Tests belong to this package alone, so that their names need no prefix.
func tests(
    _ name: String, in room: Room, _ dependencies: [String], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: targets(dependencies), path: room.test(name), exclude: exclude,
        swiftSettings: strictSwift)
}

/// Whether the daemon is there already, so that nothing of it is built: the client and the testing library ask for less
/// than the daemon, which needs macOS 15. On iOS there is no daemon to build.
let hasDaemon = Context.environment["STUNTDOUBLE_BIN"] != nil

let package = Package(
    name: "stuntdouble",
    platforms: [hasDaemon ? .macOS(.v13) : .macOS(.v15), .iOS(.v16)],
    products: [
        .executable(name: "stuntdouble", targets: ["stuntdouble"]),
        .library(name: "StuntDoubleClient", targets: ["StuntDoubleClient"]),
        .library(name: "StuntDoubleServer", targets: ["StuntDoubleServer"]),
        .library(name: "StuntDoubleTesting", targets: ["StuntDoubleTesting"]),
    ],
    targets: [
        // The C libraries, one wrapper each.
        system("CLibevent", in: .wire, pkgConfig: "libevent_core", brew: "libevent"),
        system("CLibYAML", in: .dialect, pkgConfig: "yaml-0.1", brew: "libyaml"),
        system("CPCRE2", in: .matching, pkgConfig: "libpcre2-8", brew: "pcre2"),
        system("CZlib", in: .base, pkgConfig: "zlib", brew: "zlib"),

        // Opens libraries when they are needed: linking libxml2 would add 1.3 ms to every start.
        cLibrary("CLoading", in: .base, excluding: ["headers"]),
        cLibrary("CLibXML2", in: .matching, ["CLoading"], headers: ["libxml2", "libxml2-macos"]),
        cLibrary("CCrypto", in: .base, ["CLoading"], headers: ["openssl-homebrew", "openssl-homebrew-intel"]),

        // The server loop in C, and its safe Swift interface.
        cLibrary("CReactor", in: .wire, ["CLibevent"], linking: "event_core"),
        library("HTTPTransport", in: .wire, ["Bytes", "CReactor", "Memory", "Platform"]),

        // The dialect as plain values.
        library("Calendar", in: .base),
        library("Locks", in: .base),
        library("Text", in: .base),
        library("Locales", in: .base, ["Text"]),
        cLibrary("CJSONTape", in: .dialect),
        library("JSON", in: .dialect, ["CJSONTape"]),
        library("YAML", in: .dialect, ["JSON", "Text", "CLibYAML"], linking: "yaml"),
        library("StubModel", in: .dialect, ["Calendar", "JSON", "Locks", "Text"]),
        library("Shorthand", in: .dialect, ["JSON", "Text", "StubModel"]),
        library("StubFiles", in: .dialect, ["JSON", "Shorthand", "YAML", "StubModel"]),

        // The engines of matchers and later templates, one per target.
        library("Bytes", in: .base, ["CPlatform"]),
        library("Budget", in: .base, ["Platform"]),
        library("Memory", in: .base, ["Platform"]),
        library("RegularExpressions", in: .matching, ["Budget", "Bytes", "CPCRE2"], linking: "pcre2-8"),
        library(
            "Templating", in: .templating,
            [
                "Budget", "Bytes", "Calendar", "JSON", "JSONPath", "JavaTime", "Locales", "RegularExpressions",
                "StubModel", "Text", "XML",
            ]),
        library("JSONPath", in: .matching, ["Budget", "Bytes", "JSON", "RegularExpressions", "Text"]),
        library("JSONSchema", in: .matching, ["Budget", "Bytes", "JSON", "RegularExpressions"]),
        library("XML", in: .matching, ["Budget", "CLibXML2", "JavaTime", "RegularExpressions", "Text"]),
        library("JavaTime", in: .matching, ["Calendar", "Locales", "Text", "StubModel"]),
        library("Crypto", in: .base, ["CCrypto"]),
        library("Gzip", in: .base, ["CZlib"], linking: "z"),
        library(
            "Matching", in: .matching,
            [
                "Budget", "Bytes", "Calendar", "Gzip", "JSON", "JSONPath", "JSONSchema", "JavaTime",
                "RegularExpressions", "StubModel", "XML",
            ]),

        // The engine: what it stands on, and the engine itself.
        library("HTTPMessages", in: .engine, ["Calendar", "Gzip", "HTTPTransport", "JavaTime", "Memory", "Platform"]),
        library("Indexing", in: .engine, ["Bytes", "HTTPTransport", "Matching", "StubModel"]),
        library(
            "Records", in: .engine,
            [
                "Budget", "Bytes", "HTTPMessages", "HTTPTransport", "Indexing", "JSON", "JSONSchema", "Matching",
                "Memory", "Platform", "RegularExpressions", "StubModel", "Templating", "Text", "YAML",
            ]),
        library(
            "Linting", in: .engine,
            [
                "Bytes", "HTTPMessages", "JSON", "JSONSchema", "JavaTime", "Matching", "StubModel", "Templating",
                "Text",
                "XML",
            ]),
        library(
            "Journal", in: .engine,
            [
                "Budget", "Bytes", "Gzip", "HTTPMessages", "HTTPTransport", "Indexing", "JSON", "Matching", "Memory",
                "Platform", "StubModel", "Text",
            ]),
        library(
            "Answering", in: .engine,
            [
                "Budget", "Bytes", "Crypto", "HTTPMessages", "HTTPTransport", "Indexing", "JSON", "Journal",
                "Matching", "Memory", "Platform", "Records", "RegularExpressions", "StubModel", "Templating", "Text",
            ]),
        library(
            "Stubs", in: .engine,
            [
                "Answering", "Budget", "HTTPTransport", "Indexing", "JSON", "Journal", "Linting", "Matching",
                "Platform", "Records", "StubModel",
            ]),
        library(
            "MockEngine", in: .engine,
            [
                "Answering", "Budget", "HTTPMessages", "HTTPTransport", "Indexing", "JSON", "Journal", "Linting",
                "Matching", "Memory", "Platform", "Records", "StubModel", "Stubs", "Templating", "Text", "XML",
            ]),

        // The admin API, and the files that are part of the binary.
        cLibrary("CResources", in: .admin, excluding: ["openapi.json"]),
        library(
            "AdminAPI", in: .admin,
            [
                "Answering", "Bytes", "CResources", "Gzip", "HTTPMessages", "HTTPTransport", "JSON", "JavaTime",
                "Journal",
                "Linting", "Matching", "Memory", "MockEngine", "Platform", "Records", "StubFiles", "StubModel",
                "Stubs", "Text",
            ]),

        // The daemon's interface to the system: command line, stub files, logs, readiness.
        library("Command", in: .daemon, ["HTTPTransport", "Text"]),
        cLibrary("CPlatform", in: .base),
        library("Platform", in: .base, ["CPlatform", "Calendar"]),
        library("Folders", in: .daemon, ["Memory", "Platform", "Text"]),
        library("Reporting", in: .daemon, ["Platform"]),
        library(
            "Serving", in: .daemon,
            [
                "AdminAPI", "Answering", "Command", "Folders", "HTTPMessages", "HTTPTransport", "JSON", "Journal",
                "Matching", "Memory", "MockEngine", "Platform", "Records", "RegularExpressions", "Reporting",
                "StubFiles", "StubModel", "Stubs",
            ]),
        program(
            "stuntdouble", at: Room.daemon.source("stuntdouble"),
            [
                "AdminAPI", "Command", "Folders", "HTTPTransport", "JSON", "Linting", "MockEngine", "Platform",
                "Reporting", "Serving", "StubFiles", "StubModel", "Text",
            ]),

        // The Swift kit: what a package's tests import. The client takes no C library.
        library("StuntDoubleClient", in: .kit, ["JSON", "Locks", "Shorthand", "StubModel"]),
        library(
            "StuntDoubleServer", in: .kit,
            ["Command", "Folders", "HTTPTransport", "Locks", "Platform", "Reporting", "Serving", "StuntDoubleClient"]),

        library("StuntDoubleTesting", in: .kit, ["JSON", "Locks", "StuntDoubleClient"]),
        // Measures the kit, for `make bench`.
        program("KitTiming", at: "Benchmarks/KitTiming", ["StuntDoubleServer"]),

        // Rows for the tables of CReactor, for tests.
        .target(
            name: target("CTestTransports"), dependencies: targets(["CReactor", "CLibevent"]),
            path: Room.wire.test("CTestTransports"),
            cSettings: strictC + [.headerSearchPath("../../../Sources/Wire/CReactor")]),

        // Requests for matchers, and seeded random numbers, for tests and the programs that they run.
        .target(
            name: target("TestData"), dependencies: targets(["Bytes", "Matching"]), path: "Tests/TestData",
            swiftSettings: strictSwift),

        // Assertions about HTTP, a raw socket client, and the daemon as a test fixture.
        .target(
            name: target("TestSupport"),
            dependencies: targets([
                "Bytes", "CTestTransports", "HTTPTransport", "JSON", "Matching", "Memory", "TestData",
            ]),
            path: "Tests/TestSupport", swiftSettings: strictSwift),
        tests("JSONTests", in: .dialect, ["JSON", "TestSupport"]),
        tests("YAMLTests", in: .dialect, ["YAML", "JSON", "TestSupport"]),
        tests(
            "StubModelTests", in: .dialect, ["Shorthand", "StubModel", "JSON", "Text", "TestSupport"],
            exclude: ["Golden"]),
        tests("StubFilesTests", in: .dialect, ["Shorthand", "StubFiles", "StubModel", "YAML", "JSON", "TestSupport"]),
        tests("CalendarTests", in: .base, ["Calendar", "TestSupport"]),
        tests("BudgetTests", in: .base, ["Budget", "TestSupport"]),
        tests("PlatformTests", in: .base, ["CLoading", "Platform", "TestSupport"]),
        tests("MemoryTests", in: .base, ["Memory", "Platform", "TestSupport"]),
        tests(
            "RegularExpressionsTests", in: .matching,
            ["Budget", "Platform", "RegularExpressions", "Bytes", "TestSupport"]),
        tests("JSONPathTests", in: .matching, ["Budget", "JSONPath", "JSON", "TestSupport"]),
        tests("JSONSchemaTests", in: .matching, ["Budget", "JSONSchema", "JSON", "TestSupport"]),
        tests("XMLTests", in: .matching, ["Budget", "Platform", "XML", "TestSupport"]),
        tests("JavaTimeTests", in: .matching, ["JavaTime", "JSON", "StubModel", "TestSupport"]),
        // Looks for requests that take more than their budget.
        program(
            "BudgetSearch", at: Room.matching.test("BudgetSearch"),
            ["Budget", "Gzip", "JSON", "Matching", "Platform", "StubModel", "TestData"]),
        tests(
            "MatchingTests", in: .matching,
            [
                "Budget", "BudgetSearch", "Bytes", "Gzip", "Matching", "Platform", "RegularExpressions", "StubModel",
                "JSON",
                "TestSupport",
            ]),
        tests(
            "HTTPTransportTests", in: .wire,
            ["Bytes", "HTTPTransport", "CReactor", "CTestTransports", "Memory", "Platform", "TestSupport"]),
        tests(
            "RecordsTests", in: .engine,
            ["Budget", "HTTPMessages", "JSON", "Memory", "Platform", "Records", "StubModel", "TestSupport"]),
        tests("IndexingTests", in: .engine, ["Bytes", "Indexing", "Matching", "StubModel", "JSON", "TestSupport"]),
        tests(
            "LintingTests", in: .engine,
            [
                "Indexing", "Linting", "MockEngine", "HTTPMessages", "Matching", "Shorthand", "StubModel", "JSON",
                "TestSupport", "Journal", "Records", "Answering", "Stubs",
            ]),
        tests(
            "MockEngineTests", in: .engine,
            [
                "AdminAPI", "Answering", "Budget", "Bytes", "HTTPMessages", "MockEngine", "HTTPTransport", "Matching",
                "Memory", "Gzip", "Platform", "StubModel", "JSON", "TestSupport", "Journal", "Records", "Stubs",
            ],
            exclude: ["Templates/DifferentTemplates.json"]),
        tests("TemplatingTests", in: .templating, ["Budget", "JSON", "Templating", "TestSupport"]),
        tests(
            "AdminAPITests", in: .admin,
            [
                "stuntdouble", "AdminAPI", "Gzip", "HTTPMessages", "Memory", "MockEngine", "HTTPTransport",
                "Platform", "Shorthand", "StubFiles", "StubModel", "JSON", "JSONSchema", "TestSupport", "Journal",
                "Matching", "Records", "Answering", "Stubs",
            ],
            exclude: ["Golden"]),
        // Saves stubs until a test kills it.
        program("SaveLoop", at: Room.daemon.test("SaveLoop"), ["Folders", "Platform"]),
        tests(
            "CommandTests", in: .daemon,
            ["stuntdouble", "Command", "Folders", "Memory", "Platform", "Reporting", "SaveLoop", "TestSupport"]),
        tests(
            "BlackBoxTests", in: .daemon,
            [
                "stuntdouble", "Command", "JSON", "Linting", "MockEngine", "StubFiles", "StubModel", "TestSupport",
                "YAML",
            ]),
        tests("StuntDoubleClientTests", in: .kit, ["stuntdouble", "JSON", "Locks", "StubModel", "StuntDoubleClient"]),
        tests(
            "StuntDoubleServerTests", in: .kit,
            ["stuntdouble", "JSON", "StuntDoubleClient", "StuntDoubleServer", "StuntDoubleTesting"]),
        tests(
            "StuntDoubleTestingTests", in: .kit,
            ["stuntdouble", "JSON", "StubModel", "StuntDoubleClient", "StuntDoubleTesting"], exclude: ["Mocks"]),
        // What hostile clients do to the real daemon.
        .testTarget(
            name: "AttackTests", dependencies: targets(["stuntdouble", "Gzip", "JSON", "TestSupport"]),
            path: "Tests/Attack",
            exclude: ["dear_matches.json"], swiftSettings: strictSwift),
    ]
)

// `STUNTDOUBLE_ONLY` names a target: of a test target only what it needs is built, of another one (`Matching`) the tests
// that import it, and what these need. The whole package takes minutes, under a sanitizer many.
if let only = Context.environment["STUNTDOUBLE_ONLY"] {
    func dependencies(_ target: Target) -> [String] {
        target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    }
    let name = package.targets.contains { $0.name == only } ? only : target(only)
    guard let named = package.targets.first(where: { $0.name == name }) else {
        fatalError("STUNTDOUBLE_ONLY: there is no target \(only)")
    }
    var next =
        named.isTest ? [name] : package.targets.filter { $0.isTest && dependencies($0).contains(name) }.map(\.name)
    var kept: Set<String> = []
    while let name = next.popLast() {
        guard kept.insert(name).inserted else { continue }
        next += package.targets.first { $0.name == name }.map(dependencies) ?? []
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
