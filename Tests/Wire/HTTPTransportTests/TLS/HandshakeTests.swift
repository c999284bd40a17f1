import SDHTTPTransport
import SDTestSupport
import Synchronization
import Testing

/// Hands are shaken in TLS 1.2 and 1.3, with what the client asks for.
@Suite(.timeLimit(.minutes(30))) struct HandshakeTests {
    static let versions: [(Int32, String)] = [(0x0303, "TLSv1.2"), (0x0304, "TLSv1.3")]

    private func exchange(_ client: TLSClient, _ path: String = "/a") throws {
        try client.send(get(path))
        let expected = echoOfGet(path)
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test(arguments: versions)
    func requestsAreAnswered(version: Int32, name: String) throws {
        let requests = Events<Request>()
        let server = try securedServer { request, reply in
            requests.tell(request)
            answerWithEcho(request, reply)
        }
        let client = try TLSClient.connected(to: server.port) {
            $0.version = version
            $0.trust = TestCertificates.authority
        }
        #expect(client.version == name)
        for number in 1...20 { try exchange(client, "/\(number)") }
        let request = try #require(requests.next())
        #expect(request.isSecure)
        #expect(request.origin.security == .secured)
        #expect(request.clientCertificate == nil)
        try client.finishSending()
        #expect(client.receiveAll().ending == .fin)
        #expect(client.sawFarewell)
    }

    /// RFC 9113 forbids most ciphers of TLS 1.2 (appendix A): HTTP/1.1 is spoken with them.
    @Test(arguments: [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", "h2"), ("ECDHE-ECDSA-CHACHA20-POLY1305", "h2"),
        ("ECDHE-ECDSA-AES128-SHA", "http/1.1"), ("ECDHE-ECDSA-AES256-SHA384", "http/1.1"),
    ])
    func http2IsSpokenWithStrongCiphersOnly(cipher: String, chosen: String) throws {
        let server = try securedServer(change: { $0.offersHTTP2 = true })
        let client = try TLSClient.connected(to: server.port) {
            ($0.version, $0.ciphers) = (0x0303, cipher)
            $0.protocols = ["h2", "http/1.1"]
        }
        #expect(client.chosenProtocol == chosen)
        if chosen == "http/1.1" { try exchange(client) }
        var options = TLSClient.Options()
        (options.version, options.ciphers, options.protocols) = (0x0303, cipher, ["h2"])
        let other = try TLSClient(port: server.port, options)
        #expect(try other.shake() == (chosen == "h2" ? .complete : .failed))
    }

    @Test(arguments: versions)
    func sessionsAreResumed(version: Int32, name: String) throws {
        let asked = Atomic(0)
        let identity = try TLSIdentity.localhost()
        let server = try securedServer(
            workers: 2,
            onClientHello: { _ in
                asked.add(1, ordering: .relaxed)
                return .identity(identity)
            })
        var last = try TLSClient.connected(to: server.port) { $0.version = version }
        #expect(!last.isResumed)
        try exchange(last)
        for number in 1...8 {
            let next = try TLSClient.connected(to: server.port) {
                $0.version = version
                $0.resumed = last
            }
            #expect(next.isResumed, "\(number) \(next.version)")
            try exchange(next)
            last = next
        }
        #expect(asked.load(ordering: .relaxed) == 9)
    }

    /// A certificate that is to be seen is seen: no session that began with another one stands in its way.
    @Test(arguments: versions)
    func sessionsOfAnotherCertificateAreNot(version: Int32, name: String) throws {
        let showsOther = Atomic(false)
        let (localhost, other) = (try TLSIdentity.localhost(), try TLSIdentity.other())
        let server = try securedServer(onClientHello: { _ in
            .identity(showsOther.load(ordering: .relaxed) ? other : localhost)
        })
        let first = try TLSClient.connected(to: server.port) { $0.version = version }
        try exchange(first)
        #expect(first.certificateName == "localhost")
        showsOther.store(true, ordering: .relaxed)
        let second = try TLSClient.connected(to: server.port) {
            $0.version = version
            $0.resumed = first
        }
        #expect(!second.isResumed)
        #expect(second.certificateName == "other.example")
        try exchange(second)
    }

    @Test func theNameDecidesTheCertificate() throws {
        let hellos = Events<ClientHello>()
        let (localhost, other) = (try TLSIdentity.localhost(), try TLSIdentity.other())
        let server = try securedServer(onClientHello: { hello in
            hellos.tell(hello)
            return .identity(hello.serverName == "other.example" ? other : localhost)
        })
        let cases: [(String?, String?, String)] = [
            ("localhost", "localhost", "localhost"), ("Other.EXAMPLE", "other.example", "other.example"),
            (nil, nil, "localhost"),
        ]
        for (asked, told, shown) in cases {
            let client = try TLSClient.connected(to: server.port) { $0.serverName = asked }
            #expect(client.certificateName == shown)
            let hello = try #require(hellos.next())
            #expect(hello.serverName == told)
            #expect(hello.origin.port == server.port)
        }
    }

    @Test(
        arguments: [
            ([], nil), (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"), (["x", "http/1.0"], "http/1.0"),
            (["h2"], "refused"), (["http/1"], "refused"),
        ] as [([String], String?)])
    func theProtocolIsChosen(offered: [String], chosen: String?) throws {
        let server = try securedServer()
        var options = TLSClient.Options()
        options.protocols = offered
        let client = try TLSClient(port: server.port, options)
        guard chosen != "refused" else {
            #expect(try client.shake() == .failed)
            #expect(client.problem == "tlsv1 alert no application protocol")
            #expect(
                server.troubles.next()
                    == "127.0.0.1 offers by ALPN only protocols that are not served (port \(server.port))")
            return
        }
        #expect(try client.shake() == .complete)
        #expect(client.chosenProtocol == chosen)
        try exchange(client)
    }

    @Test(arguments: versions)
    func aClientMayChooseHTTP2(version: Int32, name: String) throws {
        let server = try securedServer(change: { $0.offersHTTP2 = true })
        let client = try TLSClient.connected(to: server.port) {
            $0.version = version
            $0.protocols = ["http/1.1", "h2"]
        }
        #expect(client.chosenProtocol == "h2")
        try client.send(wire("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + [0, 0, 0, 4, 0, 0, 0, 0, 0])
        // The head of a frame: a length, SETTINGS, no flags, on no stream.
        #expect(Array(client.receive(9).bytes.dropFirst(3)) == [4, 0, 0, 0, 0, 0])
        #expect(try TLSClient.connected(to: server.port) { $0.protocols = ["http/1.1"] }.chosenProtocol == "http/1.1")
    }

    @Test func aHelloMayComeByteByByte() throws {
        let server = try securedServer()
        let client = try TLSClient.connected(to: server.port) { $0.portion = 1 }
        try exchange(client)
        for byte in try client.encrypted(wire(get("/b"))) { try client.raw.send([byte]) }
        let expected = echoOfGet("/b")
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test func aRequestMayComeWithTheEndOfTheHandshake() throws {
        let server = try securedServer()
        for _ in 1...20 {
            let client = try TLSClient.connected(to: server.port)
            try exchange(client)
        }
    }

    @Test func oldVersionsAreRefused() throws {
        let server = try securedServer()
        var options = TLSClient.Options()
        options.version = 0x0302
        let client = try TLSClient(port: server.port, options)
        #expect(try client.shake() == .failed)
        #expect(client.problem == "tlsv1 alert protocol version")
        #expect(server.troubles.next() == "127.0.0.1 does not speak TLS 1.2 or 1.3 (port \(server.port))")
    }

    @Test func whatTheClientDoesNotTrustIsTold() throws {
        let server = try securedServer()
        var options = TLSClient.Options()
        options.trust = TestCertificates.clientAuthority
        let client = try TLSClient(port: server.port, options)
        #expect(try client.shake() == .failed)
        #expect(
            server.troubles.next()
                == "127.0.0.1 ended the TLS handshake: it does not trust the certificate (unknown_ca) (port \(server.port))"
        )
    }

    @Test func aHandshakeHasItsTime() throws {
        var limits = ServerLimits.unhurried
        limits.handshakeTimeout = 300
        let server = try securedServer(limits: limits)
        let silent = try server.client()
        let slow = try server.client()
        try slow.send([0x16, 0x03, 0x01, 0x02, 0x00])
        #expect(silent.receiveAll().ending == .fin)
        #expect(slow.receiveAll().ending != .open)
        #expect(
            server.troubles.next() == "127.0.0.1 did not complete the TLS handshake in time (port \(server.port))")
    }

    @Test func aClientMayLeaveAtAnyByte() throws {
        let server = try securedServer()
        for cut in stride(from: 0, to: 200, by: 7) {
            var options = TLSClient.Options()
            options.portion = cut == 0 ? .max : cut
            let client = try TLSClient(port: server.port, options)
            #expect(try client.shake(within: cut == 0 ? 10_000 : 20) != .failed)
            cut.isMultiple(of: 2) ? client.close() : client.raw.reset()
        }
        try exchange(TLSClient.connected(to: server.port))
    }

    @Test func manyShakeHandsAtOnce() throws {
        let server = try securedServer(workers: 2)
        let clients = try (0..<60).map { _ in try TLSClient(port: server.port) }
        for client in clients { #expect(try client.shake() == .complete) }
        for client in clients { try exchange(client) }
    }

    @Test func weakKeysAreShown() throws {
        let weak = try TLSIdentity.test(TestCertificates.weak, TestCertificates.weakKey)
        let server = try securedServer(onClientHello: { _ in .identity(weak) })
        for (version, _) in Self.versions {
            let client = try TLSClient.connected(to: server.port) { $0.version = version }
            #expect(client.certificateName == "weak.example")
            try exchange(client)
        }
    }
}
