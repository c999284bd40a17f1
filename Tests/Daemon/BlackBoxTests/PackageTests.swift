import Foundation
import SDTestSupport
import Testing

/// The packages for Python and npm, from this checkout and with the daemon that was built: their own tests pass.
/// `make verify-clients` runs them again from packages that are installed.
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

    /// What is handed out is whole: each kind is there, and the sums are those of all files.
    @Test(
        .enabled(
            if: ["cc", "dpkg-deb", "sha256sum"].allSatisfy { program($0) != nil },
            "cc, dpkg-deb and sha256sum are needed"))
    func whatIsHandedOutIsWhole() throws {
        let scratch = try TemporaryFolder()
        // In place of the daemon, as only a release build has no libraries that a wheel cannot need.
        let source = "#include <stdio.h>\nint main(void) { return puts(\"stuntdouble 0.1.0\") < 0; }\n"
        try scratch.write("daemon.c", source)
        try scratch.write("of-others/stuntdouble_server-0.1.0-py3-none-macosx_11_0_arm64.whl", "x")
        try scratch.write("of-others/folder/file", "")
        let script = """
            cc -o daemon daemon.c && export PYTHONPATH='\(PackageFiles.root)/packaging' &&
                python3 -B -m dist --binary daemon --out dist --beside of-others/* &&
                cd dist && sha256sum --check --quiet SHA256SUMS
            """
        let run = try ChildProcess("/bin/sh", ["-c", script], folder: scratch.path, outputsIn: scratch)
        #expect(run.wait(milliseconds: 300_000) == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("not here: "), "\(run.errors)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.path + "/dist").filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(scratch.path)/dist/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        let kinds = [
            ".tar.gz", ".deb", ".whl", ".tgz", ".artifactbundle.zip", ".cdx.json", "/install.sh", "/github/action.yml",
            "/github/report/action.yml", "/stuntdouble.gitlab-ci.yml", "/stuntdouble.rb", "/mise.toml",
            "/registry.yaml", "-macosx_11_0_arm64.whl",
        ]
        for kind in kinds { #expect(files.contains { "/\($0)".hasSuffix(kind) }, "\(kind): \(files)") }
        let sums = try String(contentsOfFile: scratch.path + "/dist/SHA256SUMS", encoding: .utf8)
        let named = sums.split(separator: "\n").map { String($0.drop { $0 != " " }.dropFirst(2)) }
        #expect(Set(named) == Set(files.filter { $0 != "SHA256SUMS" }))
    }

    private static func program(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
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
