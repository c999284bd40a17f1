import SDHTTPTransport
import SDTestSupport
import Testing

/// A stream that has asked for it is given what its client sends after the request.
@Suite struct InputTests {
    private static let opening = WireStep.head(ResponseHead(status: 101, reason: "Switching Protocols"))
    private static let openingText = "HTTP/1.1 101 Switching Protocols\r\n\r\n"

    /// A server that sends back what comes after a request, until a `!` comes.
    private struct Echo {
        let server: TestServer
        let late = Events<HeldReply>()
        let held = Events<StreamingReply>()
        let inputs = Events<[UInt8]>()
        let ends = Events<StreamEnd>()

        init(_ framing: Framing = .http1, limits: ServerLimits = .patient) throws {
            server = try TestServer(limits: limits, listen: framing.listen) {
                [late, held, inputs, ends] request, reply in
                switch String(decoding: request.path, as: UTF8.self) {
                case "/": answerWithEcho(request, reply)
                case "/late": late.tell(HeldReply(reply))
                default: Self.open(reply, held, inputs, ends)
                }
            }
        }

        static func open(
            _ reply: consuming Reply, _ held: Events<StreamingReply>, _ inputs: Events<[UInt8]>,
            _ ends: Events<StreamEnd>
        ) {
            // Bytes that came before the answer are given before the stream is known here.
            let opened = Locked<(stream: StreamingReply?, early: [UInt8])>((nil, []))
            let stream = reply.hold(
                [opening],
                onInput: { bytes in
                    inputs.tell(bytes)
                    opened.withLock { opened in
                        if let stream = opened.stream { echo(bytes, stream) } else { opened.early += bytes }
                    }
                }, onEnd: { ends.tell($0) })
            opened.withLock { opened in
                opened.stream = stream
                echo(opened.early, stream)
            }
            held.tell(stream)
        }

        private static func echo(_ bytes: [UInt8], _ stream: StreamingReply) {
            stream.send(WireBytes(bytes))
            if bytes.contains(UInt8(ascii: "!")) { stream.finish(script(.end(.close))) }
        }

        func client() throws -> RawClient { try server.client() }
    }

    @Test(arguments: ["", "ab", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"])
    func whatFollowsARequestIsGivenToItsStream(first: String) throws {
        let echo = try Echo()
        let client = try echo.client()
        try client.send(get("/") + get("/echo") + first)
        _ = client.receive(until: "[Host]=[a]")
        let begin = Self.openingText + first
        #expect(client.receive(begin.utf8.count).text == begin)
        for piece in ["c", "\u{0}\r\n\r\n", "GET /"] {
            try client.send(piece)
            #expect(client.receive(piece.utf8.count).text == piece)
        }
        try client.send("the end!")
        let rest = client.receiveAll()
        #expect(rest.text == "the end!" && rest.ending == .fin)
        #expect(echo.ends.next()?.outcome == .sent)
    }

    /// The bytes of a request that comes behind one with a body begin behind that.
    @Test(arguments: ["Content-Length: 3\r\n\r\nxyz", "Transfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n0\r\n\r\n"])
    func theBodyOfTheRequestIsNotInput(body: String) throws {
        let echo = try Echo()
        let client = try echo.client()
        try client.send("POST /echo HTTP/1.1\r\nHost: a\r\n" + body + "in!")
        #expect(client.receiveAll().text == Self.openingText + "in!")
    }

    /// What came before the answer is kept for it, more of it than behind a usual request.
    @Test(arguments: [10, 300_000])
    func aLateAnswerIsGivenWhatCameBefore(count: Int) throws {
        let echo = try Echo()
        let client = try echo.client()
        let input = pattern(count).map { $0 == UInt8(ascii: "!") ? 0 : $0 } + wire("!")
        try withBackgroundWork {
            let reply = echo.late.next()
            for _ in 1...3 { echo.server.settle() }
            if let reply = reply?.take() { Echo.open(reply, echo.held, echo.inputs, echo.ends) }
        } during: {
            try client.send(wire(get("/late")) + input)
        }
        #expect(client.receiveAll(within: 60_000).bytes == wire(Self.openingText) + input)
        #expect(echo.ends.next()?.outcome == .sent)
    }

    @Test(arguments: [false, true])
    func aClientThatLeavesEndsTheStream(byReset: Bool) throws {
        let echo = try Echo()
        let client = try echo.client()
        try client.send(get("/echo") + "ab")
        _ = client.receive(Self.openingText.utf8.count + 2)
        if byReset { client.reset() } else { client.close() }
        #expect(echo.ends.next()?.outcome == .clientDisconnected)
    }

    /// What the stream does not want yet waits with the client, and not in the server.
    @Test func aStreamThatStopsReadingHoldsItsClientBack() throws {
        let echo = try Echo()
        let client = try echo.client()
        try client.send(get("/echo") + "a")
        _ = client.receive(Self.openingText.utf8.count + 1)
        let held = try #require(echo.held.next())
        held.readInput(false)
        echo.server.settle()
        #expect(echo.inputs.next() == wire("a"))
        let chunk = [UInt8](repeating: 0x78, count: 65_536)
        var sent = 0
        while client.waitUntilSendable(milliseconds: 500) { sent += try client.sendWithoutWaiting(chunk) }
        echo.server.settle()
        #expect(sent > 0 && echo.inputs.next(within: 0) == nil)
        held.readInput(true)
        var received = 0
        while received < sent {
            let some = client.receiveSome().bytes.count
            if some == 0 { break }
            received += some
        }
        #expect(received == sent)
        try client.send("!")
        #expect(client.receiveAll().ending == .fin)
    }

    /// A protocol without a place for input does without: its stream is as any other.
    @Test func streamsOfAConnectionWithManyAreGivenNone() throws {
        let echo = try Echo(.frames)
        let client = try MuxClient(port: echo.server.port)
        try client.ask((1, "/echo"), (2, "/"))
        #expect(client.answer(to: 2)?.isWhole == true)
        try #require(echo.held.next()).finish(script(.end(.close)))
        #expect(client.answer(to: 1) == .whole("1 101\n"))
    }

    @Test func aServerThatDrainsEndsIt() throws {
        let echo = try Echo()
        let client = try echo.client()
        try client.send(get("/echo") + "a")
        _ = client.receive(Self.openingText.utf8.count + 1)
        echo.server.server.drain(milliseconds: 20_000)
        #expect(echo.ends.next()?.outcome == .stopped)
    }
}
