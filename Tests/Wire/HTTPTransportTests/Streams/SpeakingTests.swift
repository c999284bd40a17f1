import SDCTestTransports
import SDHTTPTransport
import SDTestSupport
import Testing

/// A connection may change what it speaks: as it begins, as it shakes hands, and behind an answer.
@Suite struct SpeakingTests {
    // MARK: Behind an answer

    private static let switching: WireScript = {
        var head = ResponseHead(status: 101, reason: "Switching Protocols")
        head.add("Connection", "Upgrade")
        return WireScript([.head(head), .end(.keepAlive)])
    }()
    private static let switchingText = wire("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n")

    /// A server whose connections speak the protocol of many streams behind the answer to `/upgrade`, and behind that to
    /// `/late`, which the test gives.
    private func upgradingServer(_ late: Events<HeldReply> = Events()) throws -> TestServer {
        try TestServer(limits: .patient) { request, reply in
            let path = String(decoding: request.path, as: UTF8.self)
            guard ["/upgrade", "/late"].contains(path) else {
                return reply.send(MuxServer.answer("\(request.version.name) \(path)"))
            }
            let changes = reply.upgrade(to: mux_protocol())
            #expect(changes)
            if path == "/late" { late.tell(HeldReply(reply)) } else { reply.send(Self.switching) }
        }
    }

    private static let follows =
        MuxClient.envelope(3, "Q", wire("GET /three")) + MuxClient.envelope(4, "Q", wire("GET /four"))

    /// None of the bytes that follow comes with the request, or a part of an envelope, or all, or more than is kept behind
    /// a usual request.
    @Test(arguments: ["/upgrade", "/late"], [0, 4, 6, 32, 200_000])
    func aConnectionSpeaksAnotherProtocolBehindAnAnswer(path: String, sentAhead: Int) throws {
        let late = Events<HeldReply>()
        let server = try upgradingServer(late)
        let raw = try server.client()
        let follows = Self.follows + (sentAhead > 32 ? Self.ignored(sentAhead) : [])
        let cut = min(sentAhead, follows.count)
        try raw.send(wire(get("/before") + get(path)))
        try withBackgroundWork {
            guard path == "/late" else { return }
            let reply = late.next()
            server.settle()
            reply?.send(Self.switching)
        } during: {
            try raw.send(Array(follows[..<cut]))
        }
        let before = raw.receive(until: "HTTP/1.1 /before")
        #expect(before.text.hasSuffix("HTTP/1.1 /before"))
        #expect(raw.receive(Self.switchingText.count).bytes == Self.switchingText)
        try raw.send(Array(follows[cut...]))
        let client = MuxClient(over: raw)
        #expect(client.answer(to: 3) == .whole("3 200\nHTTP/2.0 /three"))
        #expect(client.answer(to: 4) == .whole("4 200\nHTTP/2.0 /four"))
        try client.ask((3, "/again"))
        #expect(client.answer(to: 3) == .whole("3 200\nHTTP/2.0 /again"))
    }

    /// Envelopes that change nothing, about so many bytes of them.
    private static func ignored(_ count: Int) -> [UInt8] {
        let one = MuxClient.envelope(9, "X", [UInt8](repeating: 0, count: 994))
        return Array(repeatElement(one, count: count / 1000).joined())
    }

    @Test func eachConnectionChangesByItself() throws {
        let server = try upgradingServer()
        let (one, other) = (try server.client(), try server.client())
        for client in [one, other] { try client.send(get("/upgrade")) }
        for client in [one, other] { #expect(client.receive(Self.switchingText.count).bytes == Self.switchingText) }
        try one.send(MuxClient.envelope(99, "Q", wire("GET /")))
        #expect(one.receiveAll().ending != .open)
        let client = MuxClient(over: other)
        try client.ask((1, "/one"))
        #expect(client.answer(to: 1) == .whole("1 200\nHTTP/2.0 /one"))
        server.settle()
        #expect(mux_open_states(server.port) == 1)
    }

    /// What speaks one protocol only cannot be asked for another, and goes on.
    @Test func aStreamOfManyChangesNothing() throws {
        let server = try TestServer(limits: .patient, listen: Framing.frames.listen) { _, reply in
            let changes = reply.upgrade(to: mux_protocol())
            #expect(!changes)
            reply.send(MuxServer.answer("as before"))
        }
        let client = try MuxClient(port: server.port)
        try client.ask((1, "/"))
        #expect(client.answer(to: 1) == .whole("1 200\nas before"))
    }

    /// An answer that closes, one that is cut, and a server that drains end the connection instead.
    @Test(arguments: [WireStep.end(.close), .abort(.fin), .end(.keepAlive)])
    func anAnswerThatEndsTheConnectionDoes(end: WireStep) throws {
        let late = Events<HeldReply>()
        let server = try upgradingServer(late)
        let raw = try server.client()
        try raw.send(wire(get("/late")) + Self.follows)
        let reply = try #require(late.next())
        if case .end(.keepAlive, _) = end { server.server.drain(milliseconds: 20_000) }
        server.settle()
        reply.send(script(MuxServer.head, end))
        let received = raw.receiveAll()
        #expect(received.text == "HTTP/1.1 200 OK\r\n\r\n")
        #expect(received.ending == .fin)
    }

    // MARK: As it begins

    /// Says how the request came.
    private static let described: @Sendable (Request, consuming Reply) -> Void = { request, reply in
        let security = request.isSecure ? "secure" : "plain"
        let origin = request.origin
        #expect(origin.port == request.localPort && origin.tag == request.sessionTag)
        reply.send(
            MuxServer.answer("\(request.version.name) \(security) of \(origin.security), tag \(origin.tag)"))
    }

    private static let lastRequest = get("/", "Connection: close\r\n")

    @Test(arguments: 1...6)
    func theFirstByteTellsPlainFromSecured(seed: Int) throws {
        let server = try TestServer(
            limits: .patient, listen: { try $0.listenByXOR(seed: seed, takesPlain: true, tag: 7) }, Self.described)
        // Clients that have sent nothing keep no other.
        let silent = try server.client()
        for _ in 1...3 {
            let plain = try server.client()
            try plain.send(Self.lastRequest)
            #expect(plain.receiveAll().text.contains("HTTP/1.1 plain of plainOrSecured, tag 7"))
            let secured = try XORClient(port: server.port, seed: seed)
            try secured.send(Self.lastRequest)
            #expect(try secured.receiveAll().text.contains("HTTP/1.1 secure of plainOrSecured, tag 7"))
        }
        try silent.send("G")
        server.settle()
        try silent.send(String(Self.lastRequest.dropFirst()))
        #expect(silent.receiveAll().text.contains("HTTP/1.1 plain of"))
        let left = try server.client()
        left.close()
        server.settle()
    }

    @Test func aListenerSaysWithWhatItsConnectionsBegin() throws {
        let server = try TestServer(listen: { try $0.listenByXOR(seed: 1) }, Self.described)
        let secured = try XORClient(port: server.port, seed: 1)
        try secured.send(Self.lastRequest)
        #expect(try secured.receiveAll().text.contains("HTTP/1.1 secure of secured, tag 0"))
        let plain = try TestServer(Self.described)
        let client = try plain.client()
        try client.send(Self.lastRequest)
        #expect(client.receiveAll().text.contains("HTTP/1.1 plain of plain, tag 0"))
    }

    /// A client that never says what it is does not stay.
    @Test func aFirstByteThatDoesNotComeTimesOut() throws {
        var limits = ServerLimits.short
        limits.handshakeTimeout = 300
        let server = try TestServer(
            limits: limits, listen: { try $0.listenByXOR(seed: 1, takesPlain: true) }, Self.described)
        #expect(try server.client().receiveAll() == RawClient.Received([], .fin))
    }

    // MARK: As it shakes hands

    @Test(arguments: 1...6)
    func theHandshakeChoosesTheProtocol(seed: Int) throws {
        let server = try TestServer(
            listen: { try $0.listenByXOR(seed: seed, takesPlain: seed.isMultiple(of: 2)) }, Self.described)
        let security = seed.isMultiple(of: 2) ? "plainOrSecured" : "secured"
        let many = try XORClient(port: server.port, seed: seed, greeting: "XORM")
        try many.send(MuxClient.envelope(1, "L", wire("GET /")))
        let frames = Frame.text(try many.receiveAll().bytes)
        #expect(frames.hasPrefix("H(200)"))
        #expect(frames.hasSuffix("D(HTTP/2.0 secure of \(security), tag 0) E()"))
        let usual = try XORClient(port: server.port, seed: seed)
        try usual.send(Self.lastRequest)
        #expect(try usual.receiveAll().text.contains("HTTP/1.1 secure of \(security), tag 0"))
        many.close()
        server.settle()
        #expect(mux_open_states(server.port) == 0)
    }

    @Test func aHandshakeThatHasChosenMayFail() throws {
        let server = try TestServer(listen: { try $0.listenByXOR(seed: 1) }, Self.described)
        let client = try server.client()
        try client.send("XORM")
        client.reset()
        // Another connection is served after it, on the same loop.
        let many = try XORClient(port: server.port, seed: 1, greeting: "XORM")
        try many.send(MuxClient.envelope(1, "L", wire("GET /")))
        #expect(Frame.text(try many.receiveAll().bytes).hasSuffix("E()"))
        many.close()
        server.settle()
        #expect(mux_open_states(server.port) == 0)
    }
}
