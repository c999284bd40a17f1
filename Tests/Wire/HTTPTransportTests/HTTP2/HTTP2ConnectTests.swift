import SDHTTPTransport
import SDTestSupport
import Testing

/// CONNECT over HTTP/2: its stream does not end before it is answered.
@Suite struct HTTP2ConnectTests {
    private static func connect(
        _ stream: UInt32, _ fields: [(String, String)] = [], ends: Bool = false
    ) -> HTTP2Frame {
        HTTP2Frame(
            .headers, HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0), stream: stream,
            HTTP2Frame.block([(":method", "CONNECT"), (":authority", "a.example:443")] + fields))
    }

    @Test(arguments: [[], [("content-length", "5")], [("expect", "100-continue")]])
    func itIsAnsweredAtOnce(fields: [(String, String)]) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(Self.connect(1, fields))
        // The answer has an end of its own, behind which the client is told to send no more.
        client.wait { $0[1].end == .reset(0) }
        #expect(client[1].end == .reset(0))
        #expect(client[1].status == "200")
        #expect(client[1].text.hasPrefix("CONNECT a.example:443"), "\(client[1].text)")
        try client.ask(3, "/next")
        #expect(client.answer(3).end == .end)
    }

    @Test func oneThatHasEndedIsAnswered() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(Self.connect(1, ends: true))
        #expect(client.answer(1).end == .end)
    }

    /// What comes for the other end of a tunnel that is none is passed over, and answered once.
    @Test func whatComesBehindItIsPassedOver() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        let many = (0..<100).map { ("x-\($0)", "v") }
        try client.send(
            Self.connect(1, many), HTTP2Frame(.data, stream: 1, wire("hello")),
            HTTP2Frame(.data, stream: 1, wire("more")),
            HTTP2Frame(
                .headers, HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1, HTTP2Frame.block([("a", "b")])),
            HTTP2Client.head(3, "/next"))
        #expect(client.answer(3).end == .end)
        #expect(client.answer(1).status == "200")
        try client.settle()
        #expect(client.ending == .open && client.goAway == nil)
        #expect(client[1].blocks.count == 1)
    }

    /// One that waits for its answer takes no bytes, and can be cancelled.
    @Test func itWaitsWithoutABody() throws {
        let server = try HTTP2Server { path in
            path == "/"
                ? script(.wait(nanoseconds: milliseconds(300)), HTTP2Handler.head, HTTP2Handler.half, .end(.keepAlive))
                : nil
        }
        let client = try server.client()
        try client.send(Self.connect(1), HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, wire("hello")))
        try client.send(Self.connect(3), HTTP2Frame(.resetStream, stream: 3, HTTP2Frame.number(8)))
        #expect(client.answer(1).text == "half")
        try client.settle()
        #expect(client[3].blocks.isEmpty && client.goAway == nil)
    }

    /// Fields behind a body that was refused have no place any more.
    @Test func trailersOfARefusedRequest() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        let many = [("content-length", "999999999")] + (0..<100).map { ("x-\($0)", "v") }
        try client.send(
            HTTP2Client.head(1, "/", method: "POST", many, ends: false),
            HTTP2Frame(
                .headers, HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1, HTTP2Frame.block([("a", "b")])),
            HTTP2Client.head(3, "/next"))
        #expect(client.answer(3).end == .end)
        // Less came than was announced.
        #expect(client.answer(1).end == .reset(1))
    }
}
