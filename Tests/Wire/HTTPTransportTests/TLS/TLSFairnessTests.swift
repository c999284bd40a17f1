import SDHTTPTransport
import SDTestSupport
import Testing

/// A secured client that sends much does not keep others waiting, though the library holds parts of what follows and the
/// socket does not tell of them.
@Suite(.timeLimit(.minutes(30))) struct TLSFairnessTests {
    /// A server whose first request waits until `goOn` is told, so that a test can get everything onto its way meanwhile.
    private final class Waiting: RequestHandler {
        let begun = Events<Void>()
        let goOn = Events<Void>()
        let uploads = Events<Void>()
        /// The bytes that were read of uploads.
        let taken = Locked(0)
        /// What was served, with the bytes that were taken before.
        let served = Locked<[(path: String, taken: Int)]>([])
        /// Called with the path of each request.
        let asked = Locked<@Sendable (String) -> Void>({ _ in })

        func takesBodyStream(of head: Request, isLong: Bool) -> Bool { true }

        func serve(_ request: Request, reply: consuming Reply) {
            let path = String(decoding: request.path, as: UTF8.self)
            let taken = taken.withLock { $0 }
            served.withLock { $0.append((path, taken)) }
            asked.withLock { $0 }(path)
            if let body = request.bodyStream {
                // It is never answered: what counts is what is read.
                let kept = HeldReply(reply)
                body.begin(
                    onBytes: { [self] bytes in self.taken.withLock { $0 += bytes.count } },
                    onEnd: { _ in kept.drop() })
                return uploads.tell(())
            }
            if path == "/first" {
                begun.tell(())
                _ = goOn.next()
            }
            if path == "/dear" {
                let end = ContinuousClock.now + .milliseconds(6)
                while ContinuousClock.now < end {}
                return reply.send(script(.head(ResponseHead(status: 200, reason: "OK")), .end(.keepAlive)))
            }
            reply.send(script(answer(path), .end(.keepAlive)))
        }

        func refused(status: Int, reason: String, peer: String) {}
        func trouble(_ text: String) {}

        /// What was served before a path, and the bytes that were taken until then.
        func before(_ path: String) -> (count: Int, taken: Int)? {
            served.withLock { served in
                served.firstIndex { $0.path == path }.map { ($0, served[$0].taken) }
            }
        }
    }

    private func start(
        _ handler: Waiting, onClientHello: @escaping @Sendable () -> Void = {}
    ) throws -> (server: Server, port: UInt16) {
        let identity = try TLSIdentity.localhost()
        let settings = TLSSettings(acceptsPlain: true, offersHTTP2: true) { _ in
            onClientHello()
            return .identity(identity)
        }
        var limits = ServerLimits.unhurried
        limits.streamedBody = 1000
        let server = try Server(limits: limits, handler: handler)
        let port = try server.listen(address: "127.0.0.1", port: 0, tls: settings)
        try server.start()
        return (server, port)
    }

    /// Holds the loop, and lets it go on once `prepare` has sent everything and another client has asked.
    /// - Returns: what came before the other's request.
    private func other(
        _ handler: Waiting, _ port: UInt16, isOpen: Bool = false, after prepare: () throws -> Void
    ) throws -> (count: Int, taken: Int) {
        let (first, other) = (try RawClient(port: port), try RawClient(port: port))
        if isOpen {
            try other.send(get("/open"))
            expectWire(other.receive(answered("/open").count), answered("/open"), .open)
        }
        try first.send(get("/first"))
        try #require(handler.begun.next() != nil)
        defer { handler.goOn.tell(()) }
        try prepare()
        try other.send(get("/other"))
        handler.goOn.tell(())
        expectWire(other.receive(answered("/other").count), answered("/other"), .open)
        return try #require(handler.before("/other"))
    }

    @Test func aLargeUploadLeavesOthersTheirTurn() throws {
        let handler = Waiting()
        let (server, port) = try start(handler)
        defer { server.stopAndWait() }
        let client = try TLSClient.connected(to: port)
        try client.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n")
        try #require(handler.uploads.next() != nil)
        var sent = 0
        let before = try other(handler, port) {
            // As much as the system takes.
            let records = try client.encrypted([UInt8](repeating: 0x61, count: 8 << 20))
            while true {
                let count = try client.raw.sendWithoutWaiting(Array(records[sent..<min(records.count, sent + 65_536)]))
                guard count > 0 else { break }
                sent += count
            }
        }
        #expect(sent > 512 << 10, "\(sent) bytes are too few for the test")
        #expect(before.taken <= 128 << 10, "\(before.taken) of \(sent) bytes were read in a row")
    }

    /// Handshakes are dear, too: many that come at once are spread over turns.
    @Test func manyHandshakesLeaveOthersTheirTurn() throws {
        let handler = Waiting()
        let (hellos, before) = (Locked(0), Locked<Int?>(nil))
        let (server, port) = try start(handler) {
            hellos.withLock { $0 += 1 }
            // Some milliseconds, wherever the test runs.
            let end = ContinuousClock.now + .milliseconds(2)
            while ContinuousClock.now < end {}
        }
        defer { server.stopAndWait() }
        handler.asked.withLock { asked in
            asked = { path in if path == "/other" { before.withLock { $0 = hellos.withLock { $0 } } } }
        }
        let clients = try (0..<100).map { _ in try TLSClient(port: port) }
        // One that has not said yet whether it is secured waits with the handshakes.
        _ = try other(handler, port, isOpen: true) {
            for client in clients {
                let hello = try client.shake(within: 1)
                #expect(hello == .waiting)
            }
        }
        let count = try #require(before.withLock { $0 })
        // Those of a turn, and of one that had begun before the other's request had come.
        #expect(count <= 20, "\(count) handshakes were made before")
        #expect(hellos.withLock { $0 } > 0)
    }

    @Test func eachRecordOfDearRequestsIsNoTurnOfItsOwn() throws {
        let handler = Waiting()
        let (server, port) = try start(handler)
        defer { server.stopAndWait() }
        let client = try TLSClient.connected(to: port) { $0.protocols = ["h2"] }
        #expect(client.chosenProtocol == "h2")
        try client.send(HTTP2Client.preface + HTTP2Client.settings([]).bytes)
        let before = try other(handler, port) {
            for id in UInt32(0)..<15 { try client.send(HTTP2Client.head(id * 2 + 1, "/dear").bytes) }
        }
        // The first one, and those of a turn of the connection.
        #expect(before.count <= 3, "\(before.count) were served before")
    }
}
