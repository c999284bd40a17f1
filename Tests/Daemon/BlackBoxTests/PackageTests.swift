import Foundation
import SDTestSupport
import Testing

/// The packages for Python and npm, from this checkout and with the daemon that was built: their own tests pass.
/// `make prove-clients` runs them again from packages that are installed.
struct PackageTests {
    private static let node = program(
        "node", that: "process.exit(Number(process.versions.node.split('.')[0]) < 18 ? 1 : 0)")

    @Test(
        .enabled(
            if: ClientSuite.pythonWithPytest != nil,
            "no Python here has pytest, pytest-xdist and requests; `.ci/deps ci` installs them"))
    func thePythonPackageDoesWhatItSays() throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let tests = PackageFiles.root + "/packaging/python/tests"
        let run = try ChildProcess(
            try #require(ClientSuite.pythonWithPytest),
            ["-B", "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-p", "no:playwright", tests],
            environment: [
                "PYTHONPATH": PackageFiles.root + "/packaging/python/src", "PYTHONDONTWRITEBYTECODE": "1",
                "STUNTDOUBLE_BINARY": Daemon.binary,
            ], folder: scratch.path, outputsIn: scratch)
        #expect(run.wait(milliseconds: 600_000) == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains(" passed"), "\(run.output)")
    }

    @Test(.enabled(if: node != nil, "there is no node: of version 18 or newer"))
    func theNPMPackageDoesWhatItSays() throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let folder = PackageFiles.root + "/packaging/npm/tests/"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".test.mjs") }
        #expect(names.count >= 3)
        let run = try ChildProcess(
            try #require(Self.node), ["--test", "--test-reporter=tap"] + names.sorted().map { folder + $0 },
            environment: ["STUNTDOUBLE_BINARY": Daemon.binary], folder: scratch.path, outputsIn: scratch)
        #expect(run.wait(milliseconds: 600_000) == .exited(0), "\(run.output)\(run.errors)")
    }

    /// The first program of this name in PATH that ends well with a text.
    private static func program(_ name: String, that text: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.filter(FileManager.default.isExecutableFile).first { path in
            guard let scratch = try? TemporaryFolder(),
                let process = try? ChildProcess(path, ["-e", text], outputsIn: scratch)
            else { return false }
            return process.wait() == .exited(0)
        }
    }
}

extension ClientSuite {
    static let pythonWithPytest = python(that: "import pytest, xdist, requests")
}
