import Foundation
import SDTestSupport
import Testing

/// Several daemons with `--shared`, their own redis-server and nginx in front, by the script in `Tests/Replicas`.
@Suite(
    .serialized, .enabled(if: RedisServer.program != nil, "\(RedisServer.isMissing)"),
    .enabled(
        if: ["/usr/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"].contains(
            where: FileManager.default.isExecutableFile), "there is no nginx"))
struct ReplicaTests {
    /// Beginnings of the names of its checks, as few as a run of some time has.
    @Test(arguments: [
        "what one", "scenarios", "sequences", "verifying", "waiting", "gates", "sessions", "stubs", "one that",
        "the server", "a cut",
        "a slow", "the password", "two names", "a run", "commands", "what refuses", "requests are", "what is removed",
        "the log", "a journal", "files that", "what sessions",
    ])
    func areOneServer(check: String) throws {
        let python = try #require(ClientSuite.python(that: "import json"), "there is no python3")
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            python,
            ["-B", PackageFiles.root + "/Tests/Replicas/replicas.py", "--binary", Daemon.binary, "--only", check],
            outputsIn: folder)
        let ending = process.wait(milliseconds: 300_000)
        let verdict = process.output.split(separator: "\n").last ?? ""
        #expect(
            ending == .exited(0), "\(verdict)\n\(process.output.suffix(6_000))\n\(process.errors.suffix(2_000))")
        #expect(process.output.contains("ok    \(check)"), "no check begins so")
    }

    /// What WireMock was recorded to answer, and what it refuses, are answered alike by one daemon and by several.
    @Test func answerTablesOfCallsAsOneDoes() throws {
        let python = try #require(ClientSuite.python(that: "import json"), "there is no python3")
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            python, ["-B", PackageFiles.root + "/Tests/Replicas/acceptance.py", "--binary", Daemon.binary],
            outputsIn: folder)
        let ending = process.wait(milliseconds: 300_000)
        #expect(ending == .exited(0), "\(process.output.suffix(6_000))\n\(process.errors.suffix(2_000))")
        #expect(process.output.contains("tables: 1236 steps, 0 differ"))
    }
}
