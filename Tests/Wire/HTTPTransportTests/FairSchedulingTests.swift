import SDHTTPTransport
import SDTestSupport
import Testing

/// A client that sends many requests at once does not keep others waiting for all of its answers.
@Suite struct FairSchedulingTests {
    private let clock = ContinuousClock()

    /// A server that notes the paths of its requests. Its first request waits until `goOn` is told, so that a test can
    /// get everything onto its way meanwhile.
    private struct NotingServer {
        let server: TestServer
        let paths = Locked<[String]>([])
        let begun = Events<Void>()
        let goOn = Events<Void>()

        init(_ work: @escaping @Sendable (String) -> Void = { _ in }) throws {
            server = try TestServer { [paths, begun, goOn] request, reply in
                let path = String(decoding: request.path, as: UTF8.self)
                let isFirst = paths.withLock { paths in
                    paths.append(path)
                    return paths.count == 1
                }
                if isFirst {
                    begun.tell(())
                    _ = goOn.next()
                }
                work(path)
                reply.send(script(answer(path), .end(.keepAlive)))
            }
        }

        /// The number of requests that were served before that of a path; nil if it was not served.
        func place(of path: String) -> Int? { paths.withLock { $0.firstIndex(of: path) } }
    }

    private func requests(_ count: Int, _ name: String = "") -> String {
        (0..<count).map { get("/\(name)\($0)") }.joined()
    }

    private func answers(_ count: Int, _ name: String = "") -> [UInt8] {
        (0..<count).flatMap { answered("/\(name)\($0)") }
    }

    /// Sends `count` requests by one client, and one by another while the first is being answered.
    /// - Returns: how many were served before the other's.
    private func placeOfAnother(than count: Int, _ work: @escaping @Sendable (String) -> Void = { _ in }) throws -> Int
    {
        let noting = try NotingServer(work)
        let many = try noting.server.client()
        let other = try noting.server.client()
        try many.send(requests(count))
        try #require(noting.begun.next() != nil)
        try other.send(get("/other"))
        noting.goOn.tell(())
        expectWire(other.receive(answered("/other").count), answered("/other"), .open)
        let expected = answers(count)
        expectWire(many.receive(expected.count, within: 30_000), expected, .open)
        return try #require(noting.place(of: "/other"))
    }

    @Test func cheapRequestsOfOneWriteLeaveOthersTheirTurn() throws {
        let place = try placeOfAnother(than: 1200)
        #expect(place < 200)
    }

    @Test func dearRequestsOfOneWriteLeaveOthersTheirTurnSooner() throws {
        let place = try placeOfAnother(than: 40) { [clock] path in
            let end = clock.now + .milliseconds(6)
            while path != "/other", clock.now < end {}
        }
        #expect(place <= 2)
    }

    @Test func twoThatSendManyTakeTurns() throws {
        let noting = try NotingServer()
        let clients = try ["a", "b"].map { name in (name: name, client: try noting.server.client()) }
        try clients[0].client.send(requests(1000, "a"))
        try #require(noting.begun.next() != nil)
        try clients[1].client.send(requests(1000, "b"))
        noting.goOn.tell(())
        for (name, client) in clients {
            let expected = answers(1000, name)
            expectWire(client.receive(expected.count), expected, .open)
        }
        let names = noting.paths.withLock { $0.map { $0.dropFirst().first } }
        let longest = names.split { $0 == "a" }.map(\.count).max() ?? 0
        #expect(longest < 300, "\(longest) requests of one client in a row")
    }

    @Test func allThatWasSentBeforeTheClientClosedItsSideIsAnswered() throws {
        let noting = try NotingServer()
        let client = try noting.server.client()
        try client.send(requests(1000))
        client.finishSending()
        noting.goOn.tell(())
        expectWire(client.receiveAll(), answers(1000), .fin)
    }

    /// More than a connection keeps behind its turn, so that reading pauses meanwhile.
    @Test func aLongPipelineIsAnsweredInItsOrder() throws {
        let noting = try NotingServer()
        let client = try noting.server.client()
        noting.goOn.tell(())
        let count = 8000
        var rest = wire(requests(count))[...]
        let expected = answers(count)
        var received = RawClient.Received([], .open)
        while !rest.isEmpty, received.ending == .open {
            rest = rest.dropFirst(try client.sendWithoutWaiting(Array(rest)))
            let part = client.receiveUntilQuiet(milliseconds: 1)
            received = RawClient.Received(received.bytes + part.bytes, part.ending)
        }
        let last = client.receive(expected.count - received.bytes.count, within: 30_000)
        let isComplete = received.bytes + last.bytes == expected
        #expect(isComplete, "\(received.bytes.count + last.bytes.count) of \(expected.count) bytes")
    }

    @Test func whatIsNoWholeRequestYetWaitsForItsRest() throws {
        let noting = try NotingServer()
        let client = try noting.server.client()
        let body = String(repeating: "x", count: 40_000)
        let upload = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n" + body
        try client.send(requests(300) + upload.prefix(20))
        noting.goOn.tell(())
        let first = answers(300)
        expectWire(client.receive(first.count), first, .open)
        try client.send(String(upload.dropFirst(20)) + requests(300) + upload.prefix(20_000))
        let second = answered("/upload") + first
        expectWire(client.receive(second.count), second, .open)
        try client.send(String(upload.dropFirst(20_000)))
        expectWire(client.receive(answered("/upload").count), answered("/upload"), .open)
    }

    @Test func aServerMayEndWhileSomebodyWaitsForATurn() throws {
        for round in 1...20 {
            let noting = try NotingServer()
            let clients = try (0..<3).map { _ in try noting.server.client() }
            for client in clients { try client.send(requests(1000)) }
            noting.goOn.tell(())
            if round % 2 == 0 { noting.server.server.drain(milliseconds: 5_000) }
            if round % 4 == 0 { clients[0].reset() }
            noting.server.server.stopAndWait()
        }
    }

    /// A draining server answers the request that it has begun, and says that it is the last.
    @Test func aDrainingServerEndsAPipeline() throws {
        let noting = try NotingServer()
        let client = try noting.server.client()
        try client.send(requests(1000))
        try #require(noting.begun.next() != nil)
        noting.server.server.drain(milliseconds: 30_000)
        noting.goOn.tell(())
        let received = client.receiveAll()
        #expect(received.ending != .open)
        #expect(received.bytes.starts(with: answered("/0")))
    }
}
