import SDTestSupport
import Testing

/// The table of docs/faults.md says what clients report for each fault: those of its clients that are here are asked
/// again.
@Suite(
    .enabled(
        if: ClientSuite.pythonWithRequests != nil,
        "no Python here has the package `requests`; `.ci/deps ci` installs it"))
struct FaultTableTests {
    @Test(arguments: ["curl", "requests", "fetch"])
    func theTableIsWhatTheClientReports(client: String) throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let script = PackageFiles.root + "/Tests/Clients/faults/report.py"
        let check = try ChildProcess(
            try #require(ClientSuite.pythonWithRequests),
            [
                "-B", script, "--daemon", Daemon.binary, "--clients", client, "--check",
                PackageFiles.root + "/docs/faults.md",
            ], outputsIn: scratch)
        #expect(check.wait(milliseconds: 120_000) == .exited(0), "\(check.output)\(check.errors)")
    }
}

extension ClientSuite {
    fileprivate static let pythonWithRequests = python(that: "import requests")
}
