import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble ca`, as far as it leaves the system alone.
@Suite struct AuthorityCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> EndedCommand {
        try EndedCommand(["ca"] + arguments, environment: environment, outputsIn: folder)
    }

    @Test func theCertificateIsPrintedAndStaysTheSame() throws {
        let state = folder.path + "/state"
        let first = try run(["--state-dir", state])
        #expect(first.status == 0)
        #expect(first.output.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(first.errors == "")
        #expect(try run([], environment: ["STUNTDOUBLE_STATE_DIR": state]).output == first.output)
        #expect(try run(["--path", "--state-dir=" + state]).output == "\(state)/ca.pem\n")
        #expect(try folder.read("state/ca.pem") == first.output)
        let key = try FileManager.default.attributesOfItem(atPath: state + "/ca-key.pem")
        #expect(key[.posixPermissions] as? Int == 0o600)
    }

    @Test func theFolderIsTheUsers() throws {
        let home = ["HOME": folder.path + "/home", "XDG_STATE_HOME": folder.path + "/xdg"]
        #expect(try run(["--path"], environment: home).output == folder.path + "/xdg/stuntdouble/ca.pem\n")
    }

    @Test func halfAnAuthorityIsAnError() throws {
        try folder.write("state/ca.pem", "x")
        let result = try run(["--state-dir", folder.path + "/state"])
        #expect(result.status == 1)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("stuntdouble: \(folder.path)/state/ca-key.pem is missing beside ca.pem: "))
    }

    @Test func othersAreToldThatOnlyTheAdministratorMayInstall() throws {
        // A user without a home, and so without a store of the user's.
        try #require(chmod(folder.path, 0o777) == 0)
        let command = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", Daemon.binary, "ca", "--install"]
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: command[0]),
            FileManager.default.isExecutableFile(atPath: "/usr/sbin/update-ca-certificates")
        else { return }
        func installs(_ more: [String]) throws -> EndedCommand {
            let process = try ChildProcess(
                command[0], command.dropFirst() + ["--state-dir", folder.path + "/nobody"] + more,
                environment: ["HOME": "/", "SUDO_USER": "somebody"], outputsIn: folder)
            process.closeInput()
            return EndedCommand(process)
        }
        let text = try installs([])
        #expect(text.status == 1)
        #expect(text.errors.contains("    sudo cp \(folder.path)/nobody/ca.pem /usr/local/share/ca-certificates/"))
        #expect(text.errors.hasSuffix("    sudo /usr/sbin/update-ca-certificates\n"))
        let json = try installs(["--json"])
        #expect(json.status == 1)
        let store = try JSONValue(parsing: json.output)["stores"]?[0]
        #expect(store?["result"] == "administrator")
        #expect(store?["steps"]?.arrayValue?.last == "/usr/sbin/update-ca-certificates")
        #expect(json.error?["fix"]?.stringValue?.hasSuffix(" && sudo /usr/sbin/update-ca-certificates") == true)
    }
}
