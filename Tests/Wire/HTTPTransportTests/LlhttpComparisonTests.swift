import SDTestSupport
import Testing

/// This project's parser and llhttp, the parser of node, read the same bytes; every difference has a written reason.
@Suite struct LlhttpComparisonTests {
    private static let folder = PackageFiles.root + "/Tools/oracle/wire"

    private static func hasTools() throws -> Bool {
        let scratch = try TemporaryFolder()
        let check = "command -v cc && command -v node && command -v python3 && pkg-config --exists libevent_core"
        return try ChildProcess("/bin/sh", ["-c", check], outputsIn: scratch).wait() == .exited(0)
    }

    @Test(.enabled("skipped: it needs cc, node, python3 and pkg-config") { try hasTools() })
    func everyDifferenceHasAReason() throws {
        let scratch = try TemporaryFolder()
        let command = "exec python3 '\(Self.folder)/compare.py' --count 12000 --seed 1"
        let process = try ChildProcess("/bin/sh", ["-c", command], outputsIn: scratch)
        let ending = process.wait(milliseconds: 300_000)
        #expect(ending == .exited(0), "\(process.output.prefix(20_000))\n\(process.errors.prefix(4_000))")
    }
}
