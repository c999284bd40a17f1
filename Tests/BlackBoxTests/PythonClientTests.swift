import Foundation
import JSON
import TestSupport
import Testing

/// The daemon against python-wiremock, unmodified: what comes of each check of `Tests/Clients/python_wiremock.py` is what
/// came of it on a real WireMock, as `Tests/Clients/python_wiremock.json` records it.
@Suite(
    .serialized,
    .enabled(if: PythonClient.python != nil, "no Python here has the package `wiremock`; `.ci/deps ci` installs it"))
struct PythonClientTests {
    /// Checks of what the daemon does not serve yet, by what they need. One that passes has to leave the list.
    static let notYetServed: [(need: String, checks: Set<String>)] = [
        (
            "mappings by metadata",
            [
                "mappings: delete by metadata",
                "mappings: find by metadata",
            ]
        ),
        (
            "mappings/unmatched",
            [
                "mappings: unmatched"
            ]
        ),
        (
            "requests",
            [
                "matchers: every common header, counted",
                "requests: a reset of the mappings empties the journal",
                "requests: a server's reset empties the journal",
                "requests: all",
                "requests: all since",
                "requests: all, filtered",
                "requests: all, limited",
                "requests: all, limited by what is no number",
                "requests: bodies that are no text",
                "requests: count and find by a matcher that there is not",
                "requests: count and find by any method",
                "requests: count and find by basic_auth_credentials",
                "requests: count and find by body_patterns",
                "requests: count and find by browser_proxy_request",
                "requests: count and find by client_ip",
                "requests: count and find by cookies",
                "requests: count and find by headers",
                "requests: count and find by logged_date",
                "requests: count and find by method",
                "requests: count and find by method and url",
                "requests: count and find by nothing",
                "requests: count and find by query_parameters",
                "requests: count and find by two kinds of URL",
                "requests: count and find by url",
                "requests: count and find by url with a query",
                "requests: count and find by url_path",
                "requests: count and find by url_path_pattern",
                "requests: count and find by url_pattern",
                "requests: get",
                "requests: remove by pattern",
                "requests: remove by the stub's metadata",
                "requests: remove one",
                "requests: reset",
                "requests: reset by DELETE",
                "requests: unmatched",
            ]
        ),
        (
            "near misses of a request as WireMock reads it",
            [
                "near misses: by request, a body in clear",
                "near misses: by request, every field",
                "near misses: by request, the body",
                "near misses: by request, the cookie",
                "near misses: by request, the header",
                "near misses: by request, without a URL",
                "near misses: by request, without a method",
            ]
        ),
        (
            "proxying",
            [
                "responses: proxy_base_url"
            ]
        ),
        (
            "templates",
            [
                "responses: transformers"
            ]
        ),
        (
            "scenarios",
            [
                "scenarios: a mapping keeps its scenario",
                "scenarios: a server's reset begins anew",
                "scenarios: a stub without a required state",
                "scenarios: an update moves a stub to another",
                "scenarios: list",
                "scenarios: reset all",
                "scenarios: set a state",
                "scenarios: the states of a ring",
            ]
        ),
    ]

    /// Checks whose outcome differs on purpose: see docs/differences.md.
    static let differences: [String: JSONValue] = [
        "requests: all, limited by what is no number": [
            "many": ["raised": "ClientException", "status": 400, "errors": [["code": 10]]]
        ]
    ]

    @Test func theRecordingIsThere() throws {
        #expect(PythonClient.recorded.count > 150)
        for name in Self.notYetServed.flatMap(\.checks) + Self.differences.keys {
            #expect(PythonClient.recorded[name] != nil, "\(name) is listed and is no check")
        }
        let resources = Set(PythonClient.recorded.keys.map { $0.prefix { $0 != ":" } })
        #expect(
            resources == [
                "mappings", "matchers", "near misses", "requests", "responses", "scenarios", "server", "settings",
            ])
    }

    @Test func theSuiteRunsToItsEnd() {
        let run = PythonClient.run
        #expect(run.ending == .exited(0), "\(run.errors)")
        #expect(Set(run.outcomes.keys) == Set(PythonClient.recorded.keys))
    }

    /// The last check ends the daemon.
    @Test func theDaemonEndsWithoutAComplaint() {
        #expect(PythonClient.run.daemonEnding == .exited(0))
        #expect(!PythonClient.run.daemonErrors.contains(#""level":"error""#), "\(PythonClient.run.daemonErrors)")
    }

    @Test(arguments: PythonClient.recorded.keys.sorted())
    func whatComesOfItIsWhatComesOfItOnWireMock(check: String) throws {
        let recorded = try #require(PythonClient.recorded[check])
        let ours = try #require(PythonClient.run.outcomes[check], "the suite did not come so far")
        let expected = Self.differences[check] ?? recorded
        let isSame = ours == expected
        if let entry = Self.notYetServed.first(where: { $0.checks.contains(check) }) {
            #expect(!isSame, "it passes now (\(entry.need)): take it off the list")
            return
        }
        let steps = Set((expected.objectValue?.keys ?? []) + (ours.objectValue?.keys ?? []))
        let different = steps.sorted().filter { ours[$0] != expected[$0] }.map {
            "\($0)\nexpected \(expected[$0]?.compactText ?? "–")\nours     \(ours[$0]?.compactText ?? "–")"
        }
        #expect(isSame, "\(different.joined(separator: "\n"))")
    }

    @Test(arguments: differences.keys.sorted()) func aMeantDifferenceIsOne(check: String) {
        #expect(Self.differences[check] != PythonClient.recorded[check])
    }

    /// The page shows it as an indented block, since not everybody who runs the fenced examples has the package.
    @Test func theExampleOfThePageRuns() throws {
        let python = try #require(PythonClient.python)
        let page = try String(contentsOfFile: Daemon.packageRoot + "/docs/clients.md", encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("    import requests") }.prefix { $0.isEmpty || $0.hasPrefix("    ") }
        let daemon = try Daemon()
        let program = lines.map { $0.dropFirst(4) }.joined(separator: "\n").replacing("8080", with: "\(daemon.port)")
        #expect(program.contains("wiremock.client"))
        try daemon.folder.write("example.py.txt", program)
        let run = try ChildProcess(
            python, ["-I", daemon.folder.path + "/example.py.txt"], outputsIn: try TemporaryFolder())
        #expect(run.wait() == .exited(0), "\(run.errors)")
    }
}

/// The client suite: what it recorded, and one run of it against the daemon, which all tests share.
enum PythonClient {
    struct Run: Sendable {
        let outcomes: [String: JSONValue]
        let ending: ChildProcess.Ending?
        let errors: String
        let daemonEnding: ChildProcess.Ending?
        let daemonErrors: String
    }

    /// The first Python that has the client: the one that is named in the environment, else that of `.ci/deps ci`, else
    /// the system's.
    static let python: String? = {
        if let given = ProcessInfo.processInfo.environment["STUNTDOUBLE_PYTHON"] { return given }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = [Daemon.packageRoot + "/.build/clients/bin"] + path.split(separator: ":").map(String.init)
        return folders.map { $0 + "/python3" }.filter(FileManager.default.isExecutableFile).first(where: hasClient)
    }()

    private static func hasClient(_ python: String) -> Bool {
        guard let scratch = try? TemporaryFolder(),
            let process = try? ChildProcess(python, ["-I", "-c", "import wiremock.client"], outputsIn: scratch)
        else { return false }
        return process.wait() == .exited(0)
    }

    /// The outcomes on WireMock, by check.
    static let recorded: [String: JSONValue] = {
        let path = Daemon.packageRoot + "/Tests/Clients/python_wiremock.json"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
        return members(of: (try? JSONValue(parsing: text))?["checks"])
    }()

    static let run: Run = {
        do {
            let python = try #require(Self.python)
            let daemon = try Daemon()
            let scratch = try TemporaryFolder()
            let suite = try ChildProcess(
                python,
                [
                    "-B", Daemon.packageRoot + "/Tests/Clients/python_wiremock.py",
                    "--url", "http://localhost:\(daemon.port)", "--root", daemon.folder.path,
                ],
                outputsIn: scratch)
            let ending = suite.wait(milliseconds: 120_000)
            return Run(
                outcomes: members(of: try? JSONValue(parsing: suite.output)), ending: ending, errors: suite.errors,
                daemonEnding: daemon.process.wait(milliseconds: 10_000), daemonErrors: daemon.process.errors)
        } catch {
            return Run(outcomes: [:], ending: nil, errors: "\(error)", daemonEnding: nil, daemonErrors: "")
        }
    }()

    private static func members(of value: JSONValue?) -> [String: JSONValue] {
        Dictionary((value?.objectValue?.members ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    }
}
