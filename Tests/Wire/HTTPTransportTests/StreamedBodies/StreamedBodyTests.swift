import SDHTTPTransport
import SDTestSupport
import Testing

/// Bodies of HTTP/1.1 that the handler takes while they come.
@Suite(.timeLimit(.minutes(30))) struct StreamedBodyTests {
    private static let long = pattern(200_000)

    private static func head(_ path: String, _ fields: String...) -> [UInt8] {
        wire("POST \(path) HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    private static func sized(_ path: String, _ body: [UInt8], _ fields: String = "X: y") -> [UInt8] {
        head(path, "Content-Length: \(body.count)", fields) + body
    }

    private static func chunked(_ path: String, _ body: [UInt8], of size: Int, trailers: String = "") -> [UInt8] {
        var bytes = head(path, "Transfer-Encoding: chunked")
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            bytes += wire(String(chunk.count, radix: 16) + "\r\n") + chunk + wire("\r\n")
            rest = rest.dropFirst(size)
        }
        return bytes + wire("0\r\n\(trailers)\r\n")
    }

    private static func answer(_ body: [UInt8], announced: Bool, trailers: String = "") -> [UInt8] {
        plainAnswer(wire("\(Sum.text(of: body)) announced \(announced ? "\(body.count)" : "none")\(trailers)"))
    }

    @Test func aBodyBeyondAllLimitsIsTaken() throws {
        let server = try StreamingServer()
        let client = try server.client()
        // Twice, with a request behind them in the same write.
        for _ in 1...2 { try client.send(Self.sized("/sum", Self.long)) }
        try client.send(Self.sized("/small", pattern(10)))
        let once = Self.answer(Self.long, announced: true)
        let expected = once + once + plainAnswer(wire("whole 10"))
        expectWire(client.receive(expected.count), expected, .open)
        #expect(server.handler.asked.withLock { $0 } == 2)
    }

    @Test(arguments: [1, 7, 999, 5000, 100_000])
    func chunksAreTaken(size: Int) throws {
        let server = try StreamingServer()
        let client = try server.client()
        let body = pattern(size == 1 ? 20_000 : 200_000)
        try client.send(Self.chunked("/sum", body, of: size, trailers: "A: 1\r\nB: 2\r\n") + Self.sized("/small", []))
        let expected = Self.answer(body, announced: false, trailers: " A=1 B=2") + plainAnswer(wire("whole 0"))
        expectWire(client.receive(expected.count), expected, .open)
        #expect(server.handler.asked.withLock { $0 } == 1)
    }

    @Test func bytesThatTrickleInAreTaken() throws {
        let server = try StreamingServer()
        let client = try server.client()
        let body = pattern(1500)
        for piece in Self.chunked("/sum", body, of: 37, trailers: "A: 1\r\n") { try client.send([piece]) }
        let expected = Self.answer(body, announced: false, trailers: " A=1")
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test func aHandlerThatDoesNotTakeItGetsItWhole() throws {
        let server = try StreamingServer()
        let client = try server.client()
        try client.send(Self.sized("/whole", pattern(60_000)) + Self.chunked("/whole", pattern(60_000), of: 999))
        let expected = plainAnswer(wire("whole 60000")) + plainAnswer(wire("whole 60000"))
        expectWire(client.receive(expected.count), expected, .open)
        try client.send(Self.head("/whole", "Content-Length: 70000"))
        #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 413 "))
        let other = try server.client()
        try other.send(Self.head("/whole", "Transfer-Encoding: chunked") + wire("11170\r\n"))
        #expect(other.receiveAll().text.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func aClientThatWaitsIsToldToGoOnWhenTheBodyIsRead() throws {
        let server = try StreamingServer()
        let client = try server.client()
        try client.send(Self.head("/held", "Content-Length: 2000", "Expect: 100-continue"))
        let body = try #require(server.handler.bodies.next())
        #expect(client.receiveUntilQuiet(milliseconds: 50).bytes.isEmpty)
        server.handler.begin(body)
        #expect(client.receive(until: "\r\n\r\n").text == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send(pattern(2000))
        #expect(server.handler.ends.next() == "")
    }

    @Test func aRefusalSparesTheClientTheBody() throws {
        let server = try StreamingServer()
        let client = try server.client()
        try client.send(Self.head("/early", "Content-Length: 2000", "Expect: 100-continue"))
        let expected = wire("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        expectWire(client.receiveAll(), expected, .fin)
        #expect(server.handler.ends.next() == .some(nil))
    }

    @Test(arguments: [true, false])
    func whatIsNotWantedWaitsWithTheClient(chunked: Bool) throws {
        let body = [UInt8](repeating: 0x61, count: 20_000_000) + pattern(100)
        let server = try StreamingServer()
        let request = chunked ? Self.chunked("/held", body, of: 100_000) : Self.sized("/held", body)
        let client = try server.client()
        let sent = try client.sendWithoutWaiting(request)
        let stream = try #require(server.handler.bodies.next())
        let reply = try #require(server.handler.replies.next())
        server.handler.begin(stream)
        var sum = Sum()
        sum.add(try #require(server.handler.pieces.next()))
        stream.setReading(false)
        server.settle()
        while let piece = server.handler.pieces.next(within: 100) { sum.add(piece) }
        // The kernel's buffers are full, and stay so.
        var rest = request.dropFirst(sent)
        while client.waitUntilSendable(milliseconds: 200) {
            rest = rest.dropFirst(try client.sendWithoutWaiting(Array(rest.prefix(1 << 20))))
        }
        #expect(rest.count > 5_000_000)
        #expect(server.handler.pieces.next(within: 50) == nil)
        stream.setReading(true)
        try client.send(Array(rest))
        #expect(server.handler.ends.next() == "")
        while let piece = server.handler.pieces.next(within: 0) { sum.add(piece) }
        #expect(sum.text == Sum.text(of: body))
        reply.send(StreamingHandler.answer("done"))
        #expect(client.receive(plainAnswer(wire("done")).count).text.hasSuffix("done"))
    }

    @Test(arguments: ["close", "reset", "half"])
    func theEndOfTheClientEndsTheBody(way: String) throws {
        let server = try StreamingServer()
        let client = try server.client()
        try client.send(Self.sized("/sum", pattern(5000)).dropLast(10))
        switch way {
        case "close": client.close()
        case "reset": client.reset()
        default: client.finishSending()
        }
        #expect(server.handler.ends.next() == .some(nil))
    }

    @Test func aSilentClientIsRefused() throws {
        var limits = ServerLimits.streamed
        limits.bodyTimeout = 300
        let server = try StreamingServer(limits: limits)
        let client = try server.client()
        try client.send(Self.sized("/sum", pattern(1200)).dropLast(10))
        #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 408 "))
        #expect(server.handler.ends.next() == .some(nil))
    }

    /// One that is not read owes nothing.
    @Test func aClientThatIsNotReadIsNotRefused() throws {
        var limits = ServerLimits.streamed
        limits.bodyTimeout = 1000
        limits.bodyIdleTimeout = 1000
        let server = try StreamingServer(limits: limits)
        let client = try server.client()
        let body = pattern(5000)
        try client.send(Self.sized("/held", body).dropLast(10))
        let stream = try #require(server.handler.bodies.next())
        #expect(client.receiveUntilQuiet(milliseconds: 1500).ending == .open)
        try client.send(Array(body.suffix(10)))
        server.handler.begin(stream)
        #expect(server.handler.ends.next() == "")
    }

    @Test func aBrokenChunkIsRefused() throws {
        let server = try StreamingServer()
        let client = try server.client()
        try client.send(Self.chunked("/sum", pattern(3000), of: 500).dropLast(5) + wire("x\r\n"))
        #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 400 "))
        #expect(server.handler.ends.next() == .some(nil))
    }

    /// The answer ends before the body, of which the client sends on for a while.
    @Test func anEarlyAnswerArrives() throws {
        let server = try StreamingServer()
        let client = try server.client()
        try client.send(Self.sized("/early", pattern(50_000)).dropLast(10))
        expectWire(client.receiveAll(), wire("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"), .fin)
        #expect(server.handler.ends.next() == .some(nil))
    }

    @Test func theServerEndsWithBodiesOnTheirWay() throws {
        let handler: StreamingHandler
        do {
            let server = try StreamingServer()
            handler = server.handler
            let client = try server.client()
            try client.send(Self.sized("/sum", pattern(50_000)).dropLast(10))
            let other = try server.client()
            try other.send(Self.sized("/held", pattern(50_000)))
            _ = handler.bodies.next()
        }
        #expect(handler.ends.next() == .some(nil))
    }

    @Test func bytesOfTLSAreTaken() throws {
        let identity = try TLSIdentity.localhost()
        let server = try StreamingServer(
            tls: TLSSettings(offersHTTP2: false, onClientHello: { _ in .identity(identity) }))
        let client = try TLSClient.connected(to: server.port)
        let body = pattern(3_000_000)
        try client.send(Self.sized("/sum", body) + Self.chunked("/sum", body, of: 99_999))
        let expected = Self.answer(body, announced: true) + Self.answer(body, announced: false)
        #expect(client.receive(expected.count).bytes == expected)
    }

    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func memoryStaysFlat() async {
        await #expect(processExitsWith: .success) {
            let server = try StreamingServer()
            let client = try server.client()
            let portion = [UInt8](repeating: 0x78, count: 1 << 20)
            let before = try #require(ProcessFacts.residentBytes)
            var highest = before
            try client.send(Self.head("/sum", "Content-Length: \(256 << 20)"))
            for _ in 0..<256 {
                try client.send(portion)
                highest = max(highest, ProcessFacts.residentBytes ?? 0)
            }
            #expect(client.receive(until: "announced \(256 << 20)", within: 60_000).text.contains("\(256 << 20)"))
            #expect(highest - before < 24 << 20, "a body of 256 MiB cost \(highest - before) bytes")
        }
    }
}
