import SDTestSupport
import Testing

/// `packaging/install.sh`: `make verify-dist` installs with it what was built.
@Suite struct InstallerTests {
    /// From folders, files and URLs, in each shell that is here, and what it refuses.
    @Test func theInstallerDoesWhatItSays() throws {
        let scratch = try TemporaryFolder()
        let run = try ChildProcess(
            "/bin/sh", [PackageFiles.root + "/packaging/verify-install.sh"], environment: ["TMPDIR": scratch.path],
            folder: scratch.path, outputsIn: scratch)
        #expect(run.wait(milliseconds: 300_000) == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains(" checks hold, in "))
        withExtendedLifetime(scratch) {}
    }
}
