import Foundation
import SDJSON
import SDTestSupport
import Testing

/// An unmodified python-wiremock has the same outcomes with the daemon as with a real WireMock:
/// `Tests/Clients/python_wiremock.py` makes the checks, `Tests/Clients/python_wiremock.json` records the outcomes.
@Suite(
    .serialized,
    .enabled(
        if: ClientSuite.pythonWireMock.python != nil,
        "no Python here has the package `wiremock`; `.ci/deps ci` installs it"))
struct PythonClientTests {
    /// Checks of features that the daemon does not have yet, by feature. A check that passes must be removed from the
    /// list.
    static let notYetServed: [(need: String, checks: Set<String>)] = [
        ("requests since a date", ["requests: all since"])
    ]

    private static let notThere: JSONValue = [
        "raised": "NotFoundException", "status": 404, "errors": [["code": 404]],
    ]

    /// Steps whose outcome differs on purpose: see docs/differences.md.
    static let differences: [String: JSONValue] = [
        "requests: all, limited by what is no number": [
            "many": ["raised": "ClientException", "status": 400, "errors": [["code": 10]]]
        ],
        // The answer to an unknown call names the nearest path.
        "requests: reset": ["reset": notThere],
        "server: what there is not": ["get": notThere, "post": notThere],
        // Jetty respells the values of fields that it knows.
        "requests: the case of a charset": ["shown": "text/plain; charset=utf-8"],
    ]

    @Test func theRecordingExists() throws {
        #expect(ClientSuite.pythonWireMock.recorded.count > 150)
        for name in Self.notYetServed.flatMap(\.checks) + Self.differences.keys {
            #expect(ClientSuite.pythonWireMock.recorded[name] != nil, "\(name) is listed and is no check")
        }
        let resources = Set(ClientSuite.pythonWireMock.recorded.keys.map { $0.prefix { $0 != ":" } })
        #expect(
            resources == [
                "mappings", "matchers", "near misses", "requests", "responses", "scenarios", "server", "settings",
            ])
    }

    @Test func theSuiteRunsToItsEnd() {
        #expect(ClientSuite.pythonWireMockRun.ending == .exited(0), "\(ClientSuite.pythonWireMockRun.errors)")
        #expect(Set(ClientSuite.pythonWireMockRun.outcomes.keys) == Set(ClientSuite.pythonWireMock.recorded.keys))
    }

    /// The last check ends the daemon.
    @Test func theDaemonEndsWithoutErrors() {
        #expect(ClientSuite.pythonWireMockRun.daemonEnding == .exited(0))
        #expect(
            !ClientSuite.pythonWireMockRun.daemonErrors.contains(#""level":"error""#),
            "\(ClientSuite.pythonWireMockRun.daemonErrors)")
    }

    @Test(arguments: ClientSuite.pythonWireMock.recorded.keys.sorted())
    func theOutcomeEqualsWireMocks(check: String) throws {
        let recorded = try #require(ClientSuite.pythonWireMock.recorded[check])
        let ours = try #require(ClientSuite.pythonWireMockRun.outcomes[check], "the suite did not come so far")
        let expected = Self.expected(check, recorded)
        let isSame = ours == expected
        if let entry = Self.notYetServed.first(where: { $0.checks.contains(check) }) {
            #expect(!isSame, "it passes now (\(entry.need)): take it off the list")
            return
        }
        #expect(isSame, "\(ClientSuite.differences(ours, expected))")
    }

    @Test(arguments: differences.keys.sorted()) func anIntendedDifferenceIsStillADifference(check: String) throws {
        let recorded = try #require(ClientSuite.pythonWireMock.recorded[check])
        let differing = try #require(Self.differences[check]?.objectValue)
        for step in differing.members {
            #expect(recorded[step.key] != nil && recorded[step.key] != step.value, "\(step.key)")
        }
    }

    private static func expected(_ check: String, _ recorded: JSONValue) -> JSONValue {
        guard let differing = differences[check]?.objectValue, var steps = recorded.objectValue else { return recorded }
        for step in differing.members { steps[step.key] = step.value }
        return .object(steps)
    }

    /// The page has these examples as indented blocks, because the package may be missing where fenced examples are
    /// run.
    @Test func theExamplesOfThePageRun() throws {
        let python = try #require(ClientSuite.pythonWireMock.python)
        let blocks = try indentedBlocks(of: "docs/clients.md")
        let programs = blocks.filter { $0.contains("from wiremock.") }
        #expect(programs.count == 2)

        let daemon = try Daemon()
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let script = try #require(blocks.first { $0.hasPrefix("#!/bin/sh") })
        try scratch.writeProgram("as-java", script.replacing("exec stuntdouble", with: "exec '\(Daemon.binary)'"))
        for program in programs {
            try scratch.write("example.py", program.replacing("8080", with: "\(daemon.port)"))
            let run = try ChildProcess(python, ["-I", "example.py"], folder: scratch.path, outputsIn: scratch)
            #expect(run.wait() == .exited(0), "\(run.errors)")
        }
    }

    private func indentedBlocks(of page: String) throws -> [String] {
        let text = try String(contentsOfFile: PackageFiles.root + "/" + page, encoding: .utf8)
        var blocks = [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("    ") {
                blocks[blocks.count - 1] += line.dropFirst(4) + "\n"
            } else if line.isEmpty, blocks.last?.isEmpty == false {
                blocks[blocks.count - 1] += "\n"
            } else if !line.isEmpty, blocks.last?.isEmpty == false {
                blocks.append("")
            }
        }
        return blocks
    }
}
