import SDHTTPTransport
import SDTestSupport
import Testing

/// Everything that happens on a connection happens in the same way over a transport that encrypts, takes and gives
/// bytes in parts, and waits for the other direction.
@Suite(.timeLimit(.minutes(30))) struct TransportTests {
    static let seeds = Array(1...6)

    private func server(
        seed: Int, _ serve: @escaping @Sendable (Request, consuming Reply) -> Void = answerWithEcho
    ) throws -> TestServer {
        var limits = ServerLimits.patient
        limits.body = 8 * 1024 * 1024
        return try TestServer(limits: limits, listen: { try $0.listenByXOR(seed: seed) }, serve)
    }

    private func client(_ server: TestServer, seed: Int) throws -> XORClient {
        try XORClient(port: server.port, seed: seed)
    }

    // MARK: Exchanges

    @Test(arguments: seeds)
    func exchangesFollowEachOther(seed: Int) throws {
        let secure = Events<Bool>()
        let server = try server(seed: seed) { request, reply in
            secure.tell(request.isSecure && request.version == .http11)
            answerWithEcho(request, reply)
        }
        let client = try client(server, seed: seed)
        for number in 1...50 {
            let expected = echoed(["GET /\(number) HTTP/1.1 keep", "[Host]=[a]"])
            try client.send(get("/\(number)"))
            expectWire(try client.receive(expected.count), expected, .open, "seed \(seed)")
            #expect(secure.next() == true)
        }
    }

    @Test(arguments: seeds)
    func pipelinedRequestsAreAnsweredInOrder(seed: Int) throws {
        let server = try server(seed: seed)
        let client = try client(server, seed: seed)
        try client.send((1...200).map { get("/\($0)") }.joined())
        let expected = (1...200).flatMap { echoed(["GET /\($0) HTTP/1.1 keep", "[Host]=[a]"]) }
        expectWire(try client.receive(expected.count), expected, .open, "seed \(seed)")
    }

    @Test(arguments: seeds, [false, true])
    func largeBodiesArriveWhole(seed: Int, inChunks: Bool) throws {
        let body = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let server = try server(seed: seed) { request, reply in
            reply.send(script(.raw(WireBytes(plainAnswer(Array(request.body)))), .end(.close)))
        }
        let client = try client(server, seed: seed)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\n")
        if inChunks {
            try client.send("Transfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: 8000) {
                let chunk = Array(body[start..<min(start + 8000, body.count)])
                try client.send(wire(String(chunk.count, radix: 16) + "\r\n") + chunk + wire("\r\n"))
            }
            try client.send("0\r\n\r\n")
        } else {
            try client.send(wire("Content-Length: \(body.count)\r\n\r\n") + body)
        }
        expectWire(try client.receiveAll(within: 60_000), plainAnswer(body), .fin, "seed \(seed)")
        #expect(client.sawFarewell)
    }

    @Test(arguments: seeds)
    func aClientThatWaitsForContinueGetsIt(seed: Int) throws {
        let server = try server(seed: seed)
        let client = try client(server, seed: seed)
        let fields = "Content-Length: 5\r\nExpect: 100-continue\r\n"
        try client.send("PUT / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        let goOn = "HTTP/1.1 100 Continue\r\n\r\n"
        expectWire(try client.receive(goOn.utf8.count), goOn, .open, "seed \(seed)")
        try client.send("hello")
        let expected = echoed([
            "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[5]", "[Expect]=[100-continue]", "body 5 hello",
        ])
        expectWire(try client.receive(expected.count), expected, .open, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func aRefusalIsSentWhole(seed: Int) throws {
        let server = try server(seed: seed)
        let client = try client(server, seed: seed)
        try client.send("GET nonsense\r\n\r\n")
        let received = try client.receiveAll()
        #expect(received.bytes.starts(with: wire("HTTP/1.1 400 Bad Request\r\n")))
        #expect(received.bytes.last == 0x0a)
        #expect(received.ending == .fin && client.sawFarewell, "seed \(seed): \(received)")
    }

    // MARK: Scripts

    @Test(arguments: seeds)
    func chunksAreDribbled(seed: Int) throws {
        let server = try server(seed: seed) { _, reply in
            let wait = WireStep.wait(nanoseconds: milliseconds(2))
            let paced = WireBytes([UInt8](repeating: 0x79, count: 3000))
            var steps = [bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")]
            for _ in 1...5 { steps += [wait, bytes("3\r\nabc\r\n")] }
            steps += [bytes("bb8\r\n"), .pace(paced, 0..<3000, bytesPerSecond: 100_000), bytes("\r\n")]
            reply.send(WireScript(steps + [bytes("0\r\n\r\n"), .end(.keepAlive)]))
        }
        let client = try client(server, seed: seed)
        let expected =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "3\r\nabc\r\n", count: 5)
            + "bb8\r\n" + String(repeating: "y", count: 3000) + "\r\n0\r\n\r\n"
        for _ in 1...3 {
            try client.send(get("/"))
            expectWire(try client.receive(expected.utf8.count), expected, .open, "seed \(seed)")
        }
    }

    @Test(arguments: seeds)
    func aHeldAnswerContinuesWhenReleased(seed: Int) throws {
        let held = Events<StreamingReply>()
        let ends = Events<StreamEnd>()
        let server = try server(seed: seed) { _, reply in
            held.tell(reply.hold([bytes("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n")]) { ends.tell($0) })
        }
        let client = try client(server, seed: seed)
        // The second request stands behind the held one.
        try client.send(get("/1") + get("/2"))
        let part = [UInt8](repeating: 0x7a, count: 5000)
        let expected =
            wire("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n") + [UInt8](repeating: 0x7a, count: 20_000)
        for _ in 1...2 {
            let stream = try #require(held.next())
            for _ in 1...4 { stream.send(WireBytes(part)) }
            stream.finish(script(.end(.keepAlive)))
            expectWire(try client.receive(expected.count), expected, .open, "seed \(seed)")
            #expect(ends.next()?.outcome == .sent)
        }
    }

    /// What stands in the transport's own memory is told by no socket.
    @Test(arguments: seeds)
    func requestsLeftUnreadForALongTimeAreAllAnswered(seed: Int) throws {
        let held = Events<HeldReply>()
        let count = 4000
        let server = try server(seed: seed) { request, reply in
            if request.path.elementsEqual(wire("/first")) { return held.tell(HeldReply(reply)) }
            reply.send(script(bytes("\(String(decoding: request.path, as: UTF8.self))\n"), .end(.keepAlive)))
        }
        let client = try client(server, seed: seed)
        try client.send(get("/first") + (1...count).map { get("/\($0)") }.joined())
        let first = try #require(held.next())
        server.settle()
        first.send(script(bytes("first\n"), .end(.keepAlive)))
        let expected = "first\n" + (1...count).map { "/\($0)\n" }.joined()
        expectWire(try client.receive(expected.utf8.count), expected, .open, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func aClientThatTakesLittleAtATimeGetsEveryByte(seed: Int) throws {
        let body = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let observer = EndObserver()
        let server = try server(seed: seed) { _, reply in
            reply.send(script(.raw(WireBytes(plainAnswer(body))), .end(.keepAlive)), observer: observer)
        }
        let client = try XORClient(port: server.port, seed: seed, receiveBuffer: 8192)
        try client.send(get("/"))
        let expected = plainAnswer(body)
        let received = try client.receive(expected.count, within: 30_000)
        #expect(received.bytes == expected, "seed \(seed): \(received.bytes.count) bytes, then \(received.ending)")
        #expect(observer.ends.next()?.bytesSent == UInt64(expected.count))
    }

    // MARK: Ends

    @Test(arguments: seeds)
    func aScriptMayEndTheConnection(seed: Int) throws {
        let server = try server(seed: seed) { request, reply in
            let isReset = request.path.elementsEqual(wire("/rst"))
            reply.send(script(bytes("half"), .abort(isReset ? .rst : .fin)))
        }
        let reset = try client(server, seed: seed)
        try reset.send(get("/rst"))
        #expect(try reset.receiveAll().ending == .rst)
        #expect(!reset.sawFarewell)
        let closed = try client(server, seed: seed)
        try closed.send(get("/fin"))
        expectWire(try closed.receiveAll(), "half", .fin, "seed \(seed)")
        #expect(closed.sawFarewell)
    }

    @Test(arguments: seeds)
    func aClientThatResetsEndsTheScript(seed: Int) throws {
        let observer = EndObserver()
        let server = try server(seed: seed) { _, reply in
            let hour = milliseconds(3_600_000)
            reply.send(script(bytes("HTTP"), .wait(nanoseconds: hour), .end(.close)), observer: observer)
        }
        let client = try client(server, seed: seed)
        try client.send(get("/"))
        expectWire(try client.receive(4), "HTTP", .open)
        client.reset()
        #expect(observer.ends.next()?.outcome == .clientDisconnected)
    }

    @Test(arguments: seeds)
    func aClientThatClosedItsSendingSideGetsItsAnswers(seed: Int) throws {
        let answer = plainAnswer([UInt8](repeating: 0x78, count: 100_000))
        let blob = WireBytes(answer)
        let server = try server(seed: seed) { _, reply in
            reply.send(script(.wait(nanoseconds: milliseconds(20)), .raw(blob), .end(.keepAlive)))
        }
        let client = try client(server, seed: seed)
        try client.send(get("/1") + get("/2"))
        try client.finishSending()
        expectWire(try client.receiveAll(), answer + answer, .fin, "seed \(seed)")
        #expect(client.sawFarewell)
    }

    @Test(arguments: seeds)
    func aCancelledAnswerEndsTheConnection(seed: Int) throws {
        let held = Events<StreamingReply>()
        let server = try server(seed: seed) { _, reply in held.tell(reply.hold([bytes("half")]) { _ in }) }
        let client = try client(server, seed: seed)
        try client.send(get("/"))
        expectWire(try client.receive(4), "half", .open)
        try #require(held.next()).cancel()
        #expect(try client.receiveAll().ending == .rst)
    }

    // MARK: The handshake

    @Test(arguments: ["", "XO"])
    func aHandshakeThatDoesNotEndTimesOut(greeting: String) throws {
        var limits = ServerLimits.short
        limits.handshakeTimeout = 2_000
        limits.idleTimeout = 60_000
        let server = try TestServer(limits: limits, listen: { try $0.listenByXOR(seed: 1) })
        let began = ContinuousClock.now
        let client = try XORClient(port: server.port, seed: 1, greeting: greeting)
        expectWire(client.receiveRaw(), "", .fin)
        #expect(ContinuousClock.now - began >= .seconds(2))
        #expect(server.refusals.isEmpty)
        // The time is over for those alone who do not shake hands.
        let other = try self.client(server, seed: 2)
        try other.sendHalfARecord()
        #expect(try other.receive(1, within: 3_000).ending == .open)
    }

    @Test func aHandshakeThatFailsEndsTheConnection() throws {
        let server = try server(seed: 1)
        let client = try XORClient(port: server.port, seed: 1, greeting: "GET / HTTP/1.1\r\n\r\n")
        // Not all that it sent was read.
        expectWire(client.receiveRaw(), "", .rst)
        #expect(server.refusals.isEmpty)
    }

    @Test func aDrainingServerDoesNotWaitForAHandshake() throws {
        let server = try server(seed: 1)
        let client = try XORClient(port: server.port, seed: 1, greeting: "XO")
        server.settle()
        server.server.drain(milliseconds: 60_000)
        expectWire(client.receiveRaw(), "", .fin)
    }

    // MARK: The transport itself

    /// Else the others prove nothing.
    @Test func theTransportWaitsForTheOtherDirection() throws {
        let before = XORWaits.counted
        let server = try server(seed: 7)
        let client = try client(server, seed: 7)
        try client.send((1...300).map { "PUT /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" }.joined())
        let expected = (1...300).flatMap {
            echoed(["PUT /\($0) HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[5]", "body 5 hello"])
        }
        expectWire(try client.receive(expected.count), expected, .open)
        let after = XORWaits.counted
        #expect(after.readsForWritable > before.readsForWritable)
        #expect(after.pendingReads > before.pendingReads)
        // An answer of many records.
        let large = try self.server(seed: 7) { _, reply in
            reply.send(script(.raw(WireBytes([UInt8](repeating: 0x78, count: 200_000))), .end(.close)))
        }
        let reader = try self.client(large, seed: 7)
        try reader.send(get("/"))
        #expect(try reader.receiveAll().bytes.count == 200_000)
        let end = XORWaits.counted
        #expect(end.writesForReadable > after.writesForReadable)
        #expect(end.partialWrites > after.partialWrites)
    }
}
