import SDCReactor
import SDTestSupport
import Testing

@testable import SDHTTPTransport
@testable import SDWireValues

/// One script, and what becomes of it on streams of two kinds.
@Suite struct FramingTests {
    private static let fields = [("X-A", "b"), ("Connection", "close")]

    private func answer(_ announced: Announced, _ body: [UInt8], trailers: [(String, String)] = []) -> WireScript {
        script(
            .head(announced.head(body.count, Self.fields)), .body(WireBytes(body)), .end(.close, trailers: trailers))
    }

    /// In one block with the script, and too large for that.
    @Test(arguments: [0, 5, 255, 32_000, 100_000])
    func aConstantAnswerIsFramedByItsLength(count: Int) throws {
        let body = pattern(count)
        let constant = answer(.length, body)
        let head = "HTTP/1.1 200 OK\r\nX-A: b\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n"
        expectWire(try Framing.http1.run(constant), wire(head) + body, .fin)

        let frames = Frame.all(try Framing.frames.run(constant).bytes)
        #expect(
            frames.prefix(5).map(\.description) == ["H(200)", "N(X-A)", "V(b)", "N(Content-Length)", "V(\(count))"])
        #expect(frames.dropFirst(5).map(\.kind) == (count == 0 ? ["E"] : ["D", "E"]))
        #expect(frames[5].bytes == body)
    }

    @Test(arguments: [0, 5, 255, 32_000, 100_000])
    func aConstantAnswerIsFramedInChunks(count: Int) throws {
        let body = pattern(count)
        let constant = answer(.chunks, body)
        let head = "HTTP/1.1 200 OK\r\nX-A: b\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        let size = String(count, radix: 16, uppercase: true)
        let chunk = count == 0 ? [] : wire("\(size)\r\n") + body + wire("\r\n")
        expectWire(try Framing.http1.run(constant), wire(head) + chunk + wire("0\r\n\r\n"), .fin)

        let frames = Frame.all(try Framing.frames.run(constant).bytes)
        #expect(frames.prefix(3).map(\.description) == ["H(200)", "N(X-A)", "V(b)"])
        #expect(frames.dropFirst(3).map(\.kind) == (count == 0 ? ["E"] : ["D", "E"]))
        #expect(frames[3].bytes == body)
    }

    @Test(arguments: [5, 100_000])
    func trailersFollowTheLastChunk(count: Int) throws {
        let body = pattern(count)
        let trailers = [("X-Sum", "1"), ("X-Sum", "2")]
        let received = try Framing.http1.run(answer(.chunks, body, trailers: trailers))
        #expect(received.bytes.hasSuffix("\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n"))
        #expect(Framing.http1.body(of: received.bytes) == ReceivedBody(body, isComplete: true))

        let frames = Frame.text(try Framing.frames.run(answer(.chunks, body, trailers: trailers)).bytes)
        #expect(frames.hasSuffix(") N(X-Sum) V(1) N(X-Sum) V(2) E()"))
    }

    @Test func trailersAfterALengthAreSentOnlyIfTheFramingHasAPlace() throws {
        let answer = answer(.length, wire("abc"), trailers: [("X-Sum", "1")])
        expectWire(
            try Framing.http1.run(answer),
            "HTTP/1.1 200 OK\r\nX-A: b\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc", .fin)
        #expect(Frame.text(try Framing.frames.run(answer).bytes).hasSuffix("D(abc) N(X-Sum) V(1) E()"))
    }

    /// More parts than one write takes, and parts of a head that are sent before others.
    @Test func aHeadMayHaveManyFields() throws {
        let fields = (1...200).map { ("X-\($0)", "value \($0)") }
        let many = script(.head(Announced.chunks.head(1, fields)), .body(WireBytes([0x78])), .end(.close))
        let expected = fields.map { "N(\($0)) V(\($1))" }.joined(separator: " ")
        #expect(Frame.text(try Framing.frames.run(many).bytes) == "H(200) \(expected) D(x) E()")
    }

    @Test(arguments: Framing.allCases)
    func rawBytesAreNotPartOfTheBody(framing: Framing) throws {
        let broken = script(.head(Announced.chunks.head(0)), .raw(WireBytes(wire("zz"))), .abort(.fin))
        let received = try framing.run(broken)
        switch framing {
        case .http1: expectWire(received, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz", .fin)
        case .frames: #expect(Frame.text(received.bytes) == "H(200) R(zz) X()")
        }
    }

    @Test func noFieldForgesAnother() throws {
        var head = ResponseHead(status: 7, reason: "a\r\nX: y\u{0}\u{e9}\u{20ac}")
        head.add("a:b\r\nc", "d\r\nX: y\u{0}\u{ff}\u{1f600}")
        head.add("", "")
        let text = "HTTP/1.1 007 a??X: y?\u{e9}?\r\na?b??c: d  X: y \u{ff} \r\n: \r\n\r\n"
        expectWire(try Framing.http1.run(script(.head(head), .end(.close))), text, .fin)
        let frames = Frame.text(try Framing.frames.run(script(.head(head), .end(.close))).bytes)
        #expect(frames == "H(7) N(a?b??c) V(d  X: y \\xff ) N() V() E()")
    }

    /// What spares the kernel's work for a vector, and the cache's for a second place.
    @Test(arguments: Announced.allCases)
    func aUsualAnswerIsContiguous(announced: Announced) {
        let constant = answer(announced, pattern(1000))
        let steps = UnsafeBufferPointer(start: constant.block.steps, count: Int(constant.block.header.count))
        #expect(steps.count == 3)
        #expect(constant.block.header.kept.isEmpty)
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(step.bytes.map { $0 + Int(step.length) } == next.bytes)
        }
    }

    // MARK: Bodies that are given later

    @Test(arguments: Framing.allCases, Announced.allCases)
    func aBodyThatIsGivenLaterIsFramedByTheStream(framing: Framing, announced: Announced) throws {
        let large = pattern(50_000)
        let holding = try HoldingServer(framing) { _, reply, onEnd in
            reply.hold([.head(announced.head(50_003))], onEnd: onEnd)
        }
        let client = try holding.server.client()
        try client.send(framing.request("/later"))
        let held = try #require(holding.held.next())
        try withBackgroundWork {
            held.send(WireBytes(wire("ab")))
            held.send(WireBytes([]))
            held.send(WireBytes(large))
            held.send(WireBytes(wire("c")))
            held.finish(script(.end(.close, trailers: [("X-Sum", "1")])))
        } during: {
            let received = client.receiveAll()
            #expect(received.ending == .fin)
            #expect(framing.body(of: received.bytes) == ReceivedBody(wire("ab") + large + wire("c"), isComplete: true))
            switch (framing, announced) {
            case (.frames, _): #expect(Frame.text(received.bytes).hasSuffix("D(50003 bytes) N(X-Sum) V(1) E()"))
            case (.http1, .chunks): #expect(received.bytes.hasSuffix("\r\n1\r\nc\r\n0\r\nX-Sum: 1\r\n\r\n"))
            case (.http1, .length): break
            }
        }
        #expect(holding.ends.next()?.outcome == .sent)
    }
}
