import SDHTTPTransport
import SDTestSupport
import Testing

/// Transforms of scripts do the same to every body, whatever it was made of.
@Suite struct ScriptTransformTests {
    /// What bodies are made of.
    enum Made: CaseIterable, CustomTestStringConvertible {
        case constant, chunked, large, largeChunked, dribbled, dribbledByLength, largeDribbled, paced
        case file, fileChunked, fileDribbled

        var count: Int {
            switch self {
            case .large, .largeChunked, .largeDribbled: 40_000
            default: 1000
            }
        }

        private var announced: Announced { isByLength ? .length : .chunks }

        var isByLength: Bool {
            switch self {
            case .constant, .large, .dribbledByLength, .file: true
            default: false
            }
        }

        private var steps: [WireStep] {
            let bytes = WireBytes(pattern(count))
            switch self {
            case .constant, .chunked, .large, .largeChunked: return [.body(bytes)]
            case .file, .fileChunked: return [.file(patternFile(count))]
            case .fileDribbled:
                let file = patternFile(count)
                return [0..<1, 1..<(count / 2), (count / 2)..<count].flatMap {
                    [.wait(nanoseconds: milliseconds(1)), .file(file[$0])]
                }
            case .paced: return [.pace(bytes, 0..<count, bytesPerSecond: 100_000)]
            case .dribbled, .dribbledByLength, .largeDribbled:
                let pieces = [0..<1, 1..<(count / 2), (count / 2)..<count]
                return pieces.flatMap { [.wait(nanoseconds: milliseconds(1)), .body(bytes, $0)] }
            }
        }

        func script(_ end: WireStep = .end(.keepAlive)) -> WireScript {
            WireScript([.head(announced.head(count, [("X-A", "b")]))] + steps + [end])
        }

        var testDescription: String { "\(self)" }
    }

    /// In the middle of a piece, at its edges, at nothing and at all.
    private static func places(_ made: Made) -> [Int] {
        [0, 1, 2, made.count / 2, made.count - 1, made.count]
    }

    @Test(arguments: Made.allCases, Framing.allCases)
    func aCutBodyHasOnlyTheBytesBeforeTheCut(made: Made, framing: Framing) throws {
        for (abort, ending) in [(WireStep.Abort.fin, RawClient.Ending.fin), (.rst, .rst)] {
            for count in Self.places(made) {
                let observer = EndObserver()
                let received = try framing.run(
                    made.script().cut(after: count, then: .abort(abort)), observer: observer)
                #expect(received.ending == ending, "\(count)")
                let body = framing.body(of: received.bytes)
                #expect(body.bytes == Array(pattern(made.count).prefix(count)), "\(count)")
                // All that was promised may be there; an end that is to be told is not told.
                #expect(body.isComplete == (framing == .http1 && made.isByLength && count == made.count), "\(count)")
                #expect(observer.ends.next()?.outcome == .aborted)
            }
        }
    }

    @Test(arguments: Made.allCases, Framing.allCases)
    func aBodyCutInOrderIsACompleteShorterOne(made: Made, framing: Framing) throws {
        for count in Self.places(made) {
            let received = try framing.run(
                made.script(.end(.close)).cut(after: count, then: .finish))
            #expect(received.ending == .fin)
            #expect(
                framing.body(of: received.bytes)
                    == ReceivedBody(Array(pattern(made.count).prefix(count)), isComplete: true), "\(count)")
        }
    }

    @Test(arguments: Made.allCases)
    func theConnectionContinuesAfterABodyCutInOrder(made: Made) throws {
        let cut = made.script().cut(after: 500, then: .finish)
        let server = try TestServer(limits: .patient) { request, reply in
            if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
            reply.send(cut)
        }
        let client = try server.client()
        try client.send(get("/cut") + get("/"))
        let received = client.receive(until: "[Host]=[a]").bytes
        let next = try #require(received.firstRange(of: wire("HTTP/1.1 200 OK\r\nContent-Length: 3")))
        #expect(
            Framing.http1.body(of: Array(received[..<next.lowerBound])) == ReceivedBody(pattern(500), isComplete: true))
    }

    @Test func aCutInsideOfAChunkLeavesTheChunkOpen() throws {
        let received = try Framing.http1.run(Made.chunked.script().cut(after: 3, then: .abort(.fin)))
        #expect(received.bytes.suffix(8).elementsEqual(wire("\r\n4\r\n").suffix(5) + pattern(3)))
    }

    @Test(arguments: [
        Made.constant.script(), Made.chunked.script(.abort(.fin)), script(.abort(.rst)),
        script(bytes("x"), .end(.close)),
    ])
    func aShorterBodyIsNotCut(script: WireScript) throws {
        let plain = try Framing.http1.run(script.replacingEnd(with: .end(.close)))
        for end in [WireScript.CutEnd.finish, .abort(.rst)] {
            let cut = script.cut(after: 1001, then: end).cut(after: -1, then: end)
            #expect(try Framing.http1.run(cut.replacingEnd(with: .end(.close))) == plain)
        }
    }

    @Test func aLengthThatPromisesMoreClosesTheConnection() throws {
        var head = ResponseHead(status: 200, reason: "OK")
        head.add("content-length", "100")
        let short = script(.head(head), .body(WireBytes(wire("hello"))), .end(.keepAlive))
        expectWire(
            try Framing.http1.run(short.cut(after: 2, then: .finish)),
            "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhe", .fin)
    }

    @Test func trailersStayAfterACutInOrder() throws {
        let head = Announced.chunks.head(0)
        let answer = script(.head(head), .body(WireBytes(wire("hello"))), .end(.close, trailers: [("X-Sum", "1")]))
        expectWire(
            try Framing.http1.run(answer.cut(after: 2, then: .finish)),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n0\r\nX-Sum: 1\r\n\r\n", .fin)
    }

    @Test(arguments: Made.allCases, Framing.allCases)
    func aSlowedBodyTakesItsTime(made: Made, framing: Framing) throws {
        let rate = made.count * 5
        let clock = ContinuousClock()
        let began = clock.now
        let received = try framing.run(made.script(.end(.close)).slowed(toBytesPerSecond: UInt64(rate)))
        #expect(clock.now - began >= .milliseconds(198))
        #expect(framing.body(of: received.bytes) == ReceivedBody(pattern(made.count), isComplete: true))
    }

    @Test func aSlowerBodyStaysSlower() throws {
        let clock = ContinuousClock()
        let began = clock.now
        _ = try Framing.http1.run(
            Made.constant.script(.end(.close)).slowed(toBytesPerSecond: 5000).slowed(toBytesPerSecond: .max))
        #expect(clock.now - began >= .milliseconds(198))
    }

    @Test(arguments: Made.allCases)
    func anEndIsReplaced(made: Made) throws {
        let reset = try Framing.http1.run(made.script().replacingEnd(with: .abort(.rst)))
        #expect(reset.ending == .rst)
        #expect(Framing.http1.body(of: reset.bytes).bytes == pattern(made.count))
        let restored = made.script(.abort(.rst)).replacingEnd(with: .end(.close))
        let closed = try Framing.http1.run(restored)
        #expect(closed.ending == .fin)
        #expect(Framing.http1.body(of: closed.bytes) == ReceivedBody(pattern(made.count), isComplete: true))
    }

    @Test func transformsCombine() throws {
        let script = Made.largeChunked.script().cut(after: 1000, then: .abort(.rst)).cut(after: 10, then: .finish)
            .replacingEnd(with: .end(.close, trailers: [("X-A", "b")])).slowed(toBytesPerSecond: 100)
            .delayed(byNanoseconds: milliseconds(50))
        let clock = ContinuousClock()
        let began = clock.now
        let received = try Framing.http1.run(script)
        #expect(clock.now - began >= .milliseconds(148))
        #expect(Framing.http1.body(of: received.bytes) == ReceivedBody(pattern(10), isComplete: true))
        #expect(received.bytes.hasSuffix("\r\n0\r\nX-A: b\r\n\r\n"))
    }

    // MARK: Bodies that are given later

    /// Cut in what the answer begins with, in a piece, at its edges, and in the script that finishes it.
    @Test(arguments: [0, 1, 3, 4, 5, 103, 104, 106], Framing.allCases)
    func aBodyThatIsGivenLaterIsCut(count: Int, framing: Framing) throws {
        let body = pattern(107)
        for end in [WireScript.CutEnd.finish, .abort(.rst)] {
            let isAborted = if case .abort = end { true } else { false }
            let holding = try HoldingServer(framing) { _, reply, onEnd in
                let opening: [WireStep] = [.head(Announced.chunks.head(0)), .body(WireBytes(body), 0..<3)]
                return reply.hold(opening, shape: BodyShape().cut(after: count, then: end), onEnd: onEnd)
            }
            let client = try holding.server.client()
            try client.send(framing.request("/later"))
            let held = try #require(holding.held.next())
            held.send(WireBytes(Array(body[3..<4])))
            held.send(WireBytes(Array(body[4..<104])))
            held.finish(script(.body(WireBytes(body), 104..<107), .end(.keepAlive)))
            let received = client.receiveAll()
            #expect(received.ending == (isAborted ? .rst : .fin))
            #expect(
                framing.body(of: received.bytes) == ReceivedBody(Array(body.prefix(count)), isComplete: !isAborted))
            #expect(holding.ends.next()?.outcome == (isAborted ? .aborted : .sent))
            held.send(WireBytes(body))
            holding.server.settle()
            #expect(held.pendingBytes == 0)
        }
    }

    @Test func aBodyThatIsGivenLaterIsSlowed() throws {
        let holding = try HoldingServer { _, reply, onEnd in
            reply.hold(
                [.head(Announced.chunks.head(0))], shape: BodyShape().slowed(toBytesPerSecond: 1000), onEnd: onEnd)
        }
        let client = try holding.server.client()
        let clock = ContinuousClock()
        let began = clock.now
        try client.send(get("/later"))
        let held = try #require(holding.held.next())
        held.send(WireBytes(pattern(100)))
        held.finish(script(.body(WireBytes(pattern(100))), .end(.close)))
        #expect(
            ReceivedBody(of: client.receiveAll().bytes) == ReceivedBody(pattern(100) + pattern(100), isComplete: true))
        #expect(clock.now - began >= .milliseconds(198))
    }
}

/// What a shape leaves out of an answer.
@Suite struct OmissionTests {
    @Test(arguments: Framing.allCases)
    func anAnswerThatIsCutBeforeItsHeadHasNoByte(framing: Framing) throws {
        let answer = script(
            .head(ResponseHead(status: 103, reason: "Early Hints")), .wait(nanoseconds: milliseconds(1)),
            .head(Announced.length.head(5)), .body(WireBytes(wire("hello"))), .end(.keepAlive))
        var shape = BodyShape().cut(at: .nothing, then: .rst)
        let received = try framing.run(shape.apply(to: answer))
        #expect(framing.body(of: received.bytes).bytes.isEmpty)
        if framing == .http1 { expectWire(received, "", .rst) }
    }

    @Test func trailersThatAreDroppedLeaveTheEndOfTheBody() throws {
        let head = Announced.chunks.head(0)
        let answer = script(.head(head), .body(WireBytes(wire("hello"))), .end(.close, trailers: [("X-Sum", "1")]))
        let applied = Locked(0)
        var shape = BodyShape().withoutTrailers { _ in applied.withLock { $0 += 1 } }
        expectWire(
            try Framing.http1.run(shape.apply(to: answer)),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", .fin)
        #expect(applied.withLock { $0 } == 1)
        // Without trailers nothing is left out.
        _ = shape.apply(to: script(.head(head), .body(WireBytes(wire("hello"))), .end(.close)))
        #expect(applied.withLock { $0 } == 1)
    }
}
