import SDHTTPTransport
import SDTestSupport
import Testing

/// Certificates that clients have to show, or may.
@Suite(.timeLimit(.minutes(30))) struct ClientCertificateTests {
    static let trust = wire(TestCertificates.clientAuthority)

    private func client(
        _ server: TestServer, _ identity: (certificate: String, key: String)?, version: Int32, resumed: TLSClient? = nil
    ) throws -> TLSClient {
        var options = TLSClient.Options()
        options.identity = identity
        options.version = version
        options.resumed = resumed
        return try TLSClient(port: server.port, options)
    }

    /// Whether a client that shows an identity is answered. In TLS 1.3 it learns only then that it is not.
    private func isAnswered(_ client: TLSClient) throws -> Bool {
        guard try client.shake() == .complete else { return false }
        try? client.send(get("/a"))
        return client.receive(1).bytes.count == 1
    }

    @Test(arguments: HandshakeTests.versions.map(\.0))
    func theyAreRequiredOrAsked(version: Int32) throws {
        let alice = (TestCertificates.alice, TestCertificates.aliceKey)
        let mallory = (TestCertificates.mallory, TestCertificates.malloryKey)
        let required = try securedServer(change: { $0.clientCertificates = .required(trust: Self.trust) })
        let asked = try securedServer(change: { $0.clientCertificates = .asked(trust: Self.trust) })
        let ignored = try securedServer()
        for server in [required, asked, ignored] {
            #expect(try isAnswered(client(server, alice, version: version)))
        }
        #expect(try !isAnswered(client(required, nil, version: version)))
        #expect(
            required.troubles.next()
                == "127.0.0.1 showed no certificate, which this port requires (port \(required.port))")
        #expect(try isAnswered(client(asked, nil, version: version)))
        for server in [required, asked] {
            #expect(try !isAnswered(client(server, mallory, version: version)))
            let text = try #require(server.troubles.next())
            #expect(text.hasPrefix("127.0.0.1 showed a certificate that is not accepted: unable to get"), "\(text)")
        }
        #expect(try isAnswered(client(ignored, mallory, version: version)))
    }

    @Test(arguments: HandshakeTests.versions.map(\.0), [false, true])
    func requestsHaveThem(version: Int32, isLarge: Bool) throws {
        let requests = Events<Request>()
        let server = try securedServer(
            change: { $0.clientCertificates = .asked(trust: Self.trust) },
            serve: { request, reply in
                requests.tell(request)
                reply.send(script(answer("a"), .end(.keepAlive)))
            })
        let body = [UInt8](repeating: 0x61, count: isLarge ? 5 << 20 : 0)
        let alice = (TestCertificates.alice, TestCertificates.aliceKey)
        let first = try client(server, alice, version: version)
        #expect(try first.shake() == .complete)
        var seen: [ClientCertificate] = []
        func ask(_ client: TLSClient) throws {
            try client.send(wire("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n") + body)
            expectWire(client.receive(answered("a").count), answered("a"), .open)
            seen.append(try #require(requests.next()?.clientCertificate))
        }
        try ask(first)
        try ask(first)
        #expect(seen[0] === seen[1])
        let resumed = try client(server, alice, version: version, resumed: first)
        #expect(try resumed.shake() == .complete)
        #expect(resumed.isResumed)
        try ask(resumed)
        for certificate in seen {
            #expect(certificate.subject == "CN=alice,O=Example" || certificate.subject == "O=Example,CN=alice")
            #expect(certificate.issuer == "CN=Test Client CA")
            #expect(certificate.serialNumber == "01AF")
            #expect(certificate.notBefore == 1_577_836_800)
            #expect(certificate.notAfter == 4_733_510_400)
            #expect(
                certificate.alternativeNames == [
                    "DNS:alice.example", "email:alice@example.org", "URI:urn:alice", "IP:10.0.0.1",
                ])
            #expect(certificate.pem == TestCertificates.alice + "\n")
            #expect(certificate.fingerprint == "8361b98b46933e4333831099af6236c5ad5b72c50f2c8d35ec7a6bf7c9e3debe")
        }
    }

    @Test func whatIsToBeTrustedHasToBePEM() throws {
        for trust in ["", "x"] {
            #expect(throws: TransportError.self) {
                try securedServer(change: { $0.clientCertificates = .required(trust: wire(trust)) })
            }
        }
    }
}
