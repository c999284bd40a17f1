import SDHTTPTransport
import SDTestSupport
import Testing

/// The end of an answer that was cut says how much of its body was sent, whatever frames it.
@Suite struct BodySentTests {
    private func end(_ script: WireScript, _ framing: Framing) throws -> StreamEnd {
        let observer = EndObserver()
        _ = try framing.run(script, observer: observer)
        return try #require(observer.ends.next())
    }

    @Test(arguments: Framing.allCases, Announced.allCases)
    func aFaultCutsAtItsPlace(framing: Framing, announced: Announced) throws {
        let count = 300_000
        let bodies: [WireStep] = [.body(WireBytes(pattern(count))), .file(patternFile(count))]
        for body in bodies {
            let whole = script(.head(announced.head(count)), body, .end(.close))
            for place in [0, 1, 1337, 131_072, count - 1] {
                for abort in [WireStep.Abort.fin, .rst] {
                    let end = try end(whole.cut(after: place, then: .abort(abort)), framing)
                    #expect(end.outcome == .aborted)
                    #expect(end.bodyBytesSent == UInt64(place))
                }
            }
            #expect(try self.end(whole, framing).bodyBytesSent == nil)
        }
    }

    @Test(arguments: Framing.allCases, Announced.allCases)
    func allPiecesCountAndNothingElse(framing: Framing, announced: Announced) throws {
        let paced = WireBytes(pattern(40))
        let end = try end(
            script(
                .head(announced.head(1000, [("X-Long", String(repeating: "x", count: 300))])),
                .body(WireBytes(wire("one"))), .wait(nanoseconds: milliseconds(1)), .file(patternFile(77)),
                .raw(WireBytes(wire("no body"))), .pace(paced, 10..<40, bytesPerSecond: 100_000), .abort(.rst)),
            framing)
        #expect(end.bodyBytesSent == UInt64(3 + 77 + 30))
        #expect(end.bytesSent > 400)
    }

    @Test func anAnswerWithoutAByteHasNone() throws {
        for framing in Framing.allCases {
            #expect(try end(script(.abort(.rst)), framing).bodyBytesSent == UInt64(0))
        }
    }

    @Test(arguments: Framing.allCases)
    func theScriptsOfAStreamAreAdded(framing: Framing) throws {
        let holding = try HoldingServer(framing) { _, reply, onEnd in
            reply.hold([.head(Announced.chunks.head(0)), .body(WireBytes(wire("opening")))], onEnd: onEnd)
        }
        let client = try holding.server.client()
        try client.send(framing.request("/hold"))
        let held = try #require(holding.held.next())
        for text in ["a", "bc", "def"] { held.send(WireBytes(wire(text))) }
        _ = client.receive(until: "def")
        held.cancel()
        let end = try #require(holding.ends.next())
        #expect(end.outcome == .cancelled)
        #expect(end.bodyBytesSent == UInt64(13))
    }

    /// The system takes as much as it likes of what the client does not read, but the end says how much of it was the
    /// body's.
    @Test(arguments: [1, 3, 300], [false, true])
    func aClientLeavesInAnyPiece(pieces: Int, isFile: Bool) throws {
        let count = 30_000_000 / pieces
        let bytes = isFile ? nil : WireBytes([UInt8](repeating: 0x78, count: count))
        let file = isFile ? patternFile(count) : nil
        let body = try bytes.map { WireStep.body($0) } ?? .file(#require(file))
        for announced in Announced.allCases {
            let observer = EndObserver()
            let head = announced.head(count * pieces)
            let whole = WireScript([.head(head)] + Array(repeating: body, count: pieces) + [.end(.close)])
            let server = try TestServer(limits: .patient) { _, reply in reply.send(whole, observer: observer) }
            let client = try server.client()
            try client.send(get("/"))
            let headLength = try Framing.http1.run(script(.head(head), .abort(.fin))).bytes.count
            _ = client.receive(headLength + 1000)
            client.reset()
            let end = try #require(observer.ends.next())
            #expect(end.outcome == .clientDisconnected)
            let sent = Int(end.bytesSent) - headLength
            #expect(sent >= 1000)
            let lead = announced == .chunks ? String(count, radix: 16).count + 2 : 0
            let trail = announced == .chunks ? 2 : 0
            let (wholePieces, rest) = sent.quotientAndRemainder(dividingBy: lead + count + trail)
            let expected = wholePieces * count + min(max(rest - lead, 0), count)
            #expect(end.bodyBytesSent == UInt64(expected))
        }
    }
}
