import SDTestSupport
import Testing

@testable import SDCertificates

/// JKS and JCEKS, as Java writes them and as nobody does.
@Suite struct JavaKeyStoreTests {
    static let stores: [(name: String, bytes: [UInt8])] = [
        ("JKS", JavaStores.jks), ("JCEKS", JavaStores.jceks), ("equal halves", JavaStores.jceksOfEqualHalves),
    ]

    private func file(_ password: String? = "password", _ keyPassword: String? = "keypass") -> StoreFile {
        StoreFile(
            path: "store.x", form: nil, password: password, keyPassword: keyPassword,
            passwordOption: "--keystore-password", keyPasswordOption: "--key-manager-password")
    }

    private func complaint(_ bytes: [UInt8], _ file: StoreFile) -> String {
        do throws(CertificateProblem) {
            _ = try KeyStore.read(bytes, file)
            return ""
        } catch {
            return error.description
        }
    }

    private func subjects(_ pem: [UInt8]) -> [String] {
        PEMBlock.all(in: pem).compactMap { Certificate(pem: $0.bytes)?.subject }
    }

    @Test(arguments: stores.indices) func theChainOfTheKeyIsRead(index: Int) throws {
        let bytes = Self.stores[index].bytes
        #expect(KeyStore.form(of: bytes) == .jks)
        let read = try KeyStore.read(bytes, file())
        #expect(subjects(read.chain) == ["CN=shop.example", "CN=Test CA"])
        #expect(try #require(Certificate(pem: read.chain)).hasKey(#require(PrivateKey(pem: read.key, password: ""))))
        #expect(read.warnings.isEmpty)
    }

    @Test(arguments: stores.indices) func aWrongPasswordIsTold(index: Int) throws {
        let bytes = Self.stores[index].bytes
        #expect(
            complaint(bytes, file("other"))
                == "store.x: the password does not open it, or it is damaged: --keystore-password names it")
        #expect(
            complaint(bytes, file("other", nil))
                == "store.x: the password does not open it, or it is damaged: --keystore-password names it")
        let key =
            "store.x: the password does not open its private key \"shop\": --key-manager-password names that of the key"
        #expect(complaint(bytes, file("password", "other")) == key)
        #expect(complaint(bytes, file("password", nil)) == key)
        #expect(
            complaint(bytes, file(nil, nil))
                == "store.x: the default password, `password`, does not open its private key \"shop\": "
                + "--key-manager-password names that of the key")
    }

    /// Java's trust managers take what stands alone, and the certificates of keys, but not their chains.
    @Test func aTrustStoreHasWhatStandsAlone() throws {
        for bytes in [JavaStores.jks, JavaStores.jceks] {
            let trust = try KeyStore.readTrust(bytes, file())
            #expect(Set(subjects(trust.authorities)) == ["CN=Test CA", "CN=Other", "CN=shop.example"])
            #expect(trust.own.map { subjects($0.chain) } == [["CN=shop.example", "CN=Test CA"]])
        }
        let alone = try KeyStore.readTrust(JavaStores.jceksOfEqualHalves, file())
        #expect(subjects(alone.authorities) == ["CN=shop.example"])
    }

    /// What Java reads in our stores, it has written: the same key and chain by way of `keytool` and PKCS#12.
    @Test(
        .enabled(if: Tool.keytool != nil, "there is no keytool"), arguments: ["JKS", "JCEKS"],
        [["EC", "-groupname", "secp256r1"], ["RSA", "-keysize", "2048"]])
    func whatJavaWritesIsReadAsJavaReadsIt(type: String, key: [String]) throws {
        let folder = try TemporaryFolder()
        let keytool = try #require(Tool.keytool)
        for (alias, password) in [("one", "päßword"), ("two", "päßword")] where type == "JKS" || alias == "one" {
            let password = type == "JKS" ? password : "keypass"
            let made = try keytool.run(
                [
                    "-genkeypair", "-keystore", "store", "-storetype", type, "-storepass", "päßword", "-keypass",
                    password,
                    "-alias", alias, "-dname", "CN=\(alias)", "-keyalg",
                ] + key, in: folder)
            try #require(made.status == 0, "\(made.output)\(made.errors)")
        }
        let converted = try keytool.run(
            [
                "-importkeystore", "-srckeystore", "store", "-srcstoretype", type, "-srcstorepass", "päßword",
                "-srcalias", "one", "-srckeypass", type == "JKS" ? "päßword" : "keypass", "-destkeystore", "store.p12",
                "-deststoretype", "PKCS12", "-deststorepass", "password", "-destkeypass", "password", "-noprompt",
            ], in: folder)
        try #require(converted.status == 0, "\(converted.output)\(converted.errors)")
        let ours = try KeyStore.readTrust(
            folder.bytes("store"), file("päßword", type == "JKS" ? nil : "keypass"))
        let java = try KeyStore.read(folder.bytes("store.p12"), file("password", nil))
        #expect(ours.own.count == (type == "JKS" ? 2 : 1))
        #expect(ours.own.contains { $0.key == java.key && $0.chain == java.chain })
    }

    // MARK: - Hostile stores

    /// A digest of the bytes that fits the password.
    private func sealed(_ body: some Sequence<UInt8>) -> [UInt8] {
        let body = Array(body)
        let password = "password".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return body + OpenSSL.digest("SHA1", password + Array("Mighty Aphrodite".utf8) + body)
    }

    private func failure(_ bytes: [UInt8]) -> StoreContents.Failure? {
        do throws(StoreContents.Failure) {
            // Keys are opened by the tests above, which takes its time.
            _ = try JavaKeyStore.contents(of: bytes, password: "password", keyPasswords: [])
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: stores.indices) func aStoreThatEndsEarlyIsToldSo(index: Int) throws {
        try OpenSSL.check()
        let bytes = Self.stores[index].bytes
        for count in 0..<bytes.count {
            #expect(failure(Array(bytes.prefix(count))) != nil, "\(count)")
            let body = bytes.dropLast(20).prefix(count)
            if body.count < bytes.count - 20 { #expect(failure(sealed(body)) != nil, "\(count) sealed") }
        }
    }

    /// Each byte turned, and each number of four bytes as large as can be: whatever that means, it ends well.
    @Test(arguments: stores.indices) func noByteBreaksTheReader(index: Int) throws {
        try OpenSSL.check()
        let body = Array(Self.stores[index].bytes.dropLast(20))
        var (read, refused) = (0, 0)
        for place in 4..<body.count {
            for lie in [
                [body[place] ^ 0xff], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff],
            ] {
                var changed = body
                for (offset, byte) in lie.enumerated() where place + offset < body.count {
                    changed[place + offset] = byte
                }
                if failure(sealed(changed)) == nil { read += 1 } else { refused += 1 }
            }
        }
        // Names and times may be anything; what has a structure may not.
        #expect(read > 0 && refused > 0, "\(read) \(refused)")
    }

    /// A number, the highest byte first.
    private static func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func text(_ text: String) -> [UInt8] { number(text.utf8.count, 2) + Array(text.utf8) }

    private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x82] + number(content.count, 2) + content
    }

    private static func key(_ algorithm: [UInt8], _ parameters: [UInt8], _ locked: [UInt8]) -> [UInt8] {
        let bytes = der(0x30, der(0x30, der(0x06, algorithm) + parameters) + der(0x04, locked))
        return number(1) + text("a") + number(0, 8) + number(bytes.count) + bytes + number(0)
    }

    private static let tripleDES: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0x2a, 0x02, 0x13, 0x01]
    private static func tripleDES(salt: Int, rounds: [UInt8]) -> [UInt8] {
        key(
            tripleDES, der(0x30, der(0x04, [UInt8](repeating: 7, count: salt)) + der(0x02, rounds)),
            [UInt8](repeating: 7, count: 64))
    }

    /// A secret key whose arrays of classes lie in each other.
    private static func nested(_ depth: Int) -> [UInt8] {
        let description: [UInt8] = [0x72] + text("A") + number(0, 8) + [2] + number(1, 2) + Array("L".utf8) + text("f")
        let object = (0..<depth).reduce([UInt8]()) { whole, _ in whole + [0x73] + description + [0x70, 0x78, 0x70] }
        return number(3) + text("a") + number(0, 8) + [0xac, 0xed, 0, 5] + object + [0x70]
    }

    /// A secret key of a class with that many fields of a byte.
    private static func wide(_ count: Int) -> [UInt8] {
        let fields = (0..<count).flatMap { _ in Array("B".utf8) + text("") }
        let description = [0x72] + text("A") + number(0, 8) + [2] + number(count, 2) + fields + [0x78, 0x70]
        return number(3) + text("a") + number(0, 8) + [0xac, 0xed, 0, 5, 0x73] + description
            + [UInt8](repeating: 0, count: count)
    }

    private static let hostile: [(entries: [UInt8], count: Int, words: String)] = [
        ([], 1, "which is truncated"),
        ([], 0x7fff_ffff, "which is truncated"),
        (number(1) + text("a"), 1, "which is truncated"),
        (number(4), 1, "whose entry number 1 is of an unknown kind"),
        (
            number(2) + text("a") + number(0, 8) + text("X.509") + number(0xffff_ffff), 1,
            "which is truncated"
        ),
        (
            number(2) + text("a") + number(0, 8) + text("X.509") + number(3) + [1, 2, 3], 1,
            "whose certificate number 1 cannot be read"
        ),
        (
            number(2) + text("a") + number(0, 8) + text("PGP") + number(1) + [1, 2], 1,
            "which has data after its last entry"
        ),
        (
            number(1) + text("a") + number(0, 8) + number(2) + [1, 2] + number(0), 1,
            "whose key is in no form that is known"
        ),
        (key([1, 2, 3], [], [1]), 1, "whose key has an unknown encryption"),
        (
            tripleDES(salt: 7, rounds: [20]), 1,
            "whose key is encrypted with a salt or a number of rounds that Java does not write"
        ),
        (
            tripleDES(salt: 8, rounds: [0]), 1,
            "whose key is encrypted with a salt or a number of rounds that Java does not write"
        ),
        (
            tripleDES(salt: 8, rounds: [0x7f, 0xff, 0xff, 0xff]), 1,
            "whose key is encrypted with a salt or a number of rounds that Java does not write"
        ),
        (
            tripleDES(salt: 8, rounds: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1,
            "whose key is encrypted with a salt or a number of rounds that Java does not write"
        ),
        // Each of them is allowed, and all together are not: none of the rounds is begun that would be too many.
        (
            [UInt8]((0..<1000).map { _ in tripleDES(salt: 8, rounds: [0x4c, 0x4b, 0x40]) }.joined()), 1000,
            "whose keys ask for more rounds than 5000000"
        ),
        (nested(10_000), 1, "with a secret key in no form that is known"),
        // What is inherited is kept for each class.
        (wide(5_000), 1, "with a secret key in no form that is known"),
        (number(3) + text("a") + number(0, 8) + [1, 2, 3, 4, 5], 1, "with a secret key in no form that is known"),
    ]

    @Test(arguments: hostile.indices) func whatIsWrongIsSaid(index: Int) throws {
        try OpenSSL.check()
        let (entries, count, words) = Self.hostile[index]
        let bytes = sealed([0xce, 0xce, 0xce, 0xce] + Self.number(2) + Self.number(count) + entries)
        #expect(complaint(bytes, file("password", nil)) == "store.x: expected JKS, found a file \(words)")
    }

    @Test func anUnknownVersionIsTold() throws {
        let bytes = sealed([0xfe, 0xed, 0xfe, 0xed] + Self.number(3) + Self.number(0))
        #expect(complaint(bytes, file()) == "store.x: expected JKS, found a file of the unknown version 3")
        let empty = sealed([0xfe, 0xed, 0xfe, 0xed] + Self.number(1) + Self.number(0))
        #expect(
            complaint(empty, file())
                == "store.x has neither a private key nor a certificate: expected a key store")
    }
}
