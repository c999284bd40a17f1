import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// Answers whose bodies come through a relay, with all protocols.
@Suite struct RelayTests {
    /// A protocol of a client.
    enum Spoken: CaseIterable { case http1, http2 }

    /// What a client has got of an answer.
    struct Got: Equatable {
        var body: [UInt8] = []
        var isWhole = false
        /// The header blocks of HTTP/2, the last one of trailers.
        var blocks: [String] = []
    }

    private static let head = WireStep.head(Announced.chunks.head(0))

    /// What a client gets when the answer is made by `make`, on the loop's thread.
    private func got(
        _ spoken: Spoken, _ make: @escaping @Sendable (RelayedAnswer) -> Void
    ) throws -> Got {
        let server = try RelayingServer()
        switch spoken {
        case .http1:
            let client = try server.server.client()
            try client.send(get("/", "Connection: close\r\n"))
            try server.next().perform(make)
            let body = ReceivedBody(of: client.receiveAll().bytes)
            return Got(body: body.bytes, isWhole: body.isComplete)
        case .http2:
            let client = try HTTP2Client(port: server.server.port)
            try client.ask(1, "/")
            try server.next().perform(make)
            let stream = client.answer(1)
            return Got(body: stream.body, isWhole: stream.end == .end, blocks: stream.blocks)
        }
    }

    // MARK: What is on the wire

    @Test func eachPieceIsAChunkWhereTheClientIsFastEnough() throws {
        let server = try RelayingServer()
        let client = try server.server.client()
        try client.send(get("/"))
        let answer = try server.next()
        answer.perform { $0.stream.play(.part([Self.head, .relay($0.relay)])) }
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        expectWire(client.receive(head.utf8.count), head, .open)
        for (piece, chunk) in [("abc", "3\r\nabc\r\n"), ("0123456789abcdefg", "11\r\n0123456789abcdefg\r\n")] {
            answer.perform { answer in #expect(answer.add(wire(piece))) }
            expectWire(client.receive(chunk.utf8.count), chunk, .open)
        }
        answer.perform { answer in
            answer.relay.close()
            answer.stream.play(WireScript([.end(.close, trailers: [("X-Sum", "7")])]))
        }
        expectWire(client.receiveAll(), "0\r\nX-Sum: 7\r\n\r\n", .fin)
        let end = try #require(server.ends.next())
        #expect(end.outcome == .sent && answer.gone == 0)
    }

    @Test(arguments: [
        (Announced.length, "Content-Length: 6\r\n\r\nabcdef"),
        (.chunks, "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n0\r\n\r\n"),
    ]) func whatHasComeIsSentTogether(announced: Announced, bytes: String) throws {
        let server = try RelayingServer()
        let head = announced.head(6)
        let scripts: [@Sendable (BodyRelay) -> WireScript] = [
            { WireScript([.head(head), .relay($0), .end(.close)]) },
            { WireScript(head: head, relay: $0, end: .close) },
        ]
        for script in scripts {
            let client = try server.server.client()
            try client.send(get("/"))
            try server.next().perform { answer in
                _ = (answer.add(wire("abc")), answer.add(wire("def")))
                answer.relay.close()
                answer.stream.play(script(answer.relay))
            }
            expectWire(client.receiveAll(), "HTTP/1.1 200 OK\r\n" + bytes, .fin)
            let end = try #require(server.ends.next())
            #expect(end.bytesSent == UInt64("HTTP/1.1 200 OK\r\n".utf8.count + bytes.utf8.count))
        }
    }

    @Test func aHeadWithoutARelayMayBeAllForNow() throws {
        let server = try RelayingServer()
        let client = try server.server.client()
        try client.send(get("/"))
        let answer = try server.next()
        let head = Announced.length.head(0)
        answer.perform { $0.stream.play(WireScript(head: head, relay: nil, end: nil)) }
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        expectWire(client.receive(bytes.utf8.count), bytes, .open)
        answer.perform { $0.stream.play(WireScript([.end(.close)])) }
        expectWire(client.receiveAll(), "", .fin)
    }

    @Test(arguments: Spoken.allCases) func anEmptyOneIsAnEmptyBody(spoken: Spoken) throws {
        let answer = try got(spoken) { answer in
            answer.relay.close()
            answer.stream.play(WireScript([Self.head, .relay(answer.relay), .end(.close)]))
        }
        #expect(answer.body.isEmpty && answer.isWhole)
        let later = try got(spoken) { answer in
            answer.stream.play(.part([Self.head, .relay(answer.relay)]))
            answer.relay.close()
            answer.stream.play(WireScript([.end(.close)]))
        }
        #expect(later == answer)
    }

    @Test(arguments: Spoken.allCases, [false, true]) func otherStepsStandAroundIt(spoken: Spoken, isThere: Bool) throws
    {
        let trailers = [(name: "X-Sum", value: "7")]
        let answer = try got(spoken) { answer in
            let part = WireStep.body(WireBytes(wire("one ")))
            let steps: [WireStep] = [
                .wait(nanoseconds: 1000), Self.head, part, .relay(answer.relay), part, .end(.close, trailers: trailers),
            ]
            if isThere { _ = answer.add(wire("two ")) }
            if isThere { answer.relay.close() }
            answer.stream.play(WireScript(steps))
            if !isThere { _ = answer.add(wire("two ")) }
            if !isThere { answer.relay.close() }
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == "one two one ")
        #expect(answer.isWhole)
        #expect(answer.blocks.dropFirst() == (spoken == .http2 ? ["x-sum: 7\n"] : []))
    }

    @Test func theNextAnswerFollows() throws {
        let server = try RelayingServer()
        let client = try server.server.client()
        for _ in 1...3 {
            try client.send(get("/"))
            try server.next().perform { answer in
                answer.stream.play(
                    WireScript([.head(Announced.length.head(5)), .relay(answer.relay), .end(.keepAlive)]))
                _ = answer.add(wire("hello"))
                answer.relay.close()
            }
            expectWire(client.receive(until: "hello"), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .open)
        }
    }

    @Test(arguments: Spoken.allCases) func itBreaksOffBehindWhatHasCome(spoken: Spoken) throws {
        let answer = try got(spoken) { answer in
            answer.stream.play(.part([Self.head, .relay(answer.relay)]))
            _ = answer.add(pattern(40_000))
            answer.relay.close()
            answer.stream.play(WireScript([.abort(.breakOff)]))
        }
        #expect(answer.body == pattern(40_000) && !answer.isWhole)
    }

    // MARK: Back-pressure

    @Test(arguments: Spoken.allCases) func allComesThroughWhateverThePace(spoken: Spoken) throws {
        let (whole, count) = (WireBytes(pattern(3_000_000)), 3_000_000)
        let server = try RelayingServer()
        var kept: RelayedAnswer?
        func feed(_ answer: RelayedAnswer) {
            kept = answer
            answer.perform { answer in
                answer.stream.play(.part([Self.head, .relay(answer.relay)]))
                answer.feed(whole.copy, sizes: [1, 70_000, 16_384, 5, 0, 200_001, 4096])
                answer.stream.play(WireScript([.end(.close)]))
            }
        }
        switch spoken {
        case .http1:
            let client = try server.server.client()
            client.shrinkReceiveBuffer(to: 65_536)
            try client.send(get("/"))
            feed(try server.next())
            let body = ReceivedBody(of: client.receiveAll().bytes)
            let isSame = body.bytes == whole.copy
            #expect(isSame && body.isComplete, "\(body.bytes.count) of \(count) bytes")
        case .http2:
            let client = try HTTP2Client(port: server.server.port, settings: [(4, 10_000)])
            try client.ask(1, "/")
            feed(try server.next())
            let stream = client.answer(1)
            let isSame = stream.body == whole.copy
            #expect(isSame && stream.end == .end, "\(stream.body.count) of \(count) bytes")
        }
        #expect(server.ends.next()?.outcome == .sent)
        kept?.perform { answer in #expect(server.account.bytes == 0) }
    }

    /// What waits is counted, and it is one buffer whatever the producer has.
    @Test(arguments: Spoken.allCases) func aClientThatTakesNothingCostsOneBuffer(spoken: Spoken) throws {
        let server = try RelayingServer()
        let client = try server.server.client()
        var http2: HTTP2Client?
        if spoken == .http1 {
            try client.send(get("/"))
        } else {
            http2 = try HTTP2Client(port: server.server.port)
            http2?.grants = false
            try http2?.ask(1, "/")
        }
        let answer = try server.next()
        let piece = pattern(16_384)
        answer.perform { answer in
            answer.stream.play(.part([Self.head, .relay(answer.relay)]))
            while answer.added < 200_000_000, answer.add(piece) {}
        }
        answer.perform { answer in
            #expect(!answer.add([]))
            #expect(answer.added < 100_000_000, "\(answer.added) bytes were taken")
            #expect(answer.rooms == 0)
            #expect((65_536...262_144).contains(server.account.bytes), "\(server.account.bytes) bytes wait")
        }
        if let http2 {
            // The client takes some after all.
            try http2.grant(0, 1_000_000)
            try http2.grant(1, 1_000_000)
            _ = http2.wait { $0[1].body.count >= answer.added }
            answer.perform { answer in #expect(answer.rooms == 1 && answer.add([])) }
        } else {
            _ = client.receive(answer.added)
            answer.perform { answer in #expect(answer.rooms == 1 && answer.add([])) }
        }
    }

    // MARK: Ends

    @Test(arguments: Spoken.allCases) func theProducerIsToldThatTheClientLeft(spoken: Spoken) throws {
        for (waits, closes) in [(false, false), (true, false), (true, true)] {
            let server = try RelayingServer()
            let client = try server.server.client()
            let http2 = try spoken == .http2 ? HTTP2Client(port: server.server.port) : nil
            if let http2 { try http2.ask(1, "/") } else { try client.send(get("/")) }
            let answer = try server.next()
            answer.perform { answer in
                let before: [WireStep] = waits ? [.wait(nanoseconds: milliseconds(60_000))] : []
                answer.stream.play(.part(before + [Self.head, .relay(answer.relay)]))
                _ = answer.add(wire("abc"))
            }
            if let http2 {
                try http2.send(HTTP2Frame(.resetStream, stream: 1, HTTP2Frame.number(8)))
            } else {
                if !waits { _ = client.receive(until: "abc") }
                if closes { client.close() } else { client.reset() }
            }
            #expect(server.ends.next()?.outcome == .clientDisconnected)
            answer.perform { answer in
                #expect(answer.gone == 1)
                // Nobody wants the rest.
                #expect(answer.add(pattern(1_000_000)))
                answer.relay.close()
            }
            #expect(server.account.bytes == 0)
        }
    }

    @Test func aServerThatEndsDoesNotWaitForMore() throws {
        let server = try RelayingServer()
        let client = try server.server.client()
        try client.send(get("/"))
        let answer = try server.next()
        answer.perform { answer in
            answer.stream.play(.part([Self.head, .relay(answer.relay)]))
            _ = answer.add(wire("abc"))
        }
        _ = client.receive(until: "abc")
        server.server.server.drain(milliseconds: 60_000)
        #expect(server.ends.next()?.outcome == .stopped)
        #expect(answer.gone == 1)
    }

    // MARK: Transforms

    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let shape: @Sendable () -> BodyShape

        init(_ name: String, _ shape: @escaping @Sendable (BodyShape) -> BodyShape) {
            testDescription = name
            self.shape = { shape(BodyShape()) }
        }
    }

    private static let slow = milliseconds(1)
    static let shapes = [
        Shape("none") { $0 },
        Shape("cut") { $0.cut(after: 700, then: .abort(.fin)) },
        Shape("cut in order") { $0.cut(after: 700, then: .finish) },
        Shape("cut at the end") { $0.cut(after: 2000, then: .abort(.fin)) },
        Shape("cut behind the end") { $0.cut(after: 2001, then: .abort(.fin)) },
        Shape("cut behind the head") { $0.cut(at: .head, then: .rst) },
        Shape("cut behind pieces") { $0.cut(at: .pieces(2), then: .fin) },
        Shape("nothing") { $0.cut(at: .nothing, then: .fin) },
        Shape("stall") { $0.stalled(after: 501, nanoseconds: slow) },
        Shape("stall at the end") { $0.stalled(after: 2000, nanoseconds: slow) },
        Shape("slices") { $0.sliced(size: 300, gapNanoseconds: slow) },
        Shape("pauses") { $0.paused { _ in slow } },
        Shape("a rate") { $0.slowed(toBytesPerSecond: 100_000) },
        Shape("a byte") { $0.corrupted(Corruption(.byte(1999), drawing: TestGenerator(seed: 1))) },
        Shape("bytes") { $0.corrupted(Corruption(.rate(0.1), drawing: TestGenerator(seed: 2))) },
        Shape("bytes of slices") {
            $0.sliced(size: 77, gapNanoseconds: 1000).corrupted(Corruption(.rate(0.1), drawing: TestGenerator(seed: 3)))
                .cut(after: 1333, then: .abort(.cut))
        },
        Shape("no trailers") { $0.withoutTrailers() },
        Shape("late") { $0.closedLate(byMilliseconds: 5) },
    ]

    /// A relay is changed as pieces in memory are.
    @Test(arguments: shapes, Spoken.allCases)
    func itIsTransformedAsPiecesInMemoryAre(shape: Shape, spoken: Spoken) throws {
        let (whole, sizes) = (pattern(2000), [1, 499, 1000, 500])
        let ending = WireScript([.end(.close, trailers: [("X-Sum", "7")])])
        let relayed = try got(spoken) { answer in
            answer.stream.play(.part([Self.head, .relay(answer.relay)]), shape: shape.shape())
            answer.feed(whole, sizes: sizes)
            answer.stream.play(ending)
        }
        let sent = try got(spoken) { answer in
            answer.stream.play(.part([Self.head]), shape: shape.shape())
            var place = 0
            for size in sizes {
                answer.stream.send(WireBytes(Array(whole[place..<(place + size)])))
                place += size
            }
            answer.stream.finish(ending)
        }
        #expect(relayed == sent)
    }

    /// Whoever sees the scripts of an answer sees what came through a relay, as it is sent.
    @Test func theBodyIsSeenAsItIsSent() throws {
        let seen = Locked<SentBody>(SentBody())
        let server = try RelayingServer { script in seen.withLock { $0.append(script, in: nil) } }
        let client = try server.server.client()
        try client.send(get("/"))
        try server.next().perform { answer in
            let shape = BodyShape().corrupted(Corruption(.byte(5), drawing: TestGenerator(seed: 1)))
            answer.stream.play(.part([Self.head, .relay(answer.relay)]), shape: shape)
            answer.feed(pattern(2000), sizes: [3, 1997])
            answer.stream.play(WireScript([.end(.close)]))
        }
        let body = ReceivedBody(of: client.receiveAll().bytes).bytes
        #expect(body != pattern(2000) && body.count == 2000)
        #expect(seen.withLock { $0.bytes } == body)
    }

    @Test func aRateHoldsForAllOfIt() throws {
        let server = try RelayingServer()
        let client = try server.server.client()
        try client.send(get("/"))
        let clock = ContinuousClock()
        let begin = clock.now
        try server.next().perform { answer in
            let script = WireScript([.head(Announced.length.head(3000)), .relay(answer.relay), .end(.close)])
            answer.stream.play(script.slowed(toBytesPerSecond: 100_000))
            answer.feed(pattern(3000), sizes: [3000])
        }
        #expect(client.receiveAll().bytes.suffix(3000) == pattern(3000)[...])
        #expect(clock.now - begin >= .milliseconds(25))
    }
}
