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

/// An async function of the kit stays on the actor that calls it: to be called it must not wait for a thread of Swift's
/// pool, which code under test may block.
let kitSwift = strictSwift + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let strictC: [CSetting] = [
    .enableWarning("all"),
    .enableWarning("extra"),
    .treatAllWarnings(as: .error),
    .define("_GNU_SOURCE", .when(platforms: [.linux])),
]

/// The folders under `Sources` and `Tests`, each with the targets of one area.
enum Layer: String {
    case base = "Base"
    case wire = "Wire"
    case dialect = "Dialect"
    case matching = "Matching"
    case templating = "Templating"
    case engine = "Engine"
    case tools = "Tools"
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
    _ folder: String, in layer: Layer, _ dependencies: [String] = [], linking library: String? = nil
) -> Target {
    .target(
        name: target(folder), dependencies: targets(dependencies), path: layer.source(folder),
        swiftSettings: layer == .kit ? kitSwift : strictSwift,
        linkerSettings: library.map { [.linkedLibrary($0)] })
}

/// - Parameter headers: links in `Sources/Base/CLoading/headers` to where the compiler looks beside its own folders, for a
///   library that is loaded, never linked. SwiftPM allows no other way: a path has to begin within the package, and
///   what pkg-config says would link the library. A link that leads nowhere is passed over.
/// - Parameter others: targets of the same layer whose private headers it includes, too.
func cLibrary(
    _ folder: String, in layer: Layer, _ dependencies: [String] = [], linking library: String? = nil,
    headers: [String] = [], inside others: [String] = [], excluding: [String] = []
) -> Target {
    .target(
        name: target(folder), dependencies: targets(dependencies), path: layer.source(folder), exclude: excluding,
        cSettings: strictC + headers.map { .headerSearchPath("../../Base/CLoading/headers/\($0)") }
            + others.map { .headerSearchPath("../\($0)") },
        linkerSettings: library.map { [.linkedLibrary($0)] })
}

func program(_ folder: String, at path: String, _ dependencies: [String]) -> Target {
    .executableTarget(
        name: target(folder), dependencies: targets(dependencies), path: path, swiftSettings: strictSwift)
}

/// A C library of the system, wrapped in its own module. The compiler finds most where they are. Only for others is
/// their pkg-config file named: a name that is not found is a warning in every package that depends on this one,
/// whichever product it takes.
func system(_ folder: String, in layer: Layer, pkgConfig: String, brew: String) -> Target {
    var folders = (Context.environment["PKG_CONFIG_PATH"] ?? "").split(separator: ":").map(String.init)
    #if os(macOS)
        let roots = ["/opt/homebrew/opt/\(brew)", "/usr/local/opt/\(brew)", "/opt/local"]
        folders += roots.map { $0 + "/lib/pkgconfig" }
    #endif
    let isFound = folders.contains { FileManager.default.fileExists(atPath: "\($0)/\(pkgConfig).pc") }
    return .systemLibrary(name: target(folder), path: layer.source(folder), pkgConfig: isFound ? pkgConfig : nil)
}

/// Tests belong to this package alone, so that their names need no prefix.
func tests(
    _ name: String, in layer: Layer, _ dependencies: [String], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: targets(dependencies), path: layer.test(name), exclude: exclude,
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
        // MARK: Base
        system("CZlib", in: .base, pkgConfig: "zlib", brew: "zlib"),
        // Opens libraries when they are needed: linking libxml2 would add 1.3 ms to every start.
        cLibrary("CLoading", in: .base, excluding: ["headers"]),
        cLibrary("CCrypto", in: .base, ["CLoading"], headers: ["openssl-homebrew", "openssl-homebrew-intel"]),
        cLibrary("CBrotli", in: .base, ["CLoading"]),
        cLibrary("CPlatform", in: .base),
        library("Basics", in: .base),
        library("FakeValues", in: .base),
        library("Platform", in: .base, ["Basics", "CBrotli", "CPlatform", "CZlib"], linking: "z"),

        // MARK: Dialect
        cLibrary("CJSONTape", in: .dialect),
        library("JSON", in: .dialect, ["Basics", "CJSONTape"]),
        system("CLibYAML", in: .dialect, pkgConfig: "yaml-0.1", brew: "libyaml"),
        library("StubModel", in: .dialect, ["Basics", "JSON"]),
        library("Shorthand", in: .dialect, ["Basics", "JSON", "StubModel"]),
        library("OpenAPI", in: .dialect, ["Basics", "JSON", "StubModel"]),
        library(
            "StubFiles", in: .dialect, ["Basics", "CLibYAML", "JSON", "OpenAPI", "Shorthand", "StubModel"],
            linking: "yaml"),

        // MARK: Matching
        system("CPCRE2", in: .matching, pkgConfig: "libpcre2-8", brew: "pcre2"),
        library("RegularExpressions", in: .matching, ["CPCRE2", "Platform"], linking: "pcre2-8"),
        library("JSONPath", in: .matching, ["Basics", "JSON", "Platform", "RegularExpressions"]),
        library("JSONSchema", in: .matching, ["Basics", "JSON", "Platform", "RegularExpressions"]),
        library(
            "Contracts", in: .matching,
            [
                "Basics", "FakeValues", "JSON", "JSONSchema", "OpenAPI", "Platform", "RegularExpressions", "StubModel",
                "XML",
            ]),
        cLibrary("CLibXML2", in: .matching, ["CLoading"], headers: ["libxml2", "libxml2-macos"]),
        library("XML", in: .matching, ["Basics", "CLibXML2", "JavaTime", "Platform", "RegularExpressions"]),
        library("JavaTime", in: .matching, ["Basics", "StubModel"]),
        library(
            "Matching", in: .matching,
            [
                "Basics", "JavaTime", "JSON", "JSONPath", "JSONSchema", "Platform", "RegularExpressions", "StubModel",
                "XML",
            ]),
        library(
            "Explaining", in: .matching,
            ["Basics", "JSON", "Matching", "Platform", "RegularExpressions", "StubModel", "XML"]),

        // MARK: Templating
        library(
            "Templating", in: .templating,
            [
                "Basics", "FakeValues", "JavaTime", "JSON", "JSONPath", "Platform", "RegularExpressions", "StubModel",
                "XML",
            ]),

        // MARK: Wire
        system("CLibevent", in: .wire, pkgConfig: "libevent_core", brew: "libevent"),
        cLibrary("CHTTPText", in: .wire),
        cLibrary("CLoop", in: .wire, ["CLibevent"], linking: "event_core"),
        cLibrary(
            "CTLS", in: .wire, ["CHTTPText", "CLoading", "CLoop"],
            headers: ["openssl-homebrew", "openssl-homebrew-intel"], inside: ["CLoop"]),
        cLibrary(
            "CReactor", in: .wire, ["CHTTPText", "CLoading", "CLoop", "CTLS"],
            headers: ["nghttp2-homebrew", "nghttp2-homebrew-intel"], inside: ["CLoop", "CTLS"]),
        // Requests and scripts as values, which know nothing of the server.
        library("WireValues", in: .wire, ["CReactor", "Platform"]),
        library("HTTPTransport", in: .wire, ["CReactor", "Platform", "WireValues"]),
        cLibrary("CWebSocket", in: .wire, ["CZlib"], linking: "z"),
        library("WebSocket", in: .wire, ["Basics", "CWebSocket", "HTTPTransport", "Platform"]),
        library("Upstream", in: .wire, ["Basics", "HTTPTransport", "Platform"]),
        cLibrary(
            "CHiredis", in: .wire, ["CLoading"], headers: ["hiredis-homebrew", "hiredis-homebrew-intel"]),
        library("Redis", in: .wire, ["Basics", "CHiredis", "HTTPTransport", "Platform", "Upstream"]),

        // MARK: Engine
        library("HTTPMessages", in: .engine, ["Basics", "HTTPTransport", "JavaTime", "Platform"]),
        library("Indexing", in: .engine, ["Matching", "Platform", "StubModel", "WireValues"]),
        library(
            "Records", in: .engine,
            [
                "Basics", "HTTPMessages", "Indexing", "JSON", "JSONSchema", "Matching", "Platform",
                "RegularExpressions", "StubFiles", "StubModel", "Templating", "WireValues",
            ]),
        library(
            "Linting", in: .engine,
            [
                "Basics", "HTTPMessages", "HTTPTransport", "JavaTime", "JSON", "JSONSchema", "Matching", "Platform",
                "StubModel", "Templating", "XML",
            ]),
        library("Secrets", in: .engine, ["Platform", "StubModel"]),
        library(
            "Journal", in: .engine,
            [
                "Basics", "HTTPMessages", "HTTPTransport", "Indexing", "JSON", "Matching", "Platform", "Reports",
                "Secrets", "StubModel", "WireValues",
            ]),
        library(
            "RequestTemplates", in: .engine,
            [
                "Basics", "CCrypto", "HTTPTransport", "Journal", "JSON", "Matching", "Platform", "Records",
                "RegularExpressions", "StubModel", "Templating",
            ]),
        library(
            "OutgoingCalls", in: .engine,
            [
                "Basics", "HTTPMessages", "HTTPTransport", "Journal", "JSON", "Matching", "Platform", "Records",
                "RequestTemplates", "StubModel", "Templating", "Upstream", "WebSocket", "WireValues",
            ]),
        library(
            "Answering", in: .engine,
            [
                "Basics", "Channels", "Contracts", "HTTPMessages", "HTTPTransport", "Indexing", "Journal", "JSON",
                "Matching", "OpenAPI", "OutgoingCalls", "Platform", "Records", "RequestTemplates", "StubModel",
                "Templating",
                "Upstream", "WebSocket",
            ]),
        library(
            "Channels", in: .engine,
            [
                "HTTPMessages", "HTTPTransport", "Journal", "JSON", "Matching", "Platform", "RequestTemplates",
                "StubModel", "Templating", "Upstream", "WebSocket",
            ]),
        library(
            "Capture", in: .engine,
            [
                "Basics", "Journal", "JSON", "Matching", "OutgoingCalls", "Platform", "Secrets", "StubModel",
                "Upstream", "WireValues",
            ]),
        library(
            "Stubs", in: .engine,
            [
                "Answering", "Indexing", "Journal", "JSON", "Linting", "Matching", "Platform", "Records", "StubModel",
                "WireValues",
            ]),
        library("Reports", in: .engine, ["Basics", "JSON", "StubModel"]),
        library(
            "MockEngine", in: .engine,
            [
                "Answering", "Basics", "Capture", "Channels", "Contracts", "HTTPMessages", "HTTPTransport", "Indexing",
                "Journal", "JSON", "Linting", "Matching", "OpenAPI", "OutgoingCalls", "Platform", "Records", "Reports",
                "RequestTemplates", "Secrets", "StubModel", "Stubs", "Templating", "Upstream", "WebSocket",
            ]),
        library(
            "Explanations", in: .engine,
            [
                "Answering", "Basics", "Channels", "Explaining", "HTTPMessages", "HTTPTransport", "Indexing", "Journal",
                "JSON", "Linting", "Matching", "MockEngine", "Platform", "Reports", "StubModel", "Stubs", "WebSocket",
            ]),
        library(
            "Routing", in: .engine,
            [
                "HTTPMessages", "HTTPTransport", "Journal", "Matching", "MockEngine", "OutgoingCalls", "StubModel",
            ]),

        // MARK: Tools
        library("ReportForms", in: .tools, ["Basics", "JSON", "Reports", "StubModel"]),
        library(
            "Recording", in: .tools,
            [
                "Basics", "Capture", "HTTPMessages", "Journal", "JSON", "Linting", "Matching", "MockEngine", "Platform",
                "Secrets", "StubModel", "Stubs",
            ]),
        library("Archives", in: .tools, ["Basics", "Capture", "JSON", "StubFiles", "StubModel"]),
        library("Checking", in: .tools, ["Basics", "JavaTime", "JSON", "Platform", "StubModel"]),
        library(
            "ContractImport", in: .tools,
            ["Basics", "Contracts", "JSON", "OpenAPI", "Platform", "StubFiles", "StubModel"]),
        library("TerminalView", in: .tools, ["Basics", "JSON"]),

        cLibrary("CPages", in: .tools, excluding: ["packed"]),
        library(
            "AgentTools", in: .tools, ["Basics", "CPages", "JSON", "Journal", "Platform", "StubFiles", "StubModel"]),

        // MARK: Admin
        cLibrary("CResources", in: .admin, excluding: ["openapi.json", "packed", "ui"]),
        library(
            "AdminAPI", in: .admin,
            [
                "AgentTools", "Answering", "Archives", "Basics", "Capture", "Channels", "CResources", "Explaining",
                "Explanations", "HTTPMessages", "HTTPTransport", "JavaTime", "Journal", "JSON", "Linting", "Matching",
                "MockEngine", "OutgoingCalls", "Platform", "Recording", "Records", "ReportForms", "Reports", "Routing",
                "Secrets", "StubFiles", "StubModel", "Stubs", "Templating", "WebSocket",
            ]),

        // MARK: Daemon
        library("Command", in: .daemon, ["Basics", "StubModel", "WireValues"]),
        library("Folders", in: .daemon, ["Basics", "Platform"]),
        library("Certificates", in: .daemon, ["Basics", "CCrypto", "Platform"]),
        library(
            "Replicas", in: .daemon,
            [
                "AdminAPI", "Basics", "HTTPMessages", "HTTPTransport", "JSON", "Journal", "MockEngine", "Platform",
                "Redis", "StubModel",
            ]),
        library(
            "Serving", in: .daemon,
            [
                "AdminAPI", "Answering", "Basics", "Capture", "Certificates", "Channels", "Command", "Contracts",
                "Explanations", "Folders", "HTTPMessages", "HTTPTransport", "Journal", "JSON", "Matching", "MockEngine",
                "OpenAPI",
                "OutgoingCalls",
                "Platform", "Recording", "Records", "Redis", "RegularExpressions", "Replicas", "Reports",
                "RequestTemplates", "Routing",
                "StubFiles", "StubModel", "Stubs", "Upstream",
            ]),
        program(
            "stuntdouble", at: Layer.daemon.source("stuntdouble"),
            [
                "AdminAPI", "AgentTools", "Archives", "Basics", "Capture", "CLoading", "Certificates", "Checking",
                "Command", "ContractImport", "Explanations", "Folders", "HTTPTransport", "JSON", "Journal", "Linting",
                "Matching", "MockEngine", "Platform", "Recording", "ReportForms", "Reports", "Secrets", "Serving",
                "StubFiles", "StubModel",
                "Redis", "TerminalView", "Upstream", "XML",
            ]),

        // MARK: Kit
        // The Swift kit: what a package's tests import. The client takes no C library.
        library("StuntDoubleClient", in: .kit, ["Basics", "JSON", "Shorthand", "StubModel"]),
        library(
            "StuntDoubleServer", in: .kit,
            ["Basics", "Command", "Folders", "HTTPTransport", "Platform", "Serving", "StuntDoubleClient"]),
        library("StuntDoubleTesting", in: .kit, ["Basics", "JSON", "StuntDoubleClient"]),

        // MARK: What tests and benchmarks use
        // Measures the kit, for `make bench`.
        program("KitTiming", at: "Benchmarks/KitTiming", ["StuntDoubleServer"]),
        // Rows for the tables of CReactor, a client of TLS and the decoder of HTTP/2's header blocks, for tests.
        .target(
            name: target("CTestTransports"),
            dependencies: targets(["CHTTPText", "CLibevent", "CLoading", "CLoop", "CReactor", "CTLS"]),
            path: Layer.wire.test("CTestTransports"),
            cSettings: strictC
                + [
                    "Wire/CReactor", "Wire/CLoop", "Wire/CTLS", "Base/CLoading/headers/openssl-homebrew",
                    "Base/CLoading/headers/openssl-homebrew-intel", "Base/CLoading/headers/nghttp2-homebrew",
                    "Base/CLoading/headers/nghttp2-homebrew-intel",
                ]
                .map { .headerSearchPath("../../../Sources/\($0)") }),
        // Requests for matchers, and seeded random numbers, for tests and the programs that they run.
        .target(
            name: target("TestData"), dependencies: targets(["Matching", "Platform", "StubModel"]),
            path: "Tests/TestData",
            swiftSettings: strictSwift),
        // Assertions about HTTP, a raw socket client, and the daemon as a test fixture.
        .target(
            name: target("TestSupport"),
            dependencies: targets(["CTestTransports", "HTTPTransport", "JSON", "Matching", "Platform", "TestData"]),
            path: "Tests/TestSupport", swiftSettings: strictSwift),

        // MARK: Tests
        tests("BasicsTests", in: .base, ["Basics", "TestSupport"]),
        tests("PlatformTests", in: .base, ["CLoading", "Platform", "TestSupport"]),
        tests("JSONTests", in: .dialect, ["JSON", "TestSupport"]),
        tests(
            "StubModelTests", in: .dialect, ["Basics", "JSON", "Shorthand", "StubModel", "TestSupport"],
            exclude: ["Golden"]),
        tests("OpenAPITests", in: .dialect, ["JSON", "OpenAPI", "StubFiles", "StubModel", "TestData", "TestSupport"]),
        tests("StubFilesTests", in: .dialect, ["JSON", "Shorthand", "StubFiles", "StubModel", "TestSupport"]),
        tests(
            "RegularExpressionsTests", in: .matching,
            ["Platform", "RegularExpressions", "TestSupport"]),
        tests("JSONPathTests", in: .matching, ["JSON", "JSONPath", "Platform", "TestSupport"]),
        tests(
            "ContractsTests", in: .matching,
            ["Contracts", "JSON", "JSONSchema", "OpenAPI", "Platform", "StubFiles", "StubModel", "TestSupport", "XML"]),
        tests("JSONSchemaTests", in: .matching, ["JSON", "JSONSchema", "Platform", "TestSupport"]),
        tests("XMLTests", in: .matching, ["Platform", "TestSupport", "XML"]),
        tests("JavaTimeTests", in: .matching, ["JavaTime", "JSON", "StubModel", "TestSupport"]),
        // Looks for requests that take more than their budget.
        program(
            "BudgetSearch", at: "Tools/budgets",
            ["Explaining", "JSON", "Matching", "Platform", "StubModel", "TestData"]),
        tests(
            "MatchingTests", in: .matching,
            [
                "BudgetSearch", "Explaining", "JSON", "Matching", "Platform", "RegularExpressions", "StubModel",
                "TestSupport",
            ]),
        tests(
            "TemplatingTests", in: .templating, ["FakeValues", "JSON", "Platform", "Templating", "TestSupport"]),
        tests(
            "HTTPTransportTests", in: .wire,
            ["CReactor", "CTestTransports", "HTTPTransport", "Platform", "TestSupport", "WireValues"]),
        // The calls of the loop, which nothing in Swift makes yet.
        tests(
            "CallTests", in: .wire,
            ["CHTTPText", "CReactor", "CTestTransports", "HTTPTransport", "Platform", "TestSupport", "WireValues"]),
        tests(
            "WebSocketTests", in: .wire,
            ["CWebSocket", "HTTPTransport", "Platform", "TestSupport", "WebSocket"]),
        tests("UpstreamTests", in: .wire, ["HTTPTransport", "Platform", "TestSupport", "Upstream"]),
        tests("ReplicasTests", in: .daemon, ["AdminAPI", "Replicas"]),
        tests("RedisTests", in: .wire, ["HTTPTransport", "Redis", "TestData", "TestSupport"]),
        tests("SecretsTests", in: .engine, ["Secrets", "TestData", "TestSupport"]),
        tests(
            "RecordsTests", in: .engine,
            ["HTTPMessages", "JSON", "Platform", "Records", "StubModel", "TestSupport"]),
        tests("IndexingTests", in: .engine, ["Indexing", "JSON", "Matching", "Platform", "StubModel", "TestSupport"]),
        tests(
            "LintingTests", in: .engine,
            [
                "Answering", "HTTPMessages", "Indexing", "Journal", "JSON", "Linting", "Matching", "MockEngine",
                "Records", "RequestTemplates", "Shorthand", "StubModel", "Stubs", "TestSupport",
            ]),
        tests(
            "MockEngineTests", in: .engine,
            [
                "AdminAPI", "Answering", "Channels", "Explanations", "HTTPMessages", "HTTPTransport", "Journal", "JSON",
                "Matching", "MockEngine", "OutgoingCalls", "Platform", "Records", "Redis", "Reports",
                "RequestTemplates", "StubModel", "Stubs", "Templating", "TestSupport", "Upstream", "WebSocket",
            ],
            exclude: ["Templates/DifferentTemplates.json"]),
        tests("ReportFormsTests", in: .tools, ["Basics", "JSON", "ReportForms", "Reports", "StubModel"]),
        tests("AgentToolsTests", in: .tools, ["AgentTools", "JSON", "StubFiles", "TestSupport"]),
        tests(
            "ContractImportTests", in: .tools,
            ["ContractImport", "JSON", "OpenAPI", "Shorthand", "StubFiles", "StubModel"]),
        tests("CheckingTests", in: .tools, ["Checking", "JSON", "Matching", "Platform", "StubModel"]),
        tests(
            "RecordingTests", in: .tools,
            [
                "Capture", "JSON", "Matching", "Platform", "Recording", "Secrets", "StubModel", "TestData",
                "TestSupport",
            ]),
        tests("TerminalViewTests", in: .tools, ["JSON", "TerminalView"]),
        tests("ArchivesTests", in: .tools, ["Archives", "Capture", "JSON", "Recording", "TestSupport"]),
        tests(
            "AdminAPITests", in: .admin,
            [
                "AdminAPI", "Answering", "Archives", "Capture", "Explanations", "HTTPMessages", "HTTPTransport",
                "Journal", "JSON", "JSONSchema", "Matching", "MockEngine", "Platform", "Records", "Reports", "Routing",
                "Shorthand", "StubFiles", "StubModel", "Stubs", "stuntdouble", "TestSupport",
            ],
            exclude: ["Golden"]),
        // Saves stubs until a test kills it.
        program("SaveLoop", at: Layer.daemon.test("SaveLoop"), ["Folders", "Platform"]),
        tests(
            "CommandTests", in: .daemon,
            [
                "Basics", "Command", "Folders", "MockEngine", "Platform", "SaveLoop", "Serving", "StubModel",
                "stuntdouble", "TestSupport",
            ]),
        tests("CertificatesTests", in: .daemon, ["Certificates", "Platform", "TestSupport"]),
        tests(
            "BlackBoxTests", in: .daemon,
            [
                "Command", "JSON", "JSONSchema", "Linting", "MockEngine", "StubFiles", "StubModel", "stuntdouble",
                "TestData", "TestSupport",
            ],
            exclude: ["Mistakes"]),
        tests(
            "StuntDoubleClientTests", in: .kit,
            ["Basics", "JSON", "StubModel", "TestSupport", "stuntdouble", "StuntDoubleClient"]),
        tests(
            "StuntDoubleServerTests", in: .kit,
            ["JSON", "stuntdouble", "StuntDoubleClient", "StuntDoubleServer", "StuntDoubleTesting"]),
        tests(
            "StuntDoubleTestingTests", in: .kit,
            ["JSON", "StubModel", "stuntdouble", "StuntDoubleClient", "StuntDoubleTesting"], exclude: ["Mocks"]),
        // What hostile clients do to the real daemon.
        .testTarget(
            name: "AttackTests", dependencies: targets(["JSON", "Platform", "stuntdouble", "TestSupport"]),
            path: "Tests/Attack",
            exclude: ["expensive_matches.json"], swiftSettings: strictSwift),
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
