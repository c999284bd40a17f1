import SDHTTPTransport
import SDTestSupport
import Testing

/// Bytes go both ways as they do in the clear.
@Suite(.timeLimit(.minutes(30))) struct SecuredTransferTests {
    static let versions = HandshakeTests.versions.map(\.0)

    static let large = (0..<(10 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test(arguments: versions)
    func pipelinedRequestsAreAnsweredInOrder(version: Int32) throws {
        let server = try securedServer()
        let client = try TLSClient.connected(to: server.port) { $0.version = version }
        try client.send((1...300).map { get("/\($0)") }.joined())
        let expected = (1...300).flatMap { echoOfGet("/\($0)") }
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test(arguments: versions, [false, true])
    func largeBodiesGoBothWays(version: Int32, slowly: Bool) throws {
        let server = try securedServer { request, reply in
            reply.send(script(.raw(WireBytes(plainAnswer(Array(request.body)))), .end(.close)))
        }
        let body = Self.large
        let client = try TLSClient.connected(to: server.port) {
            $0.version = version
            if slowly { $0.receiveBuffer = 65_536 }
        }
        try client.send(wire("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n") + body)
        let expected = plainAnswer(body)
        if slowly {
            var received = client.receive(100_000).bytes
            for pause in 1...5 {
                received += client.receiveSlowly(pause * 3000, portion: 1000, everyMilliseconds: 5).bytes
            }
            received += client.receive(expected.count - received.count).bytes
            #expect(received == expected)
        } else {
            #expect(client.receive(expected.count).bytes == expected)
        }
        #expect(client.receiveAll() == RawClient.Received([], .fin))
        #expect(client.sawFarewell)
    }

    @Test func filesAreSent() throws {
        let file = patternFile(1_000_001)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\n\r\n"
        let server = try securedServer { _, reply in
            reply.send(script(bytes(head), .file(file), .end(.keepAlive)))
        }
        let client = try TLSClient.connected(to: server.port)
        try client.send(get("/"))
        #expect(client.receive(head.utf8.count).text == head)
        #expect(client.receive(file.count).bytes.elementsEqual(pattern(file.count)))
    }

    @Test func manySmallPartsAreWhole() throws {
        let parts = (0..<500).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0 * 7 % 900) }
        let server = try securedServer { _, reply in
            let steps: [WireStep] = parts.map { .raw(WireBytes($0)) }
            reply.send(WireScript(steps + [.end(.close)]))
        }
        let client = try TLSClient.connected(to: server.port) { $0.receiveBuffer = 65_536 }
        try client.send(get("/"))
        #expect(client.receiveAll().bytes == parts.flatMap { $0 })
        #expect(client.sawFarewell)
    }

    @Test(arguments: versions)
    func aCutIsNoEnd(version: Int32) throws {
        let server = try securedServer { _, reply in
            reply.send(script(bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .abort(.cut)))
        }
        let client = try TLSClient.connected(to: server.port) { $0.version = version }
        try client.send(get("/"))
        let received = client.receiveAll()
        #expect(received.text.hasSuffix("\r\n\r\nabc"))
        #expect(received.ending == .fin)
        #expect(!client.sawFarewell)
    }

    @Test(arguments: [(WireStep.abort(.fin), RawClient.Ending.fin, true), (.abort(.rst), .rst, false)])
    func otherEndsAreWhatTheyAre(step: WireStep, ending: RawClient.Ending, farewell: Bool) throws {
        let server = try securedServer { _, reply in
            reply.send(script(bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), step))
        }
        let client = try TLSClient.connected(to: server.port)
        try client.send(get("/"))
        #expect(client.receiveAll().ending == ending)
        #expect(client.sawFarewell == farewell)
    }

    @Test func keysAreUpdated() throws {
        let server = try securedServer()
        let client = try TLSClient.connected(to: server.port)
        for number in 1...5 {
            try client.updateKeys()
            try client.send(get("/\(number)"))
            let expected = echoOfGet("/\(number)")
            expectWire(client.receive(expected.count), expected, .open)
        }
    }

    @Test func brokenRecordsEndTheConnection() throws {
        let server = try securedServer()
        let client = try TLSClient.connected(to: server.port)
        var record = try client.encrypted(wire(get("/")))
        record[record.count - 1] ^= 1
        try client.raw.send(record)
        #expect(client.receiveAll().ending != .open)
    }

    @Test func drainingEndsIdleConnectionsInOrder() throws {
        let held = Locked<HeldReply?>(nil)
        let asked = Events<Bool>()
        let server = try securedServer { request, reply in
            if request.url.elementsEqual(wire("/held")) {
                let reply = HeldReply(reply)
                held.withLock { $0 = reply }
                asked.tell(true)
            } else {
                answerWithEcho(request, reply)
            }
        }
        let idle = try TLSClient.connected(to: server.port)
        try idle.send(get("/a"))
        _ = idle.receive(echoOfGet("/a").count)
        let busy = try TLSClient.connected(to: server.port)
        try busy.send(get("/held"))
        #expect(asked.next() == true)
        server.server.drain(milliseconds: 60_000)
        #expect(idle.receiveAll() == RawClient.Received([], .fin))
        #expect(idle.sawFarewell)
        held.withLock { $0 }?.send(script(answer("late"), .end(.keepAlive)))
        expectWire(busy.receiveAll(), answered("late"), .fin)
        #expect(busy.sawFarewell)
    }
}
