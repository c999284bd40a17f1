import SDJSON
import SDTestSupport
import Testing

/// Certificates of clients, and of the server, from files.
@Suite(
    .enabled(if: SecuredDaemon.curl != nil && SecuredDaemon.openssl != nil, "curl or openssl is not here"))
struct ClientCertificateTests {
    private static let files = [
        "a.yaml": """
        GET /who:
          - when: { clientCertificate: { subject: { contains: CN=alice }, alternativeNames: [DNS:alice.example] } }
            template: true
            body: >-
              {{request.clientCertificate}} {{request.clientCertificate.issuer}} {{request.clientCertificate.serialNumber}}
              {{request.clientCertificate.alternativeNames.[1]}}
          - when: { clientCertificate: { subject: { absent: true } } }
            body: nobody
        """
    ]
    private static let shown = ["--cert", "alice.pem", "--key", "alice.key"]

    private static func start(_ more: [String] = []) throws -> SecuredDaemon {
        let scratch = try TemporaryFolder()
        try SecuredDaemon.makeClient(in: scratch)
        return try SecuredDaemon(
            files: files, ["--https-port", "0", "--https-truststore", "@clients.pem"] + more, in: scratch)
    }

    private func curl(_ secured: SecuredDaemon, _ more: [String], _ path: String) throws -> SecuredDaemon.Outcome {
        try SecuredDaemon.run(
            #require(SecuredDaemon.curl), ["-sS", "--cacert", "trusted.pem"] + more + ["\(try secured.https)\(path)"],
            in: secured.scratch)
    }

    @Test func aCertificateIsMatchedShownAndLogged() throws {
        let secured = try Self.start()
        let known = try curl(secured, Self.shown, "/who")
        #expect(known.output == "CN=alice,O=Example CN=Test CA,O=Test 01AF email:alice@example.org", "\(known.errors)")
        #expect(try curl(secured, [], "/who").output == "nobody")
        let events = try #require(
            try secured.daemon.admin("GET", "/requests?details=true").json?["requests"]?.arrayValue)
        #expect(events.map { $0["clientCertificate"]?["subject"]?.stringValue } == [nil, "CN=alice,O=Example"])
        let certificate = events.last?["clientCertificate"]
        #expect(certificate?["alternativeNames"] == ["DNS:alice.example", "email:alice@example.org"])
        #expect(certificate?["fingerprint"]?.stringValue?.count == 64)
        #expect(certificate?["notAfter"]?.stringValue?.hasSuffix("Z") == true)
        #expect(certificate?["pem"]?.stringValue?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
        // WireMock's own answer has its members only.
        let plain = try secured.daemon.admin("GET", "/requests").json?["requests"]?.arrayValue?.last
        #expect(plain?["clientCertificate"] == nil)
        let count = try secured.daemon.admin(
            "POST", "/requests/count",
            #"{"clientCertificate": {"issuer": {"contains": "Test CA"}, "notAfter": {"after": "now"}}}"#)
        #expect(count.json?["count"]?.intValue == 1)
    }

    /// A report says what the stub expected, and what the certificate says.
    @Test func aNearMissTellsTheCertificate() throws {
        let secured = try Self.start()
        try secured.daemon.admin("DELETE", "/mappings")
        try secured.daemon.admin(
            "POST", "/mappings",
            #"{"request": {"url": "/who", "clientCertificate": {"subject": {"contains": "CN=bob"}}}, "response": {}}"#)
        let report = try curl(secured, Self.shown, "/who").output
        #expect(report.contains("Client certificate: subject [contains] CN=bob"), "\(report)")
        #expect(report.contains("CN=alice,O=Example"), "\(report)")
        #expect(report.contains("Client certificate does not match"), "\(report)")
        #expect(try curl(secured, [], "/who").output.contains("Client certificate is not present"))
    }

    @Test func withoutACertificateAClientMayBeRefused() throws {
        let secured = try Self.start(["--https-require-client-cert"])
        #expect(try curl(secured, Self.shown, "/who").output.hasPrefix("CN=alice"))
        #expect(try curl(secured, [], "/who").status != 0)
        #expect(try curl(secured, ["--cert", "mallory.pem", "--key", "mallory.key"], "/who").status != 0)
        // Plain HTTP shows none.
        #expect(try secured.daemon.get("/who").text == "nobody")
    }

    @Test func aKeyStoreIsServed() throws {
        let scratch = try TemporaryFolder()
        try SecuredDaemon.makeClient(in: scratch)
        let pem = try scratch.read("alice.pem") + scratch.read("alice.key")
        try scratch.write("server.pem", pem)
        let pack = ["pkcs12", "-export", "-in", "server.pem", "-passout", "pass:s3cret", "-out", "server.p12"]
        let packed = try SecuredDaemon.run(#require(SecuredDaemon.openssl), pack, in: scratch)
        try #require(packed.status == 0, "\(packed.errors)")
        for store in [["@server.pem"], ["@server.p12", "--keystore-type", "PKCS12", "--keystore-password", "s3cret"]] {
            let secured = try SecuredDaemon(
                files: Self.files, ["--https-port", "0", "--https-keystore"] + store, in: scratch)
            #expect(try secured.daemon.get("/__admin/certs/wiremock-ca.crt").status == 404)
            let port = try secured.httpsPort
            let outcome = try SecuredDaemon.run(
                #require(SecuredDaemon.curl),
                [
                    "-sS", "--cacert", "clients.pem", "--resolve", "alice.example:\(port):127.0.0.1",
                    "https://alice.example:\(port)/who",
                ], in: scratch)
            #expect(outcome.output == "nobody", "\(outcome.errors)")
        }
    }

    @Test func aKeyStoreThatCannotBeReadEndsTheStart() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("none.pem", "nothing\n")
        try scratch.write("mocks/a.yaml", "GET /a: {}")
        for (path, words) in [("none.pem", "none.pem"), ("missing.pem", "missing.pem")] {
            let process = try ChildProcess(
                Daemon.binary,
                [
                    scratch.path + "/mocks", "--port", "0", "--https-port", "0", "--https-keystore",
                    "\(scratch.path)/\(path)",
                    "--keep-going",
                ], outputsIn: scratch)
            #expect(process.wait() == .exited(1))
            #expect(process.errors.contains("cannot serve HTTPS"), "\(process.errors)")
            #expect(process.errors.contains(words), "\(process.errors)")
        }
    }
}
