import Foundation
import SDTestSupport
import Testing

@testable import SDCertificates

@Suite struct KeyStoreTests {
    /// Files of a certificate of an intermediate authority, in a folder.
    private struct Store {
        let folder: TemporaryFolder
        let root: Issuer
        let intermediate: Issuer
        let leaf: Certificate
        let key: PrivateKey

        init(validity: Range<Int64>? = nil) throws {
            folder = try TemporaryFolder()
            root = try Issuer.made(named: "Root")
            intermediate = try Issuer.made(named: "Intermediate", by: root)
            key = try PrivateKey.onCurve()
            let now = Int64(Date().timeIntervalSince1970)
            leaf = try Certificate(
                .server, commonName: "shop.example", names: ["shop.example"],
                validity: validity ?? now - 3_600..<now + 86_400, key: key,
                issuer: (intermediate.certificate, intermediate.key))
            try folder.write("leaf.pem", leaf.pem())
            try folder.write("key.pem", key.pem())
            try folder.write("chain.pem", intermediate.pem + root.pem)
            try folder.write("root.pem", root.pem)
        }

        func read(
            _ bytes: [UInt8], form: KeyStore.Form? = nil, password: String = "password", keyPassword: String? = nil
        ) throws(CertificateProblem) -> IssuedCertificate {
            try KeyStore.read(bytes, path: "store.x", form: form, password: password, keyPassword: keyPassword)
        }

        func complaint(_ bytes: [UInt8], form: KeyStore.Form? = nil, password: String = "password") -> String {
            do throws(CertificateProblem) {
                _ = try read(bytes, form: form, password: password)
                return ""
            } catch {
                return error.description
            }
        }

        var chain: [UInt8] { get throws { try leaf.pem() + intermediate.pem + root.pem } }
    }

    @Test(arguments: [false, true], [0, 1, 2, 3])
    func pemMayHaveItsPartsInAnyOrder(hasNotes: Bool, order: Int) throws {
        let store = try Store()
        var parts = [try store.leaf.pem(), try store.key.pem(), store.root.pem, store.intermediate.pem]
        for _ in 0..<order { parts.append(parts.removeFirst()) }
        var bytes: [UInt8] = hasNotes ? Array("Bag Attributes\r\n    friendlyName: shop\r\n".utf8) : []
        for part in parts { bytes += part + (hasNotes ? Array("\n# Größe: 1\n".utf8) : []) }
        let read = try store.read(bytes)
        #expect(try read.chain == store.chain)
        #expect(try read.key == store.key.pem())
        #expect(read.warnings.isEmpty)
        #expect(try store.read(bytes.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }) == read)
    }

    @Test(
        .enabled(if: Tool.openssl != nil),
        arguments: [
            ["pkcs8", "-topk8", "-v2", "aes256"], ["pkcs8", "-topk8", "-v1", "PBE-SHA1-3DES"],
            ["ec", "-aes128"],
        ])
    func anEncryptedKeyInPEMIsOpened(arguments: [String]) throws {
        let store = try Store()
        let openssl = try #require(Tool.openssl)
        try openssl.run(
            arguments + ["-in", "key.pem", "-out", "locked.pem", "-passout", "pass:sesame"], in: store.folder)
        let bytes = try store.folder.bytes("locked.pem") + store.leaf.pem()
        #expect(try store.read(bytes, password: "sesame").key == store.key.pem())
        #expect(try store.read(bytes, keyPassword: "sesame").key == store.key.pem())
        #expect(store.complaint(bytes) == "store.x: the password does not open its private key")
        #expect(store.complaint(bytes, password: "") == "store.x: the password does not open its private key")
    }

    @Test(
        .enabled(if: Tool.openssl != nil),
        arguments: [
            [], ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"], ["-legacy"],
            ["-keypbe", "NONE", "-certpbe", "NONE"],
        ])
    func pkcs12IsReadHoweverItIsEncrypted(arguments: [String]) throws {
        let store = try Store()
        let made = try #require(Tool.openssl).run(
            [
                "pkcs12", "-export", "-in", "leaf.pem", "-inkey", "key.pem", "-certfile", "chain.pem", "-out",
                "store.p12",
            ]
                + ["-passout", "pass:password"] + arguments, in: store.folder)
        try #require(made.status == 0, "\(made.errors)")
        let bytes = try store.folder.bytes("store.p12")
        #expect(KeyStore.form(of: bytes) == .pkcs12)
        for form in [nil, .pkcs12, .jks] as [KeyStore.Form?] {
            let read = try store.read(bytes, form: form)
            #expect(try read.chain == store.chain)
            #expect(try read.key == store.key.pem())
        }
        #expect(store.complaint(bytes, form: .pem) == "store.x: expected PEM, found PKCS#12")
        #expect(store.complaint(bytes, password: "other") == "store.x: the password does not open it")
    }

    @Test(.enabled(if: Tool.openssl != nil), arguments: ["", "pässwörd"])
    func aPasswordMayBeEmptyOrAnyText(password: String) throws {
        let store = try Store()
        try #require(Tool.openssl).run(
            [
                "pkcs12", "-export", "-in", "leaf.pem", "-inkey", "key.pem", "-out", "store.p12", "-passout",
                "pass:" + password,
            ],
            in: store.folder)
        let bytes = try store.folder.bytes("store.p12")
        #expect(try store.read(bytes, password: password).key == store.key.pem())
    }

    @Test(.enabled(if: Tool.keytool != nil), arguments: ["PKCS12", "JKS", "JCEKS"])
    func whatJavaWritesIsReadOrRecognised(type: String) throws {
        let folder = try TemporaryFolder()
        let keytool = try #require(Tool.keytool)
        let made = try keytool.run(
            [
                "-genkeypair", "-keystore", "my store.jks", "-storetype", type, "-storepass", "password", "-keypass",
                "password", "-alias", "shop", "-keyalg", "EC", "-dname", "CN=shop.example",
            ], in: folder)
        try #require(made.status == 0, "\(made.output)\(made.errors)")
        let bytes = try folder.bytes("my store.jks")
        guard type != "PKCS12" else {
            let read = try KeyStore.read(bytes, path: "x", form: .jks, password: "password", keyPassword: nil)
            #expect(PEMBlock.all(in: read.chain).count == 1)
            return
        }
        let path = folder.path + "/my store.jks"
        do throws(CertificateProblem) {
            _ = try KeyStore.read(bytes, path: path, form: nil, password: "password", keyPassword: nil)
            Issue.record("read")
        } catch {
            let line = try #require(error.description.split(separator: "\n").last)
            #expect(
                line.hasSuffix(
                    "keytool -importkeystore -srckeystore '\(path)' -destkeystore '\(folder.path)/my store.p12' "
                        + "-deststoretype PKCS12"))
            // The line does what it promises.
            let converted = try #require(Tool.find("sh")).run(
                [
                    "-c",
                    "\(keytool.path)\(line.drop { $0 == " " }.dropFirst(7)) -srcstorepass password -deststorepass password",
                ],
                in: folder)
            try #require(converted.status == 0, "\(converted.output)\(converted.errors)")
            let read = try KeyStore.read(
                folder.bytes("my store.p12"), path: "x", form: .pkcs12, password: "password", keyPassword: nil)
            #expect(PEMBlock.all(in: read.chain).count == 1)
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        let store = try Store()
        let other = try PrivateKey.onCurve()
        let (leaf, key) = (try store.leaf.pem(), try store.key.pem())
        let cases: [(bytes: [UInt8], form: KeyStore.Form?, complaint: String)] = [
            ([], nil, "store.x is empty: expected a certificate in PEM or PKCS#12"),
            (Array("hello".utf8), nil, "store.x: expected PEM or PKCS#12, found neither PEM nor PKCS#12"),
            (Array("hello".utf8), .pkcs12, "store.x: expected PKCS#12, found neither PEM nor PKCS#12"),
            (leaf + key, .pkcs12, "store.x: expected PKCS#12, found PEM"),
            (
                leaf + store.root.pem, nil,
                "store.x has no private key: expected the certificate and its key in one file, found 2 × CERTIFICATE"
            ),
            (key, nil, "store.x has a private key, and no certificate: expected both"),
            (
                leaf + (try other.pem()), nil,
                "store.x: the private key belongs to none of its certificates (\"CN=shop.example\")"
            ),
            (
                leaf + Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8), nil,
                "store.x: its private key cannot be read"
            ),
            (
                key + Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8), nil,
                "store.x: its certificate number 1 cannot be read"
            ),
            (
                [0x30, 0x82, 0x01, 0x00, 0x02, 0x01, 0x03, 0x00], nil,
                "store.x: expected PKCS#12, which it only begins like"
            ),
        ]
        for (bytes, form, complaint) in cases { #expect(store.complaint(bytes, form: form) == complaint) }
    }

    @Test func aCertificateOutOfDateIsReadWithAWarning() throws {
        let expired = try Store(validity: 1_700_000_000..<1_700_086_400)
        #expect(
            try expired.read(expired.leaf.pem() + expired.key.pem()).warnings
                == ["store.x: its certificate \"CN=shop.example\" was valid until 2023-11-15T22:13:20Z"])
        let early = try Store(validity: 4_000_000_000..<4_000_086_400)
        #expect(
            try early.read(early.leaf.pem() + early.key.pem()).warnings
                == ["store.x: its certificate \"CN=shop.example\" is valid from 2096-10-02T07:06:40Z on"])
    }

    @Test func aTrustStoreInPEMHasCertificatesAlone() throws {
        let store = try Store()
        let both = store.root.pem + store.intermediate.pem
        #expect(try KeyStore.readTrust(both, path: "t", form: nil, password: "") == both)
        #expect(throws: CertificateProblem("t has no certificate: expected those of the authorities that are trusted"))
        {
            try KeyStore.readTrust(store.key.pem(), path: "t", form: nil, password: "")
        }
        #expect(throws: CertificateProblem("t is empty: expected a certificate in PEM or PKCS#12")) {
            try KeyStore.readTrust([], path: "t", form: .pem, password: "")
        }
    }

    @Test(.enabled(if: Tool.keytool != nil), arguments: ["PKCS12", "JKS"])
    func aTrustStoreOfJavasIsReadOrRecognised(type: String) throws {
        let store = try Store()
        for name in ["root", "leaf"] {
            let made = try #require(Tool.keytool).run(
                [
                    "-importcert", "-noprompt", "-file", name + ".pem", "-alias", name, "-keystore", "trust",
                    "-storetype", type,
                    "-storepass", "password",
                ], in: store.folder)
            try #require(made.status == 0, "\(made.output)\(made.errors)")
        }
        let bytes = try store.folder.bytes("trust")
        func read() throws(CertificateProblem) -> [UInt8] {
            try KeyStore.readTrust(bytes, path: "trust", form: nil, password: "password")
        }
        if type == "JKS" {
            #expect(throws: CertificateProblem.self) { try read() }
        } else {
            #expect(PEMBlock.all(in: try read()).count == 2)
            #expect(store.complaint(bytes).contains("found a trust store"))
        }
    }
}
