import Foundation
import SDTestSupport
import Testing

@testable import SDCertificates

@Suite struct SystemTrustTests {
    /// A machine in a folder: its programs write down how they are called.
    private struct Machine {
        let folder: TemporaryFolder
        var root: String { folder.path + "/root" }
        var home: String { folder.path + "/home" }
        var certificatePath: String { folder.path + "/state/ca.pem" }

        init(folders: [String], programs: [String]) throws {
            folder = try TemporaryFolder()
            _ = try CertificateAuthority(folder: folder.path + "/state")
            try folder.write("home/.keep", "")
            for path in folders { try folder.write("root" + path + "/.keep", "") }
            for name in programs {
                try folder.writeProgram(
                    "root/usr/sbin/" + name, "#!/bin/sh\necho \"${0##*/} $*\" >> '\(folder.path)/calls'\n")
            }
        }

        func trust(isDarwin: Bool = false) throws(CertificateProblem) -> SystemTrust {
            try SystemTrust(
                certificatePath: certificatePath,
                machine: .init(root: root, isDarwin: isDarwin, home: home, programFolders: ["/usr/sbin"]))
        }

        func perform(_ plans: [SystemTrust.Plan]) throws {
            for step in plans.flatMap(\.steps) { try step.perform() }
        }

        /// The calls since the last look.
        func calls() throws -> [String] {
            let text = try folder.read("calls")
            try folder.remove("calls")
            return text.split(separator: "\n").map { $0.replacingOccurrences(of: folder.path, with: "") }
        }
    }

    @Test(arguments: [
        (["/usr/local/share/ca-certificates"], "update-ca-certificates", " --fresh"),
        ([], "update-ca-certificates", " --fresh"),
        (["/etc/pki/ca-trust/source/anchors"], "update-ca-trust", ""),
        (["/etc/ca-certificates/trust-source/anchors"], "update-ca-trust", ""),
        (["/etc/pki/trust/anchors"], "update-ca-certificates", " --fresh"),
    ])
    func aDistributionsStoreGetsTheCertificateAndLosesIt(folders: [String], program: String, fresh: String) throws {
        let machine = try Machine(folders: folders, programs: [program])
        let folder = "root" + (folders.first ?? "/usr/local/share/ca-certificates")
        let installing = try machine.trust().installing()
        #expect(installing.map(\.needsAdministrator) == [true])
        try machine.perform(installing)
        #expect(try machine.calls() == [program + " "])
        let name = try #require(machine.folder.files.first { $0.hasPrefix(folder) && $0.hasSuffix(".crt") })
        #expect(name.wholeMatch(of: #/.*/stuntdouble-[0-9a-f]{12}\.crt/#) != nil)
        #expect(try machine.folder.bytes(name) == machine.folder.bytes("state/ca.pem"))
        // A second time is the same.
        try machine.perform(try machine.trust().installing())
        _ = try machine.calls()

        try machine.perform(try machine.trust().uninstalling())
        #expect(try machine.calls() == [program + (fresh.isEmpty ? " " : fresh)])
        #expect(!machine.folder.files.contains(name))
        #expect(try machine.trust().uninstalling().flatMap(\.steps).isEmpty)
    }

    @Test func javasStoreOfDebianLosesItToo() throws {
        let machine = try Machine(
            folders: ["/usr/local/share/ca-certificates"], programs: ["update-ca-certificates", "keytool"])
        try machine.folder.write("root/etc/ssl/certs/java/cacerts", "")
        try machine.perform(try machine.trust().installing())
        try machine.perform(try machine.trust().uninstalling())
        let last = try #require(try machine.calls().last)
        #expect(last.hasPrefix("keytool -delete -keystore /root/etc/ssl/certs/java/cacerts "))
        #expect(last.wholeMatch(of: #/.* -alias debian:stuntdouble-[0-9a-f]{12}\.pem/#) != nil)
    }

    @Test func chromiumsStoreIsTheUsers() throws {
        let machine = try Machine(folders: [], programs: ["certutil"])
        let plans = try machine.trust().installing()
        #expect(plans.map(\.needsAdministrator) == [false])
        try machine.perform(plans)
        let calls = try machine.calls()
        #expect(calls.first == "certutil -d sql:/home/.pki/nssdb -N --empty-password")
        #expect(calls.last?.hasPrefix("certutil -d sql:/home/.pki/nssdb -A -t C,, -n stuntdouble-") == true)
        #expect(calls.last?.hasSuffix(" -i /state/ca.pem") == true)
        #expect(try machine.trust().uninstalling().flatMap(\.steps).isEmpty)

        // A store that is there is not made anew.
        try machine.folder.write("home/.pki/nssdb/cert9.db", "")
        try machine.perform(try machine.trust().installing())
        #expect(try machine.calls().count == 1)
        try machine.perform(try machine.trust().uninstalling())
        #expect(try machine.calls().last?.hasPrefix("certutil -d sql:/home/.pki/nssdb -D -n stuntdouble-") == true)
    }

    @Test func macOSHasAKeychain() throws {
        let machine = try Machine(folders: [], programs: ["security"])
        let plans = try machine.trust(isDarwin: true).installing() + machine.trust(isDarwin: true).uninstalling()
        #expect(plans.map(\.needsAdministrator) == [true, true])
        try machine.perform(plans)
        #expect(
            try machine.calls() == [
                "security add-trusted-cert -d -r trustRoot -k /root/Library/Keychains/System.keychain /state/ca.pem",
                "security remove-trusted-cert -d /state/ca.pem",
            ])
    }

    @Test func aMachineWithoutAStoreIsTold() throws {
        let machine = try Machine(folders: [], programs: [])
        #expect(throws: CertificateProblem.self) { try machine.trust().installing() }
    }

    @Test func aStepThatFailsIsTold() throws {
        #expect(throws: CertificateProblem("/bin/sh -c 'exit 3' failed with the exit status 3")) {
            try TrustStep.run("/bin/sh", ["-c", "exit 3"]).perform()
        }
        #expect(throws: CertificateProblem.self) { try TrustStep.run("/nowhere", []).perform() }
        #expect(throws: CertificateProblem.self) { try TrustStep.copy(from: "/nowhere", to: "/tmp/x").perform() }
    }

    @Test func stepsAreLinesForAShell() {
        #expect(TrustStep.copy(from: "/a b/ca.pem", to: "/it's").commandLine == #"cp '/a b/ca.pem' '/it'\''s'"#)
        #expect(TrustStep.run("x", ["-n", ""]).commandLine == "x -n ''")
    }
}
