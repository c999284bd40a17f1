import SDCReactor
import SDCTestTransports
import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// Calls over TLS: whom they trust, how they end, and what is kept of them.
@Suite struct CallSecuredTests {
    private func server(
        http2: Bool = false, clients: TLSSettings.ClientCertificates = .ignored,
        _ serve: @escaping @Sendable (Request, consuming Reply) -> Void = answerWithEcho
    ) throws -> TestServer {
        let identity = try TLSIdentity(
            chain: wire(TestCertificates.localhost), key: wire(TestCertificates.localhostKey))
        let settings = TLSSettings(offersHTTP2: http2, clientCertificates: clients) { _ in .identity(identity) }
        func listen(_ server: Server) throws -> UInt16 {
            try server.listen(address: "127.0.0.1", port: 0, tls: settings)
        }
        return try TestServer(limits: ServerLimits(), listen: listen, serve)
    }

    private func call(
        _ port: UInt16, _ trust: Trust, name: String = "localhost",
        _ change: @escaping @Sendable (inout harness_call) -> Void = { _ in }
    ) -> CallHarness.Call {
        var call = CallHarness.Call(port, "GET", change)
        call.trust = trust
        call.name = name
        return call
    }

    private static let told = "200 OK [Content-Length: 30] | <GET / HTTP/1.1 keep\n[Host]=[a]> | done"

    @Test func everyCertificateIsGoodWhereNoneIsChecked() throws {
        let server = try server()
        let trust = try Trust()
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        for name in ["localhost", "localhost", "another.example", "127.0.0.1"] {
            #expect(harness.call(call(server.port, trust, name: name)) == Self.told)
        }
        #expect(quota.open == 3 && quota.idle == 3)
        // The same in the clear, or for another trust, is another connection.
        #expect(try harness.call(call(server.port, Trust())) == Self.told)
        #expect(quota.idle == 4)
    }

    @Test func certificatesAreCheckedWhereThatIsAskedFor() throws {
        let server = try server()
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", TestCertificates.authority)
        try folder.write("other.pem", TestCertificates.clientAuthority)
        let good = try Trust(checks: true, authorities: folder.path + "/ca.pem")
        let bad = try Trust(checks: true, authorities: folder.path + "/other.pem")
        let harness = CallHarness()
        #expect(harness.call(call(server.port, good)) == Self.told)
        #expect(
            harness.call(call(server.port, good, name: "a.localhost"))
                == "failed: server: SSL: no alternative certificate subject name matches target host name 'a.localhost'"
        )
        #expect(harness.call(call(server.port, bad)).hasPrefix("failed: server: SSL certificate problem: "))
        let none = try Trust(checks: true)
        #expect(harness.call(call(server.port, none)).hasPrefix("failed: server: SSL certificate problem: "))
        #expect(throws: (any Error).self) { try Trust(checks: true, authorities: folder.path + "/missing.pem") }
    }

    @Test func plainServersDoNotSpeakTLS() throws {
        let server = try RawServer { client, _ in
            try client.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            _ = client.receiveAll()
        }
        let trust = try Trust()
        let told = CallHarness().call(call(server.port, trust))
        #expect(told == "failed: server: the server answers in the clear, and is called by http://")
        let closing = try RawServer { client, _ in _ = client.receive(1) }
        let text = CallHarness().call(call(closing.port, trust))
        #expect(text.hasPrefix("failed: server: the server "), "\(text)")
        let silent = try RawServer { client, _ in _ = client.receiveAll() }
        let late = CallHarness().call(call(silent.port, trust) { $0.connect_ms = 100 })
        #expect(late == "failed: server accepted a connection and did not end the TLS handshake in time")
    }

    /// A body that goes on to the end of the connection is whole only if that end was said in TLS.
    @Test(arguments: [false, true]) func anEndWithoutCloseNotifyIsNone(isCut: Bool) throws {
        let server = try server { _, reply in
            reply.send(
                WireScript([
                    .raw(WireBytes(wire("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"))),
                    isCut ? .abort(.cut) : .abort(.fin),
                ]))
        }
        let told = "200 OK [Connection: close] | <abc> | "
        let ended =
            "failed: server closed the connection before the end of its answer: it ended TLS without close_notify"
        #expect(try CallHarness().call(call(server.port, Trust())) == told + (isCut ? ended : "done"))
    }

    /// With a length, the end is known.
    @Test func aLengthNeedsNoCloseNotify() throws {
        let server = try server { _, reply in
            reply.send(
                WireScript([
                    .raw(WireBytes(wire("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))), .abort(.cut),
                ]))
        }
        #expect(try CallHarness().call(call(server.port, Trust())) == "200 OK [Content-Length: 3] | <abc> | done")
    }

    /// What lies decrypted behind an answer, in the same record, is never an answer to another request.
    @Test func whatLiesInsideOfTLSIsSeen() throws {
        let server = try server { _, reply in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
            reply.send(
                WireScript([
                    .raw(WireBytes(wire(answer + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"))),
                    .end(.keepAlive),
                ]))
        }
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        let trust = try Trust()
        for _ in 0..<5 {
            #expect(harness.call(call(server.port, trust)) == "200 OK [Content-Length: 1] | <a> | done")
            #expect(quota.idle == 0)
        }
    }

    /// Large bodies both ways, with few bytes at a time in the sockets.
    @Test func largeBodiesGoBothWays() throws {
        let size = 3_000_000
        let server = try server { request, reply in
            let body = request.body.count == 60_000 ? [UInt8](repeating: 0x62, count: size) : []
            reply.send(WireScript([.raw(WireBytes(plainAnswer(body))), .end(.keepAlive)]))
        }
        let trust = try Trust()
        var large = call(server.port, trust)
        large.head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
        large.body = [UInt8](repeating: 0x61, count: 60_000)
        let harness = CallHarness()
        for _ in 0..<3 {
            #expect(harness.call(large) == "200 OK [Content-Length: \(size)] | <\(size) bytes> | done")
        }
        let paused = harness.start(
            call(server.port, trust) { raw in
                raw.pauses = true
            })
        #expect(paused.whole().hasSuffix("| done"))
    }

    /// A server that asks for a certificate is shown one that suits it, or none.
    @Test func certificatesAreShown() throws {
        let server = try server(clients: .required(trust: wire(TestCertificates.clientAuthority)))
        let (harness, asks) = (CallHarness(), try self.server())
        let alice = try Trust(shown: (TestCertificates.alice, TestCertificates.aliceKey))
        let shown = harness.start(call(server.port, alice))
        #expect(shown.whole() == Self.told && shown.shown == CR_CERT_PRESENTED)
        let notAsked = harness.start(call(asks.port, alice))
        #expect(notAsked.whole() == Self.told && notAsked.shown == CR_CERT_NOT_REQUESTED)
        // One of another authority is not shown, and without one the server ends what it has begun.
        for trust in [try Trust(), try Trust(shown: (TestCertificates.mallory, TestCertificates.malloryKey))] {
            let refused = harness.start(call(server.port, trust))
            #expect(refused.whole().hasPrefix("failed: server "), "\(refused.text)")
            #expect(refused.shown == CR_CERT_NONE)
        }
    }

    /// A session is resumed by the next connection to the same server.
    @Test func sessionsAreResumed() throws {
        let server = try server()
        let trust = try Trust()
        let harness = CallHarness()
        for number in 0..<3 {
            let made = harness.start(call(server.port, trust) { $0.closes = true })
            #expect(made.whole() == Self.told)
            #expect(made.wasResumed == (number > 0))
        }
    }

    /// A server whose ALPN knows nothing but HTTP/2 says so.
    @Test func http2IsNotSpoken() throws {
        let server = try server(http2: true)
        #expect(try CallHarness().call(call(server.port, Trust())) == Self.told)
    }
}
