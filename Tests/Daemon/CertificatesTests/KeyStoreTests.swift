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

        func file(
            _ form: KeyStore.Form? = nil, password: String? = "password", keyPassword: String? = nil
        ) -> StoreFile {
            StoreFile(
                path: "store.x", form: form, password: password, keyPassword: keyPassword,
                passwordOption: "--keystore-password", keyPasswordOption: "--key-manager-password")
        }

        func read(
            _ bytes: [UInt8], form: KeyStore.Form? = nil, password: String? = "password", keyPassword: String? = nil
        ) throws(CertificateProblem) -> IssuedCertificate {
            try KeyStore.read(bytes, file(form, password: password, keyPassword: keyPassword))
        }

        func complaint(
            _ bytes: [UInt8], form: KeyStore.Form? = nil, password: String? = "password", keyPassword: String? = nil
        ) -> String {
            do throws(CertificateProblem) {
                _ = try read(bytes, form: form, password: password, keyPassword: keyPassword)
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

    /// Blanks, and the mark of an editor, may stand around the lines of a block; any other text is none of them.
    @Test(
        arguments: [
            ("-----BEGIN A-----\nb\n-----END A-----", ["A"]),
            (" \t-----BEGIN A----- \t\nb\n\t-----END A-----  ", ["A"]),
            ("\u{feff}-----BEGIN A-----\r\nb\r\n-----END A-----\r\n", ["A"]),
            (" \u{feff} -----BEGIN A-----\nb\n-----END A-----", ["A"]), ("-----BEGIN -----\nb\n-----END -----", [""]),
            ("-----BEGIN Ä B-----\nb\n-----END Ä B-----", ["Ä B"]), ("-----BEGIN A-----\nb\n-----END B-----", []),
            ("-----BEGIN A-----\n-----BEGIN B-----\nb\n-----END B-----", ["B"]),
            ("-----BEGIN-----\nb\n-----END-----", []), ("-----BEGIN A----\nb\n-----END A----", []),
            ("-----BEGIN ----\nb\n-----END ----", []), ("x-----BEGIN A-----\nb\n-----END A-----", []),
            ("-----BEGIN A-----x\nb\n-----END A-----", []), ("-----BEGIN A-----\u{301}\nb\n-----END A-----", []),
            ("-----BEGIN A-----\nb\n-----END A-----\n-----BEGIN B-----\nb\n-----END B-----", ["A", "B"]),
        ])
    func theBlocksOfPEMAreFound(text: String, labels: [String]) {
        #expect(PEMBlock.all(in: Array(text.utf8)).map(\.label) == labels)
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
        let words = "does not open its private key: --key-manager-password names that of the key"
        #expect(store.complaint(bytes) == "store.x: the password \(words)")
        #expect(store.complaint(bytes, password: "") == "store.x: the password \(words)")
        #expect(store.complaint(bytes, password: nil) == "store.x: the default password, `password`, \(words)")
    }

    @Test(
        .enabled(if: Tool.openssl != nil),
        arguments: [
            [], ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"], ["-legacy"],
            ["-keypbe", "NONE", "-certpbe", "NONE"], ["-nomac"],
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
        // Without a code that proves the password, OpenSSL locks the key alone, which `password` opens anyway.
        let isProven = arguments != ["-nomac"]
        #expect(
            store.complaint(bytes, password: "other", keyPassword: "another")
                == (isProven
                    ? "store.x: the password does not open it: --keystore-password names it"
                    : "store.x: the password does not open its private key: --key-manager-password names that of the key")
        )
        // WireMock's default is tried.
        #expect(try store.read(bytes, password: nil).chain == store.chain)
    }

    /// The bytes of its length may look like the version behind them.
    @Test(
        arguments: [
            [0x30, 0x07], [0x30, 0x82, 0x02, 0xC2], [0x30, 0x82, 0x0A, 0x02], [0x30, 0x83, 0x02, 0x01, 0x03],
            [0x30, 0x80],
        ] as [[UInt8]])
    func pkcs12IsToldWhateverItsLength(head: [UInt8]) {
        #expect(KeyStore.form(of: head + [0x02, 0x01, 0x03, 0x30]) == .pkcs12)
        #expect(KeyStore.form(of: head + [0x02, 0x01, 0x02, 0x30]) == nil)
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
        #expect(
            store.complaint(bytes, password: nil)
                == "store.x: the default password, `password`, does not open it: --keystore-password names another")
    }

    /// A store says itself how often its passwords are hashed: for the certificates, the key, and the code that proves the
    /// password, which would notice that the others were changed. The start would not end.
    @Test(.enabled(if: Tool.openssl != nil), arguments: [["-nomac"], []])
    func passwordsAreHashedSoOftenOnly(more: [String]) throws {
        let store = try Store()
        try #require(Tool.openssl).run(
            [
                "pkcs12", "-export", "-in", "leaf.pem", "-inkey", "key.pem", "-out", "store.p12", "-passout",
                "pass:password", "-iter", "65536",
            ] + more,
            in: store.folder)
        let bytes = try store.folder.bytes("store.p12")
        #expect(try store.read(bytes).key == store.key.pem())
        let rounds: [UInt8] = [0x02, 0x03, 0x01, 0x00, 0x00]
        let places = bytes.indices.filter { bytes[$0...].starts(with: rounds) }
        #expect(!places.isEmpty)
        for place in more.isEmpty ? places.suffix(1) : places[...] {
            var changed = bytes
            changed[place + 2] = 0x7f
            #expect(
                store.complaint(changed)
                    == "store.x: expected PKCS#12, found a file whose passwords are hashed more than 5000000 times")
        }
    }

    /// A key in PEM says so as well; `old` is in it as often as it was written, and `new` is more in all, scrypt's by its product.
    @Test(
        .enabled(if: Tool.openssl != nil),
        arguments: [
            (["-iter", "65536"], old: [0x02, 0x03, 0x01, 0x00, 0x00], new: [0x02, 0x03, 0x7f, 0xff, 0xff]),
            // One that is negative.
            (["-iter", "65536"], old: [0x02, 0x03, 0x01, 0x00, 0x00], new: [0x02, 0x03, 0xff, 0xff, 0xff]),
            // Each of two passwords that are tried counts.
            (["-iter", "65536"], old: [0x02, 0x03, 0x01, 0x00, 0x00], new: [0x02, 0x03, 0x27, 0xac, 0x40]),
            (
                ["-scrypt", "-scrypt_N", "1024", "-scrypt_r", "1", "-scrypt_p", "257"],
                old: [0x02, 0x02, 0x01, 0x01], new: [0x02, 0x02, 0x7f, 0xff]
            ),
            (
                ["-scrypt", "-scrypt_N", "512", "-scrypt_r", "257", "-scrypt_p", "1"],
                old: [0x02, 0x02, 0x01, 0x01], new: [0x02, 0x02, 0x7f, 0xff]
            ),
        ] as [([String], old: [UInt8], new: [UInt8])])
    func thePasswordOfAKeyInPEMIsHashedSoOftenOnly(arguments: [String], old: [UInt8], new: [UInt8]) throws {
        let store = try Store()
        try #require(Tool.openssl).run(
            ["pkcs8", "-topk8", "-in", "key.pem", "-out", "locked.der", "-outform", "DER", "-passout", "pass:password"]
                + arguments, in: store.folder)
        func pem(_ bytes: [UInt8]) throws -> [UInt8] {
            let text = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            let label = "ENCRYPTED PRIVATE KEY-----\n"
            return try Array("-----BEGIN \(label)\(text)\n-----END \(label)".utf8) + store.leaf.pem()
        }
        var bytes = try store.folder.bytes("locked.der")
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: old) })
        #expect(try store.read(pem(bytes)).key == store.key.pem())
        bytes.replaceSubrange(place..<place + old.count, with: new)
        #expect(
            try store.complaint(pem(bytes), password: "other")
                == "store.x: its passwords are hashed more than 5000000 times")
    }

    /// Java lets a key have a password of its own in PKCS#12, too.
    @Test func aKeyInPKCS12MayHaveAPasswordOfItsOwn() throws {
        let store = try Store()
        let bytes = JavaStores.pkcs12OfTwoPasswords
        #expect(try PEMBlock.all(in: store.read(bytes, keyPassword: "keypass").chain).count == 2)
        let words = "does not open its private key: --key-manager-password names that of the key"
        #expect(store.complaint(bytes) == "store.x: the password \(words)")
        #expect(store.complaint(bytes, keyPassword: "other") == "store.x: the password \(words)")
        #expect(store.complaint(bytes, password: nil) == "store.x: the default password, `password`, \(words)")
    }

    /// Whatever else is in a store is nobody's business: other certificates, those of one name, and other keys with theirs.
    @Test func ofAStoreOnlyTheChainOfItsKeyIsSent() throws {
        let store = try Store()
        let strangers = try (0..<3).map { try Issuer.made(named: $0 == 0 ? "Stranger" : "Intermediate") }
        let twin = try Certificate(
            .server, commonName: "shop.example", validity: 1_700_000_000..<4_000_000_000, key: strangers[0].key,
            issuer: nil)
        var bytes: [UInt8] = []
        for stranger in strangers { bytes += stranger.pem }
        bytes += try twin.pem() + store.root.pem + store.intermediate.pem + store.leaf.pem() + store.key.pem()
        bytes += try strangers[0].key.pem()
        #expect(try store.read(bytes).chain == store.chain)
        let alone = try store.read(strangers[1].pem + strangers[2].pem + strangers[2].key.pem())
        #expect(alone.chain == strangers[2].pem)
        // Both keys are there to be shown to others.
        #expect(try KeyStore.readTrust(bytes, store.file()).own.map(\.chain) == [store.chain, strangers[0].pem])
    }

    /// Of `alice`, `bob` and `carol` WireMock 3.13.2 shows carol's key to a server that names no authorities, of the first two
    /// bob's.
    @Test func keysAreInTheOrderInWhichJavaFindsThem() throws {
        let keys = try (0..<40).map { _ in try PrivateKey.onCurve() }
        func order(_ names: [String]) -> [String] {
            let sorted = StoreContents.inJavasOrder(Array(zip(names, keys)).map { (name: $0, key: $1) })
            return sorted.compactMap { key in keys.firstIndex { $0 === key }.map { names[$0] } }
        }
        #expect(order(["alice", "bob", "carol"]) == ["carol", "bob", "alice"])
        #expect(order(["alice", "bob"]) == ["bob", "alice"])
        #expect(order(["two", "one"]) == ["one", "two"])
        // As `new HashMap` of these lists them: one more, and there are more buckets.
        let twelve = (1...12).map { "key-\($0)" }
        let listed = [1, 10, 12, 11, 5, 4, 3, 2, 9, 8, 7, 6].map { "key-\($0)" }
        #expect(order(twelve) == listed)
        #expect(order(twelve + ["key-13"]) == ["key-13"] + listed)
        #expect(order(["ä€😀", "b"]) == ["b", "ä€😀"])
    }

    /// Each place of a store turned, and each length cut: whatever that means, it ends well.
    @Test func noByteOfPKCS12BreaksTheReader() throws {
        let store = try Store()
        let bytes = JavaStores.pkcs12OfTwoPasswords
        for count in 1..<bytes.count where count % 3 == 0 {
            #expect(store.complaint(Array(bytes.prefix(count))).hasPrefix("store.x"), "\(count)")
        }
        for place in stride(from: 0, to: bytes.count, by: 5) {
            var changed = bytes
            changed[place] ^= 0xff
            _ = store.complaint(changed, keyPassword: "keypass")
        }
    }

    /// It is served as WireMock does, and nobody can connect.
    @Test(.enabled(if: Tool.openssl != nil), arguments: ["DSA", "RSA"]) func aKeyOfDSAIsWarnedOf(kind: String) throws {
        let folder = try TemporaryFolder()
        let openssl = try #require(Tool.openssl)
        if kind == "DSA" { try openssl.run(["dsaparam", "-out", "kind", "1024"], in: folder) }
        let made = try openssl.run(
            ["req", "-x509", "-nodes", "-newkey", kind == "DSA" ? "dsa:kind" : "rsa:2048", "-keyout", "key.pem"]
                + ["-out", "leaf.pem", "-subj", "/CN=old.example"], in: folder)
        try #require(made.status == 0, "\(made.errors)")
        let file = StoreFile(path: "store.x", form: nil, password: nil, passwordOption: "")
        let read = try KeyStore.read(folder.bytes("key.pem") + folder.bytes("leaf.pem"), file)
        let warning = "store.x: the key of its certificate \"CN=old.example\" is of DSA, which clients refuse in TLS"
        #expect(read.warnings == (kind == "DSA" ? [warning] : []))
    }

    private func pemOfLines(_ count: Int) -> [UInt8] {
        Array(
            "-----BEGIN PRIVATE KEY-----\n\(String(repeating: "a: b\n", count: count))-----END PRIVATE KEY-----\n".utf8)
    }

    @Test func whatIsWrongIsSaid() throws {
        let store = try Store()
        let other = try PrivateKey.onCurve()
        let (leaf, key) = (try store.leaf.pem(), try store.key.pem())
        let cases: [(bytes: [UInt8], form: KeyStore.Form?, complaint: String)] = [
            ([], nil, "store.x is empty: expected a certificate in PEM, PKCS#12 or JKS"),
            (Array("hello".utf8), nil, "store.x: expected PEM, PKCS#12 or JKS, found something else"),
            (Array("hello".utf8), .pkcs12, "store.x: expected PKCS#12, found something else"),
            (leaf + key, .pkcs12, "store.x: expected PKCS#12, found PEM"),
            (
                leaf + store.root.pem, nil,
                "store.x has no private key: expected the certificate and its key in one file, found 2 × CERTIFICATE"
            ),
            (key, nil, "store.x has a private key, and no certificate: expected both"),
            // OpenSSL would look at it for minutes.
            (
                pemOfLines(100_000) + leaf, nil, "store.x: its private key cannot be read"
            ),
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
                "store.x: expected PKCS#12, found a file that only begins like one"
            ),
        ]
        for (bytes, form, complaint) in cases { #expect(store.complaint(bytes, form: form) == complaint) }
    }

    /// The key of a trust store has the store's password: no option names another.
    @Test func theOtherPasswordOfAKeyInATrustStoreIsNoneThatAnOptionNames() {
        let file = StoreFile(path: "trust.x", form: nil, password: "password", passwordOption: "--truststore-password")
        let bytes = JavaStores.pkcs12OfTwoPasswords
        #expect {
            try KeyStore.readTrust(bytes, file)
        } throws: {
            "\($0)"
                == "trust.x: the password does not open its private key: expected the store's password for the key, too; "
                + "keytool -keypasswd changes it"
        }
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

    @Test func aTrustStoreInPEMHasCertificatesAndPerhapsKeys() throws {
        let store = try Store()
        let both = store.root.pem + store.intermediate.pem
        #expect(try KeyStore.readTrust(both, store.file()) == TrustStore(authorities: both, own: []))
        let leaf = try store.leaf.pem() + store.key.pem()
        let trust = try KeyStore.readTrust(both + leaf, store.file())
        #expect(try trust.authorities == both + store.leaf.pem())
        #expect(try trust.own.map(\.chain) == [store.chain])
        let cases: [(bytes: [UInt8], form: KeyStore.Form?, complaint: String)] = [
            (
                try store.key.pem(), nil,
                "store.x has no certificate: expected those of the authorities that are trusted"
            ),
            ([], .pem, "store.x is empty: expected a certificate in PEM, PKCS#12 or JKS"),
            (
                both + (try store.key.pem()), nil,
                "store.x: the private key belongs to none of its certificates (\"CN=Root,O=Stunt Double\", "
                    + "\"CN=Intermediate,O=Stunt Double\")"
            ),
        ]
        for (bytes, form, complaint) in cases {
            #expect(throws: CertificateProblem(complaint)) { try KeyStore.readTrust(bytes, store.file(form)) }
        }
    }

    @Test(.enabled(if: Tool.keytool != nil, "there is no keytool"), arguments: ["PKCS12", "JKS", "JCEKS"])
    func aTrustStoreOfJavasIsRead(type: String) throws {
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
        for form in [nil, .jks, .pkcs12] as [KeyStore.Form?] {
            let trust = try KeyStore.readTrust(bytes, store.file(form))
            #expect(PEMBlock.all(in: trust.authorities).count == 2)
            #expect(trust.own.isEmpty)
        }
        #expect(store.complaint(bytes).contains("found a trust store"))
    }

    @Test func aFileMayBeNamedByURL() throws {
        let folder = try TemporaryFolder()
        try folder.write("my store.pem", "x")
        let path = folder.path + "/my store.pem"
        let escaped = path.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
        for name in [
            path, "file:" + path, "file:" + escaped, "file://" + escaped, "file://localhost" + escaped,
            "FILE:" + escaped,
        ] {
            let file = StoreFile(path: name, form: nil, password: nil, passwordOption: "")
            #expect(try file.read() == Array("x".utf8), "\(name)")
        }
        for (name, path) in [
            ("file:a%2", "a%2"), ("file:%41%zz", "A%zz"), ("file:", ""), ("file://host/a", "host/a"),
            ("a%20b", "a%20b"),
        ] {
            #expect(StoreFile.plainPath(name) == path)
        }
        let missing = StoreFile(path: "file:/nowhere/a.p12", form: nil, password: nil, passwordOption: "")
        #expect(throws: CertificateProblem("cannot read file:/nowhere/a.p12: No such file or directory")) {
            try missing.read()
        }
    }

    /// As by `--https-keystore <(secret read store)`: a command writes when it likes.
    @Test func aFileMayBeAPipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        // Both sides, so that neither waits for the other.
        let writer = open(path, O_RDWR)
        #expect(write(writer, "first", 5) == 5)
        let read = Events<[UInt8]?>()
        runOnThread {
            read.tell(try? StoreFile(path: path, form: nil, password: nil, passwordOption: "").read())
        }
        // Once it has been read to here there is nothing more for the time being.
        var left: Int32 = 5
        while left > 0 { #expect(ioctl(writer, UInt(FIONREAD), &left) == 0) }
        #expect(write(writer, ", last", 6) == 6)
        close(writer)
        #expect(read.next() == Array("first, last".utf8))
    }
}
