import SDJSON
import SDTestSupport
import Testing

/// Two unmodified python-wiremock clients use two sessions with contradictory stubs at the same time.
@Suite(
    .enabled(
        if: ClientSuite.pythonWireMock.python != nil,
        "no Python here has the package `wiremock`; `.ci/deps ci` installs it"))
struct SessionClientTests {
    /// With ports of their own, and with path prefixes.
    @Test(arguments: [#"{"port": 0}"#, "{}"]) func twoConcurrentClientsEachHaveTheirOwnServer(session: String) throws {
        let python = try #require(ClientSuite.pythonWireMock.python)
        let daemon = try Daemon(files: ["base.yaml": "GET /inherited: { body: base }"])
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let clients = try ["left", "right"].map { name in
            let made = try daemon.admin("POST", "/sessions", session)
            let url = try #require(made.json?["url"]?.stringValue, "\(made.status) \(made.text)")
            let script = PackageFiles.root + "/Tests/Clients/python_sessions.py"
            return try ChildProcess(python, ["-B", script, "--url", url, "--name", name], outputsIn: scratch)
        }
        for client in clients { #expect(client.wait(milliseconds: 120_000) == .exited(0), "\(client.errors)") }
        #expect(try daemon.admin("GET", "/requests").json?["meta"]?["total"]?.intValue == 0)
        #expect(try daemon.admin("GET", "/mappings").json?["meta"]?["total"]?.intValue == 1)
    }
}
