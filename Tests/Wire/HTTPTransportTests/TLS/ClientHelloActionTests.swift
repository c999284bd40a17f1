import SDHTTPTransport
import SDTestSupport
import Testing

/// What a client sees of an action for its ClientHello that is a fault.
@Suite(.timeLimit(.minutes(30))) struct ClientHelloActionTests {
    private func server(_ action: ClientHelloAction, limits: ServerLimits = .unhurried) throws -> TestServer {
        try securedServer(limits: limits, onClientHello: { _ in action })
    }

    /// What comes after a client's hello.
    private func answer(_ server: TestServer, within milliseconds: Int = 60_000) throws -> RawClient.Received {
        let client = try TLSClient(port: server.port)
        _ = try client.shake(within: 1)
        return client.raw.receiveAll(within: milliseconds)
    }

    @Test func aResetComesBeforeAnyByte() throws {
        let server = try server(.reset)
        let client = try TLSClient(port: server.port)
        #expect(try client.shake() == .failed)
        #expect(client.problem == "")
    }

    @Test func aStallLastsUntilTheClientLeaves() throws {
        var limits = ServerLimits.unhurried
        limits.handshakeTimeout = 2_000
        let server = try server(.stall, limits: limits)
        let client = try TLSClient(port: server.port)
        #expect(try client.shake(within: 500) == .waiting)
        try client.raw.send([1, 2, 3])
        #expect(client.raw.receiveUntilQuiet(milliseconds: 2_500).ending == .open)
        client.raw.finishSending()
        #expect(client.raw.receiveAll() == RawClient.Received([], .fin))
    }

    @Test func aStallEndsWithTheServer() throws {
        let server = try server(.stall)
        let client = try TLSClient(port: server.port)
        #expect(try client.shake(within: 50) == .waiting)
        server.server.drain(milliseconds: 60_000)
        #expect(client.raw.receiveAll().ending == .fin)
    }

    @Test func garbageIsNoTLS() throws {
        let server = try server(.garbage)
        let client = try TLSClient(port: server.port)
        #expect(try client.shake() == .failed)
        #expect(client.problem == "wrong version number")
        #expect(client.raw.receiveAll().ending == .fin)
    }

    @Test func anOldVersionIsRefusedByTheClientsOfToday() throws {
        let server = try server(.oldVersion(.localhost()))
        let client = try TLSClient(port: server.port)
        #expect(try client.shake() == .failed)
        #expect(client.problem == "tlsv1 alert protocol version")
        var options = TLSClient.Options()
        options.version = 0x0302
        let old = try TLSClient(port: server.port, options)
        #expect(try old.shake() == .complete, "\(old.problem)")
        #expect(old.version == "TLSv1.1")
    }

    // MARK: - Later actions

    /// A server that keeps each action that it owes.
    private func hesitantServer(_ owed: Locked<[PendingClientHello]>) throws -> TestServer {
        try securedServer(onClientHello: { _ in .later { awaited in owed.withLock { $0.append(awaited) } } })
    }

    @Test func aHandshakeWaitsForItsGreetingAndOthersDoNot() throws {
        let identity = try TLSIdentity.localhost()
        let owed = Locked<[PendingClientHello]>([])
        let server = try securedServer(onClientHello: { hello in
            hello.serverName == "localhost"
                ? .identity(identity) : .later { awaited in owed.withLock { $0.append(awaited) } }
        })
        var options = TLSClient.Options()
        options.serverName = "later.example"
        let clients = try (0..<20).map { _ in try TLSClient(port: server.port, options) }
        for client in clients { #expect(try client.shake(within: 1) == .waiting) }
        #expect(eventually { owed.withLock { $0.count } == 20 ? true : nil } == true)
        _ = try TLSClient.connected(to: server.port)
        for awaited in owed.withLock({ $0 }) { awaited.answer(.identity(identity)) }
        for client in clients {
            #expect(try client.shake() == .complete, "\(client.problem)")
            try client.send(wire("GET /a HTTP/1.1\nHost: a\n\n"))
            #expect(client.receive(echoOfGet("/a").count).bytes == echoOfGet("/a"))
        }
    }

    @Test(arguments: [
        (ClientHelloAction.reset, ""), (.garbage, "wrong version number"), (.later { _ in }, ""),
    ]) func whatComesLaterMayBeAFault(action: ClientHelloAction, problem: String) throws {
        let owed = Locked<[PendingClientHello]>([])
        let server = try hesitantServer(owed)
        let client = try TLSClient(port: server.port)
        #expect(try client.shake(within: 1) == .waiting)
        let awaited = try #require(eventually { owed.withLock { $0.popLast() } })
        awaited.answer(action)
        awaited.answer(.stall)
        #expect(try client.shake() == .failed)
        #expect(client.problem == problem)
    }

    @Test func aGreetingThatNobodyGivesIsAReset() throws {
        let server = try securedServer(onClientHello: { _ in .later { _ in } })
        let client = try TLSClient(port: server.port)
        #expect(try client.shake() == .failed)
        #expect(client.problem == "")
    }

    /// No action is applied if the client has left or the server has ended meanwhile.
    @Test(arguments: [false, true]) func aHandshakeEndsWhileItWaits(serverEnds: Bool) throws {
        let owed = Locked<[PendingClientHello]>([])
        do {
            var limits = ServerLimits.unhurried
            limits.handshakeTimeout = serverEnds ? 60_000 : 3_000
            let server = try securedServer(
                limits: limits, onClientHello: { _ in .later { awaited in owed.withLock { $0.append(awaited) } } })
            let client = try TLSClient(port: server.port)
            #expect(try client.shake(within: 1) == .waiting)
            #expect(eventually { owed.withLock { $0.isEmpty } ? nil : true } == true)
            // What comes meanwhile keeps nobody busy.
            try client.raw.send([1, 2, 3])
            if serverEnds { server.server.drain(milliseconds: 0) }
            #expect(client.raw.receiveAll().ending != .open)
            if !serverEnds { owed.withLock { $0 }[0].answer(.identity(try .localhost())) }
        }
        try owed.withLock { $0 }[0].answer(.identity(.localhost()))
    }

    @Test func identitiesSayWhatIsWrong() {
        func problem(_ chain: String, _ key: String) -> String {
            do {
                _ = try TLSIdentity(chain: wire(chain), key: wire(key))
                return "none"
            } catch {
                return error.description
            }
        }
        let (certificate, key) = (TestCertificates.localhost, TestCertificates.localhostKey)
        #expect(problem(certificate, key) == "none")
        #expect(problem(certificate + "\n" + TestCertificates.authority, key) == "none")
        #expect(problem(certificate, TestCertificates.otherKey).contains("belongs to another certificate"))
        #expect(problem(certificate, "x").contains("private key cannot be read"))
        #expect(problem("x", key).contains("no certificate"))
        #expect(
            problem(certificate + "\n-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n", key).contains(
                "cannot be read"))
    }
}
