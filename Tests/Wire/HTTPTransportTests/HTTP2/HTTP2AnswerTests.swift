import SDHTTPTransport
import SDTestSupport
import Testing

/// How answers are sent on the streams of HTTP/2.
@Suite struct HTTP2AnswerTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let name: String
        let script: @Sendable () -> WireScript
        /// The header blocks that come.
        let blocks: [String]
        let body: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ blocks: [String], _ body: [UInt8] = [], _ script: @escaping @Sendable () -> WireScript) {
            self.name = name
            self.blocks = blocks
            self.body = body
            self.script = script
        }
    }

    private static func head(_ status: Int, _ fields: [(String, String)] = []) -> WireStep {
        var head = ResponseHead(status: status, reason: "Any")
        for (name, value) in fields { head.add(name, value) }
        return .head(head)
    }

    private static let large = pattern(300_000)

    static let answers = [
        Answer("a short body", [":status: 200\n"], wire("half")) {
            script(head(200), HTTP2Handler.half, .end(.keepAlive))
        },
        Answer("fields", [":status: 404\nx-a: b\nx-a: c d\n"]) {
            script(head(404, [("X-A", "b"), ("X-A", " c d ")]), .end(.keepAlive))
        },
        Answer("fields of the connection", [":status: 200\nx: y\n"]) {
            script(
                head(200, [("Connection", "x"), ("Keep-Alive", "y"), ("Transfer-Encoding", "chunked"), ("X", "y")]),
                .end(.keepAlive))
        },
        Answer("many fields", [":status: 200\n" + (0..<100).map { "x-\($0): \($0)\n" }.joined()]) {
            script(head(200, (0..<100).map { ("X-\($0)", "\($0)") }), .end(.keepAlive))
        },
        Answer("no body", [":status: 204\n"]) { script(head(204), .end(.keepAlive)) },
        Answer("an empty body", [":status: 200\n"]) { script(head(200), .body(WireBytes([])), .end(.keepAlive)) },
        Answer("a length without its body", [":status: 200\ncontent-length: 5\n"]) {
            script(head(200, [("Content-Length", "5")]), .end(.keepAlive))
        },
        Answer("informational answers", [":status: 103\nlink: a\n", ":status: 200\n"], wire("half")) {
            script(head(103, [("Link", "a")]), head(200), HTTP2Handler.half, .end(.keepAlive))
        },
        Answer("trailers", [":status: 200\n", "x-sum: 7\n"], wire("half")) {
            script(head(200), HTTP2Handler.half, .end(.keepAlive, trailers: [("X-Sum", "7")]))
        },
        Answer("trailers without a body", [":status: 200\n", "x-sum: 7\n"]) {
            script(head(200), .end(.keepAlive, trailers: [("X-Sum", "7")]))
        },
        Answer("pieces", [":status: 200\n"], wire("halfhalfhalf")) {
            script(
                head(200), HTTP2Handler.half, HTTP2Handler.half, .body(WireBytes([])), HTTP2Handler.half,
                .end(.keepAlive))
        },
        Answer("waits", [":status: 200\n"], wire("halfhalf")) {
            let wait = WireStep.wait(nanoseconds: milliseconds(5))
            return script(wait, head(200), wait, HTTP2Handler.half, wait, HTTP2Handler.half, wait, .end(.keepAlive))
        },
        Answer("a large body", [":status: 200\n"], large) {
            script(head(200), .body(WireBytes(large)), .end(.keepAlive))
        },
        Answer("a large body in pieces", [":status: 200\n"], large) {
            let bytes = WireBytes(large)
            let pieces = stride(from: 0, to: large.count, by: 700).map {
                WireStep.body(bytes, $0..<min($0 + 700, large.count))
            }
            return WireScript([head(200)] + pieces + [.end(.keepAlive)])
        },
        Answer("a file", [":status: 200\n"], pattern(200_000)) {
            script(head(200), .file(patternFile(200_000)), .end(.keepAlive))
        },
        Answer("a file between pieces", [":status: 200\nx: y\n"], wire("half") + pattern(50_000) + wire("half")) {
            script(
                head(200, [("X", "y")]), HTTP2Handler.half, .file(patternFile(50_000)), HTTP2Handler.half,
                .end(.keepAlive))
        },
        Answer("a paced body", [":status: 200\n"], pattern(3000)) {
            script(head(200), .pace(WireBytes(pattern(3000)), 0..<3000, bytesPerSecond: 100_000), .end(.keepAlive))
        },
    ]

    @Test(arguments: answers)
    func itArrivesAsItIs(answer: Answer) throws {
        let script = answer.script
        let server = try HTTP2Server { _ in script() }
        let client = try server.client()
        try client.ask(1, "/")
        try client.ask(3, "/")
        for id in [UInt32(1), 3] {
            let stream = client.answer(id)
            #expect(stream.blocks == answer.blocks)
            #expect(stream.body.elementsEqual(answer.body))
            #expect(stream.end == .end)
            let end = try #require(server.handler.ends.next()).end
            #expect(end.outcome == .sent)
            #expect(end.bytesSent > answer.body.count)
        }
        #expect(client.goAway == nil && client.ending == .open)
    }

    @Test func answersGoOnSideBySide() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.ask(1, "/hold")
        try client.ask(3, "/keep")
        try client.ask(5, "/hour")
        try client.ask(7, "/now")
        #expect(client.answer(7).text.hasPrefix("GET /now"))
        let held = try #require(server.handler.held.next())
        held.send(WireBytes(wire("one")))
        client.wait { $0[1].text == "one" }
        try #require(server.handler.replies.next()).send(
            script(HTTP2Handler.head, HTTP2Handler.half, .end(.keepAlive)))
        #expect(client.answer(3).text == "half")
        held.send(WireBytes(wire("two")))
        held.finish(script(.end(.keepAlive)))
        #expect(client.answer(1).text == "onetwo")
        #expect(client[5].text == "half" && client[5].end == .open)
    }

    /// The body of one stream comes in pieces between those of another.
    @Test func largeAnswersTakeTurns() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(
            HTTP2Client.head(1, "/file"), HTTP2Client.head(3, "/large"), HTTP2Client.head(5, "/large"))
        for id in [UInt32(1), 3, 5] { #expect(client.answer(id).body.elementsEqual(HTTP2Handler.large)) }
        let turns = zip(client.order, client.order.dropFirst()).count { $0 != $1 }
        #expect(turns > 20)
    }

    @Test func theWindowsOfTheClientHoldWhatIsSent() throws {
        let server = try HTTP2Server()
        let client = try server.client(settings: [(4, 1000)])
        client.grants = false
        try client.ask(1, "/large")
        try client.ask(3, "/file")
        client.wait { $0[1].body.count + $0[3].body.count == 2000 }
        // Other streams, and what has no body, are not held.
        try client.settle()
        #expect(client[1].body.count == 1000 && client[3].body.count == 1000)
        try client.grant(3, 5000)
        client.wait { $0[3].body.count == 6000 }
        try client.settle()
        #expect(client[1].body.count == 1000)
        // Now the connection's window is what holds.
        try client.send((0..<2).map { HTTP2Frame(.windowUpdate, stream: 1 + $0 * 2, HTTP2Frame.number(1_000_000)) })
        client.wait { $0[1].body.count + $0[3].body.count == 65_535 }
        try client.settle()
        #expect(client[1].body.count + client[3].body.count == 65_535)
        try client.grant(0, 1_000_000)
        #expect(client.answer(1).body.elementsEqual(HTTP2Handler.large))
        #expect(client.answer(3).body.elementsEqual(HTTP2Handler.large))
    }

    @Test func aStreamWhoseWindowStaysShutIsDroppedAndTheOthersGoOn() throws {
        var limits = ServerLimits.http2
        limits.idleTimeout = 2_000
        let server = try HTTP2Server(limits: limits)
        let client = try server.client(settings: [(4, 1000)])
        client.grants = false
        try client.send(HTTP2Client.head(1, "/large"), HTTP2Client.head(3, "/hour"))
        client.wait { $0[1].end != .open && $0[3].text == "half" }
        #expect(client[1].end == .reset(8))
        #expect(server.handler.ends.next()?.end.outcome == .clientStalled)
        #expect(client[3].text == "half" && client[3].end == .open && client.ending == .open)
    }

    @Test func aClientThatReadsNothingIsCutOff() throws {
        var limits = ServerLimits.http2
        limits.idleTimeout = 2_000
        let server = try HTTP2Server(limits: limits) { _ in
            script(HTTP2Handler.head, .body(WireBytes([UInt8](repeating: 0x78, count: 30_000_000))), .end(.keepAlive))
        }
        let client = try server.client(settings: [(4, 0x7fff_ffff)])
        client.raw.shrinkReceiveBuffer(to: 4096)
        try client.grant(0, 0x7000_0000)
        try client.ask(1, "/")
        #expect(server.handler.ends.next()?.end.outcome == .clientStalled)
    }

    /// The windows let all of it through, and the socket does not: it takes no more than 4 MiB where Linux is as it comes.
    @Test func whatTheSocketDoesNotTakeAtOnceFollows() throws {
        let whole = pattern(16_000_000)
        let bytes = WireBytes(whole)
        let server = try HTTP2Server { path in
            path == "/file"
                ? script(HTTP2Handler.head, .file(patternFile(16_000_000)), .end(.keepAlive))
                : script(HTTP2Handler.head, .body(bytes), HTTP2Handler.half, .end(.keepAlive))
        }
        let client = try server.client(settings: [(4, 0x7fff_ffff)])
        client.grants = false
        client.raw.shrinkReceiveBuffer(to: 65_536)
        try client.grant(0, 0x7000_0000)
        try client.ask(1, "/")
        try client.ask(3, "/file")
        // Nothing is read until both wait for the socket, or have waited long enough to.
        #expect(server.handler.ends.next(within: 100) == nil)
        let (same, file) = (client.answer(1).body == whole + wire("half"), client.answer(3).body == whole)
        #expect(same && file)
        #expect((1...2).allSatisfy { _ in server.handler.ends.next()?.end.outcome == .sent })
    }

    @Test func aFileThatBecomesShorterResetsItsStream() throws {
        let file = TestFile(size: 5000)
        let part = file.part
        file.truncate(to: 1000)
        let server = try HTTP2Server { path in
            path != "/short" ? nil : script(HTTP2Handler.head, .file(part), .end(.keepAlive))
        }
        let client = try server.client()
        try client.ask(1, "/short")
        #expect(client.answer(1).end == .reset(2))
        #expect(server.handler.ends.next()?.end.outcome == .aborted)
        try client.ask(3, "/next")
        #expect(client.answer(3).end == .end)
    }

    @Test func waitsArePartOfTheirStreamAlone() throws {
        let server = try HTTP2Server { path in
            path == "/now"
                ? nil
                : script(
                    .wait(nanoseconds: milliseconds(1_000)), HTTP2Handler.head, HTTP2Handler.half, .end(.keepAlive))
        }
        let client = try server.client()
        let began = ContinuousClock.now
        try client.send((0..<10).map { HTTP2Client.head(1 + $0 * 2, "/wait") } + [HTTP2Client.head(21, "/now")])
        client.answer(21)
        #expect(client.order.first == 21)
        for id in 0..<UInt32(10) { client.answer(1 + id * 2) }
        #expect(ContinuousClock.now - began >= .seconds(1))
        #expect(ContinuousClock.now - began < .seconds(8))
    }
}
