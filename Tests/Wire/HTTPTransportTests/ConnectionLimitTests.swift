import SDHTTPTransport
import SDTestSupport
import Testing

/// As many connections as the server may have are open: who is idle gives way to who comes.
@Suite struct ConnectionLimitTests {
    /// A server with few places. It answers `/` at once, and keeps all other replies.
    private struct CrowdedServer {
        let server: TestServer
        let held = Events<HeldReply>()

        init(places: Int) throws {
            var limits = ServerLimits.patient
            limits.connections = places
            server = try TestServer(limits: limits) { [held] request, reply in
                if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
                held.tell(HeldReply(reply))
            }
        }

        /// A client that was answered, and is idle.
        func idleClient() throws -> RawClient {
            let client = try server.client()
            try client.send(get("/"))
            expectWire(client.receive(ConnectionLimitTests.echoed.count), ConnectionLimitTests.echoed, .open)
            return client
        }
    }

    private static let echoed = answered("GET / HTTP/1.1 keep\n[Host]=[a]")

    @Test func theLongestIdleGivesWayToANewcomer() throws {
        let crowded = try CrowdedServer(places: 3)
        let longest = try crowded.idleClient()
        let others = try [crowded.idleClient(), crowded.idleClient()]
        _ = try crowded.idleClient()
        expectWire(longest.receiveAll(), "", .fin)
        for client in others {
            try client.send(get("/"))
            expectWire(client.receive(Self.echoed.count), Self.echoed, .open)
        }
    }

    @Test func oneWithoutARequestGivesWayToo() throws {
        let crowded = try CrowdedServer(places: 2)
        let silent = try [crowded.server.client(), crowded.server.client()]
        let newcomers = try [crowded.idleClient(), crowded.idleClient()]
        for client in silent { expectWire(client.receiveAll(), "", .fin) }
        for client in newcomers { #expect(client.receiveUntilQuiet(milliseconds: 10).bytes.isEmpty) }
    }

    @Test func nobodyGivesWayToNobody() throws {
        let crowded = try CrowdedServer(places: 2)
        let clients = try [crowded.idleClient(), crowded.idleClient()]
        for client in clients { #expect(client.receiveUntilQuiet(milliseconds: 300).ending == .open) }
    }

    @Test(arguments: [
        "GET /busy HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
    ])
    func whoIsInTheMiddleOfARequestDoesNot(_ begun: String) throws {
        let crowded = try CrowdedServer(places: 1)
        let busy = try crowded.server.client()
        try busy.send(begun)
        let reply = begun.contains("busy") ? crowded.held.next() : nil
        crowded.server.settle()
        let newcomer = try crowded.server.client()
        try newcomer.send(get("/"))
        #expect(newcomer.receiveUntilQuiet(milliseconds: 200) == RawClient.Received([], .open))
        #expect(busy.receiveUntilQuiet(milliseconds: 10).ending == .open)
        busy.reset()
        expectWire(newcomer.receive(Self.echoed.count), Self.echoed, .open)
        reply?.drop()
    }

    @Test func whoBecomesIdleGivesWayToWhoWaits() throws {
        let crowded = try CrowdedServer(places: 1)
        let busy = try crowded.server.client()
        try busy.send(get("/busy"))
        let reply = try #require(crowded.held.next())
        let newcomer = try crowded.server.client()
        try newcomer.send(get("/"))
        #expect(newcomer.receiveUntilQuiet(milliseconds: 100).bytes.isEmpty)
        reply.send(script(answer("done"), .end(.keepAlive)))
        expectWire(newcomer.receive(Self.echoed.count), Self.echoed, .open)
        expectWire(busy.receiveAll(), answered("done"), .fin)
    }

    @Test func manyClientsShareFewPlaces() throws {
        let crowded = try CrowdedServer(places: 2)
        let clients = try (0..<40).map { _ in
            let client = try crowded.server.client()
            try client.send(get("/"))
            return client
        }
        for client in clients { expectWire(client.receive(Self.echoed.count, within: 30_000), Self.echoed, .open) }
    }
}
