import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Servers that ask for a client certificate get the one in `--https-truststore`. What is shown is seen from their side.
@Suite(
    .enabled(
        if: SecuredDaemon.openssl != nil && CertificateTarget.python != nil && SecuredDaemon.curl != nil,
        "openssl, python3 or curl is not here"))
struct TargetCertificateTests {
    /// A folder with an authority (`clients.pem`) of `alice`, an intermediate one of it (`middle.pem`) of `ann`, another
    /// authority (`others.pem`) of `bob`, and a server (`target.pem`).
    private static func files() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try SecuredDaemon.makeClient(in: folder)
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try folder.write("authority", "basicConstraints=critical,CA:TRUE\n")
        try folder.write("localhost", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        func ask(_ name: String) -> [String] {
            ["req", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr"] + key
        }
        func issue(_ name: String, _ issuer: String, _ issuerKey: String, _ more: [String] = []) -> [String] {
            [
                "x509", "-req", "-in", "\(name).csr", "-CA", issuer, "-CAkey", issuerKey, "-days", "2", "-out",
                "\(name).pem", "-set_serial", "7",
            ] + more
        }
        let calls = [
            ["req", "-x509", "-days", "2", "-subj", "/CN=Others", "-keyout", "others.key", "-out", "others.pem"] + key,
            ask("middle"), issue("middle", "clients.pem", "ca.key", ["-extfile", "authority"]),
            ask("ann"), issue("ann", "middle.pem", "middle.key"), ask("bob"), issue("bob", "others.pem", "others.key"),
            ask("target"), issue("target", "others.pem", "others.key", ["-extfile", "localhost"]),
        ]
        for call in calls { try openssl(call, folder) }
        try pack("ann", with: "middle.pem", "clients.pem", "others.pem", in: folder)
        return folder
    }

    private static func openssl(_ arguments: [String], _ folder: TemporaryFolder) throws {
        let outcome = try SecuredDaemon.run(#require(SecuredDaemon.openssl), arguments, in: folder)
        try #require(outcome.status == 0, "\(arguments)\n\(outcome.errors)")
    }

    /// Makes `NAME.p12` of a certificate and key, with others beside them.
    private static func pack(
        _ name: String, with others: String..., password: String = "password", in folder: TemporaryFolder
    ) throws {
        try folder.write("beside", others.map { try folder.read($0) }.joined())
        try openssl(
            [
                "pkcs12", "-export", "-in", "\(name).pem", "-inkey", "\(name).key", "-certfile", "beside", "-out",
                "\(name).p12", "-passout", "pass:\(password)",
            ], folder)
    }

    private static let stub = #"{"request": {}, "response": {"proxyBaseUrl": "https://localhost:%d"}}"#

    private static func daemon(_ target: Int, _ arguments: [String], in folder: TemporaryFolder) throws -> Daemon {
        let arguments = arguments.map { $0.hasPrefix("@") ? "\(folder.path)/\($0.dropFirst())" : $0 }
        let stub = stub.replacingOccurrences(of: "%d", with: String(target))
        return try Daemon(files: ["a.json": stub], ["--state-dir", folder.path + "/state"] + arguments)
    }

    // MARK: What is shown

    @Test(arguments: ["TLSv1_2", "TLSv1_3"], [true, false])
    func aServerThatAsksSeesTheChainOfTheKey(version: String, requires: Bool) throws {
        let folder = try Self.files()
        let target = try CertificateTarget(in: folder, version: version, requires: requires)
        let daemon = try Self.daemon(
            target.port, ["--https-truststore", "@ann.p12", "--truststore-password", "password"], in: folder)
        // The second call has a connection of its own.
        for number in 1...2 {
            let answer = try daemon.request("POST", "/x", body: "a")
            #expect(answer.status == 200 && answer.text == "hi", "\(answer.text)")
            let expected = try CertificateTarget.certificates("ann.pem", "middle.pem", "clients.pem", in: folder)
            // A session that is resumed has shown its chain before.
            if number == 1 { #expect(target.chain(number: number) == expected) }
        }
    }

    /// Every form of store, and a `file:` URL, does the same; PEM in any order.
    @Test func theFormOfTheStoreDoesNotMatter() throws {
        let folder = try Self.files()
        let target = try CertificateTarget(in: folder)
        try folder.write(
            "ann-all.pem", ["others.pem", "middle.pem", "ann.key", "ann.pem"].map { try folder.read($0) }.joined())
        try Self.pack("ann", with: "middle.pem", password: "", in: folder)
        try Self.openssl(["ec", "-aes128", "-in", "ann.key", "-out", "locked.key", "-passout", "pass:sesame"], folder)
        try folder.write("locked.pem", ["locked.key", "ann.pem", "middle.pem"].map { try folder.read($0) }.joined())
        var stores = [
            ["@ann-all.pem"], ["@ann.p12", "--truststore-password", ""],
            ["@locked.pem", "--truststore-password=sesame"],
            ["file:\(folder.path)/ann-all.pem"],
        ]
        if let keytool = ["/usr/bin/keytool"].first(where: FileManager.default.isExecutableFile) {
            try Self.pack("ann", with: "middle.pem", in: folder)
            for type in ["JKS", "JCEKS"] {
                let made = try SecuredDaemon.run(
                    keytool,
                    [
                        "-importkeystore", "-srckeystore", "ann.p12", "-srcstoretype", "PKCS12", "-srcstorepass",
                        "password",
                        "-destkeystore", "ann.\(type)", "-deststoretype", type, "-deststorepass", "password",
                        "-noprompt",
                    ], in: folder)
                try #require(made.status == 0, "\(made.output)\(made.errors)")
                stores += [["@ann.\(type)"], ["@ann.\(type)", "--truststore-type", type]]
            }
            try Self.pack("ann", with: "middle.pem", password: "", in: folder)
        }
        let expected = try CertificateTarget.certificates("ann.pem", "middle.pem", in: folder)
        for (index, store) in stores.enumerated() {
            let daemon = try Self.daemon(target.port, ["--https-truststore"] + store, in: folder)
            #expect(try daemon.get("/x").text == "hi", "\(store)")
            #expect(target.chain(number: index + 1) == expected, "\(store)")
        }
    }

    /// A server that names its authorities sees the key that is of them, and nothing if none is, as with WireMock.
    @Test(arguments: [
        ("clients.pem", "CN=alice,O=Example"), ("others.pem", "CN=bob"), ("mallory.pem", nil),
    ])
    func ofSeveralKeysTheServersAuthoritiesChoose(trusted: String, subject: String?) throws {
        let folder = try Self.files()
        try folder.write(
            "two.pem", ["bob.pem", "bob.key", "alice.pem", "alice.key"].map { try folder.read($0) }.joined())
        let target = try SecuredDaemon(
            files: ["a.yaml": "GET /x: { body: hi }"], ["--https-port", "0", "--https-truststore", "@\(trusted)"],
            in: folder)
        let daemon = try Self.daemon(target.httpsPort, ["--https-truststore", "@two.pem"], in: folder)
        #expect(try daemon.get("/x").text == "hi")
        let event = try target.daemon.admin("GET", "/requests?details=true").json?["requests"]?[0]
        #expect(event?["clientCertificate"]?["subject"]?.stringValue == subject)
    }

    @Test func recordShowsItToo() throws {
        let folder = try Self.files()
        let target = try CertificateTarget(in: folder)
        func recorder(_ store: String) throws -> ChildRecorder {
            try ChildRecorder(
                [
                    "--target", "https://localhost:\(target.port)", "--to", folder.path + "/mocks",
                    "--https-truststore", "\(folder.path)/\(store)", "--truststore-password", "password",
                ], in: folder)
        }
        let running = try recorder("ann.p12")
        #expect(try running.get("/x").text == "hi")
        #expect(running.end() == .exited(0), "\(running.process.errors)")
        let expected = try CertificateTarget.certificates("ann.pem", "middle.pem", "clients.pem", in: folder)
        #expect(target.chain(number: 1) == expected)
        let refused = try ChildProcess(
            Daemon.binary,
            [
                "record", "--target", "https://localhost:\(target.port)", "--to", folder.path + "/mocks", "--port", "0",
                "--https-truststore", folder.path + "/ann.p12", "--truststore-password", "another",
            ], outputsIn: folder)
        #expect(refused.wait() == .exited(1))
        #expect(refused.errors.contains("cannot show a client certificate to other servers"), "\(refused.errors)")
        #expect(!refused.errors.contains("another"), "\(refused.errors)")
    }

    @Test func webhooksAndTheForwardProxyShowItToo() throws {
        let folder = try Self.files()
        let target = try CertificateTarget(in: folder)
        let hook = """
            {"request": {"url": "/hook"}, "response": {}, "serveEventListeners": [{"name": "webhook",
            "parameters": {"method": "GET", "url": "https://localhost:\(target.port)/"}}]}
            """
        let arguments = ["--https-truststore", "\(folder.path)/ann.p12"]
        let daemon = try Daemon(
            files: ["a.json": hook], ["--state-dir", folder.path + "/state", "--enable-browser-proxying"] + arguments)
        let expected = try CertificateTarget.certificates("ann.pem", "middle.pem", "clients.pem", in: folder)
        #expect(try daemon.get("/hook").status == 200)
        #expect(target.chain() == expected)
        // Of the target's authority, which only the trust store knows.
        let outcome = try SecuredDaemon.run(
            #require(SecuredDaemon.curl),
            ["-sk", "--max-time", "30", "-x", "http://127.0.0.1:\(daemon.port)", "https://localhost:\(target.port)/x"],
            in: folder)
        #expect(outcome.output == "hi", "\(outcome.output)\(outcome.errors)")
        #expect(target.chain(number: 2) == expected)
    }

    /// A proxy for clients trusts what the system trusts, and the trust store.
    @Test(arguments: [
        ("others.pem", [], true), ("clients.pem", [], false), ("clients.pem", ["--trust-all-proxy-targets"], true),
        ("clients.pem", ["--trust-proxy-target", "localhost"], true), (nil, [], false),
    ])
    func aForwardProxyTrustsTheTrustStore(store: String?, more: [String], isTrusted: Bool) throws {
        let folder = try Self.files()
        let target = try CertificateTarget(in: folder, requires: false)
        let options = store.map { ["--https-truststore", "\(folder.path)/\($0)"] } ?? []
        let daemon = try Daemon(
            files: ["a.yaml": "GET /none: {}"],
            ["--state-dir", folder.path + "/state", "--enable-browser-proxying"] + options + more)
        let outcome = try SecuredDaemon.run(
            #require(SecuredDaemon.curl),
            ["-sk", "--max-time", "30", "-x", "http://127.0.0.1:\(daemon.port)", "https://localhost:\(target.port)/x"],
            in: folder)
        #expect(isTrusted ? outcome.output == "hi" : outcome.output.hasPrefix("SSL failure"), "\(outcome.output)")
    }

    // MARK: What is told

    @Test(arguments: ["TLSv1_2", "TLSv1_3"]) func aServerThatWantedOneIsTold(version: String) throws {
        let folder = try Self.files()
        let target = try CertificateTarget(in: folder, version: version)
        let none = try Self.daemon(target.port, [], in: folder).get("/x")
        #expect(none.status == 500)
        #expect(
            none.text.hasSuffix("it asks for a client certificate: --https-truststore names the store with its key"),
            "\(none.text)")
        try folder.write("bob-all.pem", try folder.read("bob.pem") + folder.read("bob.key"))
        let wrong = try Self.daemon(target.port, ["--https-truststore", "@bob-all.pem"], in: folder).get("/x")
        #expect(wrong.status == 500)
        #expect(
            wrong.text.hasSuffix("it has seen the client certificate of --https-truststore"), "\(wrong.text)")
    }

    /// What is wrong with a store is told at the start, all at once, and without its password.
    @Test func aWrongStoreEndsTheStart() throws {
        let folder = try Self.files()
        try Self.pack("ann", with: "middle.pem", password: "s3cret-of-ann", in: folder)
        try folder.write("stray.pem", try folder.read("ann.pem") + folder.read("bob.key"))
        try Self.openssl(["ec", "-aes128", "-in", "ann.key", "-out", "locked.key", "-passout", "pass:sesame"], folder)
        try folder.write("locked.pem", try folder.read("locked.key") + folder.read("ann.pem"))
        try Self.openssl(
            [
                "req", "-x509", "-days", "2", "-subj", "/CN=weak", "-newkey", "rsa:1024", "-nodes", "-keyout",
                "weak.key",
                "-out", "weak.pem",
            ], folder)
        try folder.write("weak-all.pem", try folder.read("weak.pem") + folder.read("weak.key"))
        try folder.write("mocks/a.yaml", "GET /a: {}")
        let path = folder.path
        let shown = "cannot show a client certificate to other servers: \(path)"
        let cases: [(arguments: [String], words: [String])] = [
            (
                ["--https-truststore", "ann.p12"],
                [
                    "\(shown)/ann.p12: the default password, `password`, does not open it: --truststore-password names another"
                ]
            ),
            (
                ["--https-truststore", "ann.p12", "--truststore-password", "s3cret-wrong"],
                ["\(shown)/ann.p12: the password does not open it: --truststore-password names it"]
            ),
            (
                ["--https-truststore", "stray.pem"],
                ["\(shown)/stray.pem: the private key belongs to none of its certificates (\"CN=ann\")"]
            ),
            (
                ["--https-truststore", "locked.pem", "--truststore-password", "s3cret-wrong"],
                [
                    "\(shown)/locked.pem: the password does not open its private key: --truststore-password names that of the key"
                ]
            ),
            (["--https-truststore", "weak-all.pem"], ["\(shown)/weak-all.pem: ee key too small"]),
            (["--https-truststore", "missing.p12"], ["cannot read \(path)/missing.p12: No such file or directory"]),
            (
                [
                    "--https-port", "0", "--https-keystore", "ann.p12", "--https-truststore", "ann.p12",
                    "--truststore-password", "s3cret-wrong",
                ],
                [
                    "ann.p12: the default password, `password`, does not open it: --keystore-password names another",
                    "ann.p12: the password does not open it: --truststore-password names it",
                ]
            ),
            (
                ["--forward-proxy", "--ca-keystore", "ann.p12", "--https-truststore", "stray.pem"],
                [
                    "ann.p12: the default password, `password`, does not open it: --ca-keystore-password names another",
                    "stray.pem: the private key belongs to none of its certificates",
                ]
            ),
        ]
        for format in ["text", "json"] {
            for (arguments, words) in cases {
                let arguments = arguments.map { $0.contains(".p") ? "\(path)/\($0)" : $0 }
                let process = try ChildProcess(
                    Daemon.binary,
                    ["\(path)/mocks", "--port", "0", "--state-dir", path + "/state", "--log-format", format]
                        + arguments,
                    outputsIn: folder)
                #expect(process.wait() == .exited(1), "\(arguments)")
                let errors = process.errors.replacingOccurrences(of: "\\/", with: "/").replacingOccurrences(
                    of: "\\\"", with: "\"")
                for text in words { #expect(errors.contains(text), "\(text)\n\(errors)") }
                #expect(!(process.errors + process.output).contains("s3cret"), "\(process.errors)")
            }
        }
    }

    @Test func anExpiredCertificateAndAStoreWithoutEffectAreWarnedOf() throws {
        let folder = try Self.files()
        let none = try Self.daemon(1, ["--https-truststore", "@clients.pem"], in: folder)
        #expect(
            none.says(
                "--https-truststore has no effect: it has no key that could be shown to other servers"),
            "\(none.process.errors)")
        try Self.openssl(
            [
                "x509", "-req", "-in", "bob.csr", "-CA", "others.pem", "-CAkey", "others.key", "-days", "-1", "-out",
                "old.pem", "-set_serial", "9",
            ], folder)
        try folder.write("old-all.pem", try folder.read("old.pem") + folder.read("bob.key"))
        let old = try Self.daemon(1, ["--https-truststore", "@old-all.pem"], in: folder)
        #expect(old.says(#"its certificate \"CN=bob\" was valid until"#), "\(old.process.errors)")
    }
}
