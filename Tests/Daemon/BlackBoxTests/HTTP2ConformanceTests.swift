import SDTestSupport
import Testing

/// `Tests/HTTP2/conformance.py` finds nothing wrong in the daemon's HTTP/2, in the clear and over TLS.
@Suite(
    .enabled(
        if: ClientSuite.pythonWithHTTP2 != nil,
        "no Python here has the packages `h2` and `httpx`; `.ci/deps ci` installs them"))
struct HTTP2ConformanceTests {
    @Test func everyCasePasses() throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let script = PackageFiles.root + "/Tests/HTTP2/conformance.py"
        let cases = try ChildProcess(
            try #require(ClientSuite.pythonWithHTTP2), ["-B", script, "--daemon", Daemon.binary, "--timeout", "10"],
            outputsIn: scratch)
        #expect(cases.wait(milliseconds: 300_000) == .exited(0), "\(cases.output)\(cases.errors)")
        #expect(!cases.output.contains(" 0 passed"))
    }
}

/// Other people's clients get the twenty stubs over TLS and HTTP/2, and report its faults, as docs/clients.md and
/// docs/faults-https.md say: those of them that are here and quick.
@Suite(
    .enabled(
        if: ClientSuite.pythonWithHTTP2 != nil,
        "no Python here has the packages `h2` and `httpx`; `.ci/deps ci` installs them"))
struct SecureClientTests {
    @Test(arguments: ["curl, HTTP/1.1", "curl, h2", "curl, prior knowledge", "curl, upgrade", "httpx", "Node http2"])
    func theTwentyStubsAreAnswered(client: String) throws {
        try run("report.py", ["--check", "--clients", client])
    }

    @Test(arguments: ["curl, HTTP/1.1", "curl, h2", "httpx", "Node http2"])
    func theFaultsAreReportedAsThePageSays(client: String) throws {
        try run("faults.py", ["--check", PackageFiles.root + "/docs/faults-https.md", "--clients", client])
    }

    private func run(_ script: String, _ options: [String]) throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let python = try #require(ClientSuite.pythonWithHTTP2)
        let arguments = [
            "-B", PackageFiles.root + "/Tests/Clients/https/" + script, "--daemon", Daemon.binary, "--python", python,
        ]
        let child = try ChildProcess(python, arguments + options, outputsIn: scratch)
        #expect(child.wait(milliseconds: 300_000) == .exited(0), "\(child.output)\(child.errors)")
    }
}

extension ClientSuite {
    static let pythonWithHTTP2 = python(that: "import h2, hpack, hyperframe, httpx")
}
