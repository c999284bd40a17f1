import Foundation
import SDTestSupport
import Testing

@testable import SDCertificates

@Suite struct AuthorityFolderTests {
    private func complaint(_ folder: String) -> String {
        do throws(CertificateProblem) {
            _ = try CertificateAuthority(folder: folder)
            return ""
        } catch {
            return error.description
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func anAuthorityIsMadeOnceAndKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/state/stuntdouble"
        let first = try CertificateAuthority(folder: path)
        let second = try CertificateAuthority(folder: path)
        #expect(first.certificate == second.certificate)
        #expect(try folder.bytes("state/stuntdouble/ca.pem") == first.certificate)
        #expect(CertificateAuthority.certificatePath(in: path) == path + "/ca.pem")
        #expect(try mode(path) == 0o700)
        #expect(try mode(path + "/ca.pem") == 0o644)
        #expect(try mode(path + "/ca-key.pem") == 0o600)
        #expect(first.warnings.isEmpty)
    }

    @Test func manyAtOnceGetTheSame() throws {
        let folder = try TemporaryFolder()
        let made = Locked<Set<[UInt8]>>([])
        inParallel(8) { _ in
            #expect(throws: Never.self) {
                let authority = try CertificateAuthority(folder: folder.path + "/state")
                made.withLock { _ = $0.insert(authority.certificate) }
            }
        }
        #expect(made.withLock { $0.count } == 1)
        #expect(folder.files == ["state/.lock", "state/ca-key.pem", "state/ca.pem"])
    }

    @Test func halfAnAuthorityIsNeitherUsedNorReplaced() throws {
        let folder = try TemporaryFolder()
        _ = try CertificateAuthority(folder: folder.path)
        let key = try folder.bytes("ca-key.pem")
        let certificate = try folder.bytes("ca.pem")
        let other = try Issuer.made(named: "Other")
        let (keyPath, path) = (folder.path + "/ca-key.pem", folder.path + "/ca.pem")
        let advice =
            "put back the two files that belong together, or remove both, and a new authority is made, which clients "
            + "have to trust anew"

        try folder.remove("ca.pem")
        #expect(
            complaint(folder.path)
                == "\(path) is missing beside ca-key.pem: put it back, or remove \(keyPath), and a new "
                + "authority is made, which clients have to trust anew")
        #expect(try folder.bytes("ca-key.pem") == key)

        try folder.write("ca.pem", other.pem)
        #expect(complaint(folder.path) == "\(keyPath) is not the key of ca.pem beside it: \(advice)")
        try folder.write("ca.pem", [])
        #expect(complaint(folder.path) == "\(path) holds no certificate in PEM: \(advice)")

        try folder.write("ca.pem", certificate)
        try folder.write("ca-key.pem", Array("x".utf8))
        #expect(complaint(folder.path) == "\(keyPath) holds no private key in PEM that is not encrypted: \(advice)")
        try folder.remove("ca-key.pem")
        #expect(
            complaint(folder.path)
                == "\(keyPath) is missing beside ca.pem: put it back, or remove \(path), and a new authority "
                + "is made, which clients have to trust anew")

        try folder.write("ca-key.pem", key)
        #expect(complaint(folder.path) == "")
    }

    @Test func anAuthorityThatHasExpiredIsTold() throws {
        let folder = try TemporaryFolder()
        let key = try PrivateKey.onCurve()
        let old = try Certificate(.authority, commonName: "Old", validity: 1_600_000_000..<1_700_000_000, key: key)
        try folder.write("ca.pem", old.pem())
        try folder.write("ca-key.pem", key.pem())
        #expect(complaint(folder.path).contains("ca.pem was valid until 2023-11-14T22:13:20Z: put back"))
    }

    @Test func aKeyThatOthersCanReadIsWarnedOf() throws {
        let folder = try TemporaryFolder()
        _ = try CertificateAuthority(folder: folder.path)
        try #require(chmod(folder.path + "/ca-key.pem", 0o644) == 0)
        let warnings = try CertificateAuthority(folder: folder.path).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasSuffix("chmod 600 \(folder.path)/ca-key.pem") == true)
    }

    @Test func aFolderThatCannotBeMadeIsTold() throws {
        let folder = try TemporaryFolder()
        try folder.write("file", "x")
        #expect(complaint(folder.path + "/file/state").contains(folder.path + "/file: "))
    }

    @Test func theFolderIsTheUsers() throws {
        #if os(macOS)
            let usual = "/home/a/Library/Application Support/stuntdouble"
        #else
            let usual = "/home/a/.local/state/stuntdouble"
        #endif
        func folder(_ chosen: String?, _ state: String?, home: String? = "/home/a") throws -> String {
            try CertificateAuthority.folder(
                chosen: chosen, environment: { $0 == "XDG_STATE_HOME" ? state : nil }, home: home)
        }
        #expect(try folder(nil, nil) == usual)
        #expect(try folder(nil, "relative") == usual)
        #expect(try folder(nil, "/state") == "/state/stuntdouble")
        #expect(try folder("here", "/state") == "here")
        #expect(throws: CertificateProblem.self) { try folder(nil, nil, home: nil) }
    }

    @Test func theKeyIsNeverInTheServedFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.json", "{}")
        try folder.write("other/a.json", "{}")
        try folder.link("link", to: "mocks")
        let served = folder.path + "/mocks"
        for state in ["mocks", "mocks/state", "mocks/a/b/c", "link/state"] {
            #expect(throws: CertificateProblem.self, "\(state)") {
                try CertificateAuthority.check(folder.path + "/" + state, outside: served)
            }
        }
        for state in ["other", "other/mocks", "mocks-state", "mocks2/x"] {
            #expect(throws: Never.self, "\(state)") {
                try CertificateAuthority.check(folder.path + "/" + state, outside: served)
            }
        }
    }
}
