import SDHTTPTransport
import SDTestSupport
import Testing

/// A protocol is asked once for each byte that it sends, and what one stream waits for keeps no other. The frames of the
/// protocol are numbered, and `MuxClient` compares the numbers: it would see one that was made twice, or not sent.
@Suite struct SendingTests {
    private static let large = pattern(500_000)

    /// A server that answers by the path, and the ends of its answers.
    private struct Sender {
        let server: TestServer
        let observers: [String: EndObserver]

        init(idleTimeout: Int = 30_000, _ answers: [String: WireScript]) throws {
            var limits = ServerLimits.patient
            limits.idleTimeout = idleTimeout
            observers = answers.mapValues { _ in EndObserver() }
            server = try TestServer(limits: limits, listen: Framing.frames.listen) { [observers] request, reply in
                let path = String(decoding: request.path, as: UTF8.self)
                guard let answer = answers[path] else { return }
                reply.send(answer, observer: observers[path])
            }
        }

        func end(_ path: String) throws -> StreamEnd { try #require(observers[path]?.ends.next()) }
    }

    private static func answer(_ steps: WireStep...) -> WireScript {
        WireScript([MuxServer.head] + steps + [.end(.keepAlive)])
    }

    private func whole(_ stream: Int, _ body: [UInt8]) -> MuxClient.Answer {
        MuxClient.Answer(bytes: wire("\(stream) 200\n") + body, isWhole: true)
    }

    @Test func oneStallsOneIsPacedOneIsCutAndTheOthersGoOn() throws {
        let large = Self.large
        let paced = WireBytes(pattern(3000))
        let sender = try Sender(
            idleTimeout: 5_000,
            [
                "/stalled": Self.answer(.body(WireBytes(large))),
                "/granted": Self.answer(.file(patternFile(large.count))),
                "/paced": Self.answer(.pace(paced, 0..<3000, bytesPerSecond: 10_000)),
                "/cut": Self.answer(.body(WireBytes(large))).cut(after: 1234, then: .abort(.fin)),
                "/large": Self.answer(.body(WireBytes(large))),
            ])
        let client = try MuxClient(port: sender.server.port)
        let clock = ContinuousClock()
        let began = clock.now
        try client.ask(1, "/stalled", granting: 1500)
        try client.ask(2, "/granted", granting: 100_001)
        try client.ask((3, "/paced"), (4, "/cut"), (5, "/large"))
        #expect(client.answer(to: 4) == MuxClient.Answer(bytes: wire("4 200\n") + large[..<1234], isWhole: false))
        #expect(client.answer(to: 5) == whole(5, large))
        try client.grant(large.count, on: 2)
        #expect(client.answer(to: 2) == whole(2, large))
        #expect(client.answer(to: 3) == whole(3, pattern(3000)))
        #expect(clock.now - began >= .milliseconds(299))
        // The time of the stream that stalls is over, and the connection goes on.
        #expect(client.answer(to: 1) == MuxClient.Answer(bytes: wire("1 200\n") + large[..<1500], isWhole: false))
        let stalled = try sender.end("/stalled")
        #expect(stalled.outcome == .clientStalled && stalled.bodyBytesSent == 1500)
        let cut = try sender.end("/cut")
        #expect(cut.outcome == .aborted && cut.bodyBytesSent == 1234)
        try client.ask((1, "/large"))
        #expect(client.answer(to: 1) == whole(1, large))
    }

    /// A grant comes before the time of the stream is over, as often as it takes.
    @Test func aStreamThatIsGrantedALittleAtATimeGoesOn() throws {
        let body = pattern(100)
        let sender = try Sender(["/": Self.answer(.body(WireBytes(body)))])
        let client = try MuxClient(port: sender.server.port)
        try client.ask(1, "/", granting: 0)
        for count in 1...100 {
            try client.grant(1, on: 1)
            #expect(client.beginning(of: 1, as: "1 200\n" + String(decoding: body[..<(count - 1)], as: UTF8.self)))
        }
        #expect(client.answer(to: 1) == whole(1, body))
        #expect(try sender.end("/").outcome == .sent)
    }

    /// Such a head does not fit into what the system takes: the rest is kept in its stream, while other streams send.
    @Test func aHeadThatWasMadeIsKeptUntilItIsSent() throws {
        var head = ResponseHead(status: 200, reason: "OK")
        for field in 1...500 { head.add("X-\(field)", String(repeating: "v", count: 500)) }
        let script = WireScript([.head(head), .body(WireBytes(wire("body"))), .end(.keepAlive)])
        let given = WireScript([.head(head), .wait(nanoseconds: milliseconds(3_600_000)), .end(.keepAlive)])
        let sender = try Sender([
            "/head": script, "/given": given, "/large": Self.answer(.body(WireBytes(Self.large))),
        ])
        let client = try MuxClient(port: sender.server.port, receiveBuffer: 4096)
        try client.ask((1, "/head"), (2, "/large"), (3, "/head"), (4, "/given"))
        sender.server.settle()
        try client.giveUp(4)
        #expect(client.answer(to: 4)?.isWhole == false)
        #expect(client.answer(to: 1) == whole(1, wire("body")))
        #expect(client.answer(to: 2) == whole(2, Self.large))
        #expect(client.answer(to: 3) == whole(3, wire("body")))
        #expect(try sender.end("/given").outcome == .clientDisconnected)
    }
}
