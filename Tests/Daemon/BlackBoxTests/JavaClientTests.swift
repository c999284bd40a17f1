import Foundation
import SDTestSupport
import Testing

/// The suite's requirements of the machine.
private enum Oracle {
    static let java: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { $0 + "/java" }.first(where: FileManager.default.isExecutableFile)
    }()

    static let jar: String? = {
        if let given = ProcessInfo.processInfo.environment["STUNTDOUBLE_ORACLE"], !given.isEmpty { return given }
        let folder = PackageFiles.root + "/../shared/oracle"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".jar") }.min().map { folder + "/" + $0 }
    }()
}

/// WireMock's own Java client, from its jar, works with a daemon whose journal evicts events.
@Suite(
    .enabled(
        if: Oracle.java != nil && Oracle.jar != nil,
        "needs java, and WireMock's jar under STUNTDOUBLE_ORACLE or ../shared/oracle"))
struct JavaClientTests {
    @Test func theJavaClientReadsEveryAnswer() throws {
        let entries = 20
        let daemon = try Daemon(["--max-request-journal-entries", String(entries)])
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let arguments = [
            "-XX:TieredStopAtLevel=1", "-cp", try #require(Oracle.jar),
            PackageFiles.root + "/Tests/Clients/JavaClient.java", String(daemon.port), String(entries),
        ]
        let client = try ChildProcess(try #require(Oracle.java), arguments, outputsIn: scratch)
        let ending = client.wait(milliseconds: 180_000)
        let lines = client.output.split(separator: "\n")
        let failed = lines.filter { $0.hasPrefix("failed ") }
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))\n\(client.errors)")
        #expect(ending == .exited(0), "\(client.errors)")
        #expect(lines.count { $0.hasPrefix("ok ") } >= 14)
        #expect(!daemon.process.errors.contains(#""level":"error""#), "\(daemon.process.errors)")
    }
}
